"""Reading the record of a tournament, "trey-tournament/1": its settings, then its log, line by line.

A `Record` never changes; `evolve` gives the record with one line more.
"""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import replace
from itertools import takewhile
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
    Staged,
    Voided,
    read_line,
)
from tournaments.rules.moments import Moment
from tournaments.rules.record import Entrant, Record, Round, Seat
from tournaments.rules.settings import read_game, read_kind, read_settings
from tournaments.rules.stages import Stage, read_stages

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
    return with_lines(read_header(document), (read_line(n, line) for n, line in enumerate(log, 1)))


def read_header(document: Mapping[str, Any]) -> Record:
    """The record without its log: title, game, seed, and kind and settings, or stages. Raises BadRecord."""
    game = read_game(document.get("game"))
    stages: tuple[Stage, ...] = ()
    if document.get("stages") is None:
        kind = read_kind(document.get("kind"))
        settings = read_settings(game, kind, document.get("settings"))
    else:
        if beside := [name for name in ("kind", "settings") if document.get(name) is not None]:
            raise BadRecord(f"stages: each has a kind and settings of its own, so that there is no {beside[0]} beside.")
        stages = read_stages(game, document["stages"])
        kind, settings = stages[0].kind, stages[0].settings
    title, seed = _text(document, "title") or "", _text(document, "seed")
    return Record(title=title, game=game, kind=kind, seed=seed, settings=settings, stages=stages)


def evolve(record: Record, line: object) -> Record:
    """The record with one line more, given as JSON. Raises BadLine; the record given stays as it is."""
    return with_lines(record, [read_line(record.n + 1, line)])


def upto(record: Record, n: int) -> Record:
    """The record after line `n`, or the whole record if it has fewer lines (ST11)."""
    if n >= record.n:
        return record
    first = record.left[0] if record.left else record
    empty = Record(record.title, record.game, first.kind, record.seed, first.settings, stages=record.stages)
    return with_lines(empty, record.lines[: max(n, 0)])


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


def with_lines(record: Record, lines: Iterable[Line]) -> Record:
    """The record with lines more. Raises BadLine."""
    draft = _Draft(record)
    for line in lines:
        draft.add(line)
    return draft.record()


class _Stage:
    """A stage while lines are added to it. A stage that carries it is given them, too (SG6)."""

    def __init__(self, record: Record) -> None:
        self.base = record
        self.kind = record.kind
        self.settings = record.settings
        self.entrants = dict(record.entrants)
        self.seeds = record.seeds
        self.rounds = dict(record.rounds)
        self.results = dict(record.results)
        self.voided = set(record.voided)
        self.voids = dict(record.voids)
        self.at_table = dict(record.at_table)
        self.adjustments = list(record.adjustments)
        self.went_on = record.went_on
        self.had_gone = record.had_gone

    def record(self, **common: Any) -> Record:
        return replace(
            self.base,
            entrants=self.entrants,
            seeds=self.seeds,
            rounds=self.rounds,
            results=self.results,
            voided=frozenset(self.voided),
            voids=self.voids,
            at_table=self.at_table,
            adjustments=tuple(self.adjustments),
            went_on=self.went_on,
            had_gone=self.had_gone,
            **common,
        )

    def next(self, line: Staged) -> "_Stage":
        """The next stage as it begins, while this one is left."""
        self.had_gone = self.record().gone()
        self.went_on = frozenset(line.seeds)
        base, head = self.base, self.base.stages[line.stage - 1]
        start = self.record() if head.carry else Record(base.title, base.game, head.kind, base.seed, head.settings)
        own = replace(
            start,
            kind=head.kind,
            settings=head.settings,
            entrants={entrant: self.entrants[entrant] for entrant in line.seeds},
            seeds=line.seeds,
            stages=base.stages,
            stage=line.stage,
            rounds_before=max(self.rounds, default=base.rounds_before),
            went_on=None,
            had_gone=None,
        )
        return _Stage(own)

    def change(self, line: Changed, out_in: int | None) -> None:
        """Whoever withdraws or returns later does neither in a stage that was left (SG9)."""
        entrant = self.entrants[line.entrant]
        present = self.went_on is None
        match line.change:
            case "withdrew" if present and not entrant.withdrawn:
                entrant = replace(entrant, withdrawn=True, out_in=out_in)
            case "returned" if present:
                entrant = replace(entrant, withdrawn=False, out_in=None)
            case "removed" | "reinstated":
                entrant = replace(entrant, removed=line.change == "removed")
        self.entrants[line.entrant] = entrant

    def count_void(self, seat: Seat, change: int) -> None:
        self.voids[seat] = max(self.voids.get(seat, 0) + change, 0)

    def not_too_many(self, line: Line, seat: Seat) -> None:
        standing = sum(result not in self.voided for result in self.at_table[seat])
        if standing > self.settings.games_per_table:
            raise BadLine(line.n, f"table {seat[1]} of round {seat[0]} has more results that stand than games.")


class _Draft:
    """A record while lines are added to it; it alone knows whether a line fits those before it."""

    def __init__(self, record: Record) -> None:
        self.base = record
        self.lines = list(record.lines)
        self.everybody = dict(record.everybody)
        self.stages = [_Stage(stage) for stage in (*record.left, record)]
        self.finished = record.finished
        self.seed_is_public = record.seed_is_public
        self.limits = GAMES[record.game]

    @property
    def present(self) -> _Stage:
        return self.stages[-1]

    def record(self) -> Record:
        left = tuple(self._record_of(stage, lines=(), left=()) for stage in self.stages[:-1])
        return self._record_of(self.present, lines=tuple(self.lines), left=left)

    def _record_of(self, stage: _Stage, **others: Any) -> Record:
        return stage.record(
            everybody=self.everybody, finished=self.finished, seed_is_public=self.seed_is_public, **others
        )

    def add(self, line: Line) -> None:
        if self.lines and line.moment < self.lines[-1].moment:
            raise BadLine(line.n, "at is earlier than that of the line before.")
        _FOLDS[type(line)](self, line)
        self.lines.append(line)

    def enter(self, line: Entered) -> None:
        self._only_first(line)
        if line.entrant in self.everybody:
            raise BadLine(line.n, f"{line.entrant} has entered before.")
        if self.present.kind == "knockout" and self.present.rounds:
            raise BadLine(line.n, f"{line.entrant} enters a knockout that has been seated.")
        entrant = Entrant(line.entrant, line.name)
        self.everybody[line.entrant] = self.present.entrants[line.entrant] = entrant

    def change(self, line: Changed) -> None:
        now = self._entrant(line, line.entrant)
        match line.change:
            case "withdrew" | "returned":
                back = line.change == "returned" and line.entrant not in self.present.entrants
                now = replace(now, withdrawn=line.change == "withdrew", stays_out=now.stays_out or back)
            case "removed" | "reinstated":
                now = replace(now, removed=line.change == "removed")
        self.everybody[line.entrant] = now
        out_in = self._out_in(line.entrant) if line.change == "withdrew" else None
        for stage in self._stages_of(line.entrant):
            stage.change(line, out_in)

    def replace(self, line: Replaced) -> None:
        self.everybody[line.entrant] = replace(self._entrant(line, line.entrant), name=line.name)
        for stage in self._stages_of(line.entrant):
            stage.entrants[line.entrant] = replace(stage.entrants[line.entrant], name=line.name)

    def seed(self, line: Seeded) -> None:
        self._only_first(line)
        stage = self.present
        if stage.kind != "knockout":
            raise BadLine(line.n, f"only a knockout is seeded, and this is of the kind {stage.kind}.")
        if stage.rounds:
            raise BadLine(line.n, "a knockout is seeded before its first round is seated.")
        for entrant in line.order:
            self._entrant(line, entrant)
        self._all_are_seeded(line, line.order)
        stage.seeds = line.order
        self.seed_is_public = True

    def begin(self, line: Staged) -> None:
        number = len(self.stages) + 1
        if line.stage != number:
            raise BadLine(line.n, f"stage {shown(line.stage)} does not follow stage {number - 1}.")
        if number > len(self.base.stages):
            raise BadLine(line.n, f"there is no stage {number}.")
        if self.finished:
            raise BadLine(line.n, "the tournament is finished, so no stage begins.")
        for entrant in line.seeds:
            self._in_stage(line, self.present, entrant)
            if not self.present.entrants[entrant].is_in:
                raise BadLine(line.n, f"{entrant} has withdrawn or was removed, and does not go on.")
        self.seed_is_public = True
        self.stages.append(self.present.next(line))

    def seat(self, line: Seated) -> None:
        if any(line.round in stage.rounds for stage in self.stages):
            raise BadLine(line.n, f"round {shown(line.round)} was seated before.")
        stage = self.present
        if len(self.stages) > 1 and line.round <= stage.base.rounds_before:
            raise BadLine(line.n, f"round {shown(line.round)} is not above those of the stages before.")
        for entrant in (*(entrant for table in line.tables for entrant in table), *line.byes):
            self._in_stage(line, stage, entrant)
        knockout = stage.kind == "knockout"
        if knockout:
            self._all_are_seeded(line, stage.seeds)
        walkover = (stage.settings.advance or 0) if knockout else 0
        for number, table in enumerate(line.tables, 1):
            if not table or len(table) > walkover:
                self._fits(line, f"table {number}", len(table))
        # A season opens its seed only when it ends (ST7).
        self.seed_is_public = self.seed_is_public or stage.kind != "season"
        gone = stage.record().gone() if knockout else frozenset[str]()
        stage.rounds[line.round] = Round(line.round, line.n, line.tables, line.byes, gone)

    def result(self, line: Result) -> None:
        if any(line.id in stage.results for stage in self.stages):
            raise BadLine(line.n, f"there is a result {shown(line.id)} already.")
        stages = self._counting(line, line.round, line.stage)
        settings = stages[0].settings
        for player in line.players:
            self._in_stage(line, stages[0], player.entrant)
            if settings.less_is_better and player.score is None:
                raise BadLine(line.n, f"{player.entrant} has no score, and scores are what counts.")
        if settings.less_is_better and line.rounds is None:
            raise BadLine(line.n, "rounds is missing, and penalties count by the round.")
        self._fits(line, "the game", len(line.players))
        self._by_ratified_rules(line)
        for stage in stages:
            stage.results[line.id] = line
            if line.seat:
                stage.at_table[line.seat] = (*stage.at_table.get(line.seat, ()), line.id)
                stage.not_too_many(line, line.seat)

    def void(self, line: Voided) -> None:
        if not isinstance(line.target, str):
            for stage in self._counting(line, line.target[0], None):
                stage.count_void(line.target, 1)
            return
        for stage, seat in self._given(line, line.target):
            if seat and line.target not in stage.voided:
                stage.count_void(seat, 1)
            stage.voided.add(line.target)

    def restore(self, line: Restored) -> None:
        for stage, seat in self._given(line, line.id):
            if seat and line.id in stage.voided:
                stage.count_void(seat, -1)
            stage.voided.discard(line.id)
            if seat:
                stage.not_too_many(line, seat)

    def adjust(self, line: Adjusted) -> None:
        stages = self._counting(line, None, line.stage)
        if stages[0].kind == "knockout":
            raise BadLine(line.n, "a knockout has no points to adjust.")
        self._in_stage(line, stages[0], line.entrant)
        for stage in stages:
            stage.adjustments.append(line)

    def ratify(self, line: Ratified) -> None:
        """Rules have no effect on standings (RT4): their ratification is only a line of the record."""

    def finish(self, _: Finished) -> None:
        self.finished = True
        self.seed_is_public = True

    def reopen(self, _: Reopened) -> None:
        self.finished = False

    def _counting(self, line: Line, number: int | None, named: int | None) -> list[_Stage]:
        """The stage that a line belongs to (SG3), and those after it that carry it (SG6)."""
        at = named or len(self.stages)
        if at > len(self.stages):
            raise BadLine(line.n, f"stage {shown(at)} has not begun.")
        seated = next((nth for nth, stage in enumerate(self.stages, 1) if number in stage.rounds), at)
        if named not in (None, seated):
            raise BadLine(line.n, f"round {shown(number)} is not of stage {named}.")
        carried = takewhile(lambda stage: stage.carry, self.base.stages[seated : len(self.stages)])
        return self.stages[seated - 1 : seated + len(list(carried))]

    def _by_ratified_rules(self, line: Result) -> None:
        if line.rules is None:
            return
        before = self.lines[line.rules - 1] if line.rules < line.n else None
        if not isinstance(before, Ratified):
            raise BadLine(line.n, f"rules {shown(line.rules)} is not an earlier line that ratifies rules.")

    def _out_in(self, entrant: str) -> int | None:
        """The last round of a knockout, if the entrant is out in it or its final is complete (KO3)."""
        stage = self.present
        own = stage.entrants.get(entrant)
        if stage.kind != "knockout" or not stage.rounds or own is None or not own.is_in:
            return None
        return max(stage.rounds) if is_out(self._record_of(stage), entrant) else None

    def _only_first(self, line: Line) -> None:
        if len(self.stages) > 1:
            raise BadLine(line.n, "only the first stage is entered and seeded, and it was left.")

    def _stages_of(self, entrant: str) -> list[_Stage]:
        return [stage for stage in self.stages if entrant in stage.entrants]

    def _entrant(self, line: Line, entrant: str) -> Entrant:
        if entrant not in self.everybody:
            raise BadLine(line.n, f"{entrant} has not entered.")
        return self.everybody[entrant]

    def _in_stage(self, line: Line, stage: _Stage, entrant: str) -> None:
        self._entrant(line, entrant)
        if entrant not in stage.entrants:
            raise BadLine(line.n, f"{entrant} is not in stage {stage.base.stage}.")

    def _given(self, line: Line, result: str) -> list[tuple[_Stage, Seat | None]]:
        """The stages in which a result counts, each with its table."""
        found = [(stage, stage.results[result].seat) for stage in self.stages if result in stage.results]
        if not found:
            raise BadLine(line.n, f"there is no result {shown(result)}.")
        return found

    def _all_are_seeded(self, line: Line, seeds: tuple[str, ...]) -> None:
        seeded = set(seeds)
        missing = [entrant for entrant in self.present.entrants if entrant not in seeded]
        if missing or not seeds:
            raise BadLine(line.n, f"{missing[0] if missing else 'nobody'} is not seeded.")

    def _fits(self, line: Line, what: str, players: int) -> None:
        fewest, most = self.limits.min_seats, self.limits.max_seats
        if not fewest <= players <= most:
            raise BadLine(line.n, f"{what} has {players}, but {self.base.game} is for {fewest} to {most} players.")


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
    Staged: _Draft.begin,
    Finished: _Draft.finish,
    Reopened: _Draft.reopen,
}
