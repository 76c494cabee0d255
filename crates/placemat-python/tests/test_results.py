"""What functions return and raise can be pickled, copied, and sent to other processes."""

import concurrent.futures
import copy
import multiprocessing
import pickle

import placemat
import pytest

RESULTS = [
    placemat.check(b"caf\xe9!"),
    placemat.detect("caf\xe9, na\xefve".encode("latin-1") + "日本".encode()),
    *placemat.explain(b"a\xe9!\xed\xa0\xbd\xed\xb8\x80\xf5"),
    *placemat.forms(),
]


def fields(result):
    return {name: getattr(result, name) for name in dir(result) if not name.startswith("_")}


@pytest.mark.parametrize("result", RESULTS, ids=str)
def test_results_can_be_copied(result):
    for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
        assert fields(pickle.loads(pickle.dumps(result, protocol))) == fields(result)
    assert fields(copy.copy(result)) == fields(copy.deepcopy(result)) == fields(result)


def test_an_error_is_what_its_repr_says():
    error = placemat.check(b"caf\xe9!")
    assert eval(repr(error), {"Error": placemat.Error}) == error
    with pytest.raises(ValueError, match="unknown kind"):
        placemat.Error("bad-weather", 0, 1)


def caught(work, *arguments):
    with pytest.raises(placemat.ConversionError) as info:
        work(*arguments)
    return info.value


def test_exceptions_can_be_copied():
    exceptions = [(caught(placemat.convert, b"a\xff"), None)]
    pa = pytest.importorskip("pyarrow")
    from placemat import arrow

    exceptions.append((caught(arrow.convert, pa.array([b"ok", b"a\xff"])), 1))
    for exception, row in exceptions:
        for twin in [pickle.loads(pickle.dumps(exception)), copy.copy(exception)]:
            assert type(twin) is placemat.ConversionError and str(twin) == str(exception)
            assert (twin.error, twin.row) == (placemat.Error("invalid-byte", 1, 1), row)


def test_work_may_be_done_in_other_processes():
    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(placemat.check, b"\xff").result() == placemat.check(b"\xff")
        assert caught(pool.submit(placemat.convert, b"\xff").result).error.kind == "invalid-byte"


def test_a_detection_can_be_a_key():
    found, again = placemat.detect(b"caf\xe9"), placemat.detect(b"caf\xe9")
    assert hash(found) == hash(again) and len({found, again, placemat.detect(b"a")}) == 2
    zeros = [placemat.Detection("utf-8", False, zero, 0, "lf", [], [("utf-8", zero)]) for zero in (0.0, -0.0)]
    assert zeros[0] == zeros[1] and hash(zeros[0]) == hash(zeros[1])


def test_what_was_mended_can_be_copied():
    mended = placemat.mend("naïve café\n".encode() + b"another caf\xe9 \x81\n", second="windows-1252", lossy=True)
    for twin in [pickle.loads(pickle.dumps(mended)), copy.copy(mended), pickle.loads(pickle.dumps(copy.deepcopy(mended)))]:
        assert (twin.text, twin.changes, twin.is_lossy, twin.report(), repr(twin)) == (
            mended.text, mended.changes, mended.is_lossy, mended.report(), repr(mended),
        )


def test_equal_results_are_equal():
    text = "naïve café\n".encode()
    mended = [placemat.mend(text + row) for row in [b"another caf\xe9\n", b"another caf\xe9\n", b"another caf\xe8\n"]]
    twin = pickle.loads(pickle.dumps(mended[0]))
    assert mended[0] == mended[1] == twin and mended[0] != mended[2] and mended[0] != "text"
    assert len({*mended, twin}) == 2
    # The same text from other bytes is another result.
    other = placemat.mend(text + b"another caf\xc3\xa9\n")
    assert (other.text, other == mended[0]) == (twin.text, False)
    surveys = [placemat.Survey() for _ in range(3)]
    for survey, added in zip(surveys, [text, text, text + b"\xff \n"]):
        survey.add(added)
    assert surveys[0] == surveys[1] == copy.copy(surveys[0]) and surveys[0] != surveys[2] and surveys[0] != 1
    assert repr(surveys[2]) == "<placemat.Survey of 0 files: 1 text, 1 error>"


def test_equal_columns_are_equal():
    pa = pytest.importorskip("pyarrow")
    from placemat import arrow

    rows = [b"plain", b"caf\xe9", None, b"x" * 20]
    parts = [pa.chunked_array([rows[:at], rows[at:]], pa.binary()) for at in range(5)] + [pa.chunked_array([rows])]
    for work in [arrow.repair, arrow.is_valid, arrow.first_error, arrow.detect, arrow.lengths]:
        one, other = work(pa.array(rows)), work(pa.array([*rows[:3], b"y\xff" * 10]))
        assert one == work(pa.array(rows)) == pickle.loads(pickle.dumps(one)) and one[1:3] == work(pa.array(rows))[1:3]
        assert (one == other) == (one.to_pylist() == other.to_pylist()) and one != one[:3] and one != one.to_pylist()
        chunked = [work(column) for column in parts]
        assert all(column == chunked[0] for column in chunked) and chunked[0] != work(pa.chunked_array([rows[:2], rows[:2]]))
        with pytest.raises(TypeError, match="unhashable"):
            hash(one)
    assert arrow.repair(pa.array([b"a"])) != arrow.repair(pa.array([b"a"], pa.large_binary()))
    assert arrow.repair(pa.chunked_array([], pa.binary())) == arrow.repair(pa.chunked_array([[]], pa.binary()))


def test_limits_are_checked():
    for work in [placemat.errors, placemat.explain]:
        with pytest.raises(ValueError, match="limit must not be negative"):
            work(b"a", limit=-1)
        assert work(b"\xff\xff", limit=0) == []


def test_columns_can_be_copied():
    pa = pytest.importorskip("pyarrow")
    from placemat import arrow

    whole = pa.array([b"plain", b"caf\xe9", None, b"not inlined, since it is long \xe9"])
    parts = pa.chunked_array([whole[:1], whole[1:]])
    for column in [whole, parts, whole.cast(pa.large_binary()), whole.dictionary_encode(), pa.array(whole.to_pylist(), pa.binary_view())]:
        for work in [arrow.is_valid, arrow.repair, arrow.first_error, arrow.errors, arrow.detect, arrow.mojibake, arrow.lengths]:
            found = work(column)
            for part in [found, found[1:2], found[:0]]:
                for twin in [pickle.loads(pickle.dumps(part)), copy.copy(part), copy.deepcopy(part)]:
                    assert repr(twin) == repr(part) and twin.to_pylist() == part.to_pylist()
    assert pa.table(pickle.loads(pickle.dumps(arrow.errors(whole)))).column_names == ["row", "offset", "length", "kind"]
    assert arrow.Array(whole).to_pylist() == whole.to_pylist()
    with pytest.raises(ValueError, match="this column has 2: ChunkedArray takes it"):
        arrow.Array(parts)
    with pytest.raises(TypeError, match="PyCapsule interface is required"):
        arrow.ChunkedArray([b"a"])


def test_a_column_comes_back_from_another_process():
    pa = pytest.importorskip("pyarrow")
    from placemat import arrow

    with concurrent.futures.ProcessPoolExecutor(1, multiprocessing.get_context("spawn")) as pool:
        assert pool.submit(arrow.repair, pa.array([b"caf\xe9"]), "cp1252").result().to_pylist() == ["café"]


def test_names_of_legacy_encodings_are_listed():
    assert ("whatwg", "ms_kanji") in placemat.labels("shift_jis") == placemat.labels("sjis")
    assert ("lenient", "ruscii") in placemat.labels("cp1125")
    for unknown in ["utf-88", ""]:
        with pytest.raises(LookupError, match="unknown encoding"):
            placemat.labels(unknown)


def test_kinds_are_a_list_of_names():
    columns = pytest.importorskip("pyarrow") and placemat.arrow
    for work in [placemat.invisible, lambda data, **how: columns.invisible([data], **how), lambda data, **how: columns.invisible_counts([data], **how)]:
        assert len(work(b"\x1b[31m", kinds=("control",))) == 1
        for wrong, given in [("control", "'control'"), ([b"control"], r"\[b'control'\]"), (1, "1")]:
            with pytest.raises(TypeError, match=rf'kinds is a list of names, such as \["control"\], not {given}'):
                work(b"\x1b[31m", kinds=wrong)
        with pytest.raises(ValueError, match="esc: one of tag-payload, "):
            work(b"", kinds=["esc"])
