"""The library's functions for columns of Ray datasets, through Arrow.

>>> import ray, placemat.ray                                                    # doctest: +SKIP
>>> ds = ray.data.read_parquet("logs/")                                          # doctest: +SKIP
>>> placemat.ray.repair(ds, "body", "cp1252").write_parquet("clean/")            # doctest: +SKIP
>>> placemat.ray.errors(ds, "body", keep=["id"]).take(3)                         # doctest: +SKIP

Each function takes a dataset and the name of a column of bytes or strings, and returns a dataset. The package must be installed on
all nodes.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from placemat import arrow as _columns

if TYPE_CHECKING:
    from placemat._core import _Form, _Policy, _RepairPolicy, _Unencodable

__all__ = ["convert", "errors", "is_valid", "repair"]


_NONE = pa.array([], pa.binary())


def _put(ds: Any, column: str, name: str, work: Callable[[Any], Any]) -> Any:
    def each(table: pa.Table) -> pa.Table:
        result = pa.chunked_array(work(table.column(column)))
        at = table.schema.get_field_index(name)
        return table.append_column(name, result) if at < 0 else table.set_column(at, name, result)

    # Names that mean nothing are refused here, not on a worker.
    work(_NONE)
    return ds.map_batches(each, batch_format="pyarrow")


def is_valid(ds: Any, column: str, form: _Form = "utf-8", *, to: str = "is_valid") -> Any:
    """Add a column `to` that says which rows of `column` are well-formed."""
    return _put(ds, column, to, lambda data: _columns.is_valid(data, form))


def repair(ds: Any, column: str, policy: _RepairPolicy = "replace", *, to: str | None = None) -> Any:
    """Replace `column` by its rows as well-formed text, or put these into the column `to`."""
    return _put(ds, column, to or column, lambda data: _columns.repair(data, policy))


def convert(
    ds: Any,
    column: str,
    source: _Form = "utf-8",
    target: _Form = "utf-8",
    *,
    on_error: _Policy = "stop",
    unencodable: _Unencodable = "stop",
    to: str | None = None,
) -> Any:
    """Replace `column` by its rows in the form or encoding `target`, or put these into the column `to`."""
    return _put(
        ds,
        column,
        to or column,
        lambda data: _columns.convert(data, source, target, on_error=on_error, unencodable=unencodable),
    )


def errors(ds: Any, column: str, form: _Form = "utf-8", *, keep: Sequence[str] | str = ()) -> Any:
    """Every error of every row: the column or columns to `keep`, then offset, length, kind."""
    kept = [keep] if isinstance(keep, str) else list(keep)
    _columns.errors(_NONE, form)

    def each(table: pa.Table) -> pa.Table:
        found = pa.table(_columns.errors(table.column(column), form))
        return pa.table(
            [*table.select(kept).take(found.column("row")).columns, *found.columns[1:]],
            [*kept, "offset", "length", "kind"],
        )

    return ds.map_batches(each, batch_format="pyarrow")
