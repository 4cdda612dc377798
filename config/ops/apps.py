"""The operations app: health, metrics, logs, system checks and the commands of whoever runs the service."""

from django.apps import AppConfig


class OpsConfig(AppConfig):
    """Registers the system checks."""

    name = "config.ops"
    label = "ops"
    verbose_name = "Operations"

    def ready(self) -> None:
        """Register the system checks."""
        from config.ops import checks  # noqa: F401
