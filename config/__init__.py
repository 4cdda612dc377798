"""The roof: settings, URLs and processes; `running` starts and supervises them, `ops` is for their operator."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
