"""Makes the guide's table of speed: each function for columns against other libraries, with rows of 10, 100 and 1,000 bytes.

    python bench/table.py            print the table
    python bench/table.py --write    write it between its markers in GUIDE.md

Each number is a ratio: the other library's time divided by ours. All take turns in one process, on one thread; the shortest time of
each counts.
"""

import argparse
import platform
import random
import re
import time
from pathlib import Path

import chardet
import duckdb
import ftfy
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.compute as pc

import placemat
import placemat.arrow as columns
import placemat.polars  # noqa: F401  (registers the expressions)

LENGTHS = [10, 100, 1000]
WORDS = "plain naïve Grüße crème brûlée señor façade data 0123456789 où été".split()
GUIDE = Path(__file__).parent.parent / "GUIDE.md"
MARKS = "<!-- speed -->\n", "<!-- /speed -->\n"
ROWS = {10: 40_000, 100: 10_000, 1000: 1_500}


def texts(length, count):
    source = random.Random(1)
    some = []
    for _ in range(min(count, 1000)):
        row = ""
        while len(row) < length:
            row += source.choice(WORDS) + " "
        some.append(row[:length])
    return [source.choice(some) for _ in range(count)]


def fastest(works, rounds):
    times = dict.fromkeys(works, float("inf"))
    for _ in range(rounds):
        for name, work in works.items():
            start = time.perf_counter()
            work()
            times[name] = min(times[name], time.perf_counter() - start)
    return times


def loop(rows, of):
    return lambda: [of(row) for row in rows]


def tasks(length):
    """The name of each task, our function for it, and those of the other libraries."""
    rows = texts(length, ROWS[length])
    clean = [row.encode() for row in rows]
    dirty = [row[:-1] + b"\xe9" if at % 100 == 0 else row for at, row in enumerate(clean)]
    legacy = [row.encode("cp1252") for row in rows]
    japanese = ["日本語のテキストです、".encode("shift_jis") * (length // 22 + 1) for _ in clean]
    # All rows differ, because equal rows are converted once.
    others = [f"{at} {row}"[:length] for at, row in enumerate(rows[: len(rows) // 20])]
    twice = [row.encode().decode("cp1252", "replace") if at % 10 == 0 else row for at, row in enumerate(others)]
    few = legacy[:60]
    c, d, g, j = (pa.array(of, pa.binary()) for of in (clean, dirty, legacy, japanese))
    t, w = pa.array(rows), pa.array(twice)
    frame, text = pl.from_arrow(c), pl.from_arrow(t)
    series = pd.Series(rows)
    base = duckdb.connect(config={"threads": 1})
    base.register("rows", pa.table({"text": t, "raw": c}))
    base.execute("CREATE TEMP TABLE kept AS SELECT * FROM rows")
    some = pa.array(few, pa.binary())
    return {
        "valid?": (lambda: columns.is_valid(c), {
            "pyarrow": lambda: pc.cast(c, pa.string()),
            "Polars": lambda: frame.cast(pl.String, strict=False),
            "loop": loop(clean, bytes.decode),
        }),
        "bytes to text, clean": (lambda: columns.repair(c), {
            "pyarrow": lambda: pc.cast(c, pa.string()),
            "Polars": lambda: frame.cast(pl.String, strict=False),
            "DuckDB": lambda: base.execute("SELECT count(decode(raw)) FROM kept").fetchall(),
            "loop": loop(clean, lambda row: row.decode(errors="replace")),
        }),
        "repair, 1 % of the rows bad": (lambda: columns.repair(d), {"loop": loop(dirty, lambda row: row.decode(errors="replace"))}),
        "repair, all rows bad": (lambda: columns.repair(g), {"loop": loop(legacy, lambda row: row.decode(errors="replace"))}),
        "windows-1252 to text": (lambda: columns.convert(g, "windows-1252"), {"loop": loop(legacy, lambda row: row.decode("cp1252"))}),
        "Latin-1 to text": (lambda: columns.convert(g, "iso-8859-1"), {"loop": loop(legacy, lambda row: row.decode("latin-1"))}),
        "Shift_JIS to text": (lambda: columns.convert(j, "shift_jis"), {"loop": loop(japanese, lambda row: row.decode("shift_jis"))}),
        "lengths": (lambda: columns.lengths(t), {
            "pyarrow": lambda: pc.utf8_length(t),
            "Polars": lambda: text.str.len_chars(),
            "DuckDB": lambda: base.execute("SELECT sum(length(text)) FROM kept").fetchall(),
            "pandas": lambda: series.str.len(),
            "loop": loop(rows, len),
        }),
        "mojibake undone, 10 % of the rows": (lambda: columns.mojibake(w), {"ftfy": loop(twice, ftfy.fix_encoding)}),
        "detect": (lambda: columns.detect(some), {"chardet": loop(few, chardet.detect)}),
    }


PEERS = ["pyarrow", "Polars", "DuckDB", "pandas", "loop", "ftfy", "chardet"]


def table():
    names = {"loop": "Python's loop"}
    yield "| column | ns a row | " + " | ".join(names.get(peer, peer) for peer in PEERS) + " |\n"
    yield "| --- |" + " ---: |" * (1 + len(PEERS)) + "\n"
    for length in LENGTHS:
        for name, (ours, others) in tasks(length).items():
            rounds = 3 if name == "detect" else 15
            times = fastest({"": ours, **others}, rounds)
            count = {"detect": 60, "mojibake undone, 10 % of the rows": ROWS[length] // 20}.get(name, ROWS[length])
            cells = [f"{times[peer] / times['']:.1f} ×" if peer in times else "" for peer in PEERS]
            yield f"| {name}, {length:,} | {times[''] / count * 1e9:,.0f} | " + " | ".join(cells) + " |\n"


def machine():
    """The processor, as Linux reports it, and the version of Python."""
    try:
        lines = [line.partition(":") for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").split("\n\n")[0].splitlines()]
    except OSError:
        lines = []
    of = {name.strip(): value.strip() for name, _, value in lines}
    flags = of.get("flags", "").split()
    vectors = next((shown for flag, shown in (("avx512bw", " with AVX-512"), ("avx2", " with AVX2")) if flag in flags), "")
    family = f", family {of['cpu family']}, model {of['model']}" if "cpu family" in of else ""
    return f"{of.get('model name', platform.machine())}{family}{vectors}, Python {platform.python_version()}"


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--write", action="store_true")
    write = parser.parse_args().write
    versions = ", ".join(f"{module.__name__} {module.__version__}" for module in (pa, pl, duckdb, pd, ftfy, chardet))
    made = "".join(table()) + f"\n{machine()}; {versions}.\n"
    print(made)
    if write:
        page = GUIDE.read_text(encoding="utf-8")
        between = re.compile(re.escape(MARKS[0]) + ".*?" + re.escape(MARKS[1]), re.DOTALL)
        GUIDE.write_text(between.sub(lambda _: MARKS[0] + "\n" + made + "\n" + MARKS[1], page, count=1), encoding="utf-8")


if __name__ == "__main__":
    main()
