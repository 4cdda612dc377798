"""The app of ratings and leaderboards."""

from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    """One league for each game: its results, the ratings made from them, and the boards."""

    name = "tournaments.leaderboards"
    label = "leaderboards"
    verbose_name = "Ratings and leaderboards"

    def ready(self) -> None:
        from core import log
        from core.accounts import exporting
        from tournaments.leaderboards import profiles, projection, recording  # noqa: F401  they follow
        from tournaments.leaderboards.stream import LEAGUE

        log.rebuildable(LEAGUE)
        exporting.add_part("ratings", profiles.ratings_of)
