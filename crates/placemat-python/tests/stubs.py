"""Docstrings in the type stubs: editors show those of a compiled module only from there."""

import ast
import inspect
from pathlib import Path

FOLDER = Path(__file__).resolve().parents[1] / "python/placemat"


def with_docstrings(stub, owner):
    """The text of a stub, in which everything has the docstring that it has in `owner`, a module."""
    edits = []
    for node, path in _members(ast.parse(stub).body, []):
        value = owner
        for name in path:
            value = getattr(value, name)
        edits.append((node.body[0], _doc(node, value)))
    lines = stub.splitlines(keepends=True)
    for statement, doc in reversed(edits):
        _write(lines, statement, doc)
    return "".join(lines)


def _members(nodes, path):
    """Classes and functions with their path, in the order of the text. Python itself says what special methods do."""
    for node in nodes:
        if isinstance(node, (ast.ClassDef, ast.FunctionDef)) and not node.name.startswith("_"):
            yield node, [*path, node.name]
            if isinstance(node, ast.ClassDef):
                yield from _members(node.body, [*path, node.name])


def _doc(node, value):
    doc = inspect.getdoc(value)
    if not doc:
        return None
    assert '"""' not in doc
    indent = " " * (node.col_offset + 4)
    first, *rest = doc.splitlines()
    text = "".join(f"\n{indent}{line}".rstrip(" ") for line in rest)
    start, end = 'r"""' if "\\" in doc else '"""', f'\n{indent}"""' if rest else '"""'
    return start + first + text + end


def _write(lines, statement, doc):
    """Write the docstring in the place of the one that is the first statement of a body, or before it."""
    first, last = statement.lineno - 1, statement.end_lineno - 1
    head, tail = lines[first][: statement.col_offset], lines[last][statement.end_col_offset :]
    is_doc = isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)
    if not is_doc:
        lines[first:first] = [f"{head}{doc}\n"] if doc else []
    elif head.strip():
        # The body `...` is in the line of the signature.
        indent = " " * (len(head) - len(head.lstrip()) + 4)
        lines[first : last + 1] = [f"{head.rstrip()}\n{indent}{doc}{tail}"] if doc else [f"{head}...{tail}"]
    elif doc:
        lines[first : last + 1] = [f"{head}{doc}{tail}"]
