"""The rounds of a knockout so far: each table's order, who can go on, and who is still in (KO1, KO3)."""

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass

from tournaments.rules.counting import counted_games, tally_of
from tournaments.rules.order import order
from tournaments.rules.record import Record, Seat
from tournaments.rules.tally import Game, Tally
from tournaments.rules.tie_breaks import Value


@dataclass(frozen=True, slots=True)
class Table:
    """A table of a knockout. A bye is a table of one."""

    tally: Tally
    """The tally of the table's own games."""
    values: Mapping[str, Mapping[str, Value]]
    """Each entrant's tie-breaks, from the table's own games."""
    ranked: tuple[str, ...]
    """In the table's order, each with its own rank; those who left before the next round was seated come last."""
    left: frozenset[str]
    """Those entrants who left before the next round was seated."""
    complete: bool

    @property
    def eligible(self) -> list[str]:
        """The entrants who can go on, best first."""
        return [entrant for entrant in self.ranked if entrant not in self.left]


@dataclass(frozen=True, slots=True)
class Stage:
    """A round of a knockout."""

    number: int
    tables: tuple[Table, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Bracket:
    """All rounds seated so far, the first one first."""

    stages: tuple[Stage, ...]
    games: tuple[Game, ...]
    """All counted games of all tables."""
    still_in: frozenset[str]
    """The entrants who can still win; empty once the final is complete."""

    @property
    def decided(self) -> bool:
        """True if the final is complete."""
        return bool(self.stages) and self.stages[-1].final and self.stages[-1].tables[0].complete


def bracket(record: Record) -> Bracket:
    """The bracket of a knockout as of the record's last line."""
    games = counted_games(record)
    at_table = defaultdict[Seat | None, list[Game]](list)
    for game in games:
        at_table[record.results[game.id].seat].append(game)
    rounds = sorted(record.rounds.values(), key=lambda seated: seated.number)
    now = frozenset(entrant.id for entrant in record.entrants.values() if not entrant.is_in)
    stages = []
    for at, seated in enumerate(rounds):
        left = rounds[at + 1].gone if at + 1 < len(rounds) else now
        final = len(seated.tables) == 1 and not seated.byes
        walkovers = [(entrant,) for entrant in seated.byes]
        tables = []
        for number, entrants in enumerate((*seated.tables, *walkovers), 1):
            seat = (seated.number, number)
            complete = _complete(record, seat, entrants, left, final=final)
            tables.append(_table(record, entrants, at_table[seat], left, complete=complete))
        stages.append(Stage(seated.number, tuple(tables), final))
    return Bracket(tuple(stages), tuple(games), _still_in(record, stages))


def _complete(record: Record, seat: Seat, entrants: tuple[str, ...], left: frozenset[str], *, final: bool) -> bool:
    """Return whether all results are in, or none is needed because everybody goes on or has left (KO1, KO3)."""
    walkover = not final and len(entrants) <= (record.settings.advance or 0)
    enough = len(record.standing_at(seat)) >= record.settings.games_per_table
    return walkover or enough or left.issuperset(entrants)


def _table(
    record: Record, entrants: tuple[str, ...], games: list[Game], left: frozenset[str], *, complete: bool
) -> Table:
    """KO3: the order is the total, then the tie-breaks, then the seed."""
    tally = tally_of(record, games, {entrant: [] for entrant in entrants})
    removed = [entrant for entrant in entrants if entrant in left and record.entrants[entrant].removed]
    there = [entrant for entrant in entrants if entrant not in removed]
    found = order(tally, there, record.settings.tie_breaks)
    ranked = [entrant for group in found.groups for entrant in sorted(group.entrants, key=record.seeds.index)]
    return Table(
        tally=tally,
        values=found.values | order(tally, removed, record.settings.tie_breaks, placed=False).values,
        ranked=(*sorted(ranked, key=left.__contains__), *removed),
        left=left.intersection(entrants),
        complete=complete,
    )


def _still_in(record: Record, stages: list[Stage]) -> frozenset[str]:
    if not stages:
        return frozenset(entrant.id for entrant in record.entrants.values() if entrant.is_in)
    last = stages[-1]
    if last.final and last.tables[0].complete:
        return frozenset()
    advance = record.settings.advance
    return frozenset(
        entrant for table in last.tables for entrant in (table.eligible[:advance] if table.complete else table.eligible)
    )
