"""Tests of the extension in the DuckDB of PyPI. `cargo xtask duckdb test` builds the extension and runs them."""

import bz2
import gzip
import lzma
import os
import re

import duckdb
import pytest

BLOBS = [b"plain", "naïve".encode(), b"caf\xe9 \x93a\x94", b"", None, b"\xed\xa0\xbd", "日本語 😀 long enough not to be inlined".encode()]


@pytest.fixture()
def database(tmp_path):
    # DuckDB derives the name of the init function from the name of the file.
    path = tmp_path / "placemat.duckdb_extension"
    path.symlink_to(os.environ["PLACEMAT_EXTENSION"])
    with duckdb.connect(config={"allow_unsigned_extensions": "true"}) as connection:
        connection.execute(f"LOAD '{path}'")
        connection.execute("CREATE TABLE t (id int, b blob)")
        connection.executemany("INSERT INTO t VALUES (?, ?)", list(enumerate(BLOBS)))
        yield connection


def column(database, expression):
    return [value for (value,) in database.execute(f"SELECT {expression} FROM t ORDER BY id").fetchall()]


def decoded(errors):
    return [blob if blob is None else blob.decode(errors=errors) for blob in BLOBS]


def test_rows(database):
    assert column(database, "utf8_is_valid(b)") == [True, True, False, True, None, False, True]
    assert column(database, "utf8_repair(b)") == decoded("replace")
    assert column(database, "utf8_repair(b, 'skip')") == decoded("ignore")
    assert column(database, "utf8_repair(b, 'cp1252')")[2] == "café “a”"
    assert column(database, "utf8_detect(b)")[:2] == ["us-ascii", "utf-8"]
    assert column(database, "utf8_repair(NULL::blob)") == [None] * len(BLOBS)


def test_encodings(database):
    def one(expression, *values):
        return database.execute(f"SELECT {expression}", values).fetchone()[0]

    assert one("utf8_convert(?::blob, 'koi8-r')", "Привет".encode("koi8-r")) == "Привет"
    assert one("utf8_convert(?::blob, 'gbk', 'utf-16le')", "中".encode("gbk")) == "中".encode("utf-16le")
    assert one("utf8_convert(?::blob, 'utf-8', 'shift_jis')", "日本".encode()) == "日本".encode("shift_jis")
    assert one("try(utf8_convert(?::blob, 'utf-8'))", b"caf\xe9") is None
    mixed = "CASE WHEN utf8_is_valid(b) THEN utf8_repair(b) ELSE utf8_convert(b, 'shift_jis') END"
    rows = ["日本".encode("shift_jis"), "日本".encode()]
    assert [one(f"{mixed} FROM (SELECT ?::blob AS b)", row) for row in rows] == ["日本"] * 2
    for expression, message in [
        ("utf8_convert('caf\\xE9'::blob, 'utf-8')", r"truncated at byte 3 .* of caf\\xe9"),
        ("utf8_convert('a'::blob, 'martian')", "martian"),
        ("utf8_repair('\\xE9'::blob, 'cp1251')", "unknown policy .*; one of stop, replace, "),
        ("utf8_repair('a'::blob, 'cp1251')", "cp1252-strict, optu, escape$"),
        ("utf8_repair('\\xE9'::blob, 'surrogateescape')", "escapes U"),
        ("utf8_convert('\\x81'::blob, 'shift_jis')", "at byte 0"),
        ("utf8_repair('\\xE9'::blob, 'stop')", "truncated at byte 0"),
    ]:
        with pytest.raises(duckdb.Error, match=message):
            one(expression)


def test_tables(database, tmp_path):
    query = "SELECT * FROM utf8_errors(?::blob)"
    assert database.execute(query, [b"caf\xe9 \xff"]).fetchall() == [(3, 1, "missing-continuation"), (5, 1, "invalid-byte")]
    assert len(database.execute(query, [b"\xff" * 5_000]).fetchall()) == 5_000
    assert database.execute(query, [b"plain"]).fetchall() == []
    assert database.execute("SELECT * FROM utf8_errors(NULL)").fetchall() == []
    path = tmp_path / "a.txt"
    text = "Привет, мир! Как дела сегодня?\n" * 9
    for encoding in ["koi8-r", "utf-16", "utf-8-sig"]:
        path.write_bytes(text.encode(encoding))
        named = encoding.replace("-sig", "")
        read = "SELECT content FROM read_text_as(?, ?)"
        assert database.execute(read, [str(path), named]).fetchone()[0] == text
        assert database.execute(read, [str(path), "auto"]).fetchone()[0] == text
    for name, compress in [("a.gz", gzip.compress), ("a.bz2", bz2.compress), ("a.xz", lzma.compress)]:
        (tmp_path / name).write_bytes(compress(b"caf\xe9"))
    for path, message in [
        ("missing.txt", "missing.txt"),
        ("s3://bucket/a.txt", "reads local files"),
        (f"{tmp_path}/a.gz", "it is compressed"),
        (f"{tmp_path}/a.bz2", "it is compressed"),
        (f"{tmp_path}/a.xz", "it is compressed"),
    ]:
        with pytest.raises(duckdb.Error, match=message):
            database.execute("SELECT * FROM read_text_as(?, 'windows-1252')", [path])


def test_many_files_are_read_as_the_error_says(database, tmp_path):
    folder = tmp_path / "Ada's files"
    folder.mkdir()
    text = "Привет, мир! Как дела сегодня?"
    (folder / "a.txt").write_bytes(text.encode("koi8-r"))
    for encoding in ["koi8-r", "auto"]:
        with pytest.raises(duckdb.Error) as caught:
            database.execute("SELECT * FROM read_text_as(?, ?)", [f"{folder}/*.txt", encoding])
        query = re.search("SELECT filename, .*", str(caught.value))[0]
        assert database.execute(query).fetchall() == [(f"{folder}/a.txt", text)]


def test_mojibake(database):
    texts = ["cafÃ©", "São Paulo", "", None, "long enough not to be inlined: crÃ¨me brÃ»lÃ©e"]
    expected = ["café", "São Paulo", "", None, "long enough not to be inlined: crème brûlée"]
    rows = database.execute("SELECT utf8_mojibake(unnest(?))", [texts]).fetchall()
    assert [text for (text,) in rows] == expected


def test_vectors_of_every_kind(database, tmp_path):
    # Constant and dictionary vectors, filtered and joined rows, and rows read back from a file.
    one = "SELECT utf8_repair('caf\\xE9 long enough not to be inlined'::BLOB, 'cp1252') AS x FROM range(5000)"
    assert database.execute(f"SELECT DISTINCT x FROM ({one})").fetchall() == [("café long enough not to be inlined",)]
    database.execute(f"COPY (SELECT b, utf8_repair(b, 'cp1252') AS x FROM t, range(999)) TO '{tmp_path}/a.parquet'")
    again = f"SELECT count(*) FROM '{tmp_path}/a.parquet' a JOIN t ON utf8_repair(a.b, 'cp1252') = utf8_repair(t.b, 'cp1252') WHERE NOT utf8_is_valid(a.b)"
    assert database.execute(again).fetchone() == (2 * 999,)
    assert database.execute("SELECT max(utf8_repair(b)) OVER (ORDER BY id) FROM t WHERE b IS NOT NULL LIMIT 1").fetchall() == [("plain",)]
    assert database.execute("SELECT list_transform(list(b ORDER BY id), lambda x: utf8_is_valid(x)) FROM t").fetchone()[0][:3] == [True, True, False]


def test_many_rows_on_all_threads(database):
    rows = 300_000
    made = f"SELECT CASE WHEN i % 5 = 0 THEN 'caf\\xE9'::blob ELSE 'plain'::blob END AS b FROM range({rows}) r(i)"
    good, texts = database.execute(f"SELECT count(*) FILTER (utf8_is_valid(b)), count(DISTINCT utf8_repair(b)) FROM ({made})").fetchone()
    assert (good, texts) == (rows * 4 // 5, 2)
