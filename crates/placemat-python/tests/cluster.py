"""A Spark cluster on the loopback interface, with one master and workers that can be killed; and test data with known errors."""

import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from pathlib import Path

MASTER = "org.apache.spark.deploy.master.Master"
WORKER = "org.apache.spark.deploy.worker.Worker"


class Cluster:
    def __init__(self, folder, workers=2):
        import pyspark

        self.folder = Path(folder)
        self.home = Path(pyspark.__file__).parent
        self.port = _free_port()
        self.url = f"spark://127.0.0.1:{self.port}"
        self.processes = []
        self._start("master", MASTER, "--host", "127.0.0.1", "--port", self.port, "--webui-port", _free_port())
        _wait_for(self.port)
        self.workers = [self.add_worker(at) for at in range(workers)]

    def add_worker(self, at):
        return self._start(
            f"worker{at}", WORKER, "--host", "127.0.0.1", "--cores", 1, "--memory", "1G", "--webui-port", _free_port(),
            "--work-dir", self.folder / f"work{at}", self.url,
        )

    def _start(self, name, *words):
        log = open(self.folder / f"{name}.log", "w")
        process = subprocess.Popen(
            [self.home / "bin/spark-class", *map(str, words)],
            stdout=log, stderr=log, start_new_session=True,
            env={**os.environ, "SPARK_HOME": str(self.home), "SPARK_LOCAL_IP": "127.0.0.1", "PYSPARK_PYTHON": sys.executable},
        )
        self.processes.append(process)
        return process

    def stop(self):
        for process in self.processes:
            kill(process)


def kill(process):
    """Kill the process and all that it started, like a machine that loses power."""
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _free_port():
    with socket.socket() as one:
        one.bind(("127.0.0.1", 0))
        return one.getsockname()[1]


def _wait_for(port):
    for _ in range(600):
        try:
            return socket.create_connection(("127.0.0.1", port), 1).close()
        except OSError:
            time.sleep(0.2)
    raise TimeoutError(f"nobody listens at {port}")


FAULTS = [b"\xff", b"\xc0\xaf", b"\xed\xa0\x80", b"caf\xe9 ", b"\xe2\x82 ", b"\xf0\x9f\x98", b"\x93quoted\x94 "]
CLEAN = [b"plain text, ", "naïve ".encode(), "日本語 ".encode(), "😀".encode(), b"\n"]


def rows(count, seed=1):
    """Ids and bodies. About every fifth body has an error; some are empty or null."""
    source = random.Random(seed)
    for at in range(count):
        pieces = source.choices(CLEAN, k=source.randrange(0, 20))
        if source.random() < 0.2:
            pieces.insert(source.randrange(len(pieces) + 1), source.choice(FAULTS))
        yield at, None if source.random() < 0.02 else b"".join(pieces)


def write_files(folder, count=30):
    for at, body in rows(count, seed=7):
        path = Path(folder) / f"part{at % 3}" / f"{at:03}.txt"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes((body or b"") * 50)


def command():
    """The path of the command `placemat`; None if it was not built."""
    root = Path(__file__).resolve().parents[3]
    given = os.environ.get("PLACEMAT_COMMAND")
    for path in [given, root / "target/release/placemat", root / "target/debug/placemat"]:
        if path and Path(path).exists():
            return str(path)
    return None


def checked_by_command(folder, *options):
    """(path, line, offset, length, kind) of every error that the command finds below the folder."""
    out = subprocess.run(
        [command(), "check", "--format", "json", "--max-errors", "1000000", "--hidden", "--no-ignore", *options, str(folder)],
        stdout=subprocess.PIPE, check=False,
    ).stdout
    found = [json.loads(line) for line in out.splitlines()]
    return sorted((e["path"], e["line"], e["offset"], e["length"], e["kind"]) for e in found if e["type"] == "error")
