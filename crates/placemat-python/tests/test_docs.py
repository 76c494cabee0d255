"""Runs the examples in docstrings, and compares the type stubs with the modules."""

import ast
import doctest
import inspect
import os
import subprocess
import sys
from pathlib import Path

import placemat
import placemat._core
import placemat.codecs
import pytest
import stubs


@pytest.mark.parametrize("module", [placemat, placemat.codecs], ids=lambda module: module.__name__)
def test_examples_of_modules(module):
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


@pytest.mark.parametrize("name", [name for name, value in vars(placemat._core).items() if ">>>" in (value.__doc__ or "")])
def test_examples_of_the_compiled_half(name):
    test = doctest.DocTestParser().get_doctest(getattr(placemat._core, name).__doc__, {"placemat": placemat}, name, None, 0)
    assert not doctest.DocTestRunner().run(test).failed


def test_everything_public_is_documented():
    for name in placemat.__all__:
        if not name.startswith("__"):
            assert inspect.getdoc(getattr(placemat, name)), name


def test_classes_are_where_they_say():
    for name, value in vars(placemat._core).items():
        if isinstance(value, type):
            assert getattr(sys.modules[value.__module__], name) is value, name


@pytest.mark.parametrize("name, module", [("_core.pyi", placemat._core), ("arrow.pyi", placemat._core.arrow)], ids=str)
def test_stubs_have_the_docstrings(name, module):
    path = stubs.FOLDER / name
    written = path.read_text()
    expected = stubs.with_docstrings(written, module)
    if os.environ.get("UPDATE_STUBS"):
        path.write_text(expected)
    else:
        assert written == expected, "the docstrings in Rust are others: UPDATE_STUBS=1 copies them to the stubs"


def test_stubs_list_the_policies_and_the_forms():
    tree = ast.parse(Path(placemat.__file__).with_name("_core.pyi").read_text())
    listed = {node.target.id: {one.value for one in ast.walk(node.value) if isinstance(one, ast.Constant)} for node in tree.body if isinstance(node, ast.AnnAssign) and node.value}
    of_python = {"strict", "ignore", "backslashreplace"}
    assert listed["_RepairPolicy"] | listed["_Policy"] == {*placemat.policies(), *of_python}
    for policy in listed["_Policy"]:
        placemat.convert(b"a\xff", target="utf-8b", on_error=policy)
        with pytest.raises(ValueError, match="can hold the escapes"):
            placemat.repair(b"a", policy)
    assert listed["_Named"] == {form.name for form in placemat.forms()}
    for policy in listed["_RepairPolicy"]:
        placemat.repair(b"a", policy)
    for unencodable in listed["_Unencodable"] - {"stop", "strict"}:
        placemat.convert("€".encode(), target="us-ascii", unencodable=unencodable)


def test_stubs_name_what_there_is():
    stubs = Path(placemat.__file__).with_name("_core.pyi")
    tree = ast.parse(stubs.read_text())
    public = {name for name in vars(placemat._core) if not name.startswith("_")} - {"arrow"}
    assert {node.name for node in tree.body if isinstance(node, (ast.ClassDef, ast.FunctionDef))} == public
    for node in tree.body:
        if isinstance(node, ast.FunctionDef):
            given = inspect.signature(getattr(placemat._core, node.name))
            assert [arg.arg for arg in node.args.args + node.args.kwonlyargs] == list(given.parameters), node.name
        elif isinstance(node, ast.ClassDef) and node.name != "ConversionError":
            members = {item.target.id if isinstance(item, ast.AnnAssign) else item.name for item in node.body if isinstance(item, (ast.AnnAssign, ast.FunctionDef))}
            there = {name for name in vars(getattr(placemat._core, node.name)) if not name.startswith("_")}
            assert {name for name in members if not name.startswith("_")} == there, node.name


TYPED = """
import placemat, placemat.arrow
from typing import Any, assert_type

class Series:
    def __array__(self, dtype: Any = None) -> Any: ...

for data in (b"a", bytearray(b"a"), memoryview(b"a")):
    assert_type(placemat.check(data), placemat.Error | None)
placemat.check("a str")  # type: ignore[arg-type]
placemat.check(b"a", "latin1")
placemat.repair(b"a", "cp1252")
placemat.repair(b"a", "cp1251")  # type: ignore[arg-type]
placemat.arrow.repair([b"a"], "ignore")
placemat.arrow.repair([b"a"], "keep")  # type: ignore[arg-type]
placemat.arrow.is_valid([b"a", None])
placemat.arrow.is_valid(["a"])
placemat.arrow.is_valid(Series())
placemat.arrow.is_valid("a str")  # type: ignore[arg-type]
placemat.arrow.is_valid(b"bytes")  # type: ignore[arg-type]
placemat.arrow.is_valid([1])  # type: ignore[arg-type]
try:
    placemat.convert(b"")
except placemat.ConversionError as error:
    assert_type((error.error, error.row), tuple[placemat.Error, int | None])
match placemat.check(b""):
    case placemat.Error(kind, offset, length):
        assert_type((kind, offset, length), tuple[str, int, int])
"""


@pytest.mark.parametrize("version", ["3.11", "3.13"])
def test_stubs_are_true(version, tmp_path):
    api = pytest.importorskip("mypy.api")
    (tmp_path / "typed.py").write_text(TYPED)
    words = ["--config-file=", "--cache-dir", str(tmp_path), "--python-version", version, "--warn-unused-ignores"]
    out, _, code = api.run([*words, str(tmp_path / "typed.py")])
    assert code == 0, out


def test_stubs_say_what_there_is(tmp_path):
    pytest.importorskip("mypy")
    pytest.importorskip("pyspark")
    # Missing stubs of other packages do not concern us.
    (tmp_path / "mypy.ini").write_text("[mypy]\nignore_missing_imports = True\n")
    # Imported only for type checking.
    (tmp_path / "allowed").write_text("placemat._report.pa\n")
    words = [sys.executable, "-m", "mypy.stubtest", "placemat", "--mypy-config-file", "mypy.ini", "--allowlist", "allowed"]
    done = subprocess.run(words, capture_output=True, text=True, cwd=tmp_path)
    assert done.returncode == 0, done.stdout + done.stderr


def test_examples_of_spark():
    pytest.importorskip("pyspark")
    pytest.importorskip("pyarrow")
    import placemat._warc
    import placemat.spark

    assert not doctest.testmod(placemat.spark).failed
    assert not doctest.testmod(placemat._warc).failed
