"""A second factor: who has one, and of whom the operator demands one (AC1)."""

from __future__ import annotations

from collections.abc import Callable

from allauth.mfa.models import Authenticator
from django.conf import settings

from games.platform.accounts.models import Player

STRONG = (Authenticator.Type.TOTP, Authenticator.Type.WEBAUTHN)

#: Whether somebody organises anything: accounts know no tournament.
_organises: list[Callable[[Player], bool]] = []


def organisers_are(test: Callable[[Player], bool]) -> None:
    """Say who organises. Called in `AppConfig.ready`."""
    _organises.append(test)


def has_one(player: Player) -> bool:
    """Whether the account asks for more than its password."""
    return bool(Authenticator.objects.filter(user=player, type__in=STRONG).exists())


def is_demanded(player: Player) -> bool:
    """Whether the operator demands one of this account (`TREY_SECOND_FACTOR`)."""
    if settings.TREY_SECOND_FACTOR == "none":
        return False
    if player.is_staff or player.is_superuser:
        return True
    return settings.TREY_SECOND_FACTOR == "organisers" and any(test(player) for test in _organises)


def is_missing(player: Player) -> bool:
    """Whether one is demanded that the account has not."""
    return is_demanded(player) and not has_one(player)
