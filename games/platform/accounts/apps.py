"""The Django app of accounts."""

from django.apps import AppConfig
from django.db.models import Model
from django.db.models.signals import post_delete, post_save


class AccountsConfig(AppConfig):
    """Players, tokens and calendars."""

    name = "games.platform.accounts"
    label = "accounts"
    verbose_name = "Accounts"
    default_auto_field = "django.db.models.BigAutoField"

    def ready(self) -> None:
        """Have processes forget accounts that change."""
        from games.platform.accounts.kept import kept

        def changed(instance: Model, **_: object) -> None:
            kept.forget(instance.pk)

        post_save.connect(changed, sender="accounts.Player", weak=False)
        post_delete.connect(changed, sender="accounts.Player", weak=False)
