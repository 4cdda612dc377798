"""The stream of a league: each rated result once, in one order (RA1). Ratings and boards are made from it alone."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from uuid import UUID

from core import log
from tournaments.leaderboards.models import League
from tournaments.leaderboards.tally import Finisher, Result

RESULT = "league.result"
VOIDED = "league.voided"
RESTORED = "league.restored"
TYPES = (RESULT, VOIDED, RESTORED)


@dataclass(frozen=True, slots=True)
class LeagueHead:
    """The head of a league's stream; its contents are in rows of their own."""

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

    def rebuild(self, game: str) -> None:
        """Move the head to the end of the stream."""
        events = log.read(self.stream(game))
        if events:
            League.objects.update_or_create(pk=game, defaults={"version": events[-1].version})

    def stream(self, game: str) -> str:
        return f"{self.name}-{game}"


LEAGUE = LeagueKind()


def result_in(event: log.Happened) -> Result:
    """The result that an event `league.result` holds."""
    data = event.data
    return Result(
        number=event.version,
        game_id=UUID(data["game_id"]),
        finished_at=datetime.fromisoformat(data["finished_at"]),
        rounds=data["rounds"],
        players=tuple(
            Finisher(UUID(one["player"]), one["place"], one["score"], one["lost_on_time"], one.get("never_came", False))
            for one in data["players"]
        ),
    )


def read_batches(game: str, after: int, upto: int, size: int = 2000) -> Iterator[Sequence[log.Event]]:
    """The events of a league with after < version <= upto, some at a time."""
    while after < upto:
        events = log.read(LEAGUE.stream(game), after=after, upto=min(after + size, upto))
        if not events:
            return
        yield events
        after = events[-1].version
