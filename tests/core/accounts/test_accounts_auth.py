"""POST auth/login, POST auth/logout, and what a token is good for."""

import json
import socket
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

import pytest
from rest_framework.exceptions import Throttled

from core.accounts import services
from core.accounts.models import Player, Token
from core.http import throttling
from core.http.exceptions import exception_handler
from tests.games.api.client import PASSWORD, Person

CLOSED = ["games", "me", "me/turns", "games/00000000-0000-0000-0000-000000000000"]
OPEN = ["rulesets", "schema", "docs"]


@pytest.fixture(autouse=True)
def _fresh_count() -> Iterator[None]:
    """What one test has counted in this process is nothing to the next."""
    yield
    throttling._of_this_process.clear()


def login(who: Person, username: str = "alice", password: str = PASSWORD) -> Any:
    return who.post("auth/login", {"username": username, "password": password})


def test_logging_in_gives_a_token_that_opens_what_is_closed(alice: Person, nobody: Person) -> None:
    answer = login(nobody)
    assert answer.status == 200
    assert set(answer.body) == {"token", "expires_at", "scopes"}
    assert Person(token=answer.body["token"]).get("me").body["username"] == "alice"


def test_the_name_may_be_typed_in_any_case(alice: Person, nobody: Person) -> None:
    assert login(nobody, "ALICE").status == 200


def test_only_a_digest_of_the_token_is_stored(alice: Person) -> None:
    row = Token.objects.get()
    assert alice.token is not None
    assert alice.token not in (row.digest, row.token_key)
    assert len(row.token_key) < len(alice.token)


@pytest.mark.parametrize(("username", "password"), [("alice", "wrong one"), ("charlotte", PASSWORD)])
def test_a_wrong_password_and_an_unknown_name_get_the_same_answer(
    alice: Person, nobody: Person, username: str, password: str
) -> None:
    answer = login(nobody, username, password)
    assert (answer.status, answer.code) == (401, "wrong_credentials")
    assert answer.body["detail"] == "Wrong username or password."
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("meanwhile", ["the password changes", "the account is locked"])
def test_ac6_a_password_that_was_checked_before_it_ended_gives_no_token(
    alice: Person, nobody: Person, monkeypatch: pytest.MonkeyPatch, meanwhile: str
) -> None:
    checked = services.authenticate

    def authenticate(*named: Any, **more: Any) -> Player | None:
        found = checked(*named, **more)
        player = Player.objects.get(username="alice")
        if meanwhile == "the password changes":
            services.set_password(player, "another evening")
        else:
            services.suspend(player, Player.objects.create_superuser("susan"), "spam")
        return found

    monkeypatch.setattr(services, "authenticate", authenticate)
    answer = nobody.post("auth/login", {"username": "alice", "password": PASSWORD})
    assert (answer.status, answer.code) == (401, "wrong_credentials")
    assert not Token.objects.exists()


def test_a_closed_account_cannot_log_in_nor_use_its_token(alice: Person, nobody: Person) -> None:
    Player.objects.update(is_active=False)
    assert login(nobody).status == 401
    assert alice.get("me").code == "invalid_token"


def test_logging_out_revokes_that_token_and_no_other(alice: Person) -> None:
    other = Person(token=login(alice).body["token"])
    assert alice.post("auth/logout").status == 204
    assert (alice.get("me").status, alice.get("me").code) == (401, "invalid_token")
    assert other.get("me").status == 200


def test_a_token_that_is_not_used_ends_when_it_said_it_would(alice: Person, clock: Any) -> None:
    answer, other = login(alice), Person(token=login(alice).body["token"])
    expires_at = datetime.fromisoformat(answer.body["expires_at"])
    late = Person(token=answer.body["token"])
    clock.set(expires_at - timedelta(seconds=1))
    assert other.get("me").status == 200
    clock.set(expires_at)
    assert (late.get("me").status, late.get("me").code) == (401, "invalid_token")


def test_a_stale_token_does_not_keep_anybody_from_logging_in_or_reading_what_is_open(alice: Person) -> None:
    stale = Person(token="0" * 64)
    assert login(stale).status == 200
    assert stale.get("rulesets").status == 200


@pytest.mark.parametrize("path", CLOSED)
def test_without_a_token_it_is_401(nobody: Person, path: str) -> None:
    answer = nobody.get(path)
    assert (answer.status, answer.code) == (401, "not_authenticated")
    assert answer.headers["www-authenticate"].startswith("Bearer")


@pytest.mark.parametrize("path", OPEN)
def test_what_is_open_needs_no_token(nobody: Person, path: str) -> None:
    assert nobody.get(path).status == 200


@pytest.mark.parametrize(
    "header", ["Bearer", "Bearer a b", "Bearer " + "0" * 64, "Bearer \u00e9\u00e9", "Bearer " + "x" * 5000, "bearer x"]
)
def test_a_header_that_holds_no_token_of_ours_is_401(nobody: Person, header: str) -> None:
    answer = nobody.get("me", Authorization=header)
    assert (answer.status, answer.code) == (401, "invalid_token")


def test_too_many_tries_at_one_account_are_429_wherever_they_come_from(
    alice: Person, nobody: Person, settings: Any
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 60)}
    answers = [login(nobody, name, "wrong one") for name in ("alice", "ALICE", "Alice")]
    assert [answer.status for answer in answers] == [401, 401, 429]
    assert answers[-1].code == "too_many_requests"
    assert 1 <= int(answers[-1].headers["retry-after"]) <= 60


@pytest.mark.parametrize(("wait", "said"), [(1, "1 second."), (20, "20 seconds.")])
def test_a_limit_says_how_long_to_wait(wait: int, said: str) -> None:
    answer = exception_handler(Throttled(wait), {})
    assert json.loads(answer.content)["detail"] == f"Too many attempts. Try again in {said}"
    assert answer["Retry-After"] == str(wait)


def test_without_redis_each_process_limits_by_itself(alice: Person, nobody: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 3600)}
    settings.REDIS_URL = "redis://127.0.0.1:1/0"
    assert [login(nobody, "alice", "wrong one").status for _ in range(3)] == [401, 401, 429]


def test_a_redis_that_stands_still_holds_up_a_log_in_for_less_than_a_second(
    alice: Person, nobody: Person, settings: Any
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as silent:
        port = silent.getsockname()[1]
        settings.REDIS_URL = f"redis://127.0.0.1:{port}/0"
        begun = time.monotonic()
        assert login(nobody).status == 200
        # Two limits, a quarter of a second each; the rest is for a busy machine.
        assert time.monotonic() - begun < 3
