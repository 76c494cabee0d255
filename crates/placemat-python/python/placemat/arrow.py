"""The library's functions for Arrow columns: from pyarrow, Polars, DuckDB, DataFusion, pandas, or anything else with the Arrow PyCapsule
interface. For an array they return an `Array`, for a stream or a table a `ChunkedArray`. Both have the interface too.

>>> import pyarrow as pa, placemat.arrow
>>> column = pa.array([b"plain", b"caf\\xe9", None])
>>> pa.array(placemat.arrow.is_valid(column)).to_pylist()
[True, False, None]
>>> pa.array(placemat.arrow.repair(column, "cp1252")).to_pylist()
['plain', 'café', None]

For a table with more than one column, name the column:

>>> table = pa.table({"id": [1, 2], "body": [b"ok", b"\\xff"]})
>>> pa.table(placemat.arrow.errors(table, column="body")).to_pylist()
[{'row': 1, 'offset': 0, 'length': 1, 'kind': 'invalid-byte'}]
"""

from placemat._core import arrow as _arrow

Array = _arrow.Array
ChunkedArray = _arrow.ChunkedArray
convert = _arrow.convert
detect = _arrow.detect
errors = _arrow.errors
first_error = _arrow.first_error
invisible = _arrow.invisible
invisible_counts = _arrow.invisible_counts
is_valid = _arrow.is_valid
lengths = _arrow.lengths
mojibake = _arrow.mojibake
release_memory = _arrow.release_memory
repair = _arrow.repair

__all__ = [
    "Array",
    "ChunkedArray",
    "convert",
    "detect",
    "errors",
    "first_error",
    "invisible",
    "invisible_counts",
    "is_valid",
    "lengths",
    "mojibake",
    "release_memory",
    "repair",
]
