"""The report of a table, and the accessor of pandas."""

import doctest

import placemat
import placemat._report
import pytest

pa = pytest.importorskip("pyarrow")
pd = pytest.importorskip("pandas")
pl = pytest.importorskip("polars")
import placemat.pandas

NAMES = [b"plain", b"Gr\xfc\xdfe", None, "cafÃ©".encode(), "a\ufffdb".encode(), b"K\xf6ln und \xfcber"]


def test_a_report_counts_and_shows():
    table = pa.table({"id": range(6), "name": NAMES, "text": ["é"] * 6, "n": pa.array(NAMES).dictionary_encode()})
    for given in [table, pl.from_arrow(table.drop_columns(["n"])), table.drop_columns(["n"]).to_pandas()]:
        found = {row.pop("column"): row for row in placemat.report(given).to_pylist()}
        assert found.keys() - {"n"} == {"name", "text"}
        name = found["name"]
        assert {key: name[key] for key in ["rows", "nulls", "bad_rows", "errors", "replaced_rows", "mojibake_rows"]} == {
            "rows": 6, "nulls": 1, "bad_rows": 2, "errors": 4, "replaced_rows": 1, "mojibake_rows": 1,
        }
        assert name["seems"] == "windows-1252" and 0 < name["sure"] <= 1
        assert [(sample["row"], sample["meant"]) for sample in name["samples"]] == [
            (1, "Grüße"), (3, "café"), (4, "a\ufffdb"), (5, "Köln und über"),
        ]
        assert sum(kind["count"] for kind in name["kinds"]) == 4
        text = found["text"]
        assert (text["bad_rows"], text["seems"], text["samples"], text["kinds"]) == (0, None, [], [])
    assert len(placemat.report(table, samples=1).to_pylist()[0]["samples"]) == 1
    assert placemat.report(pa.table({"id": [1]})).num_rows == 0
    assert placemat.report(table.slice(0, 0)).to_pylist()[0]["rows"] == 0


def test_examples():
    for module in [placemat._report, placemat.pandas]:
        found = doctest.testmod(module, extraglobs={"placemat": placemat})
        assert found.attempted and not found.failed


def test_pandas_keeps_index_and_name():
    series = pd.Series(NAMES, index=list("abcdef"), name="name")
    text = series.placemat.repair("cp1252")
    assert (text.name, list(text.index), text["f"]) == ("name", list("abcdef"), "Köln und über")
    assert series.placemat.is_valid()["a"] and not series.placemat.is_valid()["b"]
    assert series.placemat.convert("windows-1252", on_error="replace")["b"] == "Grüße"
    assert series.placemat.lengths("utf-16-units")["a"] == 5
    assert series.placemat.detect().loc["a", "encoding"] == "us-ascii"
