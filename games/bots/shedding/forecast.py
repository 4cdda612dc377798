"""A forecast of what the others are likely to do until the seat's next turn, as chances.

The pile counts only by what it asks for (`ToBeat`, or None for any card). Each opponent in turn can go on or must pick
up. One that goes on plays one of the ranks it has face up, if it has no hand, or else one of the unseen cards; each
that fits is as likely as another. So what the pile asks for wanders from opponent to opponent as in a Markov chain.
"""

from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import NamedTuple

from games.bots.shedding.table import ALL_RANKS, Opponent, Table
from games.rules.shedding.variant import ToBeat

AHEAD = 5
"""The number of opponents that are considered: with more, the first five."""

Spread = dict[ToBeat | None, float]
"""A weight for each thing that the pile may ask for."""


class Round(NamedTuple):
    """The chances for one round of turns of the others, beginning with a pile that asks for something."""

    stuck: list[float]
    """For each opponent the chance that it must pick up."""
    asked: Spread
    """The chances of what the pile will ask for when the round is over."""
    stays: float
    """The chance that the pile still lies there by then, neither picked up nor closed."""


class Forecast:
    """The rounds that may follow in one direction of play."""

    def __init__(self, table: Table, direction: int) -> None:
        self.table = table
        self.opponents = table.opponents(direction)[:AHEAD]
        self._rounds: dict[ToBeat | None, Round] = {}
        self._steps: dict[tuple[ToBeat | None, str], tuple[Spread, Spread]] = {}

    def round_from(self, beat: ToBeat | None) -> Round:
        """Return the chances for a pile that asks for `beat`."""
        if beat not in self._rounds:
            self._rounds[beat] = self._round(beat)
        return self._rounds[beat]

    def _round(self, beat: ToBeat | None) -> Round:
        asked: Spread = {beat: 1.0}
        staying: Spread = {beat: 1.0}
        stuck = []
        plays_on = self.table.rules.variant.after_pick_up
        for opponent in self.opponents:
            after: Spread = {}
            still: Spread = {}
            fails = 0.0
            for now, weight in asked.items():
                can = self._can_go_on(opponent, now)
                fails += weight * (1.0 - can)
                to, keeping = self._step(now, opponent.plays_from)
                _add(after, to, weight * can)
                if now in staying:
                    _add(still, keeping, staying[now] * can)
            _add(after, self._fresh if plays_on else {None: 1.0}, fails)
            stuck.append(fails)
            asked, staying = after, still
        return Round(stuck, asked, sum(staying.values()))

    def _can_go_on(self, opponent: Opponent, beat: ToBeat | None) -> float:
        """Return the chance that an opponent has a card to play: face-up cards are seen, hands only counted."""
        if opponent.hand_count:
            return 1.0 - (1.0 - self.table.chance(beat)) ** opponent.hand_count
        going = self.table.rules.going(beat)
        if opponent.face_up:
            return float(any(rank in going for rank in opponent.face_up))
        if not opponent.face_down:
            return 1.0
        unseen = self.table.chance(beat)
        return sum(unseen if rank is None else rank in going for rank in opponent.face_down) / len(opponent.face_down)

    def _step(self, beat: ToBeat | None, face_up: str) -> tuple[Spread, Spread]:
        """Return what the pile asks for after one opponent's turn, and the part of that in which it was not closed."""
        if (beat, face_up) not in self._steps:
            known = dict.fromkeys(sorted(face_up), 1)
            self._steps[beat, face_up] = self._wander(beat, known or self.table.unseen)
        return self._steps[beat, face_up]

    def _wander(self, beat: ToBeat | None, cards: Mapping[str, int]) -> tuple[Spread, Spread]:
        rules = self.table.rules
        below = () if beat is None else (beat.rank,)
        going = rules.going(beat)
        total = sum([count for rank, count in cards.items() if rank in going])
        if not total:
            return {None: 1.0}, {}
        after: Spread = {}
        still: Spread = {}
        for rank, count in cards.items():
            if rank not in going:
                continue
            weight = count / total
            pile = (*below, rank)
            effect = rules.outcome(pile, 1)
            if effect.bonus:
                to = self._fresh
            elif effect.closes or effect.takes_below:
                to = {None: 1.0}
            else:
                to = {rules.to_beat(pile): 1.0}
            _add(after, to, weight)
            if not effect.closes and not effect.takes_below:
                _add(still, to, weight)
        return after, still

    @cached_property
    def _fresh(self) -> Spread:
        """Return what the pile asks for after any unseen card on an empty pile."""
        rules, unseen, total = self.table.rules, self.table.unseen, self.table.unseen_total
        if not total:
            return {None: 1.0}
        fresh: Spread = {}
        for rank, count in unseen.items():
            beat = None if rules.outcome((rank,), 1).closes else rules.to_beat((rank,), 1)
            _add(fresh, {beat: 1.0}, count / total)
        return fresh


def _add(to: Spread, what: Spread, weight: float) -> None:
    for beat, share in what.items():
        to[beat] = to.get(beat, 0.0) + weight * share


def chance_to_fail(table: Table, hand: str, drawn: int, asked: Iterable[tuple[ToBeat | None, float]]) -> float:
    """Return the chance that none of the cards can be played, given what a pile asks for, with weights.

    Without a known or a drawn card it is the chance that an unseen card fails: a face-down card is flipped.
    """
    fails = 0.0
    unknown = drawn if hand or drawn else 1
    going = table.rules.going
    for beat, weight in asked:
        if beat is not None and going(beat).isdisjoint(hand):
            fails += weight * (1.0 - table.chance(beat)) ** unknown if unknown else weight
    return fails


def chance_to_go(table: Table, rank: str, asked: Iterable[tuple[ToBeat | None, float]]) -> float:
    """Return the chance that a card of the rank can be played, given what a pile asks for, with weights."""
    return sum([weight for beat, weight in asked if rank in table.rules.going(beat)])


TOPS = tuple((rank, place + 1) for place, rank in enumerate(ALL_RANKS) if rank not in "2X")
"""Ranks that lie on top of a pile, with how often: high cards lie there more often than low ones."""
