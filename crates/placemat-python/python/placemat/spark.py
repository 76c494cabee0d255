"""The library over DataFrames of Spark: columns through Arrow, and files as they are.

>>> from placemat import spark as ps                                            # doctest: +SKIP
>>> df.withColumn("text", ps.repair("body", "cp1252")).where(ps.is_valid("body"))  # doctest: +SKIP
>>> ps.errors(df, "body", keep=["id"]).show()                                   # doctest: +SKIP
>>> ps.check_files(spark, "/data/logs").groupBy("kind").count().show()          # doctest: +SKIP

`is_valid`, `first_error`, `repair`, `convert`, `detect` and `lengths` take a column (binary, or string: Spark does not look at
what is in a string) and return one; they are Arrow functions, so no row is ever a Python object. `errors` and the functions on files
return a DataFrame. All of them are lazy, and may run twice on a row that a lost worker had, with the same result.

The package has to be on the workers too (`pip install`, or an archive of the environment in `spark.archives`).
"""

import functools
import os
import tempfile

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from placemat import arrow as _columns
from placemat._core import errors as _errors
from placemat._core import repair as _repair

__all__ = [
    "check_files",
    "convert",
    "detect",
    "errors",
    "first_error",
    "is_valid",
    "lengths",
    "repair",
    "repair_files",
]

_ERROR = "offset bigint, length bigint, kind string"
_DETECTED = "encoding string, bom boolean, confidence float, malformed bigint, line_ending string"


def _function(work, returns, column):
    # Column names are strings in every function of Spark.
    column = F.col(column) if isinstance(column, str) else column
    return F.arrow_udf(lambda array: pa.array(work(array)), returns)(column)


def is_valid(column: Column | str, form: str = "utf-8") -> Column:
    """Whether each row is well-formed; null where the row is."""
    return _function(functools.partial(_columns.is_valid, form=form), "boolean", column)


def first_error(column: Column | str, form: str = "utf-8") -> Column:
    """The first error of each row (offset, length, kind), or null."""
    return _function(functools.partial(_columns.first_error, form=form), f"struct<{_ERROR}>", column)


def repair(column: Column | str, policy: str = "replace") -> Column:
    """Each row as well-formed text."""
    return _function(functools.partial(_columns.repair, policy=policy), "string", column)


def convert(
    column: Column | str,
    source: str = "utf-8",
    target: str = "utf-8",
    *,
    on_error: str = "stop",
    unencodable: str = "stop",
) -> Column:
    """Each row in another form: a string if that is UTF-8, else binary."""
    work = functools.partial(
        _columns.convert, source=source, target=target, on_error=on_error, unencodable=unencodable
    )
    return _function(work, "string" if target == "utf-8" else "binary", column)


def detect(column: Column | str) -> Column:
    """What each row seems to be: a struct of encoding, bom, confidence, malformed, line_ending."""
    return _function(_columns.detect, f"struct<{_DETECTED}>", column)


def lengths(column: Column | str, unit: str = "code-points", *, form: str = "utf-8") -> Column:
    """How long each row is, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
    return _function(functools.partial(_columns.lengths, unit=unit, form=form), "bigint", column)


def errors(df: DataFrame, column: str, form: str = "utf-8", *, keep: list[str] | None = None) -> DataFrame:
    """Every error of every row of `column`: the columns to `keep`, then file, row, offset, length, kind.

    `file` and `row` say where Spark read the row: the row counts from 0 in its file, and is null where the format does not
    tell (Parquet does).
    """
    keep = keep or []
    df = df.select(
        *keep,
        F.expr(column).alias("_text"),
        _metadata(df, "file_path").cast("string").alias("file"),
        _metadata(df, "row_index").cast("long").alias("row"),
    )
    kept = df.select(*keep, "file", "row").schema
    schema = ", ".join(f"`{field.name}` {field.dataType.simpleString()}" for field in kept)

    def work(batches):
        for batch in batches:
            found = pa.record_batch(_columns.errors(batch.column("_text"), form))
            table = batch.select([*keep, "file", "row"]).take(found.column("row"))
            names = [*table.schema.names, "offset", "length", "kind"]
            yield pa.RecordBatch.from_arrays([*table.columns, *found.columns[1:]], names)

    return df.mapInArrow(work, f"{schema}, {_ERROR}")


def _metadata(df, field):
    try:
        column = F.col(f"_metadata.{field}")
        df.select(column)
        return column
    except Exception:  # Spark says so in classes that differ between its versions.
        return F.lit(None)


def _files(spark, path, glob):
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    if glob:
        reader = reader.option("pathGlobFilter", glob)
    return reader.load(path).select(_local("path").alias("file"), "content")


def _local(column):
    """`file:/a` as people and other programs write it."""
    return F.regexp_replace(F.col(column), r"^file:/+", "/")


def check_files(spark: SparkSession, path: str, form: str = "utf-8", *, glob: str | None = None) -> DataFrame:
    """Every error of every file below `path`: file, line, offset, length, kind, as `placemat check` has them. Lines count from 1.

    A file is read whole, by one worker.
    """

    def work(batches):
        for batch in batches:
            rows = []
            for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
                content = memoryview(content.as_buffer())
                line, at = 1, 0
                for error in _errors(content, form):
                    line, at = line + bytes(content[at : error.offset]).count(b"\n"), error.offset
                    rows.append((file, line, error.offset, error.length, error.kind))
            columns = zip(*rows) if rows else [()] * 5
            yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, _TYPES)], _NAMES)

    return _files(spark, path, glob).mapInArrow(work, f"file string, line bigint, {_ERROR}")


_NAMES = ["file", "line", "offset", "length", "kind"]
_TYPES = [pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.string()]


def repair_files(
    spark: SparkSession, path: str, target: str, policy: str = "replace", *, glob: str | None = None
) -> DataFrame:
    """Write every file below `path`, repaired, to the same place below `target`; return file, bytes, changed.

    `target` is a folder that all workers see. A file appears whole or not at all, and a worker that is lost leaves nothing
    that another would not write again. The work is done when the DataFrame is asked for its rows.
    """
    root = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path).toUri().getPath()

    def work(batches):
        for batch in batches:
            files, sizes, changed = [], [], []
            for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
                content = memoryview(content.as_buffer())
                text = _repair(content, policy)
                _write(os.path.join(target, os.path.relpath(file, root)), text)
                files.append(file)
                sizes.append(len(text))
                changed.append(text != content)
            yield pa.record_batch(
                [pa.array(files, pa.string()), pa.array(sizes, pa.int64()), pa.array(changed, pa.bool_())],
                ["file", "bytes", "changed"],
            )

    return _files(spark, path, glob).mapInArrow(work, "file string, bytes bigint, changed boolean")


def _write(path, text):
    folder = os.path.dirname(path)
    os.makedirs(folder, exist_ok=True)
    handle, unfinished = tempfile.mkstemp(dir=folder, prefix=".placemat-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(text)
        os.replace(unfinished, path)
    except BaseException:
        os.unlink(unfinished)
        raise
