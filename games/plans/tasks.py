from celery import shared_task

from core import clock
from core.hooks import DUE
from games.plans import services

DUE["plans.sweep"] = lambda: services.due_games(clock.now())


@shared_task(name="plans.sweep")
def sweep_plans() -> int:
    return services.sweep_plans()
