"""Tests with a real Spark: in one process, or with PLACEMAT_CLUSTER=1 on a cluster of one master and two workers."""

import gzip
import itertools
import json
import os
import re
import shutil
import subprocess
import threading
import time

import placemat
import pytest

pytest.importorskip("pyspark")
pytest.importorskip("pyarrow")

if not os.environ.get("JAVA_HOME") and shutil.which("java") is None:
    pytest.skip("Spark needs Java", allow_module_level=True)

import cluster as made  # noqa: E402

ON_CLUSTER = os.environ.get("PLACEMAT_CLUSTER") == "1"
COUNT = 2000


@pytest.fixture(scope="module")
def cluster(tmp_path_factory):
    if not ON_CLUSTER:
        yield None
        return
    cluster = made.Cluster(tmp_path_factory.mktemp("cluster"))
    yield cluster
    cluster.stop()


@pytest.fixture(scope="module")
def spark(cluster):
    import sys

    from pyspark.sql import SparkSession

    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    os.environ["PYSPARK_PYTHON"] = sys.executable
    session = (
        SparkSession.builder.master(cluster.url if cluster else "local[2]")
        .config("spark.driver.host", "127.0.0.1")
        .config("spark.driver.bindAddress", "127.0.0.1")
        .config("spark.executor.memory", "512m")
        .config("spark.ui.enabled", "false")
        .config("spark.sql.shuffle.partitions", "4")
        .config("spark.task.maxFailures", "8")
        .config("spark.driver.memory", "512m")
        .config("spark.hadoop.fs.viewfs.mounttable.test.link./data", "file:///")
        .getOrCreate()
    )
    yield session
    session.stop()


@pytest.fixture(scope="module")
def data():
    return list(made.rows(COUNT))


@pytest.fixture(scope="module")
def table(spark, data, tmp_path_factory):
    """The rows as Parquet, in six files."""
    path = str(tmp_path_factory.mktemp("table") / "rows.parquet")
    spark.createDataFrame(data, "id long, body binary").repartition(6).write.parquet(path)
    return spark.read.parquet(path)


def test_columns(spark, table, data):
    import placemat.spark as ps

    found = table.select(
        "id",
        ps.is_valid("body").alias("valid"),
        ps.repair("body", "cp1252").alias("text"),
        ps.first_error("body").alias("error"),
        ps.detect("body").alias("found"),
        ps.lengths("body", "utf-16-units").alias("units"),
        ps.convert("body", "utf-8", "utf-16le", on_error="replace").alias("wide"),
    ).collect()
    bodies = dict(data)
    assert sorted(row.id for row in found) == [at for at, _ in data]
    for row in found:
        body = bodies[row.id]
        if body is None:
            assert (row.valid, row.text, row.error, row.found, row.units, row.wide) == (None,) * 6
            continue
        error = placemat.check(body)
        assert row.valid == (error is None)
        assert row.text == placemat.repair(body, "cp1252").decode()
        assert (row.error and (row.error.offset, row.error.kind)) == (error and (error.offset, error.kind))
        assert row.found.encoding == placemat.detect(body).encoding
        assert row.wide == body.decode(errors="replace").encode("utf-16-le") and row.units == len(row.wide) // 2


def expected_errors(data):
    return sorted((at, e.offset, e.length, e.kind) for at, body in data if body for e in placemat.errors(body))


def test_every_error_of_a_table(table, data):
    import placemat.spark as ps

    report = ps.errors(table, "body", keep=["id"]).collect()
    assert sorted((e.id, e.offset, e.length, e.kind) for e in report) == expected_errors(data)
    # `file` and `row` name the row that Spark read.
    import pyarrow.parquet as parquet

    for error in report[:20]:
        file = parquet.read_table(error.file.removeprefix("file://"))
        assert file.column("id")[error.row].as_py() == error.id


def test_strings_that_are_none(spark):
    import placemat.spark as ps

    broken = spark.sql("select cast(unhex('636166E9') as string) as text")
    assert broken.select(ps.is_valid("text")).first()[0] is False
    assert broken.select(ps.repair("text", "cp1252")).first()[0] == "café"


def test_files_as_the_command_sees_them(spark, tmp_path):
    import placemat.spark as ps

    made.write_files(tmp_path / "in")
    (tmp_path / "in/part0/nothing.txt").touch()
    others = {"wide.txt": b"\xff\xfea\0\xff\xff", "widest.txt": b"\0\0\xfe\xff\0\0\0a", "picture.txt": b"\x89PNG\0\0\xff"}
    for name, content in others.items():
        (tmp_path / "in/part1" / name).write_bytes(content)
    (tmp_path / "in/part1/russian.txt").write_bytes("Привет, мир! Это письмо.".encode("koi8-r"))
    (tmp_path / "in/part1/marked.txt").write_bytes(b"\xef\xbb\xbfa\0\xff")
    report = ps.check_files(spark, str(tmp_path / "in"), glob="*.txt").collect()
    assert not any(row.failed for row in report)
    found = sorted(tuple(row)[:5] for row in report)
    assert found
    report = ps.repair_files(spark, str(tmp_path / "in"), str(tmp_path / "out"), "cp1252").collect()
    files = sorted(path for path in (tmp_path / "in").rglob("*.txt"))
    assert sorted(row.file for row in report) == [str(path) for path in files]
    refused = {row.file: row.refused for row in report if row.refused}
    assert refused[str(tmp_path / "in/part1/russian.txt")] == "koi8-r"
    for path in files:
        out = tmp_path / "out" / path.relative_to(tmp_path / "in")
        content = path.read_bytes()
        assert out.read_bytes() == (content if str(path) in refused or path.name in others else placemat.repair(content, "cp1252"))
    assert {error[0].rpartition("/")[2]: error[1:] for error in found if error[0].endswith(tuple(others))} == {
        "wide.txt": (1, 0, 2, "invalid-byte"), "widest.txt": (1, 0, 4, "invalid-byte")
    }
    found_text = [error for error in found if not error[0].endswith(tuple(others))]
    assert {row.file for row in report if row.changed} == {error[0] for error in found_text} - refused.keys()
    assert not [path for path in (tmp_path / "out").rglob(".placemat-*")]
    if made.command() is None:
        pytest.skip("the command is not built")
    assert found == made.checked_by_command(tmp_path / "in")
    for path in files:
        theirs = subprocess.run([made.command(), "repair", "--on-error", "cp1252", "-s", str(path)], stdout=subprocess.PIPE, check=False)
        # The command repairs a file that is named as an argument even if it is binary.
        if path.name != "picture.txt":
            assert theirs.returncode == (str(path) in refused), path
        if theirs.returncode == 0:
            assert theirs.stdout == (tmp_path / "out" / path.relative_to(tmp_path / "in")).read_bytes()


def test_a_target_inside_the_source_is_not_read(spark, tmp_path):
    import placemat.spark as ps

    for name in ["a.txt", "clean.txt", "sub/b.txt", "clean2/c.txt"]:
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(b"caf\xc3\xa9, caf\xe9\n")
    for target in [str(tmp_path / "in/clean"), f"file://{tmp_path}/in/clean/"]:
        report = ps.repair_files(spark, str(tmp_path / "in"), target, "cp1252")
        for _ in range(2):
            assert sorted(row.file for row in report.collect()) == [str(tmp_path / "in" / name) for name in ["a.txt", "clean.txt", "clean2/c.txt", "sub/b.txt"]]
        written = sorted(str(path.relative_to(tmp_path / "in/clean")) for path in (tmp_path / "in/clean").rglob("*.txt"))
        assert written == ["a.txt", "clean.txt", "clean2/c.txt", "sub/b.txt"]
    # Another target, and the source itself.
    assert ps.repair_files(spark, str(tmp_path / "in"), str(tmp_path / "in")).count() == 8
    assert ps.repair_files(spark, str(tmp_path / "in/clean"), str(tmp_path / "in")).count() == 4


def test_files_of_wider_units(spark, tmp_path):
    import placemat.spark as ps

    texts = {
        # A line feed, and bytes 0A in other characters, which end no line.
        "utf-16": ["\ufeffone\nĊ two \ud800x", "ਊ\r\nthree\udfff", "fine\n"],
        "utf-16le": ["lone \udc00 here"],
        "utf-32be": ["one\n\U0001010a\n\ud800"],
    }
    for form, lines in texts.items():
        folder = tmp_path / form
        folder.mkdir()
        for at, text in enumerate(lines):
            codec = "utf-16-be" if form == "utf-16" else form.replace("be", "-be").replace("le", "-le")
            (folder / f"{at}.txt").write_bytes(text.encode(codec, "surrogatepass"))
        found = sorted(tuple(row)[:5] for row in ps.check_files(spark, str(folder), form).collect())
        assert len(found) == sum(any("\ud800" <= c <= "\udfff" for c in text) for text in lines)
        if form != "utf-16le":
            assert found[0][1] == text.count("\n") + 1 if form == "utf-32be" else found[0][1] == 2
        if made.command() is not None:
            assert found == made.checked_by_command(folder, "-f", form)


def test_one_file(spark, tmp_path):
    import placemat.spark as ps

    (tmp_path / "one.txt").write_bytes("naïve".encode() + b" caf\xe9")
    row = ps.repair_files(spark, str(tmp_path / "one.txt"), str(tmp_path / "out"), "cp1252").first()
    assert (row.file, row.changed, row.refused) == (str(tmp_path / "one.txt"), True, None)
    assert (tmp_path / "out/one.txt").read_text() == "naïve café"
    assert len(list((tmp_path / "out").iterdir())) == 1
    part = ps.survey(spark, str(tmp_path / "one.txt"))
    assert part["worst"][0]["path"] == str(tmp_path / "one.txt")


def test_empty_files_lie_where_spark_looks(spark, tmp_path):
    import placemat.spark as ps

    for folder in ["a", ".git/refs", "_tmp", "_year=1"]:
        (tmp_path / "in" / folder).mkdir(parents=True)
        (tmp_path / "in" / folder / "empty").touch()
        (tmp_path / "in" / folder / "full").write_text("text")
    rows = ps.repair_files(spark, str(tmp_path / "in"), str(tmp_path / "out"), "cp1252").collect()
    found = sorted(os.path.relpath(row.file, tmp_path / "in") for row in rows)
    assert found == ["_year=1/empty", "_year=1/full", "a/empty", "a/full"]


@pytest.mark.parametrize("scheme", ["file:", "file://", "viewfs://test/data"])
def test_other_file_systems(spark, tmp_path, scheme):
    import placemat.spark as ps

    (tmp_path / "in/deep").mkdir(parents=True)
    (tmp_path / "in/deep/a b%20+.txt").write_bytes(b"na\xc3\xafve \xe2\x82\xac caf\xe9\n" * 3)
    (tmp_path / "in/empty").touch()
    source, target = f"{scheme}{tmp_path}/in", f"{scheme}{tmp_path}/out/new"
    rows = ps.repair_files(spark, source, target, "cp1252").collect()
    assert sorted((row.file, row.failed) for row in rows) == [
        (f"{tmp_path}/in/deep/a b%20+.txt", None), (f"{tmp_path}/in/empty", None)
    ]  # fmt: skip
    assert (tmp_path / "out/new/deep/a b%20+.txt").read_text() == "naïve € café\n" * 3
    assert sorted(path.name for path in (tmp_path / "out").rglob("*") if path.is_file()) == ["a b%20+.txt", "empty"]
    assert [row.line for row in ps.check_files(spark, source).orderBy("line").collect()] == [1, 2, 3]
    survey = ps.survey(spark, source)
    assert (survey["files"], survey["errors"]) == (2, 3)


def test_file_systems_that_workers_cannot_open_are_refused_at_once(spark, tmp_path):
    import placemat.spark as ps

    (tmp_path / "in").mkdir()
    for target in ["nonsense://host/out", "viewfs://test/elsewhere"]:
        with pytest.raises(ValueError, match="no file system for"):
            ps.repair_files(spark, str(tmp_path / "in"), target)
    with pytest.raises(FileNotFoundError):
        ps.check_files(spark, str(tmp_path / "nowhere"))


def test_a_folder_that_cannot_be_listed_is_told_without_a_traceback(spark, tmp_path):
    import placemat.spark as ps
    from pyspark.sql import functions as F

    (tmp_path / "in").mkdir()
    for path in [str(tmp_path / "in"), f"file://localhost{tmp_path}/in"]:
        assert ps.check_files(spark, path).collect() == []
    found = ps.check_files(spark, str(tmp_path / "in"))
    (tmp_path / "in").rmdir()
    with pytest.raises(Exception, match="FileNotFoundError") as raised:
        found.collect()
    assert "Traceback" not in str(raised.value) or not hasattr(F, "is_valid_utf8")


def test_a_file_that_fails_is_a_row(spark, tmp_path):
    import placemat.spark as ps

    (tmp_path / "in").mkdir()
    (tmp_path / "in/good").write_bytes(b"caf\xe9")
    (tmp_path / "in/lost").symlink_to(tmp_path / "nowhere")
    failed = {row.file.rpartition("/")[2]: row.failed for row in ps.check_files(spark, str(tmp_path / "in")).collect()}
    assert failed["good"] is None and "FileNotFoundError" in failed["lost"]
    failed = {row.file.rpartition("/")[2]: row.failed for row in ps.repair_files(spark, str(tmp_path / "in"), str(tmp_path / "out")).collect()}
    assert failed["good"] is None and "FileNotFoundError" in failed["lost"]
    assert [path.name for path in (tmp_path / "out").iterdir()] == ["good"]


def test_a_name_that_is_no_utf8_and_a_path_that_is_no_string(spark, tmp_path):
    import placemat.spark as ps

    source, target = tmp_path / "in", tmp_path / "out"
    source.mkdir()
    name = b"n\xe9.txt"
    with open(os.fsencode(source) + b"/" + name, "wb") as file:
        file.write(b"caf\xe9\n")
    (row,) = ps.check_files(spark, source).collect()
    assert (row.file, row.offset, row.failed) == (f"{source}/n\\xe9.txt", 3, None)
    (row,) = ps.repair_files(spark, source, target, "cp1252").collect()
    assert (row.file, row.failed) == (f"{source}/n\\xe9.txt", None)
    assert os.listdir(os.fsencode(target)) == [name]
    assert ps.survey(spark, source)["files"] == 1


def test_a_file_larger_than_what_the_jvm_holds(spark, tmp_path):
    import placemat.spark as ps

    (tmp_path / "in").mkdir()
    with open(tmp_path / "in/large", "wb") as file:
        for _ in range(200):
            file.write(b"a" * ((1 << 20) - 1) + b"\n")
        file.write(b"caf\xe9\n")
    row = ps.check_files(spark, str(tmp_path / "in")).collect()[0]
    assert (row.line, row.offset, row.failed) == (201, (200 << 20) + 3, None)


def test_errors_join_with_check_files(spark, tmp_path):
    import placemat.spark as ps

    folder = tmp_path / "a b%20+c"
    spark.createDataFrame([(1, b"caf\xe9")], "`id.x` long, body binary").coalesce(1).write.parquet(str(folder))
    df = spark.read.parquet(str(folder))
    row = ps.errors(df, "body", keep=["id.x"]).first()
    assert row["id.x"] == 1 and os.path.exists(row.file) and row.row == 0
    named = spark.createDataFrame([(1, "f", b"caf\xe9")], "offset long, file string, body binary")
    assert ps.errors(named, "body", keep="file").columns[:2] == ["file", "file"]
    found = ps.errors(named, "body", keep=["offset", "file"]).collect()
    assert tuple(found[0]) == (1, "f", None, None, 3, 1, "truncated")


def test_what_means_nothing_is_refused_when_the_column_is_made(spark):
    import placemat.spark as ps

    for make in [
        lambda: ps.repair("body", "no-such"), lambda: ps.is_valid("body", "no-such"), lambda: ps.convert("body", on_error="no-such")
    ]:  # fmt: skip
        with pytest.raises(LookupError, match="no-such"):
            make()
    with pytest.raises(LookupError) as unknown:
        ps.repair("body", "no-such")
    # A policy of `convert` alone.
    assert "surrogateescape" not in str(unknown.value)
    with pytest.raises((LookupError, ValueError), match="surrogate"):
        ps.repair("body", "surrogateescape")
    numbers = spark.createDataFrame([(1, [1])], "n int, a array<int>")
    for name in ["n", "a"]:
        for function in [ps.is_valid, ps.first_error, ps.repair, ps.convert, ps.detect, ps.lengths, ps.mojibake, ps.mend]:
            with pytest.raises(Exception, match="DATATYPE_MISMATCH"):
                numbers.select(function(name))


def test_any_label_of_utf8_makes_strings(spark, table):
    import placemat.spark as ps

    for label in ["utf-8", "UTF-8", "utf8", "unicode-1-1-utf-8"]:
        kind = table.select(ps.convert("body", "windows-1252", label, unencodable="replace").alias("text")).dtypes
        assert kind == [("text", "binary" if label.startswith("unicode") else "string")]
    assert table.select(ps.convert("body", "windows-1252", "UTF8").alias("text")).where("text is not null").first().text is not None
    row = table.where("body is not null").select(F_length("body"), ps.lengths("body", "utf8")).first()
    assert row[0] == row[1]


def F_length(column):
    from pyspark.sql import functions as F

    return F.octet_length(column)


@pytest.mark.skipif(made.command() is None, reason="the command is not built")
def test_a_survey_is_that_of_the_command(spark, tmp_path):
    import placemat.spark as ps

    root = tmp_path / 'in "it"'
    made.write_files(root)
    (root / "part0/nothing.txt").touch()
    (root / "part1/russian.txt").write_bytes("Привет, мир! Это старый файл.\n".encode("cp1251") * 20)
    (root / "part2/picture.dat").write_bytes(b"\x89PNG\0\0\0")
    ours = ps.survey(spark, str(root), html=str(tmp_path / "ours.html"))
    words = [made.command(), "survey", "--format", "json", "--html", str(tmp_path / "theirs.html"), str(root)]
    assert ours == json.loads(subprocess.check_output(words))
    assert (tmp_path / "ours.html").read_text() == (tmp_path / "theirs.html").read_text()
    assert len(ours["encodings"]) >= 3 and ours["files_skipped"] == 1 and ours["worst"][0]["path"].startswith(str(root))


@pytest.mark.skipif(made.command() is None, reason="the command is not built")
def test_a_survey_of_rows_is_that_of_their_lines(spark, table, data, tmp_path):
    import placemat.spark as ps

    def line(text):
        """A line of JSON with the bytes unchanged, but with escapes for those that a JSON string must escape."""
        return b'{"body":"' + re.sub(rb'[\x00-\x1f"\\]', lambda found: b"\\u%04x" % found[0][0], text) + b'"}\n'

    bodies = [body for _, body in data if body is not None]
    (tmp_path / "lines").mkdir()
    (tmp_path / "lines/all.jsonl").write_bytes(b"".join(map(line, bodies)))
    words = [made.command(), "survey", "--jsonl", "body", "--format", "json", str(tmp_path / "lines")]
    theirs = json.loads(subprocess.check_output(words))
    from_lines = ps.survey(spark, str(tmp_path / "lines"), format="jsonl", column="body")
    assert from_lines == theirs
    from_rows = ps.survey(spark, table.inputFiles()[0].rpartition("/")[0], format="parquet", column="body")
    # The Parquet table has more files, and the survey of rows names no worst file.
    assert from_rows | {"files": 1, "worst": []} == theirs | {"worst": []}
    (tmp_path / "warc").mkdir()
    with gzip.open(tmp_path / "warc/all.warc.gz", "wb") as file:
        file.write(b"WARC/1.0\r\nWARC-Type: warcinfo\r\nContent-Length: 4\r\n\r\nskip\r\n\r\n")
        for body in bodies:
            block = b"HTTP/1.1 200 OK\r\nServer: x\r\n\r\n" + body
            file.write(b"WARC/1.0\r\nWARC-Type: response\r\nContent-Length: %d\r\n\r\n%s\r\n\r\n" % (len(block), block))
    from_warc = ps.survey(spark, str(tmp_path / "warc"), format="warc")
    same = ["texts", "bytes", "code_points", "errors", "encodings", "scripts", "line_endings", "error_kinds", "dialects"]
    assert {key: from_warc[key] for key in same} == {key: theirs[key] for key in same}


@pytest.mark.skipif(not ON_CLUSTER, reason="needs workers that can be killed")
def test_a_worker_that_dies_loses_and_duplicates_nothing(spark, cluster, table, data):
    import placemat.spark as ps

    def slowly(batches):
        for batch in batches:
            time.sleep(1.0)
            yield batch

    slow = table.repartition(24).mapInArrow(slowly, table.schema)
    result = []
    job = threading.Thread(target=lambda: result.extend(ps.errors(slow, "body", keep=["id"]).collect()))
    job.start()
    time.sleep(8)
    assert job.is_alive(), "the job was over before the worker died"
    made.kill(cluster.workers[0])
    job.join(300)
    assert sorted((e.id, e.offset, e.length, e.kind) for e in result) == expected_errors(data)


# A byte or two of each kind. `combinations` has all sequences of up to three, and of four behind the lead bytes with special rules.
KINDS = bytes.fromhex("00417F808F909FA0BFC0C1C2DFE0E1ECEDEEEFF0F1F3F4F5FF")


def combinations():
    for leads, lengths in [(KINDS, (0, 1, 2)), (b"\xe0\xed\xf0\xf4", (3,))]:
        for lead in leads:
            for length in lengths:
                yield from (bytes([lead, *rest]) for rest in itertools.product(KINDS, repeat=length))


def test_spark_agrees_on_what_is_valid_and_on_its_repair(spark, table, tmp_path):
    import placemat.spark as ps
    import pyarrow as pa
    import pyarrow.parquet as parquet
    from pyspark.sql import functions as F

    parquet.write_table(pa.table({"body": pa.array(combinations(), pa.binary())}), tmp_path / "all.parquet")
    for rows in [table, spark.read.parquet(str(tmp_path / "all.parquet"))]:
        both = rows.select(
            ps.is_valid("body").alias("theirs"),
            ps.repair("body").alias("their_text"),
            ps._function("is_valid", "boolean", "body").alias("ours"),
            ps._function("repair", "string", "body").alias("our_text"),
        )
        assert both.where("ours is distinct from theirs or our_text is distinct from their_text").count() == 0
        assert rows.where(ps.is_valid("body")).count() < rows.count()


def test_forms_and_policies_that_spark_has_not(spark, table, data):
    import placemat.spark as ps

    bodies = dict(data)
    for row in table.select("id", ps.is_valid("body", "wtf-8").alias("valid"), ps.repair("body", "escape").alias("text")).collect():
        body = bodies[row.id]
        assert row.valid == (None if body is None else placemat.is_valid(body, "wtf-8"))
        assert row.text == (None if body is None else placemat.repair(body, "escape").decode())
    with pytest.raises(LookupError, match="no-such-form"):
        table.select(ps.is_valid("body", "no-such-form")).collect()


def test_the_guide(spark):
    import test_guide

    test_guide.run(test_guide.GUIDE.read_text().partition("## 5. Spark")[2], spark=spark)


def test_functions_of_sql_and_legacy_encodings(spark):
    from placemat import spark as ps
    from pyspark.sql import functions as F

    ps.register(spark)
    rows = [(1, b"plain"), (2, b"caf\xe9"), (3, "Привет".encode("koi8-r")), (4, None), (5, "cafÃ©".encode())]
    df = spark.createDataFrame(rows, "id long, body binary")
    df.createOrReplaceTempView("mail")

    def column(expression):
        return [row[0] for row in spark.sql(f"SELECT {expression} FROM mail ORDER BY id").collect()]

    assert column("utf8_is_valid(body)") == [True, False, False, None, True]
    assert column("utf8_repair(body, 'cp1252')")[:2] == ["plain", "café"]
    assert column("utf8_convert(body, 'koi8-r')")[2] == "Привет"
    assert column("utf8_detect(body).encoding")[0] == "us-ascii"
    assert column("utf8_lengths(body, 'code-points')")[:2] == [5, 4]
    text = "CAST(body AS STRING)"
    # Before Spark 4.1 rows go through pandas, which takes no malformed string.
    text = text if hasattr(F, "arrow_udf") else f"IF(id = 5, {text}, NULL)"
    assert column(f"utf8_mojibake({text})")[4] == "café"
    found = df.orderBy("id").select(ps.convert("body", "koi8-r").alias("k"), ps.mojibake("body").alias("m")).collect()
    assert (found[2].k, found[4].m) == ("Привет", "café")
    if hasattr(F, "arrow_udf"):
        assert column("utf8_mojibake(body)") == ["plain", "caf\ufffd", "\ufffd" * 6, None, "café"]
    for wrong, message in [
        ("utf8_convert(body, 'koi8-r', 'utf-16le')", "utf8_convert takes a column and one option, the source"),
        ("utf8_detect(body, 'x')", "utf8_detect takes a column and no option"),
        ("utf8_repair(body, 3)", "the policy of utf8_repair must be text"),
        ("utf8_convert(body, 'koi8-rr')", "did you mean koi8-r"),
    ]:
        with pytest.raises(Exception, match=message):
            column(wrong)
    assert column("utf8_repair(body, NULL)") == [None] * 5


def test_names_that_mean_nothing_are_refused_before_the_job(spark):
    from placemat import spark as ps

    for make in [
        lambda: ps.convert("body", "koi8-rr"),
        lambda: ps.convert("body", "koi8-r", "utf-88"),
        lambda: ps.lengths("body", "letters"),
        lambda: ps.each("convert", "body", source="koi8-rr"),
        lambda: ps.repair("body", "nope"),
        lambda: ps.is_valid("body", "utf-88"),
    ]:
        with pytest.raises(LookupError):
            make()
    for path, what in [
        ("C:\\logs", "no file system for"),
        ("ftp://host/logs", "no file system for"),
        ("file://host/logs", "not a local file: .* write file:///folder/name"),
        ("file:logs", "not a local file: .* write file:///folder/name"),
        ("", "the path is empty"),
    ]:
        with pytest.raises(ValueError, match=what):
            ps.check_files(spark, path)
    with pytest.raises(FileNotFoundError, match="only the last part of a path may be a pattern"):
        ps.check_files(spark, "/no-such-folder/*/part-*")


def test_errors_name_the_file_where_spark_knows_it(spark, tmp_path):
    from placemat import spark as ps

    (tmp_path / "a b.txt").write_bytes(b"ok\ncaf\xe9\n")
    rows = spark.createDataFrame([(1, b"x"), (2, b"\xe9")], "id int, value binary").coalesce(1)
    rows.write.parquet(str(tmp_path / "p"))
    rows.write.orc(str(tmp_path / "o"))
    for df, row in [(spark.read.text(f"{tmp_path}/a b.txt"), None), (spark.read.parquet(f"{tmp_path}/p"), 1), (spark.read.orc(f"{tmp_path}/o"), None)]:
        (found,) = ps.errors(df, "value").collect()
        assert found.file.startswith(f"{tmp_path}/") and found.row == row
    (found,) = ps.errors(rows, "value").collect()
    assert (found.file, found.row) == (None, None)


def test_options_of_functions_of_sql_may_differ_from_row_to_row(spark):
    from placemat import spark as ps

    ps.register(spark)
    rows = [(1, "Привет", "koi8-r"), (2, "café", "cp1252"), (3, "x", None), (4, None, "koi8-r"), (5, "Да", "koi8-r")]
    rows = [(at, text and text.encode(encoding or "utf-8"), encoding) for at, text, encoding in rows]
    mail = spark.createDataFrame(rows, "id long, body binary, encoding string").coalesce(1)
    mail.createOrReplaceTempView("letters")

    def column(expression, where="true"):
        query = f"SELECT {expression} FROM letters WHERE {where} ORDER BY id"
        return [row[0] for row in spark.sql(query).collect()]

    assert column("utf8_convert(body, encoding)") == ["Привет", "café", None, None, "Да"]
    assert column("utf8_convert(body, encoding)", "id = 3") == [None]
    units = "IF(id = 1, 'code-points', IF(id = 5, NULL, 'utf-16-units'))"
    assert column(f"utf8_lengths(body, {units})")[3:] == [None, None]


def test_a_column_of_which_some_rows_are_utf_8(spark):
    import placemat.spark as ps
    from pyspark.sql import functions as F

    ps.register(spark)
    df = spark.createDataFrame([(1, "日本".encode()), (2, "日本".encode("shift_jis")), (3, None)], "id int, body binary").orderBy("id")
    query = "coalesce(utf8_convert(IF(utf8_is_valid(body), NULL, body), 'shift_jis'), utf8_repair(body))"
    both = F.when(ps.is_valid("body"), ps.repair("body")).otherwise(ps.convert("body", "shift_jis", on_error="replace"))
    assert [tuple(row) for row in df.select(F.expr(query), both).collect()] == [("日本", "日本")] * 2 + [(None, None)]


def test_rows_are_mended_inside_their_structure(spark):
    from placemat import spark as ps

    rows = [(1, b'{"a": "caf\\u00c3\\u00a9"}'), (2, b"{"), (3, None), (4, b'["plain"]')]
    df = spark.createDataFrame(rows, "id long, body binary").orderBy("id")
    found = [row[0] for row in df.select(ps.mend("body", structure="jsonl", mojibake=True)).collect()]
    assert (found[0].text, found[0].changes, found[0].refused) == ('{"a": "caf\\u00e9"}', 1, None)
    assert (found[1].text, found[1].refused) == (None, "line 1: the value of the line does not end")
    assert found[2] is None and (found[3].text, found[3].data) == ('["plain"]', b'["plain"]')
    with pytest.raises(ValueError, match="structure is csv"):
        ps.mend("body", structure="xml")


def test_a_dump_with_binary_values_is_mended_as_data(spark):
    import placemat.spark as ps

    dump = b"CREATE TABLE `t` (`a` text, `b` blob);\nINSERT INTO `t` VALUES ('caf\xe9 \xc3\xa9t\xc3\xa9','\x89PNG');\n"
    (found,) = spark.createDataFrame([(dump,)], "body binary").select(ps.mend("body", structure="sql-mysql").alias("m")).collect()
    assert (found.m.text, found.m.changes, found.m.refused) == (None, 1, None)
    assert bytes(found.m.data) == dump.replace(b"\xe9 ", "é ".encode())


@pytest.mark.parametrize(
    "query, what",
    [
        ("utf8_convert(body, 'koi8-rr')", 'unknown encoding "koi8-rr": did you mean koi8-r? `placemat forms` lists all'),
        ("utf8_repair(body, 'cp125')", 'unknown policy: "cp125"; one of stop'),
        ("utf8_repair(body, 'cp1252', 'x')", "utf8_repair takes a column and one option, the policy; 3 arguments were given"),
        ("utf8_convert(body, 'utf-8')", "truncated at byte 3 (length 1) of b'caf\\xe9'"),
    ],
)
def test_sql_says_what_is_wrong_without_a_traceback(spark, query, what):
    import placemat.spark as ps
    from pyspark.sql import functions as F

    ps.register(spark)
    df = spark.createDataFrame([(b"caf\xe9",)], "body binary")
    with pytest.raises(Exception) as raised:
        df.selectExpr(query).collect()
    said = str(raised.value)
    assert what in said
    assert "Traceback" not in said or not hasattr(F, "is_valid_utf8")


def test_an_error_shows_the_value_as_batches_have_no_place(spark):
    import placemat.spark as ps

    ps.register(spark)
    df = spark.createDataFrame([(b"ok", [b"caf\xe9"]), (b"caf\xe9", [])], "body binary, tags array<binary>")
    for column in [ps.convert("body"), ps.repair("body", "stop"), ps.each("convert", "tags", source="utf-8"), "utf8_convert(body, 'utf-8')"]:
        chosen = df.selectExpr(column) if isinstance(column, str) else df.select(column)
        with pytest.raises(Exception, match=r"ConversionError: truncated at byte 3 \(length 1\) of b'caf.xe9'"):
            chosen.collect()


def test_elements_of_arrays(spark):
    import placemat.spark as ps
    from pyspark.sql import functions as F

    rows = [([b"a", b"caf\xe9", None],), (None,), ([],)]
    df = spark.createDataFrame(rows, "tags array<binary>")
    found = df.select(
        ps.each("repair", "tags", policy="cp1252").alias("text"),
        ps.each("is_valid", "tags").alias("valid"),
        ps.each("lengths", "tags").alias("length"),
        ps.each("convert", "tags", source="cp1252", target="utf-16le").alias("wide"),
        ps.each("detect", "tags").alias("detected"),
        ps.each("mojibake", F.array(F.lit("cafÃ©").cast("binary"), F.get("tags", F.lit(1)))).cast("array<binary>").alias("undone"),
    ).collect()
    assert [row.text for row in found] == [["a", "café", None], None, []]
    assert [row.valid for row in found] == [[True, False, None], None, []]
    assert [row.length for row in found] == [[1, 4, None], None, []]
    assert [bytes(text or b"") for text in found[0].wide] == [b"a\0", "café".encode("utf-16-le"), b""]
    assert [one and one.encoding for one in found[0].detected] == ["us-ascii", "windows-1252", None] and found[1].detected is None
    assert [bytes(text) for text in found[0].undone] == ["café".encode(), b"caf\xe9"]
    with pytest.raises(ValueError, match="none of"):
        ps.each("errors", "tags")
    with pytest.raises(TypeError):
        ps.each("detect", "tags", form="utf-8")


def test_before_spark_4_it_goes_by_pandas(spark, monkeypatch):
    import placemat.spark as ps
    from placemat import _udf
    from pyspark.sql import functions as F

    df = spark.createDataFrame([(1, b"plain"), (2, b"caf\xe9"), (3, None), (4, "né😀".encode())], "id long, body binary")

    def answers():
        columns = {
            "valid": ps.is_valid("body"),
            "replaced": ps.repair("body"),
            "western": ps.repair("body", "cp1252"),
            "error": ps.first_error("body"),
            "length": ps.lengths("body", "utf-16-units"),
            "detected": ps.detect("body"),
            "mended": ps.mend("body"),
            "elements": ps.each("is_valid", F.array("body")),
            "undone": ps.each("mojibake", F.array("body")).cast("array<binary>"),
        }
        return df.select("id", *(column.alias(name) for name, column in columns.items())).orderBy("id").collect()

    newer = answers()
    monkeypatch.delattr(F, "arrow_udf", raising=False)
    monkeypatch.setattr(_udf, "KNOWS_UTF8", False)
    assert answers() == newer
