"""What beat starts."""

from celery import shared_task

from games.platform.accounts import services


@shared_task(name="games.platform.accounts.tasks.finish_closing")
def finish_closing() -> int:
    """Finish the closings of accounts that were cut short."""
    return services.finish_closing()
