"""What PostgreSQL ends by itself, so that a part that stands still holds up nobody for long."""

import os
import re
import runpy
import subprocess
import sys

import psycopg
import pytest
from django.db import OperationalError, connection, transaction

from config import addresses
from config.processes import CHECKOUT, MIGRATE, WEB
from core.accounts.models import Player

pytestmark = pytest.mark.slow

SHOWN = ("lock_timeout", "statement_timeout", "idle_in_transaction_session_timeout")


@pytest.mark.django_db
def test_every_connection_has_its_limits():
    with connection.cursor() as cursor:
        found = [cursor.execute(f"SHOW {name}").fetchone()[0] for name in SHOWN]
    assert found == ["1min", "10min", "1min"]


def test_the_web_waits_for_a_lock_longer_than_a_dead_transaction_can_hold_it(monkeypatch, settings):
    lock, statement, idle = limits_of(settings.TREY_WEB_DATABASE)
    assert 0 < idle < lock <= 5 < statement
    monkeypatch.setattr(sys, "argv", list(MIGRATE.command[1:]))
    migrating = runpy.run_path(str(CHECKOUT / "config/settings.py"))
    assert limits_of(migrating["DATABASES"]["default"])[1] == 0


def limits_of(database):
    """In seconds, as SHOWN."""
    return [int(re.search(rf"{name}=(\d+)s", database["OPTIONS"]["options"])[1]) for name in SHOWN]


def test_options_of_the_address_go_before_the_settings():
    assert addresses.time_limits("", lock_timeout=5) == "-c lock_timeout=5s"
    assert addresses.time_limits("-c lock_timeout=9s", lock_timeout=5).endswith("-c lock_timeout=9s")


@pytest.mark.django_db(transaction=True)
def test_a_lock_that_another_holds_is_not_waited_for_without_end():
    player = Player.objects.create_user("alice")
    parameters = connection.get_connection_params()
    plain = {name: parameters[name] for name in ("dbname", "user", "password", "host", "port") if parameters.get(name)}
    with psycopg.connect(**plain) as other:
        other.execute("SELECT 1 FROM accounts_player WHERE id = %s FOR UPDATE", [player.pk])
        with transaction.atomic():
            with connection.cursor() as cursor:
                cursor.execute("SET LOCAL lock_timeout = '50ms'")
            with pytest.raises(OperationalError, match="lock timeout"), transaction.atomic():
                Player.objects.select_for_update().get(pk=player.pk)
    assert Player.objects.select_for_update(nowait=True).filter(username="alice").count() == 1


STARTED = """
import time
from config.wsgi import application
from django.conf import settings
from django.test import Client
from core.http import documents
settings.DATABASES["default"] |= settings.TREY_WEB_DATABASE
print(documents._as_json.cache_info().currsize, documents._as_yaml.cache_info().currsize)
client = Client(raise_request_exception=False, headers={"host": "localhost"})
begun = time.monotonic()
answer = client.get("/api/v1/me", headers={"authorization": "Bearer " + "0" * 64})
print(answer.status_code, answer.json()["code"], answer["Retry-After"], time.monotonic() - begun < 10)
begun = time.monotonic()
page = client.get("/leaderboards/threes")
print(page.status_code, page["Content-Type"], page["Retry-After"], time.monotonic() - begun < 10)
"""


def test_a_web_process_has_the_schema_before_it_serves_and_fails_soon_without_a_database(tmp_path):
    environ = {**os.environ, **WEB.environ, "TREY_ENV": "development", "TREY_LOG_LEVEL": "error"}
    environ |= {"DJANGO_SETTINGS_MODULE": "config.settings", "DATABASE_URL": f"postgresql:///trey?host={tmp_path}"}
    command, settings = [sys.executable, "-c", STARTED], {"cwd": CHECKOUT, "env": environ, "timeout": 120}
    done = subprocess.run(command, capture_output=True, text=True, check=False, **settings)
    lines = [line for line in done.stdout.splitlines() if line and line[0].isdigit()]
    assert lines[0] == "1 1", done.stderr
    assert lines[1] == "503 unavailable 2 True", done.stderr
    assert lines[2] == "503 text/html; charset=utf-8 2 True", done.stderr
