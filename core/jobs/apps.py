"""The Django app of the queue."""

from django.apps import AppConfig


class WorkConfig(AppConfig):
    name = "core.jobs"
    label = "jobs"
    verbose_name = "Queue"
    default_auto_field = "django.db.models.BigAutoField"
