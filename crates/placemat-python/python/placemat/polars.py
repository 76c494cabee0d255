"""Expressions for Polars, such as `pl.col("body").placemat.repair()`. They work in lazy and streaming queries and in any `group_by`.

Import this module once. Then every expression and every Series (`frame["body"].placemat.repair()`) has the namespace `placemat`. Its
functions run in compiled code on Polars' threads, without Python.

>>> import polars as pl
>>> import placemat.polars
>>> pl.DataFrame({"b": [b"plain", b"caf\\xe9"]}).select(pl.col("b").placemat.repair("cp1252"))["b"].to_list()
['plain', 'café']
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from pathlib import Path
from typing import TYPE_CHECKING

import polars as pl
from polars.plugins import register_plugin_function

from placemat import _core, arrow

if TYPE_CHECKING:
    from placemat._core import _Form, _Policy, _RepairPolicy, _Unencodable

__all__ = ["Expressions", "Rows"]

_LIBRARY = Path(_core.__file__)
_NO_ROWS = pl.Series(dtype=pl.Binary)


@pl.api.register_expr_namespace("placemat")
class Expressions:
    """The functions of `placemat.arrow` as expressions over columns of Binary or String."""

    def __init__(self, expression: pl.Expr) -> None:
        self._expression = expression

    def _call(self, name: str, of_columns: Callable[..., object], *options: str) -> pl.Expr:
        for option in options:
            # Polars would turn a number into text, and None into null.
            if not isinstance(option, str):
                raise TypeError(f"the name of a policy, form or encoding is required, not {option!r}")
        # Names that mean nothing are refused here. Polars would tell them only when the query runs.
        of_columns(_NO_ROWS, *options)
        arguments = [self._expression, *(pl.lit(option, dtype=pl.String) for option in options)]
        return register_plugin_function(plugin_path=_LIBRARY, function_name=name, args=arguments, is_elementwise=True)

    def is_valid(self, form: _Form = "utf-8") -> pl.Expr:
        """Whether each row is well-formed."""
        return self._call("is_valid", arrow.is_valid, form)

    def first_error(self, form: _Form = "utf-8") -> pl.Expr:
        """The first error of each row: a struct of offset, length, kind, or null."""
        return self._call("first_error", arrow.first_error, form)

    def repair(self, policy: _RepairPolicy = "replace") -> pl.Expr:
        """Each row as text. The policy decides what replaces malformed bytes."""
        return self._call("repair", arrow.repair, policy)

    def convert(self, source: _Form = "utf-8", target: _Form = "utf-8", *, on_error: _Policy = "stop", unencodable: _Unencodable = "stop") -> pl.Expr:
        """Each row in the form or encoding `target`: text if that is UTF-8, else bytes. `unencodable` says what replaces a character
        that the target cannot encode.
        """
        is_text = isinstance(target, str) and _core.label(target) == "utf-8"
        return self._call("convert" if is_text else "convert_bytes", _converted, source, target, on_error, unencodable)

    def mojibake(self) -> pl.Expr:
        """Each row with its mojibake undone: every run of text that was decoded twice. Rows that are not UTF-8 stay as they are."""
        return self._call("mojibake", arrow.mojibake)

    def detect(self) -> pl.Expr:
        """The likely encoding of each row: a struct of encoding, bom, confidence, malformed, line_ending."""
        return self._call("detect", arrow.detect)

    def lengths(self, unit: str = "code-points", form: _Form = "utf-8") -> pl.Expr:
        """The length of each row, in `code-points`, `utf-16-units`, or bytes of the form that `unit` names."""
        return self._call("lengths", _measured, unit, form)


def _converted(rows: pl.Series, source: _Form, target: _Form, on_error: _Policy, unencodable: _Unencodable) -> None:
    arrow.convert(rows, source, target, on_error=on_error, unencodable=unencodable)


def _measured(rows: pl.Series, unit: str, form: _Form) -> None:
    arrow.lengths(rows, unit, form=form)


@pl.api.register_series_namespace("placemat")
class Rows:
    """The functions of `Expressions` on a Series, with the same options. Results have the name of the Series."""

    def __init__(self, series: pl.Series) -> None:
        self._series = series

    def __getattr__(self, name: str) -> Callable[..., pl.Series]:
        # `pl.first()` and not `pl.col(name)`: Polars may read a name as a pattern.
        function = None if name.startswith("_") else getattr(Expressions(pl.first()), name, None)
        if function is None:
            raise AttributeError(f"there is no {name!r} for a Series")

        @wraps(function)
        def call(*options: str, **named: str) -> pl.Series:
            return self._series.to_frame().select(function(*options, **named)).to_series()

        return call

    def __dir__(self) -> list[str]:
        return [name for name in dir(Expressions) if not name.startswith("_")]
