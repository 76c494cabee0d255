"""Spark's functions on files, in one process: other file systems than the local one, large files, and files that fail."""

import io
import os
import signal
import stat
import subprocess
import sys
import urllib.parse

import placemat
import pytest

pytest.importorskip("pyarrow")

import webhdfs  # noqa: E402
from placemat import _files, _work  # noqa: E402

TEXT = b"line\n caf\xe9 \xf0\x9f\x98\x80 \xe2\x82\xac\nna\xc3\xafve \xed\xa0\xbd\n"


@pytest.mark.parametrize("size", [1, 2, 3, 7, 64])
@pytest.mark.parametrize("text", [TEXT * 5, "日本語".encode() * 9, b"\xff" * 20, b""])
def test_parts_give_the_whole_and_the_same_errors(size, text):
    parts = list(_files.parts(io.BytesIO(text), size))
    assert b"".join(parts) == text
    assert b"".join(placemat.repair(part, "replace-run") for part in parts) == placemat.repair(text, "replace-run")
    errors = [(line, at, length, kind) for line, at, length, kind in _work._of_utf8(io.BytesIO(text))]
    assert [error[1:] for error in errors] == [(e.offset, e.length, e.kind) for e in placemat.errors(text)]
    assert [error[0] for error in errors] == [text.count(b"\n", 0, e.offset) + 1 for e in placemat.errors(text)]


@pytest.mark.parametrize("size", [1, 3, 64])
@pytest.mark.parametrize("form", ["utf-16", "utf-16le", "utf-32be", "cesu-8", "utf-7", "mutf-8"])
def test_other_forms_in_parts(size, form, monkeypatch):
    text = "a\nb\u0a0a\n" * 3 + "\U0001f600 é\n"
    data = placemat.convert(text.encode(), "utf-8", form) if form != "utf-16" else text.encode("utf-16")
    for bad in [data, data + b"\xff", data[:-1], data[: len(data) // 2] + b"\xff\xdc\xdc\xff" + data[len(data) // 2 :]]:
        monkeypatch.setattr(_files, "PART", size)
        found = [error[1:] for error in _work._of_form(io.BytesIO(bad), form)]
        assert found == [(e.offset, e.length, e.kind) for e in placemat.errors(bad, form)]


def test_modes_come_from_the_source_and_the_umask(tmp_path):
    (tmp_path / "source").write_text("x")
    before = os.umask(0o027)
    try:
        for given, wanted in [(0o666, 0o640), (0o755, 0o750), (0o600, 0o600)]:
            os.chmod(tmp_path / "source", given)
            for _ in range(2):  # A new file, then one that replaces it.
                with _files.create(str(tmp_path / "out/deep/file"), tmp_path / "source") as file:
                    file.write(b"text")
                assert stat.S_IMODE(os.stat(tmp_path / "out/deep/file").st_mode) == wanted
        with _files.create(str(tmp_path / "other")) as file:
            file.write(b"")
        assert stat.S_IMODE(os.stat(tmp_path / "other").st_mode) == 0o640
    finally:
        os.umask(before)


def test_a_writer_that_fails_or_is_killed_leaves_nothing(tmp_path):
    target = tmp_path / "out" / "file"
    with pytest.raises(RuntimeError), _files.create(str(target)) as file:
        file.write(b"half")
        raise RuntimeError
    assert list(target.parent.iterdir()) == []
    if _files._nameless(str(tmp_path), 0o600) is None:
        pytest.skip("the file system has no files without a name")
    code = "import os, signal, sys\nfrom placemat import _files\nwith _files.create(sys.argv[1]) as f:\n f.write(b'x' * 100000); f.flush(); os.kill(os.getpid(), signal.SIGKILL)"
    assert subprocess.run([sys.executable, "-c", code, str(target)], check=False).returncode == -signal.SIGKILL
    assert list(target.parent.iterdir()) == []


def test_paths_that_lead_elsewhere_are_refused():
    assert _files.local_path("file:///a/b c") == "/a/b c" == _files.local_path("file:/a/b c")
    for path in ["file://host/a", "file:a"]:
        with pytest.raises(ValueError, match="not a local file"):
            _files.local_path(path)
    for path in ["ftp://host/a", "viewfs:///a", "nonsense:/a"]:
        with pytest.raises(ValueError, match="no file system for"):
            _files.refuse_scheme(path)
    with pytest.raises(ValueError, match="does not lie below"):
        _files.relative("/other/file", "/data")
    with pytest.raises(ValueError, match="does not lie below"):
        _files.relative("/data/../file", "/data")


def test_objects_of_s3(monkeypatch):
    server = pytest.importorskip("moto.server").ThreadedMotoServer(ip_address="127.0.0.1", port=0)
    s3fs = pytest.importorskip("s3fs")
    server.start()
    try:
        host, port = server.get_host_and_port()
        endpoint = {"AWS_ENDPOINT_URL": f"http://{host}:{port}", "AWS_ACCESS_KEY_ID": "a", "AWS_SECRET_ACCESS_KEY": "b", "AWS_DEFAULT_REGION": "us-east-1"}
        for name, value in endpoint.items():
            monkeypatch.setenv(name, value)
        store = s3fs.S3FileSystem(skip_instance_cache=True)
        store.mkdir("bucket")
        for name in ["a b.txt", "d/q?#.txt", "d/ü+%41.txt", "d/_hidden"]:
            store.pipe_file(f"bucket/in/{name}", b"na\xc3\xafve caf\xe9\n" * 3)
        root, found = _files.folder_and_files("s3a://bucket/in", "*.txt")
        assert [_files.relative(file, root) for file in found] == ["a b.txt", "d/q?#.txt", "d/ü+%41.txt"]
        for file in found:
            _work._repaired(file, f"s3a://bucket/out/{_files.relative(file, root)}", "cp1252")
            assert store.cat_file(f"bucket/out/{_files.relative(file, root)}").decode() == "naïve café\n" * 3
        with pytest.raises(ZeroDivisionError), _files.create("s3://bucket/out/half") as file:
            file.write(b"half")
            raise ZeroDivisionError
        assert not store.exists("bucket/out/half")
    finally:
        server.stop()


def test_files_of_webhdfs(tmp_path):
    pytest.importorskip("fsspec")
    pytest.importorskip("requests")
    names = ["a b+%41.txt", "d/é#.txt", "e/f/g.txt", "q", "q?.txt"]
    for at, name in enumerate([*names, "d/_temporary/x.txt"]):
        (tmp_path / "in" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "in" / name).write_bytes(b"na\xc3\xafve caf\xe9\n" * at)
    with webhdfs.served(str(tmp_path), refused="_temporary") as url:
        root, found = _files.folder_and_files(f"{url}/in/")
        assert [_files.relative(file, root) for file in found] == names
        assert _files.folder_and_files(f"{url}/in/q?.txt") == (f"{url}/in", [f"{url}/in/q?.txt"])
        for at, file in enumerate(found * 2):  # A new file, then one that replaces it.
            name = _files.relative(file, root)
            _work._repaired(file, f"{url}/out/deep/{name}", "cp1252")
            assert (tmp_path / "out/deep" / name).read_bytes().decode() == "naïve café\n" * (at % len(names))
        with pytest.raises(ZeroDivisionError), _files.create(f"{url}/out/half") as file:
            file.write(b"half")
            raise ZeroDivisionError
        assert os.listdir(tmp_path / "out") == ["deep"]
        with pytest.raises(FileNotFoundError):
            _files.folder_and_files(f"{url}/nothing")


def test_a_remote_folder_that_cannot_be_listed_is_not_left_out(tmp_path):
    pytest.importorskip("fsspec")
    pytest.importorskip("requests")
    (tmp_path / "e/f").mkdir(parents=True)
    (tmp_path / "e/f/g.txt").write_bytes(b"\xff")
    with webhdfs.served(str(tmp_path), refused="f") as url, pytest.raises(PermissionError):
        _files.folder_and_files(f"{url}/")
    with pytest.raises(OSError, match="(?i)connect"):
        _files.folder_and_files(f"{url}/")


def test_urls_keep_the_host_that_fsspec_leaves_out(monkeypatch):
    fsspec = pytest.importorskip("fsspec")

    class Hdfs(fsspec.get_filesystem_class("memory")):
        protocol, cachable, store, pseudo_dirs = "hdfs", False, {}, [""]

        @classmethod
        def _strip_protocol(cls, path):
            return urllib.parse.urlsplit(path).path.rstrip("/")

    monkeypatch.setitem(sys.modules["fsspec.registry"]._registry, "hdfs", Hdfs)
    Hdfs().pipe_file("/in/d/x.txt", b"caf\xe9")
    for given in ["hdfs://other:8020/in", "hdfs://other:8020/in/"]:
        assert _files.folder_and_files(given) == ("hdfs://other:8020/in", ["hdfs://other:8020/in/d/x.txt"])
    found = ("hdfs://other:8020/in/d", ["hdfs://other:8020/in/d/x.txt"])
    assert _files.folder_and_files("hdfs://other:8020/in/d/x.txt") == found
