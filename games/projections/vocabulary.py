"""The stored types of a game's events, and their public names.

A stored type names its owner: `game.joined` is the service's own, `shedding.played` the shedding engine's. The part
before the dot is for the log, where each type has one meaning; clients and rules know the part after it. An event may
hold a `timing` (see `timing`), which is not for clients either, and a move that a plan made is `planned`.
"""

from collections.abc import Mapping
from typing import Any

from core import log
from games.projections.timing import TIMING
from games.rules import GAMES

OPENED = "game.opened"
JOINED = "game.joined"
LEFT = "game.left"
KICKED = "game.kicked"
CHANGED = "game.changed"
CHANNELS_CHANGED = "game.channels_changed"
STARTED = "game.started"
BOT_SEATED = "game.bot_seated"
PLAYER_RETURNED = "game.player_returned"
PLAYER_REPLACED = "game.player_replaced"
TIMED_OUT = "game.timed_out"
DEADLINE_MOVED = "game.deadline_moved"
TURN_EXTENDED = "game.turn_extended"
CANCEL_AGREED = "game.cancel_agreed"
CALLED_OFF = "game.called_off"
FINISHED = "game.finished"
VOIDED = "game.voided"
RESTORED = "game.restored"


PLANNED = "planned"
"""True in the data of a move that a plan made. Only the seat sees it until the game is over (PL7)."""


def from_rules(game: str, event: Mapping[str, Any]) -> log.NewEvent:
    """The event to store for one that the rules of `game` decided."""
    return log.NewEvent(f"{GAMES[game].family}.{event['type']}", event["data"], event["seat"])


def is_of_rules(event: log.Happened) -> bool:
    """Return whether the rules decided the event, and not the service."""
    return not event.type.startswith("game.")


def name_of(event: log.Happened) -> str:
    """The event's type as clients and rules know it."""
    return event.type.partition(".")[2]


def facts_of(event: log.Happened) -> dict[str, Any]:
    """The event's data without the service's own parts: its timing, and whether it was planned."""
    return {key: value for key, value in event.data.items() if key not in (TIMING, PLANNED)}


def rules_event(event: log.Happened) -> dict[str, Any]:
    """The event as the rules know it."""
    return {"type": name_of(event), "seat": event.seat, "data": facts_of(event)}
