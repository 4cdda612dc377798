"""Rights that end, and what goes with each of them: `GOES_WITH` is the whole list.

What sees to a row is decorated: `at_once` if `ended` calls it, in the transaction that ends the right, and
`on_the_way_out` if it asks each time that something goes out whether the right still holds.
`tests/config/test_rights_that_end.py` takes each right away and looks at every row.
"""

from collections.abc import Callable, Mapping
from enum import StrEnum
from typing import Any, TypeVar

F = TypeVar("F", bound=Callable[..., Any])


class Right(StrEnum):
    ROOM = "to a room"
    """Kicked, left, replaced; the invitation renewed; made private."""
    TOURNAMENT = "to a tournament"
    """Removed, replaced, left; an organiser or staff no more; the invitation withdrawn or renewed; made private."""
    SESSION = "a session"
    TOKEN = "a token"  # noqa: S105  no secret
    APP = "an app's last token"
    PASSWORD = "a password"  # noqa: S105  no secret
    """A new one, or logged out everywhere."""
    ACCOUNT = "an account"
    """Suspended, closed."""


class What(StrEnum):
    STREAMS = "live streams"
    TEXTS = "what notifications say"
    DELIVERIES = "deliveries that wait"
    PLACES = "places in queues"
    CHANNELS = "group channels"
    PUSHES = "pushes"
    LOGINS = "sessions and tokens"
    BEGUN = "log-ins and resets that wait for a code or a password"
    LINKS = "links to a guest's account"
    WAYS_IN = "links with which a member sets a new password"
    GRANTS = "what apps were granted and have not fetched yet"
    ADDRESSES = "webhooks, chats and the calendar's address"
    PLANS = "plans"
    ROOMS = "open rooms, which do not start"


_OF_A_PLACE = (What.STREAMS, What.TEXTS, What.DELIVERIES, What.PLACES, What.CHANNELS)

GOES_WITH: Mapping[Right, tuple[What, ...]] = {
    Right.ROOM: _OF_A_PLACE,
    Right.TOURNAMENT: (*_OF_A_PLACE, What.LINKS),
    Right.SESSION: (What.STREAMS, What.PUSHES, What.LINKS, What.GRANTS),
    Right.TOKEN: (What.STREAMS, What.PUSHES, What.LINKS),
    Right.APP: (
        What.STREAMS,
        What.PUSHES,
        What.ADDRESSES,
        What.CHANNELS,
        What.PLANS,
        What.LINKS,
        What.GRANTS,
    ),
    Right.PASSWORD: (What.LOGINS, What.BEGUN, What.LINKS, What.WAYS_IN, What.GRANTS, What.ADDRESSES),
    Right.ACCOUNT: tuple(What),
}

_at_once: dict[tuple[Right, What], list[Callable[..., None]]] = {}
_on_the_way_out: dict[tuple[Right, What], Callable[..., Any]] = {}


def at_once(right: Right, what: What) -> Callable[[F], F]:
    """Decorate what `ended` calls, with the keywords that it was given."""

    def register(take: F) -> F:
        _at_once.setdefault((right, what), []).append(take)
        return take

    return register


def on_the_way_out(right: Right, *whats: What) -> Callable[[F], F]:
    """Decorate what judges whether the right still holds, whenever something goes out."""

    def register(judge: F) -> F:
        _on_the_way_out.update({(right, what): judge for what in whats})
        return judge

    return register


def ended(right: Right, **who: Any) -> None:
    """A right has ended: take along what goes at once, in the caller's transaction."""
    for what in GOES_WITH[right]:
        for take in _at_once.get((right, what), ()):
            take(**who)


def seen_to() -> set[tuple[Right, What]]:
    return {*_at_once, *_on_the_way_out}
