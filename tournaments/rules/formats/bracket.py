"""The rounds of a knockout so far: each table's order, who can go on, and who is still in (KO1, KO3, KO4)."""

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
    """The entrants with a rank of their own, best first; all others share the table's last rank."""
    left: frozenset[str]
    """Those who left before the next round was seated, unless they were out by then."""
    going_on: tuple[str, ...]
    """Those who go on from a complete table, or can still do so, best first."""
    complete: bool

    def rank(self, entrant: str) -> int:
        """The entrant's rank, counted from 1."""
        return 1 + (self.ranked.index(entrant) if entrant in self.ranked else len(self.values) - 1)


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
    def final(self) -> Table | None:
        """The table of the final, once it is complete."""
        last = self.stages[-1].tables[0] if self.stages and self.stages[-1].final else None
        return last if last is not None and last.complete else None

    @property
    def nobody_left(self) -> bool:
        """True if nobody can win any more, so that the first place stays empty (KO4)."""
        return not self.still_in and not (self.final and self.final.ranked)


def bracket(record: Record) -> Bracket:
    """The bracket of a knockout as of the record's last line."""
    games = counted_games(record)
    at_table = defaultdict[Seat | None, list[Game]](list)
    for game in games:
        at_table[record.results[game.id].seat].append(game)
    rounds = sorted(record.rounds.values(), key=lambda seated: seated.number)
    now = record.gone()
    stages = []
    for at, seated in enumerate(rounds):
        left = rounds[at + 1].gone if at + 1 < len(rounds) else now
        final = len(seated.tables) == 1 and not seated.byes
        walkovers = [(entrant,) for entrant in seated.byes]
        tables = []
        for number, entrants in enumerate((*seated.tables, *walkovers), 1):
            seat = (seated.number, number)
            tables.append(_table(record, seat, entrants, at_table[seat], left, final=final))
        stages.append(Stage(seated.number, tuple(tables), final))
    return Bracket(tuple(stages), tuple(games), _still_in(record, stages))


def is_out(record: Record, entrant: str) -> bool:
    """Return whether the entrant does not go on from its table of the last round, or that was the final."""
    found = bracket(record)
    last = next((table for table in found.stages[-1].tables if entrant in table.values), None) if found.stages else None
    return last is not None and last.complete and (last is found.final or entrant not in last.going_on)


def _table(
    record: Record, seat: Seat, entrants: tuple[str, ...], games: list[Game], left: frozenset[str], *, final: bool
) -> Table:
    """KO3: the order is the total, then the tie-breaks, then the seed. KO4: those who did not come are out."""
    results = record.standing_at(seat)
    advance = record.settings.advance or 0
    walkover = not final and len(entrants) <= advance
    over = len(results) >= record.settings.games_per_table or all(record.entrants[one].removed for one in entrants)
    tally = tally_of(record, games, {entrant: [] for entrant in entrants})
    removed = [entrant for entrant in entrants if entrant in left and record.entrants[entrant].removed]
    there = [entrant for entrant in entrants if entrant not in removed]
    found = order(tally, there, record.settings.tie_breaks)
    last = left
    if over and not walkover:
        came = {player.entrant for result in results for player in result.players if not player.absent}
        last = left.union(entrants) - (came - left)
    ranked = [entrant for group in found.groups for entrant in sorted(group.entrants, key=record.seeds.index)]
    ranked = [entrant for entrant in ranked if entrant not in last]
    going_on = [entrant for entrant in ranked if record.entrants[entrant].is_in]
    complete = walkover or over
    return Table(
        tally=tally,
        values=found.values | order(tally, removed, record.settings.tie_breaks, placed=False).values,
        ranked=tuple(ranked),
        left=left.intersection(entrants),
        going_on=tuple(going_on[:advance] if complete else going_on),
        complete=complete,
    )


def _still_in(record: Record, stages: list[Stage]) -> frozenset[str]:
    if not stages:
        return frozenset(entrant.id for entrant in record.entrants.values() if entrant.is_in)
    last = stages[-1]
    if last.final and last.tables[0].complete:
        return frozenset()
    return frozenset(entrant for table in last.tables for entrant in table.going_on)
