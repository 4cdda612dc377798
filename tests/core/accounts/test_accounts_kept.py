"""Tokens that a web process keeps for a second: a revoked one is refused by then, and at once where Redis says so."""

import http.client
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import Any
from urllib.parse import quote, urlencode

import pytest
from django.conf import settings
from django.db import connection, transaction

from config.processes import CHECKOUT, WEB
from core.accounts import kept as module
from core.accounts import services, tokens
from core.accounts.kept import LIFE, Kept
from core.accounts.models import Player, Token
from core.redis_client import client

pytestmark = pytest.mark.django_db(transaction=True)


class Now:
    """A clock that stands still: nothing is forgotten because time went by."""

    def __init__(self) -> None:
        self.at = 1000.0

    def __call__(self) -> float:
        return self.at


@pytest.fixture
def now() -> Now:
    return Now()


@pytest.fixture
def processes(now: Now, monkeypatch: pytest.MonkeyPatch) -> Iterator[tuple[Kept, Kept]]:
    """What two web processes keep. The first one is this one's."""
    stop = threading.Event()
    ours, theirs = Kept(now), Kept(now)
    for each in (ours, theirs):
        each.listen(stop)
    until(lambda: heard() == 2)
    for user in (tokens, services, module):
        monkeypatch.setattr(user, "kept", ours)
    yield ours, theirs
    stop.set()
    until(lambda: heard() == 0)


@pytest.fixture
def ann() -> Player:
    return Player.objects.create(username="ann")


@pytest.fixture
def digest(ann: Player) -> str:
    tokens.issue(ann)
    return str(Token.objects.get(user=ann).digest)


def heard() -> int:
    return int(client(settings.REDIS_URL).pubsub_numsub(module.changed.name)[0][1])  # type: ignore[no-untyped-call]


def until(holds: Callable[[], Any], seconds: float = 20) -> None:
    end = time.monotonic() + seconds
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.01)


def test_a_kept_token_takes_no_statement_for_a_second(
    processes: tuple[Kept, Kept], now: Now, digest: str, django_assert_num_queries: Any
) -> None:
    kept, _ = processes
    with django_assert_num_queries(1):
        first, again = kept.find(digest), kept.find(digest)
    assert first is not None
    assert again is not None
    assert (first.user, first.user.username) == (again.user, "ann")
    assert first.user is not again.user  # what one request changes is no other's
    now.at += LIFE
    with django_assert_num_queries(1):
        kept.find(digest)
    with django_assert_num_queries(1):
        kept.find(digest, fresh=True)


def test_a_process_that_hears_of_no_change_keeps_nothing(digest: str, django_assert_num_queries: Any) -> None:
    deaf = Kept()
    with django_assert_num_queries(2):
        assert deaf.find(digest) == deaf.find(digest)


@pytest.mark.parametrize(
    "change",
    [
        pytest.param(tokens.revoke_all, id="all tokens revoked"),
        pytest.param(lambda ann: tokens.revoke(ann, Token.objects.get().id), id="one revoked"),
        pytest.param(services.close, id="account closed"),
        pytest.param(lambda ann: services.suspend(ann, staff(), "Spam."), id="suspended"),
        pytest.param(lambda ann: services.change_profile(ann, preferences={"unlisted": True}), id="profile changed"),
        pytest.param(lambda ann: Player.objects.get(pk=ann.pk).delete(), id="account deleted"),
    ],
)
def test_a_change_is_known_at_once_in_every_process(
    processes: tuple[Kept, Kept], ann: Player, digest: str, change: Callable[[Player], object]
) -> None:
    ours, theirs = processes
    before = [each.find(digest) for each in processes]
    assert all(before)
    change(ann)

    def knows(kept: Kept) -> bool:
        found = kept.find(digest)
        return found is None or found.user.preferences == {"unlisted": True}

    assert knows(ours)
    until(lambda: knows(theirs))


def test_nothing_is_dropped_before_the_commit(processes: tuple[Kept, Kept], ann: Player, digest: str) -> None:
    ours, _ = processes
    assert ours.find(digest)
    with transaction.atomic():
        tokens.revoke_all(ann)
        assert ours.find(digest)
    assert ours.find(digest) is None


def test_what_was_read_before_a_change_is_not_kept_after_it(
    processes: tuple[Kept, Kept], ann: Player, digest: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    ours, _ = processes
    decode = module._decoder.decode

    class ChangedMeanwhile:
        def decode(self, text: str) -> Any:
            monkeypatch.undo()
            tokens.revoke_all(ann)
            ours.forget(ann.pk)
            return decode(text)

    monkeypatch.setattr(module, "_decoder", ChangedMeanwhile())
    assert ours.find(digest) is not None  # it was read before
    assert ours.find(digest) is None


@pytest.fixture
def servers() -> Iterator[list[int]]:
    """The ports of two web servers that no Redis tells anything: nothing listens at its address."""
    parameters = connection.get_connection_params()
    user = quote(str(parameters.get("user") or ""))
    password = f":{quote(str(parameters['password']))}" if parameters.get("password") else ""
    place = urlencode({key: parameters[key] for key in ("host",) if parameters.get(key)})
    environ = {**os.environ, **WEB.environ, "DJANGO_SETTINGS_MODULE": "config.settings", "TREY_ENV": "development"}
    environ |= {"DATABASE_URL": f"postgresql://{user}{password}@/{parameters['dbname']}?{place}"}
    environ |= {"REDIS_URL": "redis://127.0.0.1:1/0", "TREY_LOG_LEVEL": "error"}
    environ |= {"GRANIAN_WORKERS": "1", "GRANIAN_HOST": "127.0.0.1", "TREY_THREADS": "2", "TREY_DB_POOL": "2"}
    with ExitStack() as running:
        ports = [free_port(), free_port()]
        for port in ports:
            server = running.enter_context(
                subprocess.Popen(
                    [sys.executable, *WEB.command[1:]], cwd=CHECKOUT, env=environ | {"GRANIAN_PORT": str(port)}
                )
            )
            running.callback(server.terminate)
        for port in ports:
            until(lambda port=port: status(port, "GET", "/healthz") == 200, 60)
        yield ports


def free_port() -> int:
    with socket.socket() as trial:
        trial.bind(("127.0.0.1", 0))
        return int(trial.getsockname()[1])


def status(port: int, method: str, path: str, token: str = "") -> int | None:
    headers = {"Host": "localhost", "Authorization": f"Bearer {token}"}
    caller = http.client.HTTPConnection("127.0.0.1", port, timeout=10)
    try:
        caller.request(method, path, headers=headers)
        return caller.getresponse().status
    except OSError:
        return None
    finally:
        caller.close()


def test_without_redis_a_revoked_token_is_refused_within_a_second_by_another_process(
    servers: list[int], ann: Player
) -> None:
    here, elsewhere = servers
    token, _ = tokens.issue(ann)
    turns = "/api/v1/me/turns"
    assert [status(port, "GET", turns, token) for port in servers] == [200, 200]
    assert status(elsewhere, "GET", turns, token) == 200
    assert status(here, "POST", "/api/v1/auth/logout", token) == 204
    revoked = time.monotonic()
    assert status(here, "GET", turns, token) == 401
    asked = time.monotonic()
    while status(elsewhere, "GET", turns, token) == 200:
        assert asked - revoked < LIFE
        asked = time.monotonic()
    assert status(elsewhere, "GET", turns, token) == 401


def staff() -> Player:
    return Player.objects.create(username="organiser", is_staff=True)
