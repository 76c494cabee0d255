"""Repair by diagnosis, mojibake, and legacy encodings."""

import json
import pickle
import sys
import threading
import time

import placemat
import pytest

POLISH = "Zażółć gęślą jaźń, żółty jeż.\n".encode() * 4 + "Określa, czy karta może zostać użyta\n".encode("cp1250")


def test_each_run_is_read_as_what_it_is():
    mended = placemat.mend(POLISH)
    assert mended.text.endswith("Określa, czy karta może zostać użyta\n") and not mended.is_lossy
    assert {change.rule for change in mended.changes} == {"windows-1250"}
    for change in mended.changes:
        assert POLISH[change.offset : change.offset + len(change.original)] == change.original
        assert pickle.loads(pickle.dumps(change)) == change
    pairs = "naïve 😀 café ".encode() * 5 + b"\xed\xa0\xbd\xed\xb8\x80"
    assert placemat.mend(pairs).text == "naïve 😀 café " * 5 + "😀"


def test_clean_text_is_left_alone():
    mended = placemat.mend("naïve".encode())
    assert (mended.text, mended.changes, repr(mended)) == ("naïve", [], "Mended(0 changes)")


def test_what_is_something_else_is_refused():
    with pytest.raises(placemat.RefusedError, match="looks like windows-1251"):
        placemat.mend("Привет, мир! Как дела сегодня?\n".encode("cp1251") * 4)
    with pytest.raises(ValueError, match="looks like utf-16le"):
        placemat.mend("\ufeffplain".encode("utf-16"))
    assert placemat.mend("Grüße".encode("latin-1"), second="cp1252").text == "Grüße"
    with pytest.raises(LookupError, match="no legacy encoding"):
        placemat.mend(b"\xff", second="utf-16")
    with pytest.raises(LookupError, match="unknown encoding"):
        placemat.mend(b"\xff", second="martian")


def test_what_was_asked_for_is_done():
    assert placemat.mend("cafÃ©".encode()).text == "cafÃ©"
    assert placemat.mend("cafÃ©".encode(), mojibake=True).text == "café"
    assert placemat.mend("ad\u200bmin = 1\n".encode(), invisible=True).text == "admin = 1\n"
    text = "naïve café ".encode() * 9
    assert placemat.mend(text + b"\xc0\x80", nul=True).text.endswith("\0")
    assert placemat.mend(text + b"\xc0\xaf", overlong=True).text.endswith("/")
    assert placemat.mend(text + b"\xff").is_lossy == ("\ufffd" in placemat.mend(text + b"\xff").text)


def test_the_report_is_that_of_the_command():
    lines = [json.loads(line) for line in placemat.mend(POLISH).report().splitlines()]
    assert lines[0]["type"] == "report" and lines[-1]["changes"] == len(lines) - 3
    assert bytes.fromhex(lines[2]["bytes"]) in POLISH


def test_mojibake_of_a_value():
    assert placemat.mojibake("Ð\x9fÑ€Ð¸Ð²ÐµÑ‚") == "Привет"
    clean = "São Paulo – naïve"
    assert placemat.mojibake(clean) is clean


def test_legacy_encodings_convert_both_ways():
    for name, text in [("koi8-r", "Привет"), ("shift_jis", "日本語"), ("cp850", "Grüße"), ("gb18030", "中文😀"), ("iso-2022-jp", "日本"), ("cp037", "[x]")]:
        data = placemat.convert(text.encode(), "utf-8", name)
        assert placemat.convert(data, name).decode() == text
        assert placemat.convert(data, name, "utf-16le").decode("utf-16le") == text
        assert data.decode(name if name != "koi8-r" else "koi8_r") == text
    with pytest.raises(placemat.ConversionError, match="unencodable at byte 1") as stop:
        placemat.convert("a€".encode(), "utf-8", "koi8-r")
    assert (stop.value.error.offset, stop.value.error.length) == (1, 3)
    assert placemat.convert("a€".encode(), "utf-8", "koi8-r", unencodable="ncr") == b"a&#8364;"
    for convert in [placemat.convert, lambda data, *args, **options: placemat.arrow.convert([data], *args, **options)]:
        with pytest.raises(ValueError, match=r'unencodable="replace=é": koi8-r cannot carry U\+00E9 either'):
            convert("a€".encode(), "utf-8", "koi8-r", unencodable="replace=é")
    assert placemat.convert("a€".encode(), "utf-8", "koi8-r", unencodable="replace=ж") == "aж".encode("koi8-r")
    assert placemat.convert("a€".encode(), "utf-8", "koi8-r", unencodable="replace=\ufffd") == b"a?"
    with pytest.raises(placemat.ConversionError, match="truncated at byte 1"):
        placemat.convert(b"a\x81", "shift_jis")
    assert placemat.convert(b"a\x81", "shift_jis", on_error="replace").decode() == "a\ufffd"


def test_a_refusal_says_how_to_go_on():
    data = "Москва, Санкт-Петербург\n".encode() * 20 + b"Caf\xe9 Zo\xeb\n" * 9
    with pytest.raises(placemat.RefusedError, match='may be windows-1252 .*; to read them in that encoding, pass second="windows-1252"$'):
        placemat.mend(data)
    assert placemat.mend(data, second="windows-1252").text.endswith("Café Zoë\n")


def test_lines_in_two_encodings_name_the_second():
    utf8 = "Grüße aus Köln und München, schöne Tage\n" * 2
    other = "Grüße aus Köln und München\n" * 9
    lines = utf8.encode() + other.encode("cp1252")
    with pytest.raises(placemat.RefusedError, match='parts in windows-1252; to read them in that encoding, pass second="windows-1252"$'):
        placemat.mend(lines)
    assert placemat.mend(lines, second="windows-1252").text == utf8 + other


def test_undoing_leaves_the_text_as_heavy_as_it_was():
    text = "GrÃ¼ÃŸe, " * 1000
    before = sys.getsizeof(text)
    assert placemat.mojibake(text) == "Grüße, " * 1000
    assert sys.getsizeof(text) == before


def test_other_threads_run_while_mojibake_is_undone():
    text, turns, is_over = "GrÃ¼ÃŸe und LÃ¤nge, " * 100_000, [], threading.Event()

    def count():
        while not is_over.wait(0.001):
            turns.append(time.perf_counter())

    other = threading.Thread(target=count)
    other.start()
    start = time.perf_counter()
    placemat.mojibake(text)
    end = time.perf_counter()
    is_over.set()
    other.join()
    # If the GIL were held, the other thread would have one turn at the start and one at the end.
    assert sum(start < turn < end for turn in turns) > 4


def test_text_with_surrogates_is_handed_back():
    for text in ["cafÃ©\udcff", "\ud800"]:
        assert placemat.mojibake(text) is text


def test_a_legacy_encoding_is_no_form_and_the_advice_converts_it():
    data = "Привет".encode("koi8-r")
    for work in [placemat.check, placemat.is_valid, placemat.count, placemat.explain]:
        with pytest.raises(LookupError, match="koi8-r is a legacy encoding, not a form") as refused:
            work(data, "koi8-r")
        advice = str(refused.value).partition("first: ")[2]
        assert eval(advice, {"placemat": placemat, "data": data}).decode() == "Привет"
