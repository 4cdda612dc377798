"""NT1: what changes the security of an account is told to its owner, at once, and by mail whatever else is set."""

from collections.abc import Callable
from typing import Any

import pytest
from allauth.account.models import EmailAddress
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from django.test import Client, RequestFactory

from core import clock
from core.accounts.login import guests
from core.accounts.models import Player
from core.notifications import preferences
from core.notifications.models import Notification
from tests.core.accounts.mailed import mails, newest_code
from tests.core.notifications.browsers import Browser
from tests.games.api.client import PASSWORD, Person

ADDRESS = "alice@example.org"
NEW = "another quiet evening"
pytestmark = pytest.mark.django_db(transaction=True)


@pytest.fixture
def player(alice: Person) -> Player:
    player = Player.objects.get(username="alice")
    EmailAddress.objects.create(user=player, email=ADDRESS, verified=True, primary=True)
    # Nothing else is mailed, and quiet hours never end (NT3, NT5).
    player.quiet_hours = [{"since": "2026-01-01T00:00:00Z", "time_zone": "UTC", "quiet_hours": ["00:01", "00:00"]}]
    return player


def page(player: Player) -> Client:
    browser = Client()
    answer = browser.post("/accounts/login/", {"login": player.username, "password": PASSWORD})
    assert answer.status_code == 302
    return browser


def password_over_the_api(alice: Person, player: Player) -> None:
    assert alice.post("me/password", {"password": PASSWORD, "new_password": NEW}).status == 204


def password_on_the_page(alice: Person, player: Player) -> None:
    changed = {"oldpassword": PASSWORD, "password1": NEW, "password2": NEW}
    assert page(player).post("/accounts/password/change/", changed).status_code == 302


def password_reset(alice: Person, player: Player) -> None:
    request = alice.post("auth/reset", {"address": ADDRESS}).body["request"]
    mails()
    body = {"request": request, "code": newest_code(), "new_password": NEW}
    assert alice.post("auth/reset/password", body).status == 204


def password_by_an_operator(alice: Person, player: Player) -> None:
    operator = Client()
    operator.force_login(Player.objects.create_superuser("olga"))
    form = {"password1": NEW, "password2": NEW, "usable_password": "true"}
    assert operator.post(f"/admin/accounts/player/{player.pk}/password/", form).status_code == 302
    assert alice.get("me").status == 401


def address_changed(alice: Person, player: Player) -> None:
    body = {"address": "new@example.org", "password": PASSWORD}
    request = alice.call("PUT", "me/address", body).body["request"]
    mails()
    assert alice.post("me/address/verify", {"request": request, "code": newest_code()}).status == 200


def token_on_the_page(alice: Person, player: Player) -> None:
    browser = page(player)
    assert browser.post("/accounts/reauthenticate/", {"password": PASSWORD}).status_code == 302
    assert browser.post("/accounts/tokens/", {"name": "a bot", "scopes": ["read", "play"]}).status_code == 200


def log_in_over_the_api_from_elsewhere(alice: Person, player: Player) -> None:
    page(player)
    mails()
    pair = {"username": "alice", "password": PASSWORD}
    answer = Client().post("/api/v1/auth/login", pair, "application/json", REMOTE_ADDR="10.9.9.9")
    assert answer.status_code == 200


def log_in_on_the_page_from_elsewhere(alice: Person, player: Player) -> None:
    page(player)
    mails()
    pair = {"login": "alice", "password": PASSWORD}
    assert Client().post("/accounts/login/", pair, REMOTE_ADDR="10.9.9.9").status_code == 302


def webhook(alice: Person, player: Player) -> None:
    assert alice.post("me/webhooks", {"url": "https://example.org/hook"}).status == 201


def chat(alice: Person, player: Player) -> None:
    url = "https://discord.com/api/webhooks/1/s3cret"
    assert alice.post("me/chat", {"service": "discord", "url": url}).status == 201


def another_webhook(alice: Person, player: Player) -> None:
    one = alice.post("me/webhooks", {"url": "https://example.com/hook"}).body
    Notification.objects.filter(player=player).delete()
    assert alice.call("PATCH", f"me/webhooks/{one['id']}", {"types": ["game.turn"]}).status == 200
    assert alice.call("PATCH", f"me/webhooks/{one['id']}", {"url": "https://example.net/hook"}).status == 200


def another_chat(alice: Person, player: Player) -> None:
    url = "https://discord.com/api/webhooks/1/"
    one = alice.post("me/chat", {"service": "discord", "url": f"{url}s3cret"}).body
    Notification.objects.filter(player=player).delete()
    assert alice.call("PATCH", f"me/chat/{one['id']}", {"url": f"{url}0ther"}).status == 200


def browser_that_is_told(alice: Person, player: Player) -> None:
    body = Browser("https://push.example.org/x").subscription()
    assert alice.post("me/push", body).status == 201
    assert alice.post("me/push", body).status == 200  # once


def link_of_an_organiser(alice: Person, player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(guest_seen_at=clock.now())
    player.refresh_from_db()
    guests.new_link(player, by=Player.objects.create_user("olga"))


def factor(signal: Any, kind: str) -> Callable[[Person, Player], None]:
    def change(alice: Person, player: Player) -> None:
        one = Authenticator.objects.create(user=player, type=kind, data={})
        request = RequestFactory().get("/")
        signal.send(sender=Authenticator, request=request, user=player, authenticator=one)

    return change


def first_address(alice: Person, player: Player) -> None:
    EmailAddress.objects.filter(user=player).delete()
    address_changed(alice, player)


CHANGES: dict[str, tuple[Callable[[Person, Player], None], str, str]] = {
    "password over the API": (password_over_the_api, "password", "Your password was changed"),
    "password on the page": (password_on_the_page, "password", "Your password was changed"),
    "password reset": (password_reset, "password", "Your password was changed"),
    "password by an operator": (password_by_an_operator, "password", "Your password was changed"),
    "address": (address_changed, "address", "Your account's email address was changed"),
    "first address": (first_address, "first_address", "Your email address is confirmed"),
    "token": (token_on_the_page, "token", "A token for a client was made"),
    "log-in over the API": (log_in_over_the_api_from_elsewhere, "login", "Somebody logged in to your account"),
    "log-in on the page": (log_in_on_the_page_from_elsewhere, "login", "Somebody logged in to your account"),
    "webhook": (webhook, "webhook", "Your notifications now also go to a webhook: example.org"),
    "chat": (chat, "chat", "Your notifications now also go to a chat: discord.com"),
    "webhook at another address": (
        another_webhook,
        "webhook",
        "Your notifications now also go to a webhook: example.net",
    ),
    "chat at another address": (another_chat, "chat", "Your notifications now also go to a chat: discord.com"),
    "browser": (browser_that_is_told, "browser", "Your notifications are now pushed to one more browser"),
    "link": (link_of_an_organiser, "guest_link", "An organiser made a link"),
    "passkey": (factor(mfa.authenticator_added, "webauthn"), "passkey", "A passkey was added"),
    "passkey taken": (factor(mfa.authenticator_removed, "webauthn"), "passkey_removed", "A passkey was removed"),
    "app": (factor(mfa.authenticator_added, "totp"), "app", "Logging in to your account now asks"),
    "app taken": (factor(mfa.authenticator_removed, "totp"), "app_removed", "Logging in to your account no longer"),
}


@pytest.mark.sampled
@pytest.mark.parametrize("name", CHANGES)
def test_nt1_a_change_in_security_is_told_at_once(alice: Person, player: Player, name: str) -> None:
    change, what, sentence = CHANGES[name]
    player.save(update_fields=["quiet_hours"])
    preferences.prefer(player, {"matrix": {kind: {"mail": False} for kind in ("turn", "finished", "started")}})
    change(alice, player)
    told = Notification.objects.filter(player=player, kind="security")
    assert [one.data["what"] for one in told] == [what]
    # The account's new address or the old one: it is verified.
    [address] = EmailAddress.objects.filter(user=player, verified=True).values_list("email", flat=True)
    subjects = [subject for to, subject in mails() if to == address]
    assert any(subject.startswith(sentence) for subject in subjects), subjects
