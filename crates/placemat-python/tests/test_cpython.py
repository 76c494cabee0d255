"""CPython's own suite for its codecs, run on every form, where this Python has brought it along."""

import unittest

import placemat
import pytest

suite = pytest.importorskip("test.test_codecs", reason="this Python has no test suite")

# What differs is what the forms are: see DESIGN.md, "Python".
DIFFERS = {
    # A str of two halves of a pair is no text to a strict form, and a run is read unit by unit, not when it is over.
    "UTF7Test": {"test_nonbmp", "test_partial", "test_lone_surrogates", "test_errors", "test_incremental_surrogatepass"},
    # Without a mark UTF-16 is big-endian (RFC 2781), which CPython's stream readers refuse; no text has no mark, and the
    # mark is big-endian: `test_lone_surrogates` is made of bytes in the order of the machine.
    "UTF16Test": {"test_badbom", "test_lone_surrogates"},
    "UTF32Test": {"test_lone_surrogates"},
    # Nor does a stand-in have a mark of its own.
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
    leave_out = {"test_lone_surrogates", "test_incremental_surrogatepass"}  # Asked of UTF-8, -16, -32 above; most others carry them.
    if form in ("us-ascii", "iso-8859-1", "windows-1252"):
        leave_out |= {"test_readline"}  # It writes U+2028.
    if form == "utf-7-imap":
        leave_out |= {"test_readlinequeue"}  # It writes a run in two calls.
    run(suite.ReadTest, "placemat-" + form, leave_out)


class Basics(unittest.TestCase, suite.MixInCheckStateHandling):
    pass


@pytest.mark.parametrize("form", [form.name for form in placemat.forms()])
def test_states(form):
    name, text = "placemat-" + form, "abc123"
    case = Basics()
    case.check_state_handling_decode(name, text, text.encode(name))
    case.check_state_handling_encode(name, text, text.encode(name))
