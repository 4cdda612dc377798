"""The built-in games: each is its document, and what no document can say (HG16)."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Any

from core.values import Value
from games.rules.cards import MAX_DECKS, MAX_SEATS
from games.rules.options import option
from games.rules.shedding.document import Document, read
from games.rules.shedding.rules import Rules, compiled

PLAY_UNTIL = (
    "first_out: the first player without cards wins, and the game ends. "
    "last_left: play goes on until one player holds cards."
)
STALEMATE = option(
    "stalemate_after",
    20,
    "The game ends after this many pick-ups without progress for each player still in.",
    least=3,
    most=100,
)


def play_until(default: str) -> Value:
    return option("play_until", default, PLAY_UNTIL, words=("first_out", "last_left"))


VALUES = {
    "stalemate_after": "end.stalemate_after",
    "play_until": "end.until",
    "direction": "direction",
    "merge_last_hand": "turn.merge",
}
"""The key of the document that has an option's value."""
CHANGES: tuple[tuple[tuple[str, ...], str, Any], ...] = (
    (("eight_plain_on_empty",), "on_empty.powerless", "8"),
    (("powerless_on_empty",), "on_empty.powerless", "all"),
    (("ten_wild",), "powers.T", ["wild", "closes"]),
    (("ten_wild", "ten_obeys_seven"), "powers.T", ["wild_up", "closes"]),
)
"""What options that are on, all of these, change in the document. Later ones win."""


@dataclass(frozen=True, slots=True, eq=False)
class Variant:
    """A built-in game. Its options change its document."""

    name: str
    summary: str
    document: Mapping[str, Any]
    order: str
    """The ranks from the lowest to the highest, as plans choose among them (PL4)."""
    options: tuple[Value, ...]
    plan_keeps: str = ""
    """The ranks that the usual plan keeps for last: those that are worth more later."""
    plans_small_hands: bool = False
    """True if the usual plan also plays from a hand that is not more than full once the stock is out."""
    pace: tuple[int, float] | None = None
    beyond: Mapping[str, Any] = field(default_factory=dict)
    """Seats and decks, where the game has more than a document can say (HG3)."""
    rulesets: Mapping[str, str] = field(
        default_factory=lambda: {"house": "The rules as written by the people who play this game."}
    )
    ruleset_defaults: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)
    spectators: bool = True
    hand_first: str = "Face-up cards can be played only once your hand is empty."
    """The reason for refusing a play of face-up cards, or of hand and face-up cards together."""
    has_calls: bool = False
    """True if players call out what happens (TC10)."""

    def document_of(self, options: Mapping[str, Any]) -> Document:
        """Return the complete document with what these options change in it."""
        document, faults = read(self.document)
        if faults:
            raise ValueError(f"{self.name}: {faults}")
        document |= self.beyond
        if "decks" in options:
            document["decks"] = [[MAX_SEATS, options["decks"]]]
        changes = [(path, options[name]) for name, path in VALUES.items() if name in options]
        changes += [(path, value) for names, path, value in CHANGES if all(map(options.get, names))]
        for path, value in changes:
            part, _, key = path.rpartition(".")
            (document[part] if part else document)[key] = value
        return document


@lru_cache(maxsize=512)
def rules_of(variant: Variant, options: tuple[tuple[str, Any], ...]) -> Rules:
    """Return the rules of a built-in game with these options; those of the last ones are kept."""
    return compiled(variant.document_of(dict(options)))


THREE_CARD = Variant(
    name="three_card",
    summary="Shed all your cards: play equal or higher, or a 2 or a 10 on anything, and play again.",
    document={
        "title": "Three Card",
        "seats": [2, 12],
        "decks": [[4, 1], [8, 2], [12, 3]],
        "opening": {"search": "3456789JQKA2T"},
        "powers": {"2": ["wild", "may_again"], "T": ["wild", "closes"]},
        "row": {"size": 4},
        "turn": {"draw": "fill", "take_up": True},
    },
    beyond={"seats": [2, MAX_SEATS], "decks": [[4 * count, count] for count in range(1, MAX_SEATS // 4 + 1)]},
    order="3456789JQKA2T",
    options=(
        STALEMATE,
        play_until("first_out"),
        option("direction", "left", "The direction of play.", words=("left", "right")),
    ),
    plan_keeps="2T",
    pace=(58, 7),
    has_calls=True,
)

TRIPP_JOKES = Variant(
    name="tripp_jokes",
    summary="Shed all your cards: three of a rank clear the pile, 3s are see-through, and a joker makes its player "
    "take the pile.",
    document={
        "title": "Tripp Jokes",
        "seats": [2, 6],
        "decks": [[3, 1], [6, 2]],
        "jokers": 2,
        "deal": {"turn_up": True},
        "opening": {"who": "dealer_right"},
        "powers": {
            "2": ["wild", "may_again"],
            "3": ["wild", "clear"],
            "T": ["wild", "free", "closes"],
            "X": ["wild", "takes"],
        },
        "row": {"size": 3, "first": True},
        "turn": {"merge": True},
    },
    order="456789JQKA23TX",
    options=(STALEMATE, play_until("first_out")),
    plan_keeps="T23X",
    pace=(121, 16),
)

THREES = Variant(
    name="threes",
    summary="Shed all your cards: play equal or higher, or lower on a 7. 8s are invisible; 10s, jokers and four of "
    "a kind clear the pile.",
    document={
        "title": "Threes",
        "seats": [2, 12],
        "decks": [[2, 1], [6, 2], [9, 3], [12, 4]],
        "jokers": 2,
        "deal": {"shown": True},
        "opening": {"search": "3456789TJQKA2X", "card": "any"},
        "powers": {
            "2": ["wild"],
            "7": ["lower"],
            "8": ["wild", "clear"],
            "T": ["closes"],
            "X": ["wild", "closes"],
        },
        "closed": {"then": "must"},
        "row": {"size": 4, "then": "must", "through": "8"},
        "turn": {"refill": "play", "after_pick_up": "must"},
        "end": {"until": "last_left"},
    },
    beyond={"seats": [2, MAX_SEATS], "decks": [[2, 1], *([3 * count, count] for count in range(2, 12))]},
    order="3456789TJQKA2X",
    rulesets={
        "2023": "The rules of the 2023 tournament: 10s are not wild, and the last hand cards are played on their own.",
        "2022": "As played in 2022: 10s are wild, the last hand cards may be played together with face-up cards, "
        "and an 8 on an empty pile is an ordinary 8.",
    },
    ruleset_defaults={"2022": {"merge_last_hand": True, "eight_plain_on_empty": True, "ten_wild": True}},
    options=(
        STALEMATE,
        play_until("last_left"),
        option(
            "decks",
            None,
            "How many decks, each with two jokers. The default is 1 for two players, 2 for three to six, "
            "and one more for every three players above that.",
            least=1,
            most=MAX_DECKS,
        ),
        option(
            "merge_last_hand",
            False,
            "The last hand cards can be played together with face-up cards of their rank.",
        ),
        option("eight_plain_on_empty", False, "An 8 played on an empty pile is an ordinary 8."),
        option("ten_wild", False, "A 10 can be played on anything."),
        option("ten_obeys_seven", False, "With ten_wild: a 10 cannot be played while a 7 asks for 7 or lower."),
        option(
            "powerless_on_empty",
            False,
            "Cards played on an empty pile have no power, only their plain value: a 10 or joker does not clear the "
            "pile, an 8 is an ordinary 8, a 7 asks for 7 or higher, and anything can be played on a joker.",
        ),
    ),
    plan_keeps="82XT",
    pace=(166, 22),
    hand_first="Face-up cards are played once your hand and the stock are empty: the last cards of your hand cannot be "
    "played together with them (TH9).",
)

CASTLE = Variant(
    name="castle",
    summary="Shed all your cards. Jacks reverse the direction; a set of four clears the pile, even out of turn.",
    document={
        "title": "Castle",
        "opening": {"search": "3456789TJQKA2", "race": True},
        "powers": {"2": ["wild", "may_again"], "T": ["wild", "closes"], "7": ["lower"], "J": ["reverses"]},
        "closed": {"then": "next"},
        "row": {"size": 4, "at_once": "next", "out_of_turn": True},
        "turn": {"draw": "gamble", "failed_flip": "returns"},
    },
    order="3456789TJQKA2",
    options=(STALEMATE, play_until("first_out")),
    plan_keeps="2T",
    plans_small_hands=True,
    pace=(76, 11),
)
