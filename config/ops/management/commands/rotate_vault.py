"""`manage.py rotate_vault`: encrypt all secrets with the newest key."""

from typing import Any

from allauth.mfa.models import Authenticator
from django.core.management.base import BaseCommand, CommandError
from django.db import transaction

from config.ops.doctor import SEALED
from core import vault
from core.accounts import second_factor


class Command(BaseCommand):
    help = "Encrypt all secrets again with the first of TREY_VAULT_KEYS, after which the other keys can be removed."

    def handle(self, *args: Any, **options: Any) -> None:
        done, unreadable = 0, 0
        with transaction.atomic():
            for model in SEALED:
                for row in model.objects.select_for_update():
                    try:
                        done += _resealed(row)
                    except vault.Unreadable:
                        unreadable += 1
        if unreadable:
            raise CommandError(
                f"{done} secrets are encrypted by the newest key; {unreadable} are encrypted by a key that is not "
                "among TREY_VAULT_KEYS and stay as they are. Add that key, and run this again."
            )
        self.stdout.write(f"{done} secrets are encrypted by the newest key")


def _resealed(row: Any) -> bool:
    """Return whether there was something to encrypt. Raises vault.Unreadable."""
    if isinstance(row, Authenticator):
        return second_factor.reseal(row)
    for column in row.SEALED:
        sealed = getattr(row, column)
        if sealed is not None:
            setattr(row, column, vault.resealed(sealed))
    row.save(update_fields=row.SEALED)
    return True
