#!/usr/bin/env python3
"""Runs the corpus on CPython's codecs, and shows how to run it on anything else.

For another implementation replace CODECS, decode and encode; the rest only reads the table.
"""
import pathlib
import sys

# Which of our forms CPython has, and with which error handler.
CODECS = {
    "utf-8": ("utf-8", "strict"), "utf-8/surrogates": ("utf-8", "surrogatepass"), "utf-8b/python": ("utf-8", "surrogateescape"),
    "utf-8/bom": ("utf-8-sig", "strict"), "utf-7": ("utf-7", "strict"), "us-ascii": ("ascii", "strict"),
    "utf-16le": ("utf-16-le", "strict"), "utf-16be": ("utf-16-be", "strict"),
    "utf-32le": ("utf-32-le", "strict"), "utf-32be": ("utf-32-be", "strict"),
    "iso-8859-1": ("latin-1", "strict"), "windows-1252": ("cp1252", "strict"),
}


def decode(form, source):
    """The text up to the first error, in the table's notation, and where that error is."""
    name, errors = CODECS[form]
    try:
        return notation(source.decode(name, errors)), None
    except UnicodeDecodeError as error:
        return notation(source[:error.start].decode(name, errors)), f"@{error.start}+{error.end - error.start}"


def encode(form, text):
    name, errors = CODECS[form]
    return text.encode(name, errors)


def notation(text):
    return [f"U+{ord(c):04X}" for c in text]


def check(form, way, source, items):
    """What the implementation gets wrong: nothing, or words."""
    expected = items.split()
    if way in ("both", "reads"):
        first = next((i for i, item in enumerate(expected) if "@" in item), len(expected))
        text, fault = decode(form, bytes.fromhex(source))
        where = expected[first][expected[first].index("@"):] if first < len(expected) else None
        if (text, fault) != (expected[:first], where):
            return f"reads {' '.join(text)} {fault or ''}"
    if way in ("both", "writes") or way.startswith("refuses"):
        try:
            written = encode(form, "".join(chr(int(item[2:], 16)) for item in expected)).hex(" ").upper()
        except UnicodeEncodeError as error:
            written = f"refuses {error.start}"
        except (ValueError, OverflowError):  # chr has no such code point
            written = way
        if written != (way if way.startswith("refuses") else source):
            return written if written.startswith("refuses") else f"writes {written}"
    return None


rows, wrong, asked = pathlib.Path(__file__).with_name("vectors.tsv").read_text("utf-8").splitlines()[2:], 0, 0
for row in rows:
    form, way, source, items, _ = row.split("\t")
    if form in CODECS and not way.startswith("writes with"):
        asked += 1
        fault = check(form, way, source, items)
        if fault:
            wrong += 1
            print(f"{form}: {source or items} ({way} {items}): {fault}")
print(f"{asked} of {len(rows)} vectors asked, {asked - wrong} as expected, {wrong} not (CPython {sys.version.split()[0]})")
