"""The rights to see things in the dashboard.

Staff see everything; organisers, who need not be staff, see their own tournaments and those tournaments' games (LI7).
Nothing here shows more of a game than the public sees, and to its players their own cards: the hidden cards of a
running game are a right of their own.
"""

from collections.abc import Collection
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import Model, QuerySet
from django.http import HttpRequest

from core.accounts.models import Player
from games.models import Game
from games.selectors import belonging

SEE_HIDDEN = "games.see_hidden_cards"


def user_of(request: HttpRequest) -> Player:
    """The account behind a request that has passed `may_enter`."""
    user = request.user
    assert isinstance(user, Player)  # noqa: S101  the site lets nobody else in
    return user


def is_staff(request: HttpRequest) -> bool:
    """Return whether the request comes from staff (superusers are staff here, too)."""
    user = request.user
    return user.is_active and (user.is_staff or user.is_superuser)


def organised(request: HttpRequest) -> Collection[UUID]:
    """The tournaments of which the caller is an organiser; asked for once a request."""
    found: Collection[UUID] | None = getattr(request, "_organised", None)
    if found is None:
        user = request.user
        found = belonging.owner().organised_by(user) if isinstance(user, Player) and user.is_active else ()
        request._organised = found  # type: ignore[attr-defined]  # noqa: SLF001  kept with the request
    return found


def may_enter(request: HttpRequest) -> bool:
    return is_staff(request) or bool(organised(request))


def may_set_up(request: HttpRequest) -> bool:
    """Return whether the caller may set up a tournament (LI7); if all players may, any account that is kept.

    Their first tournament makes them an organiser, who may enter.
    """
    user = request.user
    player = isinstance(user, Player) and user.is_active and not user.is_guest
    return may_enter(request) or (player and settings.TREY_LIMITS["tournaments_per_organiser"] != 0)


def may_run(request: HttpRequest, tournament: UUID | None) -> bool:
    """Return whether the caller may see and change what belongs to this tournament (None: to no tournament)."""
    return is_staff(request) or (tournament is not None and tournament in organised(request))


def may_see_hidden(request: HttpRequest, game: Game) -> bool:
    return request.user.has_perm(SEE_HIDDEN) and not has_played(game, user_of(request))


def has_played(game: Game, player: Player) -> bool:
    return game.seat_of(player) is not None


class ReadOnly:
    """Read-only pages: the rows are a cache of a log, or a log themselves."""

    def has_add_permission(self, *_: Any) -> bool:
        return False

    has_change_permission = has_delete_permission = has_add_permission


class StaffSee:
    def has_view_permission(self, request: HttpRequest, obj: Model | None = None) -> bool:
        return is_staff(request)

    has_module_permission = has_view_permission


def own_games(request: HttpRequest, games: QuerySet[Game]) -> QuerySet[Game]:
    return games if is_staff(request) else games.filter(tournament__in=organised(request))
