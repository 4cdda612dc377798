"""The form of house rules: a document as fields, by card and by question, and back."""

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict

from core.text import whole_in
from core.values import Faults, Value, values_of
from games.rules.cards import JOKER, RANKS, rank_word
from games.rules.shedding.document import DEALER, DEFAULTS, POWERS, Document, HouseRules

MOST_DECKS = 4
"""The rows for numbers of decks; a document that has more gets one for each."""
SECTIONS: Sequence[tuple[str, Sequence[str], Sequence[str]]] = (
    ("The deal", ("deal.hand", "deal.table", "jokers"), ("deal.shown", "deal.turn_up", "without", "order")),
    (
        "The opening",
        ("opening.who",),
        ("opening.card", "opening.race", "opening.search", "direction"),
    ),
    (
        "Clearing the pile",
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
ASKED = ("title", "about", *(path for _, first, more in SECTIONS for path in (*first, *more)))
POWERS_OF = {f"powers.{rank}": rank for rank in RANKS + JOKER}


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
    error: str

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

    def __init__(self, typed: Mapping[str, Any]) -> None:
        """`typed`: texts by path; of powers lists, of boxes truth values, of seats and decks lists of texts."""
        self.typed, self.faults = typed, Faults()

    @classmethod
    def of(cls, document: Document) -> "RulesForm":
        typed: dict[str, Any] = {path: _text(_VALUES[path], _at(document, path)) for path in ASKED}
        if typed["row.at_once"] == typed["row.then"]:
            typed["row.at_once"] = ""
        if _ranks_in(typed["opening.search"]) == document["order"] + JOKER * bool(document["jokers"]):
            typed["opening.search"] = ""
        typed["seats"] = [str(number) for number in document["seats"]]
        typed["decks"] = [[str(number) for number in pair] for pair in document["decks"]]
        return cls(typed | {path: document["powers"].get(rank, []) for path, rank in POWERS_OF.items()})

    @classmethod
    def sent(cls, data: QueryDict) -> "RulesForm":
        typed: dict[str, Any] = {
            path: path in data if value.type is bool else data.get(path, "") for path, value in _VALUES.items()
        }
        typed["seats"] = [data.get(f"seats.{end}", "") for end in (0, 1)]
        rows = sum(name.startswith("decks.") for name in data) // 2
        typed["decks"] = [[data.get(f"decks.{n}.{part}", "") for part in (0, 1)] for n in range(min(rows, 12))]
        return cls(typed | {path: data.getlist(path) for path in POWERS_OF})

    def document(self) -> Document:
        """The document as it is typed, right or wrong; what is empty is left out."""
        typed = {path: said for path in ASKED if (said := self._said(path)) is not None}
        if typed.get("opening.who") in DEALER:
            for key in ("card", "race", "search"):
                typed.pop(f"opening.{key}", None)
        found: Document = {
            "seats": [_number(end) for end in self.typed["seats"]],
            "decks": [[_number(part) for part in row] for row in self.typed["decks"] if any(row)],
            "powers": {rank: chosen for path, rank in POWERS_OF.items() if (chosen := self.typed[path])},
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
        if _is_ranks(value):
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
    def more_decks(self) -> bool:
        return len([row for row in self.typed["decks"] if any(row)]) > 1 or "decks" in self.faults

    @property
    def ranks(self) -> Sequence[Rank]:
        return [
            Rank(
                rank,
                [(power, name, about, power in self.typed[path]) for power, (name, about) in POWERS.items()],
                self.faults.get(path, ""),
            )
            for path, rank in POWERS_OF.items()
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
        own = {*ASKED, "seats", "decks", *POWERS_OF}
        return [f"{path}: {said}" if path else said for path, said in self.faults.items() if path not in own]

    def _field(self, path: str) -> Field:
        value = _VALUES[path]
        kind = "choice" if value.words else {bool: "check", int: "number"}.get(value.type, "text")
        empty = [("", value.empty)] if value.empty else []
        words = value.words if isinstance(value.words, Mapping) else {word: word for word in value.words or ()}
        choices = [*empty, *((str(word), str(said)) for word, said in words.items())]
        error = self.faults.get(path, "")
        return Field(path, value.label or "", kind, self.typed[path], choices, value.least, value.most, error)


def _value_at(path: str) -> Value:
    head, _, key = path.partition(".")
    value = values_of(HouseRules)[head]
    return values_of(value.type)[key] if key else value


_VALUES = {path: _value_at(path) for path in ASKED}


def _is_ranks(value: Value) -> bool:
    # Only they keep the white space around them, as a fault.
    return value.exact


def _at(document: Document, path: str) -> Any:
    head, _, key = path.partition(".")
    return document[head][key] if key else document[head]


def _text(value: Value, said: Any) -> Any:
    if value.type is bool:
        return bool(said)
    if said is None:
        return ""
    if _is_ranks(value):
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
