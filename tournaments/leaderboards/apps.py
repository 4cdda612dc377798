from django.apps import AppConfig


class LeaguesConfig(AppConfig):
    name = "tournaments.leaderboards"
    label = "leaderboards"
    verbose_name = "Ratings and leaderboards"
    api = "tournaments.leaderboards.api"
    pages = "tournaments.leaderboards.pages"
    sweeps = {"leaderboards.sweep": 60}

    def ready(self) -> None:
        from core import log
        from core.accounts import exporting
        from tournaments.hooks import RATINGS
        from tournaments.leaderboards import profiles, projection, store, stream  # noqa: F401  they follow
        from tournaments.leaderboards.stream import LEAGUE

        log.rebuildable(LEAGUE)
        RATINGS.add(store.ratings_in)
        exporting.add_part("ratings", profiles.ratings_of, *self.get_models())
