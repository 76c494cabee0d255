"""The work of Spark workers on files. Each public function runs on the driver and returns a function from batches to batches."""

import codecs
import os
from typing import Any

import pyarrow as pa

from placemat import _files as files
from placemat import _warc as warc
from placemat._core import Codec, Survey, errors, is_binary, is_valid, repair, replaced, something_else

__all__ = ["checking", "files", "listing", "repairing", "surveying", "told"]

# Byte order marks of forms other than UTF-8, the longest first; and the bytes at the start of a file that decide whether it is binary.
_MARKS = [b"\0\0\xfe\xff", b"\xff\xfe\0\0", b"\xfe\xff", b"\xff\xfe"]
_HEAD = 8 << 10
_CHECKED = pa.schema(
    [("file", pa.string()), ("line", pa.int64()), ("offset", pa.int64()), ("length", pa.int64()), ("kind", pa.string()), ("failed", pa.string())]
)
_REPAIRED = pa.schema(
    [("file", pa.string()), ("bytes", pa.int64()), ("changed", pa.bool_()), ("refused", pa.string()), ("replaced", pa.int64()), ("failed", pa.string())]
)
# The most errors in a batch.
_MANY = 10_000


def told(why):
    """The error `why`, to be raised on a worker. From Spark 4 on, the worker then sends its message without a traceback."""
    os.environ["SPARK_HIDE_TRACEBACK"] = "1"
    return why


def listing(path, glob, is_flat, target=None):
    """List the files below `path`; with `is_flat` only those directly in it. Files below a folder `target` inside of it are left out."""

    def work(batches):
        for _ in batches:
            try:
                root, found = files.folder_and_files(path, glob)
            except Exception as why:
                raise told(why)
            found = [file for file in found if not is_flat or "/" not in files.relative(file, root)]
            if target and target.startswith(root.rstrip("/") + "/"):
                found = [file for file in found if not file.startswith(target.rstrip("/") + "/")]
            yield pa.record_batch({"root": _sent([root] * len(found)), "file": _sent(found)})

    return work


def _sent(names):
    """Names of files as bytes, because a name that is not UTF-8 is no string of Arrow."""
    return pa.array([name.encode(errors="surrogateescape") for name in names], pa.binary())


def _received(names):
    return [name.decode(errors="surrogateescape") for name in names.to_pylist()]


def _shown(name):
    r"""The name as text, with `\xhh` for a byte that is not UTF-8."""
    return name.encode(errors="surrogateescape").decode(errors="backslashreplace")


def _other_mark(head):
    return next((mark for mark in _MARKS if head.startswith(mark)), b"")


def _batch(rows, schema):
    columns = zip(*rows) if rows else [()] * len(schema)
    return pa.RecordBatch.from_arrays([pa.array(c, t) for c, t in zip(columns, schema.types)], schema=schema)


def _reason(error):
    return f"{type(error).__name__}: {error}"


def checking(form, is_utf8, is_wide):
    """Find the errors of files."""

    def of(file):
        with files.opened(file) as source:
            head = source.read(_HEAD)
            source.seek(0)
            if not is_wide and is_binary(head):
                return
            if is_utf8 and (mark := _other_mark(head)):
                yield 1, 0, len(mark), "invalid-byte"
                return
            yield from _of_utf8(source) if is_utf8 else _of_form(source, form)

    def work(batches):
        for batch in batches:
            rows = []
            for file in _received(batch.column("file")):
                try:
                    for found in of(file):
                        rows.append((_shown(file), *found, None))
                        if len(rows) >= _MANY:
                            yield _batch(rows, _CHECKED)
                            rows = []
                except Exception as error:  # A file that cannot be read is reported. It does not end the job.
                    rows.append((_shown(file), None, None, None, None, _reason(error)))
            yield _batch(rows, _CHECKED)

    return work


def _of_utf8(source):
    line, base = 1, 0
    for part in files.parts(source):
        at = 0
        if not is_valid(part):
            for error in errors(part):
                line, at = line + part.count(b"\n", at, error.offset), error.offset
                yield line, base + error.offset, error.length, error.kind
        line, base = line + part.count(b"\n", at), base + len(part)


_seen: list[Any] = []


def _see(error):
    """An error handler that records the errors and removes them."""
    _seen.append((error.start, error.end, error.reason))
    return "", error.end


def _of_form(source, form):
    codecs.register_error("placemat._see", _see)
    codec, kept, line, base, is_last = Codec(form), b"", 1, 0, False
    state = codec.start[0]
    while not is_last:
        read = source.read(files.PART)
        kept, is_last = kept + read, not read
        _seen.clear()
        codec.decode(kept, "placemat._see", is_last, state)
        found, at = [one for one in _seen if one[2] != "above U+10FFFF"], 0
        for start, end, kind in found:
            text, used, state = codec.decode(kept[at:start], "replace", False, state)
            line, at = line + text.count("\n"), at + used
            yield line, base + start, end - start, kind
        text, used, state = codec.decode(kept[at:], "replace", is_last, state)
        line, at = line + text.count("\n"), at + used
        kept, base = kept[at:], base + at


def repairing(target, policy):
    """Write repaired copies of files."""

    def work(batches):
        for batch in batches:
            rows = []
            for root, file in zip(_received(batch.column("root")), _received(batch.column("file"))):
                try:
                    rows.append((_shown(file), *_repaired(file, f"{target.rstrip('/')}/{files.relative(file, root)}", policy), None))
                except Exception as error:  # As above.
                    rows.append((_shown(file), None, None, None, None, _reason(error)))
            yield _batch(rows, _REPAIRED)

    return work


def _repaired(file, target, policy):
    """Repair one file. Returns the number of bytes written, whether they differ from the source, the likely encoding if that is not UTF-8,
    and the number of U+FFFD in the source.
    """
    like = files.local_path(file)
    with files.opened(file) as source:
        sample = source.read(files.PART)
        if len(sample) == files.PART:
            sample = sample[: sample.rfind(b"\n") + 1] or sample
        source.seek(0)
        skipped = is_binary(sample[:_HEAD])
        refused = None if skipped else something_else(sample)
        size, changed, before = 0, False, 0
        with files.create(target, like) as out:
            for part in files.parts(source):
                text = part if skipped or refused else repair(part, policy)
                out.write(text)
                size, changed = size + len(text), changed or text != part
                before += 0 if skipped else replaced(part)
    return size, changed, refused, before


def surveying(kind, field):
    """Survey each batch, as JSON. With the kind `rows` the texts are the rows of the column `text`, else those of files of that kind."""

    def work(batches):
        for batch in batches:
            survey = Survey(field)
            if kind == "rows":
                for row in batch.column("text"):
                    if row.is_valid:
                        survey.add(row.as_buffer())
            else:
                for file in _received(batch.column("file")):
                    try:
                        _survey_file(survey, file, kind)
                    except Exception:  # As above.
                        survey.count_files(failed=1)
            yield pa.record_batch({"part": pa.array([survey.json()], pa.string())})

    return work


def _survey_file(survey, file, kind):
    with files.opened(file) as source:
        if kind != "warc":
            survey.add_file(source, file)
            return
        one = Survey()
        for block in warc.records(source):
            one.add(block)
        one.of_file(file)
        survey.merge(one.json())
