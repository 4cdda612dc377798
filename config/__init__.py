"""How Trey is put together: settings, addresses, clock, tasks, servers, supervisor, health."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
