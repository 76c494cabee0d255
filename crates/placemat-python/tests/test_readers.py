"""Tests the guide's section "How to get the bytes", about readers that decode."""

import io

import placemat
import pytest

DATA = b"name,n\ncaf\xe9,1\nplain,2\n"


@pytest.fixture
def path(tmp_path):
    (tmp_path / "a.csv").write_bytes(DATA)
    return str(tmp_path / "a.csv")


def test_pandas(path):
    pandas = pytest.importorskip("pandas")
    lossy = pandas.read_csv(path, encoding_errors="replace")["name"][0]
    assert placemat.is_valid(lossy.encode()) and placemat.replaced(lossy.encode()) == 1
    assert pandas.read_csv(io.BytesIO(placemat.repair(DATA, "cp1252")))["name"][0] == "café"
    assert pandas.read_csv(path, encoding="latin-1")["name"].str.encode("latin-1")[0] == b"caf\xe9"


def test_polars(path):
    polars = pytest.importorskip("polars")
    lossy = polars.read_csv(path, encoding="utf8-lossy")["name"][0]
    assert placemat.is_valid(lossy.encode()) and placemat.replaced(lossy.encode()) == 1
    assert polars.read_csv(placemat.repair(DATA, "cp1252"))["name"][0] == "café"


def test_duckdb(path):
    duckdb = pytest.importorskip("duckdb")
    rows = duckdb.sql(f"select * from read_csv('{path}', ignore_errors=true)").fetchall()
    assert ("café", 1) not in rows and len(rows) < 2
    assert duckdb.sql(f"select content from read_blob('{path}')").fetchall()[0][0] == DATA


def test_the_count_in_the_guide():
    lost = b"caf\xe9".decode(errors="replace").encode()
    assert (placemat.is_valid(lost), placemat.replaced(lost)) == (True, 1)
