"""The library's functions for columns of Spark DataFrames, through Arrow, and for files.

>>> from placemat import spark as ps                                            # doctest: +SKIP
>>> df.withColumn("text", ps.repair("body", "cp1252")).where(ps.is_valid("body"))  # doctest: +SKIP
>>> ps.errors(df, "body", keep=["id"]).show()                                   # doctest: +SKIP
>>> ps.check_files(spark, "/data/logs").groupBy("kind").count().show()          # doctest: +SKIP

`is_valid`, `first_error`, `repair`, `convert`, `detect`, `lengths` and `mojibake` take a column and return one. The column may be binary
or string (Spark does not check that a string is UTF-8). They are Arrow functions: no row becomes a Python object. From Spark 4.0 the JVM
checks UTF-8 itself, with the same result, so well-formed rows are not sent to Python where they need no change. `errors` and the functions
on files return a DataFrame. All functions but `survey` are lazy. If a worker is lost, its rows are processed again, with the same result.

The package must be installed on the workers too (`pip install`, or an archive of the environment in `spark.archives`).
"""

from __future__ import annotations

import os as _os
from typing import TYPE_CHECKING as _TYPE_CHECKING
from typing import Any as _Any

import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from placemat import _places, _udf, _work
from placemat import arrow as _columns
from placemat._core import Codec as _Codec
from placemat._core import ConversionError
from placemat._core import FormFacts as _FormFacts
from placemat._core import RefusedError, Survey
from placemat._core import convert as _convert
from placemat._core import is_valid as _is_valid
from placemat._core import label as _label
from placemat._core import mend as _mend
from placemat._core import repair as _repair

if _TYPE_CHECKING:
    from placemat._core import _Form, _Policy, _RepairPolicy, _Unencodable

__all__ = [
    "check_files",
    "convert",
    "detect",
    "each",
    "errors",
    "first_error",
    "is_valid",
    "lengths",
    "mend",
    "mojibake",
    "register",
    "repair",
    "repair_files",
    "survey",
]

_Path = str | _os.PathLike[str]
_ERROR = "offset bigint, length bigint, kind string"
# The option that each function of SQL takes besides a column.
_OPTIONS = {"is_valid": "form", "repair": "policy", "convert": "source", "lengths": "unit"}
# Functions that read a large column with several threads by default.
_ON_THREADS = {"detect", "mojibake"}
_DETECTED = "struct<encoding string, bom boolean, confidence double, malformed bigint, line_ending string>"
_TYPES = {"is_valid": "boolean", "repair": "string", "convert": "string", "lengths": "bigint", "mojibake": "string", "detect": _DETECTED}


def _known(form=None, policy=None, on_error=None, unencodable="stop", source="utf-8", target="utf-8", unit=None):
    """Raise LookupError for an unknown name here, on the driver, and not later on a worker."""
    if form is not None:
        _Codec(form)
    if policy is not None:
        _repair(b"", policy)
    _convert(b"", source, target, on_error=on_error or "stop", unencodable=unencodable)
    if unit is not None:
        _columns.lengths(pa.nulls(0, pa.string()), unit)


def _column(column):
    # As in Spark's own functions, a str is the name of a column.
    return F.col(column) if isinstance(column, str) else column


def _made(name, array, *options, **how):
    """The result of the function `name` for a batch. An error shows the value that caused it, as the position of a batch is not known."""
    if name in _ON_THREADS:
        # A worker has one core.
        how["threads"] = 1
    try:
        return pa.array(getattr(_columns, name)(array, *options, **how))
    except ConversionError as stopped:
        value = array[stopped.row].as_buffer().to_pybytes()
        raise _work.told(ConversionError(f"{str(stopped).partition(': ')[2]} of {value[:60]!r}")) from None
    except Exception as why:
        raise _work.told(why)


def _function(name, returns, column, **how):
    _known(**how)

    def apply(array):
        return _made(name, array, **how)

    apply.__name__ = f"placemat_{name}"
    return _udf.call(apply, returns, column)


def _is_utf8(form):
    return _label(form) == "utf-8"


def _text(column):
    """The column as a string. When the column is used, Spark refuses one that is neither binary nor string."""
    return _column(column).cast("binary").cast("string")


def _bytes(column):
    column = _column(column)
    made = column.cast("binary")
    if _udf.KNOWS_UTF8:
        return made
    # Before Spark 4.0 a number can be cast to binary. `base64` refuses a number when the column is made; `when(False)` never runs it.
    return F.when(F.lit(False), F.unbase64(F.base64(column))).otherwise(made)


def _unless_valid(column):
    """The column with null in place of well-formed UTF-8, so that no such row is sent to Python. Before Spark 4.0, all rows."""
    return F.when(~is_valid(column), _column(column)) if _udf.KNOWS_UTF8 else _bytes(column)


def is_valid(column: Column | str, form: _Form = "utf-8") -> Column:
    """Whether each row is well-formed; null where the row is null. For UTF-8 this is Spark's `is_valid_utf8` (from Spark 4.0)."""
    if _is_utf8(form) and _udf.KNOWS_UTF8:
        return F.is_valid_utf8(_text(column))
    return _function("is_valid", "boolean", _bytes(column), form=form)


def first_error(column: Column | str, form: _Form = "utf-8") -> Column:
    """The first error of each row (offset, length, kind), or null."""
    column = _unless_valid(column) if _is_utf8(form) else _bytes(column)
    return _function("first_error", f"struct<{_ERROR}>", column, form=form)


def repair(column: Column | str, policy: _RepairPolicy = "replace") -> Column:
    """Each row as well-formed text. With the policy `replace` this is Spark's `make_valid_utf8` (from Spark 4.0)."""
    _known(policy=policy)
    text = _text(column)
    if not _udf.KNOWS_UTF8:
        return _function("repair", "string", _bytes(column), policy=policy)
    if policy == "replace":
        return F.make_valid_utf8(text)
    return F.coalesce(_function("repair", "string", _unless_valid(column), policy=policy), text)


def convert(
    column: Column | str,
    source: _Form = "utf-8",
    target: _Form = "utf-8",
    *,
    on_error: _Policy = "stop",
    unencodable: _Unencodable = "stop",
) -> Column:
    """Each row in the form or encoding `target`: a string if that is UTF-8, else binary."""
    returns = "string" if _is_utf8(target) else "binary"
    how = {"source": source, "target": target, "on_error": on_error, "unencodable": unencodable}
    return _function("convert", returns, _bytes(column), **how)


def detect(column: Column | str) -> Column:
    """The likely encoding of each row: a struct of encoding, bom, confidence, malformed, line_ending."""
    return _function("detect", _DETECTED, _bytes(column))


def lengths(column: Column | str, unit: str = "code-points", *, form: _Form = "utf-8") -> Column:
    """The length of each row, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
    return _function("lengths", "bigint", _bytes(column), unit=unit, form=form)


def mojibake(column: Column | str) -> Column:
    """Each row of text with its mojibake undone: every run that was decoded twice."""
    if hasattr(F, "arrow_udf"):
        return _function("mojibake", "string", _text(column))
    # On the way through pandas a string must be well-formed.
    return _function("mojibake", "binary", _bytes(column)).cast("string")


def mend(column: Column | str, **how: str | bool | None) -> Column:
    """Each row repaired as by `placemat.mend`, with its keywords (`structure="jsonl"` repairs the strings of JSON).

    The result is a struct: `text`; `changes`, their number; `refused`, the reason where a row has neither text nor data; `data`, the
    text as bytes. A dump with binary values that are not UTF-8 has `data` but no `text`. Rows are processed one by one in Python.
    """
    _mended(b"", how)

    def apply(array: pa.Array) -> pa.Array:
        rows = [None if row is None else _mended(row, how) for row in array.to_pylist()]
        return pa.array(rows, pa.struct([("text", pa.string()), ("changes", pa.int64()), ("refused", pa.string()), ("data", pa.binary())]))

    apply.__name__ = "placemat_mend"
    return _udf.call(apply, "struct<text string, changes bigint, refused string, data binary>", _bytes(column))


def each(name: str, column: Column | str, **how: str) -> Column:
    """Apply the function `name`, with its options, to each element of a column of arrays: `ps.each("repair", "tags", policy="cp1252")`.

    A field of a struct needs only its path: `ps.repair("author.name")`.
    """
    if name not in _TYPES:
        raise ValueError(f"{name!r} is none of {', '.join(_TYPES)}")
    # Refuses an unknown name or keyword here, on the driver.
    getattr(_columns, name)(pa.array([], pa.binary()), **how)
    returns = _TYPES[name] if name != "convert" or _is_utf8(how.get("target", "utf-8")) else "binary"
    elements = _column(column).cast("array<binary>")
    # On the way through pandas a string must be well-formed.
    is_cast = name == "mojibake" and not hasattr(F, "arrow_udf")
    if name == "mojibake" and not is_cast:
        elements = elements.cast("array<string>")

    def apply(array: pa.Array) -> pa.Array:
        return _udf.of_elements(array, lambda values: _made(name, values, **how))

    apply.__name__ = f"placemat_each_{name}"
    made = _udf.call(apply, f"array<{'binary' if is_cast else returns}>", elements)
    return made.cast("array<string>") if is_cast else made


def _mended(row, how):
    try:
        mended = _mend(row, **how)
    except RefusedError as why:
        return {"text": None, "changes": 0, "refused": str(why), "data": None}
    data = mended.data
    return {"text": mended.text if _is_valid(data) else None, "changes": len(mended.changes), "refused": None, "data": data}


def register(spark: SparkSession) -> None:
    """Register functions for SQL in this session; Scala and Java can call them too.

    They are `utf8_is_valid(body)`, `utf8_repair(body, policy)`, `utf8_convert(body, source)` (to text from any encoding),
    `utf8_detect(body)`, `utf8_lengths(body, unit)` and `utf8_mojibake(text)`.
    """
    for name, returns in _TYPES.items():
        spark.udf.register(f"utf8_{name}", _udf.udf(_sql(name), returns))


def _sql(name):
    """The function for SQL: its first array is the column, the second an option. Where the option is null, so is the result."""

    def apply(array: pa.Array, *options: pa.Array) -> pa.Array:
        if name == "mojibake" and pa.types.is_binary(array.type):
            # The result is text, also for a binary column.
            array = array.view(pa.string())
        if len(options) > (name in _OPTIONS):
            takes = f"one option, the {_OPTIONS[name]}" if name in _OPTIONS else "no option"
            raise _work.told(TypeError(f"utf8_{name} takes a column and {takes}; {1 + len(options)} arguments were given"))
        if not options:
            return _made(name, array)
        # A literal is the same in all rows of a batch; an option from a column may differ.
        (option,) = options
        if not (pa.types.is_string(option.type) or pa.types.is_null(option.type)):
            raise _work.told(TypeError(f"the {_OPTIONS[name]} of utf8_{name} must be text, not of type {option.type}"))
        values = [value for value in option.unique().to_pylist() if value is not None]
        if len(values) == 1 and not option.null_count:
            return _made(name, array, values[0])
        rows = [pc.indices_nonzero(pc.equal(option, value)) for value in values]
        parts = [_made(name, array.take(at), value) for at, value in zip(rows, values)]
        if option.null_count:
            rows.append(pc.indices_nonzero(pc.is_null(option)))
            parts.append(pa.nulls(option.null_count, parts[0].type if parts else None))
        if not parts:
            return pa.nulls(0)
        return pa.concat_arrays(parts).take(pc.sort_indices(pa.concat_arrays(rows)))

    return apply


def errors(df: DataFrame, column: str, form: _Form = "utf-8", *, keep: list[str] | str | None = None) -> DataFrame:
    """Every error of every row of `column`: the column or columns to `keep`, then file, row, offset, length, kind.

    `file` and `row` say where Spark read the row. Rows count from 0 in their file; `row` is null where the format has no row numbers
    (Parquet has).
    """
    _known(form)
    keep = [keep] if isinstance(keep, str) else keep or []
    told_of = _metadata(df)
    path, index = (name if name in told_of else None for name in ["file_path", "row_index"])
    # Private names, so that the columns to keep may have any name.
    kept = [F.col(_quoted(name)).alias(f"_kept{at}") for at, name in enumerate(keep)]
    rows = df.select(
        *kept,
        F.col(column).cast("binary").alias("_text"),
        (_path(F.col(f"_metadata.{path}")) if path else F.lit(None).cast("string")).alias("_file"),
        (F.col(f"_metadata.{index}") if index else F.lit(None)).cast("long").alias("_row"),
    )
    if _is_utf8(form):
        rows = rows.where(~is_valid("_text"))
    names = [f"_kept{at}" for at in range(len(keep))]
    types = rows.select(*names).schema
    schema = "".join(f"{field.name} {field.dataType.simpleString()}, " for field in types)

    def work(batches):
        for batch in batches:
            found = pa.record_batch(_columns.errors(batch.column("_text"), form))
            table = batch.select([*names, "_file", "_row"]).take(found.column("row"))
            own = [f"_{name}" for name in ["offset", "length", "kind"]]
            yield pa.RecordBatch.from_arrays([*table.columns, *found.columns[1:]], [*table.schema.names, *own])

    found = rows.mapInArrow(work, f"{schema}_file string, _row bigint, _offset bigint, _length bigint, _kind string")
    told = ["file", "row", "offset", "length", "kind"]
    return found.toDF(*keep, *told)


def _quoted(name):
    return "`" + name.replace("`", "``") + "`"


def _path(column):
    """A URI as `check_files` writes it: without escapes, and a local path without its scheme."""
    return F.regexp_replace(F.url_decode(F.replace(column, F.lit("+"), F.lit("%2B"))), "^file:/+", "/")


def _metadata(df):
    """The names of Spark's metadata fields for the files and rows of `df`. They come from the plan, so that no query asks for a missing one."""
    try:
        if not df.inputFiles() or df.isStreaming:
            return []
        return df.select("_metadata").schema["_metadata"].dataType.names
    except Exception:  # There is no metadata. The class of this exception differs between versions of Spark.
        return []


def _files(spark, path, glob, target=None):
    """A row for each file (root, file), spread over the workers. A worker lists the files, but not those below `target`, when the rows are
    asked for.
    """
    path = _os.fspath(path)
    if not path:
        raise ValueError("the path is empty")
    is_flat = glob is None and any(c in path.rpartition("/")[2] for c in "*?[{")
    if is_flat:
        path, _, glob = path.rpartition("/")
    path = _places.located(spark, path or ".")
    many = 32 if _places.is_connect(spark) else 4 * spark.sparkContext.defaultParallelism
    listing = spark.range(0, 1, 1, 1).mapInArrow(_work.listing(path, glob, is_flat, target), "root binary, file binary")
    return listing.repartition(many)


def check_files(spark: SparkSession, path: _Path, form: _Form = "utf-8", *, glob: str | None = None) -> DataFrame:
    """Every error of every file below `path`: file, line, offset, length, kind, as `placemat check` reports them, and `failed`.

    Lines count from 1. Binary files (a NUL in the first 8 KiB and no byte order mark) are left out, unless the code units of `form` are
    wider than a byte. A file that should be UTF-8 and begins with the byte order mark of UTF-16 or UTF-32 has only one error: that mark.
    Each file is read by one worker, in parts of 8 MiB. If a file cannot be read, `failed` says why, and all other columns but `file` are
    null. A byte of a file name that is not UTF-8 is shown as `\\xhh`.
    """
    _known(form)
    schema = f"file string, line bigint, {_ERROR}, failed string"
    return _files(spark, path, glob).mapInArrow(_work.checking(form, _is_utf8(form), _FormFacts(form).width[0] > 1), schema)


def repair_files(
    spark: SparkSession, path: _Path, target: _Path, policy: _RepairPolicy = "replace", *, glob: str | None = None
) -> DataFrame:
    """Write every file below `path`, repaired, to the same place below `target`; return file, bytes, changed, refused, replaced, failed.

    A file that seems to be something else than UTF-8 with a few errors is copied unchanged, and `refused` says what it looks like, as
    `placemat repair` does (the first 8 MiB decide). Binary files are copied unchanged, too; see `check_files`. `replaced` counts the
    U+FFFD that the file had before; they cannot be repaired. If a file cannot be read or written, `failed` says why.

    `path` and `target` are local paths or URLs that fsspec opens, and all workers can reach them. A new file has the mode of its source,
    less the umask. It appears whole or not at all. If a worker is lost, another one writes its files again. Files are written each time
    the rows of the DataFrame are asked for. If `target` is a folder below `path`, the files in it are not read.
    """
    _known(policy=policy)
    where = _places.located(spark, _os.fspath(target), must_exist=False)
    work = _work.repairing(where, policy)
    schema = "file string, bytes bigint, changed boolean, refused string, replaced bigint, failed string"
    return _files(spark, path, glob, where).mapInArrow(work, schema)


def survey(
    spark: SparkSession,
    path: _Path,
    *,
    format: str = "text",
    column: str | None = None,
    html: _Path | None = None,
    glob: str | None = None,
) -> dict[str, _Any]:
    """Survey everything below `path`: encodings, scripts, line endings, errors, as `placemat survey` reports them for a folder.

    `format` is `text` (each file is a text), `jsonl` (the field `column` of each line), `parquet` (the `column` of each row) or
    `warc` (the block of each response, resource or conversion record). Compressed files are unpacked while they are read, and binary
    files are skipped. With `html`, the driver also writes a page to that file.
    """
    if format not in ("text", "jsonl", "parquet", "warc"):
        raise ValueError(f"unknown format: {format!r}; one of text, jsonl, parquet, warc")
    if (column is None) == (format in ("jsonl", "parquet")):
        raise ValueError("column= is required with jsonl and parquet, and allowed only there")
    total = Survey(column if format in ("jsonl", "parquet") else None)
    if format == "parquet":
        rows = spark.read.option("recursiveFileLookup", "true").parquet(_os.fspath(path))
        total.count_files(read=len(rows.inputFiles()))
        texts, kind = rows.select(F.col(str(column)).cast("binary").alias("text")), "rows"
    else:
        texts, kind = _files(spark, path, glob), format
    parts = texts.mapInArrow(_work.surveying(kind, column), "part string")
    for row in parts.toLocalIterator():
        total.merge(row.part)
    if html:
        with open(html, "w", encoding="utf-8") as page:
            page.write(total.page(_os.fspath(path)))
    return total.as_dict()
