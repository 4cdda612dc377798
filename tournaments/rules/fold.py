"""Reading the record of a tournament, "trey-tournament/1": its settings, then its log, line by line."""

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
from tournaments.rules.record import Entrant, Record, Round, Seat
from tournaments.rules.settings import Stage, read_game, read_kind, read_settings, read_stages

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
    fold = _Fold(record)
    for line in lines:
        fold.add(line)
    return fold.record()


class _Fold:
    """The stages of a record while lines are added, also to those that carry theirs (SG6); each line must fit."""

    def __init__(self, record: Record) -> None:
        self.lines = list(record.lines)
        self.everybody = dict(record.everybody)
        self.stages = [stage.copy(self.everybody) for stage in (*record.left, record)]
        self.finished = record.finished
        self.seed_is_public = record.seed_is_public
        self.limits = GAMES[record.game]

    @property
    def present(self) -> Record:
        return self.stages[-1]

    def record(self) -> Record:
        for stage in self.stages:
            stage.finished, stage.seed_is_public = self.finished, self.seed_is_public
        *left, present = self.stages
        present.lines, present.left = tuple(self.lines), tuple(left)
        return present

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
            own = stage.entrants[line.entrant]
            # Whoever withdraws or returns later does neither in a stage that was left (SG9).
            present = stage.went_on is None
            match line.change:
                case "withdrew" if present and not own.withdrawn:
                    own = replace(own, withdrawn=True, out_in=out_in)
                case "returned" if present:
                    own = replace(own, withdrawn=False, out_in=None)
                case "removed" | "reinstated":
                    own = replace(own, removed=line.change == "removed")
            stage.entrants[line.entrant] = own

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
        number, before = len(self.stages) + 1, self.present
        if line.stage != number:
            raise BadLine(line.n, f"stage {shown(line.stage)} does not follow stage {number - 1}.")
        if number > len(before.stages):
            raise BadLine(line.n, f"there is no stage {number}.")
        if self.finished:
            raise BadLine(line.n, "the tournament is finished, so no stage begins.")
        for entrant in line.seeds:
            self._in_stage(line, before, entrant)
            if not before.entrants[entrant].is_in:
                raise BadLine(line.n, f"{entrant} has withdrawn or was removed, and does not go on.")
        self.seed_is_public = True
        head = before.stages[line.stage - 1]
        empty = Record(before.title, before.game, head.kind, before.seed, head.settings, everybody=self.everybody)
        begun = replace(
            before.copy(self.everybody) if head.carry else empty,
            kind=head.kind,
            settings=head.settings,
            entrants={entrant: before.entrants[entrant] for entrant in line.seeds},
            seeds=line.seeds,
            stages=before.stages,
            stage=line.stage,
            rounds_before=max(before.rounds, default=before.rounds_before),
        )
        before.had_gone, before.went_on = before.gone(), frozenset(line.seeds)
        self.stages.append(begun)

    def seat(self, line: Seated) -> None:
        if any(line.round in stage.rounds for stage in self.stages):
            raise BadLine(line.n, f"round {shown(line.round)} was seated before.")
        stage = self.present
        if len(self.stages) > 1 and line.round <= stage.rounds_before:
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
        gone = stage.gone() if knockout else frozenset[str]()
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
                self._not_too_many(line, stage, line.seat)

    def void(self, line: Voided) -> None:
        if not isinstance(line.target, str):
            for stage in self._counting(line, line.target[0], None):
                stage.voids[line.target] = stage.voids.get(line.target, 0) + 1
            return
        for stage, seat in self._given(line, line.target):
            if seat and line.target not in stage.voided:
                stage.voids[seat] = stage.voids.get(seat, 0) + 1
            stage.voided.add(line.target)

    def restore(self, line: Restored) -> None:
        for stage, seat in self._given(line, line.id):
            if seat and line.id in stage.voided:
                stage.voids[seat] = max(stage.voids.get(seat, 0) - 1, 0)
            stage.voided.discard(line.id)
            if seat:
                self._not_too_many(line, stage, seat)

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

    def _counting(self, line: Line, number: int | None, named: int | None) -> list[Record]:
        """The stage that a line belongs to (SG3), and those after it that carry it (SG6)."""
        at = named or len(self.stages)
        if at > len(self.stages):
            raise BadLine(line.n, f"stage {shown(at)} has not begun.")
        seated = next((nth for nth, stage in enumerate(self.stages, 1) if number in stage.rounds), at)
        if named not in (None, seated):
            raise BadLine(line.n, f"round {shown(number)} is not of stage {named}.")
        carried = takewhile(lambda stage: stage.carry, self.present.stages[seated : len(self.stages)])
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
        stage.seed_is_public = self.seed_is_public
        return max(stage.rounds) if is_out(stage, entrant) else None

    def _only_first(self, line: Line) -> None:
        if len(self.stages) > 1:
            raise BadLine(line.n, "only the first stage is entered and seeded, and it was left.")

    def _stages_of(self, entrant: str) -> list[Record]:
        return [stage for stage in self.stages if entrant in stage.entrants]

    def _entrant(self, line: Line, entrant: str) -> Entrant:
        if entrant not in self.everybody:
            raise BadLine(line.n, f"{entrant} has not entered.")
        return self.everybody[entrant]

    def _in_stage(self, line: Line, stage: Record, entrant: str) -> None:
        self._entrant(line, entrant)
        if entrant not in stage.entrants:
            raise BadLine(line.n, f"{entrant} is not in stage {stage.stage}.")

    def _given(self, line: Line, result: str) -> list[tuple[Record, Seat | None]]:
        """The stages in which a result counts, each with its table."""
        found = [(stage, stage.results[result].seat) for stage in self.stages if result in stage.results]
        if not found:
            raise BadLine(line.n, f"there is no result {shown(result)}.")
        return found

    def _not_too_many(self, line: Line, stage: Record, seat: Seat) -> None:
        if len(stage.standing_at(seat)) > stage.settings.games_per_table:
            raise BadLine(line.n, f"table {seat[1]} of round {seat[0]} has more results that stand than games.")

    def _all_are_seeded(self, line: Line, seeds: tuple[str, ...]) -> None:
        seeded = set(seeds)
        missing = [entrant for entrant in self.present.entrants if entrant not in seeded]
        if missing or not seeds:
            raise BadLine(line.n, f"{missing[0] if missing else 'nobody'} is not seeded.")

    def _fits(self, line: Line, what: str, players: int) -> None:
        fewest, most = self.limits.min_seats, self.limits.max_seats
        if not fewest <= players <= most:
            raise BadLine(line.n, f"{what} has {players}, but {self.present.game} is for {fewest} to {most} players.")


_FOLDS: dict[type[Line], Callable[[_Fold, Any], None]] = {
    Entered: _Fold.enter,
    Changed: _Fold.change,
    Replaced: _Fold.replace,
    Seeded: _Fold.seed,
    Seated: _Fold.seat,
    Result: _Fold.result,
    Voided: _Fold.void,
    Restored: _Fold.restore,
    Adjusted: _Fold.adjust,
    Ratified: _Fold.ratify,
    Staged: _Fold.begin,
    Finished: _Fold.finish,
    Reopened: _Fold.reopen,
}
