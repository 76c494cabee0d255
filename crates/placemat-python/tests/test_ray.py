"""Runs a job on two nodes of Ray, in a network namespace of their own. Only with PLACEMAT_CLUSTER=1: it takes half a minute."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

pytest.importorskip("ray")
pytestmark = pytest.mark.skipif(os.environ.get("PLACEMAT_CLUSTER") != "1", reason="PLACEMAT_CLUSTER is not 1")

SCRIPT = """
set -e
ip link set lo up
ray start --head --node-ip-address=127.0.0.1 --port=6379 --num-cpus=1 --include-dashboard=false --temp-dir="$1" >&2
ray start --address=127.0.0.1:6379 --node-ip-address=127.0.0.1 --num-cpus=1 >&2
timeout 900 python "$2"
"""


def test_two_nodes(tmp_path):
    if shutil.which("unshare") is None or subprocess.run(["unshare", "-n", "true"], check=False).returncode:
        pytest.skip("no network of its own to be had")
    job = Path(__file__).with_name("ray_job.py")
    folder = f"/tmp/ray-{os.getpid()}"  # A path of a socket must be short.
    environment = {
        **os.environ,
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "RAY_AUTH_MODE": "token",
        "RAY_AUTH_TOKEN": "0123456789" * 5,
        "RAY_USAGE_STATS_ENABLED": "0",
        # Without this, the workers wait long on a busy machine.
        "RAY_worker_niceness": "0",
    }
    # In a process namespace of its own, so that no process outlives the test.
    words = ["unshare", "-n", "-p", "-f", "--mount-proc", "--kill-child", "bash", "-c", SCRIPT, "ray", folder, job]
    try:
        done = subprocess.run(words, env=environment, capture_output=True, text=True, timeout=1000)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    print(done.stdout)
    assert done.returncode == 0 and "errors, on 2 of 2 nodes" in done.stdout, done.stdout[-2000:] + done.stderr[-4000:]
