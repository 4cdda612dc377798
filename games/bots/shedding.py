"""The steady player of the four shedding games: sheds what is worth little, keeps what goes on anything.

It knows the rules only as the variants tell them (what a pile asks for, what a play does), so it plays each game of
the family by the same reasoning. Every move is rated in one currency, the worth of a card in hand:

- a card played is rid of, or replaced by an average one as long as there is a stock; what it was worth is lost;
- a right or duty to play again is worth the best play that then remains;
- a pile left to the next player is worth the chance that he cannot go on, times its size.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from games.bots.listing import Listed, Move, counts_of
from games.bots.seat import own_player
from games.rules import GAMES
from games.rules.cards import decks
from games.rules.shedding import SheddingGame
from games.rules.shedding.variant import Variant, goes

HAND = 3
SHED = 7.0
"""What it is worth to have one card fewer for good."""
FRESH = 5.5
"""What a card drawn from the stock is worth on average."""
OUT = 1000.0
HINDER = 0.5
"""How much of a card picked up by the next player counts for us."""
TAKEN = 5.0
"""What each card taken into one's own hand costs."""
LOOK_AHEAD = 3


def choose(view: Mapping[str, Any], legal: Sequence[Listed]) -> Move:
    """The best rated move; the first of equals."""
    return max(_rated(Table(view), legal), key=lambda rated: rated[0])[1]


def _rated(table: "Table", legal: Sequence[Listed]) -> Iterator[tuple[float, Move]]:
    for listed in legal:
        match listed["move"]:
            case "arrange":
                yield 0.0, {"move": "arrange", "face_up": table.best_to_keep(listed["from"], listed["choose"])}
            case "play":
                for move in counts_of(listed):
                    yield table.rate_play(tuple(move["cards"]), table.hand, table.pile), move
            case "flip":
                yield from table.rate_flips(listed["positions"])
            case "draw":
                yield table.rate_draw(can_play=any(other["move"] == "play" for other in legal)), dict(listed)
            case "pick_up":
                yield -TAKEN * len(table.pile), dict(listed)
            case _:
                yield table.hindrance(table.pile, table.direction), dict(listed)


def variant_of(game: str) -> Variant:
    """The differences of a shedding game; raises ValueError for another."""
    rules = GAMES[game]
    if not isinstance(rules, SheddingGame):
        raise ValueError(f"{game} is not a shedding game.")
    return rules.variant


@cache
def worth(game: str, options: tuple[tuple[str, Any], ...], rank: str) -> float:
    """How good it is to hold a card: on how much it goes, and what it does when it goes."""
    variant, settings = variant_of(game), dict(options)
    wild = variant.wild(settings)
    # High cards lie on top more often than low ones.
    tops = [(top, weight) for weight, top in enumerate("3456789TJQKA", start=2)]
    goes_on = sum(weight for top, weight in tops if goes(rank, variant.to_beat((top + "S",), settings), wild))
    value = 9.0 * goes_on / sum(weight for _, weight in tops)
    other = "4S" if rank != "4" else "5S"
    effect = variant.outcome((other, rank + "S"), 1, settings)
    if effect.takes_below:
        return value - 6.0
    return value + (3.0 if effect.closes else 0.0) + (2.0 if effect.bonus else 0.0)


@dataclass(frozen=True)
class Table:
    """A seat's view, read for playing."""

    view: Mapping[str, Any]
    me: Mapping[str, Any] = field(init=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "me", own_player(self.view))

    @property
    def variant(self) -> Variant:
        """The rules of the game that is played."""
        return variant_of(self.view["game"])

    @property
    def pile(self) -> tuple[str, ...]:
        """Bottom first."""
        return tuple(self.view["pile"])

    @property
    def direction(self) -> int:
        """1 clockwise, -1."""
        return int(self.view["direction"])

    @cached_property
    def hand(self) -> tuple[str, ...]:
        """The active zone, face-down cards apart."""
        return tuple(self.me["hand"] or self.me["face_up"])

    @cached_property
    def unseen(self) -> Counter[str]:
        """The ranks of all cards that this seat has not seen lying somewhere."""
        variant, view = self.variant, self.view
        ranks = Counter(card[0] for card in decks(variant.decks(view["seats"], view["options"]), jokers=variant.jokers))
        seen = [*view["pile"], *view["out_of_play"], *self.me["hand"]]
        for player in view["players"]:
            seen += player["face_up"]
            seen += [card for card in player["face_down_cards"] if card]
        return ranks - Counter(card[0] for card in seen)

    def worth(self, card: str) -> float:
        """What the card is worth to who holds it."""
        return worth(self.view["game"], tuple(sorted(self.view["options"].items())), card[0])

    def best_to_keep(self, cards: Sequence[str], count: int) -> list[str]:
        """The cards to lie face up: those that go on most once the stock is gone."""
        return sorted(cards, key=self.worth, reverse=True)[:count]

    def rate_play(self, cards: tuple[str, ...], hand: tuple[str, ...], pile: tuple[str, ...], depth: int = 0) -> float:
        """What a play is worth, with the plays that may follow it in the same turn."""
        options = self.view["options"]
        own_total = len(hand) + self._behind()
        left = list(hand)
        for card in cards:
            if card in left:  # a merged face-up card is not of the hand
                left.remove(card)
        if len(cards) >= own_total:
            return OUT
        lying = pile + cards
        effect = self.variant.outcome(lying, len(cards), options)
        drawn = min(max(0, HAND - len(left)), int(self.view["stock_count"]), len(cards))
        rating: float = SHED * (len(cards) - drawn) + FRESH * drawn - sum(self.worth(card) for card in cards)
        if effect.takes_below:
            rating -= TAKEN * len(pile)
            lying = cards
        if effect.closes:
            lying = ()
        direction = -self.direction if effect.reversals % 2 else self.direction
        if not effect.bonus:
            return rating + self.hindrance(lying, direction)
        follow = self._best_follow_up(tuple(left), lying, depth) if depth < LOOK_AHEAD else 0.0
        return rating + (max(0.0, follow) if effect.bonus == "may" else follow)

    def _behind(self) -> int:
        """How many cards this seat has behind its active zone."""
        face_up: list[str] = self.me["face_up"] if self.me["hand"] else []
        face_down: list[bool] = self.me["face_down"]
        return len(face_up) + sum(face_down)

    def _best_follow_up(self, hand: tuple[str, ...], pile: tuple[str, ...], depth: int) -> float:
        """The best that can be played next of the cards that are known."""
        options = self.view["options"]
        beat, wild = self.variant.to_beat(pile, options), self.variant.wild(options)
        ranks = Counter(card[0] for card in hand)
        plays = (
            tuple(card for card in hand if card[0] == rank)[:count]
            for rank, most in ranks.items()
            if goes(rank, beat, wild)
            for count in range(1, most + 1)
        )
        return max((self.rate_play(cards, hand, pile, depth + 1) for cards in plays), default=0.0)

    def rate_draw(self, *, can_play: bool) -> float:
        """What it is worth to draw: to fill the hand (TC6) it costs nothing; a card turned over (CA7) may fail."""
        if self.variant.draws == "fill":
            return OUT
        if can_play:
            return self.hindrance(("6S",), self.direction)
        # Failing costs one card more than picking up.
        return -TAKEN * (1.0 - self.chance(self.pile)) * (len(self.pile) + 1)

    def rate_flips(self, positions: Sequence[int]) -> Iterator[tuple[float, Move]]:
        """A face-down card seen before is judged by what it is (CA11), an unseen one by what it may be."""
        options = self.view["options"]
        beat, wild = self.variant.to_beat(self.pile, options), self.variant.wild(options)
        for position in positions:
            card = self.me["face_down_cards"][position]
            chance = self.chance(self.pile) if card is None else float(goes(card[0], beat, wild))
            yield SHED * chance - TAKEN * (1 - chance) * len(self.pile), {"move": "flip", "position": position}

    def chance(self, pile: tuple[str, ...]) -> float:
        """The chance that an unseen card goes on the pile."""
        options = self.view["options"]
        beat, wild = self.variant.to_beat(pile, options), self.variant.wild(options)
        total = self.unseen.total()
        return sum(count for rank, count in self.unseen.items() if goes(rank, beat, wild)) / total if total else 0.0

    def hindrance(self, pile: tuple[str, ...], direction: int) -> float:
        """What it is worth to leave this pile to the next player."""
        seats = self.view["seats"]
        around = ((self.me["seat"] + direction * step) % seats for step in range(1, seats))
        following = next((self.view["players"][seat] for seat in around if self._in_play(seat)), None)
        if following is None or not pile:
            return 0.0
        return HINDER * len(pile) * self.chance_to_fail(following, pile)

    def _in_play(self, seat: int) -> bool:
        return self.view["players"][seat]["place"] is None

    def chance_to_fail(self, player: Mapping[str, Any], pile: tuple[str, ...]) -> float:
        """The chance that a player cannot go on: face-up cards are seen, of hands only the number is known."""
        if player["hand_count"]:
            return float((1.0 - self.chance(pile)) ** player["hand_count"])
        if player["face_up"]:
            options = self.view["options"]
            beat, wild = self.variant.to_beat(pile, options), self.variant.wild(options)
            return float(not any(goes(card[0], beat, wild) for card in player["face_up"]))
        return 1.0 - self.chance(pile)
