"""What may be a second old comes from a standby, and never what a player has just written."""

import runpy
from collections.abc import Iterator
from copy import deepcopy

import psycopg
import pytest
from django.db import connection, connections
from django.db.utils import load_backend
from django.test import Client
from psycopg import sql

from config import addresses
from config.errors import StartupError
from config.processes import CHECKOUT
from core import reads
from core.accounts.models import Player
from tests.games.api.client import PASSWORD, Person
from tests.games.api.conftest import person

pytestmark = pytest.mark.django_db(transaction=True)
BOARD = "/api/v1/leaderboards/threes"


def parameters() -> dict[str, str]:
    found = connection.get_connection_params()
    return {name: found[name] for name in ("host", "user", "dbname")}


@pytest.fixture
def standby(settings, monkeypatch) -> Iterator[str]:
    """A second database, which is what a standby would be that stands still: the first one as it is now."""
    place = parameters()
    name = f"{place['dbname']}_standby"
    person("ada")
    connection.close()
    with psycopg.connect(**{**place, "dbname": "postgres"}, autocommit=True) as there:
        there.execute(sql.SQL("DROP DATABASE IF EXISTS {}").format(sql.Identifier(name)))
        there.execute(
            sql.SQL("CREATE DATABASE {} TEMPLATE {}").format(sql.Identifier(name), sql.Identifier(place["dbname"]))
        )
    own = deepcopy(connections.settings["default"])
    own |= {"NAME": name, "READS": True}
    monkeypatch.setitem(settings.DATABASES, "reads", own)
    # Tests may only connect to what is called default.
    connections["reads"] = load_backend(own["ENGINE"]).DatabaseWrapper(own, "default")
    monkeypatch.setattr(reads, "standby", reads.Standby())
    yield name
    connections["reads"].close()
    del connections["reads"]
    with psycopg.connect(**{**place, "dbname": "postgres"}, autocommit=True) as there:
        there.execute(sql.SQL("DROP DATABASE {} WITH (FORCE)").format(sql.Identifier(name)))


def asked(server: str) -> float:
    return reads.ASKED.labels(server)._value.get()


def test_whoever_is_not_logged_in_reads_public_pages_boards_and_profiles_from_the_standby(standby, client: Client):
    before = asked("standby"), asked("primary")
    paths = [
        BOARD,
        "/api/v1/players/ada",
        "/leaderboards",
        "/leaderboards/threes",
        "/players/ada",
        "/tournaments",
        "/rooms",
    ]
    for path in paths:
        assert client.get(path).status_code == 200, path
    assert (asked("standby"), asked("primary")) == (before[0] + len(paths), before[1])


def test_what_a_player_has_just_written_is_never_read_there(standby, client: Client):
    ada = Person("ada", token_of(client, "ada"))
    before = asked("standby")
    assert ada.patch("me", {"username": "adele"}).status == 200
    assert ada.get("me").body["username"] == "adele"
    assert ada.get("players/adele").status == 200
    assert ada.get("players/ada").status == 404
    assert asked("standby") == before
    # The page of a browser that is logged in says so, too.
    browser = Client()
    browser.force_login(Player.objects.get(username="adele"), "django.contrib.auth.backends.ModelBackend")
    assert b"adele" in browser.get("/players/adele").content
    assert asked("standby") == before
    # Somebody else sees it as it was a moment ago, and what is not there yet all the same.
    assert client.get("/api/v1/players/ada").status_code == 200
    assert asked("standby") == before + 1
    assert client.get("/api/v1/players/adele").status_code == 200
    assert asked("standby") == before + 1


def test_without_the_standby_the_primary_is_asked(standby, client: Client, caplog):
    assert client.get(BOARD).status_code == 200
    before = asked("primary")
    with psycopg.connect(**{**parameters(), "dbname": "postgres"}, autocommit=True) as there:
        there.execute(sql.SQL("ALTER DATABASE {} ALLOW_CONNECTIONS false").format(sql.Identifier(standby)))
        there.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %s", [standby])
    for _ in range(3):
        assert client.get(BOARD).status_code == 200
    assert asked("primary") == before + 3
    assert caplog.text.count("the standby is not read") == 1


def test_nothing_is_written_by_these_connections(monkeypatch):
    monkeypatch.setenv("TREY_READ_DATABASE_URL", "postgresql://trey:secret@db2,db3/trey")
    found = runpy.run_path(str(CHECKOUT / "config/settings.py"))["DATABASES"]["reads"]
    assert found["OPTIONS"]["options"].endswith("-c default_transaction_read_only=on")
    assert found["OPTIONS"]["target_session_attrs"] == "prefer-standby"


def test_a_url_that_makes_no_sense_is_refused_by_name():
    with pytest.raises(StartupError, match="TREY_READ_DATABASE_URL must look like postgresql://"):
        addresses.database("postgresql://one:x/trey", "TREY_READ_DATABASE_URL", reads=True)


def token_of(client: Client, name: str) -> str:
    account = {"username": name, "password": PASSWORD}
    return str(client.post("/api/v1/auth/login", account, content_type="application/json").json()["token"])
