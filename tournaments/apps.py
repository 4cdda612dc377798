"""The app of tournaments."""

from django.apps import AppConfig


class TournamentsConfig(AppConfig):
    name = "tournaments"
    verbose_name = "Tournaments"

    def ready(self) -> None:
        from core import log
        from core.accounts import exporting, signals
        from core.accounts.login import second_factor
        from core.notifications import kinds as telling
        from games.hooks import SEASONS
        from games.selectors import belonging
        from tournaments import access, selectors, services
        from tournaments.notifications import following  # noqa: F401  it follows the log
        from tournaments.notifications.kinds import KINDS, TOURNAMENT
        from tournaments.notifications.subject import Tournaments

        belonging.register(access.Tournaments())
        SEASONS.add(services.begin_season)
        log.rebuildable(services.Recoverable())
        telling.register(TOURNAMENT, Tournaments(), *KINDS)
        second_factor.organisers_are(access.runs_one)
        signals.closing.connect(services.leave_tournaments)
        signals.idle_guests.connect(services.guests_in_tournaments)
        exporting.add_part("entries", selectors.entries_of, self.get_model("Entrant"))
        exporting.add_part("organises", selectors.organised_by)
        exporting.add_part("votes", selectors.votes_of, self.get_model("Part"))
