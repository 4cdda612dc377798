"""The tasks that beat starts. Each only looks for what is due, so running late or twice is harmless."""

from celery import shared_task

from core.hooks import DUE
from tournaments import services

DUE["tournaments.tasks.run"] = services.is_due


@shared_task(name="tournaments.tasks.run")
def run() -> int:
    """Move the tournaments on."""
    return services.run().done


@shared_task(name="tournaments.tasks.recover")
def recover() -> int:
    """Queue what the runner may have lost."""
    return services.recover_all()
