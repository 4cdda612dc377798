"""How many passwords are hashed at once, and that attempts are counted before the first one is."""

from typing import Any

import pytest
from django.contrib.auth import hashers
from django.test import Client
from django.urls import reverse

import config.settings
from core.accounts import services
from core.accounts.login import hashing
from core.accounts.models import Player
from tests.games.api.client import PASSWORD, Person


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


@pytest.mark.parametrize(
    ("method", "call", "body"),
    [
        ("POST", "auth/login", {"username": "alice", "password": PASSWORD}),
        ("POST", "auth/login", {"username": "nobody", "password": PASSWORD}),
        ("POST", "players", {"username": "charlotte", "password": PASSWORD}),
        ("POST", "me/password", {"password": PASSWORD, "new_password": "another quiet evening"}),
        ("PUT", "me/address", {"address": "alice@example.org", "password": PASSWORD}),
        ("DELETE", "me/address", {"password": PASSWORD}),
        ("POST", "me/close", {"password": PASSWORD}),
    ],
)
def test_a_call_that_hashes_waits_for_the_one_thread_that_does(
    alice: Person, hashed: list[str], method: str, call: str, body: dict[str, str]
) -> None:
    hashed.clear()
    alice.call(method, call, body)
    assert hashed and f"/api/v1/{call}" in waits_without_a_thread()


def test_pages_that_hash_do_so_too() -> None:
    pages = {"/accounts/login/", "/accounts/password/change/", "/accounts/signup/", "/me/keep"}
    assert pages <= waits_without_a_thread()


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
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "logins": (2, 3600)}
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


@pytest.mark.sampled
def test_passwords_are_hashed_by_argon2id_at_the_cost_of_rfc_9106_in_one_lane(real: None, nobody: Person) -> None:
    pair = {"username": "alice", "password": PASSWORD}
    assert nobody.post("players", pair).status == 201
    assert Player.objects.get().password.startswith("argon2$argon2id$v=19$m=65536,t=3,p=1$")
    assert nobody.post("auth/login", pair).status == 200


@pytest.mark.sampled
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
