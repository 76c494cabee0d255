"""Runs CPython's own test suite for codecs on every form, if this Python includes it."""

import unittest

import placemat
import pytest

suite = pytest.importorskip("test.test_codecs", reason="this Python has no test suite")

# Tests that fail because our forms are defined differently: see DESIGN.md, "Python".
DIFFERS = {
    # A strict form refuses a str with two surrogates in place of a character, and a run is decoded unit by unit, not at its end.
    "UTF7Test": {"test_nonbmp", "test_partial", "test_lone_surrogates", "test_errors", "test_incremental_surrogatepass"},
    # UTF-16 without a byte order mark is big-endian (RFC 2781); CPython's stream readers refuse it. We write no mark for an empty
    # text, and ours is big-endian: `test_lone_surrogates` expects the machine's byte order.
    "UTF16Test": {"test_badbom", "test_lone_surrogates"},
    "UTF32Test": {"test_lone_surrogates"},
    # A replacement has no byte order mark of its own.
    "UTF8SigTest": {"test_lone_surrogates"},
}

LIKE = [
    ("UTF8Test", "placemat-utf-8"),
    ("UTF8SigTest", "placemat-utf-8/bom"),
    ("UTF7Test", "placemat-utf-7"),
    ("UTF16Test", "placemat-utf-16"),
    ("UTF16LETest", "placemat-utf-16le"),
    ("UTF16BETest", "placemat-utf-16be"),
    ("UTF32Test", "placemat-utf-32"),
    ("UTF32LETest", "placemat-utf-32le"),
    ("UTF32BETest", "placemat-utf-32be"),
]


def run(base, name, leave_out=()):
    case = type(base.__name__, (base,) if issubclass(base, unittest.TestCase) else (base, unittest.TestCase), {"encoding": name})
    loader = unittest.TestLoader()
    tests = [case(test) for test in loader.getTestCaseNames(case) if test not in leave_out]
    assert tests
    result = unittest.TestResult()
    unittest.TestSuite(tests).run(result)
    problems = [f"{test}\n{trace}" for test, trace in result.failures + result.errors]
    assert not problems, "\n".join(problems)


@pytest.mark.parametrize("like,name", LIKE)
def test_like_pythons_own(like, name):
    run(getattr(suite, like), name, DIFFERS.get(like, ()))


@pytest.mark.parametrize("form", [form.name for form in placemat.forms()])
def test_reading(form):
    leave_out = {"test_lone_surrogates", "test_incremental_surrogatepass"}  # Tested on UTF-8, -16, -32 above; most others encode surrogates.
    if form in ("us-ascii", "iso-8859-1", "windows-1252"):
        leave_out |= {"test_readline"}  # The test writes U+2028.
    if form == "utf-7-imap":
        leave_out |= {"test_readlinequeue"}  # The test writes a run in two calls.
    run(suite.ReadTest, "placemat-" + form, leave_out)


class Basics(unittest.TestCase, suite.MixInCheckStateHandling):
    pass


@pytest.mark.parametrize("form", [form.name for form in placemat.forms()])
def test_states(form):
    name, text = "placemat-" + form, "abc123"
    case = Basics()
    case.check_state_handling_decode(name, text, text.encode(name))
    case.check_state_handling_encode(name, text, text.encode(name))
