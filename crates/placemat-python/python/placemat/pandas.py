"""The functions of `placemat.arrow` on a Series of pandas: `s.placemat.repair()`. Import this module once.

>>> import pandas as pd
>>> import placemat.pandas
>>> pd.Series([b"plain", b"caf\\xe9"], index=["a", "b"]).placemat.repair("cp1252").to_list()
['plain', 'café']
"""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa

from placemat import arrow

if TYPE_CHECKING:
    from placemat._core import _Form, _Policy, _RepairPolicy, _Unencodable

__all__ = ["SeriesAccessor"]


@pd.api.extensions.register_series_accessor("placemat")
class SeriesAccessor:
    """Functions for columns of bytes or text. Results have the index and the name of the Series.

    For a Series of pandas' own strings or of Arrow types, a text result has the same kind of type. For such a Series, and where the
    result has nulls, other results are of the types `boolean` and `Int64`, which can hold nulls.
    """

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def _found(self, function: Callable[..., Any], *options: str, **named: str) -> Any:
        column: Any = self._series
        # `function` reads a str with lone surrogates as the bytes that it stands for; pyarrow refuses it.
        with suppress(UnicodeError):
            column = pa.array(column, from_pandas=True)
            is_untyped = pa.types.is_null(column.type) or pa.types.is_dictionary(column.type)
            if is_untyped and column.null_count == len(column):
                # A part of a column may have nulls alone, where other parts have text. It has no type then.
                column = pa.nulls(len(column), pa.binary())
        return pa.array(function(column, *options, **named))

    def _call(self, function: Callable[..., Any], *options: str, **named: str) -> pd.Series:
        return self._series_of(self._found(function, *options, **named), self._series.name)

    def _series_of(self, found: Any, name: Any) -> pd.Series:
        dtype = self._dtype(found)
        values = found.to_pandas().array if dtype is None else dtype.__from_arrow__(found)
        return pd.Series(values, index=self._series.index, name=name)

    def _dtype(self, found: Any) -> Any:
        """The dtype of the result; None where pyarrow chooses it."""
        given = self._series.dtype
        has_nulls = found.null_count > 0 or getattr(given, "na_value", None) is pd.NA
        if pa.types.is_boolean(found.type):
            return pd.BooleanDtype() if has_nulls else None
        if pa.types.is_int64(found.type):
            return pd.Int64Dtype() if has_nulls else None
        if isinstance(given, pd.ArrowDtype):
            return pd.ArrowDtype(found.type)
        is_text = pa.types.is_string(found.type) or pa.types.is_large_string(found.type) or pa.types.is_string_view(found.type)
        return given if isinstance(given, pd.StringDtype) and is_text else None

    def is_valid(self, form: _Form = "utf-8") -> pd.Series:
        """Whether each row is well-formed."""
        return self._call(arrow.is_valid, form)

    def repair(self, policy: _RepairPolicy = "replace") -> pd.Series:
        """Each row as text. The policy decides what replaces malformed bytes."""
        return self._call(arrow.repair, policy)

    def convert(self, source: _Form = "utf-8", target: _Form = "utf-8", *, on_error: _Policy = "stop", unencodable: _Unencodable = "stop") -> pd.Series:
        """Each row in the form or encoding `target`: text if that is UTF-8, else bytes. `unencodable` says what replaces a character
        that the target cannot encode.
        """
        return self._call(arrow.convert, source, target, on_error=on_error, unencodable=unencodable)

    def mojibake(self) -> pd.Series:
        """Each row with its mojibake undone: every run of text that was decoded twice. Rows that are not UTF-8 stay as they are."""
        undone = self._call(arrow.mojibake)
        if undone.dtype != object or pd.api.types.infer_dtype(self._series, skipna=True) == "bytes":
            return undone
        # A str with lone surrogates made bytes of all rows.
        rows = [_as_given(given, row) for given, row in zip(self._series, undone, strict=True)]
        return pd.Series(rows, index=self._series.index, name=self._series.name, dtype=object)

    def lengths(self, unit: str = "code-points", form: _Form = "utf-8") -> pd.Series:
        """The length of each row, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
        return self._call(arrow.lengths, unit, form=form)

    def detect(self) -> pd.DataFrame:
        """The likely encoding of each row: a frame of encoding, bom, confidence, malformed, line_ending."""
        return self._frame(self._found(arrow.detect))

    def first_error(self, form: _Form = "utf-8") -> pd.DataFrame:
        """The first error of each row: a frame of offset, length, kind, with nulls where a row is well-formed or null."""
        return self._frame(self._found(arrow.first_error, form))

    def _frame(self, found: Any) -> pd.DataFrame:
        names = [found.type.field(at).name for at in range(found.type.num_fields)]
        columns = zip(names, found.flatten(), strict=True)
        return pd.DataFrame({name: self._series_of(column, name) for name, column in columns}, index=self._series.index)


def _as_given(given: Any, row: Any) -> Any:
    """The row as a str, if it was one. It is what it was if it has a lone surrogate: such a row is not UTF-8."""
    if not isinstance(given, str) or isinstance(row, str):
        return row
    try:
        return row.decode()
    except UnicodeDecodeError:
        return given
