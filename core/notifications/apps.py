from functools import partial
from typing import Any

from django.apps import AppConfig


class NotificationsConfig(AppConfig):
    name = "core.notifications"
    label = "notifications"
    verbose_name = "Notifications"

    def ready(self) -> None:
        from core import vault
        from core.accounts import exporting, signals
        from core.notifications import mail, models, push, selectors, senders, services  # noqa: F401  they send

        signals.secured.connect(services.tell_of_security)
        exporting.add_part("notifications", selectors.exported_notifications, models.Notification)
        for part, model in selectors.ENDPOINTS.items():
            exporting.add_part(part, partial(selectors.exported_endpoints, model), model)
        exporting.add_part("calendar_address", selectors.exported_calendar, models.Calendar)
        for name in ("Hook", "Subscription", "Chat", "PushKey"):
            sealed: Any = self.get_model(name)
            vault.hold_columns(sealed, *sealed.SEALED)
