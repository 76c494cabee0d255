"""The fast paths of codecs and columns give the same results as the general ones and CPython."""

import contextlib
import gc
import random
import sys

import placemat
import placemat.arrow
import pyarrow as pa
import pytest

PAIRS = {
    "placemat-utf-8": "utf-8", "placemat-utf-16le": "utf-16-le", "placemat-utf-16be": "utf-16-be", "placemat-utf-32le": "utf-32-le",
    "placemat-utf-32be": "utf-32-be", "placemat-us-ascii": "ascii", "placemat-iso-8859-1": "latin-1", "placemat-utf-7": "utf-7",
}  # fmt: skip
LETTERS = ["ab c\n", "é", "ÿ", "Ж", "日", "😀", "\x00", "\u20ac", "\ufeff", "\uffff", "\U0010ffff", "\ud800", "\udc80"]


def texts():
    source = random.Random(26)
    for _ in range(600):
        letters = source.sample(LETTERS, source.randrange(1, 4))
        yield "".join(source.choice(letters) for _ in range(source.choice([1, 7, 100, 1100, 3000])))
    yield "plain " * 1000
    yield "aé" * 200_000


@pytest.mark.parametrize("ours", PAIRS)
def test_whole_texts_are_those_of_cpython(ours):
    for text in texts():
        try:
            data = text.encode(PAIRS[ours])
        except UnicodeEncodeError:
            if ours != "placemat-utf-7":
                with pytest.raises(UnicodeEncodeError):
                    text.encode(ours)
            continue
        if ours != "placemat-utf-7":
            assert text.encode(ours) == data
            assert data.decode(ours) == text
        elif text.isascii() and "\x00" not in text:
            assert data.decode(ours) == text


@pytest.mark.parametrize("errors", ["replace", "ignore", "surrogateescape", "backslashreplace"])
def test_malformed_texts_are_those_of_cpython(errors):
    source = random.Random(27)
    for text in texts():
        data = bytearray(text.encode("utf-8", "surrogatepass"))
        for _ in range(len(data) // 50 + 1):
            data[source.randrange(len(data))] = source.randrange(256)
        assert bytes(data).decode("placemat-utf-8", errors) == bytes(data).decode("utf-8", errors)


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "surrogateescape", "backslashreplace", "xmlcharrefreplace", "surrogatepass"])
@pytest.mark.parametrize("name", ["us-ascii", "iso-8859-1", "windows-1252"])
def test_what_single_bytes_lack_is_as_in_streams(name, errors):
    codec = placemat._core.Codec(name)
    own = {"us-ascii": "ascii", "iso-8859-1": "latin-1"}.get(name)
    for text in [*texts(), "", "\x81€Ж", "\udc81", "\udc7f", "é\udcff" * 100]:
        text = text[:4000]
        encoded = outcome(codec.encode_whole, text, errors)
        assert encoded == outcome(codec.encode, text, errors)
        if own and isinstance(encoded, bytes) and errors != "surrogatepass":
            assert encoded == text.encode(own, errors)
        data = text.encode("utf-8", "replace")
        if errors != "xmlcharrefreplace":
            assert outcome(codec.decode_whole, data, errors) == outcome(codec.decode, data, errors, True)


@pytest.mark.parametrize("errors", ["strict", "replace", "ignore", "surrogateescape", "backslashreplace", "xmlcharrefreplace", "surrogatepass"])
@pytest.mark.parametrize("name", ["utf-8", "utf-16le", "utf-16be", "utf-16", "utf-32le", "utf-32be", "utf-7"])
def test_handlers_say_what_they_say_in_streams(name, errors):
    codec = placemat._core.Codec(name)
    source = random.Random(31)
    for text in [*texts(), "\ud800", "\ud83d\ude00", "\ufeff\ud800", "\ud800\ufeff", "a\ud800b" * 30, "😀\udfffЖ" * 400]:
        text = text[:3000]
        assert outcome(codec.encode_whole, text, errors) == outcome(codec.encode, text, errors)
        data = bytearray(text.encode({"utf-7": "utf-7", "utf-16": "utf-16-be", "utf-32": "utf-32-be"}.get(name, name), "surrogatepass"))
        for _ in range(len(data) // 50 + 1):
            data[source.randrange(len(data))] = source.choice([0, 0xD8, 0xDC, 0xDF, 0xFF, 0x80])
        if errors != "xmlcharrefreplace":
            for some in [bytes(data), bytes(data[:200]), bytes(data[:-1])]:
                assert outcome(codec.decode_whole, some, errors) == outcome(codec.decode, some, errors, True)


class Text(str):
    """A subclass of str."""


@pytest.mark.parametrize("name", ["utf-8", "utf-16-le", "utf-16-be", "utf-32-le", "utf-32-be"])
def test_texts_are_read_where_they_stand(name):
    codec = placemat._core.Codec(name.replace("-le", "le").replace("-be", "be"))
    for letters in ["a", "é", "aé", "Ж", "aЖ", "日", "😀", "aé😀", "\x00é", "\ufeffЖ", "\ud800Ж"]:
        for length in [*range(70), *range(126, 131), 1000]:
            text = (letters * 1000)[:length]
            wanted = outcome(lambda text: (text.encode(name), 0), text)
            # A str in which CPython has stored its UTF-8.
            kept = "".join(list(text))
            with contextlib.suppress(LookupError, ValueError):
                placemat._core.Codec(kept)
            for other in [text, Text(text), kept]:
                if isinstance(wanted, bytes):
                    assert outcome(codec.encode_whole, other) == wanted
                else:
                    assert outcome(codec.encode_whole, other) == outcome(codec.encode, other)


def test_relatives_are_told_apart_from_utf_8():
    assert "a\x00".encode("mutf-8") == b"a\xc0\x80"
    assert "😀".encode("cesu-8") == b"\xed\xa0\xbd\xed\xb8\x80"
    assert "a😀".encode("wtf-8") == "a😀".encode()
    with pytest.raises(UnicodeDecodeError):
        "😀".encode().decode("cesu-8")


def test_whole_texts_of_utf_7_are_those_of_its_streams():
    codec = placemat._core.Codec("utf-7")
    source = random.Random(28)
    for text in [*texts(), "+", "a+b", "é-", "é+", "éA", "é ", "\\~", "\t\r\n", "+-", "😀😀", "é😀-"]:
        if any("\ud800" <= c < "\ue000" for c in text):
            with pytest.raises(UnicodeEncodeError):
                codec.encode_whole(text)
            continue
        data = codec.encode(text, "strict", 0)[0]
        assert codec.encode_whole(text)[0] == data
        assert codec.decode_whole(data) == (text, len(data))
        damaged = bytearray(data[:200])
        for _ in range(20):
            if damaged:
                damaged[source.randrange(len(damaged))] = source.choice(b"+-AB/=~ \xe9\x00\x7f")
            assert outcome(codec.decode_whole, bytes(damaged)) == outcome(codec.decode, bytes(damaged), "strict", True)


@pytest.mark.parametrize("name", ["utf-8/bom", "utf-16", "utf-32", "utf-8"])
def test_whole_texts_with_a_mark_or_surrogates_are_those_of_streams(name):
    codec = placemat._core.Codec(name)
    for text in [*texts(), "", "\ufeff", "\ufeffa", "\ufffea", "a\ufeff", "\udc7f", "\udcff", "a\udc80é\udfff"]:
        for errors in ["strict", "surrogateescape", "surrogatepass", "replace", "ignore", "backslashreplace"]:
            whole = outcome(codec.encode_whole, text, errors)
            assert whole == outcome(codec.encode, text, errors)
            if isinstance(whole, bytes):
                for data in [whole, whole[::-1], whole[1:], whole + b"\xff"]:
                    assert outcome(codec.decode_whole, data, errors) == outcome(codec.decode, data, errors, True)


def outcome(work, *arguments):
    """The first value that `work` returns, or the place and reason of its UnicodeError."""
    try:
        return work(*arguments)[0]
    except UnicodeError as error:
        return error.start, error.end, error.reason


def test_all_bytes_of_windows_1252():
    every = bytes(range(256))
    assert every.decode("placemat-windows-1252") == placemat.convert(every, "windows-1252").decode()
    assert every.decode("placemat-windows-1252").encode("placemat-windows-1252") == every
    assert b"caf\xe9".decode("placemat-windows-1252") == "café"
    with pytest.raises(UnicodeEncodeError):
        "Ж".encode("placemat-windows-1252")


@pytest.mark.parametrize("name", ["placemat-utf-8", "cesu-8", "mutf-8", "wtf-8", "placemat-utf-7", "placemat-utf-16le"])
def test_a_str_keeps_no_copy(name):
    text = "é€" * 1000 + "+"
    size = sys.getsizeof(text)
    text.encode(name)
    assert sys.getsizeof(text) == size


SINGLE = "windows-1252 windows-1251 koi8-r iso-8859-1 iso-8859-2 iso-8859-15 windows-874 ibm866 cp850 cp437 macintosh".split()
SEVERAL = ["shift_jis", "euc-jp", "euc-kr", "gbk", "gb18030", "big5", "iso-2022-jp"]


def columns(rows):
    yield pa.array(rows, pa.binary())
    yield pa.array(rows, pa.large_binary())
    yield pa.array(rows, pa.binary_view())
    yield pa.array([b"other", *rows], pa.binary())[1:]
    yield pa.array(rows, pa.binary()).dictionary_encode()


def each_character(codec):
    return "".join(map(chr, range(0x80, 0xD800))).encode(codec, "ignore")


@pytest.mark.parametrize("name", SINGLE + SEVERAL)
@pytest.mark.parametrize("on_error", ["replace", "skip"])
def test_legacy_columns_are_their_rows(name, on_error):
    source = random.Random(28)
    some = [bytes(source.choice([97, 32, source.randrange(256)]) for _ in range(source.choice([0, 3, 12, 13, 40, 300, 700]))) for _ in range(300)]
    words = ["naïve", "Привет", "日本語", "한국어", "中文", "plain"]
    for word in words:
        try:
            some.append((word * 50).encode({"windows-874": "cp874", "ibm866": "cp866", "macintosh": "mac-roman"}.get(name, name)))
        except UnicodeEncodeError:
            pass
    some += [each_character({"windows-874": "cp874", "ibm866": "cp866", "macintosh": "mac-roman"}.get(name, name))[at : at + 999] for at in range(0, 60_000, 999)]
    # Escapes of ISO-2022-JP and parts of them, among characters, parts of characters and malformed bytes.
    pieces = [b"\x1b$B", b"\x1b(B", b"\x1b$@", b"\x1b(J", b"\x1b(I", b"\x1b$", b"\x1b(", b"\x1b", b"F|", b"K\\8l" * 90, b"a\\~", b"\n", b"!", b"\x0e", b"\xff", b"text " * 60]
    some += [b"".join(source.choices(pieces, k=source.choice([2, 4, 9]))) for _ in range(400)]
    rows = [*some, None, b"", *some[:50]]
    wanted = [row if row is None else placemat.convert(row, name, on_error=on_error).decode() for row in rows]
    for column in columns(rows):
        assert placemat.arrow.convert(column, name, on_error=on_error).to_pylist() == wanted


def test_the_first_row_in_error_is_named():
    rows = [b"fine", b"\x81", b"fine", b"\x81\xff"]
    for column in columns(rows):
        with pytest.raises(placemat.ConversionError) as caught:
            placemat.arrow.convert(column, "shift_jis")
        assert caught.value.row == 1
    for column in columns([b"ok", b"\xdb", b"\xfc"]):
        with pytest.raises(placemat.ConversionError) as caught:
            placemat.arrow.convert(column, "windows-874")
        assert caught.value.row == 1


@pytest.mark.parametrize("policy", ["replace", "cp1252", "latin1", "skip", "replace-run", "escape", "surrogateescape"])
def test_dirty_rows_are_repaired_as_by_themselves(policy):
    source = random.Random(29)
    rows = [bytes(source.choice(b"ab \xe9\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\x81") for _ in range(source.choice([0, 5, 30, 200, 900]))) for _ in range(800)]
    try:
        wanted = [placemat.repair(row, policy).decode() for row in rows]
    except (ValueError, UnicodeDecodeError):
        pytest.skip("no text by this policy")
    assert placemat.arrow.repair(pa.array(rows, pa.binary()), policy).to_pylist() == wanted


def test_lengths_by_blocks():
    source = random.Random(30)
    rows = [bytes(source.choice("aé日😀".encode()) for _ in range(source.randrange(9))) if at > 3000 else "aé日😀"[: at % 5].encode() for at in range(5000)]
    assert placemat.arrow.lengths(pa.array(rows, pa.binary())).to_pylist() == [placemat.count(row) for row in rows]


def test_memory_that_is_used_again_is_not_that_of_others():
    kept = []
    for byte in b"abcd":
        column = pa.array([bytes([byte]) * 100 + b"\xff"] * 30_000)
        kept.append(pa.array(placemat.arrow.repair(column)))
        pa.array(placemat.arrow.repair(column))
        gc.collect()
    for byte, column in zip("abcd", kept, strict=True):
        assert column.unique().to_pylist() == [byte * 100 + "�"]
    placemat.arrow.release_memory()
