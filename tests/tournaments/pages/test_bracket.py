"""KO1, KO3: a knockout as a drawing, at tables of two to five."""

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

import pytest

from tournaments.picture.bracket import Box, Bracket, bracket_of
from tournaments.picture.tables import ResultLine, RoundLine, TableLine
from tournaments.picture.wording import Name, ordinal, shortened
from tournaments.rules.settings import read_settings

NOW = datetime(2026, 11, 21, 12, tzinfo=UTC)


def table(number: int, names: str, status: str = "closed") -> TableLine:
    """A table whose names stand in the order of places."""
    people = [Name(name, name, None) for name in names.split()]
    places = [(name, ordinal(place)) for place, name in enumerate(people, 1)]
    results = [ResultLine(places, is_void=False)] if status == "closed" else []
    return TableLine(number, status, people, results, [], [])


def round_of(number: int, *tables: TableLine) -> RoundLine:
    return RoundLine(number, f"Round {number}", tables, [], NOW, None, False, None)


def drawn(size: int, advance: int, *rounds: RoundLine, first: str = "") -> Bracket:
    settings = read_settings("threes", "knockout", {"tables": {"size": size}, "advance": advance})
    found = bracket_of(rounds, settings, first.split())
    assert found is not None
    return found


def column(bracket: Bracket, number: int) -> list[Box]:
    """The boxes of a round, from the top."""
    return sorted((box for box in bracket.boxes if box.x == bracket.columns[number][1]), key=lambda box: box.y)


def titles(boxes: Sequence[Box]) -> list[str]:
    return [box.title for box in boxes]


ELEVEN = (
    round_of(
        1, table(1, "ivy", "not_played"), table(2, "jo ada"), table(3, "fay eve"), table(4, "dan kim"),
        table(5, "gus cleo"), table(6, "bob hal"),
    ),
    round_of(2, table(1, "ivy bob"), table(2, "jo gus", "open"), table(3, "fay dan", "open")),
)  # fmt: skip


def test_tables_of_two_stand_beside_the_table_that_they_lead_to() -> None:
    """The snake of KO1 seats the first with the last: drawn in its order, all lines would cross."""
    bracket = drawn(2, 1, *ELEVEN)
    assert titles(column(bracket, 0)) == ["Table 1", "Table 6", "Table 2", "Table 5", "Table 3", "Table 4"]
    starts = [float(line.split("C")[0].split()[1]) for line in sorted(bracket.lines, key=lambda line: line)]
    assert len(bracket.lines) == len(starts) == 6
    ends = {float(line.split()[1].split("C")[0]): float(line.rsplit(" ", 1)[1]) for line in bracket.lines}
    assert [end for _, end in sorted(ends.items())] == sorted(ends.values()), "no lines cross"


def test_a_table_that_is_not_played_a_running_one_and_those_to_come_say_so() -> None:
    bracket = drawn(2, 1, *ELEVEN, first="ivy jo gus fay dan")
    assert [box.state for box in column(bracket, 0)].count("not_played") == 1
    assert [box.state for box in column(bracket, 1)] == ["closed", "open", "open"]
    assert titles(column(bracket, 2)) == ["Table 1", "Table 2"], "three go on: a table of two and one of one"
    assert titles(column(bracket, 3)) == ["Final"]
    on = {seat.name for box in column(bracket, 0) for seat in box.seats if seat.goes_on}
    assert on == {"ivy", "jo", "fay", "dan", "gus", "bob"}
    assert [seat.name for seat in column(bracket, 1)[0].seats if seat.goes_on] == ["ivy"]


@pytest.mark.parametrize("uncounted", [{"is_void": True}, {"is_void": False, "is_beyond": True}], ids=["void", "PT5"])
def test_ko3_a_result_that_does_not_count_gives_no_place(uncounted: dict[str, bool]) -> None:
    """A voided game of a knockout is played again."""
    played = table(1, "jo ada", "closed")
    void = replace(table(2, "fay eve"), results=[ResultLine(table(2, "fay eve").results[0].places, **uncounted)])
    again = replace(void, results=[*void.results, *table(2, "eve fay").results])
    before, after = (
        column(drawn(2, 1, round_of(1, played, one), first="jo eve"), 0)[1].seats
        for one in (replace(void, status="open"), again)
    )
    assert [(seat.name, seat.place, seat.goes_on) for seat in before] == [("fay", "", False), ("eve", "", False)]
    assert [(seat.name, seat.place, seat.goes_on) for seat in after] == [("fay", "2nd", False), ("eve", "1st", True)]


def test_ko4_who_did_not_come_does_not_go_on_and_fewer_are_expected() -> None:
    """Of tables of four with two who go on each, ada came alone: a final of three."""
    tables = table(1, "ada dan eve hal"), table(2, "bob cleo fay gus")
    bracket = drawn(4, 2, round_of(1, *tables), first="ada bob cleo")
    on = [seat.name for box in column(bracket, 0) for seat in box.seats if seat.goes_on]
    assert on == ["ada", "bob", "cleo"] and [len(box.seats) for box in column(bracket, 1)] == [3]
    assert len(drawn(4, 2, round_of(1, *tables), first="ada").columns) == 1, "one left has won"


@pytest.mark.parametrize("size", [4, 5])
def test_of_larger_tables_several_go_on(size: int) -> None:
    first = [table(number, " ".join(f"{number}.{seat}" for seat in range(1, size + 1))) for number in (1, 2)]
    bracket = drawn(size, 2, round_of(1, *first), round_of(2, table(1, "1.1 2.1 1.2 2.2", "open")))
    assert titles(column(bracket, 1)) == ["Final"]
    assert len(bracket.lines) == 4
    assert [seat.place for seat in column(bracket, 0)[0].seats] == [ordinal(place) for place in range(1, size + 1)]


def test_each_name_has_its_seed_from_the_first_round_to_the_final() -> None:
    settings = read_settings("threes", "knockout", {"tables": {"size": 2}, "advance": 1})
    rounds = round_of(1, table(1, "ada dan"), table(2, "bob cleo")), round_of(2, table(1, "bob ada", "open"))
    found = bracket_of(rounds, settings, ["bob", "ada"], seeds=["ada", "bob", "cleo", "dan"])
    assert found is not None
    seeds = [[(seat.name, seat.seed) for box in column(found, at) for seat in box.seats] for at in (0, 1)]
    assert seeds == [[("ada", 1), ("dan", 4), ("bob", 2), ("cleo", 3)], [("bob", 2), ("ada", 1)]]


def test_places_of_several_games_have_room_beside_a_name() -> None:
    one = table(1, "Bartholomew bob")
    box = column(drawn(2, 1, round_of(1, replace(one, results=[*one.results] * 3), table(2, "cleo dan"))), 0)[0]
    assert [(seat.name, seat.place) for seat in box.seats] == [("Barthol…", "1st 1st 1st"), ("bob", "2nd 2nd 2nd")]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("steady bot (e7)", "steady (e7)"),
        ("steady bot (e117)", "steady (e117)"),
        ("Bartholomew bot (e117)", "Bart… (e117)"),
        ("ada (e7)", "ada (e7)"),
        ("Bartholomew", "Bartholomew"),
        ("Bartholomew-Featherstonehaugh", "Bartholome…"),
        ("wwwwwwwwwwwwwwwwwwww", "wwwwww…"),
    ],
)
def test_a_shortened_name_keeps_what_tells_it_apart(name: str, short: str) -> None:
    assert shortened(name, 12) == short


def test_sg13_the_columns_of_a_later_stage_are_numbered_within_it() -> None:
    settings = read_settings("threes", "knockout", {"tables": {"size": 2}, "advance": 1})
    bracket = bracket_of([round_of(6, table(1, "ada bob"), table(2, "cleo dan"))], settings, ["ada", "cleo"], before=5)
    assert bracket is not None
    assert [title for title, _ in bracket.columns] == ["Round 1", "Round 2"]
