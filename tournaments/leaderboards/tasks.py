"""The Celery tasks of the boards; each may run late or twice.

While one worker rebuilds a league, no other one waits for it: turns and tournaments need them.
"""

from celery import shared_task

from core import clock
from tournaments.leaderboards import rebuilding
from tournaments.leaderboards.models import League
from tournaments.leaderboards.projection import drop_inactive

# Seconds: a league of millions of results takes longer than other tasks may.
LONGEST = 6 * 3600


@shared_task(name="leagues.rebuild", time_limit=LONGEST)
def rebuild(game: str) -> int:
    if not League.objects.filter(pk=game, recompute__isnull=False).exists():
        return 0
    return rebuilding.rebuild(game, wait=False)


@shared_task(name="leaderboards.sweep", time_limit=LONGEST)
def sweep() -> int:
    for game in League.objects.filter(recompute__isnull=False).values_list("pk", flat=True):
        rebuilding.rebuild(game, wait=False)
    return drop_inactive(clock.now())
