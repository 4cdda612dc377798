"""What the tests of leagues share: players, results written into a league's stream, a board as lines."""

from collections.abc import Sequence
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import connection

from core import clock, log
from core.accounts.models import Player
from tournaments.leaderboards import profiles, selectors
from tournaments.leaderboards.projection import update_boards
from tournaments.leaderboards.stream import LEAGUE, RESTORED, RESULT, VOIDED

TABLES = ("leaderboards_playertally", "leaderboards_entry", "leaderboards_count", "leaderboards_point")


def players(*names: str) -> list[Player]:
    return [Player.objects.create(username=name) for name in names]


def append(game: str, *events: log.NewEvent) -> int:
    """The league's version after these events."""
    executed = log.execute(
        LEAGUE, game, lambda _: log.Decided(events, None), actor=log.Actor("reactor", "test"), now=clock.now()
    )
    assert executed.after is not None
    return executed.after.version


def result(
    *order: Player | Sequence[Player],
    at: datetime | None = None,
    rounds: int | None = None,
    scores: Sequence[int] | None = None,
    game_id: UUID | None = None,
) -> log.NewEvent:
    """A result in the order of places; players in a list share theirs."""
    rows: list[dict[str, Any]] = []
    for group in order:
        shared = [group] if isinstance(group, Player) else group
        place = len(rows) + 1
        rows += [{"player": str(one.id), "place": place, "score": None, "lost_on_time": False} for one in shared]
    for row, score in zip(rows, scores or (), strict=False):
        row["score"] = score
    data = {
        "game_id": str(game_id or uuid4()),
        "finished_at": log.time_text(at or clock.now()),
        "rounds": rounds,
        "players": rows,
    }
    return log.NewEvent(RESULT, data)


def voided(event: log.NewEvent) -> log.NewEvent:
    return log.NewEvent(VOIDED, {"game_id": event.data["game_id"]})


def restored(event: log.NewEvent) -> log.NewEvent:
    return log.NewEvent(RESTORED, {"game_id": event.data["game_id"]})


def count(game: str, *events: log.NewEvent) -> None:
    """Write results into the league and let the boards follow."""
    append(game, *events)
    update_boards.catch_up()


def lines(game: str, board: str = "rating", period: str = "all", limit: int = 100) -> list[tuple[int, str, Any]]:
    page = selectors.board_page(game, board, period, limit=limit)
    return [(row.rank, row.player.username, row.value) for row in page.rows]


def in_league(player: Player, game: str) -> profiles.Rated | None:
    return next((rated for rated in profiles.ratings(player) if rated.game == game), None)


def stored_rows(game: str) -> dict[str, list[str]]:
    """All rows of a league's boards, byte for byte, but for buckets that became empty."""
    found = {}
    with connection.cursor() as cursor:
        for table in TABLES:
            cursor.execute(
                f"SELECT to_jsonb(t)::text FROM {table} t"
                " WHERE game = %s AND (to_jsonb(t) ->> 'entries') IS DISTINCT FROM '0' ORDER BY 1",
                [game],
            )
            found[table] = [row[0] for row in cursor.fetchall()]
    return found
