"""What the database ends is a 503 that can be tried again, wherever it happens; nothing slow is in a transaction."""

from collections.abc import Callable
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import Client
from django.test.signals import template_rendered
from psycopg import errors

from core.accounts.login import tokens
from core.accounts.models import Player
from core.accounts.oauth.provider import Adapter
from core.clock import now
from tests.core.accounts.test_accounts_apps import code_for, exchanged
from tests.games.api.client import PASSWORD
from tests.tournaments.admin.test_admin_tournament import SET_UP
from tests.tournaments.services.tournament_scene import Club
from tournaments.services import seating

pytestmark = pytest.mark.django_db(transaction=True)

ENDS = {
    "idle in a transaction": errors.IdleInTransactionSessionTimeout,
    "a transaction's time": errors.TransactionTimeout,
    "a statement's time": errors.QueryCanceled,
    "a lock": errors.LockNotAvailable,
    "a deadlock": errors.DeadlockDetected,
    "another transaction": errors.SerializationFailure,
    "what it refers to went": errors.ForeignKeyViolation,
    "killed": errors.AdminShutdown,
    "crashed": errors.CrashShutdown,
    "a fail-over": errors.ReadOnlySqlTransaction,
    "starting": errors.CannotConnectNow,
    "no connection left": errors.TooManyConnections,
    "a full disk": errors.DiskFull,
}


class Ended:
    """Ends the transaction at the statement with this number; `count` is the number of all of them."""

    def __init__(self, at: int, way: type[Any]) -> None:
        self.at, self.way, self.count = at, way, 0

    def __call__(self, execute: Any, sql: str, params: Any, many: bool, context: Any) -> Any:
        self.count += 1
        if self.count - 1 != self.at:
            return execute(sql, params, many, context)
        ends = f"DO $$ BEGIN RAISE EXCEPTION 'ended' USING ERRCODE = '{self.way.sqlstate}'; END $$"
        if self.way is errors.AdminShutdown:
            ends = "SELECT pg_terminate_backend(pg_backend_pid())"
        # By a cursor of its own, since the one of the statement may be the server's.
        with connection.cursor() as cursor:
            return cursor.execute(ends)


def browser_of(player: Player) -> Client:
    browser = Client(raise_request_exception=False)
    browser.force_login(player)
    return browser


def with_token(player: Player) -> Client:
    token = tokens.issue(player)[0]
    return Client(raise_request_exception=False, headers={"authorization": f"Bearer {token}"})


def game_by_api(player: Player) -> Callable[[], Any]:
    client, body = with_token(player), {"game": "threes", "seats": 2}
    key = {"idempotency-key": str(uuid4())}
    return lambda: client.post("/api/v1/games", body, "application/json", headers=key)


def token_of_app(player: Player) -> Callable[[], Any]:
    code = code_for(browser_of(player), scope="openid read")
    return lambda: exchanged(code)


def log_in(player: Player) -> Callable[[], Any]:
    browser = Client(raise_request_exception=False)
    return lambda: browser.post("/accounts/login/", {"login": player.username, "password": PASSWORD})


def form(path: str, **values: str) -> Callable[[Player], Callable[[], Any]]:
    def prepared(player: Player) -> Callable[[], Any]:
        browser, key = browser_of(player), str(uuid4())
        return lambda: browser.post(path, {"once": key, **values})

    return prepared


def page(path: str) -> Callable[[Player], Callable[[], Any]]:
    return lambda player: partial(browser_of(player).get, path)


SCENES: dict[str, Callable[[Player], Callable[[], Any]]] = {
    "a call of the API": lambda player: partial(with_token(player).get, "/api/v1/me"),
    "a game by the API": game_by_api,
    "a token of an app": token_of_app,
    "a log-in": log_in,
    "an app's question": page("/oauth/device?code=ABCDEF"),
    "the first page": page("/"),
    "the dashboard": page("/admin/"),
    "a form": form("/rooms/now/castle"),
    "a form that is drawn again": form("/rooms/new/castle", seats="99"),
    "work it out": form("/admin/tournaments/tournament/add/", **SET_UP, estimate="1", entrants="10"),
}


@pytest.fixture
def olga() -> Player:
    return Player.objects.create_superuser("olga", password=PASSWORD)


@pytest.mark.sampled
@pytest.mark.parametrize("way", ENDS.values(), ids=ENDS)
@pytest.mark.parametrize("scene", ["a game by the API", "a form", "a token of an app"])
def test_any_end_is_a_503(olga: Player, scene: str, way: type[Any]) -> None:
    ask = SCENES[scene](olga)
    with connection.execute_wrapper(ended := Ended(3, way)):
        answer = ask()
    connection.close_if_unusable_or_obsolete()  # as after any request
    assert ended.count > 3
    assert (answer.status_code, answer["Retry-After"]) == (503, "2")
    assert ask().status_code < 400


@pytest.mark.sampled
@pytest.mark.parametrize("scene", SCENES)
def test_whatever_is_ended_of_a_request_is_a_503(olga: Player, scene: str) -> None:
    for at in range(200):
        ask = SCENES[scene](olga)
        with connection.execute_wrapper(ended := Ended(at, errors.IdleInTransactionSessionTimeout)):
            answer = ask()
        connection.close_if_unusable_or_obsolete()
        if ended.count <= at:
            break
        assert (answer.status_code, answer.get("Retry-After")) == (503, "2"), at
    assert at > 0 and answer.status_code != 503


@pytest.mark.parametrize("scene", [scene for scene in SCENES if scene.startswith(("a form", "work", "a token"))])
def test_nothing_slow_is_done_in_a_transaction(olga: Player, scene: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """Drawing a page and signing for an app take long enough on a busy machine to be ended there."""
    ask, done = SCENES[scene](olga), []
    keys = Adapter.list_private_keys

    def looked(*_: Any, **__: Any) -> None:
        done.append(connection.in_atomic_block)

    def signs(*args: Any, **kwargs: Any) -> Any:
        looked()
        return keys(*args, **kwargs)

    monkeypatch.setattr(Adapter, "list_private_keys", signs)
    template_rendered.connect(looked)
    assert ask().status_code < 500
    assert (done and not any(done)) or (scene == "a form" and not done)


def test_a_round_is_planned_before_the_transaction_of_the_form(monkeypatch: pytest.MonkeyPatch) -> None:
    club = Club(now()).start(settings={"rounds": 2, "tables": {"size": 3}}, pace="manual")
    plan, planned = seating.compute, []

    def watched(t: Any) -> Any:
        planned.append(connection.in_atomic_block)
        return plan(t)

    monkeypatch.setattr(seating, "compute", watched)
    browser, key = browser_of(club.olga), str(uuid4())
    for _ in range(2):
        answer = browser.post(f"/admin/tournaments/tournament/{club.id}/action/next/", {"once": key})
        assert answer["Location"].endswith("/draft/")
    assert planned == [False] and club.t.draft is not None
