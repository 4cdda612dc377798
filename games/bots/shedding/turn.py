"""The search through one's own turn: each move, and after a bonus play what may follow it.

The work is bounded by a count: a decision rates at most MOST_RATED positions, whatever the hand.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from math import inf
from typing import Any, Protocol

from games.bots.circles import Event, done_before, done_of
from games.bots.listing import Listed, Move
from games.bots.shedding.memory import Memory
from games.bots.shedding.network import Networks, networks
from games.bots.shedding.position import Position
from games.bots.shedding.ratings import Chances, Points, Yielding
from games.bots.shedding.table import KnownTable, ranks
from games.rules.cards import without
from games.rules.shedding import SheddingGame
from games.rules.shedding.builtin import Variant
from games.rules.shedding.rules import ALL_RANKS, Bonus, ToBeat

MOST_RATED = 240
"""The number of positions that one decision may rate.

The first moves of a turn are always rated; the rest is searched as far as this lasts, with an equal share for each
move.
"""
DEPTH = 3
PATIENCE = 3
"""After so many pick-ups a seat without progress (S13) a bot may give way: before bots settle (S14)."""
MOST_OPPONENTS = 3
"""The most opponents in play with which the networks were trained."""
NO_POWERS = frozenset({"stalemate_after", "play_until", "decks", "direction"})
MORE = 1e-6
"""The bonus for each card of a play: of equal plays the one with more cards is made."""


def choose(
    game: SheddingGame,
    view: Mapping[str, Any],
    legal: Sequence[Listed],
    events: Sequence[Event] = (),
    memory: Memory | None = None,
    *,
    rating: "Callable[[KnownTable], Rating] | None" = None,
) -> Move:
    """Return the best rated move; the first of equals.

    In a position that has come back since the last progress (`circles`) it is the best of those that were made least
    often there: else players that defend well would pick up the same cards in turn until a stalemate (S13). If the game
    still stands still, those who do not lead give way (`yielding`). With `rating` that rates the moves in any case.
    Without `memory` nothing is known of the others' hands.
    """
    table = KnownTable(game, view, memory.hands if memory else ())
    turn = Turn(table, rating(table) if rating else rating_at(table, stalled=view["stalled"]))
    if legal[0]["move"] == "arrange":
        return turn.best_arrangement(legal[0]["from"], legal[0]["choose"])
    moves = moves_to_rate(legal)
    if done := done_before(view, events) if len(moves) > 1 else None:
        fewest = min(done[done_of(move)] for move in moves)
        moves = [move for move in moves if done[done_of(move)] == fewest]
    if len(moves) == 1:
        return moves[0]
    share = MOST_RATED // len(moves)
    return max(moves, key=lambda move: turn.rate(move, share))


def moves_to_rate(legal: Sequence[Listed]) -> list[Move]:
    """Return the moves to think of. Of equal cards it does not matter which are played."""
    return list(_moves(legal))


def _moves(legal: Sequence[Listed]) -> Iterator[Move]:
    for listed in legal:
        match listed:
            case {"move": "play", "min": least, "max": most, "cards": cards}:
                along = [*cards, *listed.get("with_face_up", [])]
                for count in _counts(most, len(along)):
                    if count >= least:
                        yield {"move": "play", "cards": along[:count]}
            case {"move": "flip", "positions": positions}:
                for position in positions:
                    yield {"move": "flip", "position": position}
            case _:
                yield dict(listed)


def _counts(held: int, with_face_up: int) -> list[int]:
    """Return how many equal cards to think of playing: a few, all, or face-up cards too."""
    return sorted({count for count in (1, 2, 3, 4, held, with_face_up) if count <= with_face_up})


class Rating(Protocol):
    """Rates positions of one seat at one table: the more, the better."""

    made: int
    """The number of positions rated so far."""

    def of(self, position: Position) -> float:
        """Return the rating of a position in which the others are to move, or of a choice of face-up cards (S2)."""


def rating_at(table: KnownTable, *, stalled: int = 0) -> Rating:
    """Return what rates best after so many pick-ups without progress: networks, points, or what gives way.

    Networks know only what they were trained with: few opponents, and cards with the powers of the default options.
    """
    opponents = table.opponents(1)
    if stalled >= PATIENCE * (1 + len(opponents)) and not table.leads:
        return Yielding(table)
    trained = trained_for(table.game.variant, table.options) if len(opponents) <= MOST_OPPONENTS else None
    return Chances(table, trained) if trained else Points(table)


def trained_for(variant: Variant, options: Mapping[str, Any]) -> Networks | None:
    """Return the networks that know what the cards can do with these options, or None if there are none."""
    usual = all(
        option.name in NO_POWERS or options.get(option.name, option.default) == option.default
        for option in variant.options
    )
    return networks(variant.name) if usual else None


class Turn:
    def __init__(self, table: KnownTable, rating: Rating) -> None:
        self.table = table
        self.rules = table.rules
        self.rating = rating
        self.last_rated = 0

    def best_arrangement(self, cards: Sequence[str], count: int) -> Move:
        best = max(combinations(cards, count), key=lambda face_up: self.rate_arrangement(cards, face_up))
        return {"move": "arrange", "face_up": list(best)}

    def rate_arrangement(self, cards: Sequence[str], face_up: Sequence[str]) -> float:
        hand = ranks(without(cards, face_up))
        return self.rating.of(self.table.position._replace(hand=hand, face_up=ranks(face_up)))

    def rate(self, move: Move, share: int) -> float:
        """Return the rating of a move, rating at most `share` positions beyond the first ones."""
        self.last_rated = self.rating.made + share
        position = self.table.position
        match move["move"]:
            case "play":
                cards = move["cards"]
                return self._after_play(position, cards[0][0], len(cards), 0) + MORE * len(cards)
            case "flip":
                card = self.table.me["face_down_cards"][move["position"]]
                return self._after_flip(position, card and card[0], 0)
            case "pick_up":
                return self._after_pick_up(position, 0)
            case "draw" if self.rules.draws == "fill":
                return inf  # TC6: a full hand has more to choose from, and it would be filled anyway
            case "draw":
                return self._after_gamble(position)
            case _:
                return self.rating.of(position.filled(self.rules))

    def _after_play(self, position: Position, rank: str, count: int, depth: int) -> float:
        return self._lay(position.without(rank, count), rank, count, depth)

    def _lay(self, position: Position, rank: str, count: int, depth: int) -> float:
        """Return the rating of putting cards on the pile that are in no zone any more."""
        pile = (*position.pile, *(rank * count))
        effect = self.rules.outcome(pile, count)
        if effect.closes:
            position = position._replace(pile=(), laid_on_empty=0)
        else:
            position = position._replace(pile=pile, laid_on_empty=position.laid_on_empty if position.pile else count)
        if effect.reversals % 2:
            position = position._replace(direction=-position.direction)
        if effect.takes_below and not effect.closes:
            position = position.with_pile(keeping=count)
        if not effect.bonus or self.rules.refills == "play" or not position.in_hand:
            position = position.filled(self.rules)
        if position.is_out or not effect.bonus:
            return self.rating.of(position)
        return self._go_on(position, effect.bonus, depth + 1)

    def _after_flip(self, position: Position, known: str | None, depth: int) -> float:
        """Return the rating of flipping a card: a known one, or each unseen one by its chance (S6)."""
        flipped = position._replace(face_down=position.face_down - 1)
        going = self.rules.going(self.rules.to_beat(position.pile, position.laid_on_empty))
        returns = self.rules.failed_flip_returns

        def fail(rank: str) -> float:
            return self._after_pick_up(position if returns else flipped._replace(hand=flipped.hand + rank), depth + 1)

        if known:
            return self._lay(flipped, known, 1, depth) if known in going else fail(known)
        total = self.table.unseen_total
        if not total:
            return self.rating.of(position)
        rating = failing = 0.0
        for rank, count in self.table.unseen.items():
            if rank in going:
                rating += count * self._lay(flipped, rank, 1, depth)
            else:
                failing += count
                if not returns:
                    rating += count * fail(rank)
        if failing and returns:
            rating += failing * fail("")
        return rating / total

    def _after_gamble(self, position: Position) -> float:
        """Return the rating of turning over the top of the stock (CA7)."""
        table = self.table
        left = position._replace(stock=position.stock - 1)
        going = self.rules.going(self.rules.to_beat(position.pile, position.laid_on_empty))
        rating = 0.0
        for rank, count in table.unseen.items():
            if rank in going:
                rating += count * self._lay(left, rank, 1, DEPTH)
            else:
                rating += count * self._after_pick_up(left._replace(hand=left.hand + rank), DEPTH)
        return rating / table.unseen_total

    def _after_pick_up(self, position: Position, depth: int) -> float:
        position = position.with_pile()
        bonus = self.rules.after_pick_up
        return self._go_on(position, bonus, depth + 1) if bonus else self.rating.of(position)

    def _go_on(self, position: Position, bonus: Bonus, depth: int) -> float:
        stop = self.rating.of(position.filled(self.rules)) if bonus == "may" else None
        if depth > DEPTH or self._is_spent:
            return self.rating.of(position) if stop is None else stop
        beat = self.rules.to_beat(position.pile, position.laid_on_empty)
        plays = list(self._plays(position, beat))
        if plays:
            rating = self._after_best(position, plays, depth)
        elif position.drawn:
            rating = self._with_a_drawn_card(position, beat, stop)
        elif position.in_hand or position.face_up or not position.face_down:
            rating = self._after_pick_up(position, depth)
        else:
            rating = self._after_flip(position, None, depth)
        return rating if stop is None else max(rating, stop)

    def _after_best(self, position: Position, plays: Iterable[tuple[str, int]], depth: int) -> float:
        best = -inf
        for rank, count in plays:
            best = max(best, self._after_play(position, rank, count, depth))
            if self._is_spent:
                break
        return best

    @property
    def _is_spent(self) -> bool:
        return self.rating.made >= self.last_rated

    def _plays(self, position: Position, beat: ToBeat | None) -> Iterator[tuple[str, int]]:
        zone = position.active
        going = self.rules.going(beat)
        merging = self.rules.merges and not position.stock and not position.drawn and position.hand
        for rank in ALL_RANKS:
            if rank in going and (held := zone.count(rank)):
                along = position.face_up.count(rank) if merging and held == len(zone) else 0
                for count in reversed(_counts(held, held + along)):
                    if count != 2 or held + along == 2:
                        yield rank, count

    def _with_a_drawn_card(self, position: Position, beat: ToBeat | None, stop: float | None) -> float:
        """Return the rating of a bonus play that may only be possible with imagined draws."""
        can = 1.0 - (1.0 - self.table.chance(beat)) ** position.drawn
        played = position._replace(drawn=position.drawn - 1, pile=(*position.pile, "8"))
        rating = self.rating.of(played.filled(self.rules))
        return can * rating + (1.0 - can) * (self.rating.of(position) if stop is None else stop)
