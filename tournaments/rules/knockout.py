"""A knockout: the best of each table go on until one table is left, the final (KO1 to KO4)."""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from tournaments.rules.counting import counted_games, tally, tally_of
from tournaments.rules.errors import NoRound
from tournaments.rules.order import Row, Status, number, order, row
from tournaments.rules.record import NextRound, Record, Seat
from tournaments.rules.tally import Game, Tally
from tournaments.rules.tie_breaks import Value


@dataclass(frozen=True, slots=True)
class KnockoutTable:
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
        return 1 + (self.ranked.index(entrant) if entrant in self.ranked else len(self.values) - 1)


@dataclass(frozen=True, slots=True)
class BracketRound:
    number: int
    tables: tuple[KnockoutTable, ...]
    final: bool


@dataclass(frozen=True, slots=True)
class Bracket:
    """All rounds seated so far, the first one first."""

    rounds: tuple[BracketRound, ...]
    games: tuple[Game, ...]
    """All counted games of all tables."""
    still_in: frozenset[str]
    """The entrants who can still win, or went on to the next stage; empty once the final is complete."""

    @property
    def final(self) -> KnockoutTable | None:
        last = self.rounds[-1].tables[0] if self.rounds and self.rounds[-1].final else None
        return last if last is not None and last.complete else None

    @property
    def has_open_table(self) -> bool:
        """True if a table of the last round is open."""
        return bool(self.rounds) and not all(table.complete for table in self.rounds[-1].tables)

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
    played = []
    for at, seated in enumerate(rounds):
        left = rounds[at + 1].gone if at + 1 < len(rounds) else now
        final = len(seated.tables) == 1 and not seated.byes
        walkovers = [(entrant,) for entrant in seated.byes]
        tables = []
        for nth, entrants in enumerate((*seated.tables, *walkovers), 1):
            seat = (seated.number, nth)
            tables.append(_table(record, seat, entrants, at_table[seat], left, final=final))
        played.append(BracketRound(seated.number, tuple(tables), final))
    return Bracket(tuple(played), tuple(games), _still_in(record, played))


def is_seeded(record: Record) -> bool:
    return bool(record.seeds) and set(record.seeds) == set(record.entrants)


def is_out(record: Record, entrant: str) -> bool:
    """Return whether the entrant has no table in the last round, or does not go on from it, or it was the final."""
    found = bracket(record)
    last = next((table for table in found.rounds[-1].tables if entrant in table.values), None)
    return last is None or (last.complete and (last is found.final or entrant not in last.going_on))


def first_beyond(record: Record) -> tuple[str, ...]:
    """Of each complete table of the last round, who goes on if somebody who does withdraws (KO3)."""
    found = bracket(record)
    advance = record.settings.advance or 0
    tables = found.rounds[-1].tables if found.rounds and not found.rounds[-1].final else ()
    there = [[one for one in table.ranked if record.entrants[one].is_in] for table in tables if table.complete]
    return tuple(entrant for ranked in there for entrant in ranked[advance : advance + 1])


def _table(
    record: Record, seat: Seat, entrants: tuple[str, ...], games: list[Game], left: frozenset[str], *, final: bool
) -> KnockoutTable:
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
    return KnockoutTable(
        tally=tally,
        values=found.values | order(tally, removed, record.settings.tie_breaks, placed=False).values,
        ranked=tuple(ranked),
        left=left.intersection(entrants),
        going_on=tuple(going_on[:advance] if complete else going_on),
        complete=complete,
    )


def _still_in(record: Record, played: list[BracketRound]) -> frozenset[str]:
    if played and played[-1].final and played[-1].tables[0].complete:
        return frozenset()
    if record.went_on is not None:
        return record.went_on
    if not played:
        return frozenset(entrant.id for entrant in record.entrants.values() if entrant.is_in)
    return frozenset(entrant for table in played[-1].tables for entrant in table.going_on)


def standings(record: Record) -> tuple[Row, ...]:
    """By place, then by the order of entry; removed entrants at the end (KO3, ST10)."""
    found = bracket(record)
    last = {entrant: table for one in found.rounds for table in one.tables for entrant in table.values}
    places = _places(record, found, last)
    overall = tally(record)
    unseated = tally_of(record, [], {entrant: [] for entrant in record.entrants if entrant not in last})
    nothing = order(unseated, list(unseated.counted), record.settings.tie_breaks, placed=False)
    rows = []
    for entrant in record.entrants:
        table = last.get(entrant)
        own = row(
            record,
            table.tally if table else unseated,
            entrant,
            values=table.values[entrant] if table else nothing.values[entrant],
            place=places.get(entrant),
        )
        games, byes = len(overall.counted[entrant]), overall.byes[entrant]
        rows.append(replace(own, games=games, byes=byes, status=_status(record, found, last, entrant)))
    return tuple(sorted(rows, key=lambda row: (row.place is None, row.place or 0, number(row.entrant))))


def next_round(record: Record) -> NextRound:
    """The next tables, the snake by seed (KO1). Raises NoRound."""
    found = bracket(record)
    if not is_seeded(record):
        raise NoRound("All entrants of a knockout must be seeded before it is seated.")
    if found.rounds and found.rounds[-1].final:
        raise NoRound("The final has already been seated.")
    if found.has_open_table:
        raise NoRound(f"Round {found.rounds[-1].number} has an open table.")
    left = [entrant for entrant in record.seeds if entrant in found.still_in]
    if record.take is not None and len(left) <= record.take:
        raise NoRound(f"The stage is over: {len(left)} are left, and {record.take} are through.")
    if len(left) < 2:
        raise NoRound(f"{left[0]} has won: nobody else is left." if left else "Nobody is left.")
    tables = _snake(left, record.settings.tables.size)
    return NextRound(
        round=record.next_round,
        tables=tuple(map(tuple, tables)),
        byes=(),
        repeats=_repeats(record, tables),
    )


def _snake(entrants: Sequence[str], size: int) -> list[list[str]]:
    """As few tables as possible, filled 1 to t, then t to 1, and so on; up to `size` entrants are the final table."""
    count = -(-len(entrants) // size)
    tables: list[list[str]] = [[] for _ in range(count)]
    for at, entrant in enumerate(entrants):
        turn, step = divmod(at, count)
        tables[count - 1 - step if turn % 2 else step].append(entrant)
    return tables


def _repeats(record: Record, tables: Sequence[Sequence[str]]) -> int:
    def pairs(tables: Sequence[Sequence[str]]) -> set[frozenset[str]]:
        return {frozenset(pair) for table in tables for pair in combinations(table, 2)}

    met = set[frozenset[str]]().union(*(pairs(seated.tables) for seated in record.rounds.values()))
    return len(met & pairs(tables))


def _places(record: Record, found: Bracket, last: Mapping[str, KnockoutTable]) -> dict[str, int]:
    """KO3: those still in share first place; others follow by round, the last one first, then by rank at the table."""
    groups: list[list[str]] = [[entrant for entrant in found.still_in if not record.entrants[entrant].removed]]
    for one in reversed(found.rounds):
        by_rank = defaultdict[int, list[str]](list)
        for table in one.tables:
            for entrant in table.values:
                if last[entrant] is table and entrant not in found.still_in and not record.entrants[entrant].removed:
                    # Without a winner all of the last round share the second place (KO4).
                    level = found.nobody_left and one is found.rounds[-1]
                    by_rank[0 if level else table.rank(entrant)].append(entrant)
        groups += [by_rank[rank] for rank in sorted(by_rank)]
    groups.append(
        [
            entrant.id
            for entrant in record.entrants.values()
            if entrant.id not in last and entrant.id not in found.still_in and not entrant.removed
        ]
    )
    places: dict[str, int] = {}
    first = 2 if found.nobody_left else 1
    for group in groups:
        places |= dict.fromkeys(group, len(places) + first)
    return places


def _status(record: Record, found: Bracket, last: Mapping[str, KnockoutTable], entrant: str) -> Status:
    who = record.entrants[entrant]
    if who.removed:
        return "removed"
    if entrant in found.still_in:
        return "in"
    table = last.get(entrant)
    if table is None or entrant in table.left:
        return "withdrawn" if who.withdrawn and who.out_in is None else "out"
    at_final = found.rounds[-1].final and table is found.rounds[-1].tables[0]
    if not at_final or (table.complete and entrant not in table.ranked):
        return "out"
    return "withdrawn" if who.withdrawn else "in"
