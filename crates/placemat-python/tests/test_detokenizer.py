"""Text from pieces that end anywhere."""

import copy
import pickle
import random

import placemat
import pytest


def text_of(pieces):
    detokenizer = placemat.Detokenizer()
    return "".join(map(detokenizer.push, pieces)) + detokenizer.finish()


def test_any_split_gives_the_text():
    chance = random.Random(1)
    for text in ["naïve 日本語 😀", "\ufeffplain", "\u0378\uffff", ""]:
        data = text.encode()
        for _ in range(200):
            cuts = sorted(chance.choices(range(len(data) + 1), k=chance.randrange(6)))
            pieces = [data[a:b] for a, b in zip([0, *cuts], [*cuts, len(data)])]
            assert text_of(pieces) == text
            tokens = [f"<0x{byte:02X}>" if chance.randrange(2) else bytes([byte]) for byte in data]
            assert text_of(tokens) == text


def test_what_cannot_be_completed_is_replaced_as_python_does():
    chance = random.Random(2)
    for _ in range(2000):
        data = bytes(chance.choices(b"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\xed\xf4", k=chance.randrange(9)))
        pieces = [data[at : at + 1] for at in range(len(data))]
        assert text_of(pieces) == text_of([data]) == data.decode(errors="replace")


def test_nothing_appears_before_it_is_complete():
    detokenizer = placemat.Detokenizer()
    assert [detokenizer.push(bytes([byte])) for byte in "€".encode()] == ["", "", "€"]
    detokenizer.push(bytearray(b"a\xe2"))
    assert detokenizer.pending == 1 and repr(detokenizer) == r'<placemat.Detokenizer with b"\xe2" pending>'
    assert (detokenizer.finish(), detokenizer.pending) == ("\ufffd", 0)
    assert detokenizer.push(b"\x82") == "\ufffd"


def test_what_is_no_piece_is_refused():
    for piece, name in [(None, "NoneType"), (7, "int; look up its bytes in the vocabulary"), (["a"], "list")]:
        with pytest.raises(TypeError, match=f"a piece is bytes, or a token as str, not {name}"):
            placemat.Detokenizer().push(piece)
    with pytest.raises(UnicodeEncodeError):
        placemat.Detokenizer().push("\ud800")


def test_a_copy_goes_on_from_the_same_place():
    chance = random.Random(3)
    for _ in range(1000):
        data = bytes(chance.choices(b"a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\xed\xf4", k=chance.randrange(9)))
        at = chance.randrange(len(data) + 1)
        head, tail = data[:at], data[at:]
        detokenizer = placemat.Detokenizer()
        for piece in [head] if chance.randrange(2) else [f"<0x{byte:02X}>" for byte in head]:
            detokenizer.push(piece)
        twins = [copy.copy(detokenizer), copy.deepcopy(detokenizer)]
        twins += [pickle.loads(pickle.dumps(detokenizer, n)) for n in range(pickle.HIGHEST_PROTOCOL + 1)]
        rest = (detokenizer.pending, detokenizer.push(tail), detokenizer.finish())
        for twin in twins:
            assert (twin.pending, twin.push(tail), twin.finish()) == rest
