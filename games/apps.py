"""The app of rooms and games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Rooms and games, and what the admin shows of them."""

    name = "games"
    label = "games"
    verbose_name = "Games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """React to changes of accounts."""
        from games import services
        from games.accounts import signals

        signals.closing.connect(services.leave_games)
        signals.calendar_changed.connect(services.follow_calendar)
