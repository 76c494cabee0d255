import duckdb
import pyarrow as pa
import placemat.arrow

repair = lambda column: pa.chunked_array(placemat.arrow.repair(column, "cp1252"))  # noqa: E731
duckdb.create_function("repair", repair, ["BLOB"], "VARCHAR", type="arrow")
print([text for (text,) in duckdb.sql(r"select repair(body) from (values ('plain'::blob), ('caf\xE9'::blob)) t(body)").fetchall()])
