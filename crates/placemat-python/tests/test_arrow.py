"""The functions for columns, with input from every library and in every layout."""

import doctest
import gc
import pickle
import random

import placemat
import placemat.arrow as columns
import pytest

pa = pytest.importorskip("pyarrow")

ROWS = [b"plain", b"caf\xe9", None, b"", "naïve 日本 😀".encode(), b"\xff\xfe", b"\xed\xa0\xbd\xed\xb8\x80", b"x" * 300 + b"\xc3"]
LAYOUTS = [pa.binary(), pa.large_binary(), pa.binary_view()]


def plain(rows, work):
    return [None if row is None else work(row) for row in rows]


@pytest.mark.parametrize("layout", LAYOUTS, ids=str)
@pytest.mark.parametrize("cut", [slice(None), slice(1, 6), slice(3, 3), slice(2, 3)], ids=str)
def test_columns_equal_their_rows(layout, cut):
    column, rows = pa.array(ROWS, layout)[cut], ROWS[cut]
    assert pa.array(columns.is_valid(column)).to_pylist() == plain(rows, placemat.is_valid)
    assert pa.array(columns.repair(column)).to_pylist() == plain(rows, lambda row: row.decode(errors="replace"))
    for policy in ["cp1252", "replace-run", "skip", "escape"]:
        expected = plain(rows, lambda row: placemat.repair(row, policy).decode())
        assert pa.array(columns.repair(column, policy)).to_pylist() == expected
    first = pa.array(columns.first_error(column)).to_pylist()
    for row, error in zip(rows, first):
        wanted = placemat.check(row) if row is not None else None
        assert (error and (error["kind"], error["offset"], error["length"])) == (wanted and (wanted.kind, wanted.offset, wanted.length))
    every = pa.record_batch(columns.errors(column)).to_pylist()
    wanted = [(at, e.offset, e.length, e.kind) for at, row in enumerate(rows) if row is not None for e in placemat.errors(row)]
    assert [tuple(error[key] for key in ("row", "offset", "length", "kind")) for error in every] == wanted
    assert pa.array(columns.convert(column, "iso-8859-1")).to_pylist() == plain(rows, lambda row: row.decode("latin-1"))
    found = pa.array(columns.detect(column)).to_pylist()
    assert [one and one["encoding"] for one in found] == plain(rows, lambda row: placemat.detect(row).encoding)
    lengths = pa.array(columns.lengths(column, "utf-16-units")).to_pylist()
    assert lengths == plain(rows, lambda row: len(row.decode(errors="replace").encode("utf-16-le")) // 2)


@pytest.mark.parametrize("layout", [*LAYOUTS, pa.string(), pa.large_string(), pa.binary(3)], ids=str)
def test_slices_of_nothing(layout):
    # In the C data interface these have offsets, but no buffer of bytes.
    column = pa.array([b"abc", b"def"], layout)
    for data in [column[1:1], column[2:], pa.chunked_array([column[2:], column[:1]])]:
        make = pa.array if isinstance(data, pa.Array) else pa.chunked_array
        for target in ["utf-8", "utf-7", "utf-16le", "utf-16be", "utf-32le", "utf-32be", "iso-8859-1"]:
            result = make(columns.convert(data, "utf-8", target))
            result.validate(full=True)
            assert len(result) == len(data)
        for work in [columns.is_valid, columns.first_error, columns.errors, columns.repair, columns.detect, columns.lengths]:
            assert len(work(data)) == (0 if work is columns.errors else len(data))
    indices = pa.array([None, None], pa.int32())
    nothing = pa.DictionaryArray.from_arrays(indices, column[2:])
    assert pa.array(columns.convert(nothing, "utf-8", "utf-16le")).to_pylist() == [None, None]


def test_nulls_of_a_struct_are_nulls_of_its_fields():
    for layout in LAYOUTS:
        field = pa.array([b"\xff", b"ok", None, b"\xfe"], layout)
        struct = pa.StructArray.from_arrays([field], ["a"], mask=pa.array([True, False, False, False]))
        for data, rows in [(struct, [None, b"ok", None, b"\xfe"]), (struct[1:], [b"ok", None, b"\xfe"]), (struct[:2], [None, b"ok"])]:
            assert pa.array(columns.is_valid(data)).to_pylist() == plain(rows, placemat.is_valid)
            assert pa.array(columns.repair(data)).to_pylist() == plain(rows, lambda row: row.decode(errors="replace"))
            bad = [at for at, row in enumerate(rows) if row == b"\xfe"]
            assert pa.record_batch(columns.errors(data)).column("row").to_pylist() == bad
        dictionary = pa.StructArray.from_arrays([field.cast(pa.binary()).dictionary_encode()], ["a"], mask=pa.array([True, False, False, False]))
        assert pa.array(columns.is_valid(dictionary)).to_pylist() == [None, True, None, False]


def test_the_first_row_of_a_dictionary_is_told():
    data = pa.DictionaryArray.from_arrays(pa.array([1, None, 2, 0]), pa.array([b"\xff", b"caf\xe9", b"ok"]))
    with pytest.raises(placemat.ConversionError) as caught:
        columns.convert(data)
    assert (caught.value.row, caught.value.error.offset) == (0, 3)


@pytest.mark.parametrize("target", ["utf-8", "utf-16le", "koi8-r", "shift_jis"])
def test_values_that_no_row_has_are_not_read(target):
    values = pa.array([b"a\xff", b"b", "é".encode(), b"\xffffff", b""])
    for keys, first in [([1, 1, None], None), ([], None), ([None], None), ([1, 3, 1, 0], 1), ([4, 0, 3, 0], 1), ([1, None, 3], 2)]:
        data = pa.DictionaryArray.from_arrays(pa.array(keys, pa.int8()), values)
        data = pa.concat_arrays([data, pa.DictionaryArray.from_arrays(pa.array([2], pa.int8()), values)])[: len(keys)]
        plain = data.cast(pa.binary())
        if first is None:
            assert columns.convert(data, "utf-8", target).to_pylist() == columns.convert(plain, "utf-8", target).to_pylist()
            continue
        for column in [data, plain]:
            with pytest.raises(placemat.ConversionError) as caught:
                columns.convert(column, "utf-8", target)
            assert (caught.value.row, caught.value.error) == (first, placemat.check(plain[first].as_py()))


def test_columns_of_nulls_without_a_type():
    for data in [[None, None], pa.nulls(2), pa.chunked_array([pa.nulls(2)]), pa.table({"a": pa.nulls(2)})]:
        make = pa.array if isinstance(data, (list, pa.Array)) else pa.chunked_array
        assert make(columns.is_valid(data)).to_pylist() == [None, None]
        assert make(columns.repair(data)).type == pa.string()
    assert pa.chunked_array(columns.repair(pa.chunked_array([], pa.null()))).type == pa.string()


def test_a_clean_column_is_not_copied():
    column = pa.array([b"plain", "naïve".encode()] * 1000)
    text = pa.array(columns.repair(column))
    assert text.type == pa.string()
    assert text.buffers()[2].address == column.buffers()[2].address


def test_chunks_stay_chunks_and_rows_count_on():
    chunked = pa.chunked_array([[b"a", b"\xff"], [], [b"b", b"\xfe\xfd"]], pa.binary())
    result = columns.repair(chunked)
    assert len(result) == 4 and pa.chunked_array(result).to_pylist() == ["a", "\ufffd", "b", "\ufffd\ufffd"]
    assert pa.table(columns.errors(chunked)).column("row").to_pylist() == [1, 3, 3]
    with pytest.raises(placemat.ConversionError) as caught:
        columns.convert(chunked)
    assert (caught.value.row, caught.value.error.kind) == (1, "invalid-byte")


def test_streams_without_any_array():
    empty = pa.chunked_array([], pa.binary())
    assert pa.chunked_array(columns.is_valid(empty)).type == pa.bool_()
    assert pa.chunked_array(columns.repair(empty)).type == pa.string()
    assert pa.table(columns.errors(empty)).num_rows == 0


def test_a_column_of_a_table():
    table = pa.table({"id": [1, 2], "body": [b"ok", b"\xff"]})
    assert pa.chunked_array(columns.is_valid(table, column="body")).to_pylist() == [True, False]
    assert pa.chunked_array(columns.is_valid(table.select(["body"]))).to_pylist() == [True, False]
    with pytest.raises(ValueError, match="id, body"):
        columns.is_valid(table)
    with pytest.raises(KeyError, match="no column"):
        columns.is_valid(table, column="nobody")


def test_a_reader_is_read_as_it_goes():
    seen = []

    def batches():
        for at in range(5):
            seen.append(at)
            yield pa.record_batch({"body": [b"a", b"\xff"]})

    reader = pa.RecordBatchReader.from_batches(pa.schema({"body": pa.binary()}), batches())
    assert pa.chunked_array(columns.is_valid(reader)).to_pylist() == [True, False] * 5
    assert seen == [0, 1, 2, 3, 4]


def test_a_failing_stream_says_why():
    def batches():
        yield pa.record_batch({"body": [b"a"]})
        raise RuntimeError("the disk is on fire")

    reader = pa.RecordBatchReader.from_batches(pa.schema({"body": pa.binary()}), batches())
    with pytest.raises(ValueError, match="on fire"):
        columns.is_valid(reader)


def test_units_go_by_any_label_of_a_form():
    column = pa.array(["né😀"])
    for unit, length in [("utf-8", 7), ("utf8", 7), ("UTF-8", 7), ("UTF16LE", 8), ("latin1", 3)]:
        assert pa.array(columns.lengths(column, unit)).to_pylist() == [length]


def test_what_is_no_column():
    for wrong in ["text", b"bytes", 42, object(), {"name": [b"\xff"]}, {b"a"}, frozenset()]:
        with pytest.raises(TypeError, match="PyCapsule"):
            columns.is_valid(wrong)
    with pytest.raises(TypeError, match="neither bytes nor text"):
        columns.is_valid(pa.array([1, 2]))
    with pytest.raises(LookupError):
        columns.repair(pa.array([b""]), "no-such-policy")
    with pytest.raises(LookupError):
        columns.lengths(pa.array([b""]), "furlongs")


def test_nothing_is_leaked_and_nothing_freed_early():
    before = pa.total_allocated_bytes()
    for _ in range(50):
        column = pa.array([b"plain" * 1000] * 100)
        text = columns.repair(column)
        del column
        gc.collect()
        assert pa.array(text)[99].as_py() == "plain" * 1000
        # Capsules whose content is taken by a consumer, and capsules that are dropped with it.
        text.__arrow_c_stream__(), text.__arrow_c_array__(), columns.is_valid(text)
        del text
    gc.collect()
    assert pa.total_allocated_bytes() - before < 1 << 20


def test_polars():
    polars = pytest.importorskip("polars")
    series = polars.Series("body", [row for row in ROWS])
    assert polars.Series(columns.is_valid(series)).to_list() == plain(ROWS, placemat.is_valid)
    frame = polars.DataFrame({"id": range(len(ROWS)), "body": series})
    text = polars.Series(columns.repair(frame, column="body"))
    assert text.dtype == polars.String and text.name == "body" and text[1] == "caf\ufffd"


def test_duckdb():
    duckdb = pytest.importorskip("duckdb")
    relation = duckdb.sql("select 'caf\\xE9'::blob as body union all select 'ok'::blob")
    assert sorted(pa.chunked_array(columns.is_valid(relation)).to_pylist()) == [False, True]
    report = pa.table(columns.errors(pa.array(ROWS)))
    assert duckdb.sql("select count(*) from report").fetchall() == [(report.num_rows,)]


def test_pandas_and_lists():
    pandas = pytest.importorskip("pandas")
    assert pa.array(columns.is_valid(pandas.Series(ROWS))).to_pylist() == plain(ROWS, placemat.is_valid)
    assert pa.array(columns.is_valid(ROWS)).to_pylist() == plain(ROWS, placemat.is_valid)


def test_functions_can_be_sent_to_workers():
    for name in columns.__all__:
        assert pickle.loads(pickle.dumps(getattr(columns, name))) is getattr(columns, name)


def test_examples():
    assert not doctest.testmod(columns, extraglobs={"pa": pa, "placemat": placemat}).failed
    for name in columns.__all__:
        text = getattr(columns, name).__doc__
        assert text
        test = doctest.DocTestParser().get_doctest(text, {"placemat": placemat, "pa": pa}, name, None, 0)
        assert not doctest.DocTestRunner().run(test).failed, name


@pytest.mark.parametrize("type", [pa.binary(), pa.large_binary(), pa.binary_view()])
def test_legacy_encodings_row_by_row(type):
    rows = ["日本".encode("shift_jis"), None, b"plain"]
    text = columns.convert(pa.array(rows, type), "shift_jis")
    assert text.to_pylist() == ["日本", None, "plain"] == list(text.to_numpy())
    assert columns.convert(text, "utf-8", "shift_jis").to_pylist() == rows
    assert pa.array(columns.convert(pa.array(rows, type).dictionary_encode(), "shift_jis")).to_pylist() == ["日本", None, "plain"] if type == pa.binary() else True
    chunked = columns.convert(pa.chunked_array([pa.array(rows, type)] * 2), "shift_jis")
    assert chunked.to_pylist() == ["日本", None, "plain"] * 2
    with pytest.raises(placemat.ConversionError, match="row 1: "):
        columns.convert(pa.array([b"a", b"\x81"], type), "shift_jis")


@pytest.mark.parametrize("encoding", ["euc-kr", "big5", "shift_jis", "gbk", "gb18030", "euc-jp", "iso-2022-jp", "iso-8859-3", "cp437"])
@pytest.mark.parametrize("policy", ["replace", "replace-byte", "replace-run", "cp1252"])
def test_malformed_rows_in_legacy_encodings(encoding, policy):
    source = random.Random(1)
    some = b"\x1b$B(a\x30\x39\x81\x88\x62\x8f\xa1\xb0\xfe\xff"
    rows = [bytes(source.choices(range(256) if at % 2 else some, k=at % 40)) for at in range(2000)]
    alone = [placemat.convert(row, encoding, "utf-8", on_error=policy).decode() for row in rows]
    assert pa.array(columns.convert(pa.array(rows, pa.binary()), encoding, on_error=policy)).to_pylist() == alone


def test_mojibake_of_a_column():
    rows = ["cafÃ©", None, "São Paulo"]
    assert columns.mojibake(pa.array(rows)).to_pylist() == ["café", None, "São Paulo"]
    assert columns.mojibake(pa.array([b"caf\xc3\x83\xc2\xa9", b"\xff"])).to_pylist() == ["café".encode(), b"\xff"]


@pytest.mark.parametrize("text, bytes", [(pa.string(), pa.binary()), (pa.large_string(), pa.large_binary()), (pa.string_view(), pa.binary_view())], ids=str)
def test_mojibake_leaves_text_that_is_none(text, bytes):
    rows = [b"caf\xe9", "cafÃ©".encode(), None, b"a row that is longer than a view holds \xff", b"plain"]
    expected = [rows[0], "café".encode(), None, *rows[3:]]
    column = pa.array(rows, bytes).view(text)
    for given, wanted in [(column, expected), (column[1:], expected[1:]), (column[:1], expected[:1])]:
        made = pa.array(columns.mojibake(given))
        assert made.type == text and made.view(bytes).to_pylist() == wanted
    if text != pa.string_view():
        dictionary = pa.DictionaryArray.from_arrays(pa.array([1, None, 0, 1]), column)
        made = pa.array(columns.mojibake(dictionary))
        assert made.type == dictionary.type
        values = made.dictionary.view(bytes).to_pylist()
        assert [key if key is None else values[key] for key in made.indices.to_pylist()] == [expected[1], None, expected[0], expected[1]]


def undone(row):
    try:
        return placemat.mojibake(row.decode()).encode()
    except UnicodeDecodeError:
        return row


@pytest.mark.parametrize("layout", [pa.binary(), pa.large_binary()], ids=str)
@pytest.mark.parametrize("sound", [True, False], ids=["UTF-8", "not all"])
def test_mojibake_of_many_rows_is_that_of_each(layout, sound):
    """Many rows are searched as one text: mojibake across the end of one row and the start of the next must not count."""
    source = random.Random(3)
    some = ["plain", "", "cafÃ©", "São Paulo", "Ã", "© 2024", "Привет, м²", "â€œnaÃ¯veâ€\x9d", "日本語 " * 40, "Ð¿Ñ€Ð¸Ð²ÐµÑ‚", "x" * 9000, "Ã©Ã©"]
    parts = [row.encode() for row in some] + ([] if sound else [b"caf\xe9", "é".encode()[:1], "é".encode()[1:]])
    weights = [60 if part == b"plain" else 5 for part in parts]
    rows = [source.choices(parts, weights)[0] for _ in range(6000)]
    # Successive rows that all change, some of them equal.
    rows[2000:2300] = ["cafÃ© {}".format(at % 70).encode() for at in range(300)]
    rows = [None if source.random() < 0.02 else row for row in rows]
    column, expected = pa.array(rows, layout), plain(rows, undone)
    for given, wanted in [(column, expected), (column[17:5000], expected[17:5000])]:
        made = pa.array(columns.mojibake(given))
        made.validate(full=True)
        assert made.type == layout and made.to_pylist() == wanted


@pytest.mark.parametrize("values", [pa.binary(), pa.large_binary()], ids=str)
@pytest.mark.parametrize("keys", [pa.int8(), pa.uint16(), pa.int64()], ids=str)
def test_values_of_a_dictionary_stay_different(values, keys):
    pandas = pytest.importorskip("pandas")
    rows = [b"\xff", b"\xfe", None, b"a", "cafÃ©".encode(), "café".encode(), b"a"]
    column = pa.DictionaryArray.from_arrays(pa.array([0, 1, None, 3, 2, 4, 5, 0], keys), pa.array(rows, values))
    for made, wanted in [
        (columns.repair(column), ["\ufffd", "\ufffd", None, "a", None, "cafÃ©", "café", "\ufffd"]),
        (columns.mojibake(column), [b"\xff", b"\xfe", None, b"a", None, "café".encode(), "café".encode(), b"\xff"]),
        (columns.convert(column, "utf-8", "us-ascii", on_error="replace", unencodable="replace"), [b"?", b"?", None, b"a", None, b"caf??", b"caf?", b"?"]),
        (columns.convert(column, "koi8-r", on_error="replace"), [row and row.decode("koi8-r") for row in column.to_pylist()]),
        (columns.convert(column, "iso-2022-jp", on_error="replace"), ["\ufffd", "\ufffd", None, "a", None, "caf\ufffd\ufffd\ufffd\ufffd", "caf\ufffd\ufffd", "\ufffd"]),
    ]:
        made = pa.array(made)
        made.validate(full=True)
        assert made.type.index_type == keys and made.to_pylist() == wanted
        held = made.dictionary.to_pylist()
        assert len(set(held)) == len(held) and None not in held
        assert [row if isinstance(row, (str, bytes)) else None for row in pandas.Series(made.to_pandas())] == wanted
    # The same for text columns with malformed rows.
    text = pa.DictionaryArray.from_arrays(pa.array([0, 1, 2], keys), pa.array([b"\xff", "cafÃ©".encode(), "café".encode()], values).view(pa.string() if values == pa.binary() else pa.large_string()))
    made = pa.array(columns.mojibake(text))
    assert made.type == text.type and made.indices.to_pylist() == [0, 1, 1] and made.dictionary.view(values).to_pylist() == [b"\xff", "café".encode()]
    # If no two values become equal, the keys are not copied.
    clean = pa.array([b"a", b"b", b"a"]).dictionary_encode()
    assert pa.array(columns.repair(clean)).indices.buffers()[1].address == clean.indices.buffers()[1].address


def test_results_are_sequences():
    numpy = pytest.importorskip("numpy")
    pandas = pytest.importorskip("pandas")
    one = columns.repair([b"a", b"\xff", None])
    many = columns.repair(pa.chunked_array([[b"a"], [], [b"\xff", None]]))
    for column in [one, many]:
        assert list(column) == ["a", "\ufffd", None] and len(column) == 3
        assert (column[0], column[-2], column[numpy.int64(2)]) == ("a", "\ufffd", None)
        for cut in [slice(None), slice(1, 3), slice(-1, None), slice(None, None, 2), slice(3, 1)]:
            assert type(column[cut]) is type(column) and list(column[cut]) == list(column)[cut]
        for index, error in [(3, IndexError), (-4, IndexError), ("a", TypeError), (None, TypeError), (1.0, TypeError)]:
            with pytest.raises(error):
                column[index]
        frame = pandas.DataFrame({"b": [b"a", b"\xff", None]}, index=[5, 6, 7])
        frame["t"] = column
        # pandas 3 turns them into its text type, whose null is nan.
        for series in [frame["t"], pandas.Series(column)]:
            assert series.to_list()[:2] == ["a", "\ufffd"] and series.isna().to_list() == [False, False, True]
        assert numpy.asarray(column).tolist() == list(column) == pa.array(column).to_pylist()
    lengths = numpy.asarray(columns.lengths([b"aa", b"b"]))
    assert lengths.dtype == numpy.int64 and lengths.tolist() == [2, 1]
    assert numpy.asarray(columns.lengths([b"aa"]), dtype="float32").dtype == numpy.float32
    names = columns.repair(pa.array(["a", None, "b"]).dictionary_encode())
    assert numpy.asarray(names).tolist() == numpy.asarray(columns.repair(pa.chunked_array([names]))).tolist() == ["a", None, "b"]
    assert numpy.asarray(columns.first_error([b"aa", b"\xff"])).tolist() == [None, {"offset": 0, "length": 1, "kind": "invalid-byte"}]
    assert pa.array(many, pa.large_string()).type == pa.large_string()
    assert pa.chunked_array(many).num_chunks == 3 and pa.array(columns.repair(pa.chunked_array([], pa.binary()))).type == pa.string()
    assert pa.array(columns.repair(pa.chunked_array([[b"a"], [b"b"]]).dictionary_encode())).to_pylist() == ["a", "b"]


def test_results_become_the_type_that_is_asked_for():
    schema = pa.schema([("t", pa.string())])
    for rows in [pa.array(ROWS, pa.binary_view()), pa.array(ROWS).dictionary_encode(), pa.array(ROWS, pa.large_binary())]:
        for data in [rows, pa.chunked_array([rows[:2], rows[2:]])]:
            result = columns.repair(data)
            wanted = plain(ROWS, lambda row: row.decode(errors="replace"))
            assert pa.array(result, pa.string()).type == pa.string() and pa.array(result, pa.string()).to_pylist() == wanted
            table = pa.table({"t": result}, schema=schema)
            assert table.schema == schema and table["t"].to_pylist() == wanted
    for empty in [columns.repair(pa.array([], pa.binary())), columns.repair(pa.chunked_array([], pa.binary()))]:
        assert pa.array(empty, pa.large_string()).type == pa.large_string()


def test_steps_over_views():
    rows = [b"a", b"b\xe9", None, "é and longer than a view".encode(), b"", b"x" * 30]
    texts = plain(rows, lambda row: row.decode(errors="replace"))
    whole = pa.array(rows, pa.binary_view())
    for data, make in [(whole, pa.array), (pa.chunked_array([whole[:2], whole[:0], whole[2:], whole[:0]]), pa.chunked_array)]:
        result = columns.repair(data)
        for start in [None, -7, -3, 0, 2, 9]:
            for stop in [None, -7, -3, 0, 2, 9]:
                for step in [None, 1, 2, 3, -1, -2, 7, -7]:
                    part = result[start:stop:step]
                    assert type(part) is type(result) and part.to_pylist() == texts[start:stop:step]
                    array = make(part)
                    array.validate(full=True)
                    assert array.type == pa.string_view()
    assert columns.repair(pa.chunked_array([], pa.binary_view()))[::-1].to_pylist() == []


def test_polars_objects_are_refused_and_its_nulls_taken():
    polars = pytest.importorskip("polars")
    objects = polars.Series("o", [b"abc", "x"], dtype=polars.Object)
    for given, named in [(objects, {}), (objects.to_frame(), {}), (polars.DataFrame({"o": objects, "b": [b"a", b"b"]}), {"column": "o"})]:
        for work in [columns.repair, columns.is_valid, columns.errors]:
            with pytest.raises(TypeError, match="Polars' type Object"):
                work(given, **named)
    assert columns.repair(polars.DataFrame({"o": objects, "b": [b"a", b"b"]}), column="b").to_pylist() == ["a", "b"]
    assert columns.repair(pa.array([b"ab", b"cd"], pa.binary(2))).to_pylist() == ["ab", "cd"]
    nulls = polars.DataFrame({"n": [None, None], "b": [b"a", None], "s": [{"x": None}, None]})
    assert columns.repair(nulls["n"]).to_pylist() == [None, None] == columns.repair(nulls, column="n").to_pylist()
    assert columns.repair(nulls, column="b").to_pylist() == ["a", None]


def test_confidence_is_that_of_a_value():
    rows = [b"caf\xe9", "Привет, мир!".encode("koi8-r"), b"plain", "日本語".encode("shift_jis")]
    assert [found["confidence"] for found in columns.detect(rows)] == [placemat.detect(row).confidence for row in rows]


@pytest.mark.parametrize("layout", [pa.binary(), pa.large_string(), pa.string_view(), pa.dictionary(pa.int32(), pa.string())], ids=str)
def test_columns_are_the_same_by_any_number_of_threads(layout):
    some = ["cafÃ©", "São Paulo", None, "plain", "Ð›Ñ‘Ð´ " * 20, "日本 cafÃ©"]
    rows = [some[at * at % 7 % 6] for at in range(40_000)]
    column = pa.array(rows, pa.string()).cast(pa.binary()).cast(layout) if layout == pa.binary() else pa.array(rows, layout)
    for work in [columns.mojibake, columns.detect]:
        one = pa.array(work(column, threads=1))
        one.validate(full=True)
        assert all(pa.array(work(column, threads=threads)).equals(one) for threads in (2, 3, 64, None))
    clean = pa.array(["São Paulo"] * 100_000, pa.string())
    assert pa.array(columns.mojibake(clean, threads=4)).equals(clean)
    for work, threads in [(columns.mojibake, 0), (columns.detect, -1)]:
        with pytest.raises(ValueError, match=f"threads must be 1 or more, not {threads}"):
            work(column, threads=threads)


def test_text_with_escaped_bytes_is_those_bytes():
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    import placemat.pandas

    rows = ["plain", b"caf\xe9".decode(errors="surrogateescape"), None, "half \ud83d"]
    mended = ["plain", "café", None, "half í\xa0½"]
    for column in [rows, tuple(rows), np.array(rows, object), pd.Series(rows, dtype=object)]:
        assert columns.is_valid(column).to_pylist() == [True, False, None, False]
        assert columns.repair(column, "cp1252").to_pylist() == mended
    assert columns.repair(np.array(rows[:2]), "cp1252").to_pylist() == mended[:2]
    series = pd.Series([*rows, float("nan")], dtype=object, index=list("abcde"))
    assert series.placemat.repair("cp1252").dropna().to_list() == ["plain", "café", "half í\xa0½"]
    assert series.placemat.is_valid().to_list() == [True, False, pd.NA, False, pd.NA]
    # A row that is not UTF-8 stays as it is, and the others stay text.
    undone = pd.Series([*rows, "cafÃ©"], dtype=object).placemat.mojibake()
    assert undone.dropna().to_list() == [rows[0], rows[1], rows[3], "café"] and undone.isna().to_list() == [False, False, True, False, False]
    assert pd.Series(["half \ud83d", "cafÃ©".encode()], dtype=object).placemat.mojibake().to_list() == ["half \ud83d", "café".encode()]
    for wrong in [[*rows, 1], pd.DataFrame({"a": rows}, dtype=object), iter(rows)]:
        with pytest.raises((TypeError, UnicodeEncodeError)):
            columns.repair(wrong)


def test_nan_is_null_as_in_pandas():
    np, pd = pytest.importorskip("numpy"), pytest.importorskip("pandas")
    series = pd.Series([b"caf\xe9", None, float("nan"), pd.NA, pd.NaT], dtype=object)
    for column in [series, series.to_numpy(), series.to_list(), np.array([b"caf\xe9", *[float("nan")] * 4], object)]:
        assert columns.repair(column, "cp1252").to_pylist() == ["café", *[None] * 4]
    with pytest.raises(TypeError, match="holds neither bytes nor text"):
        columns.repair(np.array([1.0, float("nan")]))


def test_rows_of_numpy_may_contain_nul():
    np = pytest.importorskip("numpy")
    for rows in [["a\0b", "plain", "", "\0c"], ["a\0é", "日\0\0本"]]:
        data = [row.encode("utf-16-be") + b"!" for row in rows]
        assert columns.repair(np.array(rows)).to_pylist() == columns.repair(np.array(rows, ">U9")[::-1]).to_pylist()[::-1] == rows
        assert columns.convert(np.array(data), "utf-16be", on_error="skip").to_pylist() == rows
        masked = np.ma.array(data, mask=[True] + [False] * (len(rows) - 1))
        assert columns.lengths(masked, "utf-8").to_pylist() == [None, *map(len, data[1:])]
    for wrong in [np.array([[b"a"]]), np.array(b"a")]:
        with pytest.raises(TypeError, match="only handle 1-dimensional arrays"):
            columns.repair(wrong)


def test_a_column_whose_name_is_not_unique_is_refused():
    table = pa.table([pa.array([b"a"]), pa.array([b"b"]), pa.array([b"c"])], names=["body", "body", "id"])
    with pytest.raises(ValueError, match='several columns have the name "body"'):
        columns.repair(table, column="body")
    assert columns.repair(table, column="id").to_pylist() == ["c"]
