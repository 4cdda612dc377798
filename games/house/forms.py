"""The form of house rules: a document as fields, by card and by question, and back."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, NamedTuple

from django.http import QueryDict

from core.text import whole_in
from core.values import Faults, Value, values_of
from games.rules.cards import JOKER, RANKS, rank_word
from games.rules.shedding.document import DEALER, DEFAULTS, POWERS, Document, HouseRules

NAMES = {
    "wild": "Wild",
    "wild_up": "Wild, but low if lower is asked for",
    "free": "Anything goes on it",
    "clear": "See-through",
    "lower": "Asks for lower",
    "may_again": "May play again",
    "must_again": "Must play again",
    "closes": "Closes the pile",
    "takes": "Takes the pile",
    "reverses": "Reverses",
    "skips": "Skips",
}
"""The powers on a line: what a rank does."""
_CLEAR = ("free", "may_again", "must_again", "closes")
"""Those whose names say it all."""
_GOES_ON = {"next": "the next player", "may": "the same player may", "must": "the same player must"}
MOST_DECKS = 4
"""The rows for numbers of decks; a document that has more gets one for each."""


class Asked(NamedTuple):
    """How a question of the form reads: of words what each says; of ranks that it lists them."""

    label: str
    words: Mapping[str, str] | None = None
    ranks: bool = False


QUESTIONS: Mapping[str, Asked] = {
    "title": Asked("Name of the game"),
    "about": Asked("About it, if you like"),
    "deal.hand": Asked("Cards in hand"),
    "deal.table": Asked("Cards face down, and as many face up"),
    "deal.shown": Asked("Deal the face-up cards face up at once; else everyone chooses them from the hand"),
    "deal.turn_up": Asked("Turn up a card to start the pile"),
    "jokers": Asked("Jokers in each deck"),
    "without": Asked("Ranks to leave out", ranks=True),
    "order": Asked("Order of the cards, lowest first", ranks=True),
    "opening.who": Asked(
        "Who opens?",
        {
            "lowest": "whoever holds the lowest rank",
            "dealer_left": "the player to the dealer's left",
            "dealer_right": "the player to the dealer's right",
        },
    ),
    "opening.card": Asked("With what?", {"rank": "cards of that rank", "any": "any card"}),
    "opening.race": Asked("Everyone who holds that rank may open: the first to play does"),
    "opening.search": Asked("Order in which the lowest rank is looked for", ranks=True),
    "direction": Asked("Direction of play", {"left": "clockwise", "right": "counterclockwise"}),
    "closed.then": Asked("After a card that closes the pile, who goes on?", _GOES_ON),
    "on_empty.powerless": Asked("Ranks without powers on an empty pile, or “all”", ranks=True),
    "row.size": Asked(
        "How many cards of one rank in a row close the pile?", {"": "none do", **{str(n): str(n) for n in range(3, 9)}}
    ),
    "row.then": Asked("Who goes on after a row?", _GOES_ON),
    "row.at_once": Asked("And if one play lays the whole row?", {"": "the same", **_GOES_ON}),
    "row.out_of_turn": Asked("Whoever holds what is missing may play it out of turn"),
    "row.through": Asked("Ranks that do not interrupt a row", ranks=True),
    "row.first": Asked("A row counts before the powers of its cards"),
    "turn.refill": Asked("When do you fill your hand?", {"turn": "at the end of the turn", "play": "after each play"}),
    "turn.draw": Asked(
        "Drawing cards",
        {"": "no", "fill": "you may fill your hand before you play again", "gamble": "you may gamble on the next card"},
    ),
    "turn.after_pick_up": Asked(
        "After you pick up the pile", {"next": "your turn ends", "must": "you play again, on the empty table"}
    ),
    "turn.failed_flip": Asked(
        "A face-down card that cannot be played", {"hand": "goes to your hand", "returns": "goes back, face down"}
    ),
    "turn.merge": Asked("The last cards of the hand may go together with face-up cards of their rank"),
    "turn.take_up": Asked("Once hand and stock are empty, the face-up cards become the hand"),
    "end.until": Asked(
        "How long do you play?",
        {"first_out": "until the first player is out", "last_left": "until one player is left with cards"},
    ),
    "end.stalemate_after": Asked("End the game after so many pick-ups without progress, for each player"),
}
SECTIONS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("The deal", ("deal.hand", "deal.table", "jokers"), ("deal.shown", "deal.turn_up", "without", "order")),
    (
        "The opening",
        ("opening.who",),
        ("opening.card", "opening.race", "opening.search", "direction"),
    ),
    (
        "Closing the pile",
        ("closed.then", "row.size", "row.then"),
        ("row.at_once", "row.out_of_turn", "row.through", "row.first", "on_empty.powerless"),
    ),
    (
        "The turn",
        ("turn.refill", "turn.draw"),
        ("turn.after_pick_up", "turn.failed_flip", "turn.merge", "turn.take_up"),
    ),
    ("The end", ("end.until",), ("end.stalemate_after",)),
)
"""Each with what is asked at once, and what more."""


@dataclass(frozen=True)
class Field:
    """A question as the page draws it."""

    path: str
    label: str
    kind: str
    value: Any = ""
    choices: Sequence[tuple[str, str]] = ()
    least: int | None = None
    most: int | None = None
    error: str = ""

    @property
    def id(self) -> str:
        return self.path.replace(".", "-")


@dataclass(frozen=True)
class Rank:
    """A row of the cards: a rank, and what it does."""

    code: str
    powers: Sequence[tuple[str, str, str, bool]]
    error: str = ""

    @property
    def word(self) -> str:
        return "Joker" if self.code == JOKER else rank_word(self.code)

    @property
    def said(self) -> str:
        return ", ".join(name.lower() for _, name, _, on in self.powers if on)


@dataclass(frozen=True)
class Section:
    """A question: what is asked at once, and what more, `changed` of which is not as usual."""

    title: str
    first: Sequence[Field]
    more: Sequence[Field]
    changed: int

    @property
    def is_open(self) -> bool:
        return any(field.error for field in self.more)


class RulesForm:
    """What was typed, as a document, and its faults beside the fields."""

    def __init__(self, typed: Mapping[str, Any], faults: Mapping[str, str] = {}) -> None:
        """`typed`: texts by path; of powers lists, of boxes truth values, of seats and decks lists of texts."""
        self.typed, self.faults = typed, faults

    @classmethod
    def of(cls, document: Document) -> "RulesForm":
        typed: dict[str, Any] = {path: _text(path, _at(document, path)) for path in QUESTIONS}
        if typed["row.at_once"] == typed["row.then"]:
            typed["row.at_once"] = ""
        if _ranks_in(typed["opening.search"]) == document["order"] + JOKER * bool(document["jokers"]):
            typed["opening.search"] = ""
        typed["seats"] = [str(number) for number in document["seats"]]
        typed["decks"] = [[str(number) for number in pair] for pair in document["decks"]]
        return cls(typed | {f"powers.{rank}": document["powers"].get(rank, []) for rank in RANKS + JOKER})

    @classmethod
    def sent(cls, data: QueryDict) -> "RulesForm":
        typed: dict[str, Any] = {
            path: path in data if _VALUES[path].type is bool else data.get(path, "") for path in QUESTIONS
        }
        typed["seats"] = [data.get(f"seats.{end}", "") for end in (0, 1)]
        rows = sum(name.startswith("decks.") for name in data) // 2
        typed["decks"] = [[data.get(f"decks.{n}.{part}", "") for part in (0, 1)] for n in range(min(rows, 12))]
        return cls(typed | {f"powers.{rank}": data.getlist(f"powers.{rank}") for rank in RANKS + JOKER})

    def with_faults(self, faults: Faults) -> "RulesForm":
        return RulesForm(self.typed, faults)

    def document(self) -> Document:
        """The document as it is typed, right or wrong; what is empty is left out."""
        typed = {path: said for path in QUESTIONS if (said := self._said(path)) is not None}
        if typed["opening.who"] in DEALER:
            for key in ("card", "race", "search"):
                typed.pop(f"opening.{key}", None)
        rows = [row for row in self.typed["decks"] if any(row)]
        powers = {rank: chosen for rank in RANKS + JOKER if (chosen := self.typed[f"powers.{rank}"])}
        found: Document = {
            "seats": [_number(end) for end in self.typed["seats"]],
            "decks": [[_number(part) for part in row] for row in rows],
            "powers": powers,
        }
        for path, said in typed.items():
            head, _, key = path.partition(".")
            if key:
                found.setdefault(head, {})[key] = said
            else:
                found[head] = said
        return found

    def _said(self, path: str) -> Any:
        """What a question is answered with, as the document has it; None: nothing."""
        typed, value = self.typed[path], _VALUES[path]
        if value.type is bool:
            return typed
        if value.type is int:
            return _number(typed) if typed else None
        if QUESTIONS[path].ranks:
            return self._fitted(path, typed) or (None if value.default is None or callable(value.default) else "")
        text = typed.replace("\r\n", "\n")
        return text if text or path in ("title", "about") else None

    def _fitted(self, path: str, typed: str) -> str:
        """Ranks that are put in order are those of the decks, whatever is left out, and whether there are jokers."""
        ranks, left_out = _ranks_in(typed), _ranks_in(self.typed["without"])
        if path not in ("order", "opening.search") or not ranks:
            return ranks
        has_jokers = path == "opening.search" and _number(self.typed["jokers"]) != 0
        if path == "opening.search" and not has_jokers:
            left_out += JOKER
        ranks = "".join(rank for rank in ranks if rank not in left_out)
        return ranks + JOKER * (has_jokers and JOKER not in ranks)

    # As the page draws it

    @property
    def title(self) -> Field:
        return self._field("title")

    @property
    def about(self) -> Field:
        return replace(self._field("about"), kind="long")

    @property
    def seats(self) -> Sequence[Field]:
        ends = zip(("From", "to"), self.typed["seats"], strict=True)
        return [Field(f"seats.{n}", label, "number", typed, (), 2, 12) for n, (label, typed) in enumerate(ends)]

    @property
    def decks(self) -> Sequence[tuple[Field, Field]]:
        rows = [*self.typed["decks"], *[["", ""]] * MOST_DECKS][: max(MOST_DECKS, len(self.typed["decks"]) + 1)]
        return [
            (
                Field(f"decks.{n}.0", "Players, up to", "number", most, (), 2, 12),
                Field(f"decks.{n}.1", "Decks", "number", decks, (), 1, 8),
            )
            for n, (most, decks) in enumerate(rows)
        ]

    @property
    def seats_error(self) -> str:
        return self.faults.get("seats", "")

    @property
    def decks_error(self) -> str:
        return self.faults.get("decks", "")

    @property
    def more_decks(self) -> bool:
        return len([row for row in self.typed["decks"] if any(row)]) > 1

    @property
    def ranks(self) -> Sequence[Rank]:
        return [
            Rank(
                rank,
                [
                    (power, NAMES[power], "" if power in _CLEAR else about, power in self.typed[f"powers.{rank}"])
                    for power, about in POWERS.items()
                ],
                self.faults.get(f"powers.{rank}", ""),
            )
            for rank in RANKS + JOKER
        ]

    @property
    def sections(self) -> Iterable[Section]:
        usual = RulesForm.of(DEFAULTS).typed
        for title, first, more in SECTIONS:
            fields = [self._field(path) for path in more]
            changed = sum(field.value != usual[field.path] for field in fields)
            yield Section(title, [self._field(path) for path in first], fields, changed)

    @property
    def others(self) -> Sequence[str]:
        """What is wrong and has no field of its own."""
        own = {*QUESTIONS, "seats", "decks", *(f"powers.{rank}" for rank in RANKS + JOKER)}
        return [f"{path}: {said}" if path else said for path, said in self.faults.items() if path not in own]

    def _field(self, path: str) -> Field:
        asked, value = QUESTIONS[path], _VALUES[path]
        kind = "choice" if asked.words else {bool: "check", int: "number"}.get(value.type, "text")
        choices = tuple((asked.words or {}).items())
        error = self.faults.get(path, "")
        return Field(path, asked.label, kind, self.typed[path], choices, value.least, value.most, error)


def _value_at(path: str) -> Value:
    head, _, key = path.partition(".")
    value = values_of(HouseRules)[head]
    return values_of(value.type)[key] if key else value


_VALUES = {path: _value_at(path) for path in QUESTIONS}


def _at(document: Document, path: str) -> Any:
    head, _, key = path.partition(".")
    return document[head][key] if key else document[head]


def _text(path: str, said: Any) -> Any:
    if _VALUES[path].type is bool:
        return bool(said)
    if said is None:
        return ""
    if QUESTIONS[path].ranks:
        return said if said == "all" else " ".join(map(rank_word, said))
    return str(said)


def _ranks_in(text: str) -> str:
    """Ranks as people write them: "10 J joker" are "TJX"."""
    if text.strip().lower() == "all":
        return "all"
    return re.sub(r"[\s,;.]+", "", re.sub("10", "T", re.sub("JOKERS?|★", JOKER, text.upper())))


def _number(text: str) -> Any:
    """The number that is typed; else the text, which is refused as what it is."""
    number = whole_in(text.strip())
    return text if number is None else number
