"""The functions of `placemat.arrow` on a Series of pandas: `s.placemat.repair()`. Import this module once.

>>> import pandas as pd
>>> import placemat.pandas
>>> pd.Series([b"plain", b"caf\\xe9"], index=["a", "b"]).placemat.repair("cp1252").to_list()
['plain', 'café']
"""

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa

from placemat import arrow

__all__ = ["SeriesAccessor"]


@pd.api.extensions.register_series_accessor("placemat")
class SeriesAccessor:
    """Columns of bytes or text; results have the index and the name of the Series."""

    def __init__(self, series: pd.Series) -> None:
        self._series = series

    def _call(self, function: Callable[..., Any], *options: str, **named: str) -> pd.Series:
        column = function(pa.array(self._series, from_pandas=True), *options, **named)
        return pd.Series(pa.array(column).to_pandas().array, index=self._series.index, name=self._series.name)

    def is_valid(self, form: str = "utf-8") -> pd.Series:
        """Whether each row is well-formed."""
        return self._call(arrow.is_valid, form)

    def repair(self, policy: str = "replace") -> pd.Series:
        """Each row as text; what is malformed becomes what the policy has for it."""
        return self._call(arrow.repair, policy)

    def convert(self, source: str = "utf-8", target: str = "utf-8", *, on_error: str = "stop") -> pd.Series:
        """Each row in another form: text if that is UTF-8, else bytes."""
        return self._call(arrow.convert, source, target, on_error=on_error)

    def mojibake(self) -> pd.Series:
        """Each row with every run of text undone that was decoded twice; rows that are no UTF-8 stay as they are."""
        return self._call(arrow.mojibake)

    def lengths(self, unit: str = "code-points", form: str = "utf-8") -> pd.Series:
        """How long each row is, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
        return self._call(arrow.lengths, unit, form=form)

    def detect(self) -> pd.DataFrame:
        """What each row seems to be: a frame of encoding, bom, confidence, malformed, line_ending."""
        found = pa.array(arrow.detect(pa.array(self._series, from_pandas=True)))
        return pd.DataFrame([row or {} for row in found.to_pylist()], index=self._series.index)
