from django.apps import AppConfig


class TalkConfig(AppConfig):
    name = "games.talk"
    label = "talk"
    verbose_name = "Talk"
    api = "games.talk.api"
    sweeps = {"games.tasks.sweep_talks": 3600}
    limits = {
        "talk_minute": ("10/min", "messages and signs that one player sends at all tables"),
        "talk_day": ("200/day", "the same within a day"),
        "talk_day_new": ("50/day", "the same for guests, and for accounts less than a day old"),
        "report": ("20/day", "messages that one player reports"),
    }

    def ready(self) -> None:
        from core.accounts import exporting, signals
        from core.notifications import kinds as telling
        from games import hooks
        from games.notifications.kinds import RULINGS
        from games.talk import kinds, live, moderation, services
        from games.talk.models import Mute, TalkMessage, TalkReader, TalkReport

        telling.add(kinds.TALK)
        RULINGS.update(kinds.RULINGS)
        signals.closing.connect(services.forget_texts)
        signals.closing.connect(moderation.forget_names)
        signals.blocked.connect(services.settle_all_of)
        signals.preferences_changed.connect(services.settle_all_of)
        exporting.add_part("talk", services.said_by, TalkMessage, TalkReader)
        exporting.add_part("moderation", moderation.about_talk, TalkReport, Mute)
        hooks.PANELS.add(hooks.Panel("talk/panel.html", "talk/talk.js", "talk/talk.css", company=True, in_rooms=True))
        hooks.NEWS.add(live.NEWS)
