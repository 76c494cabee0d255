"""The function `report`: a table that says what is wrong with each column of a table."""

from __future__ import annotations

import re
from collections import Counter
from contextlib import suppress
from itertools import islice
from typing import TYPE_CHECKING, Any, Literal

from placemat import arrow
from placemat._core import Detection, RefusedError, detect, errors, is_valid, mend, mojibake
from placemat._core import repair as _repair

if TYPE_CHECKING:
    from collections.abc import Iterator

    import pyarrow as pa

_REPLACED = "\ufffd"
# Controls that text lacks: in ISO-2022-JP they are escapes, in UTF-16 halves of letters.
_CONTROL = re.compile(rb"[\0-\x08\x0e-\x1f]")
_MARKS = (b"\xef\xbb\xbf", b"\xff\xfe", b"\xfe\xff", b"\0\0\xfe\xff")
_OF_POLARS = ("Binary", "String", "Categorical", "Enum")
_NO_TABLE = "a table is required, not '{}'; wrap a single column: pyarrow.table({{'name': column}})"


def report(table: Any, *, samples: int = 5, look: int = 10_000) -> pa.Table:
    """Describe each column of bytes or text in one row: how many rows are wrong, in what way, their likely encoding, and samples.

    `table` is anything that pyarrow converts to a table (pyarrow, Polars, DuckDB, DataFusion through the capsule interface; pandas). The
    result is a pyarrow table; pyarrow must be installed. Columns of other types are left out, also lists and structs of text: `explode` or
    `unnest` them first. In an object column of pandas, a value that is neither bytes nor text counts as null.

    | column | meaning |
    |---|---|
    | `column`, `rows`, `nulls` | the column's name, the number of rows, the number of nulls |
    | `bad_rows`, `errors` | the number of rows that are not well-formed UTF-8, and of errors in them |
    | `replaced_rows` | rows with U+FFFD: an earlier reader could not read the original there, and it is lost |
    | `mojibake_rows` | rows that were decoded twice, among the first `look` well-formed rows that are not all ASCII |
    | `kinds` | the number of errors of each kind |
    | `seems`, `sure` | the likely encoding of the first `look` bad rows, and the confidence from 0 to 1; without bad rows, UTF-16 or ISO-2022-JP if ASCII has their controls |
    | `samples` | the first `samples` rows that are bad, replaced, mojibake, or in UTF-16 or ISO-2022-JP: row, bytes, what they may mean |

    A short row in another encoding can be well-formed UTF-8 by accident. It is not among the `bad_rows`.

    Cost: one pass of `errors`, and the time of `detect` and `mojibake` for the rows that these read.

    >>> import pyarrow as pa
    >>> found = placemat.report(pa.table({"id": [1, 2], "name": [b"plain", b"caf\\xe9"]}))
    >>> found.select(["column", "rows", "bad_rows", "kinds"]).to_pylist()
    [{'column': 'name', 'rows': 2, 'bad_rows': 1, 'kinds': [{'kind': 'truncated', 'count': 1}]}]
    """
    import pyarrow as pa

    for name, number, least in [("samples", samples, 0), ("look", look, 1)]:
        if not isinstance(number, int):
            raise TypeError(f"{name} must be a whole number, not {number!r}")
        if number < least:
            raise ValueError(f"{name} must be {least} or more, not {number}")
    whole = table if isinstance(table, pa.Table) else _as_table(table)
    columns = zip(whole.column_names, map(_stored, whole.columns), strict=True)
    found = [_column(name, column, samples, look) for name, column in columns if _is_text(column.type)]
    kind = pa.struct({"kind": pa.string(), "count": pa.int64()})
    sample = pa.struct({"row": pa.int64(), "bytes": pa.binary(), "meant": pa.string()})
    counts = {name: pa.int64() for name in ["rows", "nulls", "bad_rows", "errors", "replaced_rows", "mojibake_rows"]}
    types = {"column": pa.string(), **counts, "kinds": pa.list_(kind), "seems": pa.string(), "sure": pa.float64(), "samples": pa.list_(sample)}
    return pa.Table.from_pylist(found, schema=pa.schema(types))


def _as_table(table: Any) -> pa.Table:
    import pyarrow as pa

    kind = type(table)
    # The class is asked and not the object: a lazy frame computes its columns when it is asked for them.
    has = [hasattr(kind, name) for name in ["dtypes", "columns", "iloc"]]
    if all(has):
        named = [(str(name), _of_pandas(table.iloc[:, at])) for at, name in enumerate(table.columns)]
        kept = [(name, column) for name, column in named if column is not None]
        return pa.Table.from_arrays([column for _, column in kept], names=[name for name, _ in kept])
    if not hasattr(kind, "__arrow_c_stream__"):
        if hasattr(kind, "collect"):
            raise TypeError(f"a table is required; call collect() on the '{kind.__name__}' first")
        raise TypeError(_NO_TABLE.format(kind.__name__))
    if kind.__module__.startswith("polars.") and hasattr(kind, "schema"):
        # Polars would export Python objects as their addresses, and pyarrow refuses a table with types that it lacks.
        table = table.select([name for name, dtype in table.schema.items() if str(dtype).startswith(_OF_POLARS)])
    try:
        return pa.table(table)
    except pa.ArrowInvalid as error:
        if "non-struct" not in str(error):
            raise
        raise TypeError(_NO_TABLE.format(kind.__name__)) from error


def _of_pandas(series: Any) -> Any:
    """A column of pandas as an array; None where pyarrow has no type for it and it holds neither bytes nor text."""
    import pyarrow as pa

    try:
        return pa.array(series, from_pandas=True)
    except (pa.ArrowException, TypeError, ValueError):
        # The rows are of different types, or a str has lone surrogates.
        rows = [_as_row(value) for value in series]
        return pa.array(rows, pa.binary()) if any(row is not None for row in rows) else None


def _as_row(value: Any) -> bytes | None:
    if isinstance(value, (bytes, bytearray)):
        return bytes(value)
    if not isinstance(value, str):
        return None
    try:
        # Text read with `surrogateescape` becomes the bytes of its file again.
        return value.encode(errors="surrogateescape")
    except UnicodeEncodeError:
        return value.encode(errors="surrogatepass")


def _stored(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The storage of a column of an extension type, if it may be text (JSON, but not UUID); run ends as rows; any other column as it is."""
    import pyarrow as pa
    import pyarrow.compute as pc

    if pa.types.is_run_end_encoded(column.type):
        return pa.chunked_array([pc.run_end_decode(chunk) for chunk in column.chunks], column.type.value_type)
    if not isinstance(column.type, pa.BaseExtensionType) or pa.types.is_fixed_size_binary(column.type.storage_type):
        return column
    return pa.chunked_array([chunk.storage for chunk in column.chunks], column.type.storage_type)


def _is_text(type: pa.DataType) -> bool:
    import pyarrow.types as is_

    inner = type.value_type if is_.is_dictionary(type) else type
    views = (is_.is_binary_view, is_.is_string_view)
    plain = (is_.is_binary, is_.is_large_binary, is_.is_fixed_size_binary, is_.is_string, is_.is_large_string)
    return any(check(inner) for check in (*plain, *views))


def _as_bytes(column: pa.ChunkedArray) -> pa.ChunkedArray:
    """The column as bytes, in the same memory. A text column may be malformed, and pyarrow would fail to decode its rows."""
    import pyarrow as pa

    bytes_of = {pa.string(): pa.binary(), pa.large_string(): pa.large_binary(), pa.string_view(): pa.binary_view()}

    def viewed(array: pa.Array) -> pa.Array:
        if pa.types.is_dictionary(array.type):
            return pa.DictionaryArray.from_arrays(array.indices, viewed(array.dictionary))
        return array.view(bytes_of[array.type]) if array.type in bytes_of else array

    chunks = [viewed(chunk) for chunk in column.chunks]
    return pa.chunked_array(chunks) if chunks else column


def _bytes(column: pa.ChunkedArray, row: int) -> bytes | None:
    value: bytes | None = column[row].as_py()
    return value


def _column(name: str, column: pa.ChunkedArray, samples: int, look: int) -> dict[str, Any]:
    column = _as_bytes(column)
    bad_rows, kinds = _errors(column)
    first = [(row, _bytes(column, row) or b"") for row in islice(bad_rows, look)]
    seems = _seeming([data for _, data in first]) if first else None
    replaced, twice, escaped = set[int](), set[int](), dict[int, bytes]()
    looked = nulls = 0
    for row, value in enumerate(_values(column)):
        # The column does not count the nulls of a dictionary.
        nulls += value is None
        if value is None or row in bad_rows:
            continue
        if value.isascii():
            if not bad_rows and len(escaped) < look and _CONTROL.search(value):
                escaped[row] = value
            continue
        text = value.decode()
        if _REPLACED in text:
            replaced.add(row)
        if looked < look:
            looked += 1
            if mojibake(text) != text:
                twice.add(row)
    if escaped:
        # To a reader that does not know ISO-2022-JP and its relatives, they are ASCII. So is UTF-16 of most letters of Europe.
        seems = _seeming(list(escaped.values()))
        is_wide = seems.encoding.startswith("utf-16") and seems.confidence >= 0.5 and all(len(row) % 2 == 0 for row in escaped.values())
        if not (is_wide or seems.encoding.startswith("iso-2022")):
            seems, escaped = None, {}
    wrong = sorted({*islice(bad_rows, samples), *islice(sorted({*replaced, *twice, *escaped}), samples)})[:samples]
    return {
        "column": name,
        "rows": len(column),
        "nulls": nulls,
        "bad_rows": len(bad_rows),
        "errors": sum(kinds.values()),
        "replaced_rows": len(replaced),
        "mojibake_rows": len(twice),
        "kinds": [{"kind": kind, "count": count} for kind, count in kinds.most_common()],
        "seems": seems and seems.encoding,
        "sure": seems and seems.confidence,
        "samples": [{"row": row, "bytes": data, "meant": _meant(data, seems, looked > 0)} for row in wrong if (data := _bytes(column, row)) is not None],
    }


def _seeming(rows: list[bytes]) -> Detection:
    """The likely encoding of all rows together."""
    # A byte order mark at the start decides the encoding of the whole. So a row with one comes first only if most rows have one.
    is_mostly_marked = 2 * sum(row.startswith(_MARKS) for row in rows) > len(rows)
    rows = sorted(rows, key=lambda row: row.startswith(_MARKS) != is_mostly_marked)
    if not is_mostly_marked and all(len(row) % 2 == 0 for row in rows):
        # These may be rows of UTF-16, where a line feed has two bytes.
        wide = detect(b"".join(rows))
        if wide.encoding in ("utf-16le", "utf-16be"):
            return wide
    return detect(b"\n".join(rows))


def _errors(column: pa.ChunkedArray) -> tuple[dict[int, None], Counter[str]]:
    """The numbers of the rows with errors, and how many errors there are of each kind."""
    import pyarrow as pa
    import pyarrow.compute as pc

    bad_rows, kinds, start = dict[int, None](), Counter[str](), 0
    # A part of a dictionary array has the whole dictionary.
    for part in _parts(column, max(len(column), 1) if pa.types.is_dictionary(column.type) else 10_000):
        found = pa.table(arrow.errors(part))
        bad_rows.update((start + row, None) for row in pc.unique(found["row"]).to_pylist())
        kinds.update({kind["values"]: kind["counts"] for kind in pc.value_counts(found["kind"]).to_pylist()})
        start += len(part)
    return bad_rows, kinds


def _values(column: pa.ChunkedArray) -> Any:
    for part in _parts(column, 10_000):
        yield from part.to_pylist()


def _parts(column: pa.ChunkedArray, rows: int) -> Iterator[pa.Array]:
    """The column in parts of so many rows: their errors, or their values as Python objects, take many times their memory."""
    for chunk in column.chunks:
        for start in range(0, len(chunk), rows):
            yield chunk.slice(start, rows)


def _meant(data: bytes, seems: Detection | None, has_utf8: bool) -> str:
    """The text that the row may mean. The bad rows together seem to be in an encoding; `has_utf8` says whether other rows are UTF-8."""
    text = seems and _decoded(data, seems.encoding, "stop")
    # ASCII text reaches this function only if it has escapes.
    if data.isascii():
        return text or data.decode()
    if seems and seems.encoding != "utf-8" and not is_valid(data):
        # A short row in another encoding has characters of UTF-8 by accident, but hardly more of them than errors; and if no other row
        # is UTF-8, hardly three times as many.
        is_utf8 = sum(not c.isascii() for c in data.decode(errors="ignore")) > (1 if has_utf8 else 3) * len(errors(data))
        if text is not None and not (is_utf8 and len(text) == len(data)):
            return mojibake(text)
        damaged = None if is_utf8 else _decoded(data, seems.encoding, "replace")
        if damaged is not None:
            return damaged
    with suppress(RefusedError):
        return mend(data, mojibake=True).text
    return bytes(_repair(data)).decode()


def _decoded(data: bytes, encoding: str, on_error: Literal["stop", "replace"]) -> str | None:
    """The text of the row in the encoding, if there is one."""
    from placemat._core import convert

    try:
        return convert(data, encoding, on_error=on_error, bom="strip").decode()
    except (LookupError, ValueError):
        return None
