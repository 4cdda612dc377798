from celery import shared_task

from games.talk import moderation, services


@shared_task(name="games.tasks.sweep_talks")
def sweep_talks() -> int:
    return services.sweep_talks() + moderation.sweep_reports()
