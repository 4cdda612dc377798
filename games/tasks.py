"""The tasks that beat starts. Each only looks for what is due, so running late or twice is harmless."""

from uuid import UUID

from celery import shared_task

from core import clock
from core.hooks import DUE
from games import services
from games.services import bots

DUE["games.tasks.sweep_bots"] = lambda: bots.games_due(clock.now(), 1)


@shared_task(name="games.tasks.sweep")
def sweep() -> int:
    return services.sweep().handled


@shared_task(name="games.tasks.expire_rooms")
def expire_rooms() -> int:
    return services.expire_rooms()


@shared_task(name="games.tasks.play_bots")
def play_bots(game_id: str) -> int:
    return bots.play_bots(UUID(game_id), seconds=bots.SLICE)


@shared_task(name="games.tasks.sweep_bots")
def sweep_bots() -> int:
    """Make the moves of bots without a task: those that play at a pace, and those whose task was lost."""
    return services.sweep_bots()
