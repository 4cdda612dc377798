"""The app of rooms and games."""

from django.apps import AppConfig


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
        from games.services import moderation, talk
        from games.services.lobby import ROOMS

        log.rebuildable(GAME)
        telling.register(GAME_SUBJECT, Games(), *KINDS)
        signals.closing.connect(ROOMS.drop_given)
        signals.closing.connect(services.leave_games)
        signals.closing.connect(talk.forget_texts)
        signals.closing.connect(moderation.forget_names)
        signals.idle_guests.connect(services.guests_at_tables)
        signals.blocked.connect(services.send_out_blocked)
        signals.blocked.connect(talk.settle_all_of)
        signals.preferences_changed.connect(talk.settle_all_of)
        signals.calendar_changed.connect(services.follow_calendar)
        exporting.add_part("games", selectors.seats_of, self.get_model("Seat"), self.get_model("Game"))
        exporting.add_part("talk", talk.said_by, self.get_model("TalkMessage"), self.get_model("TalkReader"))
        exporting.add_part("moderation", moderation.about_talk, self.get_model("TalkReport"), self.get_model("Mute"))


class GamePagesConfig(AppConfig):
    """Templates and static files of games' pages; no models."""

    name = "games.pages"
    label = "game_pages"
