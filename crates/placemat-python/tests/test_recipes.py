"""Runs each recipe; all of them print the same."""

import importlib.util
import subprocess
import sys
from pathlib import Path

import pytest

RECIPES = sorted((Path(__file__).resolve().parent.parent / "recipes").glob("with_*.py"))


@pytest.mark.parametrize("path", RECIPES, ids=lambda path: path.stem)
def test_recipe(path):
    package = path.stem.removeprefix("with_")
    if importlib.util.find_spec(package) is None:
        pytest.skip(f"{package} is not installed")
    done = subprocess.run([sys.executable, path], capture_output=True, text=True, timeout=300)
    assert done.returncode == 0, done.stderr
    assert done.stdout.splitlines()[-1] == "['plain', 'café']"
