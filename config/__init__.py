"""The roof: settings, URLs and processes; `running` starts and supervises them, `ops` is for their operator.

The Celery application is here. Tasks are in each app's tasks.py, the schedule is in the settings.
"""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

celery_app = Celery("trey")
celery_app.config_from_object("django.conf:settings", namespace="CELERY")
celery_app.autodiscover_tasks()
