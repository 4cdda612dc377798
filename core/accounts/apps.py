from django.apps import AppConfig


class AccountsConfig(AppConfig):
    name = "core.accounts"
    label = "accounts"
    verbose_name = "Accounts"

    def ready(self) -> None:
        from core import vault
        from core.accounts.login import second_factor
        from core.accounts.models import SigningKey

        vault.HOLDERS.append(vault.Holder(second_factor.sealed_rows, second_factor.recode))
        vault.hold_columns(SigningKey, "private")
        from core.accounts import mails  # noqa: F401  they listen, send, and have tasks
        from core.accounts.login import codes  # noqa: F401  they listen, send, and have tasks
        from core.accounts.pages import adapter  # noqa: F401  they listen, send, and have tasks
