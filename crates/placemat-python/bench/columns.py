"""Measures how fast columns are checked and repaired, compared with other libraries: ratios of medians, measured in turns in one process.

    python bench/columns.py            pyarrow, Polars, Python's decoder
    python bench/columns.py --spark    and Spark's is_valid_utf8 and make_valid_utf8, in one task on one core
"""

import argparse
import os
import random
import statistics
import sys
import time

import pyarrow as pa
import pyarrow.compute as pc

import placemat
import placemat.arrow as columns

try:
    import polars
except ImportError:
    polars = None

WORDS = {
    "ASCII": "the quick brown fox jumps over the lazy dog".split(),
    "Latin": "où sont les neiges d’antan façade größe naïve señor".split(),
    "mixed": "plain naïve Привет 日本語 한국어 😀 data 0123456789".split(),
}
# The size of a typical batch of an engine, 10,000 rows of 100 bytes; and a size that fits in no cache.
BATCH, LARGE = 1 << 20, 64 << 20


def text(source, words, length):
    out = ""
    while len(out.encode()) < length:
        out += source.choice(words) + " "
    return out.encode()[:length].decode(errors="ignore").encode()


def column(words, length, dirty=0.0, size=BATCH):
    """A column of about `size` bytes, in rows of `length` bytes (0: random lengths up to 2,000); a share `dirty` of them has an error."""
    source = random.Random(1)
    some = [text(source, WORDS[words], length or int(2000 * source.random() ** 3)) for _ in range(2000)]
    rows, total = [], 0
    while total < size:
        row = source.choice(some)
        if source.random() < dirty:
            at = source.randrange(len(row) + 1)
            row = row[:at] + b"\xe9 " + row[at:]
        rows.append(row)
        total += len(row)
    return pa.array(rows, pa.binary())


def medians(works, rounds=9, least=0.01):
    """The seconds that each function takes: medians of rounds in which they take turns, for `least` seconds each."""
    times = {name: [] for name in works}
    for _ in range(rounds):
        for name, work in works.items():
            count, start, now = 0, time.perf_counter(), 0
            while not count or now - start < least:
                work()
                count, now = count + 1, time.perf_counter()
            times[name].append((now - start) / count)
    return {name: statistics.median(found) for name, found in times.items()}


def line(what, size, found):
    ours = found.pop("placemat")
    rate = f"{size / ours / 1e9:.2f} GB/s"
    ratios = "".join(f" | {found[name] / ours:.1f} ×" if name in found else " | –" for name in PEERS)
    print(f"| {what} | {rate}{ratios} |", flush=True)


PEERS = ["pyarrow", "polars", "python"]
LENGTHS = [(100, "100 B"), (1000, "1 kB"), (0, "0 to 2 kB")]


def compare(what, ours, loop, data, rounds, casts=True):
    works = {"placemat": lambda: ours(data), "python": lambda: loop(rows)}
    rows = data.to_pylist()
    if casts:
        works["pyarrow"] = lambda: pc.cast(data, pa.string())
    if casts and polars:
        series = polars.Series(data)
        works["polars"] = lambda: series.cast(polars.String)
    line(what, sum(map(len, rows)), medians(works, rounds))


def local(size, cases, rounds):
    print("\n| column | placemat | pyarrow cast | Polars cast | Python loop |\n| --- | --- | --- | --- | --- |")
    for words, (length, name) in cases:
        data = column(words, length, size=size)
        decode = lambda rows: [row.decode() for row in rows]  # noqa: E731
        compare(f"`is_valid`, {words}, {name}", columns.is_valid, decode, data, rounds)
    for words, (length, name) in cases:
        for dirty in (0, 0.01, 0.05) if size == BATCH else (0, 0.01):
            data = column(words, length, dirty, size)
            of = f", {dirty:.0%} of the rows bad" if dirty else ""
            replace = lambda rows: [row.decode(errors="replace") for row in rows]  # noqa: E731
            compare(f"`repair`, {words}, {name}{of}", columns.repair, replace, data, rounds, casts=not dirty)
            if dirty and size > BATCH:
                views = pc.cast(data, pa.binary_view())
                compare(f"`repair`, {words}, {name}{of}, of views", columns.repair, replace, views, rounds, casts=False)


def spark():
    """Compares with Spark's own functions, with the JVM and Python on one core, so that the whole cost of a task counts."""
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    from pyspark.sql import SparkSession
    from pyspark.sql import functions as F

    import placemat.spark as ps

    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    session.sparkContext.setLogLevel("ERROR")
    print("\n| column in Spark, one core | Spark's own | placemat | ratio |\n| --- | --- | --- | --- |")
    for words, length, name, dirty in [("mixed", 100, "100 B", 0), ("mixed", 100, "100 B", 0.01), ("mixed", 1000, "1 kB", 0.01), ("mixed", 0, "0 to 2 kB", 0.05)]:
        # Enough data that the start of a job does not dominate.
        data = column(words, length, dirty, 8 << 20)
        rows = [(row,) for row in data.to_pylist()]
        table = session.createDataFrame(rows, "body binary").crossJoin(session.range(8)).select("body").coalesce(1).cache()
        table.count()
        string = F.col("body").cast("string")
        total = lambda column: table.select(F.sum(column)).collect()  # noqa: E731
        valid, repaired = F.is_valid_utf8(string).cast("long"), F.octet_length(F.make_valid_utf8(string))
        of = f", {dirty:.0%} of the rows bad" if dirty else ""
        for what, theirs, ours in [
            ("`is_valid`", valid, ps.is_valid("body").cast("long")),
            ("`repair`", repaired, F.octet_length(ps.repair("body"))),
            ("`repair` as cp1252, beside `make_valid_utf8`", repaired, F.octet_length(ps.repair("body", "cp1252"))),
            ("`first_error`, beside `is_valid_utf8`", valid, ps.first_error("body").offset),
            ("`is_valid` of WTF-8, beside `is_valid_utf8`", valid, ps.is_valid("body", "wtf-8").cast("long")),
        ]:
            found = medians({"theirs": lambda: total(theirs), "ours": lambda: total(ours)}, 5, 0)
            print(f"| {what}, {words}, {name}{of} | {found['theirs'] * 1e3:.0f} ms | {found['ours'] * 1e3:.0f} ms | {found['theirs'] / found['ours']:.2f} × |", flush=True)
        table.unpersist()
    session.stop()


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--spark", action="store_true")
    arguments = parser.parse_args()
    print(f"placemat {placemat.__version__}, pyarrow {pa.__version__}, Python {sys.version.split()[0]}\n")
    print("Columns of 1 MiB:")
    local(BATCH, [(words, length) for words in WORDS for length in LENGTHS], 9)
    print("\nColumns of 64 MiB:")
    local(LARGE, [(words, length) for words in ["ASCII", "mixed"] for length in LENGTHS[:2]], 5)
    if arguments.spark:
        spark()
