"""How many passwords are hashed at once, and that attempts are counted before the first one is."""

from threading import BoundedSemaphore, Event, Thread
from typing import Any

import pytest
from django.contrib.auth import hashers
from django.test import Client
from django.urls import reverse

import config.settings
from core.accounts import hashing, services
from core.accounts.models import Player
from tests.games.api.client import PASSWORD, Person


@pytest.fixture
def full(monkeypatch: pytest.MonkeyPatch) -> None:
    """All slots are taken, and nobody has time to wait."""
    monkeypatch.setattr(hashing, "running", BoundedSemaphore(1))
    monkeypatch.setattr(hashing, "LONGEST_WAIT", 0)
    assert hashing.running.acquire(blocking=False)


@pytest.fixture
def hashed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Every password that is hashed from here on."""
    found: list[str] = []
    hasher = hashers.get_hasher()
    encode = type(hasher).encode

    def noted(self: Any, password: str, salt: str) -> str:
        found.append(password)
        return encode(self, password, salt)

    monkeypatch.setattr(type(hasher), "encode", noted)
    return found


def waits_without_a_thread() -> set[str]:
    """The paths that hash, as the gateway knows them."""
    return {reverse(name) for name in hashing.CALLS}


def logs_in(username: str, password: str = "not hers") -> int:
    return Client().post("/accounts/login/", {"login": username, "password": password}).status_code


def test_one_more_than_may_run_waits_for_its_turn(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "running", BoundedSemaphore(1))
    first, done = Event(), list[str]()

    def second() -> None:
        first.wait(5)
        with hashing.slot():
            done.append("second")

    thread = Thread(target=second)
    thread.start()
    with hashing.slot():
        first.set()
        done.append("first")
    thread.join(5)
    assert done == ["first", "second"]


def test_a_slot_is_given_back_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(hashing, "running", BoundedSemaphore(1))
    with pytest.raises(KeyError), hashing.slot():
        raise KeyError
    with hashing.slot():
        pass


@pytest.mark.usefixtures("full")
@pytest.mark.parametrize(
    ("call", "body"),
    [
        ("auth/login", {"username": "alice", "password": PASSWORD}),
        ("auth/login", {"username": "nobody", "password": PASSWORD}),
        ("players", {"username": "charlotte", "password": PASSWORD}),
        ("me/password", {"password": PASSWORD, "new_password": "another quiet evening"}),
        ("me/close", {"password": PASSWORD}),
    ],
)
def test_with_every_slot_taken_a_call_that_hashes_is_503_and_changes_nothing(
    alice: Person, call: str, body: dict[str, str]
) -> None:
    answer = alice.post(call, body)
    assert (answer.status, answer.code) == (503, "busy")
    assert int(answer.headers["retry-after"]) == hashing.RETRY_AFTER
    assert [player.username for player in Player.objects.all()] == ["alice"]
    assert alice.get("me").status == 200
    assert f"/api/v1/{call}" in waits_without_a_thread()


@pytest.mark.usefixtures("full")
def test_with_every_slot_taken_the_page_says_when_to_try_again(alice: Person) -> None:
    answer = Client().post("/accounts/login/", {"login": "alice", "password": PASSWORD})
    assert (answer.status_code, answer["Retry-After"]) == (503, str(hashing.RETRY_AFTER))
    assert b"Try again" in answer.content
    assert {"/accounts/login/", "/accounts/password/change/", "/accounts/signup/"} <= waits_without_a_thread()


def test_guesses_on_the_page_and_at_the_api_are_counted_together_and_not_hashed_past_the_limit(
    alice: Person, settings: Any, hashed: list[str]
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 3600)}
    assert logs_in("alice") == 200
    assert Person().post("auth/login", {"username": "alice", "password": "not hers"}).status == 401
    before = len(hashed)
    assert logs_in("alice", PASSWORD) == 429
    assert Person().post("auth/login", {"username": "alice", "password": PASSWORD}).status == 429
    assert len(hashed) == before


def test_one_address_has_so_many_tries_on_the_page_under_any_names(db: None, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login": (2, 3600)}
    answers = [Client().post("/accounts/login/", {"login": f"name{n}", "password": "x"}) for n in range(3)]
    assert [answer.status_code for answer in answers] == [200, 200, 429]
    assert 1 <= int(answers[-1]["Retry-After"]) <= 3600


@pytest.mark.parametrize("guess", ["ALICE", "\uff41\uff4c\uff49\uff43\uff45", "\uff21lice", " alice", "alice\t"])
def test_every_spelling_that_leads_to_an_account_has_the_accounts_limit(
    alice: Person, settings: Any, guess: str
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (1, 3600)}
    assert logs_in("alice") == 200
    assert logs_in(guess) == 429
    assert Person().post("auth/login", {"username": guess, "password": PASSWORD}).status == 429


def test_attempts_are_counted_under_the_name_that_the_database_finds(alice: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (1, 3600)}
    assert logs_in("alice") == 200
    # A dotted capital I is another letter to Python than to some databases: what counts is whose account it leads to.
    for guess in ("ALICE", "al\u0131ce", "AL\u0130CE"):
        leads_there = services.authenticate(guess, PASSWORD) is not None
        assert (logs_in(guess) == 429) is leads_there


@pytest.mark.parametrize("name", ["\0", "a\0", "x" * 500, "", "\ufdfa" * 40])
def test_names_that_no_account_can_have_are_judged_without_an_error(db: None, name: str) -> None:
    assert logs_in(name) == 200


def test_the_old_password_is_not_guessed_on_its_page_with_a_stolen_session(db: None, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (2, 3600)}
    browser = Client()
    browser.force_login(Player.objects.create_superuser("susan", password=PASSWORD))
    guess = {"oldpassword": "not hers", "password1": "another evening", "password2": "another evening"}
    assert [browser.post("/accounts/password/change/", guess).status_code for _ in range(3)] == [200, 200, 429]


@pytest.fixture
def real(settings: Any) -> None:
    """The hashers of the service; tests have a quick one."""
    settings.PASSWORD_HASHERS = config.settings.PASSWORD_HASHERS


def test_passwords_are_hashed_by_argon2id_at_the_cost_of_rfc_9106_in_one_lane(real: None, nobody: Person) -> None:
    pair = {"username": "alice", "password": PASSWORD}
    assert nobody.post("players", pair).status == 201
    assert Player.objects.get().password.startswith("argon2$argon2id$v=19$m=65536,t=3,p=1$")
    assert nobody.post("auth/login", pair).status == 200


@pytest.mark.parametrize("old", ["pbkdf2_sha256", "a lower cost"])
def test_an_old_hash_is_replaced_when_its_owner_logs_in(real: None, nobody: Person, old: str) -> None:
    weak = hashing.Argon2()
    weak.memory_cost = 8 * 1024
    hasher = hashers.get_hasher(old) if old == "pbkdf2_sha256" else weak
    player = Player.objects.create(username="alice", password=hasher.encode(PASSWORD, "0123456789abcdef01234567"))
    assert nobody.post("auth/login", {"username": "alice", "password": "not hers"}).status == 401
    player.refresh_from_db()
    assert "m=65536" not in player.password, "only who knows the password has it hashed again"
    assert nobody.post("auth/login", {"username": "alice", "password": PASSWORD}).status == 200
    player.refresh_from_db()
    assert player.password.startswith("argon2$argon2id$v=19$m=65536,t=3,p=1$")
    assert nobody.post("auth/login", {"username": "alice", "password": PASSWORD}).status == 200
