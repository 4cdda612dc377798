"""Circles: what a seat did when the position was the same before, since the last progress (S13).

Everybody at the table saw it: without progress no card is drawn or leaves the table, so all cards that change hands are
seen, and each position since then follows from the view by taking back the moves, the last one first.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from games.bots.listing import own_player

Event = Mapping[str, Any]
"""An event of the rules: its `seat`, and in `data` the `move` and its `effects`."""

Done = tuple[object, ...]
"""A move without the suits: what kind, the rank and how many cards, or the position."""

MOST_EVENTS = 400
KEEPING = frozenset({"laid", "picked_up", "shown", "opened", "turned_round", "stalled", "settled", "turn"})
"""The effects of moves that can be taken back."""


def events_wanted(view: Mapping[str, Any]) -> int:
    """Return how many of the last events a bot needs to see: none unless the game stands still."""
    return MOST_EVENTS if view.get("stalled") else 0


def done_of(move: Mapping[str, Any]) -> Done:
    if move["move"] == "play":
        return "play", move["cards"][0][0], len(move["cards"])
    return move["move"], move.get("position")


def done_before(view: Mapping[str, Any], events: Sequence[Event]) -> Counter[Done]:
    """Return how often the seat made each move in this position since the last progress.

    `events` are the last ones of the game as everybody sees them, in their order. Two positions are the same if the
    seat holds cards of the same ranks, the pile has the same ranks, and the others hold as many cards.
    """
    me = own_player(view)["seat"]
    past = _Past(view, me)
    here, done = past.position, Counter[Done]()
    for event in reversed(events[-MOST_EVENTS:]):
        if not past.take_back(event):
            break
        if event["seat"] == me and past.position == here and event["data"]["move"]["move"] != "settle":
            done[done_of(event["data"]["move"])] += 1
    return done


class _Past:
    """The hands and the pile, going back in time."""

    def __init__(self, view: Mapping[str, Any], me: int) -> None:
        self._me = me
        self._hand = Counter(card[0] for card in view["players"][me]["hand"])
        self._pile = [card[0] for card in view["pile"]]
        self._counts = [player["hand_count"] for player in view["players"]]

    @property
    def position(self) -> tuple[object, ...]:
        return sorted(self._hand.elements()), list(self._pile), list(self._counts)

    def take_back(self, event: Event) -> bool:
        """Take an event back. Return whether that was possible: not if it made progress."""
        effects = event["data"].get("effects", ())
        if any(_is_progress(effect) for effect in effects):
            return False
        for effect in reversed(effects):
            if effect["effect"] == "laid":
                ranks = [card[0] for card in effect["cards"]]
                del self._pile[-len(ranks) :]
                self._give(effect["seat"], ranks, 1)
            elif effect["effect"] == "picked_up":
                ranks = [card[0] for card in effect["cards"]]
                self._pile[:0] = ranks
                self._give(effect["seat"], ranks, -1)
        return True

    def _give(self, seat: int, ranks: Sequence[str], sign: int) -> None:
        self._counts[seat] += sign * len(ranks)
        if seat == self._me:
            for rank in ranks:
                self._hand[rank] += sign


def _is_progress(effect: Mapping[str, Any]) -> bool:
    match effect:
        case {"effect": "laid", "face_up": [], "position": None}:
            return False
        case {"effect": "laid"}:
            return True
        case {"effect": "stalled", "count": count}:
            return bool(count == 0)
        case {"effect": name}:
            return name not in KEEPING
    raise AssertionError(f"an effect without a name: {effect}")
