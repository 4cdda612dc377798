"""The reactor that follows the games. It only queues, for the runner, the games that have ended (LI6)."""

from uuid import UUID

from core import log
from tournaments import models
from tournaments.services import queue
from tournaments.stream import Status
from tournaments.stream.agenda import Kind, Work


@log.reactor("tournament-news", kinds=["game"], types=["game.finished", "game.called_off"])
def follow_games(delivery: log.Delivery) -> None:
    """Queue an ended game for every tournament it may count for."""
    event = delivery.event
    for tournament_id in tournaments_of(event):
        work = Work(Kind.OUTCOME, event.stream_key, {"game": event.stream_key})
        queue.put(tournament_id, [work], due_at=event.recorded_at)


def tournaments_of(event: log.Event) -> list[UUID]:
    """The tournament a game belongs to, or the seasons for which any game among entrants counts (SN1)."""
    if event.data["belongs_to"] is not None:
        return [UUID(event.data["belongs_to"]["tournament"])]
    players = {seat["player"] for seat in event.data["seats"]}
    if event.type != "game.finished" or None in players:
        return []
    seasons = models.Tournament.objects.filter(
        status=Status.RUNNING, kind="season", plan__games="any", game=event.data["game"]
    )
    entered = models.Entrant.objects.filter(tournament__in=seasons, player__in=players, entered_at__isnull=False)
    counts: dict[UUID, int] = {}
    for tournament_id in entered.values_list("tournament", flat=True):
        counts[tournament_id] = counts.get(tournament_id, 0) + 1
    return [tournament_id for tournament_id, count in counts.items() if count == len(players)]
