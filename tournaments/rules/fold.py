"""Reading the record of a tournament, "trey-tournament/1": its settings, then its log, line by line.

A `Record` never changes; `evolve` gives the record with one line more.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from typing import Any

from games.rules import GAMES
from tournaments.rules.errors import BadLine, BadRecord
from tournaments.rules.exact import shown
from tournaments.rules.knockout import is_out
from tournaments.rules.lines import (
    Adjusted,
    Changed,
    Entered,
    Finished,
    Line,
    Ratified,
    Reopened,
    Replaced,
    Restored,
    Result,
    Seated,
    Seeded,
    Voided,
    read_line,
)
from tournaments.rules.moments import Moment
from tournaments.rules.record import Entrant, Record, Round, Seat
from tournaments.rules.settings import read_game, read_kind, read_settings

FORMAT = "trey-tournament/1"


def read_record(document: object) -> Record:
    """The record in a JSON document. Raises BadRecord, whose sentence names the line's `n` or the setting."""
    if not isinstance(document, Mapping):
        raise BadRecord("A record is a JSON object.")
    if document.get("format") != FORMAT:
        raise BadRecord(f"format: {shown(document.get('format'))} is not {FORMAT}.")
    log = document.get("log")
    if not isinstance(log, list):
        raise BadRecord(f"log: must be a list, not {shown(log)}.")
    return _fold(read_header(document), (read_line(n, line) for n, line in enumerate(log, 1)))


def read_header(document: Mapping[str, Any]) -> Record:
    """The record without its log: title, game, kind, seed and settings. Raises BadRecord."""
    game, kind = read_game(document.get("game")), read_kind(document.get("kind"))
    return Record(
        title=_text(document, "title") or "",
        game=game,
        kind=kind,
        seed=_text(document, "seed"),
        settings=read_settings(game, kind, document.get("settings")),
    )


def evolve(record: Record, line: object) -> Record:
    """The record with one line more, given as JSON. Raises BadLine; the record given stays as it is."""
    return _fold(record, [read_line(record.n + 1, line)])


def upto(record: Record, n: int) -> Record:
    """The record after line `n`, or the whole record if it has fewer lines (ST11)."""
    if n >= record.n:
        return record
    empty = Record(title=record.title, game=record.game, kind=record.kind, seed=record.seed, settings=record.settings)
    return _fold(empty, record.lines[: max(n, 0)])


def as_of(record: Record, moment: Moment) -> Record:
    """The record up to a moment, that moment included (ST11)."""
    return upto(record, sum(line.moment <= moment for line in record.lines))


def _text(document: Mapping[str, Any], name: str) -> str | None:
    value = document.get(name)
    if value is not None and not isinstance(value, str):
        raise BadRecord(f"{name}: must be a text, not {shown(value)}.")
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise BadRecord(f"{name}: is not a text that UTF-8 can write.") from None
    return value


def _fold(record: Record, lines: Iterable[Line]) -> Record:
    draft = _Draft(record)
    for line in lines:
        draft.add(line)
    return draft.record()


class _Draft:
    """A record while lines are added to it; it alone knows whether a line fits those before it."""

    def __init__(self, record: Record) -> None:
        self.base = record
        self.lines = list(record.lines)
        self.entrants = dict(record.entrants)
        self.seeds = record.seeds
        self.rounds = dict(record.rounds)
        self.results = dict(record.results)
        self.voided = set(record.voided)
        self.voids = dict(record.voids)
        self.at_table = dict(record.at_table)
        self.adjustments = list(record.adjustments)
        self.finished = record.finished
        self.seed_is_public = record.seed_is_public
        self.limits = GAMES[record.game]

    def record(self) -> Record:
        return replace(
            self.base,
            lines=tuple(self.lines),
            entrants=self.entrants,
            seeds=self.seeds,
            rounds=self.rounds,
            results=self.results,
            voided=frozenset(self.voided),
            voids=self.voids,
            at_table=self.at_table,
            adjustments=tuple(self.adjustments),
            finished=self.finished,
            seed_is_public=self.seed_is_public,
        )

    def add(self, line: Line) -> None:
        if self.lines and line.moment < self.lines[-1].moment:
            raise BadLine(line.n, "at is earlier than that of the line before.")
        _FOLDS[type(line)](self, line)
        self.lines.append(line)

    def enter(self, line: Entered) -> None:
        if line.entrant in self.entrants:
            raise BadLine(line.n, f"{line.entrant} has entered before.")
        if self.base.kind == "knockout" and self.rounds:
            raise BadLine(line.n, f"{line.entrant} enters a knockout that has been seated.")
        self.entrants[line.entrant] = Entrant(line.entrant, line.name)

    def change(self, line: Changed) -> None:
        entrant = self._entrant(line, line.entrant)
        match line.change:
            case "withdrew" if not entrant.withdrawn:
                entrant = replace(entrant, withdrawn=True, out_in=self._out_in(entrant))
            case "returned":
                entrant = replace(entrant, withdrawn=False, out_in=None)
            case "removed" | "reinstated":
                entrant = replace(entrant, removed=line.change == "removed")
        self.entrants[line.entrant] = entrant

    def replace(self, line: Replaced) -> None:
        self.entrants[line.entrant] = replace(self._entrant(line, line.entrant), name=line.name)

    def seed(self, line: Seeded) -> None:
        if self.base.kind != "knockout":
            raise BadLine(line.n, f"only a knockout is seeded, and this is of the kind {self.base.kind}.")
        if self.rounds:
            raise BadLine(line.n, "a knockout is seeded before its first round is seated.")
        for entrant in line.order:
            self._entrant(line, entrant)
        self._all_are_seeded(line, line.order)
        self.seeds = line.order
        self.seed_is_public = True

    def seat(self, line: Seated) -> None:
        if line.round in self.rounds:
            raise BadLine(line.n, f"round {shown(line.round)} was seated before.")
        for entrant in (*(entrant for table in line.tables for entrant in table), *line.byes):
            self._entrant(line, entrant)
        knockout = self.base.kind == "knockout"
        if knockout:
            self._all_are_seeded(line, self.seeds)
        walkover = (self.base.settings.advance or 0) if knockout else 0
        for number, table in enumerate(line.tables, 1):
            if not table or len(table) > walkover:
                self._fits(line, f"table {number}", len(table))
        # A season opens its seed only when it ends (ST7).
        self.seed_is_public = self.seed_is_public or self.base.kind != "season"
        gone = self.record().gone() if knockout else frozenset[str]()
        self.rounds[line.round] = Round(line.round, line.n, line.tables, line.byes, gone)

    def result(self, line: Result) -> None:
        if line.id in self.results:
            raise BadLine(line.n, f"there is a result {shown(line.id)} already.")
        for player in line.players:
            self._entrant(line, player.entrant)
            if self.base.settings.less_is_better and player.score is None:
                raise BadLine(line.n, f"{player.entrant} has no score, and scores are what counts.")
        if self.base.settings.less_is_better and line.rounds is None:
            raise BadLine(line.n, "rounds is missing, and penalties count by the round.")
        self._fits(line, "the game", len(line.players))
        self._by_ratified_rules(line)
        self.results[line.id] = line
        if line.seat:
            self.at_table[line.seat] = (*self.at_table.get(line.seat, ()), line.id)
            self._not_too_many(line, line.seat)

    def void(self, line: Voided) -> None:
        if not isinstance(line.target, str):
            self._count_void(line.target, 1)
            return
        seat = self._given(line, line.target).seat
        if seat and line.target not in self.voided:
            self._count_void(seat, 1)
        self.voided.add(line.target)

    def restore(self, line: Restored) -> None:
        seat = self._given(line, line.id).seat
        if seat and line.id in self.voided:
            self._count_void(seat, -1)
        self.voided.discard(line.id)
        if seat:
            self._not_too_many(line, seat)

    def adjust(self, line: Adjusted) -> None:
        if self.base.kind == "knockout":
            raise BadLine(line.n, "a knockout has no points to adjust.")
        self._entrant(line, line.entrant)
        self.adjustments.append(line)

    def ratify(self, line: Ratified) -> None:
        """Rules have no effect on standings (RT4): their ratification is only a line of the record."""

    def _by_ratified_rules(self, line: Result) -> None:
        if line.rules is None:
            return
        before = self.lines[line.rules - 1] if line.rules < line.n else None
        if not isinstance(before, Ratified):
            raise BadLine(line.n, f"rules {shown(line.rules)} is not an earlier line that ratifies rules.")

    def finish(self, _: Finished) -> None:
        self.finished = True
        self.seed_is_public = True

    def reopen(self, _: Reopened) -> None:
        self.finished = False

    def _out_in(self, entrant: Entrant) -> int | None:
        """The last round of a knockout, if the entrant is out in it or its final is complete (KO3)."""
        if self.base.kind != "knockout" or not self.rounds or not entrant.is_in:
            return None
        return max(self.rounds) if is_out(self.record(), entrant.id) else None

    def _entrant(self, line: Line, entrant: str) -> Entrant:
        if entrant not in self.entrants:
            raise BadLine(line.n, f"{entrant} has not entered.")
        return self.entrants[entrant]

    def _given(self, line: Line, result: str) -> Result:
        if result not in self.results:
            raise BadLine(line.n, f"there is no result {shown(result)}.")
        return self.results[result]

    def _all_are_seeded(self, line: Line, seeds: tuple[str, ...]) -> None:
        seeded = set(seeds)
        missing = [entrant for entrant in self.entrants if entrant not in seeded]
        if missing or not seeds:
            raise BadLine(line.n, f"{missing[0] if missing else 'nobody'} is not seeded.")

    def _fits(self, line: Line, what: str, players: int) -> None:
        fewest, most = self.limits.min_seats, self.limits.max_seats
        if not fewest <= players <= most:
            raise BadLine(line.n, f"{what} has {players}, but {self.base.game} is for {fewest} to {most} players.")

    def _count_void(self, seat: Seat, change: int) -> None:
        self.voids[seat] = max(self.voids.get(seat, 0) + change, 0)

    def _not_too_many(self, line: Line, seat: Seat) -> None:
        standing = sum(result not in self.voided for result in self.at_table[seat])
        if standing > self.base.settings.games_per_table:
            raise BadLine(line.n, f"table {seat[1]} of round {seat[0]} has more results that stand than games.")


_FOLDS: dict[type[Line], Callable[[_Draft, Any], None]] = {
    Entered: _Draft.enter,
    Changed: _Draft.change,
    Replaced: _Draft.replace,
    Seeded: _Draft.seed,
    Seated: _Draft.seat,
    Result: _Draft.result,
    Voided: _Draft.void,
    Restored: _Draft.restore,
    Adjusted: _Draft.adjust,
    Ratified: _Draft.ratify,
    Finished: _Draft.finish,
    Reopened: _Draft.reopen,
}
