import polars as pl
import placemat.arrow

df = pl.DataFrame({"body": [b"plain", b"caf\xe9"]})
df = df.with_columns(pl.col("body").map_batches(lambda s: pl.Series(placemat.arrow.repair(s, "cp1252")), return_dtype=pl.String))
print(df["body"].to_list())
