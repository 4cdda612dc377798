"""`manage.py rotate_vault`: have all secrets encrypted by the newest key."""

from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from games.platform.telling import vault
from games.platform.telling.models import Chat, GroupChannel, Hook, PushKey, Subscription

MODELS = (Hook, Subscription, Chat, GroupChannel, PushKey)


class Command(BaseCommand):
    help = "Encrypt all secrets again by the first of TREY_VAULT_KEYS, after which the other keys can go."

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = 0, 0
        with transaction.atomic():
            for model in MODELS:
                for row in model.objects.select_for_update():
                    if _sealed_anew(row):
                        done += 1
                    else:
                        unreadable += 1
        if unreadable:
            raise CommandError(
                f"{done} addresses and keys are encrypted by the newest key; {unreadable} are encrypted by a key that "
                "is not among TREY_VAULT_KEYS and stay as they are. Add that key, and run this again."
            )
        self.stdout.write(f"{done} addresses and keys are encrypted by the newest key")


def _sealed_anew(row: Any) -> bool:
    try:
        for column in row.SEALED:
            sealed = getattr(row, column)
            if sealed is not None:
                setattr(row, column, vault.sealed_anew(sealed))
    except vault.Unreadable:
        return False
    row.save(update_fields=row.SEALED)
    return True
