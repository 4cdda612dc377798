"""The app of what belongs to no room: system checks, the pulse, commands."""

from django.apps import AppConfig


class TreyConfig(AppConfig):
    """Checks of the settings are registered when the app is ready."""

    name = "config"
    label = "trey"
    verbose_name = "Trey"

    def ready(self) -> None:
        """Register the system checks."""
        from config import checks  # noqa: F401
