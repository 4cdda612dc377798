"""Recording rated results in their league's stream, each once and in one order (RA1), and so voids (RA6)."""

from typing import Any
from uuid import UUID

from core import clock, log
from tournaments.leaderboards.models import LeagueGame
from tournaments.leaderboards.stream import LEAGUE, RESTORED, RESULT, VOIDED, LeagueHead

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
