"""The roof: settings, URLs and processes; `ops` is for whoever runs the service, `local` runs it on one machine."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
