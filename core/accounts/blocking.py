"""Blocking a player: they cannot invite the blocker, nor sit down at the blocker's private tables."""

from uuid import UUID

from django.db import transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core.accounts import services, signals
from core.accounts.models import Block, Player
from core.refusals import Conflict, Forbidden, Invalid, NotFound

MOST = 1000


def block(player: Player, username: str) -> None:
    """Block a player. Raises NotFound (no_such_player), Invalid (bad_username), Conflict (too_many_blocked)."""
    other = _named(username)
    if other.pk == player.pk:
        raise Invalid("bad_username", "You cannot block yourself.", field="username")
    at = service_clock.now()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        if Block.objects.filter(player=player).exclude(blocked=other).count() >= MOST:
            raise Conflict("too_many_blocked", f"You have blocked {MOST} players, which is the limit.")
        Block.objects.get_or_create(player=player, blocked=other, defaults={"at": at})
    signals.blocked.send(sender=Player, player=player, now=at)


def unblock(player: Player, username: str) -> None:
    Block.objects.filter(player=player, blocked=_named(username)).delete()
    signals.blocked.send(sender=Player, player=player, now=service_clock.now())


def blocked_by(player: Player) -> QuerySet[Block]:
    return Block.objects.select_related("blocked").filter(player=player).order_by("-at", "-id")


def has_blocked(player: UUID | None, other: Player) -> bool:
    return player is not None and Block.objects.filter(player_id=player, blocked=other).exists()


def those_blocked_by(player: UUID) -> set[UUID]:
    return set(Block.objects.filter(player=player).values_list("blocked_id", flat=True))


def those_who_blocked(player: UUID) -> set[UUID]:
    return set(Block.objects.filter(blocked=player).values_list("player_id", flat=True))


def check_invites(player: UUID, other: Player, *, field: str) -> None:
    if Block.objects.filter(player=other, blocked=player).exists():
        raise Forbidden("blocked", f"{other.username} does not accept invitations from you.", field=field)


def _named(username: str) -> Player:
    found = services.named(username)
    if found is None or found.closed_at is not None:
        raise NotFound("no_such_player", "There is no player with this name.", field="username")
    return found
