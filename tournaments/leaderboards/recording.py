"""Recording rated results in their league's stream, each once and in one order (RA1), and so voids (RA6)."""

from collections.abc import Iterable, Iterator
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from core import clock, log
from tournaments.leaderboards.models import League, LeagueGame
from tournaments.leaderboards.stream import LEAGUE, RESTORED, RESULT, VOIDED, LeagueHead, read_batches, result_in

FOLLOWS = {"game.voided": VOIDED, "game.restored": RESTORED}


@log.reactor("leagues", kinds=["game"], types=["game.finished", "game.called_off", *FOLLOWS])
def record_result(delivery: log.Delivery) -> None:
    event = delivery.event
    game_id = UUID(event.stream_key)
    if event.type in FOLLOWS:
        counted = LeagueGame.objects.filter(pk=game_id).first()
        if counted is not None:
            _append(delivery, counted.league, log.NewEvent(FOLLOWS[event.type], {"game_id": str(game_id)}))
    elif event.data["rated"]:
        league = event.data["game"]
        executed = _append(delivery, league, log.NewEvent(RESULT, _result(event)))
        if executed.after is not None:
            LeagueGame.objects.create(id=game_id, league=league, number=executed.after.version)


def _append(delivery: log.Delivery, league: str, event: log.NewEvent) -> log.Executed[LeagueHead, None]:
    return delivery.execute(
        LEAGUE, league, lambda _: log.Decided([event], None), now=clock.now(), reason=delivery.event.reason
    )


def _result(event: log.Event) -> dict[str, Any]:
    """The result of a game that was finished, or adjudicated by its places when its round was overdue (LI2)."""
    ended = event.data["result"] if event.type == "game.finished" else event.data
    seats = {seat["seat"]: seat for seat in event.data["seats"]}
    return {
        "game_id": event.stream_key,
        "finished_at": log.time_text(event.recorded_at),
        "rounds": event.data["rounds"],
        "players": [
            {
                "player": seats[placement["seat"]]["player"],
                "place": placement["place"],
                "score": placement["score"] if event.data["rounds"] is not None else None,
                "lost_on_time": seats[placement["seat"]]["lost_on_time"],
                "never_came": seats[placement["seat"]]["never_came"],
            }
            for placement in ended["placements"]
        ],
    }


_IDS = """
SELECT game FROM leaderboards_league
UNION SELECT substr(stream_id, 8) FROM log_stream WHERE stream_id LIKE 'league-%' AND version > 0
ORDER BY 1
"""
_BEHIND = """
SELECT COALESCE(league.game, substr(stream.stream_id, 8))
FROM (SELECT * FROM log_stream WHERE stream_id LIKE 'league-%' AND version > 0) AS stream
FULL JOIN leaderboards_league league ON stream.stream_id = 'league-' || league.game
WHERE COALESCE(league.version, 0) <> COALESCE(stream.version, 0)
ORDER BY 1
"""


class Recoverable:
    """Leagues, for `manage.py rebuild`: how far each goes, and which games count in it."""

    name = "league"

    def ids(self) -> Iterable[str]:
        return _games(_IDS)

    def parse(self, key: str) -> str:
        return key

    def behind(self) -> Iterable[str]:
        """Those whose row is not at the version of its stream."""
        return _games(_BEHIND)

    def rebuild(self, stream_id: str) -> log.Rebuilt:
        return rebuild(stream_id)

    def evolve(self, head: LeagueHead | None, event: log.Event) -> LeagueHead:
        """The head after one more event, whose result can be read."""
        if event.type == RESULT:
            result_in(event)
        return LEAGUE.evolve(head, event)

    def save(self, _: None, after: LeagueHead) -> None:
        LEAGUE.save(None, after)


def rebuild(game: str) -> log.Rebuilt:
    """Rebuild the rows of a league in one transaction: its version, and the games in its stream."""
    with transaction.atomic():
        league = League.objects.select_for_update(no_key=True).filter(pk=game).first()
        last = log.head(LEAGUE.stream(game))
        version = last.version if last is not None else 0
        differences: list[str] = []
        if (found := league.version if league is not None else 0) != version:
            differences.append(f"league {game}: was at version {found}, is at {version}")
            League.objects.update_or_create(pk=game, defaults={"version": version})
        numbers: set[int] = set()
        for events in read_batches(game, 0, version):
            expected = {UUID(event.data["game_id"]): event.version for event in events if event.type == RESULT}
            numbers.update(expected.values())
            differences += _mend(game, expected)
        for stray in LeagueGame.objects.filter(league=game).exclude(number__in=numbers):
            differences.append(f"game {stray.pk}: was result {stray.number}, is no result")
            stray.delete()
    return log.Rebuilt(version, tuple(differences))


def _mend(game: str, expected: dict[UUID, int]) -> Iterator[str]:
    rows = {row.pk: (row.league, row.number) for row in LeagueGame.objects.filter(pk__in=expected)}
    wrong = {game_id: number for game_id, number in expected.items() if rows.get(game_id) != (game, number)}
    for game_id, number in wrong.items():
        was = "none" if game_id not in rows else "result {1} of {0}".format(*rows[game_id])
        yield f"game {game_id}: was {was}, is result {number} of {game}"
    LeagueGame.objects.bulk_create(
        [LeagueGame(id=game_id, league=game, number=number) for game_id, number in wrong.items()],
        update_conflicts=True,
        unique_fields=["id"],
        update_fields=["league", "number"],
    )


def _games(query: str) -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(query)
        return [row[0] for row in cursor.fetchall()]
