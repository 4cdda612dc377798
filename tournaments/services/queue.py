"""The runner's work in the platform's queue: queued in the transaction that causes it, each piece once."""

from collections import Counter
from collections.abc import Collection, Iterable
from datetime import datetime
from uuid import UUID

from core import log
from core.jobs import services as work
from core.jobs.models import Work as Row
from tournaments import models
from tournaments.stream import Status
from tournaments.stream.agenda import Kind, Work


def put(tournament_id: UUID, pieces: Iterable[Work], *, due_at: datetime) -> None:
    """Queue work for the runner. Work already queued stays as it is."""
    about = {"tournament": str(tournament_id)}
    work.put_all(
        work.Job(kind=one.kind.value, key=key_of(tournament_id, one.key), data={**about, **one.data}, due_at=due_at)
        for one in pieces
    )


def key_of(tournament_id: UUID, key: str) -> str:
    return f"{tournament_id}/{key}"


def kinds() -> list[str]:
    return [kind.value for kind in Kind]


def failing(tournaments: Collection[UUID], most: int) -> list[tuple[UUID, str]]:
    rows = Row.objects.filter(
        kind__in=kinds(), tries__gt=0, data__tournament__in=[str(tournament) for tournament in tournaments]
    )
    found = rows.order_by("due_at").values_list("data__tournament", "kind")[:most]
    return [(UUID(tournament), kind.partition(".")[2]) for tournament, kind in found]


@log.reactor("tournament-news", kinds=["game"], types=["game.finished", "game.called_off"])
def follow_games(delivery: log.Delivery) -> None:
    event = delivery.event
    for tournament_id in tournaments_of(event):
        work = Work(Kind.OUTCOME, event.stream_key, {"game": event.stream_key})
        put(tournament_id, [work], due_at=event.recorded_at)


def tournaments_of(event: log.Event) -> list[UUID]:
    """The tournament a game belongs to, or the seasons for which any game among entrants counts (SN1)."""
    if event.data["belongs_to"] is not None:
        return [UUID(event.data["belongs_to"]["tournament"])]
    players = {seat["player"] for seat in event.data["seats"]}
    if event.type != "game.finished" or None in players:
        return []
    seasons = models.Tournament.objects.filter(
        status=Status.RUNNING, kind="season", state__plan__games="any", game=event.data["game"]
    )
    entered = models.Entrant.objects.filter(tournament__in=seasons, player__in=players, entered_at__isnull=False)
    counts = Counter(entered.values_list("tournament", flat=True))
    return [tournament_id for tournament_id, count in counts.items() if count == len(players)]
