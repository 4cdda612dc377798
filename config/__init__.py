"""The roof: settings, URLs, processes and the Celery application; `ops` is for the operator."""

import os
import warnings

from celery import Celery
from celery.fixups.django import DjangoWorkerFixup  # type: ignore[attr-defined]
from django.db import close_old_connections

# Because of pickle; our worker only accepts JSON.
warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
# Celery would open a connection to the database for each task, which takes longer than most tasks.
DjangoWorkerFixup.close_database = lambda *_, **__: close_old_connections()
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

celery_app = Celery("trey")
celery_app.config_from_object("django.conf:settings", namespace="CELERY")
celery_app.autodiscover_tasks()
