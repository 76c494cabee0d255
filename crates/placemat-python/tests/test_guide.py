"""Runs the examples of GUIDE.md."""

import doctest
from pathlib import Path

import pytest

GUIDE = Path(__file__).resolve().parent.parent / "GUIDE.md"


def run(text, **names):
    text = text.replace("```pycon\n", "").replace("```\n", "")
    test = doctest.DocTestParser().get_doctest(text, names, "GUIDE.md", str(GUIDE), 0)
    assert test.examples
    assert not doctest.DocTestRunner().run(test).failed


def test_up_to_spark():
    for needed in ["pyarrow", "pandas", "polars"]:
        pytest.importorskip(needed)
    run(GUIDE.read_text().partition("## 5. Spark")[0])
