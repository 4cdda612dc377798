"""Reading the record of a tournament, "trey-tournament/1": its settings, then its log, line by line."""

from collections.abc import Iterable, Mapping
from itertools import takewhile
from typing import Any

from games.rules import PLAYED
from tournaments.rules.errors import BadLine, BadRecord
from tournaments.rules.exact import shown
from tournaments.rules.knockout import is_out
from tournaments.rules.lines import Line, read_line
from tournaments.rules.record import Entrant, Record, Seat
from tournaments.rules.settings import Stage, read_game, read_kind, read_settings, read_stages

FORMAT = "trey-tournament/1"


def read_record(document: object) -> Record:
    """The record in a JSON document. Raises BadRecord, whose sentence names the line's `n` or the setting."""
    if not isinstance(document, Mapping):
        raise BadRecord("A record must be a JSON object.")
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
            raise BadRecord(f"stages: each stage has its own {beside[0]}, so leave out the {beside[0]} beside them.")
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
        raise BadRecord(f"{name}: must be a string, not {shown(value)}.")
    try:
        (value or "").encode()
    except UnicodeEncodeError:
        raise BadRecord(f"{name}: cannot be written in UTF-8.") from None
    return value


def with_lines(record: Record, lines: Iterable[Line]) -> Record:
    fold = Fold(record)
    for line in lines:
        fold.add(line)
    return fold.record()


class Fold:
    """The stages of a record while lines are added, also to those that carry theirs. Its methods raise ValueError."""

    def __init__(self, record: Record) -> None:
        self.lines = list(record.lines)
        self.everybody = dict(record.everybody)
        self.stages = [stage.copy(self.everybody) for stage in (*record.left, record)]
        self.finished = record.finished
        self.seed_is_public = record.seed_is_public
        self.limits = PLAYED[record.game]

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
            raise BadLine(line.n, "at is earlier than in the line before.")
        try:
            line.fold(self)
        except ValueError as error:
            raise BadLine(line.n, str(error)) from None
        self.lines.append(line)

    def counting(self, number: int | None, named: int | None) -> list[Record]:
        """The stage that a line belongs to (SG3), and those after it that carry it (SG6)."""
        at = named or len(self.stages)
        if at > len(self.stages):
            raise ValueError(f"stage {shown(at)} has not begun.")
        seated = next((nth for nth, stage in enumerate(self.stages, 1) if number in stage.rounds), at)
        if named not in (None, seated):
            raise ValueError(f"round {shown(number)} is not in stage {named}.")
        carried = takewhile(lambda stage: stage.carry, self.present.stages[seated : len(self.stages)])
        return self.stages[seated - 1 : seated + len(list(carried))]

    def out_in(self, entrant: str) -> int | None:
        """The last round of a knockout, if the entrant is out in it or its final is complete (KO3)."""
        stage = self.present
        if stage.kind != "knockout" or not stage.rounds or not stage.entrants[entrant].is_in:
            return None
        stage.seed_is_public = self.seed_is_public
        return max(stage.rounds) if is_out(stage, entrant) else None

    def only_first(self) -> None:
        if len(self.stages) > 1:
            raise ValueError("entrants can enter and be seeded only in the first stage, which is over.")

    def entrant(self, entrant: str) -> Entrant:
        if entrant not in self.everybody:
            raise ValueError(f"{entrant} has not entered.")
        return self.everybody[entrant]

    def in_stage(self, stage: Record, entrant: str) -> None:
        self.entrant(entrant)
        if entrant not in stage.entrants:
            raise ValueError(f"{entrant} is not in stage {stage.stage}.")

    def given(self, result: str) -> list[tuple[Record, Seat | None]]:
        """The stages in which a result counts, each with its table."""
        found = [(stage, stage.results[result].seat) for stage in self.stages if result in stage.results]
        if not found:
            raise ValueError(f"there is no result {shown(result)}.")
        return found

    def not_too_many(self, stage: Record, seat: Seat) -> None:
        if len(stage.standing_at(seat)) > stage.settings.games_per_table:
            raise ValueError(f"table {seat[1]} of round {seat[0]} has more results than games.")

    def all_are_seeded(self, seeds: tuple[str, ...]) -> None:
        seeded = set(seeds)
        missing = [entrant for entrant in self.present.entrants if entrant not in seeded]
        if missing or not seeds:
            raise ValueError(f"{missing[0] if missing else 'nobody'} is not seeded.")

    def fits(self, what: str, players: int) -> None:
        fewest, most = self.limits.min_seats, self.limits.max_seats
        if not fewest <= players <= most:
            raise ValueError(f"{what} has {players}, but {self.present.game} is for {fewest} to {most} players.")
