"""me/password and me/close."""

from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from core import clock
from core.accounts import services, signals
from core.accounts.login import guests, tokens
from core.accounts.login.authentication import BearerAuthentication
from core.accounts.models import Player, Token
from games.models import Game
from tests.core.accounts.test_accounts_tokens import logs_in
from tests.games.api.client import PASSWORD, Person

NEW = "another quiet evening"


def test_the_password_is_changed_and_other_devices_are_logged_out(alice: Person) -> None:
    phone = logs_in(alice)
    assert alice.post("me/password", {"password": PASSWORD, "new_password": NEW}).status == 204
    assert alice.get("me").status == 200
    assert phone.get("me").code == "invalid_token"
    pairs = [{"username": "alice", "password": password} for password in (PASSWORD, NEW)]
    assert [Person().post("auth/login", pair).status for pair in pairs] == [401, 200]


@pytest.mark.django_db
def test_ac2_a_guest_has_no_password_to_name_and_keeps_the_account_by_the_first() -> None:
    guest = Person("gus", tokens.issue(guests.sign_up("gus"))[0])
    assert guest.post("me/password", {"new_password": NEW}).status == 204
    assert guest.get("me").body["guest"] is False
    assert guest.post("me/password", {"new_password": PASSWORD}).code == "invalid"


def test_ac2_a_password_by_an_operator_keeps_a_guests_account_too(admin_client: Client) -> None:
    guest = guests.sign_up("gus")
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert admin_client.post(f"/admin/accounts/player/{guest.pk}/password/", form).status_code == 302
    assert not Player.objects.get(pk=guest.pk).is_guest


@pytest.mark.parametrize("call", ["me/password", "me/close"])
def test_a_wrong_password_changes_nothing(alice: Person, call: str) -> None:
    body = {"password": "not hers"} | ({"new_password": NEW} if call == "me/password" else {})
    answer = alice.post(call, body)
    assert (answer.status, answer.code) == (403, "wrong_password")
    assert answer.body["errors"][0]["field"] == "password"
    assert Player.objects.get().check_password(PASSWORD)
    assert alice.get("me").status == 200


def test_ac5_an_account_is_closed_with_its_password_if_it_has_one(alice: Person) -> None:
    answer = alice.post("me/close")
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "password")
    guest = Person("gus", tokens.issue(guests.sign_up("gus"))[0])
    assert guest.post("me/close").status == 204
    assert guest.get("me").status == 401


@pytest.mark.parametrize("weak", ["short", "password", "1234567890123", "alice", None, 17])
def test_a_weak_new_password_is_refused(alice: Person, weak: object) -> None:
    answer = alice.post("me/password", {"password": PASSWORD, "new_password": weak})
    assert (answer.status, answer.body["errors"][0]["field"]) == (400, "new_password")


def test_passwords_are_not_guessed_with_a_stolen_token(alice: Person, settings: Any) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "login_name": (3, 60)}
    tries = [alice.post("me/close", {"password": f"guess {number}"}).status for number in range(5)]
    assert tries == [403, 403, 403, 429, 429]


def test_a_closed_account_is_gone_with_its_tokens_and_leaves_its_games(
    alice: Person, bob: Person, running: dict[str, Any]
) -> None:
    phone, room = logs_in(bob), bob.opens()
    assert bob.post("me/close", {"password": PASSWORD}).status == 204
    assert [who.get("me").status for who in (bob, phone)] == [401, 401]
    assert Person().post("auth/login", {"username": "bob", "password": PASSWORD}).status == 401
    assert Game.objects.get(pk=room["id"]).status == "cancelled"
    seen = alice.sees(running)
    assert (seen["status"], seen["players"][1]["player"]["username"]) == ("finished", None)
    assert Person().post("players", {"username": "bob", "password": PASSWORD}).status == 201


def test_a_closing_that_was_cut_short_is_finished_later(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    def fails(**_: object) -> None:
        raise ConnectionError

    signals.closing.connect(fails)
    try:
        services.close(Player.objects.get(username="bob"))
    finally:
        signals.closing.disconnect(fails)
    # From the first moment on nobody can use it.
    assert not Token.objects.filter(user__username="bob").exists()
    assert Person().post("auth/login", {"username": "bob", "password": PASSWORD}).status == 401
    assert services.finish_closing() == 1
    assert not Player.objects.filter(username="bob").exists()
    assert alice.sees(running)["status"] == "finished"
    assert services.finish_closing() == 0


def test_a_closing_that_fails_does_not_hold_up_others(alice: Person, bob: Person, caplog: Any) -> None:
    Player.objects.update(closed_at=clock.now())
    first = Player.objects.filter(closed_at__isnull=False)[0]

    def fails(*, player: Player, **_: object) -> None:
        if player == first:
            raise LookupError("its game is damaged")

    signals.closing.connect(fails)
    try:
        assert services.finish_closing() == Player.objects.count() == 1
    finally:
        signals.closing.disconnect(fails)
    assert Player.objects.get() == first
    assert "its game is damaged" in caplog.text
    assert services.finish_closing() == 1


@pytest.mark.parametrize("call", [services.close, services.log_out_everywhere])
def test_ac6_an_account_that_another_request_has_just_closed_ends_as_well(alice: Person, call: Any) -> None:
    rows = [Player.objects.get(username=alice.username) for _ in range(2)]
    services.close(rows[0])
    call(rows[1])
    assert not Player.objects.exists()


@pytest.mark.parametrize(
    ("method", "path", "body"),
    [
        ("PATCH", "me", {"username": "alicia"}),
        ("PUT", "me/blocked/bob", None),
        ("PUT", "games/GAME/note", {"text": "Spades"}),
        ("POST", "me/webhooks", {"url": "https://hooks.example.org/x"}),
        ("POST", "me/chat", {"service": "discord", "url": "https://discord.com/api/webhooks/1/x"}),
    ],
    ids=lambda one: one if isinstance(one, str) else "",
)
def test_ac5_a_request_during_which_its_account_was_closed_is_to_be_sent_again(
    alice: Person, bob: Person, running: dict[str, Any], monkeypatch: Any, method: str, path: str, body: Any
) -> None:
    authenticate = BearerAuthentication.authenticate

    def closes_then(self: BearerAuthentication, request: Any) -> Any:
        if (found := authenticate(self, request)) is not None:
            services.close(Player.objects.get(pk=found[0].pk))
        return found

    monkeypatch.setattr(BearerAuthentication, "authenticate", closes_then)
    path = path.replace("GAME", running["id"])
    assert alice.call(method, path, body).status == 503
    assert alice.call(method, path, body).status == 401


def test_an_account_that_an_organiser_has_locked_is_not_deleted(alice: Person) -> None:
    Player.objects.update(is_active=False)
    assert services.finish_closing() == 0
    assert Player.objects.count() == 1


def test_an_organiser_closes_an_account_that_asks_for_it(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    out = StringIO()
    call_command("close_account", "BOB", stdout=out)
    assert "To close this account, add --yes." in out.getvalue()
    assert bob.get("me").status == 200
    call_command("close_account", "bob", yes=True, stdout=out)
    assert out.getvalue().splitlines()[-1].startswith("Closed: bob (")
    assert alice.sees(running)["status"] == "finished"
    with pytest.raises(CommandError, match="There is no account 'bob'"):
        call_command("close_account", "bob")
