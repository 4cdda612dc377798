"""What beat starts: each only looks for what is due, and being late or doubled is harmless."""

from celery import shared_task

from games import services


@shared_task(name="games.tasks.expire_rooms")
def expire_rooms() -> int:
    """Call off the open rooms in which nothing happened for long."""
    return services.expire_rooms()


@shared_task(name="games.tasks.purge_commands")
def purge_commands() -> int:
    """Forget the answers kept for Idempotency-Keys after 30 days."""
    return services.purge_commands()
