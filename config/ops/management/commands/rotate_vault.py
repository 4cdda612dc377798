from typing import Any

from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from core import vault


class Command(BaseCommand):
    help = "Re-encrypt all secrets with the first of TREY_VAULT_KEYS. Afterwards the other keys can be removed."

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = 0, 0
        with transaction.atomic():
            for holder in vault.HOLDERS:
                for row in holder.rows().select_for_update():
                    try:
                        row.save(update_fields=holder.recode(row, vault.resealed))
                        done += 1
                    except vault.Unreadable:
                        unreadable += 1
        if unreadable:
            raise CommandError(
                f"{done} secrets are encrypted by the newest key; {unreadable} are encrypted by a key that is not "
                "among TREY_VAULT_KEYS and stay as they are. Add that key, and run this again."
            )
        self.stdout.write(f"{done} secrets are encrypted by the newest key")
