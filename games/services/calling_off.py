"""Calling a game off: by its players, by a ruling, or since nobody came."""

import logging
from collections import Counter
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Literal
from uuid import UUID

from django.conf import settings

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from games.events import CancelAgreed
from games.models import Game
from games.projections import Snapshot
from games.services.commands import Decide, change, changed, check_not_over, check_opener, member, ruled
from games.services.ending import called_off

PRACTICE_IDLE = timedelta(days=30)
Placements = Sequence[Mapping[str, Any]]


def cancel(game_id: UUID, player: Player) -> Snapshot:
    """Call a game off, as one of its players.

    The opener calls off an open room. In a running game the caller agrees, and the game is off once everybody still in
    it agrees; players who resigned, or for whom a bot plays, are not asked. Agreement lapses with the player's next
    move. A game in which only bots still play is called off by its opener alone, resigned or not.

    Raises Forbidden (tournament_game), Conflict (resigned).
    """

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(snapshot, player)
        check_not_over(snapshot)
        if snapshot.status == "open":
            check_opener(snapshot, player, "call the game off")
            return [called_off(snapshot, "opener")]
        if snapshot.belongs_to is not None:
            raise Forbidden("tournament_game", "Only the organisers can call off a tournament's game.")
        return _agree(snapshot, seat)

    return changed(game_id, decide, player=player)


def call_off(
    game_id: UUID,
    *,
    actor: log.Actor,
    reason: str,
    placements: Placements | Literal["as_it_stands"] | None = None,
    rated: bool = False,
    now: datetime | None = None,
) -> Snapshot:
    """Call a room or game off with a public reason. The caller checks the right to do so.

    `placements` (`[{"seat", "place", "score"}]`, `score` optional) gives the places; "as_it_stands" gives places by the
    current state: players who are out keep theirs, the others are ranked by cards held (Three Thirteen: by totals).
    These places count for ratings only if `rated` says so (RA1).

    Raises Invalid (reason, placements).
    """
    return ruled(game_id, calling_off(reason, placements, rated=rated), actor=actor, reason=reason, now=now)


def calling_off(reason: str, placements: Placements | Literal["as_it_stands"] | None, *, rated: bool = False) -> Decide:
    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        check_not_over(snapshot)
        return [called_off(snapshot, reason, _places(snapshot, placements), rated=rated)]

    return decide


def _agree(snapshot: Snapshot, seat: int) -> list[log.NewEvent]:
    own = snapshot.players[seat]
    asked = [
        other
        for index, other in enumerate(snapshot.players)
        if index != seat and other.player is not None and other.bot is None and not other.resigned
    ]
    if own.resigned:
        if asked:
            raise Conflict("resigned", "You have resigned. The others play on without you.")
        if own.player != snapshot.opener:
            raise Forbidden(
                "not_the_opener", "Only bots are still playing, so the player who opened the table can call it off."
            )
        return [called_off(snapshot, "opener")]
    events = [] if own.agrees_to_cancel else [log.NewEvent(CancelAgreed.type, {}, seat)]
    if all(other.agrees_to_cancel for other in asked):
        events.append(called_off(snapshot, "agreed"))
    return events


def _places(snapshot: Snapshot, placements: Placements | str | None) -> Placements | None:
    if placements is None:
        return None
    if snapshot.state is None:
        raise Conflict("not_started", "The game has not started yet, so nobody has a place.")
    if isinstance(placements, str):
        return snapshot.rules.standing(snapshot.state)
    rows = [_place(placement) for placement in placements]
    if Counter(row["seat"] for row in rows) != Counter(range(len(snapshot.players))):
        raise Invalid("bad_placements", "placements must name every seat once.", field="placements")
    for row in rows:
        if row["place"] != 1 + sum(other["place"] < row["place"] for other in rows):
            raise Invalid(
                "bad_placements",
                "Each place must be 1 plus the number of better places, as in 1, 2, 2, 4.",
                field="placements",
            )
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))


def _place(placement: Mapping[str, Any]) -> dict[str, Any]:
    row = {"seat": placement.get("seat"), "place": placement.get("place"), "score": placement.get("score")}
    if type(row["seat"]) is not int or type(row["place"]) is not int or type(row["score"]) not in (int, type(None)):
        raise Invalid(
            "bad_placements", "Each placement needs a seat, a place and a score, as integers.", field="placements"
        )
    return row


logger = logging.getLogger(__name__)


def expire_rooms(limit: int = 500) -> int:
    """Cancel open rooms in which nothing happened for 7 days, and practice games after 30 days.

    Returns how many. At most `limit` of each, those idle longest first. Each is checked again at its own version, so a
    room that somebody enters at the last moment stays. A room with a damaged log is reported and stays.
    """
    now = service_clock.now()
    latest = now - timedelta(seconds=settings.TREY_ROOM_IDLE_SECONDS)
    left = now - PRACTICE_IDLE
    # Two statements, since each has an index of its own.
    rooms = Game.objects.filter(status=Game.Status.OPEN, moved_at__lte=latest)
    practice = Game.objects.filter(
        status__in=(Game.Status.SETUP, Game.Status.PLAYING), named_clock=False, opened_at__lte=left, moved_at__lte=left
    )
    idle = [
        game for each in (rooms, practice) for game in each.order_by("moved_at").values_list("pk", flat=True)[:limit]
    ]
    expired = 0

    def decide(snapshot: Snapshot) -> Sequence[log.NewEvent]:
        is_idle = snapshot.status == "open" and snapshot.moved_at <= latest
        is_left = snapshot.is_running and snapshot.is_practice and snapshot.moved_at <= left
        return [called_off(snapshot, "idle")] if is_idle or is_left else []

    for game_id in idle:
        try:
            expired += bool(change(game_id, decide, actor=log.Actor("server"), now=now).events)
        except NotFound:
            continue
        except (log.LogError, LookupError, ValueError):
            logger.exception("the room %s cannot be expired", game_id)
    return expired
