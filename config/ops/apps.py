"""The operations app: health, metrics, logs, system checks and the operator's commands."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """The checks and signals of every process of the service."""

    name = "config.ops"
    label = "ops"
    verbose_name = "Operations"

    def ready(self) -> None:
        """Register the system checks, and put tasks' ids on their log lines."""
        from celery import signals

        from config.ops import checks, logs  # noqa: F401

        signals.task_prerun.connect(logs.name_task)
        signals.task_postrun.connect(logs.forget_task)
