from celery import shared_task

from games.plans import services


@shared_task(name="plans.sweep")
def sweep_plans() -> int:
    return services.sweep_plans()
