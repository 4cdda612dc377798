"""Management commands while Trey is stopped, as after `make run` has ended."""

import json
import subprocess
import sys

import pytest

from config.processes import CHECKOUT
from config.running import embedded
from config.running.embedded import places, postgres
from config.running.run import only_one

pytestmark = pytest.mark.slow


def offline(environ, *command):
    return subprocess.run(
        [sys.executable, "-m", "config.running.offline", *command],
        cwd=CHECKOUT,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
    )


def test_the_servers_run_as_long_as_the_command_whose_status_is_passed_on(bare_environ):
    done = offline(bare_environ, "doctor", "--json")
    assert done.returncode == 2, done.stderr
    page = json.loads(done.stdout)
    assert page["findings"][0]["check"] == "database"
    assert page["findings"][0]["advice"] == "Run `manage.py migrate`."
    assert not postgres.responds(embedded.place("run"))


def test_it_is_refused_while_trey_runs(bare_environ):
    place = embedded.place("run")
    places.make_root(place)
    with only_one(place):
        done = offline(bare_environ, "migrate")
    assert done.returncode == 1
    assert "Trey is already running from this folder" in done.stderr


def test_without_a_command_it_says_how_to_use_it(bare_environ):
    assert "usage: python -m config.running.offline COMMAND" in offline(bare_environ).stderr
