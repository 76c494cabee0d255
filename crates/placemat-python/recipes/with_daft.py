import daft
import pyarrow as pa
import placemat.arrow


@daft.func.batch(return_dtype=daft.DataType.string())
def repair(body: daft.Series):
    return pa.array(placemat.arrow.repair(body.to_arrow(), "cp1252"))


print(daft.from_pydict({"body": [b"plain", b"caf\xe9"]}).select(repair(daft.col("body"))).to_pydict()["body"])
