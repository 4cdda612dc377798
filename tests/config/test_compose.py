"""docker-compose.yml describes the processes that `make run` starts."""

import os
import re
import shutil
import socket
import subprocess
from contextlib import closing
from pathlib import Path

import pytest
import yaml
from django.conf import settings

from config.processes import CHECKOUT, MIGRATE, POSTGRES_LOG, SERVICES

COMPOSE = yaml.safe_load((CHECKOUT / "docker-compose.yml").read_text())
OURS = {process.name: process for process in (MIGRATE, *SERVICES)}


def test_it_holds_the_processes_the_stores_and_the_proxy():
    assert set(COMPOSE["services"]) == {*OURS, "postgres", "redis", "proxy"}


@pytest.mark.parametrize("name", [process.name for process in SERVICES])
def test_each_part_has_a_container_of_its_own(name):
    service = COMPOSE["services"][name]
    assert service["command"] == ["python", "-m", "config.processes", name]
    assert service["init"]
    assert service["restart"] == "unless-stopped"
    # What a part runs with is written in one place only.
    assert not set(OURS[name].environ) & set(service["environment"])


def test_the_migration_is_that_of_make_run():
    assert tuple(COMPOSE["services"]["migrate"]["command"]) == MIGRATE.command


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


@pytest.mark.parametrize(("name", "port"), [("worker", 6379), ("follow", 5432), ("beat", 6379)])
def test_a_part_without_a_port_is_asked_whether_it_is_connected(name, port):
    """Without a Python, which takes longer to start on a busy machine than Docker waits."""
    kind, command = COMPOSE["services"][name]["healthcheck"]["test"]
    assert kind == "CMD-SHELL"
    assert f":{port:04X} 01 " in command
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        here = command.replace(f":{port:04X} ", f":{server.getsockname()[1]:04X} ")
        assert subprocess.run(["sh", "-c", here], check=False).returncode != 0
        with closing(socket.create_connection(server.getsockname())):
            assert subprocess.run(["sh", "-c", here], check=False).returncode == 0


@pytest.mark.parametrize(("name", "port"), [("web", 8000), ("live", 8001)])
def test_a_health_check_only_looks_whether_somebody_listens(name, port):
    kind, *command = COMPOSE["services"][name]["healthcheck"]["test"]
    assert kind == "CMD"
    with closing(socket.create_server(("127.0.0.1", 0))) as server:
        asks = [part.replace(str(port), str(server.getsockname()[1])) for part in command]
        assert subprocess.run(asks, capture_output=True, check=False).returncode == 0
    assert subprocess.run(asks, capture_output=True, check=False).returncode != 0


def test_the_image_has_what_runs_and_nothing_else_of_the_checkout():
    first, *lines = [line for line in (CHECKOUT / ".dockerignore").read_text().splitlines() if line[:1] != "#"]
    assert first == "*"
    taken = {line.removeprefix("!") for line in lines if line.startswith("!")}
    assert all((CHECKOUT / name).exists() for name in taken)
    apps = {name.split(".")[0] for name in settings.INSTALLED_APPS}
    assert {name for name in apps if (CHECKOUT / name).is_dir()} <= taken
    assert taken >= {"config", "manage.py", "requirements.lock", "Caddyfile"}


def test_what_starts_waits_for_what_it_needs():
    for name in ("web", "worker", "follow", "beat"):
        needs = COMPOSE["services"][name]["depends_on"]
        assert needs["migrate"]["condition"] == "service_completed_successfully"
        assert needs["postgres"]["condition"] == needs["redis"]["condition"] == "service_healthy"
    for service in COMPOSE["services"].values():
        assert set(service.get("depends_on", {})) <= set(COMPOSE["services"])


def test_secrets_are_files_and_not_in_the_environment():
    given = {name: service.get("secrets", []) for name, service in COMPOSE["services"].items()}
    assert all(given[name] == ["secret_key", "database_url"] for name in OURS)
    assert [given[name] for name in ("postgres", "redis", "proxy")] == [["postgres_password"], [], []]
    named = {
        value
        for service in COMPOSE["services"].values()
        for name, value in service.get("environment", {}).items()
        if name.endswith("_FILE") and value.startswith("/run/secrets/")
    }
    assert named == {f"/run/secrets/{name}" for name in COMPOSE["secrets"]}
    # The page makes them, and git ignores them.
    made = re.findall(r"> (secrets/\w+)", (CHECKOUT / "docs/operate/README.md").read_text())
    assert set(made) == {secret["file"] for secret in COMPOSE["secrets"].values()}
    assert "/secrets/" in (CHECKOUT / ".gitignore").read_text().splitlines()


def test_the_host_names_must_be_there():
    text = (CHECKOUT / "docker-compose.yml").read_text()
    assert "${TREY_HOSTS:?" in text
    assert "${TREY_HOSTS}" not in text


def test_the_proxy_reaches_web_and_live_and_neither_store():
    networks = {name: set(service.get("networks", ["default"])) for name, service in COMPOSE["services"].items()}
    assert networks.pop("proxy") == {"front"}
    assert {name for name, reached in networks.items() if "front" in reached} == {"web", "live"}
    assert all("default" in reached for reached in networks.values())


def test_one_service_builds_the_image_of_all():
    ours = [COMPOSE["services"][name] for name in OURS]
    assert len({service["image"] for service in ours}) == 1
    assert [name for name in OURS if "build" in COMPOSE["services"][name]] == [MIGRATE.name]
    # It is in no registry.
    assert {service["pull_policy"] for service in ours} == {"never"}


def test_volumes_and_build_targets_exist():
    dockerfile = (CHECKOUT / "Dockerfile").read_text()
    for service in COMPOSE["services"].values():
        for volume in service.get("volumes", []):
            assert volume.split(":")[0] in COMPOSE["volumes"]
        if "build" in service:
            assert f" AS {service['build']['target']}\n" in dockerfile
    for copied in re.findall(r"^COPY (?:--chmod=\d+ )?(\S+) ", dockerfile, re.MULTILINE):
        assert (Path(CHECKOUT) / copied).exists()


@pytest.mark.parametrize("hosts", ["a.example.org", "a.example.org,b.example.org", "a.example.org , b.example.org"])
def test_caddy_gets_the_names_as_it_reads_them(tmp_path, hosts):
    """The documented form of TREY_HOSTS has no space between names, which stops Caddy."""
    (tmp_path / "caddy").write_text('#!/bin/sh\nprintf %s "$TREY_HOSTS"\n')
    (tmp_path / "caddy").chmod(0o755)
    command = [part.replace("$$", "$") for part in COMPOSE["services"]["proxy"]["command"]]
    environ = {"PATH": f"{tmp_path}:{os.environ['PATH']}", "TREY_HOSTS": hosts}
    given = subprocess.run(command, env=environ, capture_output=True, text=True, check=True).stdout
    assert given == ", ".join(name.strip() for name in hosts.split(","))


@pytest.mark.skipif(shutil.which("caddy") is None, reason="Caddy is not on this machine")
@pytest.mark.parametrize("hosts", ["a.example.org", "a.example.org, b.example.org"])
def test_caddy_reads_the_file_with_one_name_and_with_two(tmp_path, hosts):
    # Debian's Caddy 2.6 does not know the buffer for bodies that the container's has.
    (tmp_path / "Caddyfile").write_text((CHECKOUT / "Caddyfile").read_text().replace("request_buffers 1MB", ""))
    done = subprocess.run(
        ["caddy", "adapt", "--config", "Caddyfile", "--adapter", "caddyfile"], cwd=tmp_path,
        env={**os.environ, "TREY_HOSTS": hosts}, capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    assert all(f'"{name}"' in done.stdout for name in hosts.split(", "))
