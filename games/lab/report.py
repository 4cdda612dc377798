"""What the lab prints: JSON, CSV and a table in words (LB10)."""

import csv
import io
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from games.lab.counting import Counted
from games.lab.estimates import SHARES, Figures, Number, as_json, differences, figures, group_of, names_of
from games.lab.playing import Side
from games.rules import GAMES
from games.rules.cards import rank_word
from games.rules.three_thirteen.state import wild_rank

FORMAT = "trey-lab/1"


class Words(NamedTuple):
    """A group of figures in words. `{}` stands for what follows the dot in a figure's name."""

    label: str
    is_pictured: bool = False


GROUPS: Mapping[str, Words] = {
    "moves": Words("Moves", is_pictured=True),
    "hand_overs": Words("Turns that others wait for", is_pictured=True),
    "days": Words("Days", is_pictured=True),
    "ended": Words("Ended by {}", is_pictured=True),
    "points": Words("Points, {} to the dealer's left"),
    "opener": Words("Points of the opener, above 1/2"),
    "level": Words("Points of {} players"),
    "pick_ups": Words("Times the pile was picked up", is_pictured=True),
    "picked_up": Words("Cards picked up", is_pictured=True),
    "closings": Words("Piles closed by {}", is_pictured=True),
    "largest_hand": Words("Cards in the largest hand", is_pictured=True),
    "blind_flips": Words("Unseen cards flipped", is_pictured=True),
    "blind_fits": Words("Unseen cards that could be played", is_pictured=True),
    "won_blind": Words("Won by an unseen card", is_pictured=True),
    "stalled": Words("Most pick-ups without progress", is_pictured=True),
    "penalty": Words("Penalty in round {}", is_pictured=True),
    "out": Words("Turns until somebody is out, round {}"),
    "nobody_out": Words("Nobody out in round {}"),
    "dealer": Words("Penalty of the dealer, above the others'"),
    "first": Words("Penalty of the first seat, above the others'"),
    "renewals": Words("Stocks renewed", is_pictured=True),
    "winner": Words("Total of the winner", is_pictured=True),
}
"""All groups of figures, in the order in which they are shown."""
ORDER = {group: place for place, group in enumerate(GROUPS)}
ENDED_BY = {
    "out": "going out",
    "stalemate": "stalemate",
    "agreed": "agreement",
    "resignation": "resignation",
    "rounds": "the last round",
}
CLOSED_BY = {"ten": "a 10", "joker": "a joker"}


def order(name: str) -> tuple[int, int, str]:
    group, _, part = name.partition(".")
    return ORDER[group], int(part) if part.isdigit() else 0, part


def label_of(name: str, seats: int | None) -> str:
    """Return a figure's name in words."""
    group, _, part = name.partition(".")
    if group == "ended":
        part = ENDED_BY[part]
    elif group == "closings":
        part = CLOSED_BY.get(part, part.replace("_", " "))
    elif group == "points":
        part = "the dealer" if part == str(seats) else f"{part} place{'s' * (part != '1')}"
        return f"Points of {part}" if part == "the dealer" else GROUPS[group].label.format(part)
    elif part.isdigit():
        part = f"{part} ({rank_word(wild_rank(int(part)))}s wild)"
    return GROUPS[group].label.format(part)


def ruled(side: Side) -> str:
    """Return a side's rules in words: its ruleset, and the options that are not its defaults."""
    _, usual = GAMES[side.game].complete_options(side.seats, side.ruleset, {})
    named = [f"{name}={_said(value)}" for name, value in side.options.items() if value != usual[name]]
    return ", ".join([side.ruleset, *named])


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

    @property
    def heading(self) -> str:
        """The game, the seats, the number of games and the players, in a line."""
        parts = [GAMES[self.game].title]
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
        note = [] if self.difference is None else ["* The interval of 95 % does not hold 0."]
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


def _cell(name: str, found: Figures, *, signed: bool = False) -> str:
    estimate = found.get(name)
    if estimate is None:
        return "-"
    low, high = estimate.low, estimate.high
    text = in_words(name, estimate.value, signed=signed)
    if low is not None and high is not None:
        text += f" ({in_words(name, low, signed=signed)} to {in_words(name, high, signed=signed)})"
    return text + " *" * (signed and estimate.is_apart)


def in_words(name: str, value: Number, *, signed: bool = False) -> str:
    """Return a number as people read it: three digits that count, shares in per cent."""
    sign = "+" if signed else ""
    if group_of(name) in SHARES:
        return f"{100 * value:{sign}.1f} %"
    digits = 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3
    return f"{value:{sign}.{digits}f}"
