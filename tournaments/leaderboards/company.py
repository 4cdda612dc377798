"""The rest of a player's page besides the ratings: games, tournaments, and the most frequent opponents."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.db import connection

from core.accounts.models import Player
from games.rules import GAMES
from games.selectors import GameRow, newest_ended
from tournaments import access
from tournaments.models import WAS_OPENED, Entrant, Tournament

NEWEST = 12
OPPONENTS = 10
# The number of newest rated games in a league that are searched for opponents.
LOOKED_THROUGH = 500

_MET = """
SELECT other.player, count(*), count(*) FILTER (WHERE own.place < other.place),
       count(*) FILTER (WHERE own.place = other.place), count(*) FILTER (WHERE own.place > other.place)
FROM leaderboards_league league
CROSS JOIN LATERAL (
    SELECT * FROM leaderboards_point point
    WHERE point.player = %(player)s AND point.game = league.game AND point.generation = league.generation
    ORDER BY point.number DESC LIMIT %(most)s
) own
JOIN leaderboards_point other ON other.game = own.game AND other.generation = own.generation
    AND other.number = own.number AND other.player <> own.player AND NOT own.never_came AND NOT other.never_came
GROUP BY other.player ORDER BY 2 DESC, 1 LIMIT %(limit)s
"""


@dataclass(frozen=True, slots=True)
class Played:
    """A game of the player that is over."""

    id: UUID
    title: str
    place: int | None
    others: Sequence[str]
    at: datetime | None


@dataclass(frozen=True, slots=True)
class Met:
    """The rated games of all kinds in which the player was better than another one, level, or worse."""

    username: str
    games: int
    better: int
    level: int
    worse: int


def newest_games(player: Player) -> list[Played]:
    """The newest public games that are over. Three statements."""
    return [_played(game, player) for game in newest_ended(player, NEWEST)]


def tournaments_of(player: Player) -> list[Tournament]:
    """The newest public tournaments that the player took part in."""
    entries = Entrant.objects.filter(player=player, entered_at__isnull=False).exclude(standing__in=access.OUTSIDE)
    rows = Tournament.objects.filter(WAS_OPENED, pk__in=entries.values("tournament"), visibility="public")
    return list(rows.only("slug", "title", "status", "kind", "game").order_by("-set_up_at", "-id")[:NEWEST])


def met_most(player: Player) -> list[Met]:
    """The opponents in most of the player's rated games, without closed accounts and those who want no page."""
    with connection.cursor() as cursor:
        cursor.execute(_MET, {"player": player.pk, "most": LOOKED_THROUGH, "limit": 2 * OPPONENTS})
        rows = cursor.fetchall()
    shown = Player.objects.filter(pk__in=[row[0] for row in rows], closed_at=None)
    names = {one.pk: one.username for one in shown if one.preferences.get("unlisted") is not True}
    return [Met(names[row[0]], *row[1:]) for row in rows if row[0] in names][:OPPONENTS]


def _played(game: GameRow, player: Player) -> Played:
    seats = game.seat_rows()
    own = next(seat.index for seat in seats if seat.player_id == player.pk)
    places = {row["seat"]: row["place"] for row in (game.result or {}).get("placements", ())}
    names = [
        seat.player.username
        if seat.player is not None and seat.player.closed_at is None
        else "a bot"
        if seat.player_id is None
        else "a deleted player"
        for seat in seats
        if seat.index != own
    ]
    return Played(game.pk, GAMES[game.game].title, places.get(own), names, game.finished_at)
