"""docs/operate/systemd has a unit for each part that `make run` starts, and systemd accepts it."""

import configparser
import os
import re
import shutil
import subprocess

import pytest

from config.processes import CHECKOUT, MIGRATE, SERVICES

FOLDER = CHECKOUT / "docs/operate/systemd"
UNITS = sorted(path.name for path in FOLDER.glob("trey*.*") if path.suffix in (".service", ".target"))
PYTHON = "/srv/trey/.venv/bin/python"


def unit(*names):
    """The units together; of several lines with one key the last one is kept."""
    read = configparser.ConfigParser(strict=False, interpolation=None, delimiters="=", comment_prefixes="#")
    read.optionxform = str
    assert read.read(FOLDER / name for name in names) == [str(FOLDER / name) for name in names]
    return read


def verify(folder, units):
    return subprocess.run(
        ["systemd-analyze", "verify", *(folder / name for name in units)],
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


@pytest.fixture
def installed(tmp_path):
    """The units in a folder, with a Python that is on this machine."""
    shutil.copytree(FOLDER, tmp_path / "units")
    for path in (tmp_path / "units").glob("*.service"):
        path.write_text(path.read_text().replace(PYTHON, "/bin/sh"))
    return tmp_path / "units"


def test_each_part_has_a_unit_and_the_migration_too():
    assert {f"trey-{process.name}.service" for process in (*SERVICES, MIGRATE)} | {"trey.target"} == set(UNITS)


@pytest.mark.parametrize("name", [process.name for process in SERVICES])
def test_a_part_is_started_as_in_a_container_and_restarted_after_the_migration(name):
    part = unit(f"trey-{name}.service")
    assert part["Service"]["ExecStart"] == f"{PYTHON} -m config.processes {name}"
    assert (part["Service"]["Restart"], part["Service"]["NotifyAccess"]) == ("always", "all")
    assert part["Unit"]["Requires"] == part["Unit"]["After"] == "trey-migrate.service"
    assert part["Install"]["WantedBy"] == "trey.target"
    # The web says when it answers (config/serving.py), which can take long on a busy machine.
    waits = ("notify", "10min") if name == "web" else ("exec", None)
    assert (part["Service"]["Type"], part["Service"].get("TimeoutStartSec")) == waits


def test_the_migration_is_that_of_make_run():
    service = unit("trey-migrate.service")["Service"]
    assert service["ExecStart"] == " ".join([PYTHON, *MIGRATE.command[1:]])
    assert service["Type"] == "oneshot"


def test_secrets_are_credentials_and_not_in_the_environment():
    text = (FOLDER / "trey-.service.d/common.conf").read_text()
    credentials = dict(re.findall(r"^LoadCredential=(\w+):(\S+)$", text, re.MULTILINE))
    files = dict(re.findall(r"(\w+)_FILE=%d/(\w+)", text))
    assert set(files) == {"TREY_SECRET_KEY", "DATABASE_URL"}
    assert set(files.values()) == set(credentials)
    assert not re.search(r"^(TREY_SECRET_KEY|DATABASE_URL)=", (FOLDER / "trey.env").read_text(), re.MULTILINE)


def test_nothing_runs_as_root_or_may_become_it():
    common = unit("trey-.service.d/common.conf")["Service"]
    assert common["User"] == "trey"
    assert common["NoNewPrivileges"] == "yes"
    assert common["CapabilityBoundingSet"] == ""
    assert common["ProtectSystem"] == "strict"


def test_commands_by_hand_have_the_settings_of_the_services(tmp_path):
    (tmp_path / "bin").mkdir()
    (tmp_path / "bin/python").write_text('#!/bin/sh\necho "$@"\npwd\nenv\n')
    (tmp_path / "bin/python").chmod(0o755)
    (tmp_path / ".venv").symlink_to(tmp_path)
    (tmp_path / "trey.env").write_text((FOLDER / "trey.env").read_text())
    script = (FOLDER / "trey-manage").read_text().replace("/srv/trey", str(tmp_path))
    script = script.replace("/etc/trey/trey.env", f"{tmp_path}/trey.env")
    done = subprocess.run(
        ["sh", "-c", script, "trey-manage", "check", "--deploy"], capture_output=True, text=True, check=True,
        cwd=(elsewhere := tmp_path / "bin"),
    )  # fmt: skip
    said = done.stdout.splitlines()
    # From where it is called, so that the files it is given are found.
    assert said[:2] == [f"{tmp_path}/manage.py check --deploy", str(elsewhere)]
    assert {"TREY_ENV=production", "TREY_HOSTS=trey.example.org", "TREY_SECRET_KEY_FILE=/etc/trey/secret_key"} <= set(
        said
    )


def directives(path):
    return [line.strip() for line in path.read_text().splitlines() if line.strip() and not line.strip().startswith("#")]


def test_the_proxy_is_that_of_the_containers_but_for_what_debian_s_caddy_does_not_know():
    theirs, ours = directives(CHECKOUT / "Caddyfile"), directives(FOLDER / "Caddyfile")
    theirs[theirs.index("{$TREY_HOSTS} {")] = "trey.example.org {"
    # Of each service one process is at a known port.
    of_each = theirs[theirs.index("(each) {") : theirs.index("trey.example.org {")]
    theirs = theirs[: theirs.index("(each) {")] + theirs[theirs.index("trey.example.org {") :]
    assert of_each[:2] == ["(each) {", "dynamic a {args[0]} {args[1]} {"]
    for name, port in (("live", 8001), ("web", 8000)):
        at = theirs.index(f"import each {name} {port}")
        theirs[at - 1 : at + 1] = [f"reverse_proxy 127.0.0.1:{port} {{"]
    ours = [line for line in ours if not line.startswith("health_")]
    # Without its buffer the proxy must wait longer for a body than the service, whose 408 it passes on.
    theirs.remove("request_buffers 1MB")
    theirs[theirs.index("read_body 10s")] = "read_body 15s"
    assert ours == theirs


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="systemd is not on this machine")
def test_systemd_finds_nothing_wrong_with_the_units(installed):
    done = verify(installed, UNITS)
    assert (done.returncode, done.stdout + done.stderr) == (0, "")
    # It does read the part they have in common.
    with (installed / "trey-.service.d/common.conf").open("a") as common:
        common.write("NoSuchKey=yes\n")
    assert "NoSuchKey" in verify(installed, UNITS).stderr


def test_every_file_that_the_page_installs_is_there():
    page = (CHECKOUT / "docs/operate/running.md").read_text()
    for name in re.findall(r"^   install -m \d+ (\S+) ", page, re.MULTILINE):
        assert (FOLDER / name).exists()
    assert os.access(FOLDER / "trey-manage", os.X_OK)
