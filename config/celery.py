"""The Celery application. Tasks are in each app's tasks.py, the schedule is in the settings."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("trey")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
