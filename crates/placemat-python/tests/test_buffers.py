"""Objects with a buffer: which are accepted, which are refused, and what happens if another thread or process writes to one."""

import codecs
import ctypes
import mmap
import multiprocessing
import threading
from multiprocessing import shared_memory

import placemat
import pytest

SIZE = 1 << 20


def _flip(write, stop):
    while not stop.is_set():
        write(b"\xff")
        write(b"a")


def _flip_shared(name, stop):
    memory = shared_memory.SharedMemory(name)
    view = memory.buf
    while not stop.is_set():
        view[SIZE - 8 : SIZE] = b"\xff" * 8
        view[SIZE - 8 : SIZE] = b"a" * 8
    del view
    memory.close()


def answers_hold(data):
    """Check that each result belongs to one state of the bytes, at whatever moment they are copied."""
    for _ in range(300):
        assert placemat.is_valid(placemat.repair(data))
        text = placemat.convert(data, "utf-8", "utf-16le", on_error="replace")
        assert len(text) <= 2 * SIZE and text.decode("utf-16-le")


def test_a_thread_that_writes_to_a_bytearray():
    data, stop = bytearray(b"a" * SIZE), threading.Event()

    def write(byte):
        data[-8:] = byte * 8

    thread = threading.Thread(target=_flip, args=(write, stop))
    thread.start()
    try:
        answers_hold(memoryview(data)[:])
    finally:
        stop.set()
        thread.join()


def test_a_thread_that_writes_to_an_array_without_the_lock():
    numpy = pytest.importorskip("numpy")
    data, stop = numpy.full(SIZE, 97, numpy.uint8), threading.Event()
    thread = threading.Thread(target=_flip, args=(lambda byte: data.fill(byte[0]), stop))
    thread.start()
    try:
        answers_hold(data)
    finally:
        stop.set()
        thread.join()


def test_a_process_that_writes_to_shared_memory():
    context = multiprocessing.get_context("spawn")
    memory, stop = shared_memory.SharedMemory(create=True, size=SIZE), context.Event()
    memory.buf[:] = b"a" * memory.size
    process = context.Process(target=_flip_shared, args=(memory.name, stop))
    process.start()
    try:
        answers_hold(memory.buf)
    finally:
        stop.set()
        process.join()
        memory.close()
        memory.unlink()


def test_what_cpython_takes_is_taken(tmp_path):
    expected = "café".encode()
    assert placemat.repair((ctypes.c_char * 4)(*b"caf\xe9"), "cp1252") == expected
    assert placemat.repair(multiprocessing.RawArray("c", b"caf\xe9"), "cp1252") == expected
    assert placemat.repair(memoryview(b"caf\xe9").cast("B", (2, 2)), "cp1252") == expected
    assert placemat.repair(memoryview(b"xcaf\xe9")[1:], "cp1252") == expected
    assert placemat.is_valid(memoryview(b"")) and placemat.is_valid(bytearray())
    (tmp_path / "file").write_bytes(b"caf\xe9")
    with open(tmp_path / "file", "rb") as file, mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ) as mapped:
        assert placemat.repair(mapped, "cp1252") == expected
    numpy = pytest.importorskip("numpy")
    assert placemat.is_valid(numpy.array(97, numpy.uint8))
    assert placemat.count(numpy.frombuffer(b"caf\xc3\xa9", numpy.uint8)) == 4


def test_bytes_are_read_in_place():
    data = b"a" * 100
    assert placemat.repair(data) is data and placemat.repair(memoryview(data)) is data
    assert placemat.repair(memoryview(data)[:50]) == data[:50]


def test_what_is_refused_says_why():
    view = memoryview(b"abc")
    view.release()
    with pytest.raises(ValueError, match="released memoryview"):
        placemat.check(view)
    with pytest.raises(BufferError, match="not contiguous"):
        placemat.check(memoryview(b"abcd")[::2])
    with pytest.raises(TypeError, match="bytes-like object is required, not 'str'"):
        placemat.check("abc")
    with pytest.raises(ValueError, match="negative"):
        placemat.errors(b"", limit=-1)
    numpy = pytest.importorskip("numpy")
    with pytest.raises(TypeError, match="pointers"):
        placemat.check(numpy.array([b"a", b"b"], object))


def test_results_compare_by_value():
    import pickle

    for one in [placemat.detect(b"plain"), placemat.forms()[0], placemat.explain(b"a")[0]]:
        assert pickle.loads(pickle.dumps(one)) == one
    assert placemat.detect(b"plain") != placemat.detect(b"\xff\xfea\0")


def test_help_does_not_repeat_the_signature():
    for name in ["detect", "check", "repair", "convert"]:
        assert not getattr(placemat, name).__doc__.startswith(name + "("), name


@pytest.mark.parametrize("form", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
@pytest.mark.parametrize("count", [1, 2, 3, 4, 8])
def test_escaped_bytes_make_no_unit(form, count):
    with pytest.raises(UnicodeEncodeError):
        ("\udc80" * count).encode(f"placemat-{form}", "surrogateescape")


def test_what_was_replaced_before_is_counted():
    text = "a\ufffd\ufffdé😀".encode()
    assert placemat.replaced(text) == 2 and placemat.is_valid(text)
    assert placemat.replaced(text[1:3]) == 0 and placemat.replaced(b"") == 0


def test_names_that_detect_returns_are_codecs():
    assert "สวัสดี".encode("cp874").decode("windows-874") == "สวัสดี"
    assert "Привет".encode("mac-cyrillic").decode("x-mac-cyrillic") == "Привет"
    with pytest.raises(LookupError):
        codecs.lookup("euc-tw")
    with pytest.raises(LookupError, match="hz-gb-2312 is a legacy encoding") as refused:
        placemat.check(b"", "hz-gb-2312")
    advice = str(refused.value).partition("; ")[2].partition(" reads")[0]
    assert eval(advice.replace("bytes", "data"), {"data": b"~{<:Ky2;~}"}) == "己所不"
