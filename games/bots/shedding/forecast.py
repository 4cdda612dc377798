"""A forecast of what the others are likely to do until the seat's next turn, as chances.

The pile counts only by what it asks for (`ToBeat`, or None for any card). Each opponent in turn can go on or must pick
up. One that goes on plays one of the ranks that fit: each that it is known to have is as likely as another, and one
that it may have counts by the chance that it has it. So what the pile asks for wanders from opponent to opponent as in
a Markov chain.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from typing import NamedTuple

from games.bots.shedding.table import KnownTable, Opponent
from games.rules.shedding.rules import ALL_RANKS, ToBeat

AHEAD = 5
"""The number of opponents that are considered: with more, the first five."""

Spread = dict[ToBeat | None, float]
"""A weight for each thing that the pile may ask for."""


class Round(NamedTuple):
    """The chances for one round of turns of the others, beginning with a pile that asks for something."""

    stuck: list[float]
    asked: Spread
    """The chances of what the pile will ask for when the round is over."""
    stays: float
    """The chance that the pile still lies there by then, neither picked up nor closed."""


class Step(NamedTuple):
    can: float
    after: Spread
    """What the pile asks for after its turn if it can."""
    still: Spread
    """The part of that in which the pile was not closed."""


class Other:
    def __init__(self, table: KnownTable, opponent: Opponent) -> None:
        self.opponent = opponent
        self._table = table
        self._unknown = Counter(opponent.hand.cannot)
        self.maybe = self._maybe()
        """For each rank the chance that an unknown card of its hand is of it."""
        self._plays = self._chances_to_play()
        self.fresh = self._fresh()
        """What the pile asks for after any of its cards on an empty pile."""
        self._steps: dict[ToBeat | None, Step] = {}

    def _maybe(self) -> dict[str, float]:
        unseen, maybe = self._table.unseen, dict.fromkeys(ALL_RANKS, 0.0)
        for cannot, number in self._unknown.items():
            can = {rank: count for rank, count in unseen.items() if rank not in cannot}
            total = sum(can.values())
            for rank, count in can.items():
                maybe[rank] += number * count / total
        return {rank: min(1.0, chance) for rank, chance in maybe.items() if chance}

    def _chances_to_play(self) -> Mapping[str, float]:
        opponent = self.opponent
        if opponent.hand_count:
            known = opponent.hand.known
            return self.maybe | {rank: 1.0 for rank in ALL_RANKS if rank in known}
        if opponent.face_up:
            return {rank: 1.0 for rank in ALL_RANKS if rank in opponent.face_up}
        return self._table.unseen

    def _fresh(self) -> Spread:
        rules, total = self._table.rules, sum(self._plays.values())
        if not total:
            return {None: 1.0}
        fresh: Spread = {}
        for rank, weight in self._plays.items():
            beat = None if rules.outcome((rank,), 1).closes else rules.to_beat((rank,), 1)
            fresh[beat] = fresh.get(beat, 0.0) + weight / total
        return fresh

    def step(self, beat: ToBeat | None) -> Step:
        if beat not in self._steps:
            self._steps[beat] = Step(self._can_go_on(beat), *self._wander(beat))
        return self._steps[beat]

    def _can_go_on(self, beat: ToBeat | None) -> float:
        opponent, going = self.opponent, self._table.rules.going(beat)
        if opponent.hand_count:
            if not going.isdisjoint(opponent.hand.known):
                return 1.0
            fails = 1.0
            for cannot, number in self._unknown.items():
                fails *= (1.0 - self._table.chance(beat, cannot)) ** number
            return 1.0 - fails
        if opponent.face_up:
            return float(not going.isdisjoint(opponent.face_up))
        if not opponent.face_down:
            return 1.0
        unseen = self._table.chance(beat)
        return sum(unseen if rank is None else rank in going for rank in opponent.face_down) / len(opponent.face_down)

    def _wander(self, beat: ToBeat | None) -> tuple[Spread, Spread]:
        rules = self._table.rules
        below = () if beat is None else (beat.rank,)
        going = rules.going(beat)
        plays = [(rank, weight) for rank, weight in self._plays.items() if rank in going and weight]
        total = sum([weight for _, weight in plays])
        if not total:
            return {None: 1.0}, {}
        after: Spread = {}
        still: Spread = {}
        for rank, weight in plays:
            pile = (*below, rank)
            effect = rules.outcome(pile, 1)
            if effect.bonus:
                to = self.fresh
            elif effect.closes or effect.takes_below:
                to = {None: 1.0}
            else:
                to = {rules.to_beat(pile): 1.0}
            _add(after, to, weight / total)
            if not effect.closes and not effect.takes_below:
                _add(still, to, weight / total)
        return after, still


class Forecast:
    """The rounds that may follow in one direction of play."""

    def __init__(self, table: KnownTable, direction: int) -> None:
        self.table = table
        self.opponents = table.opponents(direction)[:AHEAD]
        self.others = [Other(table, opponent) for opponent in self.opponents]
        self._rounds: dict[ToBeat | None, Round] = {}

    def round_from(self, beat: ToBeat | None) -> Round:
        if beat not in self._rounds:
            self._rounds[beat] = self._round(beat)
        return self._rounds[beat]

    def _round(self, beat: ToBeat | None) -> Round:
        asked: Spread = {beat: 1.0}
        staying: Spread = {beat: 1.0}
        stuck = []
        plays_on = self.table.rules.after_pick_up
        for other in self.others:
            after: Spread = {}
            still: Spread = {}
            fails = 0.0
            for now, weight in asked.items():
                step = other.step(now)
                fails += weight * (1.0 - step.can)
                _add(after, step.after, weight * step.can)
                if now in staying:
                    _add(still, step.still, staying[now] * step.can)
            _add(after, other.fresh if plays_on else {None: 1.0}, fails)
            stuck.append(fails)
            asked, staying = after, still
        return Round(stuck, asked, sum(staying.values()))


def _add(to: Spread, what: Spread, weight: float) -> None:
    for beat, share in what.items():
        to[beat] = to.get(beat, 0.0) + weight * share


def chance_to_fail(table: KnownTable, hand: str, drawn: int, asked: Iterable[tuple[ToBeat | None, float]]) -> float:
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


def chance_to_go(table: KnownTable, rank: str, asked: Iterable[tuple[ToBeat | None, float]]) -> float:
    return sum([weight for beat, weight in asked if rank in table.rules.going(beat)])


TOPS = tuple((rank, place + 1) for place, rank in enumerate(ALL_RANKS) if rank not in "2X")
"""Ranks that lie on top of a pile, with how often: high cards lie there more often than low ones."""
