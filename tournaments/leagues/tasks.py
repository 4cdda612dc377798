"""The Celery tasks of the boards; each may run late or twice."""

from celery import shared_task

from games.platform import clock
from tournaments.leagues import ageing, rebuilding
from tournaments.leagues.models import League


@shared_task(name="leagues.rebuild")
def rebuild(game: str) -> int:
    """Rebuild a league after a result was voided or restored."""
    if not League.objects.filter(pk=game, recompute__isnull=False).exists():
        return 0
    return rebuilding.rebuild(game)


@shared_task(name="leagues.sweep")
def sweep() -> int:
    """Run rebuilds whose task was lost, and remove inactive players from the boards."""
    for game in League.objects.filter(recompute__isnull=False).values_list("pk", flat=True):
        rebuilding.rebuild(game)
    return ageing.drop_inactive(clock.now())
