"""The pulse: beat sends it every ten seconds and a worker takes it, so that its age says whether both work."""

from celery import shared_task
from django.core.cache import cache

from games import clock

PULSE = "pulse"


@shared_task(name="config.ops.tasks.pulse")
def pulse() -> None:
    """Write down that beat and a worker are there."""
    cache.set(PULSE, clock.now().timestamp(), timeout=None)


def pulse_age() -> float | None:
    """Seconds since the last pulse; None when there was none."""
    last: float | None = cache.get(PULSE)
    return None if last is None else max(0.0, clock.now().timestamp() - last)
