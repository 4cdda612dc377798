"""docker-compose.yml describes the processes that `make run` starts."""

import re
from pathlib import Path

import pytest
import yaml

from config.processes import CHECKOUT, MIGRATE, POSTGRES_LOG, SERVICES

COMPOSE = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())
OURS = {process.name: process for process in (MIGRATE, *SERVICES)}


def test_it_holds_the_processes_the_stores_and_the_proxy():
    assert set(COMPOSE["services"]) == {*OURS, "postgres", "redis", "proxy"}


@pytest.mark.parametrize("name", [process.name for process in SERVICES])
def test_each_part_has_a_container_with_a_supervisor_of_its_own(name):
    service = COMPOSE["services"][name]
    assert service["command"] == ["python", "-m", "config.local.part", name]
    assert service["init"]
    # What a part runs with is written in one place only.
    assert not set(OURS[name].environ) & set(service["environment"])


def test_the_migration_is_that_of_make_run():
    assert tuple(COMPOSE["services"]["migrate"]["command"]) == MIGRATE.command
    assert MIGRATE.environ.items() <= COMPOSE["services"]["migrate"]["environment"].items()


def test_postgresql_logs_no_values():
    first, *given = COMPOSE["services"]["postgres"]["command"]
    assert first == "postgres"
    assert set(given[::2]) == {"-c"}
    assert dict(each.split("=") for each in given[1::2]) == POSTGRES_LOG


@pytest.mark.parametrize("name", COMPOSE["services"])
def test_every_service_has_a_health_check_and_is_not_root(name):
    service = COMPOSE["services"][name]
    assert service["healthcheck"].get("test") or name == "migrate"
    assert service["user"].split(":")[0] not in ("", "0", "root")


def test_what_starts_waits_for_what_it_needs():
    for name in ("web", "worker", "follow", "beat"):
        needs = COMPOSE["services"][name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert needs["postgres"]["condition"] == needs["redis"]["condition"] == "service_healthy"
    for service in COMPOSE["services"].values():
        assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])


def test_secrets_come_from_the_environment_and_must_be_there():
    text = (CHECKOUT / "docker-compose.yml").read_text()
    for secret in ("TREY_SECRET_KEY", "POSTGRES_PASSWORD", "TREY_HOSTS"):
        assert re.search(rf"\${{{secret}:\?", text)
        assert f"${{{secret}}}" not in text


def test_volumes_and_build_targets_exist():
    dockerfile = (CHECKOUT / "Dockerfile").read_text()
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in COMPOSE["volumes"]
        if "build" in service:
            assert f" AS {service['build']['target']}\n" in dockerfile
    for copied in re.findall(r"^COPY (\S+) ", dockerfile, re.MULTILINE):
        assert (Path(CHECKOUT) / copied).exists()
