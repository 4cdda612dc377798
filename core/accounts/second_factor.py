"""Second factors: who has one, who must have one (AC1), and how their secrets are stored."""

from collections.abc import Callable

from allauth.mfa.models import Authenticator
from django.conf import settings

from core import vault
from core.accounts.models import Player

#: The encrypted data of an authenticator: an app's secret, and the seed of recovery codes.
SEALED = {"secret", "seed"}
STRONG = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)

#: Functions that return whether a player organises anything: accounts know no tournament.
_organises: list[Callable[[Player], bool]] = []


def organisers_are(test: Callable[[Player], bool]) -> None:
    """Register a function that says who organises something. Called in `AppConfig.ready`."""
    _organises.append(test)


def has_one(player: Player) -> bool:
    return bool(Authenticator.objects.filter(user=player, type__in=STRONG).exists())


def is_demanded(player: Player) -> bool:
    if settings.TREY_SECOND_FACTOR == "none":
        return False
    if player.is_staff or player.is_superuser:
        return True
    return settings.TREY_SECOND_FACTOR == "organisers" and any(test(player) for test in _organises)


def is_missing(player: Player) -> bool:
    return is_demanded(player) and not has_one(player)


def is_readable(row: Authenticator) -> bool:
    try:
        for name in SEALED & row.data.keys():
            vault.unseal(row.data[name])
    except vault.Unreadable:
        return False
    return True


def reseal(row: Authenticator) -> bool:
    """Encrypt the secrets of a locked row with the newest key. Returns whether there was one.

    Raises vault.Unreadable; the row stays as it was.
    """
    fresh = {name: vault.resealed(row.data[name]) for name in SEALED & row.data.keys()}
    if fresh:
        row.data = {**row.data, **fresh}
        row.save(update_fields=["data"])
    return bool(fresh)
