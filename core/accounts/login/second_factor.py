"""Second factors: who has one, who must have one, and how their secrets are stored."""

from collections.abc import Callable, Sequence

from allauth.mfa.models import Authenticator
from django.conf import settings
from django.db.models import QuerySet

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
    if player.acts_as_staff:
        return True
    return settings.TREY_SECOND_FACTOR == "organisers" and any(test(player) for test in _organises)


def is_missing(player: Player) -> bool:
    return is_demanded(player) and not has_one(player)


def sealed_rows() -> QuerySet[Authenticator]:
    found: QuerySet[Authenticator] = Authenticator.objects.filter(data__has_any_keys=list(SEALED)).order_by("-pk")
    return found


def recode(row: Authenticator, code: Callable[[str], str]) -> Sequence[str]:
    """See `vault.Holder`."""
    row.data |= {name: code(row.data[name]) for name in SEALED & row.data.keys()}
    return ["data"]
