"""The app of rooms and games."""

from typing import Any

from django.apps import AppConfig
from django.core.management import call_command
from django.db.models.signals import post_migrate


class GamesConfig(AppConfig):
    name = "games"
    label = "games"
    verbose_name = "Games"

    def ready(self) -> None:
        from core import log
        from core.accounts import exporting, signals
        from core.notifications import kinds as telling
        from games import selectors, services
        from games.notifications import following  # noqa: F401  it follows the log
        from games.notifications.kinds import GAME as GAME_SUBJECT
        from games.notifications.kinds import KINDS
        from games.notifications.subject import Games
        from games.projections import GAME
        from games.selectors import people

        log.rebuildable(GAME)
        post_migrate.connect(make_rows_again, sender=self)
        telling.register(GAME_SUBJECT, Games(), *KINDS)
        signals.closing.connect(services.leave_games)
        signals.idle_guests.connect(services.guests_at_tables)
        signals.blocked.connect(services.send_out_blocked)
        signals.calendar_changed.connect(services.follow_calendar)
        exporting.add_part("games", selectors.seats_of, self.get_model("Seat"), self.get_model("Game"))
        exporting.add_part("people", people.exported_people)


def make_rows_again(plan: Any = (), verbosity: int = 1, **_: Any) -> None:
    """After a migration, make the rows again that it has outdated."""
    if plan:
        call_command("rebuild", running=True, verbosity=verbosity)


class GamePagesConfig(AppConfig):
    """Templates and static files of games' pages; no models."""

    name = "games.pages"
    label = "game_pages"
