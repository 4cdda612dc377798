"""`manage.py rotate_vault`: have all secrets encrypted by the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.platform.telling import vault
from games.platform.telling.models import Hook

COLUMNS = ("url", "secret", "old_secret")


class Command(BaseCommand):
    help = "Encrypt all secrets again by the first of TREY_VAULT_KEYS, after which the other keys can go."

    def handle(self, *args: Any, **options: Any) -> None:
        unreadable = 0
        with transaction.atomic():
            hooks = list(Hook.objects.select_for_update())
            for hook in hooks:
                try:
                    for column in COLUMNS:
                        sealed = getattr(hook, column)
                        if sealed is not None:
                            setattr(hook, column, vault.sealed_anew(sealed))
                except vault.Unreadable:
                    unreadable += 1
                    continue
                hook.save(update_fields=COLUMNS)
        if unreadable:
            raise CommandError(
                f"{len(hooks) - unreadable} webhooks are encrypted by the newest key; {unreadable} are encrypted by a "
                "key that is not among TREY_VAULT_KEYS and stay as they are. Add that key, and run this again."
            )
        self.stdout.write(f"{len(hooks)} webhooks are encrypted by the newest key")
