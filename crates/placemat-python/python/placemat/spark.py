"""The library over DataFrames of Spark: columns through Arrow, and files as they are.

>>> from placemat import spark as ps                                            # doctest: +SKIP
>>> df.withColumn("text", ps.repair("body", "cp1252")).where(ps.is_valid("body"))  # doctest: +SKIP
>>> ps.errors(df, "body", keep=["id"]).show()                                   # doctest: +SKIP
>>> ps.check_files(spark, "/data/logs").groupBy("kind").count().show()          # doctest: +SKIP

`is_valid`, `first_error`, `repair`, `convert`, `detect` and `lengths` take a column (binary, or string: Spark does not look at
what is in a string) and return one; they are Arrow functions, so no row is ever a Python object. Spark itself knows whether
UTF-8 is well-formed, as we do: where that is the question, rows that are stay in the JVM. `errors` and the functions on files
return a DataFrame. All of them are lazy, and may run twice on a row that a lost worker had, with the same result.

The package has to be on the workers too (`pip install`, or an archive of the environment in `spark.archives`).
"""

import fnmatch
import gzip
import json
import os
import re
import shutil
import subprocess
import tempfile

import pyarrow as pa
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from placemat import arrow as _columns
from placemat._core import Codec as _Codec
from placemat._core import FormFacts as _FormFacts
from placemat._core import errors as _errors
from placemat._core import label as _label
from placemat._core import repair as _repair
from placemat._core import something_else as _something_else

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
    "survey",
]

_ERROR = "offset bigint, length bigint, kind string"
_DETECTED = "encoding string, bom boolean, confidence float, malformed bigint, line_ending string"


def _column(column):
    # Column names are strings in every function of Spark.
    return F.col(column) if isinstance(column, str) else column


def _function(name, returns, column, **how):
    return F.arrow_udf(lambda array: pa.array(getattr(_columns, name)(array, **how)), returns)(_column(column))


def _is_utf8(form):
    return _label(form) == "utf-8"


def _unless_valid(column):
    """The column, null where it is well-formed UTF-8, so that those rows cost nothing on the way to Python."""
    return F.when(~is_valid(column), _column(column))


def is_valid(column: Column | str, form: str = "utf-8") -> Column:
    """Whether each row is well-formed; null where the row is. Of UTF-8 this is Spark's `is_valid_utf8`."""
    if _is_utf8(form):
        return F.is_valid_utf8(_column(column).cast("string"))
    return _function("is_valid", "boolean", column, form=form)


def first_error(column: Column | str, form: str = "utf-8") -> Column:
    """The first error of each row (offset, length, kind), or null."""
    column = _unless_valid(column) if _is_utf8(form) else column
    return _function("first_error", f"struct<{_ERROR}>", column, form=form)


def repair(column: Column | str, policy: str = "replace") -> Column:
    """Each row as well-formed text. With the policy `replace` this is Spark's `make_valid_utf8`."""
    text = _column(column).cast("string")
    if policy == "replace":
        return F.make_valid_utf8(text)
    return F.coalesce(_function("repair", "string", _unless_valid(column), policy=policy), text)


def convert(
    column: Column | str,
    source: str = "utf-8",
    target: str = "utf-8",
    *,
    on_error: str = "stop",
    unencodable: str = "stop",
) -> Column:
    """Each row in another form: a string if that is UTF-8, else binary."""
    returns = "string" if _is_utf8(target) else "binary"
    how = {"source": source, "target": target, "on_error": on_error, "unencodable": unencodable}
    return _function("convert", returns, column, **how)


def detect(column: Column | str) -> Column:
    """What each row seems to be: a struct of encoding, bom, confidence, malformed, line_ending."""
    return _function("detect", f"struct<{_DETECTED}>", column)


def lengths(column: Column | str, unit: str = "code-points", *, form: str = "utf-8") -> Column:
    """How long each row is, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
    return _function("lengths", "bigint", column, unit=unit, form=form)


def errors(df: DataFrame, column: str, form: str = "utf-8", *, keep: list[str] | None = None) -> DataFrame:
    """Every error of every row of `column`: the columns to `keep`, then file, row, offset, length, kind.

    `file` and `row` say where Spark read the row: the row counts from 0 in its file, and is null where the format does not
    tell (Parquet does).
    """
    keep = keep or []
    df = df.select(
        *keep,
        F.col(column).alias("_text"),
        _metadata(df, "file_path").cast("string").alias("file"),
        _metadata(df, "row_index").cast("long").alias("row"),
    )
    if _is_utf8(form):
        df = df.where(~is_valid("_text"))
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
    # `file:/a` as people and other programs write it.
    return reader.load(path).select(F.regexp_replace("path", r"^file:/+", "/").alias("file"), "content")


def _with_empty_files(spark, files, path, glob):
    """And the files of no bytes, which Spark leaves out."""
    root = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
    system = root.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration())
    top, found, empty = system.makeQualified(root).toUri(), system.listFiles(root, True), []
    while found.hasNext():
        status = found.next()
        if status.getLen() == 0:
            name, below = status.getPath().getName(), top.relativize(status.getPath().toUri()).getPath()
            if not any(map(_is_hidden, [name, *below.split("/")])) and fnmatch.fnmatch(name, glob or "*"):
                empty.append((re.sub("^file:/+", "/", status.getPath().toString()), bytearray()))
    return files.union(spark.createDataFrame(empty, files.schema)) if empty else files


def _is_hidden(name):
    """Whether Spark passes over files and folders of this name."""
    if name.startswith("_"):
        return "=" not in name and not name.startswith(("_metadata", "_common_metadata"))
    return name.startswith(".") or name.endswith("._COPYING_")


def _folder(spark, path):
    """The folder that `path` is, or that it lies in."""
    root = spark.sparkContext._jvm.org.apache.hadoop.fs.Path(path)
    status = root.getFileSystem(spark.sparkContext._jsc.hadoopConfiguration()).getFileStatus(root)
    return (root.getParent() if status.isFile() else root).toUri().getPath()


def _bytes(value):
    """What a value of pyarrow holds, without a copy."""
    return memoryview(value.as_buffer()).cast("B")


# Marks of other forms, the longest first; and how much of a file tells whether it is binary.
_MARKS = [b"\0\0\xfe\xff", b"\xff\xfe\0\0", b"\xfe\xff", b"\xff\xfe"]
_HEAD = 8 << 10


def _other_mark(content):
    head = bytes(content[:4])
    return next((mark for mark in _MARKS if head.startswith(mark)), b"")


def _is_binary(content):
    """As the command has it: a NUL near the start, and no byte order mark."""
    head = bytes(content[:_HEAD])
    return b"\0" in head and not head.startswith(b"\xef\xbb\xbf") and not _other_mark(content)


def check_files(spark: SparkSession, path: str, form: str = "utf-8", *, glob: str | None = None) -> DataFrame:
    """Every error of every file below `path`: file, line, offset, length, kind, as `placemat check` has them. Lines count from 1.

    Binary files (a NUL in the first 8 KiB and no byte order mark) are left out, but not where the units of `form` are wider than
    bytes. Of a file with the mark of UTF-16 or UTF-32 that should be UTF-8, only that is told. A file is read whole, by one worker.
    """
    is_utf8, is_wide = _is_utf8(form), _FormFacts(form).width[0] > 1

    def work(batches):
        for batch in batches:
            rows = []
            for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
                content = _bytes(content)
                if not is_wide and _is_binary(content):
                    continue
                if is_utf8 and (mark := _other_mark(content)):
                    rows.append((file, 1, 0, len(mark), "invalid-byte"))
                    continue
                codec, line, at = _Codec(form), 1, 0
                state = codec.start[0]
                for error in _errors(content, form):
                    text, read, state = codec.decode(content[at : error.offset], "replace", False, state)
                    line, at = line + text.count("\n"), at + read
                    rows.append((file, line, error.offset, error.length, error.kind))
            columns = zip(*rows) if rows else [()] * 5
            yield pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, _TYPES)], _NAMES)

    files = _files(spark, path, glob)
    if is_utf8:
        files = files.where(~is_valid("content"))
    return files.mapInArrow(work, f"file string, line bigint, {_ERROR}")


_NAMES = ["file", "line", "offset", "length", "kind"]
_TYPES = [pa.string(), pa.int64(), pa.int64(), pa.int64(), pa.string()]


def repair_files(
    spark: SparkSession, path: str, target: str, policy: str = "replace", *, glob: str | None = None
) -> DataFrame:
    """Write every file below `path`, repaired, to the same place below `target`; return file, bytes, changed, refused.

    A file that is not UTF-8 but for a few errors is written as it is, and `refused` says what it looks like, as `placemat repair`
    does. Binary files are written as they are, too; see `check_files`.
    `target` is a folder that all workers see. A file appears whole or not at all, and a worker that is lost leaves nothing
    that another would not write again. The work is done when the DataFrame is asked for its rows.
    """
    root = _folder(spark, path)

    def work(batches):
        for batch in batches:
            files, sizes, changed, refused = [], [], [], []
            for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
                content = _bytes(content)
                is_binary = _is_binary(content)
                refused.append(None if is_binary else _something_else(content))
                text = content if is_binary or refused[-1] else _repair(content, policy)
                _write(os.path.join(target, os.path.relpath(file, root)), text)
                files.append(file)
                sizes.append(len(text))
                changed.append(text != content)
            yield pa.record_batch(
                [pa.array(files, pa.string()), pa.array(sizes, pa.int64()), pa.array(changed, pa.bool_()), pa.array(refused, pa.string())],
                ["file", "bytes", "changed", "refused"],
            )

    files = _with_empty_files(spark, _files(spark, path, glob), path, glob)
    return files.mapInArrow(work, "file string, bytes bigint, changed boolean, refused string")


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


def survey(
    spark: SparkSession,
    path: str,
    *,
    format: str = "text",
    column: str | None = None,
    html: str | None = None,
    glob: str | None = None,
    command: str = "placemat",
) -> dict:
    """What everything below `path` is made of: encodings, scripts, line endings, errors, as `placemat survey` tells of a folder.

    `format` is `text` (each file is a text), `jsonl` (the field `column` of each line), `parquet` (the `column` of each row) or
    `warc` (the block of each response, resource or conversion record). Compressed files are read through. With `html`, the
    command's page is written to that file, here.

    The work is done by the command itself, which has to be on this machine; Spark brings it to the workers, which have to be of
    the same kind.
    """
    program = shutil.which(command)
    if program is None:
        raise FileNotFoundError(f"the command {command!r} is not on this machine; cargo install placemat-cli")
    spark.sparkContext.addFile(os.path.realpath(program))
    program_name = os.path.basename(os.path.realpath(program))
    if format == "parquet":
        rows = spark.read.option("recursiveFileLookup", "true").parquet(path)
        files = len(rows.inputFiles())
        parts = rows.select(F.col(column).cast("binary").alias("text")).mapInArrow(
            _surveying(program_name, _surveyed_rows, column), "part string"
        )
    elif format in ("text", "jsonl", "warc"):
        files = None
        root = _folder(spark, path)
        work = _surveyed_records if format == "warc" else _surveyed_files
        parts = _with_empty_files(spark, _files(spark, path, glob), path, glob).mapInArrow(
            _surveying(program_name, work, column if format == "jsonl" else None, root), "part string"
        )
    else:
        raise ValueError(f"unknown format: {format!r}; one of text, jsonl, parquet, warc")
    with tempfile.NamedTemporaryFile("w", suffix=".json") as file:
        for row in parts.toLocalIterator():
            part = json.loads(row.part)
            if files is not None:
                part["files"] = 0
            file.write(json.dumps(part) + "\n")
        if files is not None:
            file.write(json.dumps(_NO_SURVEY | {"files": files}) + "\n")
        file.flush()
        page = ["--html", html, "--title", path] if html else []
        words = [program, "survey", "--merge", "--format", "json", *page, file.name]
        return json.loads(subprocess.run(words, stdout=subprocess.PIPE, check=True).stdout)


_NO_SURVEY = {
    "type": "survey", "files": 0, "files_skipped": 0, "files_failed": 0, "texts": 0, "texts_well_formed_utf8": 0,
    "bytes": 0, "code_points": 0, "errors": 0, "encodings": [], "line_endings": [], "scripts": [], "error_kinds": [],
    "dialects": [], "worst": [],
}  # fmt: skip


def _surveying(program, work, *arguments):
    def each(batches):
        from pyspark import SparkFiles

        for batch in batches:
            if batch.num_rows:
                for part in work(SparkFiles.get(program), batch, *arguments):
                    yield pa.record_batch([pa.array([part], pa.string())], ["part"])

    return each


def _run(program, words, **how):
    # Exit code 2 says that some file could not be read, and so does the survey.
    done = subprocess.run([program, "survey", "--format", "json", *words], stdout=subprocess.PIPE, check=False, **how)
    return done.stdout.decode()


def _surveyed_files(program, batch, field, root):
    """The files of the batch, put in a folder under their names, so that all is as in a folder."""
    words = ["--jsonl", field] if field else []
    with tempfile.TemporaryDirectory(prefix="placemat-") as folder:
        for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
            path = os.path.join(folder, os.path.relpath(file, root))
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "wb") as out:
                out.write(_bytes(content))
        found = _run(program, ["-z", "--no-ignore", *words, folder])
        shown = json.dumps(root.rstrip("/"), ensure_ascii=False)[1:-1]
        yield found.replace(f'"path":"{folder}', f'"path":"{shown}')


def _surveyed_rows(program, batch, field):
    """The rows of the batch, as lines of JSON in which bytes are as they are."""
    texts = (bytes(_bytes(row)) for row in batch.column("text") if row.is_valid)
    yield _run(program, ["--jsonl", field, "-"], input=b"".join(map(_line(field), texts)))


def _line(field):
    head = b'{%s:"' % json.dumps(field).encode()
    return lambda text: head + _SPECIAL.sub(lambda found: b"\\u%04x" % found[0][0], text) + b'"}\n'


# What JSON cannot hold in a string as it is; all other bytes can stand there for the command.
_SPECIAL = re.compile(rb'[\x00-\x1f"\\]')


def _surveyed_records(program, batch, field, root):
    for file, content in zip(batch.column("file").to_pylist(), batch.column("content")):
        texts = records(_bytes(content))
        found = _run(program, ["--jsonl", "block", "-"], input=b"".join(map(_line("block"), texts)))
        yield found.replace('"path":"-"', f'"path":{json.dumps(file)}')


def records(content: bytes):
    """The blocks of the records of a WARC file that are documents, without the headers of HTTP.

    >>> list(records(b"WARC/1.0\\r\\nWARC-Type: conversion\\r\\nContent-Length: 5\\r\\n\\r\\nhello\\r\\n\\r\\n"))
    [b'hello']
    """
    content = gzip.decompress(content) if bytes(content[:2]) == b"\x1f\x8b" else bytes(content)
    at = 0
    while (at := _behind_lines(content, at)) < len(content):
        end = content.find(b"\r\n\r\n", at)
        head = content[at : max(end, at)].split(b"\r\n")
        if not head[0].startswith(b"WARC/"):
            raise ValueError(f"no record of WARC at byte {at}")
        fields = {name.strip().lower(): value.strip() for name, _, value in (line.partition(b":") for line in head[1:])}
        at = end + 4 + int(fields[b"content-length"])
        block = content[end + 4 : at]
        if fields.get(b"warc-type") in (b"response", b"resource", b"conversion"):
            is_http = block.startswith(b"HTTP/")
            yield block[block.find(b"\r\n\r\n") + 4 :] if is_http and b"\r\n\r\n" in block else block


def _behind_lines(content, at):
    """Behind the empty lines at `at`."""
    while content.startswith(b"\r\n", at):
        at += 2
    return at
