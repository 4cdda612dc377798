"""Changing what an account is held by: its password (AC1, AC6), and its address over the API (AC3)."""

from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from django.db import IntegrityError, transaction

from core import clock as service_clock
from core.accounts import ending, guests, mails, services, sessions, signals, tokens
from core.accounts.ending import Right, What
from core.accounts.models import Player, Token
from core.refusals import Forbidden


def set_password(player: Player, password: str, *, session: str | None = None, token: Token | None = None) -> None:
    """Set a new password, which must have been validated; see `password_changed`. Raises Busy."""
    services.change_password(player, password)
    password_changed(player, session=session, token=token)


def password_changed(player: Player, *, session: str | None = None, token: Token | None = None) -> None:
    """What goes with the old password ends: all sessions and tokens but these two. The owner is told."""
    if player.is_guest:
        guests.keep(player)
    with transaction.atomic():
        ending.ended(Right.PASSWORD, player=player, session=session, token=token)
    signals.secured.send(sender=Player, player=player, what="password", now=service_clock.now())


@ending.at_once(Right.PASSWORD, What.LOGINS)
@ending.at_once(Right.ACCOUNT, What.LOGINS)
def end_log_ins(*, player: Player, session: str | None = None, token: Token | None = None, **_: Any) -> None:
    """End all sessions and tokens but these two."""
    tokens.revoke_all(player, keep=token)
    sessions.revoke_all(player, keep=session)


def address_of(player: Player) -> EmailAddress | None:
    """The player's address, a verified one first."""
    return EmailAddress.objects.filter(user=player).order_by("-verified", "-primary", "pk").first()


def verified(player: Player, address: str, *, now: datetime | None = None) -> None:
    """The player has proved to receive mails at this address: it becomes theirs, and the previous one is told.

    Raises Forbidden (wrong_code): another account has verified it meanwhile.
    """
    try:
        with transaction.atomic():
            before = list(EmailAddress.objects.select_for_update().filter(user=player))
            EmailAddress.objects.filter(user=player).delete()
            EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
            Player.objects.filter(pk=player.pk).update(email=address)
            for old in before:
                if old.verified and old.email != address:
                    mails.send("address_changed", old.email)
    except IntegrityError:
        raise Forbidden("wrong_code", "This code is no longer valid. Ask for another one.", field="code") from None
    player.email = address
    if player.is_guest:
        guests.keep(player)
    signals.secured.send(sender=Player, player=player, what="address", now=now or service_clock.now())


def remove(player: Player, *, now: datetime | None = None) -> None:
    """Remove the address, which is told by mail. Do nothing if there is none."""
    with transaction.atomic():
        before = list(EmailAddress.objects.select_for_update().filter(user=player))
        EmailAddress.objects.filter(user=player).delete()
        Player.objects.filter(pk=player.pk).update(email="")
        for old in before:
            if old.verified:
                mails.send("address_removed", old.email)
    player.email = ""
    if before:
        signals.secured.send(sender=Player, player=player, what="address", now=now or service_clock.now())
