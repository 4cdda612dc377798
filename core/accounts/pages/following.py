"""The consequences of changes on allauth's pages: other sessions and tokens end, and the owner is told."""

from typing import Any

from allauth.account import signals as account
from allauth.account.internal.flows.login import record_authentication
from allauth.mfa import signals as mfa
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.contrib.auth.signals import user_logged_in
from django.dispatch import receiver
from django.http import HttpRequest

from core import clock
from core.accounts import attempts, guests, mails, owning, signals
from core.accounts.models import Player

_ADDED = {Authenticator.Type.WEBAUTHN: "passkey", Authenticator.Type.TOTP: "app"}


@receiver(user_logged_in)
def _logged_in(request: HttpRequest, user: Any, **_: object) -> None:
    if not isinstance(user, Player) or not request.META.get("REMOTE_ADDR") or not hasattr(request, "user"):
        return
    UserSession.objects.create_from_request(request)
    attempts.name_browser(request)
    attempts.logged_in(request, user)
    request.trey_logged_in = True  # type: ignore[attr-defined]


@receiver([account.password_changed, account.password_set])
def _password_changed(request: HttpRequest, user: Player, **_: object) -> None:
    owning.password_changed(user, session=request.session.session_key)


@receiver(account.password_reset)
def _password_reset(user: Player, **_: object) -> None:
    owning.password_changed(user)


@receiver(account.email_confirmed)
def _address_verified(email_address: Any, **_: object) -> None:
    player = email_address.user
    if player.is_guest:
        guests.keep(player)
    _tell(player, "address")


@receiver(account.email_changed)
def _address_changed(from_email_address: Any, to_email_address: Any, **_: object) -> None:
    if from_email_address is not None and from_email_address.email != to_email_address.email:
        mails.send("address_changed", from_email_address.email)


@receiver(account.email_removed)
def _address_removed(user: Player, email_address: Any, **_: object) -> None:
    mails.send("address_removed", email_address.email)


@receiver(mfa.authenticator_added)
def _added(request: HttpRequest, user: Player, authenticator: Authenticator, **_: object) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN and user.is_guest:
        guests.keep(user)
        # They have just proved that the account is theirs, so the page of recovery codes, which comes next, does not
        # ask again.
        record_authentication(request, user, method="mfa", type=authenticator.type, reauthenticated=True)
    if what := _ADDED.get(authenticator.type):
        _tell(user, what)


@receiver(mfa.authenticator_removed)
def _removed(user: Player, authenticator: Authenticator, **_: object) -> None:
    if what := _ADDED.get(authenticator.type):
        _tell(user, f"{what}_removed")


@receiver(mfa.authentication_failed)
def _guessed(user: Player, **_: object) -> None:
    attempts.second_failed(user)


def _tell(player: Player, what: str) -> None:
    signals.secured.send(sender=Player, player=player, what=what, now=clock.now())
