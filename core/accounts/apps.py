"""The Django app of accounts."""

from typing import Any

from django.apps import AppConfig
from django.db.models import Model
from django.db.models.signals import post_delete, post_save


class AccountsConfig(AppConfig):
    """Players, tokens and calendars."""

    name = "core.accounts"
    label = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Register receivers, errands, and the accounts' part of an export; have allauth use the service's clock."""
        from core.accounts import companions, kept

        def changed(instance: Model, **_: object) -> None:
            kept.kept.forget(instance.pk)

        post_save.connect(changed, sender="accounts.Player", weak=False)
        post_delete.connect(changed, sender="accounts.Player", weak=False)
        companions.register()
        self._follow_allauth()

    @staticmethod
    def _follow_allauth() -> None:
        from types import SimpleNamespace

        from allauth.account.internal.flows import code_verification, login, password_reset_by_code, reauthentication

        from core import clock
        from core.accounts import codes, mails  # noqa: F401  they register their errands
        from core.accounts.pages import following  # noqa: F401  it listens

        ours: Any = SimpleNamespace(time=lambda: clock.now().timestamp())
        for flow in (code_verification, login, password_reset_by_code, reauthentication):
            flow.time = ours
