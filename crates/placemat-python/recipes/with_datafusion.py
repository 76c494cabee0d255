import pyarrow as pa
from datafusion import SessionContext, udf
import placemat.arrow

repair = udf(lambda column: pa.array(placemat.arrow.repair(column, "cp1252")), [pa.binary()], pa.string(), "stable", "repair")
context = SessionContext()
context.register_udf(repair)
context.from_pydict({"body": [b"plain", b"caf\xe9"]}, name="t")
print(context.sql("select repair(body) as body from t").to_pydict()["body"])
