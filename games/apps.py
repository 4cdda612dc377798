"""The app of rooms and games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Rooms and games, and what the admin shows of them."""

    name = "games"
    label = "games"
    verbose_name = "Games"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have `manage.py rebuild` make the rows of games again, and react to changes of accounts."""
        from games import log, selectors, services
        from games.accounts import exporting, signals
        from games.projections import GAME

        log.rebuildable(GAME)
        log.companion(services.OutageHistory())
        signals.closing.connect(services.leave_games)
        signals.calendar_changed.connect(services.follow_calendar)
        exporting.add_part("games", selectors.seats_of)
