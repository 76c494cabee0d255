"""Repairs CSV, JSON Lines and SQL dumps field by field, and loads them into databases. Unrepaired, these refuse the text or load it damaged.

PostgreSQL, MariaDB and the shell of SQLite are tested if they are installed.
"""

import csv
import io
import json
import os
import pickle
import pwd
import re
import shutil
import sqlite3
import subprocess
import time
from pathlib import Path

import placemat
import pytest

duckdb = pytest.importorskip("duckdb")

# The bytes of a damaged column, and the text that they mean.
DAMAGED = [
    (b"Gr\xfc\xdfe aus K\xf6ln", "Grüße aus Köln"),
    ("Où est le café ? À l'été, déjà.".encode(), "Où est le café ? À l'été, déjà."),
    ("cafÃ© crÃ¨me".encode(), "café crème"),
    (b'say "caf\xe9", it\'s 5\\6', "say \"café\", it's 5\\6"),
    (b"two\nlines \xe9t\xe9\tx", "two\nlines été\tx"),
    (b"cut \x81", "cut \ufffd"),
    (b"", ""),
    ("日本語 😀".encode(), "日本語 😀"),
]
TEXTS = [text for _, text in DAMAGED]


def mended(data: bytes, structure: str, **more) -> bytes:
    return placemat.mend(data, structure=structure, second="windows-1252", mojibake=True, lossy=True, **more).text.encode()


def as_csv(delimiter=b",") -> bytes:
    rows = [b"%d%s\"%s\"" % (n, delimiter, data.replace(b'"', b'""')) for n, (data, _) in enumerate(DAMAGED)]
    return b"\r\n".join([b"id" + delimiter + b"text", *rows, b""])


def as_jsonl() -> bytes:
    escaped = [data.replace(b"\\", rb"\\").replace(b'"', rb"\"").replace(b"\n", rb"\n").replace(b"\t", rb"\t") for data, _ in DAMAGED]
    return b"".join(b'{"id": %d, "text": "%s"}\n' % row for row in enumerate(escaped))


def as_inserts(backslash: bool = False) -> bytes:
    texts = [data.replace(b"\\", rb"\\" if backslash else b"\\").replace(b"'", b"''") for data, _ in DAMAGED]
    return b"CREATE TABLE t (id int, x text);\n" + b"".join(b"INSERT INTO t VALUES (%d,'%s');\n" % row for row in enumerate(texts))


def test_csv_and_json_in_python_and_duckdb(tmp_path):
    for delimiter in [b",", b";", b"\t", b"|"]:
        text = mended(as_csv(delimiter), "csv", delimiter=delimiter.decode()).decode()
        assert [row[1] for row in csv.reader(io.StringIO(text, newline=""), delimiter=delimiter.decode())][1:] == TEXTS
    path = tmp_path / "a.csv"
    path.write_bytes(as_csv())
    with pytest.raises(duckdb.Error):
        duckdb.sql(f"SELECT * FROM read_csv('{path}', header=true, encoding='utf-8')").fetchall()
    path.write_bytes(mended(as_csv().replace(b"\r", b""), "csv"))
    found = duckdb.sql(f"SELECT text FROM read_csv('{path}', header=true, quote='\"', escape='\"', all_varchar=true) ORDER BY id").fetchall()
    assert [text or "" for (text,) in found] == TEXTS
    lines = mended(as_jsonl(), "jsonl")
    assert [json.loads(line)["text"] for line in lines.splitlines()] == TEXTS
    path = tmp_path / "a.jsonl"
    path.write_bytes(lines)
    assert [text for (text,) in duckdb.sql(f"SELECT text FROM read_json('{path}') ORDER BY id").fetchall()] == TEXTS


def test_values_of_binary_columns_come_back_from_python():
    dump = b"CREATE TABLE `t` (\n  `b` blob,\n  `s` text\n);\nINSERT INTO `t` VALUES ('a\xb8b','caf\xe9');\n"
    mended = placemat.mend(dump, structure="sql-mysql", second="windows-1252")
    wanted = dump.replace(b"\xe9", "é".encode())
    assert (mended.data, mended.text) == (wanted, wanted.decode(errors="surrogateescape"))
    with pytest.raises(UnicodeEncodeError):
        mended.text.encode()
    copy = pickle.loads(pickle.dumps(mended))
    assert (copy.data, copy.text) == (mended.data, mended.text)


def test_a_dump_in_sqlite_and_duckdb():
    dump = mended(as_inserts(), "sql-sqlite").decode()
    with sqlite3.connect(":memory:") as database:
        database.executescript(dump)
        assert [x for (x,) in database.execute("SELECT x FROM t ORDER BY id")] == TEXTS
    with duckdb.connect() as database:
        database.execute(dump)
        assert [x for (x,) in database.execute("SELECT x FROM t ORDER BY id").fetchall()] == TEXTS


@pytest.mark.skipif(not shutil.which("sqlite3"), reason="the shell of SQLite is not installed")
def test_what_sqlite_dumps(tmp_path):
    with sqlite3.connect(tmp_path / "a.db") as database:
        database.execute("CREATE TABLE t (id, x, b)")
        for n, (data, _) in enumerate(DAMAGED):
            database.execute("INSERT INTO t VALUES (?, CAST(? AS TEXT), ?)", (n, data, b"\xff\x00"))
    database.close()
    dump = subprocess.run(["sqlite3", tmp_path / "a.db", ".dump"], check=True, capture_output=True).stdout
    with sqlite3.connect(":memory:") as database:
        database.executescript(mended(dump, "sql").decode())
        assert database.execute("SELECT x, b FROM t ORDER BY id").fetchall() == [(text, b"\xff\x00") for text in TEXTS]


def server(command, folder, user):
    """Start a server as a user that is not root."""
    if os.geteuid() == 0:
        who = pwd.getpwnam(user)
        os.chown(folder, who.pw_uid, who.pw_gid)
        for above in folder.parents[:3]:
            above.chmod(above.stat().st_mode | 0o011)
        command = ["runuser", "-u", user, "--", *command]
    return subprocess.Popen(command, cwd=folder, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def until(ready):
    for _ in range(300):
        if ready().returncode == 0:
            return
        time.sleep(0.1)
    raise TimeoutError("the server does not start")


POSTGRES = sorted(Path("/usr/lib/postgresql").glob("*/bin/postgres"))


@pytest.fixture(scope="module")
def postgres(tmp_path_factory):
    folder = tmp_path_factory.mktemp("pg")
    bin, data = POSTGRES[-1].parent, folder / "data"
    server([bin / "initdb", "-D", data, "-U", "me", "-A", "trust", "--locale=C", "--encoding=UTF8"], folder, "postgres").wait()
    running = server([bin / "postgres", "-D", data, "-k", folder, "-h", "", "-F"], folder, "postgres")

    def run(program, *arguments, database="postgres", input=None):
        base = [bin / program, "-h", folder, "-U", "me", "-d", database]
        return subprocess.run([*base, *arguments], input=input, capture_output=True)

    def psql(sql: bytes, database="postgres"):
        return run("psql", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", database=database, input=sql)

    until(lambda: psql(b"SELECT 1"))
    psql(b"CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII'")
    yield run, psql
    running.terminate()
    running.wait()


def rows_of(psql):
    found = json.loads(psql(b"SELECT json_agg(x ORDER BY id) FROM t").stdout)
    psql(b"DROP TABLE t")
    return found


@pytest.mark.skipif(not POSTGRES, reason="PostgreSQL is not installed")
def test_what_pg_dump_writes(postgres):
    run, psql = postgres
    assert psql(as_inserts(), "ascii").returncode == 0
    for options in [[], ["--inserts"], ["--column-inserts"]]:
        dump = run("pg_dump", "--no-owner", *options, database="ascii").stdout
        # With SQL_ASCII the dump is loaded unchecked.
        psql(dump)
        assert psql(b"SELECT string_agg(x, '' ORDER BY id) FROM t").stdout.strip() != "".join(TEXTS).encode()
        psql(b"DROP TABLE IF EXISTS t")
        loaded = psql(mended(dump, "sql"))
        assert loaded.returncode == 0, loaded.stderr
        assert rows_of(psql) == TEXTS


@pytest.mark.skipif(not POSTGRES, reason="PostgreSQL is not installed")
def test_csv_json_and_nul_in_postgres(postgres):
    _, psql = postgres
    psql(b"CREATE TABLE t (id int, x text)")
    copied = psql(b"COPY t FROM stdin CSV HEADER;\n" + mended(as_csv().replace(b"\r", b""), "csv") + b"\\.\n")
    assert copied.returncode == 0, copied.stderr
    assert rows_of(psql) == TEXTS
    with_nul = b'{"a": "x\\u0000caf\\u00c3\\u00a9"}\n'
    load = b"CREATE TABLE t (id int default 1, x jsonb); COPY t (x) FROM stdin CSV QUOTE e'\\x01' DELIMITER e'\\x02';\n%s\\.\n"
    assert b"unsupported Unicode escape sequence" in psql(load % with_nul).stderr
    psql(b"DROP TABLE IF EXISTS t")
    assert psql(load % mended(with_nul, "jsonl", zero="skip")).returncode == 0
    assert rows_of(psql) == [{"a": "xcafé"}]
    with_nul = as_csv().replace(b"\r", b"").replace(b"say", b"s\0ay")
    psql(b"CREATE TABLE t (id int, x text)")
    assert psql(b"COPY t FROM stdin CSV HEADER;\n" + mended(with_nul, "csv", zero="skip") + b"\\.\n").returncode == 0
    assert rows_of(psql) == TEXTS


MARIADB = shutil.which("mariadbd") or shutil.which("mysqld") or next(map(str, Path("/usr/sbin").glob("mariadbd")), None)


@pytest.fixture(scope="module")
def mariadb(tmp_path_factory):
    folder = tmp_path_factory.mktemp("my")
    data, socket = folder / "data", folder / "s"
    server(["mariadb-install-db", "--no-defaults", f"--datadir={data}", "--auth-root-authentication-method=normal"], folder, "mysql").wait()
    running = server([MARIADB, "--no-defaults", f"--datadir={data}", f"--socket={socket}", "--skip-networking", f"--pid-file={folder}/pid"], folder, "mysql")

    def run(program, *arguments, input=None):
        return subprocess.run([program, "--no-defaults", f"--socket={socket}", "-uroot", *arguments], input=input, capture_output=True)

    until(lambda: run("mariadb", "-e", "SELECT 1"))
    yield run
    running.terminate()
    running.wait()


@pytest.mark.skipif(not MARIADB, reason="MariaDB is not installed")
def test_what_mysqldump_writes(mariadb):
    run = mariadb
    run("mariadb", "-e", "CREATE DATABASE a CHARACTER SET latin1; CREATE DATABASE b CHARACTER SET utf8mb4")
    table = b"SET NAMES binary; CREATE TABLE t (id int, x text CHARACTER SET latin1, b blob);\n"
    texts = [data.replace(b"\\", rb"\\").replace(b"'", b"''") for data, _ in DAMAGED]
    rows = b"".join(b"INSERT INTO t VALUES (%d,_latin1'%s',_binary'\xff\\0\\'\xe9');\n" % row for row in enumerate(texts))
    made = run("mariadb", "a", input=table + rows)
    assert made.returncode == 0, made.stderr
    for options in [[], ["--hex-blob", "--skip-extended-insert"]]:
        dump = run("mariadb-dump", "--default-character-set=latin1", *options, "a").stdout
        assert dump.count(b"\xe9") >= 3
        with pytest.raises(placemat.RefusedError, match="the dump says that its text is not in UTF-8"):
            placemat.mend(dump, structure="sql", second="windows-1252")
        dump = re.sub(rb"(CHARSET=|CHARACTER SET |SET NAMES )latin1( COLLATE=\w+)?", rb"\1utf8mb4", dump)
        change = placemat.mend(dump, structure="sql", second="windows-1252", mojibake=True, lossy=True)
        fixed = bytearray(dump)
        for made in reversed(change.changes):
            fixed[made.offset : made.offset + len(made.original)] = made.text.encode()
        loaded = run("mariadb", "--default-character-set=utf8mb4", "b", input=bytes(fixed))
        assert loaded.returncode == 0, loaded.stderr
        found = run("mariadb", "--default-character-set=utf8mb4", "-N", "-r", "b", "-e", "SELECT HEX(x), HEX(b) FROM t ORDER BY id").stdout
        cells = [line.split("\t") for line in found.decode().splitlines()]
        assert [bytes.fromhex(x).decode() for x, _ in cells] == TEXTS
        assert {b for _, b in cells} == {"FF0027E9"}


def test_what_does_not_parse_is_refused_with_its_line():
    for structure, data, message in [
        ("csv", b'a\n"b\n', "line 2: a field in quotes does not end"),
        ("jsonl", b'{}\n{"a" 1}\n', "line 2: a colon is expected"),
        ("sql-postgres", b"COPY t (a) FROM stdin;\n1\n", r"line 3: the rows of COPY do not end with \\\."),
        ("sql", b"SELECT 1;", "the dump does not say which database wrote it"),
    ]:
        with pytest.raises(placemat.RefusedError, match=message):
            placemat.mend(data, structure=structure)
    for wrong in [{"structure": "xml"}, {"structure": "sql-oracle"}, {"structure": "csv", "delimiter": ""}, {"zero": "drop"}]:
        with pytest.raises(ValueError):
            placemat.mend(b"", **wrong)


def test_what_is_no_dump_in_text_is_named():
    for structure in ["sql", "sql-postgres"]:
        with pytest.raises(placemat.RefusedError, match="pg_dump's custom format: pg_restore -f dump.sql"):
            placemat.mend(b"PGDMP\x01\x0e", structure=structure)
    wide = "id,name\n1,Zoë\n2,Łukasz\n".encode("utf-16-le") * 9
    for structure in ["csv", "jsonl", "sql"]:
        with pytest.raises(placemat.RefusedError, match="it looks like utf-16le"):
            placemat.mend(wide, structure=structure, second="windows-1250")


def test_keys_that_only_the_repair_makes_equal():
    with pytest.raises(placemat.RefusedError, match="line 1: after the repair, two keys of the object are equal"):
        placemat.mend('{"Größe": 1, "GrÃ¶ÃŸe": 2}'.encode(), structure="jsonl", mojibake=True)


def test_changes_say_row_and_field():
    changes = placemat.mend(as_csv(), structure="csv", second="windows-1252", mojibake=True, lossy=True).changes
    assert {(change.row, change.field) for change in changes} == {(n, 2) for n in [2, 4, 5, 6, 7]}
    assert repr(changes[0]).endswith(", row=2, field=2)")
    assert pickle.loads(pickle.dumps(changes)) == changes


def test_messages_speak_python():
    with pytest.raises(placemat.RefusedError, match='structure="sql-postgres", "sql-mysql" or "sql-sqlite"'):
        placemat.mend(b"SELECT 1;", structure="sql")
    for wrong in ["xml", "sql-oracle", ""]:
        with pytest.raises(ValueError, match="csv, jsonl, sql, sql-postgres, sql-mysql or sql-sqlite, not"):
            placemat.mend(b"", structure=wrong)
