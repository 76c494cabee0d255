"""Surveys, and the command that is part of the package."""

import gzip
import io
import json
import os
import pickle
import subprocess
import sys
import sysconfig
from concurrent.futures import ThreadPoolExecutor

import placemat
import pytest


def test_texts_add_up():
    survey = placemat.Survey()
    for text in ["naïve".encode(), b"plain", bytearray(b"caf\xc3\xa9 \xff d\xc3\xa9j\xc3\xa0 vu")]:
        survey.add(text)
    found = survey.as_dict()
    assert (found["texts"], found["texts_well_formed_utf8"], found["errors"], found["files"]) == (3, 2, 1, 0)
    assert found == json.loads(survey.json()) == pickle.loads(pickle.dumps(survey)).as_dict()
    assert "<title>Survey of /tmp/a&amp;b</title>" in survey.page("/tmp/a&b")


def test_threads_may_add_at_once():
    survey, text = placemat.Survey(), b"caf\xc3\xa9 " * 20_000
    with ThreadPoolExecutor(4) as threads:
        list(threads.map(survey.add, [text] * 100))
        list(threads.map(lambda i: survey.add_file(io.BytesIO(text), f"{i}"), range(100)))
    found = survey.as_dict()
    assert (found["texts"], found["files"]) == (200, 100)


def test_the_sum_does_not_depend_on_the_order(tmp_path):
    parts = []
    for i, text in enumerate([b"caf\xc3\xa9 \xff d\xc3\xa9j\xc3\xa0 vu", "é".encode() * 9, b"", "Ω".encode("utf-16")]):
        part = placemat.Survey()
        assert part.add_file(io.BytesIO(text), f"part{i}")
        parts.append(part.json())
    sums = []
    for order in [parts, parts[::-1]]:
        total = placemat.Survey()
        for part in order:
            total.merge(part)
        sums.append(total.json())
    assert sums[0] == sums[1]
    assert json.loads(sums[0])["worst"] == [{"path": "part0", "encoding": "utf-8", "errors": 1}]


def test_files_are_unpacked_and_binary_ones_skipped():
    survey = placemat.Survey()
    assert survey.add_file(io.BytesIO(gzip.compress("naïve".encode())), "a.gz")
    assert not survey.add_file(io.BytesIO(b"\x89PNG\0"), b"na\xefve".decode(errors="surrogateescape"))
    survey.count_files(read=2, failed=1)
    found = survey.as_dict()
    assert (found["files"], found["files_skipped"], found["files_failed"], found["bytes"]) == (3, 1, 1, 6)


def test_fields_of_json_lines():
    survey = placemat.Survey("a.b")
    survey.add_file(io.BytesIO(b'{"a":{"b":"x"}}\n{}\nno json\n'), "lines")
    survey.add(b"y")
    assert survey.as_dict()["jsonl"] == {"field": "a.b", "lines": 4, "lines_broken": 1, "lines_without": 1}


class Bad(io.RawIOBase):
    def __init__(self, *answers):
        self.answers = list(answers)

    def read(self, size=-1):
        answer = self.answers.pop(0)
        if isinstance(answer, Exception):
            raise answer
        return answer * size if answer == b"x" else answer


@pytest.mark.parametrize(
    ("source", "error"),
    [
        (Bad(PermissionError(13, "no")), PermissionError),
        (Bad(b"abc", KeyError("gone")), KeyError),
        (Bad("text"), TypeError),
        (Bad(b"x" * (1 << 20)), ValueError),
        (io.BytesIO(gzip.compress(b"text " * 1000)[:-9]), OSError),
        (None, AttributeError),
    ],
)
def test_a_file_that_fails_adds_nothing(source, error):
    survey = placemat.Survey()
    before = survey.json()
    with pytest.raises(error):
        survey.add_file(source, "bad")
    assert survey.json() == before


def test_what_is_no_survey_is_refused():
    survey = placemat.Survey()
    survey.add(b"text")
    before = survey.json()
    huge = json.dumps(survey.as_dict() | {"bytes": 2**64 - 1})
    for bad in ["", "{}", "[]", "no json", huge]:
        if bad == "":
            survey.merge(bad)
            continue
        with pytest.raises(ValueError):
            survey.merge(bad)
    with pytest.raises(ValueError):
        placemat.Survey("one").merge(placemat.Survey("other").json())
    assert survey.json() == before


SCRIPT = os.path.join(sysconfig.get_path("scripts"), "placemat")


@pytest.mark.parametrize("words", [[sys.executable, "-m", "placemat"], [SCRIPT]])
def test_the_package_carries_the_command(words, tmp_path):
    if words == [SCRIPT] and not os.path.exists(SCRIPT):
        pytest.skip("scripts are elsewhere")
    bad = os.path.join(os.fsencode(tmp_path), b"na\xefve \xf0\x9f\x98\x80.txt")
    with open(bad, "wb") as file:
        file.write(b"caf\xe9\n")

    def ran(*more, **how):
        return subprocess.run([*words, *more], capture_output=True, check=False, **how)

    assert ran("--version").stdout.startswith(b"placemat " + placemat.__version__.encode())
    found = ran("check", "--format", "json", bad)
    assert (found.returncode, json.loads(found.stdout.splitlines()[0])["kind"]) == (1, "missing-continuation")
    assert ran("check", "-", input="naïve".encode()).returncode == 0
    assert ran("check", tmp_path / "nowhere").returncode == 2
    assert ran("--nonsense").returncode == 2
    assert ran("convert", "-t", "utf-16le", "-", input=b"ab").stdout == b"a\0b\0"
