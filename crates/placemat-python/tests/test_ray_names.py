"""What the functions for Ray do before a worker is asked."""

import pytest

pa = pytest.importorskip("pyarrow")

from placemat import ray  # noqa: E402


class Dataset:
    """A dataset of one block."""

    def __init__(self, table):
        self.table = table

    def map_batches(self, each, batch_format):
        assert batch_format == "pyarrow"
        return each(self.table)


def test_one_column_or_several_are_kept():
    ds = Dataset(pa.table({"id": ["x1", "x2"], "n": [1, 2], "body": [b"a\xff", b"b"]}))
    error = {"offset": 1, "length": 1, "kind": "invalid-byte"}
    for keep, kept in [((), {}), ("id", {"id": "x1"}), (["id", "n"], {"id": "x1", "n": 1})]:
        assert ray.errors(ds, "body", keep=keep).to_pylist() == [{**kept, **error}]


def test_unknown_names_are_refused_at_once():
    for work in [
        lambda: ray.repair(None, "body", "no-such"),
        lambda: ray.convert(None, "body", target="no-such"),
        lambda: ray.is_valid(None, "body", "no-such"),
        lambda: ray.errors(None, "body", "no-such"),
    ]:
        with pytest.raises(LookupError, match="no-such"):
            work()
