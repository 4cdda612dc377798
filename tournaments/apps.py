"""The app of tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    """Tournaments, ratings and leaderboards."""

    name = "tournaments"
    verbose_name = "Tournaments"
