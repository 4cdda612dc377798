"""The app of tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, ratings and leaderboards."""

    name = "tournaments"
    verbose_name = "Tournaments"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Follow the games, own some of them, be rebuilt with them, and react to accounts that are closed."""
        from games import belonging
        from games.platform import log
        from games.platform.accounts import exporting, signals
        from tournaments import selectors, services, telling  # noqa: F401  it follows the log
        from tournaments.belonging import Tournaments

        belonging.register(Tournaments())
        log.rebuildable(services.Recoverable())
        log.companion(services.RunnersList())
        signals.closing.connect(services.leave_tournaments)
        signals.idle_guests.connect(services.guests_in_tournaments)
        exporting.add_part("entries", selectors.entries_of)
        exporting.add_part("organises", selectors.organised_by)
        exporting.add_part("votes", selectors.votes_of)
