"""What production refuses."""

import os
import subprocess
import sys

import pytest
from django.core.management import call_command

from config.ops.apps import production_is_safe
from config.processes import CHECKOUT, SERVICES


@pytest.fixture
def production(settings):
    settings.PRODUCTION = True
    settings.SECRET_KEY = "0123456789" * 5
    settings.TREY_CLOCK_AHEAD = 0
    settings.ALLOWED_HOSTS = ["trey.example"]
    return settings


def test_a_sound_production_passes(production):
    assert production_is_safe() == []


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("SECRET_KEY", "short", "trey.E001"),
        ("SECRET_KEY", "k" * 50, "trey.E001"),
        ("SECRET_KEY", "change-me-to-fifty-or-more-random-characters-0123456789", "trey.E001"),
        ("TREY_CLOCK_AHEAD", 60, "trey.E003"),
        ("TREY_HOOKS_LOCAL", True, "trey.E006"),
        ("ALLOWED_HOSTS", ["*"], "trey.E004"),
    ],
)
def test_production_refuses(production, name, value, found):
    setattr(production, name, value)
    (error,) = production_is_safe()
    assert error.id == found
    assert error.hint


def test_development_may(production):
    production.PRODUCTION = False
    production.TREY_CLOCK_AHEAD = 60
    assert production_is_safe() == []


def manage(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith(("TREY_", "DJANGO_"))}
    return subprocess.run(
        [sys.executable, "manage.py", *arguments],
        cwd=CHECKOUT, env={**clean, **environ}, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


SOUND = {
    "TREY_ENV": "production",
    "TREY_SECRET_KEY": "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-=+",
    "TREY_HOSTS": "trey.example",
    "DATABASE_URL": "postgresql://trey:x@postgres/trey",
    "REDIS_URL": "redis://redis/0",
}


@pytest.mark.slow
def test_djangos_own_deployment_checks_have_nothing_to_say_about_production():
    done = manage("check", "--deploy", "--fail-level", "WARNING", **SOUND)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


def test_production_has_no_embedded_servers():
    done = manage("check", **{**SOUND, "DATABASE_URL": "", "REDIS_URL": ""})
    assert done.returncode == 1
    assert [line.partition(" must ")[0] for line in done.stderr.splitlines()] == ["trey: DATABASE_URL", "REDIS_URL"]


@pytest.mark.sampled
@pytest.mark.parametrize("part", [process.name for process in SERVICES])
def test_no_part_starts_with_a_wrong_setting_and_each_says_why_in_a_sentence(part):
    command = [sys.executable, "-m", "config.processes", part]
    wrong = {**os.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "TREY_LIMITS": "perhaps"}
    done = subprocess.run(command, cwd=CHECKOUT, env=wrong, capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 1
    assert done.stderr == "trey: TREY_LIMITS must look like moves=240/min,games_per_player=20, not 'perhaps'.\n"


@pytest.mark.slow
@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_command_without_a_database_says_so_in_a_sentence(tmp_path):
    done = manage("rebuild", "--all", DATABASE_URL=f"postgresql:///trey?host={tmp_path}")
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("trey: no database responds.")
    assert "Traceback" not in done.stderr
