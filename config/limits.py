"""How often and how many: the usual limits, which `TREY_LIMITS="moves=240/min,games_per_player=20"` changes.

A feature declares its own in its AppConfig: `limits`, with the fields of a Limit by name.
"""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django.utils.module_loading import import_string

from config.environment import StartupError

_SECONDS = {"s": 1, "min": 60, "h": 3600, "day": 86400}


class Limit(NamedTuple):
    """A rate such as 600/min, or a number. One without `most` may be none; outside production nobody reaches it."""

    usual: str
    meaning: str
    least: int = 1
    most: int | None = None


_OURS = {
    "sign_ups": Limit("600/h", "sign-ups from one address; for IPv6, from one network of 64 bits"),
    "logins": Limit(
        "300/min",
        "log-ins from one address, over the API and at `/accounts/` together, where every form that is sent counts; "
        "apps that fetch their tokens count, too",
    ),
    "login_name": Limit(
        "20/min",
        "log-ins to one account from anywhere, in any spelling of its name, and as many by its mail address. An "
        "address or a browser from which its owner has logged in within the last 180 days has a separate limit of the "
        "same size, and so do attempts to give the old password with a token or a session: guessing at a name locks "
        "nobody out",
    ),
    "code": Limit(
        "10/h",
        "codes mailed to one address or for one account, and tries of its second factor: from anywhere, and from each "
        "place where its owner has logged in before",
    ),
    "device_codes": Limit(
        "60/h", "programs without a browser that begin to log in, from one address ([apps.md](apps.md))"
    ),
    "moves": Limit(
        "600/min", "moves that one player sends, refused ones included, and plans that the player keeps or tries"
    ),
    "invite": Limit("60/h", "invitations of one player to rooms"),
    "calendar": Limit("30/h", "changes of one player's calendar: each can be an event in every running game of theirs"),
    "test": Limit("30/h", "one player's tests of chat addresses and channels"),
    "replay": Limit("10/h", "replays of one player's webhooks"),
    "exports": Limit("10/h", "exports of one account, and of its results, together"),
    "tells": Limit(
        "120",
        "notifications an hour that the acts of one player cause for others: invitations, changed rooms and the like. "
        "Beyond it they are listed, and sent nowhere",
    ),
    "games_per_player": Limit(
        "100",
        "open rooms and running games that one player has opened. A tournament's tables have no opener and do not "
        "count (LI6)",
    ),
    "bots_per_player": Limit("64", "bots in them"),
    "rooms_per_game": Limit("none", "open rooms and running games of each game"),
    "min_turn": Limit("30", "seconds: the shortest time for a turn that a game may have", most=86400),
    "tournaments_per_organiser": Limit(
        "20", "unfinished tournaments that one player has set up; 0: only staff set up tournaments", least=0, most=10**6
    ),
    "tournament_entrants": Limit("5000", "entrants of a tournament", least=2, most=100_000),
    "tournament_bots": Limit("128", "bots among them", least=0, most=10_000),
}


def declared(features: Iterable[str]) -> dict[str, Limit]:
    """All limits by name: Trey's, and those of the features (dotted names of their AppConfigs)."""
    found = dict(_OURS)
    for feature in features:
        found |= {name: Limit(*fields) for name, fields in getattr(import_string(feature), "limits", {}).items()}
    return found


def read(limits: Mapping[str, Limit], changes: Iterable[str], *, production: bool) -> dict[str, Any]:
    """Each limit as (count, seconds), as a number, or as None. Raises StartupError."""
    texts = {
        name: limit.usual if production or limit.most is not None else _high(limit) for name, limit in limits.items()
    }
    for change in changes:
        name, is_given, value = (part.strip() for part in change.partition("="))
        if not is_given:
            raise StartupError(f"TREY_LIMITS must look like moves=240/min,games_per_player=20, not {change!r}.")
        if name not in limits:
            raise StartupError(f"TREY_LIMITS has no limit {name!r}; there are {', '.join(sorted(limits))}.")
        texts[name] = value
    return {name: _read(name, limits[name], value) for name, value in texts.items()}


def shown(limit: tuple[int, int] | int | None) -> str:
    """A limit as it is written in TREY_LIMITS."""
    if isinstance(limit, tuple):
        return f"{limit[0]}/{next(unit for unit, seconds in _SECONDS.items() if seconds == limit[1])}"
    return "none" if limit is None else str(limit)


def _high(limit: Limit) -> str:
    _, is_rate, unit = limit.usual.partition("/")
    return f"100000/{unit}" if is_rate else "none"


def _read(name: str, limit: Limit, value: str) -> tuple[int, int] | int | None:
    if value == "none" and limit.most is None:
        return None
    number, is_rate, unit = value.partition("/")
    usual = "/" in limit.usual
    is_number = number.isascii() and number.isdecimal() and limit.least <= int(number) <= (limit.most or 10**9)
    if is_number and bool(is_rate) == usual and (not usual or unit in _SECONDS):
        return (int(number), _SECONDS[unit]) if usual else int(number)
    form = f"a rate such as {limit.usual} (units s, min, h, day)" if usual else f"a number from {limit.least}"
    most = " or none" if limit.most is None else f" to {limit.most}"
    raise StartupError(f"TREY_LIMITS: {name} must be {form}{most}, not {value!r}.")
