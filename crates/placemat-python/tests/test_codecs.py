"""What Python requires of a codec, tested on every form: handlers, streams, states, arguments."""

import array
import codecs
import copy
import io
import itertools
import mmap
import pickle
import random
import subprocess
import sys
import threading
import time

import placemat
import pytest

FORMS = [form.name for form in placemat.forms()]
NAMES = ["placemat-" + form for form in FORMS]

# ASCII, which every form can encode, and characters that only some forms can.
SAMPLES = ["abc\n", "naïve\nÀ\r\n", "日本語\n한글\n", "a😀b\U0010ffffc\n", "x\x00y\n", "€uro + & -\n", "\ufeffmark\n", "lone \ud800 \udfff.\n", "\udc80\n", "caf\udce9\n"]


def carried(name):
    for text in SAMPLES:
        try:
            text.encode(name)
        except UnicodeEncodeError:
            continue
        yield text


def test_every_form_has_a_codec_under_each_of_its_names():
    for form in FORMS:
        assert codecs.lookup("placemat-" + form).name == "placemat-" + form
        assert codecs.lookup(form.upper()).encode("a")[1] == 1
    for name, form in [("MUTF8", "mutf-8"), ("Cesu8", "cesu-8"), ("wtf8", "wtf-8"), ("csCESU-8", "cesu-8"), ("utf_7_imap", "utf-7-imap")]:
        assert codecs.lookup(name).name == form
    with pytest.raises(LookupError):
        codecs.lookup("placemat-no-such-form")
    with pytest.raises(LookupError):
        codecs.lookup("placemat-koi8-r")


def test_python_keeps_what_is_its_own():
    for name in ["utf-8", "utf8", "utf-7", "utf-16", "utf-16-le", "utf-32", "ascii", "latin-1", "cp1252"]:
        assert "placemat" not in codecs.lookup(name).name
        assert codecs.lookup(name).incrementaldecoder.__module__ != "placemat.codecs"


def test_registering_twice_changes_nothing():
    before = codecs.lookup("mutf-8")
    placemat.register()
    assert codecs.lookup("mutf-8") is before


@pytest.mark.parametrize("name", NAMES)
def test_text_comes_back(name, tmp_path):
    texts = list(carried(name))
    assert texts[0] == "abc\n"
    for text in texts:
        data = text.encode(name)
        assert data.decode(name) == text
        # io.TextIOWrapper, without translation of line endings.
        path = tmp_path / "file"
        with open(path, "w", encoding=name, newline="") as file:
            file.write(text)
        assert path.read_bytes() == data
        with open(path, encoding=name, newline="") as file:
            assert file.read() == text
        with open(path, encoding=name, newline="") as file:
            assert "".join(file) == text
        with open(path, encoding=name, newline="") as file:
            assert "".join(iter(lambda: file.read(1), "")) == text
        with codecs.open(path, encoding=name) as file:
            assert "".join(file) == text
        assert "".join(codecs.iterdecode((bytes([byte]) for byte in data), name)) == text
        assert b"".join(codecs.iterencode([text], name)) == data


@pytest.mark.parametrize("name", NAMES)
def test_places_in_a_file_are_found_again(name, tmp_path):
    lines = [text for text in carried(name) if "\ufeff" not in text] * 30
    path = tmp_path / "file"
    with open(path, "w", encoding=name, newline="") as file:
        file.write("".join(lines))
    with open(path, encoding=name, newline="") as file:
        for count in (1, 2, 3, 5, 8, 13, 100):
            file.read(count)
            place = file.tell()
            rest = file.read()
            file.seek(place)
            assert file.read() == rest, (name, count)
            file.seek(place)
        file.seek(0)
        assert file.read() == "".join(lines)


@pytest.mark.parametrize("name", NAMES)
def test_a_file_is_appended_to_with_one_mark(name, tmp_path):
    path = tmp_path / "file"
    for mode in "wa":
        with open(path, mode, encoding=name, newline="") as file:
            file.write("spam")
    assert path.read_bytes().decode(name) == "spamspam"
    with open(path, "r+", encoding=name, newline="") as file:
        file.write("eggs")
        file.seek(0)
        assert file.read() == "eggsspam"


@pytest.mark.parametrize("form", ["utf-16", "utf-32"])
def test_a_stream_keeps_its_order_where_a_handler_jumps(form):
    width = int(form[-2:]) // 8
    codecs.register_error("far", lambda error: ("?", min(len(error.object), error.end + width)))
    for order in ("le", "be"):
        data = "\ufeffa\udc00bcd".encode(f"{form}-{order}", "surrogatepass")
        for cut in range(2 * width, len(data), width):
            decoder = codecs.getincrementaldecoder("placemat-" + form)("far")
            assert decoder.decode(data[:cut]) + decoder.decode(data[cut:], True) in ("a?cd", "a?bcd"), (order, cut)


@pytest.mark.parametrize("name", NAMES)
def test_characters_come_one_at_a_time(name):
    for text in carried(name):
        encoder = codecs.getincrementalencoder(name)()
        try:
            data = b"".join([encoder.encode(c) for c in text] + [encoder.encode("", True)])
        except UnicodeEncodeError:
            # Names in IMAP must not have two adjacent runs, so a run must be written in one call.
            assert name == "placemat-utf-7-imap"
            continue
        decoder = codecs.getincrementaldecoder(name)()
        assert "".join([decoder.decode(bytes([byte])) for byte in data] + [decoder.decode(b"", True)]) == text
        encoder.reset()
        assert encoder.encode(text, True) == text.encode(name)


@pytest.mark.parametrize("name", NAMES)
def test_states_can_be_set_in_another_encoder(name):
    for text in [text for text in carried(name) if text.isascii()]:
        whole = text.encode(name)
        for cut in range(len(text) + 1):
            first = codecs.getincrementalencoder(name)()
            head = first.encode(text[:cut])
            second = codecs.getincrementalencoder(name)()
            state = first.getstate()
            assert isinstance(state, int)
            second.setstate(state)
            rest = second.encode(text[cut:], True)
            assert (head + rest).decode(name) == text
            if "\0" not in text and "+" not in text:
                assert head + rest == whole or "utf-7" in name


def test_surrogates_pass_behind_a_mark_in_any_chunks():
    data = b"\xef\xbb\xbfa\xed\xb0\x80\xef\xbb\xbf\xed\xa0\x80"
    assert data.decode("utf-8/bom", "surrogatepass") == "a\udc00\ufeff\ud800"
    assert "".join(codecs.iterdecode((bytes([byte]) for byte in data), "utf-8/bom", "surrogatepass")) == "a\udc00\ufeff\ud800"
    assert "a\udc00\ufeff\ud800".encode("utf-8/bom", "surrogatepass") == data


def test_text_that_begins_like_a_mark_has_one():
    for text in ["\ufeffa", "\ufffea"]:
        assert text.encode("utf-16/web").decode("utf-16/web") == text
        assert b"".join(codecs.iterencode(text, "utf-16/web")) == text.encode("utf-16/web")


def test_halves_that_would_join_are_refused_not_forged():
    encoder = codecs.getincrementalencoder("wtf-8")()
    assert encoder.encode("\ud83d") == b"\xed\xa0\xbd"
    with pytest.raises(UnicodeEncodeError):
        encoder.encode("\ude00")
    encoder.reset()
    assert encoder.encode("\ud83d\ude00") == "😀".encode()
    encoder = codecs.getincrementalencoder("utf-8b")()
    assert encoder.encode("\udce2") + encoder.encode("\udc82") == b"\xe2\x82"
    with pytest.raises(UnicodeEncodeError):
        encoder.encode("\udcac")
    # Modified UTF-8 writes the two surrogates of a pair separately anyway.
    encoder = codecs.getincrementalencoder("mutf-8")()
    assert encoder.encode("\ud83d") + encoder.encode("\ude00") == "😀".encode("mutf-8")


# Well-formed and malformed pieces of every form, for random texts.
PIECES = [b"a", b"bc\n", b"+", b"-", b"&", b"AGE", b"\x00", b"\x80", b"\xff", b"\xfe\xff", b"\xff\xfe", b"\xef\xbb\xbf", b"\xed\xa0\x80", b"\xed\xb0\x80", b"\xc0\x80",
          b"\xe2\x82", b"\xe2\x82\xac", b"\xf0\x9f\x98\x80", b"\xd8\x00", b"\xdc\x00", b"\x3d\xd8\x00\xde", b"\xef\xbf\xbe", b"\xf7\x40", b"\xff" * 7, b"\0\0\xd8\0", b"\0\xd8\0\0"]
HANDLERS = ["strict", "ignore", "replace", "backslashreplace", "surrogateescape", "surrogatepass", "test.number", *("placemat." + name for name in placemat.policies())]


def numbering():
    """Register a handler that numbers its calls: the text shows if it is called twice for one error."""
    count = itertools.count()
    codecs.register_error("test.number", lambda error: (f"<{next(count)}>", error.end))


def in_chunks(decoder, chunks, through_state):
    """The text from an incremental decoder, or its error with offsets from the start of the whole."""
    text, read = [], 0
    for at, chunk in enumerate(chunks):
        if through_state:
            state = decoder.getstate()
            decoder = type(decoder)(decoder.errors)
            decoder.setstate(state)
        kept = len(decoder.getstate()[0])
        try:
            text.append(decoder.decode(chunk, at == len(chunks) - 1))
        except UnicodeDecodeError as error:
            return error.start + read - kept, error.end + read - kept, error.reason
        read += len(chunk)
    return "".join(text)


@pytest.mark.parametrize("errors", HANDLERS)
def test_chunks_never_matter_to_readers(errors):
    dice = random.Random(errors)
    for name in NAMES * 8:
        data = b"".join(dice.choices(PIECES, k=dice.randint(0, 9)))
        cuts = [0, *sorted(dice.choices(range(len(data) + 1), k=dice.randint(0, 4))), len(data)]
        chunks = [data[start:end] for start, end in itertools.pairwise(cuts)]
        numbering()
        whole = in_chunks(codecs.getincrementaldecoder(name)(errors), [data], False)
        numbering()
        assert in_chunks(codecs.getincrementaldecoder(name)(errors), chunks, dice.random() < 0.5) == whole, (name, chunks)
        numbering()
        try:
            assert data.decode(name, errors) == whole, (name, data)
        except UnicodeDecodeError as error:
            assert (error.start, error.end, error.reason) == whole, (name, data)


def test_stand_ins_at_the_end_of_a_chunk_are_not_lost(tmp_path):
    assert "".join(codecs.iterdecode([b"\xff" * 6], "cesu-8", "backslashreplace")) == "\\xff" * 6
    path = tmp_path / "file"
    for count in range(1, 40):
        path.write_bytes(b"\xff" * count)
        for errors in ["replace", "surrogateescape"]:
            with open(path, encoding="cesu-8", errors=errors) as file:
                assert len("".join(file)) == count


def test_handlers_are_asked_once():
    for name in ["wtf-8", "mutf-8", "utf8mb3"]:
        numbering()
        assert b"a\xffb\xfec\xed\xa0\x80d\xff".decode(name, "test.number") == "a<0>b<1>c\ud800d<2>"


CHARACTERS = ["a", "+", "-", "&", "é", "ü", "€", "😀", "日", "한", "\ud83d", "\ude00", "\udc80", "\udcc3", "\udca9", "\udce2", "\udc82", "\udcac", "\uef80", "\uefc3", "\uefa9",
              "\ufeff", "\ufffe", "\x00", "~", "\\", "\n"]


def units(text):
    """The text as UTF-16, in which two surrogates of a pair equal the character, because they are decoded so."""
    return text.encode("utf-16-le", "surrogatepass")


@pytest.mark.parametrize("errors", ["strict", "ignore", "replace", "backslashreplace", "xmlcharrefreplace", "namereplace", "placemat.escape", "test.forge"])
def test_what_is_written_in_pieces_is_read_as_it_was_written(errors):
    # Its replacement may combine with what was written before it to a character.
    codecs.register_error("test.forge", lambda error: (dice.choice(["", "\udca9", "\udcac", b"", "ö"]), error.end))
    dice = random.Random(errors)
    # These two profiles write any bytes unchecked; that is their purpose.
    for name in [name for name in NAMES if not name.endswith(("/python", "/mirbsd"))] * 20:
        pieces = ["".join(dice.choices(CHARACTERS, k=dice.randint(0, 4))) for _ in range(dice.randint(1, 4))]
        encoder, written = codecs.getincrementalencoder(name)(errors), []
        for piece in pieces:
            if dice.random() < 0.5:
                state = encoder.getstate()
                encoder = codecs.getincrementalencoder(name)(errors)
                encoder.setstate(state)
            try:
                written.append(encoder.encode(piece))
            except UnicodeEncodeError:
                break
        # The first piece has the byte order mark, which also decides the byte order of the pieces behind it.
        reader = codecs.getincrementaldecoder(name)()
        alone = []
        for data in written:
            state = reader.getstate()[1]
            alone.append(reader.decode(data, True))
            reader.setstate((b"", state if not alone[-1] and not data else reader.getstate()[1]))
        try:
            whole = b"".join(written).decode(name)
        except UnicodeDecodeError as error:
            raise AssertionError((name, pieces, written)) from error
        assert units(whole) == units("".join(alone)), (name, pieces, written)
        if errors == "strict":
            assert units(whole) == units("".join(pieces[: len(written)])), (name, pieces, written)


def test_a_refused_neighbour_forges_nothing(tmp_path):
    def write(name, errors, *pieces):
        return b"".join(codecs.iterencode(pieces, name, errors))

    assert write("utf-8b", "replace", "\udcc3", "\udca9\ud83d") == b"\xc3??"
    assert write("utf-8b", "ignore", "\udce2", "\udc82\ud83d\udcac") == b"\xe2\x82"
    assert write("optu-8", "replace", "\uefc3", "\uefa9\ufffe") == b"\xc3??"
    assert write("utf-7-imap", "replace", "é", "ü\ud800") == b"&AOk-??"
    assert write("utf-7-imap", "replace", "é", "\ud800ü") == b"&AOk-?&APw-"
    path = tmp_path / "name"
    with open(path, "w", encoding="utf-7-imap", errors="ignore") as file:
        for piece in ["é", "\ud800", "ü", "!", "ö"]:
            file.write(piece)
            file.flush()
    assert path.read_bytes() == b"&AOk-!&APY-"


def test_runs_are_closed_at_the_end_of_each_call():
    encoder = codecs.getincrementalencoder("placemat-utf-7")()
    data = encoder.encode("日") + encoder.encode("本") + encoder.encode("-a", True)
    assert data.decode("placemat-utf-7") == data.decode("utf-7") == "日本-a"


@pytest.mark.parametrize("name", NAMES)
def test_bad_arguments_are_type_errors(name):
    info = codecs.lookup(name)
    for bad in [42, None, "text"]:
        with pytest.raises(TypeError):
            info.decode(bad)
    for bad in [42, None, b"bytes"]:
        with pytest.raises(TypeError):
            info.encode(bad)
    with pytest.raises(TypeError):
        info.decode()
    with pytest.raises(TypeError):
        info.encode()
    decoder = info.incrementaldecoder()
    with pytest.raises((TypeError, ValueError, OverflowError)):
        decoder.setstate((b"", 1 << 30))
    with pytest.raises((TypeError, ValueError, OverflowError)):
        decoder.setstate((b"", -1))
    with pytest.raises(LookupError):
        info.encode("\ud800\udfff\U0010fffe", "test.unheard-of") if name in ("placemat-us-ascii",) else info.decode(b"", "strict") and codecs.lookup_error("test.unheard-of")


@pytest.mark.parametrize("name", NAMES)
def test_empty_input_is_empty_output(name):
    assert codecs.lookup(name).encode("") == (b"", 0)
    assert codecs.lookup(name).decode(b"") == ("", 0)
    assert b"".join(codecs.iterencode([], name)) == b""
    for empty in [bytearray(), memoryview(b""), array.array("B")]:
        assert codecs.decode(empty, name) == ""


def test_any_buffer_will_do():
    data = "naïve 😀".encode("cesu-8")
    for lent in [bytearray(data), memoryview(data), memoryview(bytearray(data)), array.array("B", data)]:
        assert codecs.decode(lent, "cesu-8") == "naïve 😀"
        assert codecs.lookup("cesu-8").decode(lent)[1] == len(data)
    with pytest.raises(BufferError):
        codecs.lookup("cesu-8").decode(memoryview(data)[::2])


class TestHandlers:
    """Custom error handlers, with every kind of return value."""

    @pytest.fixture(autouse=True)
    def register(self):
        self.answer = ("?", 1)
        codecs.register_error("test.answer", lambda error: self.answer(error) if callable(self.answer) else self.answer)

    def decode(self, data, answer, name="cesu-8"):
        self.answer = answer
        return data.decode(name, "test.answer")

    def encode(self, text, answer, name="placemat-iso-8859-1"):
        self.answer = answer
        return text.encode(name, "test.answer")

    def test_positions(self):
        assert self.decode(b"a\xffbc", ("<>", 2)) == "a<>bc"
        assert self.decode(b"a\xffbc", ("<>", 3)) == "a<>c"
        assert self.decode(b"a\xffbc", ("<>", 4)) == "a<>"
        assert self.decode(b"a\xffbc", ("<>", -1)) == "a<>c"
        assert self.decode(b"a\xffbc", ("", -2)) == "abc"
        for out in [5, -5, 10**9, -(10**9)]:
            with pytest.raises(IndexError):
                self.decode(b"a\xffbc", ("<>", out))
        with pytest.raises((IndexError, OverflowError)):
            self.decode(b"a\xffbc", ("<>", 10**30))
        assert self.encode("a€bc", ("?", 2)) == b"a?bc"
        assert self.encode("a€bc", ("?", -1)) == b"a?c"
        assert self.encode("a€b€€c", lambda e: ("<é>", e.end)) == b"a<\xe9>b<\xe9>c"
        assert self.encode("a€bc", (b"\x80\x81", 4)) == b"a\x80\x81"
        with pytest.raises(IndexError):
            self.encode("a€bc", ("?", 5))

    def test_going_back_is_allowed(self):
        seen = []

        def back_once(error):
            seen.append(error.start)
            return ("!", 0) if len(seen) == 1 else ("?", error.end)

        assert self.decode(b"ab\xffc", back_once) == "ab!ab?c"
        seen.clear()
        assert self.encode("ab€c", back_once) == b"ab!ab?c"

    def test_wrong_answers(self):
        for wrong in [42, None, "x", ("x",), ("x", 1, 2), (b"x", 1), ("x", "y"), [1, "x"], (None, 1), ("x", 1.5)]:
            with pytest.raises(TypeError):
                self.decode(b"\xff", wrong)
        for wrong in [42, None, "x", ("x",), ("x", 1, 2), ("x", "y"), (None, 1), (bytearray(b"x"), 1)]:
            with pytest.raises(TypeError):
                self.encode("€", wrong)
        with pytest.raises(LookupError):
            b"\xff".decode("cesu-8", "test.nobody")
        assert b"fine".decode("cesu-8", "test.nobody") == "fine"

    def test_what_the_exception_says(self):
        for name, data, start, end, reason in [
            ("mutf-8", b"a\x00b", 1, 2, "non-canonical"),
            ("cesu-8", b"caf\xe9!", 3, 4, "missing-continuation"),
            ("placemat-utf-16le", b"a\x00\x00\xd8", 2, 4, "truncated"),
            ("utf-7-imap", b"&", 0, 1, "truncated"),
        ]:
            with pytest.raises(UnicodeDecodeError) as caught:
                data.decode(name)
            error = caught.value
            assert (error.encoding, error.object, error.start, error.end, error.reason) == (
                name.removeprefix("placemat-"), data, start, end, reason)
        with pytest.raises(UnicodeEncodeError) as caught:
            "grüß €".encode("placemat-us-ascii")
        error = caught.value
        assert (error.encoding, error.object, error.start, error.end) == ("us-ascii", "grüß €", 2, 4)

    def test_handlers_may_put_another_object_in_place(self):
        def wrong(error):
            error.object = 42
            return "x", 0

        def other(error):
            error.object = b""
            return "x", 0

        for name in ["cesu-8", "wtf-8", "placemat-utf-8", "placemat-utf-16", "placemat-utf-7", "utf-1"]:
            data = b"+" if name == "placemat-utf-7" else b"\xff"
            with pytest.raises(TypeError):
                self.decode(data, wrong, name)
            assert self.decode(data, other, name) == "x"

    def test_exceptions_of_handlers_pass(self):
        def fails(error):
            raise ZeroDivisionError

        with pytest.raises(ZeroDivisionError):
            self.decode(b"\xff", fails)
        with pytest.raises(ZeroDivisionError):
            self.encode("€", fails)

    def test_pythons_own(self):
        assert b"a\xffb".decode("cesu-8", "backslashreplace") == "a\\xffb"
        assert b"a\xff\xe9b".decode("cesu-8", "surrogateescape") == "a\udcff\udce9b"
        assert "a\udcffb".encode("cesu-8", "surrogateescape") == b"a\xffb"
        text = "é€\U0001f600"
        assert text.encode("placemat-iso-8859-1", "xmlcharrefreplace") == b"\xe9&#8364;&#128512;"
        assert text.encode("placemat-us-ascii", "namereplace") == text.encode("ascii", "namereplace")
        assert text.encode("placemat-us-ascii", "backslashreplace") == text.encode("ascii", "backslashreplace")
        assert text.encode("placemat-us-ascii", "replace") == b"???"
        assert text.encode("placemat-us-ascii", "ignore") == b""
        assert "a\ud800".encode("cesu-8", "surrogatepass") == b"a\xed\xa0\x80"
        assert b"a\xed\xa0\x80".decode("placemat-utf-8", "surrogatepass") == "a\ud800"

    def test_a_run_of_what_the_form_never_carries_is_one_error(self):
        seen = []
        self.encode("a€€b\ud800€", lambda e: seen.append((e.start, e.end)) or ("?", e.end))
        assert seen == [(1, 3), (4, 6)]
        assert self.encode("a€€b", lambda e: ("?" * (e.end - e.start), e.end)) == b"a??b"

    def test_stand_ins_that_the_form_lacks_are_the_first_error(self):
        with pytest.raises(UnicodeEncodeError) as caught:
            self.encode("a€b", ("\u20ac", 2))
        assert (caught.value.start, caught.value.end) == (1, 2)

    def test_bytes_must_be_whole_units(self):
        for name, unit in [("placemat-utf-16le", 2), ("placemat-utf-32be", 4), ("ucs-2", 2)]:
            assert self.encode("\ud800a" if unit > 1 and name != "ucs-2" else "\U0001f600a", (b"\0" * unit, 1), name)
            with pytest.raises(UnicodeEncodeError):
                self.encode("\ud800a" if name != "ucs-2" else "\U0001f600a", (b"\0", 1), name)

    def test_bytes_stand_outside_runs(self):
        assert self.encode("日\ud800本", (b"!", 2), "placemat-utf-7") == b"+ZeU-!+Zyw-"


def test_policies_serve_with_pythons_own_codecs():
    data = b"a\xf0\x9f\x98 \xff\xfe\x80z"
    for policy in placemat.policies():
        if policy != "stop":
            ours = data.decode("placemat-utf-8", "placemat." + policy)
            assert data.decode("utf-8", "placemat." + policy) == ours, policy
            assert placemat.convert(data, "utf-8", "ucs-4le", on_error=policy).decode("utf-32-le", "surrogatepass") == ours
    assert "3 €".encode("ascii", "placemat.ncr") == b"3 &#8364;"
    assert "3 €".encode("ascii", "placemat.escape") == b"3 \\u{20ac}"
    assert "3 €".encode("ascii", "placemat.replace") == b"3 ?"
    with pytest.raises(UnicodeEncodeError):
        "3 €".encode("ascii", "placemat.cp1252")
    with pytest.raises(UnicodeDecodeError):
        b"\xff".decode("utf-8", "placemat.stop")


def test_many_errors_take_linear_time():
    def seconds(count):
        start = time.perf_counter()
        assert len((b"\xff" * count).decode("cesu-8", "test.slow")) == count
        assert len(("€a" * count).encode("placemat-us-ascii", "test.slow")) == 2 * count
        return time.perf_counter() - start

    codecs.register_error("test.slow", lambda error: ("?", error.end))
    few, many = min(seconds(20_000) for _ in range(3)), min(seconds(80_000) for _ in range(2))
    assert many < 4 * few * 3


@pytest.mark.parametrize("name", NAMES)
def test_streams_cannot_be_copied(name):
    for stream in [codecs.getreader(name)(io.BytesIO()), codecs.getwriter(name)(io.BytesIO())]:
        for protocol in range(pickle.HIGHEST_PROTOCOL + 1):
            with pytest.raises(TypeError):
                pickle.dumps(stream, protocol)
        with pytest.raises(TypeError):
            copy.copy(stream)


@pytest.mark.parametrize("name", NAMES)
def test_stream_readers_read_in_any_size(name):
    text = "".join(text for text in carried(name) if "\ufeff" not in text) * 20
    data = text.encode(name)
    for size in [1, 2, 7, 72]:
        reader = codecs.getreader(name)(io.BytesIO(data))
        pieces = []
        while True:
            piece = reader.read(size, size)
            if not piece and reader.stream.tell() == len(data):
                break
            pieces.append(piece)
        assert "".join(pieces) == text
    reader.seek(0)
    assert reader.read() == text


def test_other_threads_run_meanwhile():
    text = bytes(range(1, 128)) * 100_000
    ticks, done = [], threading.Event()

    def tick():
        while not done.is_set():
            ticks.append(time.perf_counter())
            time.sleep(0.001)

    def during(text):
        before = len(ticks)
        placemat.convert(text, "utf-8", "utf-7")
        return len(ticks) - before

    thread = threading.Thread(target=tick)
    thread.start()
    time.sleep(0.05)
    fixed = during(text), during(memoryview(text)[1:])
    # These are copied first, so that other threads may write to them.
    writable = during(bytearray(text)), during(memoryview(bytearray(text)).toreadonly())
    done.set()
    thread.join()
    assert min(fixed + writable) > 20, (fixed, writable)


def test_a_map_of_a_file_is_not_copied(tmp_path):
    path = tmp_path / "file"
    path.write_bytes(b"plain\n" * 100_000 + b"\xff")
    with open(path, "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert placemat.check(mapped).offset == 600_000
    numpy = pytest.importorskip("numpy")
    array = numpy.frombuffer(path.read_bytes(), dtype=numpy.uint8)
    assert placemat.check(array).offset == 600_000
    assert placemat.check(array[:-1]) is None
    with pytest.raises(BufferError):
        placemat.check(array[::2])
    with pytest.raises(TypeError, match="bytes-like"):
        placemat.check("a str")


def test_importing_brings_nothing_large():
    code = "import sys, placemat; print(*sys.modules)"
    loaded = subprocess.check_output([sys.executable, "-c", code], text=True).split()
    assert not {"numpy", "pandas", "polars", "pyarrow", "pyspark", "ray"} & set(loaded)


def test_errors_may_be_none():
    for name in ["cesu-8", "utf-16le", "placemat-utf-8", "mutf-8", "utf-7-imap"]:
        codec = codecs.lookup(name)
        data, _ = codec.encode("x", None)
        assert codec.decode(data, None) == ("x", len(data))
    with pytest.raises(UnicodeDecodeError):
        codecs.lookup("cesu-8").decode(b"\xff", None)
    with pytest.raises(UnicodeEncodeError):
        codecs.lookup("placemat-utf-8").encode("\ud800", None)


def test_what_detect_names_is_read_where_python_reads_it():
    text = "Příliš žluťoučký kůň"
    data = text.encode("mac_latin2")
    assert data.decode("x-mac-ce") == text == data.decode("X-MAC-CE")
    assert placemat.convert(data, "x-mac-ce") == text.encode()
    for name, pythons in [("x-mac-greek", "mac_greek"), ("x-mac-turkish", "mac_turkish"), ("x-mac-icelandic", "mac_iceland"),
                          ("x-mac-croatian", "mac_croatian"), ("x-mac-romanian", "mac_romanian"), ("hp-roman8", "hp_roman8"),
                          ("cp1125", "cp1125"), ("koi8-t", "koi8_t"), ("kz-1048", "kz1048"), ("ptcp154", "ptcp154")]:
        for byte in range(256):
            try:
                text = bytes([byte]).decode(pythons).encode()
            except UnicodeDecodeError:
                with pytest.raises(placemat.ConversionError):
                    placemat.convert(bytes([byte]), name)
            else:
                assert placemat.convert(bytes([byte]), name) == text
                assert placemat.convert(text, "utf-8", name) == bytes([byte])
    for name, where in [("Johab", 'bytes.decode("johab")'), ("euc-tw", "neither can Python"), ("iso-2022-kr", "bytes.decode")]:
        with pytest.raises(LookupError, match="but placemat cannot decode it") as caught:
            placemat.convert(b"a", name)
        assert where in str(caught.value)
        if "bytes" in where:
            assert b"a".decode(name) == "a"
    with pytest.raises(LookupError, match="is no encoding: detect returns it if"):
        placemat.convert(b"a", "binary")
