"""The report of a table, and the accessor of pandas."""

import doctest
import subprocess
import sys

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


def test_nulls_of_a_dictionary_count():
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 1]), pa.array([b"\xe9t\xe9", None]))
    assert placemat.report(pa.table({"a": column})).to_pylist()[0]["nulls"] == 3


def seems(rows):
    found = placemat.report(pa.table({"a": pa.array(rows, pa.binary())}), samples=len(rows)).to_pylist()[0]
    return found["seems"], {sample["row"]: sample["meant"] for sample in found["samples"]}


def test_the_mark_of_one_row_does_not_speak_for_the_others():
    for mark in [b"\xef\xbb\xbfcaf\xe9", b"\xff\xfe"]:
        texts = ["café brûlé", "une crème brûlée"]
        name, meant = seems([mark, *[text.encode("latin-1") for text in texts] * 20])
        assert (name, meant[1], meant[2]) == ("windows-1252", *texts[:2])
    marked = [text.encode("utf-16") for text in ["Größe", "Straße", "Привет", "日本語"]]
    assert seems([b"\xe9", *marked])[0] == "utf-16le"


def test_a_row_with_characters_of_utf8_by_accident_is_read_as_the_others():
    # C5 D3 BB D2 A7: two sequences of UTF-8, and one error.
    names = "ลำปาง เชียงใหม่ กรุงเทพมหานคร ขอนแก่น นครราชสีมา อุดรธานี สงขลา ภูเก็ต".split() * 4
    found, meant = seems([name.encode("cp874") for name in names])
    assert found == "windows-874" and meant and all(text == names[row] for row, text in meant.items())


@pytest.mark.parametrize(("encoding", "words"), [
    ("big5", "永和 屏東 永康 臺北 高雄 臺中 臺南 新竹 基隆 嘉義 板橋 三重 中和 新莊 土城"),
    ("gbk", "姚秀英 陈桂兰 孔兰英 刘兰英 徐建平 王建国 李秀兰 张伟 赵丽 太原县 上海市 北京市"),
    ("euc-kr", "홍정훈 윤하은 윤정훈 김정호 이미정 손정호 김영수 박지훈 최서연 서울 부산 대구"),
])
def test_a_row_is_read_in_the_encoding_of_the_others(encoding, words):
    names = words.split() * 4
    found, meant = seems([name.encode(encoding) for name in names])
    assert found in {encoding, "gb18030"} and meant and all(text == names[row] for row, text in meant.items())
    # Half a character at the end is shown as such; a row of UTF-8 with an error stays UTF-8.
    cut, damaged = names[0].encode(encoding)[:-1], "naïve café, où ça".encode() + b"\xff"
    _, meant = seems([cut, damaged, *(name.encode(encoding) for name in names * 3)])
    assert meant[0] == names[0][:-1] + "\ufffd" and meant[1].startswith("naïve café, où ça")


@pytest.mark.parametrize("form", ["utf-16le", "utf-16be"])
def test_a_column_of_utf_16_is_named(form):
    for texts in [["Müller", "Straße", "abcd"], ["naïve", "Привет", "Größe"], ["日本語 1", "東京都 2"], ["日本語", "東京都", "テスト文章"]]:
        name, meant = seems([text.encode(form) for text in texts * 10])
        assert name == form and all(meant[row] == texts[row % len(texts)] for row in meant)
    # To a reader of UTF-8 these are ASCII with controls.
    for texts in [["Hello there", "General Kenobi"], ["Привет", "мир"]]:
        name, meant = seems([b"", *(text.encode(form) for text in texts)])
        assert name == form and meant == {1: texts[0], 2: texts[1]}
    for rows in [[b"a\0b", b"x"], [b"abc\0", b"hello\0"], [b"abc".ljust(8, b"\0")], [b"\x1b[1mbold\x1b[0m"], [b"a\x01b"]]:
        assert seems(rows * 10) == (None, {})
    # A byte order mark is no part of the text.
    assert seems(["Größe".encode("utf-16"), "Straße".encode("utf-16")])[1] == {0: "Größe", 1: "Straße"}
    # Text in one-byte encodings that is padded with NUL is not UTF-16.
    assert seems([text.encode("latin-1").ljust(16, b"\0") for text in ["Müller", "Straße", "Größe"] * 10])[0] not in {"utf-16le", "utf-16be"}


def test_a_column_that_pyarrow_cannot_take_hides_no_other():
    odd = {"lists": [[1], ["x"], None], "objects": [object(), {1: 2}, 3], "complex": [1j, 2j, 3j], "sparse": pd.arrays.SparseArray([1, 0, 0])}
    text = {"mixed": ["ok", b"caf\xe9", 3], "escaped": ["caf\udce9", "ok", None], "lone": ["ok", "\ud800", "é"], "plain": [b"a", b"\xff", None]}
    frame = pd.concat([pd.DataFrame(odd), pd.DataFrame(text, dtype=object), pd.DataFrame({"plain": ["cafÃ©"] * 3})], axis=1)
    found = [(row["column"], row["nulls"], row["bad_rows"], row["mojibake_rows"]) for row in placemat.report(frame).to_pylist()]
    assert found == [("mixed", 1, 1, 0), ("escaped", 1, 1, 0), ("lone", 0, 1, 0), ("plain", 1, 1, 0), ("plain", 0, 0, 3)]
    assert placemat.report(frame)["samples"][1][0]["meant"].as_py() == "café"
    wide = pl.DataFrame({"n": pl.Series([1], dtype=pl.Int128), "b": [b"\xff"], "l": [["x"]], "e": pl.Series(["a"], dtype=pl.Enum(["a"])), "c": pl.Series(["é"], dtype=pl.Categorical)})
    assert placemat.report(wide)["column"].to_pylist() == ["b", "e", "c"]


def test_what_the_target_lacks_has_a_policy_in_pandas():
    assert pd.Series(["5 €", None]).placemat.convert("utf-8", "koi8-r", unencodable="ncr").to_list() == [b"5 &#8364;", None]


def test_examples():
    for module in [placemat._report, placemat.pandas]:
        found = doctest.testmod(module, extraglobs={"placemat": placemat})
        assert found.attempted and not found.failed


@pytest.mark.parametrize("dtype", [object, "category"])
def test_nulls_alone_are_a_column_in_pandas(dtype):
    nulls = pd.Series([None, None], dtype=dtype, index=["a", "b"])
    for found in [nulls.placemat.repair(), nulls.placemat.convert("gbk"), nulls.placemat.lengths(), nulls.placemat.first_error()["kind"]]:
        assert found.isna().all() and list(found.index) == ["a", "b"]


def test_pandas_keeps_index_and_name():
    series = pd.Series(NAMES, index=list("abcdef"), name="name")
    text = series.placemat.repair("cp1252")
    assert (text.name, list(text.index), text["f"]) == ("name", list("abcdef"), "Köln und über")
    assert series.placemat.is_valid()["a"] and not series.placemat.is_valid()["b"]
    assert series.placemat.convert("windows-1252", on_error="replace")["b"] == "Grüße"
    assert series.placemat.lengths("utf-16-units")["a"] == 5
    assert series.placemat.detect().loc["a", "encoding"] == "us-ascii"
    first = series.placemat.first_error()
    assert list(first.columns) == ["offset", "length", "kind"] and first.index.equals(series.index)
    assert first["offset"].isna()["a"] and first["offset"]["b"] == placemat.check(series["b"]).offset


def test_a_report_says_what_it_cannot_take():
    table = pa.table({"a": [b"caf\xe9"]})
    for options, error, message in [
        ({"look": 0}, ValueError, "look must be 1 or more, not 0"),
        ({"samples": -1}, ValueError, "samples must be 0 or more, not -1"),
        ({"look": "all"}, TypeError, "look must be a whole number, not 'all'"),
        ({"samples": 1.5}, TypeError, "samples must be a whole number, not 1.5"),
    ]:
        with pytest.raises(error, match=message):
            placemat.report(table, **options)
    assert placemat.report(table, samples=0)["samples"].to_pylist() == [[]]
    for wrong in [table["a"], pa.array([b"a"]), pl.Series([b"a"]), pd.Series([b"a"]), [b"a"], {"a": [b"a"]}, 5, None]:
        with pytest.raises(TypeError, match="a table is required, not '"):
            placemat.report(wrong)
    with pytest.raises(TypeError, match=r"call collect\(\) on the 'LazyFrame' first"):
        placemat.report(pl.LazyFrame({"a": [b"a"]}))


def test_a_report_leaves_out_what_is_no_column_of_text():
    frame = pl.DataFrame({"o": pl.Series([b"abc", "x"], dtype=pl.Object), "b": [b"a", b"b"], "l": [["a"], ["b"]], "s": [{"x": "a"}] * 2})
    assert placemat.report(frame)["column"].to_pylist() == ["b"]
    assert placemat.report(pd.DataFrame({"a": ["x"]}, index=["row"]))["column"].to_pylist() == ["a"]


STRINGS = ["string[python]", "string[pyarrow]", pd.ArrowDtype(pa.string()), pd.ArrowDtype(pa.large_string())]


@pytest.mark.parametrize("dtype", STRINGS, ids=str)
@pytest.mark.parametrize("rows", [["cafÃ©", None, "x"], ["cafÃ©", "x"], [None], []], ids=str)
def test_pandas_types_with_nulls_stay_so(dtype, rows):
    series = pd.Series(rows, dtype=dtype, name="n")
    own = series.placemat
    back = own.convert("utf-8", "iso-8859-1", on_error="replace").placemat.convert("iso-8859-1")
    # The column of bytes has the dtype object, so its text has the default text type of this pandas.
    assert back.dtype == (series.dtype if isinstance(dtype, pd.ArrowDtype) else pd.Series(["x"]).dtype)
    assert own.repair().dtype == own.mojibake().dtype == own.convert().dtype == series.dtype
    assert own.mojibake().to_list() == pd.Series([row and row.replace("Ã©", "é") for row in rows], dtype=dtype).to_list()
    assert own.is_valid().dtype == "boolean" and own.lengths().dtype == "Int64"
    assert series[own.is_valid()].to_list() == [row for row in rows if row]


def test_pandas_nulls_are_no_objects():
    series = pd.Series([b"a", None, b"\xff"], index=list("abc"))
    assert series.placemat.is_valid().dtype == "boolean" and list(series[~series.placemat.is_valid()].index) == ["c"]
    assert series.placemat.lengths().dtype == "Int64"
    assert series.dropna().placemat.is_valid().dtype == bool and series.dropna().placemat.lengths().dtype == "int64"
    arrow = pd.Series([b"a\xff", None], dtype=pd.ArrowDtype(pa.binary()))
    assert arrow.placemat.repair().dtype == pd.ArrowDtype(pa.string()) and arrow.placemat.mojibake().dtype == arrow.dtype
    broken = pd.Series([b"\xff", b"\xfe", None], dtype="category")
    assert broken.placemat.repair().to_list()[:2] == ["\ufffd", "\ufffd"] and broken.placemat.repair().dtype == "category"


def test_pandas_detect_has_its_columns():
    names = ["encoding", "bom", "confidence", "malformed", "line_ending"]
    for series in [pd.Series([], dtype=object), pd.Series([None, None], dtype=object), pd.Series([], dtype="string"), pd.Series([b"a", None])]:
        found = series.placemat.detect()
        assert list(found.columns) == names and len(found) == len(series)
    found = pd.Series([b"a", None], index=["x", "y"]).placemat.detect()
    assert found.loc["x", "malformed"] == 0 and found.loc["y"].isna().all() and found["bom"].dtype == "boolean"


def test_columns_of_extension_types_are_told_by_what_stores_them():
    class Body(pa.ExtensionType):
        def __init__(self):
            super().__init__(pa.binary(), "placemat.test.body")

        def __arrow_ext_serialize__(self):
            return b""

        @classmethod
        def __arrow_ext_deserialize__(cls, storage, serialized):
            return cls()

    body = pa.ExtensionArray.from_storage(Body(), pa.array([b"plain", b"caf\xe9"]))
    table = {"body": body}
    if hasattr(pa, "json_"):
        table["json"] = pa.ExtensionArray.from_storage(pa.json_(), pa.array(['{"a":"cafÃ©"}', None]))
    if hasattr(pa, "uuid"):
        table["id"] = pa.ExtensionArray.from_storage(pa.uuid(), pa.array([b"\xff" * 16] * 2, pa.binary(16)))
    found = {row["column"]: (row["bad_rows"], row["mojibake_rows"]) for row in placemat.report(pa.table(table)).to_pylist()}
    assert found == {"body": (1, 0), **({"json": (0, 1)} if "json" in table else {})}


def test_errors_of_the_columns_of_a_table():
    column = pa.chunked_array([[b"plain", b"caf\xe9"], [b"\xff"]])
    assert pa.table(placemat.arrow.errors(column))["row"].to_pylist() == [1, 2]


def test_a_report_knows_iso_2022_jp_though_it_is_ascii():
    rows = ["こんにちは世界", "plain", "日本語の文章", None]
    table = pa.table({"jp": pa.array([row and row.encode("iso2022_jp") for row in rows], pa.binary()), "term": [b"\x1b[1mbold\x1b[0m"] * 4})
    jp, term = placemat.report(table).to_pylist()
    assert (jp["bad_rows"], jp["seems"]) == (0, "iso-2022-jp")
    assert [(sample["row"], sample["meant"]) for sample in jp["samples"]] == [(0, rows[0]), (2, rows[2])]
    assert (term["seems"], term["samples"]) == (None, [])


def test_a_report_reads_run_ends():
    import pyarrow.compute as pc

    table = pa.table({"b": pc.run_end_encode(pa.array([b"caf\xe9", b"caf\xe9", b"ok"]))})
    assert placemat.report(table)["bad_rows"].to_pylist() == [2]
    with pytest.raises(TypeError, match=r"before it is decoded \(pyarrow\.compute\.run_end_decode\)"):
        placemat.arrow.is_valid(table["b"])
    with pytest.raises(TypeError, match="flatten or explode it first"):
        placemat.arrow.is_valid(pa.array([[b"a"]]))


def test_a_column_of_errors_takes_little_memory():
    script = """
import placemat, pyarrow, resource
table = pyarrow.table({"a": pyarrow.array(["Здравствуйте! ".encode("cp1251") * 8] * 100_000)})
before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
found = placemat.report(table).to_pylist()[0]
print(found["bad_rows"], found["errors"], found["seems"], resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
"""
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    bad_rows, errors, seems, kilobytes = done.stdout.split()
    assert (int(bad_rows), int(errors), seems) == (100_000, 9_600_000, "windows-1251")
    assert int(kilobytes) < 200_000
