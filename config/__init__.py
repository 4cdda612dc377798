"""The roof: settings, URLs, processes and the Celery application; `ops` is for the operator."""

import os
import warnings

from celery import Celery

# Because of pickle; our worker only accepts JSON.
warnings.filterwarnings("ignore", "You're running the worker with superuser privileges")
os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

celery_app = Celery("trey")
celery_app.config_from_object("django.conf:settings", namespace="CELERY")
celery_app.autodiscover_tasks()
