"""The rules for Prometheus: what they watch is there from the first scrape, and promtool finds that they fire."""

import asyncio
import shutil
import subprocess
from pathlib import Path
from types import SimpleNamespace

import pytest
import yaml
from django.http import HttpResponse

from config.gateway import Gateway, Lane
from config.ops import metrics
from config.ops.middleware import observed
from config.processes import CHECKOUT

FOLDER = CHECKOUT / "docs/operate/prometheus"
RULES = [rule for group in yaml.safe_load((FOLDER / "trey.rules.yml").read_text())["groups"] for rule in group["rules"]]
needs_promtool = pytest.mark.skipif(shutil.which("promtool") is None, reason="promtool is not on this machine")


def promtool(*arguments: object, folder: Path = FOLDER) -> None:
    done = subprocess.run(
        ["promtool", *map(str, arguments)], cwd=folder, capture_output=True, text=True, check=False, timeout=60
    )
    assert done.returncode == 0, done.stdout + done.stderr


@pytest.mark.django_db
def test_counters_that_alarms_watch_are_there_before_their_first_event():
    metrics.start_at_zero()
    body = metrics.exposition()[0].decode()
    for status in ("500", "503"):
        assert f'trey_http_failures_total{{status="{status}"}}' in body
    for part in ("web", "sweeper"):
        assert f'trey_outages_total{{part="{part}"}} 0.0' in body
    for job in ("backup", "heads"):
        assert f'trey_upkeep_failed{{job="{job}"}} 0.0' in body


def failures() -> dict[str, float]:
    lines = metrics.exposition()[0].decode().splitlines()
    return {name: float(value) for name, value in (line.split() for line in lines if "_failures_total{" in line)}


def risen_since(before: dict[str, float]) -> dict[str, float]:
    return {name: value - before[name] for name, value in failures().items() if value != before[name]}


@pytest.mark.django_db
@pytest.mark.parametrize("status", [500, 503])
def test_the_first_failure_of_a_view_raises_a_series_that_was_there(rf, status):
    metrics.start_at_zero()
    before = failures()
    observed(lambda _request: HttpResponse(status=status))(rf.get("/a-view-that-never-failed"))
    assert risen_since(before) == {f'trey_http_failures_total{{status="{status}"}}': 1.0}


@pytest.mark.django_db
@pytest.mark.parametrize(("free", "status"), [(0, 503), (1, 500)])
def test_what_the_gateway_refuses_counts_as_a_failure_too(free, status):
    """Of too many requests at once no middleware hears."""
    answered = []

    async def refused() -> None:
        lane = Lane("test", 1, waiting=0)
        lane._free = free
        gateway = Gateway(lambda *_: 1 / 0, lambda *_: lane, 10)
        address = {"server": "127.0.0.1:8000", "client": "10.0.0.2:5000", "authority": None, "scheme": "http"}
        asked = {"method": "GET", "path": "/api/v1/", "query_string": "", "http_version": "1.1", "headers": {}}
        scope = SimpleNamespace(**address, **asked)
        protocol = SimpleNamespace(response_bytes=lambda status, *_: answered.append(status))
        await gateway.__rsgi__(scope, protocol)

    metrics.start_at_zero()
    before = failures()
    asyncio.run(refused())
    assert answered == [status]
    assert risen_since(before) == {f'trey_http_failures_total{{status="{status}"}}': 1.0}


@needs_promtool
def test_promtool_reads_the_configuration_and_the_rules():
    promtool("check", "config", "prometheus.yml")
    promtool("check", "rules", "trey.rules.yml")


@needs_promtool
def test_the_rules_fire_when_they_should_and_not_when_all_is_well(tmp_path):
    scenes = (Path(__file__).parent / "trey.rules.test.yml").read_text()
    (tmp_path / "test.yml").write_text(scenes.replace("RULES", str(FOLDER / "trey.rules.yml")))
    promtool("test", "rules", "test.yml", folder=tmp_path)
