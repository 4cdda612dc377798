"""What a bot chooses, and what it remembers: what everybody at the table saw, worked out from the events.

A process keeps what is remembered of the games in which its bots moved last, so that only the events since then are
read. It never differs from what all events give, so that the bots of every process remember the same.
"""

import hmac
from collections import OrderedDict
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple
from uuid import UUID

from core import log
from games import bots
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.rules import GAMES
from games.rules.game import Game

MOST_KEPT = 1000
"""The most games of which a process keeps it: about two kilobytes each."""


class _Kept(NamedTuple):
    version: int
    digest: bytes
    """That of the last event: after a restore another event may have the same version."""
    memory: bots.Memory | None


_NOTHING = _Kept(0, b"", None)
_kept: OrderedDict[UUID, _Kept] = OrderedDict()


def choice_of(
    snapshot: Snapshot,
    index: int,
    level: str,
    *,
    pending: Sequence[log.Happened] = (),
    remembering: bool = True,
) -> dict[str, Any]:
    """The move of a bot of that level in a seat that may move, given what the seat sees; always the same.

    `pending` are the last events of the snapshot that are not in the log yet. The bot remembers what everybody saw of
    the game if it is `remembering`, and in one that stands still it sees the last events, as everybody does. Its
    randomness comes from the game's secret: with a known seed, a choice would reveal its alternatives.
    """
    rules = GAMES[snapshot.game]
    view, legal = rules.view(snapshot.state, index), rules.legal_moves(snapshot.state, index)
    seed = hmac.digest(bytes.fromhex(snapshot.secret), f"bot {index} {snapshot.version}".encode(), "sha256").hex()
    wanted = bots.events_wanted(view)
    events = _last_events(snapshot, wanted, pending) if wanted else []
    memory = memory_of(snapshot) if remembering and bots.remembers(level, rules) else None
    return bots.choose(level, rules, view, legal, seed, events=events, memory=memory)


def _last_events(snapshot: Snapshot, wanted: int, pending: Sequence[log.Happened]) -> list[bots.Event]:
    logged = snapshot.version - len(pending)
    events: list[log.Happened] = [
        *log.read(snapshot.stream, after=max(0, logged - wanted), upto=logged),
        *pending,
    ]
    return public_events(GAMES[snapshot.game], events)


def memory_of(snapshot: Snapshot) -> bots.Memory | None:
    """Return what a bot remembers of a game up to the snapshot, whose events are all in the log."""
    rules = GAMES[snapshot.game]
    kept = _kept.pop(snapshot.id, _NOTHING)
    is_later = 0 < kept.version <= snapshot.version
    events = log.read(snapshot.stream, after=kept.version - 1, upto=snapshot.version) if is_later else []
    if events and events[0].digest == kept.digest:
        del events[0]
    else:
        kept, events = _NOTHING, log.read(snapshot.stream, upto=snapshot.version)
    memory = bots.remember(rules, public_events(rules, events), kept.memory)
    _kept[snapshot.id] = _Kept(events[-1].version, events[-1].digest, memory) if events else kept
    if len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return memory


def public_events(rules: Game, events: Iterable[log.Happened]) -> list[bots.Event]:
    return [rules.redact(stored.rules_event(event), "public") for event in events if stored.is_of_rules(event)]
