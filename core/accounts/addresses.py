"""Players' mail addresses: nothing is mailed to one that is not verified, and only its owner sees it."""

from collections.abc import Collection
from uuid import UUID

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError
from django.db import IntegrityError, transaction

from core import clock as service_clock
from core.accounts import mails, names, signals
from core.accounts.models import Player
from core.refusals import Forbidden


def verified_address(player: Player | UUID) -> str | None:
    """The player's verified address, or None. The primary one comes before any other."""
    player_id = player.pk if isinstance(player, Player) else player
    return verified_addresses([player_id]).get(player_id)


def verified_addresses(players: Collection[UUID]) -> dict[UUID, str]:
    """The verified address of each player who has one, as `verified_address` says. One query."""
    rows = EmailAddress.objects.filter(user__in=players, verified=True).order_by("primary", "-pk")
    return dict(rows.values_list("user", "email"))


def with_addresses(players: Collection[UUID]) -> set[UUID]:
    if not players:
        return set()
    given = EmailAddress.objects.filter(user__in=players).values_list("user", flat=True)
    old = Player.objects.filter(pk__in=players).exclude(email="").values_list("pk", flat=True)
    return {*given, *old}


def unverify(player: Player | UUID, address: str) -> bool:
    """Require that the address is verified again. Return whether it was verified until now."""
    return bool(EmailAddress.objects.filter(user=player, email=address, verified=True).update(verified=False))


def owner_of(address: str) -> Player | None:
    try:
        kept = names.address(address)
    except ValidationError:
        return None
    found = EmailAddress.objects.select_related("user").filter(email=kept, verified=True)
    row = found.filter(user__is_active=True).first()
    return None if row is None else row.user


def address_of(player: Player) -> EmailAddress | None:
    return EmailAddress.objects.filter(user=player).order_by("-verified", "-primary", "pk").first()


def verified(player: Player, address: str) -> None:
    """The player receives mails at this address: it becomes theirs, and the previous one is told.

    Raises Forbidden (wrong_code): another account has verified it meanwhile.
    """
    try:
        with transaction.atomic():
            before = list(EmailAddress.objects.select_for_update().filter(user=player))
            EmailAddress.objects.filter(user=player).delete()
            EmailAddress.objects.create(user=player, email=address, verified=True, primary=True)
            Player.objects.filter(pk=player.pk).update(email=address)
            known = [old.email for old in before if old.verified]
            for old in known:
                if old != address:
                    mails.send("address_changed", old)
    except IntegrityError:
        raise Forbidden("wrong_code", "This code is no longer valid. Ask for a new one.", field="code") from None
    player.email = address
    player.keep()
    what = "address" if known else "first_address"
    signals.secured.send(sender=Player, player=player, what=what, now=service_clock.now())


def remove(player: Player) -> None:
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
        signals.secured.send(sender=Player, player=player, what="address", now=service_clock.now())
