"""Shared by the test modules: the library's vectors."""

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[3]
VECTORS = ROOT / "crates/placemat/tests/vectors"

# Files with another layout; the library has separate tests for them.
OTHERS = {"bom", "boundaries", "labels", "mutf8_frames", "octal", "sort_order", "truncation", "unicode11_hangul", "verdicts", "wtf8_strings"}


def vectors():
    """(form, bytes, items, arrow) for each line with bytes and code points. An item is a code point or an error (kind, offset, length)."""
    for path in sorted(VECTORS.glob("*.txt")):
        if path.stem in OTHERS | {"error_policies"}:
            continue
        form = None
        for line in path.read_text().splitlines():
            line = line.partition("#")[0].rstrip()
            if line.startswith("form "):
                form = line.split()[1]
            if line.startswith("unencodable "):
                break
            match = re.fullmatch(r"([0-9A-F ]*) ([|<>])(?: (.*))?", line)
            if form is None or not match:
                continue
            yield form, bytes.fromhex(match[1]), [_item(word) for word in (match[3] or "").split()], match[2]


def _item(word):
    if word.startswith("U+"):
        return int(word[2:], 16)
    kind, offset, length = re.fullmatch(r"([a-z-]+)@(\d+)\+(\d+)", word).groups()
    return kind, int(offset), int(length)


@pytest.fixture(scope="session")
def all_vectors():
    found = list(vectors())
    assert len(found) > 1000 and len({form for form, *_ in found}) > 45, "the vectors are not where they were"
    return found
