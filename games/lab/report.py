"""What the lab prints: JSON, CSV and a table in words."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from games.lab.counting import Counted
from games.lab.estimates import Estimate, Figures, as_json, differences, figures, names_of
from games.lab.playing import Side
from games.lab.words import in_words, label_of, order, sentences

FORMAT = "trey-lab/1"


def ruled(side: Side) -> str:
    """Return a side's rules as options of the command: its ruleset, and the options that are not its defaults."""
    if side.rules.digest:
        return side.rules.title
    return ", ".join([side.ruleset, *(f"{name}={_said(value)}" for name, value in unusual(side).items())])


def unusual(side: Side) -> dict[str, Any]:
    """Return the options that are not the defaults of a side's ruleset."""
    _, usual = side.rules.complete_options(side.seats, side.ruleset, {})
    return {name: value for name, value in side.options.items() if value != usual[name]}


def _said(value: object) -> str:
    return str(value).lower() if isinstance(value, bool) else str(value)


@dataclass(frozen=True)
class Report:
    """The figures of one side or more, and of two sides the difference."""

    sides: Sequence[tuple[Side, Figures]]
    difference: Figures | None
    games: int
    seed: str | None
    bots: Sequence[str] | None

    @property
    def game(self) -> str:
        return self.sides[0][0].game

    @property
    def title(self) -> str:
        return self.sides[0][0].rules.title

    @property
    def seats(self) -> int | None:
        """The number of seats, if it is the same on all sides."""
        seats = {side.seats for side, _ in self.sides}
        return seats.pop() if len(seats) == 1 else None

    def as_json(self) -> str:
        return json.dumps(self.document(), indent=1) + "\n"

    def document(self) -> dict[str, Any]:
        return {
            "format": FORMAT,
            "game": self.game,
            "seats": self.seats,
            "games": self.games,
            "seed": self.seed,
            "bots": None if self.bots is None else list(self.bots),
            "sides": [
                {"ruleset": side.ruleset, "options": dict(side.options), "seats": side.seats, "figures": as_json(found)}
                for side, found in self.sides
            ],
            "difference": None if self.difference is None else as_json(self.difference),
        }

    def as_csv(self) -> str:
        """Return a line for each side and figure; those of the difference have "difference" for a side."""
        text = io.StringIO()
        lines = csv.writer(text, lineterminator="\n")
        lines.writerow(("side", "rules", "figure", "kind", "value", "low", "high", "games", "median", "p90"))
        shown = [(str(number), ruled(side), found) for number, (side, found) in enumerate(self.sides, 1)]
        if self.difference is not None:
            shown.append(("difference", "", self.difference))
        for number, rules, found in shown:
            for name, estimate in found.items():
                cells = (estimate.value, estimate.low, estimate.high, estimate.games, estimate.median, estimate.p90)
                lines.writerow((number, rules, name, estimate.kind, *cells))
        return text.getvalue()

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> "Report":
        """Return the report that a document is of."""
        sides = [
            (Side(document["game"], one["seats"], one["ruleset"], one["options"]), _read(one["figures"]))
            for one in document["sides"]
        ]
        difference = None if document["difference"] is None else _read(document["difference"])
        return cls(sides, difference, document["games"], document["seed"], document["bots"])

    def sentences(self) -> list[str]:
        """Return what differs on the second side, in two sentences at most. The report must be of two sides."""
        (side, first), (_, second) = self.sides
        return sentences(self.games, side.seats, first, second, self.difference or {})

    @property
    def heading(self) -> str:
        """The game, the seats, the number of games and the players, in a line."""
        parts = [self.title]
        parts += [f"{self.seats} seats"] if self.seats else []
        parts += [f"{self.games:,} games" if self.difference is None else f"{self.games:,} pairs of games"]
        parts += [players_of(self.bots)] if self.bots else []
        return ", ".join(parts)

    def table(self) -> str:
        """Return the figures in columns, a side each; a star marks a difference whose interval does not hold 0."""
        names = list(dict.fromkeys(name for _, found in self.sides for name in found))
        columns = [[ruled(side), *(_cell(name, found) for name in names)] for side, found in self.sides]
        if self.difference is not None:
            differing = self.difference
            columns.append(["Difference", *(_cell(name, differing, signed=True) for name in names)])
        columns.insert(0, ["", *(label_of(name, self.seats) for name in names)])
        widths = [max(map(len, column)) for column in columns]
        lines = [
            "  ".join([first.ljust(widths[0]), *map(str.rjust, others, widths[1:])])
            for first, *others in zip(*columns, strict=True)
        ]
        note = [] if self.difference is None else ["* Significant: the 95 % interval excludes 0."]
        return "\n".join([self.heading, "", *lines, *note]) + "\n"


def report(
    sides: Sequence[tuple[Side, Sequence[Counted]]],
    pairs: Sequence[tuple[Counted, Counted]] | None,
    *,
    seed: str | None,
    bots: Sequence[str] | None,
) -> Report:
    """Return the report of counted games. With `pairs`, those of the same number on two sides, it has a difference."""
    names = names_of([games for _, games in sides], order)
    return Report(
        [(side, figures(games, names)) for side, games in sides],
        None if pairs is None else differences(pairs, names),
        len(sides[0][1]) if pairs is None else len(pairs),
        seed,
        bots,
    )


def players_of(bots: Sequence[str]) -> str:
    """Return the players in words: "plain players", or who sits with whom."""
    return f"{bots[0]} players" if len(set(bots)) == 1 else f"players {', '.join(bots)}"


def _read(figures: Mapping[str, Any]) -> Figures:
    return {name: Estimate(**figures[name]) for name in sorted(figures, key=order)}


def _cell(name: str, found: Figures, *, signed: bool = False) -> str:
    estimate = found.get(name)
    if estimate is None:
        return "-"
    low, high = estimate.low, estimate.high
    text = in_words(name, estimate.value, signed=signed)
    if low is not None and high is not None:
        text += f" ({in_words(name, low, signed=signed)} to {in_words(name, high, signed=signed)})"
    return text + " *" * (signed and estimate.is_apart)
