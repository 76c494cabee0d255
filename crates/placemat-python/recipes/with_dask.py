import dask
import dask.dataframe as dd
import pandas as pd
import pyarrow as pa
import placemat.arrow

dask.config.set({"dataframe.convert-string": False})  # or Dask decodes the bytes itself
df = dd.from_pandas(pd.DataFrame({"body": [b"plain", b"caf\xe9"]}), npartitions=1)
repair = lambda part: part.assign(body=pa.array(placemat.arrow.repair(part["body"], "cp1252")).to_pandas())  # noqa: E731
print(df.map_partitions(repair, meta={"body": str}).compute(scheduler="synchronous")["body"].to_list())
