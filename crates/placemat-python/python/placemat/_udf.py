"""Makes Spark functions of functions over Arrow arrays: by `arrow_udf` from Spark 4.1 on, through pandas before that."""

from collections.abc import Callable
from itertools import accumulate
from typing import Any

import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc
from pyspark.sql import Column
from pyspark.sql import functions as F

# Spark has functions that check and repair UTF-8, from 4.0 on.
KNOWS_UTF8 = hasattr(F, "is_valid_utf8")


def udf(apply: Callable[..., pa.Array], returns: str) -> Any:
    """The function `apply`, from arrays to an array of the type `returns`, as a function of columns. It can be registered for SQL."""
    if hasattr(F, "arrow_udf"):
        make: Any = F.arrow_udf
        return make(apply, returns)
    make = F.pandas_udf
    return make(_by_pandas(apply, returns.startswith("struct<")), returns)


def call(apply: Callable[..., pa.Array], returns: str, column: Column) -> Column:
    """The column that `apply` makes of `column`."""
    made = udf(apply, returns)(column)
    if hasattr(F, "arrow_udf") or not returns.startswith("struct<"):
        return made
    # A pandas DataFrame has no rows that are null as a whole: a row of which all fields are null becomes null.
    fields = [field.split()[0] for field in returns.removeprefix("struct<").removesuffix(">").split(", ")]
    return F.when(F.coalesce(*(made[field].cast("string") for field in fields)).isNotNull(), made)


def _by_pandas(apply: Callable[..., pa.Array], is_struct: bool) -> Callable[..., Any]:
    def made(series: tuple[pd.Series, ...]) -> pa.Array:
        return apply(*(pa.array(one, from_pandas=True) for one in series))

    def table(*series: pd.Series) -> pd.DataFrame:
        found = made(series)
        names = [found.type.field(at).name for at in range(found.type.num_fields)]
        return pd.DataFrame(dict(zip(names, (part.to_pandas() for part in found.flatten()), strict=True)))

    def column(*series: pd.Series) -> pd.Series:
        return made(series).to_pandas()

    by_pandas = table if is_struct else column
    by_pandas.__name__ = apply.__name__
    return by_pandas


def of_elements(array: pa.Array, of: Callable[[pa.Array], Any]) -> pa.Array:
    """The array of lists with its elements replaced by what `of` makes of them; `of` is called once with all elements."""
    if pa.types.is_null(array.type):
        array = array.cast(pa.list_(pa.binary()))
    lengths = pc.fill_null(pc.list_value_length(array), 0).to_pylist()
    offsets = pa.array(accumulate(lengths, initial=0), pa.int32())
    values = pa.array(of(pc.list_flatten(array)))
    return pa.ListArray.from_arrays(offsets, values, mask=array.is_null() if array.null_count else None)
