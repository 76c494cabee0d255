from collections.abc import Iterator, Sequence
from typing import Any, Literal, Protocol, SupportsIndex, TypeAlias, final, overload

from placemat._core import _Form, _Policy, _RepairPolicy, _Unencodable

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

class _Array(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

class _Stream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class _Values(Protocol):
    """Arrays of numpy, and Series of pandas."""

    def __array__(self, *args: Any, **kwargs: Any) -> Any: ...

# pyarrow makes an array of a sequence. A str is a sequence of str, but no column; so strings are accepted only in a list or a tuple.
_Column = _Array | _Stream | _Values | Sequence[bytes | None] | list[str] | list[str | None] | tuple[str | None, ...]

# Or the name of a form.
_Unit: TypeAlias = Literal["code-points", "utf-16-units"] | str

@final
class Array:
    """An Arrow array, for `pyarrow.array`, `polars.Series` and anything else with the Arrow PyCapsule interface."""
    def __new__(cls, column: _Array | _Stream) -> Array: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    @overload
    def __getitem__(self, at: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, at: slice, /) -> Array: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def to_pylist(self) -> list[Any]:
        """The rows as objects of Python; pyarrow makes them."""
    def to_numpy(self) -> Any:
        """The rows as an array of numpy; pyarrow makes it."""
    def __arrow_array__(self, type: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@final
class ChunkedArray:
    """A column in the chunks of its input, for `pyarrow.chunked_array`, `polars.Series` and the like."""
    def __new__(cls, column: _Array | _Stream) -> ChunkedArray: ...
    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...
    @overload
    def __getitem__(self, at: SupportsIndex, /) -> Any: ...
    @overload
    def __getitem__(self, at: slice, /) -> ChunkedArray: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def to_pylist(self) -> list[Any]:
        """The rows as objects of Python; pyarrow makes them."""
    def to_numpy(self) -> Any:
        """The rows as an array of numpy; pyarrow makes it."""
    def __arrow_array__(self, type: Any = None) -> Any: ...
    def __arrow_c_schema__(self) -> object: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

def is_valid(data: _Column, form: _Form = "utf-8", *, column: str | None = None) -> Array | ChunkedArray:
    r"""Return whether each row is well-formed: a column of booleans, null where the row is null.

    >>> pa.array(placemat.arrow.is_valid(pa.array([b"plain", b"caf\xe9", None]))).to_pylist()
    [True, False, None]
    """
def first_error(data: _Column, form: _Form = "utf-8", *, column: str | None = None) -> Array | ChunkedArray:
    r"""Return the first error of each row: a column of structs (offset, length, kind), null where nothing is wrong.

    >>> pa.array(placemat.arrow.first_error(pa.array([b"plain", b"caf\xe9"]))).to_pylist()
    [None, {'offset': 3, 'length': 1, 'kind': 'truncated'}]
    """
def errors(data: _Column, form: _Form = "utf-8", *, column: str | None = None) -> Array | ChunkedArray:
    r"""Return every error of every row: a table of row, offset, length, kind.

    >>> pa.table(placemat.arrow.errors(pa.array([b"plain", b"\xff, \xfe"]))).to_pydict()
    {'row': [1, 1], 'offset': [0, 3], 'length': [1, 1], 'kind': ['invalid-byte', 'invalid-byte']}
    """
def repair(data: _Column, policy: _RepairPolicy = "replace", *, column: str | None = None) -> Array | ChunkedArray:
    r"""Return the rows as well-formed text. A column of bytes in which nothing is malformed becomes text without a copy.

    >>> pa.array(placemat.arrow.repair(pa.array([b"plain", b"caf\xe9"]), "cp1252")).to_pylist()
    ['plain', 'café']
    """
def convert(
    data: _Column,
    source: _Form = "utf-8",
    target: _Form = "utf-8",
    *,
    on_error: _Policy = "stop",
    unencodable: _Unencodable = "stop",
    column: str | None = None,
) -> Array | ChunkedArray:
    r"""Convert the rows to another form or legacy encoding: text if that is UTF-8, else bytes. Raises ConversionError, with the
    `row`, where a policy stops.

    >>> pa.array(placemat.arrow.convert(pa.array([b"\x93\xfa"]), "shift_jis")).to_pylist()
    ['日']
    >>> pa.array(placemat.arrow.convert(pa.array([b"\xc0\x80"]), "mutf-8")).to_pylist()
    ['\x00']
    >>> pa.array(placemat.arrow.convert(pa.array(["é"]), "utf-8", "utf-16le")).to_pylist()
    [b'\xe9\x00']
    """
def detect(data: _Column, *, column: str | None = None, threads: int | None = None) -> Array | ChunkedArray:
    """Return the likely encoding of each row: a column of structs (encoding, bom, confidence, malformed, line_ending).
    A large column is read by this number of `threads`, or by one per processor.

    >>> found = pa.array(placemat.arrow.detect(pa.array([b"plain", "Привет, мир!".encode("koi8-r")])))
    >>> found.field("encoding").to_pylist()
    ['us-ascii', 'koi8-r']
    """
def mojibake(data: _Column, *, column: str | None = None, threads: int | None = None) -> Array | ChunkedArray:
    """Undo mojibake in the rows, as `placemat.mojibake` does: every run of text that was decoded twice. Rows that are not UTF-8 stay as
    they are. A large column is read by this number of `threads`, or by one per processor; the result is the same.

    >>> pa.array(placemat.arrow.mojibake(pa.array(["cafÃ©", "São Paulo"]))).to_pylist()
    ['café', 'São Paulo']
    """
def release_memory() -> None:
    """Free the memory, at most 512 MiB, that is kept for the next column that is rewritten. Memory not used for some seconds is also
    freed when a later column is dropped.

    >>> placemat.arrow.release_memory()
    """
def invisible(data: _Column, *, kinds: Sequence[str] | None = None, column: str | None = None) -> Array | ChunkedArray:
    r"""Return the unexplained invisible characters of each row, as `placemat.invisible` does: a table of row, offset, length, kind,
    payload.

    >>> pa.record_batch(placemat.arrow.invisible(pa.array(["fine", "pass\u200bword"]))).to_pylist()
    [{'row': 1, 'offset': 4, 'length': 3, 'kind': 'zero-width', 'payload': b''}]
    """
def invisible_counts(data: _Column, *, kinds: Sequence[str] | None = None, column: str | None = None) -> Array | ChunkedArray:
    r"""Return the number of `invisible`'s findings in each row.

    >>> pa.array(placemat.arrow.invisible_counts(pa.array(["fine", "pass\u200bword"]))).to_pylist()
    [0, 1]
    """
def lengths(
    data: _Column, unit: _Unit = "code-points", *, form: _Form = "utf-8", column: str | None = None
) -> Array | ChunkedArray:
    """Return the length of each row in `code-points`, `utf-16-units`, or bytes of the form that `unit` names. An error is as long as
    U+FFFD; if `unit` is `form` itself, its bytes are counted as they are.

    >>> pa.array(placemat.arrow.lengths(pa.array(["né😀"]), "utf-16-units")).to_pylist()
    [4]
    """
