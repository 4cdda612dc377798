"""Recorded games, simulated or real, as sides of a comparison."""

import re
from collections.abc import Mapping, Sequence
from typing import Any

from games.lab.counting import Counted, count
from games.lab.playing import Deal, Side, Uncounted, replayed
from games.lab.report import Report, report, ruled
from games.rules import PLAYED
from games.rules.moves import said
from games.rules.terminal import documents, parse


class Refused(Exception):  # noqa: N818 - it says what happened
    """What was asked for cannot be done. The message is a sentence that names the argument or the line."""


def options_of(game: str, given: Sequence[str]) -> dict[str, Any]:
    """Return the options that arguments of the form NAME=VALUE give. Raises Refused."""
    rules = PLAYED[game]
    known = rules.options_of(rules.default_ruleset)
    values: dict[str, Any] = {}
    for pair in given:
        name, equals, text = pair.partition("=")
        if not equals or name not in known:
            raise Refused(f"{said(pair)} is not an option. Write NAME=VALUE; the options are {', '.join(known)}.")
        values[name] = _value(text, known[name].type)
    return values


def _value(text: str, kind: type) -> object:
    """Return an option's value. What is no such value stays text, so that the rules refuse it in their words."""
    if kind is bool and text in ("true", "false"):
        return text == "true"
    if kind is int and re.fullmatch("-?[0-9]{1,9}", text):
        return int(text)
    return text


class Recorded:
    """The games of a file that were played by the wanted rules, those of the same rules together."""

    def __init__(
        self, file: str, content: bytes, ruleset: str | None, options: Sequence[str], *, skip_bad: bool
    ) -> None:
        """Count the games. Raises Refused for a line that cannot be counted, unless such lines are skipped."""
        self.file, self._ruleset, self._options = file, ruleset, options
        self._games: dict[str, tuple[Side, dict[object, Counted]]] = {}
        self._game: str | None = None
        self._lots: set[tuple[str, tuple[str, ...]]] = set()
        self.bad = 0
        for line, raw in documents(content):
            try:
                self._add(parse(raw))
            except ValueError as error:
                if not skip_bad:
                    raise Refused(f"{file}, line {line}: {error}") from None
                self.bad += 1
        if not self._games:
            wanted = ", ".join([*options] if ruleset is None else [ruleset, *options])
            raise Refused(f"{file} has no games to count{wanted and f' by {wanted}'}.")

    def _add(self, record: Any) -> None:
        deal, steps = replayed(record)
        rules, dealt = deal.game, deal.event["data"]
        self._game = self._game or rules.name
        if rules.name != self._game:
            raise Uncounted(f"This is a game of {rules.title}. Those before it are of {PLAYED[self._game].title}.")
        side = Side(rules.name, dealt["seats"], dealt["ruleset"], dealt["options"])
        wanted = options_of(rules.name, self._options)
        if self._ruleset not in (None, side.ruleset) or any(side.options[name] != wanted[name] for name in wanted):
            return
        _, games = self._games.setdefault(f"{ruled(side)}, {side.seats} seats", (side, {}))
        lab = record.get("lab") if deal.levels else None
        games[(lab["seed"], lab["game"]) if lab else len(games)] = count(deal, steps)
        if lab:
            self._lots.add((lab["seed"], _bots(deal, lab["game"])))

    def report(self) -> Report:
        return report([(side, list(games.values())) for side, games in self._games.values()], None, **self._lot())

    def compared_with(self, other: "Recorded") -> Report:
        """Return the report of two sides; games of the same seed and number are pairs. Raises Refused."""
        (mine, first), (theirs, second) = self.only(), other.only()
        if (mine.game, mine.seats) != (theirs.game, theirs.seats):
            raise Refused(f"{other.file} has another game than {self.file}, or another number of seats.")
        pairs = [(first[key], second[key]) for key in first if key in second]
        if not pairs:
            raise Refused(f"No game in {self.file} has a counterpart in {other.file} with the same seed and number.")
        return report([(mine, list(first.values())), (theirs, list(second.values()))], pairs, **self._lot())

    def only(self) -> tuple[Side, Mapping[object, Counted]]:
        """Return the one side of the file, and its games by number. Raises Refused if there are several sides."""
        if len(self._games) > 1:
            raise Refused(
                f"{self.file} has games of several rules. Choose with --ruleset and --option: {self._listed}."
            )
        return next(iter(self._games.values()))

    @property
    def _listed(self) -> str:
        return "; ".join(self._games)

    def _lot(self) -> dict[str, Any]:
        """Return the seed and the players, if they are the same in all games."""
        seeds, bots = {seed for seed, _ in self._lots}, {bots for _, bots in self._lots}
        return {
            "seed": seeds.pop() if len(seeds) == 1 else None,
            "bots": bots.pop() if len(bots) == 1 else None,
        }


def _bots(deal: Deal, number: int) -> tuple[str, ...]:
    """Return the levels as they sat in game 0."""
    levels = deal.levels or ()
    return tuple(levels[(seat - number) % len(levels)] for seat in range(len(levels)))
