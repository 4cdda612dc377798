"""The Django app of notifications."""

from django.apps import AppConfig


class TellingConfig(AppConfig):
    """Notifications, their settings and their channels."""

    name = "core.notifications"
    label = "notifications"
    verbose_name = "Notifications"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register the errands and chores, what accounts export, and this room's own kind."""
        from core import log
        from core.accounts import exporting, signals
        from core.notifications import chat, exports, groups, hooks, mailing, push, services  # noqa: F401

        signals.secured.connect(services.tell_of_security)
        exporting.add_part("notifications", exports.notifications_of)
        exporting.add_part("webhooks", exports.hooks_of)
        exporting.add_part("push", exports.subscriptions_of)
        exporting.add_part("chat", exports.chats_of)
        exporting.add_part("channels", exports.channels_of)
        # Without what was about to be sent: it would come late, and perhaps twice. Browsers go with their sessions.
        carried = "Inbox Notification Hook PushKey Chat GroupChannel Seen Watching"
        for model in map(self.get_model, carried.split()):
            log.companion(log.Table(model))
