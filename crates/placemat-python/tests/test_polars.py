"""Expressions for Polars give the same results as a loop in Python, in every engine."""

import re
from pathlib import Path

import pytest

pl = pytest.importorskip("polars")
import placemat
import placemat.arrow
import placemat.polars

ROWS = [b"plain", "naïve".encode(), b"caf\xe9 \x93a\x94", b"", None, b"\xed\xa0\xbd", "日本語 😀 long enough not to be inlined".encode()]


@pytest.fixture(scope="module")
def frame():
    return pl.DataFrame({"id": range(len(ROWS)), "b": ROWS}, schema={"id": pl.Int64, "b": pl.Binary})


def looped(function):
    return [row if row is None else function(row) for row in ROWS]


def test_rows_are_those_of_a_loop(frame):
    b = pl.col("b").placemat
    found = frame.select(
        valid=b.is_valid(),
        text=b.repair(),
        western=b.repair("cp1252"),
        wide=b.convert("utf-8", "utf-16le", on_error="replace"),
        cesu=b.convert("cesu-8", on_error="replace"),
        length=b.lengths(),
        units=b.lengths("utf-16-units"),
        error=b.first_error(),
        encoding=b.detect().struct.field("encoding"),
    )
    assert found["valid"].to_list() == looped(placemat.is_valid)
    assert found["text"].to_list() == looped(lambda row: row.decode(errors="replace"))
    assert found["western"].to_list() == looped(lambda row: placemat.repair(row, "cp1252").decode())
    assert found["wide"].to_list() == looped(lambda row: placemat.convert(row, "utf-8", "utf-16le", on_error="replace"))
    assert found["cesu"].to_list() == looped(lambda row: placemat.convert(row, "cesu-8", on_error="replace").decode())
    assert found["length"].to_list() == looped(placemat.count)
    assert found["units"].to_list() == looped(lambda row: placemat.length(placemat.repair(row), "utf-8", "utf-16le") // 2)
    assert [error and error["offset"] for error in found["error"].to_list()] == looped(lambda row: (e := placemat.check(row)) and e.offset)
    assert found["encoding"].to_list() == looped(lambda row: placemat.detect(row).encoding)
    assert found["text"].dtype == pl.String and found["wide"].dtype == pl.Binary


def test_lazy_streaming_and_groups():
    rows = 200_000
    lazy = pl.LazyFrame({"n": range(rows)}).select(
        key=pl.col("n") % 7, b=pl.when(pl.col("n") % 5 == 0).then(pl.lit(b"caf\xe9")).otherwise(pl.lit(b"plain"))
    )
    query = lazy.filter(~pl.col("b").placemat.is_valid()).select(pl.col("key"), pl.col("b").placemat.repair("cp1252"))
    assert query.collect_schema() == {"key": pl.Int64, "b": pl.String}
    grouped = query.group_by("key").agg(pl.col("b").n_unique(), n=pl.len()).sort("key")
    for engine in ["in-memory", "streaming"]:
        found = grouped.collect(engine=engine)
        assert found["b"].to_list() == [1] * 7 and found["n"].sum() == rows // 5
    inside = lazy.group_by("key").agg(pl.col("b").placemat.is_valid().sum().alias("good")).collect()
    assert inside["good"].sum() == rows * 4 // 5


def test_chunks_slices_and_nothing(frame):
    chunked = pl.concat([frame, frame.slice(2, 3), frame.clear()], rechunk=False)
    assert chunked.select(pl.col("b").placemat.repair())["b"].to_list() == frame["b"].append(frame["b"].slice(2, 3)).map_elements(
        lambda row: row.decode(errors="replace"), return_dtype=pl.String
    ).to_list()
    nothing = frame.clear().select(pl.col("b").placemat.repair(), e=pl.col("b").placemat.first_error(), d=pl.col("b").placemat.detect())
    assert nothing.height == 0 and nothing["b"].dtype == pl.String
    assert nothing.schema["e"] == frame.select(e=pl.col("b").placemat.first_error()).schema["e"]
    strings = pl.select(pl.lit("né😀").placemat.lengths("utf-16-units")).item()
    assert strings == 4


def test_errors_are_told(frame):
    for expression, message in [
        (pl.col("b").placemat.convert(), r" at byte \d+ \(length \d\) of "),
        (pl.col("id").placemat.repair(), "Int64"),
    ]:
        with pytest.raises(pl.exceptions.PolarsError, match=message):
            frame.select(expression)


def test_policies_have_the_names_that_they_have_elsewhere(frame):
    for policy in ["ignore", "backslashreplace", "placemat.cp1252"]:
        assert frame.select(pl.col("b").placemat.repair(policy))["b"].to_list() == looped(lambda row: placemat.repair(row, policy).decode())


def test_a_name_that_means_nothing_is_refused_when_the_expression_is_made():
    b = pl.col("b").placemat
    for make, error, message in [
        (lambda: b.is_valid("martian"), LookupError, 'unknown form: "martian"'),
        (lambda: b.first_error("koi8-r"), LookupError, "koi8-r is a legacy encoding"),
        (lambda: b.repair("cp1251"), LookupError, 'unknown policy: "cp1251"; one of stop, replace, '),
        (lambda: b.repair("surrogateescape"), ValueError, "escapes U"),
        (lambda: b.convert("martian"), LookupError, "martian"),
        (lambda: b.convert("utf-8", "martian"), LookupError, "martian"),
        (lambda: b.convert("johab"), LookupError, "detect recognises johab, but placemat cannot decode it"),
        (lambda: b.convert(on_error="nothing"), LookupError, 'unknown policy: "nothing"'),
        (lambda: b.convert("utf-8", "koi8-r", unencodable="nothing"), LookupError, 'unknown unencodable: "nothing"; one of stop, '),
        (lambda: b.convert("utf-8", "koi8-r", unencodable="replace=é"), ValueError, "koi8-r cannot carry U.00E9 either"),
        (lambda: b.lengths("graphemes"), LookupError, 'unknown unit: "graphemes"; one of code-points, utf-16-units, or the name of a form'),
        (lambda: b.lengths(form="martian"), LookupError, 'unknown form: "martian"'),
    ]:
        with pytest.raises(error, match=message):
            make()


def test_what_the_target_lacks_has_a_policy():
    frame, s = pl.DataFrame({"s": ["5 €", "пять", None]}), pl.col("s").placemat
    assert frame.select(s.convert("utf-8", "koi8-r", unencodable="ncr"))["s"].to_list() == [b"5 &#8364;", "пять".encode("koi8-r"), None]
    assert frame.lazy().select(s.convert("utf-8", "us-ascii", unencodable="ignore")).collect()["s"].to_list() == [b"5 ", b"", None]
    with pytest.raises(pl.exceptions.PolarsError, match="unencodable at byte 2 .* of 5 €"):
        frame.select(s.convert("utf-8", "koi8-r"))


def test_an_error_shows_the_value_as_chunks_have_no_place():
    parts = [pl.DataFrame({"b": [b"a", b"b"]}), pl.DataFrame({"b": [b"c", b"caf\xe9"]})]
    frame = pl.concat(parts, rechunk=False)
    for stopping in [pl.col("b").placemat.convert(), pl.col("b").placemat.repair("stop")]:
        with pytest.raises(pl.exceptions.PolarsError, match=r"message: truncated at byte 3 \(length 1\) of caf\\xe9"):
            frame.select(stopping)


def test_what_is_no_name_is_refused():
    b = pl.col("b").placemat
    for wrong in [lambda: b.repair(None), lambda: b.repair(3), lambda: b.is_valid(pl.col("id")), lambda: b.convert("koi8-r", on_error=None)]:
        with pytest.raises(TypeError, match="the name of a policy, form or encoding is required, not "):
            wrong()


def test_legacy_encodings_and_mojibake_are_expressions():
    frame = pl.DataFrame({"b": ["Привет".encode("koi8-r"), None, b"plain"], "t": ["cafÃ©", None, "São Paulo"]})
    made = frame.lazy().select(pl.col("b").placemat.convert("koi8-r"), pl.col("t").placemat.mojibake()).collect()
    assert made.schema == {"b": pl.String, "t": pl.String}
    assert made["b"].to_list() == ["Привет", None, "plain"]
    assert made["t"].to_list() == ["café", None, "São Paulo"]
    back = made.select(pl.col("b").placemat.convert("utf-8", "koi8-r"))
    assert back["b"].to_list() == frame["b"].to_list()


def test_nulls_without_a_type_are_nulls():
    frame = pl.DataFrame({"n": [None, None], "b": [b"a", b"b"]})
    n, typed = pl.col("n").placemat, pl.DataFrame({"n": [None, None]}, schema={"n": pl.Binary})
    expressions = [n.is_valid(), n.first_error(), n.repair(), n.convert(), n.convert("utf-8", "utf-16le"), n.mojibake(), n.detect(), n.lengths()]
    for expression in expressions:
        query = frame.lazy().select(expression)
        made = query.collect()
        assert made.schema == query.collect_schema() == typed.select(expression).schema
        assert made.to_series().to_list() == [None, None]
        assert frame.clear().select(expression).height == 0


def test_objects_are_refused():
    frame = pl.DataFrame({"o": pl.Series([b"abc", "x"], dtype=pl.Object)})
    for expression in [pl.col("o").placemat.repair(), pl.col("o").placemat.is_valid(), pl.col("o").placemat.lengths()]:
        with pytest.raises(pl.exceptions.PolarsError, match="type Object"):
            frame.select(expression)


def test_a_series_has_the_same_functions():
    for name in ["b", "^b$", ""]:
        series = pl.Series(name, [b"plain", b"caf\xe9", None])
        assert series.placemat.repair("cp1252").to_list() == ["plain", "café", None]
        assert series.placemat.repair().name == name
        assert series.placemat.is_valid().to_list() == [True, False, None]
        assert series.placemat.convert("windows-1252", on_error="replace").to_list() == ["plain", "café", None]
        assert series.clear().placemat.lengths().dtype == pl.Int64
    for name in dir(series.placemat):
        options = {"on_error": "replace"} if name == "convert" else {}
        assert len(getattr(series.placemat, name)(**options)) == 3
    with pytest.raises(AttributeError, match="'repairs' for a Series"):
        series.placemat.repairs()
    with pytest.raises(LookupError, match="unknown policy"):
        series.placemat.repair("nope")


def test_an_unknown_policy_is_answered_with_those_of_the_hint(frame):
    stub = Path(placemat.__file__).with_name("_core.pyi").read_text(encoding="utf-8")
    hinted = set(re.findall(r'"([a-z0-9-]+)"', re.search(r"_RepairPolicy: TypeAlias = Literal\[(.*?)\]", stub, re.DOTALL)[1]))
    column = frame["b"].to_arrow()
    b = pl.col("b").placemat
    for ask, expected in [
        (lambda: placemat.repair(b"\xff", "x"), hinted),
        (lambda: placemat.arrow.repair(column, "x"), hinted),
        (lambda: b.repair("x"), hinted),
        (lambda: placemat.convert(b"\xff", on_error="x"), hinted | {"surrogateescape"}),
        (lambda: placemat.arrow.convert(column, on_error="x"), hinted | {"surrogateescape"}),
        (lambda: b.convert(on_error="x"), hinted | {"surrogateescape"}),
    ]:
        with pytest.raises(LookupError) as caught:
            ask()
        listed = str(caught.value).partition("one of ")[2]
        assert set(listed.split(", ")) == expected
