"""A metrics folder on a full disk stops no web process, and what was counted meanwhile is there when it has room."""

import json
import os
import shutil
import subprocess
import sys

import pytest

from config.processes import CHECKOUT

# Counts some views, 600 more once the folder is full, and these again when it has room.
COUNTING = """
import json, os, pathlib
import django
django.setup()
from prometheus_client import CollectorRegistry, generate_latest, multiprocess
from config.ops import metrics

folder = pathlib.Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
ballast = folder / "ballast"

def fill():
    with ballast.open("wb", buffering=0) as file:
        try:
            while True:
                file.write(bytes(4096))
        except OSError:
            pass

def counted():
    registry = CollectorRegistry()
    multiprocess.MultiProcessCollector(registry)
    lines = generate_latest(registry).decode().splitlines()
    return sum(float(line.split()[-1]) for line in lines if line.startswith("trey_http_requests_total{"))

def look(views, first):
    for view in range(views):
        metrics.count("GET", f"/{first}/{view}", 200, 0.01)
    return counted()

said = [look(int(os.environ["EARLY"]), "early")]
fill()
said.append(look(600, "late"))
ballast.unlink()
said.append(look(600, "late"))
print(json.dumps(said))
"""
can_mount = (
    shutil.which("unshare")
    and not subprocess.run(
        ["unshare", "--map-root-user", "--mount", "true"], capture_output=True, check=False
    ).returncode
)


@pytest.mark.skipif(not can_mount, reason="a small file system needs a namespace of its own")
@pytest.mark.parametrize("early", [0, 5], ids=["before anything was counted", "when the files must grow"])
def test_a_full_folder_stops_no_process_and_forgets_no_request(tmp_path, early):
    script = f'mount -t tmpfs -o size=4m none {tmp_path} && exec {sys.executable} -c "$COUNTING"'
    environ = {**os.environ, "PROMETHEUS_MULTIPROC_DIR": str(tmp_path), "DJANGO_SETTINGS_MODULE": "config.settings"}
    environ |= {"COUNTING": COUNTING, "EARLY": str(early), "TREY_ENV": "development"}
    done = subprocess.run(
        ["unshare", "--map-root-user", "--mount", "sh", "-c", script],
        cwd=CHECKOUT, env=environ, capture_output=True, text=True, check=False, timeout=120,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    before, full, with_room = json.loads(done.stdout)
    assert before == early
    assert early <= full < early + 600
    assert with_room == early + 1200
