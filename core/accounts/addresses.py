"""Players' mail addresses: nothing is mailed to one that is not verified (NT11), and only its owner sees it (AC3)."""

from collections.abc import Collection
from uuid import UUID

from allauth.account.models import EmailAddress
from django.core.exceptions import ValidationError

from core.accounts import names
from core.accounts.models import Player


def verified_address(player: Player | UUID) -> str | None:
    """The player's verified address, or None. The primary one comes before any other."""
    player_id = player.pk if isinstance(player, Player) else player
    return verified_addresses([player_id]).get(player_id)


def verified_addresses(players: Collection[UUID]) -> dict[UUID, str]:
    """The verified address of each player who has one, as `verified_address` says. One query."""
    rows = EmailAddress.objects.filter(user__in=players, verified=True).order_by("primary", "-pk")
    return dict(rows.values_list("user", "email"))


def with_addresses(players: Collection[UUID]) -> set[UUID]:
    """Return which of the players have given an address, verified or not."""
    if not players:
        return set()
    given = EmailAddress.objects.filter(user__in=players).values_list("user", flat=True)
    old = Player.objects.filter(pk__in=players).exclude(email="").values_list("pk", flat=True)
    return {*given, *old}


def unverify(player: Player | UUID, address: str) -> bool:
    """Require that the address is verified again (NT9). Return whether it was verified until now."""
    return bool(EmailAddress.objects.filter(user=player, email=address, verified=True).update(verified=False))


def owner_of(address: str) -> Player | None:
    """The open account that has verified this address, or None."""
    try:
        kept = names.address(address)
    except ValidationError:
        return None
    found = EmailAddress.objects.select_related("user").filter(email=kept, verified=True)
    row = found.filter(user__is_active=True).first()
    return None if row is None else row.user
