"""Who goes on to the next stage of a tournament, and how they are seeded (SG4, SG5)."""

from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any

from tournaments.rules import knockout
from tournaments.rules.counting import placed, tally
from tournaments.rules.errors import NoStage, TooFew
from tournaments.rules.fold import with_lines
from tournaments.rules.lines import Staged
from tournaments.rules.order import order
from tournaments.rules.record import Record
from tournaments.rules.settings import DEFAULT_TIE_BREAKS


@dataclass(frozen=True, slots=True)
class NextStage:
    """A stage that is not yet in the log: who is in it, the best seed first."""

    stage: int
    seeds: tuple[str, ...]
    decided_by: str | None = None
    """What sets the last who goes on apart from the next first; None: nobody is next, or it was a knockout."""
    passed: tuple[str, ...] = ()
    """Those passed over: who stands above the last who goes on, or anybody else where fewer than `take` do."""

    first_in_line: tuple[str, ...] = ()
    """Who moves up if somebody who goes on withdraws; of a knockout's tables each has its own."""

    def as_json(self) -> dict[str, Any]:
        return {"stage": self.stage, "seeds": list(self.seeds), "decided_by": self.decided_by}


def next_stage(record: Record, *, early: bool = False) -> NextStage:
    """As the present stage stands, which must be over unless it is ended `early` (SG5). Raises NoStage, TooFew."""
    if record.take is None:
        raise NoStage("There is no stage after the current one.")
    if record.finished:
        raise NoStage("The tournament is finished, so no stage can begin.")
    if not early and (why := still_to_play(record)):
        raise NoStage(f"Stage {record.stage} is not over: {why}.")
    found = going_on(record)
    following = record.stages[record.stage]
    fewest = following.settings.tables.min if following.kind == "rounds" else 2
    if len(found.seeds) < max(fewest, 2):
        raise TooFew(
            f"Stage {found.stage} needs at least {max(fewest, 2)} entrants, but {len(found.seeds)} would be through."
        )
    return found


def begun(record: Record, found: NextStage) -> Record:
    moment = record.lines[-1].moment
    return with_lines(record, [Staged(record.n + 1, moment, found.stage, found.seeds)])


def still_to_play(record: Record) -> str | None:
    """What of the stage is still to be played; None once it is over. Of a season the record does not say so."""
    match record.kind:
        case "rounds":
            return _rounds_to_play(record)
        case "knockout":
            found = knockout.bracket(record)
            if found.has_open_table:
                return "it has an open table"
            left = len(found.still_in)
            return f"{left} are left, but only {record.take} can go through" if left > (record.take or 0) else None
    return None


def _rounds_to_play(record: Record) -> str | None:
    if record.rounds_to_come:
        return "a round is still to come"
    for seated in record.rounds.values():
        for number, table in enumerate(seated.tables, 1):
            # LI4: removed entrants hold up nothing.
            if record.open_games((seated.number, number)) and not all(record.everybody[one].removed for one in table):
                return f"table {number} of round {seated.number} has an open game"
    return None


def going_on(record: Record) -> NextStage:
    """Who goes on by the standings as they are (SG4). Raises NoStage where that needs a lot and there is no seed."""
    return _from_knockout(record) if record.kind == "knockout" else _from_standings(record)


def _from_knockout(record: Record) -> NextStage:
    if not knockout.is_seeded(record):
        raise NoStage("The knockout's entrants must all be seeded first.")
    seed = {entrant: at for at, entrant in enumerate(record.seeds)}
    rows = knockout.standings(record)
    left = [row for row in rows if row.status == "in"]
    left.sort(key=lambda row: (row.place or 0, seed[row.entrant]))
    on = left[: record.take]
    above = [row for row in rows if row.place is not None and on and row.place < (on[-1].place or 0)]
    beyond = tuple(row.entrant for row in left[record.take :][:1])
    return NextStage(
        record.stage + 1,
        tuple(row.entrant for row in on),
        None,
        tuple(row.entrant for row in above if row not in on),
        beyond or knockout.first_beyond(record),
    )


def _from_standings(record: Record) -> NextStage:
    tie_breaks = record.settings.tie_breaks
    if record.stage == 1:
        unnamed = [name for name in DEFAULT_TIE_BREAKS[record.kind] if name not in tie_breaks]
        tie_breaks = (*tie_breaks, *unnamed, "lot")
    # The line that begins the stage makes the seed known (ST7).
    counts = tally(replace(record, seed_is_public=True))
    seeds = record.seeds if record.stage > 1 else ()
    groups = order(counts, placed(record, counts), tie_breaks, seeds=seeds).groups
    ranked = [(at, one) for at, group in enumerate(groups) for one in group.entrants if record.entrants[one].is_in]
    on, beyond = ranked[: record.take], ranked[record.take :]
    if any(one[0] == other[0] for one, other in pairwise(ranked[: len(on) + 1])):
        raise NoStage("Entrants are level and lots must be drawn, but the record has no seed.")
    decided_by = None
    if on and beyond:
        apart = [group.decided_by for group in groups[on[-1][0] + 1 : beyond[0][0] + 1]]
        decided_by = first_of(tie_breaks, apart)
    full = len(on) == record.take
    above = [one for group in groups[: on[-1][0]] for one in group.entrants] if full else list(record.entrants)
    seeded = tuple(one for _, one in on)
    passed = tuple(one for one in above if one not in seeded)
    return NextStage(record.stage + 1, seeded, decided_by, passed, tuple(one for _, one in beyond[:1]))


def first_of(tie_breaks: tuple[str, ...], decided: list[str | None]) -> str | None:
    """Of what set neighbours apart in the standings, what set the first apart from the last (ST1)."""
    return next((name for name in ("total", *tie_breaks, "seed") if name in decided), None)
