"""Runs the corpus on CPython's codecs, and fails where they differ from it beyond what is known of them.
For another implementation replace CODECS, KNOWN, `decode` and what writes; the rest only reads the table."""
import itertools
import pathlib
import sys

# Which of our forms CPython has, and with which error handler.
CODECS = {
    "utf-8": ("utf-8", "strict"), "utf-8/surrogates": ("utf-8", "surrogatepass"), "utf-8b/python": ("utf-8", "surrogateescape"),
    "utf-8/bom": ("utf-8-sig", "strict"), "utf-7": ("utf-7", "strict"), "us-ascii": ("ascii", "strict"),
    "utf-16le": ("utf-16-le", "strict"), "utf-16be": ("utf-16-be", "strict"), "windows-1252": ("cp1252", "strict"),
    "utf-32le": ("utf-32-le", "strict"), "utf-32be": ("utf-32-be", "strict"), "iso-8859-1": ("latin-1", "strict"),
}
# The bytes that CPython reads otherwise; README.md says why.
KNOWN = {
    "windows-1252": "81 8D 8F 90 9D", "utf-8/surrogates": "EDA0",
    "utf-7": "00 7E 5C 2B 2B41 2B4141 2B5C 2B2E 2B2061 2B412D 2B414F2D 2B414F6C2D 2B414F6C782D 2B414F6B412D 2B414F6B41412D 2B324430 "
             "2B32443365 2B3244302D 2B3367412D 2B3244302D2B3367412D 2B3244304136512D 2B414F6E59414144702D 2B414F6E63414144702D "
             "2B414F6B4136646741414F6B2D",
}


def decode(form, source):
    """The text up to the first error, in the table's notation, and where that error is."""
    name, errors = CODECS[form]
    try:
        return [f"U+{ord(c):04X}" for c in source.decode(name, errors)], ""
    except UnicodeDecodeError as error:
        return decode(form, source[:error.start])[0], f"@{error.start}+{error.end - error.start}"


def check(form, way, source, items):
    """What the implementation gets wrong: nothing, or words."""
    expected = items.split()
    if way in ("both", "reads"):
        fault = next((item[item.index("@"):] for item in expected if "@" in item), "")
        before = list(itertools.takewhile(lambda item: "@" not in item, expected))
        if (read := decode(form, bytes.fromhex(source))) != (before, fault):
            return f"reads {' '.join(read[0])} {read[1]}"
    if way in ("both", "writes") or way.startswith("refuses"):
        try:
            written = "".join(chr(int(item[2:], 16)) for item in expected).encode(*CODECS[form]).hex(" ").upper()
        except UnicodeEncodeError as error:
            written = f"refuses {error.start}"
        except (ValueError, OverflowError):  # chr has no such code point
            written = way
        if written != (way if way.startswith("refuses") else source):
            return written if written.startswith("refuses") else f"writes {written}"


rows = [row.split("\t") for row in pathlib.Path(__file__).with_name("vectors.tsv").read_text("utf-8").splitlines()[2:]]
asked = [row for row in rows if row[0] in CODECS and not row[1].startswith("writes with")]
count = {"known": 0, "WRONG": 0}
for form, way, source, items, _ in asked:
    if fault := check(form, way, source, items):
        verdict = "known" if source and source.replace(" ", "") in KNOWN.get(form, "").split() else "WRONG"
        count[verdict] += 1
        print(f"{verdict}: {form}: {source or items} ({way} {items}): {fault}")
print(f"{len(asked)} of {len(rows)} vectors asked, {count['known']} differ as is known, {count['WRONG']} otherwise (CPython {sys.version.split()[0]})")
sys.exit(count["WRONG"] > 0)
