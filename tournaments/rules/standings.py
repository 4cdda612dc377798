"""The standings of a tournament of any kind."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

from tournaments.rules import knockout
from tournaments.rules.bounds import bounds
from tournaments.rules.counting import placed, tally
from tournaments.rules.cut import first_of
from tournaments.rules.errors import NoStage
from tournaments.rules.order import Order, Row, number, order, row
from tournaments.rules.record import Record
from tournaments.rules.tally import Tally


@dataclass(frozen=True, slots=True)
class Standings:
    whole: tuple[Row, ...]
    """The present stage, then those who fell out of the one before it, and so on down, then the removed (SG7)."""
    stages: tuple[tuple[Row, ...], ...]
    """Each stage that has begun by itself; `status` and `stage` are as in the whole."""


def all_standings(record: Record) -> Standings:
    stages = [of_stage(one) for one in (*record.left, record)]
    if not record.left:
        return Standings(stages[0], tuple(stages))
    whole = _whole(record, stages)
    last = {row.entrant: row for row in whole}
    return Standings(
        whole,
        tuple(
            tuple(replace(row, status=last[row.entrant].status, stage=last[row.entrant].stage) for row in rows)
            for rows in stages
        ),
    )


def standings(record: Record) -> tuple[Row, ...]:
    return all_standings(record).whole


def of_stage(record: Record) -> tuple[Row, ...]:
    return knockout.standings(record) if record.kind == "knockout" else _league(record)


def _whole(record: Record, stages: Sequence[Sequence[Row]]) -> tuple[Row, ...]:
    *left, rows = stages
    removed = [row for row in rows if row.status == "removed"]
    found = [row for row in rows if row.status != "removed"]
    # The first place that stays empty counts as taken (KO4).
    empty = int(record.kind == "knockout" and knockout.bracket(record).nobody_left)
    for stage, before in zip(reversed(record.left), reversed(left), strict=True):
        fallen = _fallen(stage, before, len(found) + empty)
        found += [row for row in fallen if row.status != "removed"]
        removed += [row for row in fallen if row.status == "removed"]
    return (*found, *sorted(removed, key=lambda row: number(row.entrant)))


def _fallen(stage: Record, order: Sequence[Row], above: int) -> list[Row]:
    """Those who are in no later stage, in the order of the stage that they were in; `above` them stand so many."""
    rows: list[Row] = []
    last: Row | None = None
    level: int | None = None
    since: list[str | None] = []
    for one in order:
        since.append(one.decided_by)
        who = stage.everybody[one.entrant]
        if one.entrant in (stage.went_on or ()):
            continue
        if one.status == "removed":
            rows.append(one)
            continue
        place, decided_by = one.place, None
        if place is not None and last is not None and place == level:
            place = last.place
        elif place is not None:
            place = above + 1
            decided_by = "stage" if last is None else first_of(stage.settings.tie_breaks, since)
        # Whoever came back after the stage had gone on without it stays out (SG9).
        gone = one.status == "withdrawn" and who.withdrawn and not who.stays_out
        last = replace(one, place=place, decided_by=decided_by, status="withdrawn" if gone else "out")
        rows.append(last)
        above, level, since = above + 1, one.place, []
    return rows


def standings_and_bounds(record: Record, stage: int | None = None) -> dict[str, Any]:
    """`{"standings": [ROW, ...], "bounds": {...}}`, as the command `standings` prints. Raises NoStage."""
    found = all_standings(record)
    if stage is not None and not 1 <= stage <= record.stage:
        raise NoStage(f"Stage {stage} has not begun.")
    rows = found.whole if stage is None else found.stages[stage - 1]
    has_bounds = stage in (None, record.stage)
    return {
        "standings": [row.as_json() for row in rows],
        "bounds": {entrant: bound.as_json() for entrant, bound in bounds(record).items()} if has_bounds else {},
    }


def _league(record: Record) -> tuple[Row, ...]:
    """Those with a place, then those without (PT7, PT9), then removed entrants in the order of entry."""
    counts = tally(record)
    with_place = placed(record, counts)
    removed = {entrant.id for entrant in record.entrants.values() if entrant.removed}
    unplaced = [entrant for entrant in record.entrants if entrant not in with_place | removed]
    tie_breaks = record.settings.tie_breaks
    seeds = record.seeds if record.stage > 1 else ()
    rows = [
        *_placed(record, counts, order(counts, with_place, tie_breaks, seeds=seeds)),
        *_unplaced(record, counts, order(counts, unplaced, tie_breaks, placed=False, seeds=seeds)),
    ]
    passed_over = _unplaced(record, counts, order(counts, removed, tie_breaks, placed=False))
    rows += sorted(passed_over, key=lambda row: record.entrants[row.entrant].number)
    return tuple(rows)


def _placed(record: Record, counts: Tally, ranked: Order) -> Iterator[Row]:
    """Rows with places 1, 2, 2, 4 (ST1)."""
    place = 1
    for group in ranked.groups:
        for at, entrant in enumerate(group.entrants):
            decided_by = group.decided_by if at == 0 else None
            yield row(record, counts, entrant, values=ranked.values[entrant], place=place, decided_by=decided_by)
        place += len(group.entrants)


def _unplaced(record: Record, counts: Tally, ranked: Order) -> Iterator[Row]:
    for group in ranked.groups:
        for entrant in group.entrants:
            yield row(record, counts, entrant, values=ranked.values[entrant], place=None)
