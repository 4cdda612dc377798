"""What production refuses."""

import ast
import os
import subprocess
import sys

import pytest
from django.core.management import call_command

from config.ops.apps import production_is_safe
from config.processes import CHECKOUT


@pytest.fixture
def production(settings):
    settings.PRODUCTION = True
    settings.SECRET_KEY = "k" * 50
    settings.TREY_CLOCK_AHEAD = 0
    settings.ALLOWED_HOSTS = ["trey.example"]
    return settings


def test_a_sound_production_passes(production):
    assert production_is_safe() == []


@pytest.mark.parametrize(
    ("name", "value", "found"),
    [
        ("SECRET_KEY", "short", "trey.E001"),
        ("TREY_CLOCK_AHEAD", 60, "trey.E003"),
        ("TREY_HOOKS_LOCAL", True, "trey.E006"),
        ("TREY_PROPOSAL_DAY", 5, "trey.E005"),
        ("ALLOWED_HOSTS", [], "trey.E004"),
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


def test_djangos_own_deployment_checks_have_nothing_to_say_about_production():
    done = manage("check", "--deploy", "--fail-level", "WARNING", **SOUND)
    assert done.returncode == 0, done.stderr
    assert "no issues" in done.stdout


@pytest.mark.parametrize("missing", ["DATABASE_URL", "REDIS_URL"])
def test_production_has_no_embedded_servers(missing):
    done = manage("check", **{**SOUND, missing: ""})
    assert done.returncode == 1
    assert done.stderr == f"trey: {missing} must be set in production.\n"


@pytest.mark.parametrize(
    ("environment", "limits"),
    [
        (
            "production",
            {
                "sign_up": (600, 3600), "login": (300, 60), "login_name": (20, 60), "move": (600, 60),
                "calendar": (30, 3600), "export": (10, 3600), "invite": (60, 3600), "replay": (10, 3600),
                "code": (10, 3600), "test": (30, 3600), "report": (20, 86400), "review": (20, 86400),
                "device_code": (60, 3600),
                "talk_minute": (10, 60), "talk_day": (200, 86400), "talk_day_new": (50, 86400),
            },
        ),
        (
            "development",
            {
                "sign_up": (100000, 3600), "login": (6000, 60), "login_name": (6000, 60), "move": (100000, 60),
                "calendar": (100000, 3600), "export": (100000, 3600), "invite": (100000, 3600),
                "replay": (100000, 3600), "code": (100000, 3600), "test": (100000, 3600),
                "report": (20, 86400), "review": (20, 86400),
                "device_code": (100000, 3600),
                "talk_minute": (100000, 60), "talk_day": (100000, 86400), "talk_day_new": (100000, 86400),
            },
        ),
    ],
)  # fmt: skip
def test_attempts_are_limited_in_earnest_in_production(environment, limits):
    done = manage("diffsettings", **{**SOUND, "TREY_ENV": environment})
    [line] = [line for line in done.stdout.splitlines() if line.startswith("TREY_LIMITS = ")]
    assert ast.literal_eval(line.removeprefix("TREY_LIMITS = ").removesuffix("  ###")) == limits


@pytest.mark.django_db
def test_no_migration_is_missing():
    call_command("makemigrations", check=True, dry_run=True, verbosity=0)


def test_a_command_without_a_database_says_so_in_a_sentence(tmp_path):
    done = manage("rebuild", "--all", DATABASE_URL=f"postgresql:///trey?host={tmp_path}")
    assert done.returncode == 1
    assert done.stderr.strip().splitlines()[-1].startswith("trey: no database responds.")
    assert "Traceback" not in done.stderr
