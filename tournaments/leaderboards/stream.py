"""The stream of a league: each rated result once, in one order (RA1), and voids (RA6).

Ratings and boards are made from it alone.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

import msgspec
from django.db import transaction

from core import clock, log
from core.rows import fetch_all
from tournaments.leaderboards.models import League, LeagueGame
from tournaments.leaderboards.tally import Result

RESULT = "league.result"
VOIDED = "league.voided"
RESTORED = "league.restored"
TYPES = (RESULT, VOIDED, RESTORED)


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


@dataclass(frozen=True, slots=True)
class LeagueHead:
    game: str
    version: int


class LeagueKind:
    """The kind of stream `league`; its id is the key of a game."""

    name = "league"

    def load(self, game: str, lock: log.Lock) -> LeagueHead | None:
        """The head, or None for a league without a result (with SKIP also where somebody holds it)."""
        leagues = League.objects.filter(pk=game)
        if lock is not log.Lock.NONE:
            leagues = leagues.select_for_update(no_key=True, skip_locked=lock is log.Lock.SKIP)
        version = leagues.values_list("version", flat=True).first()
        return LeagueHead(game, version) if version else None

    def evolve(self, head: LeagueHead | None, event: log.Happened) -> LeagueHead:
        if event.type == RESULT:
            result_in(event)
        if head is None:
            return LeagueHead(event.stream.removeprefix(f"{self.name}-"), event.version)
        return replace(head, version=event.version)

    def save(self, before: LeagueHead | None, after: LeagueHead) -> None:
        """Advance the head. Raises LostRace if another writer was faster."""
        if before is None:
            League.objects.bulk_create([League(game=after.game)], ignore_conflicts=True)
        moved = League.objects.filter(pk=after.game, version=before.version if before else 0).update(
            version=after.version
        )
        if not moved:
            raise log.LostRace(f"league of {after.game}")

    def rebuild(self, game: str) -> log.Rebuilt:
        """Rebuild the rows of a league in one transaction: its version, and the games in its stream."""
        with transaction.atomic():
            league = League.objects.select_for_update(no_key=True).filter(pk=game).first()
            last = log.head(self.stream(game))
            version = last.version if last is not None else 0
            differences: list[str] = []
            if (found := league.version if league is not None else 0) != version:
                differences.append(f"league {game}: was at version {found}, is at {version}")
                League.objects.update_or_create(pk=game, defaults={"version": version})
            results = {
                UUID(event.data["game_id"]): event.version
                for events in read_batches(game, 0, version)
                for event in events
                if event.type == RESULT
            }
            rows = dict(LeagueGame.objects.filter(league=game).values_list("pk", "number"))
            wrong = {pk for pk in rows.keys() | results.keys() if rows.get(pk) != results.get(pk)}
            differences += [
                f"game {pk}: was result {rows.get(pk, 'none')}, is {results.get(pk, 'none')}" for pk in sorted(wrong)
            ]
            LeagueGame.objects.filter(pk__in=wrong).delete()
            mended = [LeagueGame(id=pk, league=game, number=results[pk]) for pk in wrong if pk in results]
            LeagueGame.objects.bulk_create(mended)
        return log.Rebuilt(version, tuple(differences))

    def ids(self) -> Iterable[str]:
        return _games(_IDS)

    def parse(self, key: str) -> str:
        return key

    def behind(self, *, running: bool = False) -> Iterable[str]:  # noqa: ARG002  a league is never over
        return _games(_BEHIND)

    def stream(self, game: str) -> str:
        return f"{self.name}-{game}"


LEAGUE = LeagueKind()


def result_in(event: log.Happened) -> Result:
    return msgspec.convert({**event.data, "number": event.version}, Result)


def read_batches(game: str, after: int, upto: int, size: int = 2000) -> Iterator[Sequence[log.Event]]:
    while after < upto:
        events = log.read(LEAGUE.stream(game), after=after, upto=min(after + size, upto))
        if not events:
            raise LookupError(f"the league of {game} has no event after {after}, but counts {upto}")
        yield events
        after = events[-1].version


def _games(query: str) -> list[str]:
    return [row[0] for row in fetch_all(query)]


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
