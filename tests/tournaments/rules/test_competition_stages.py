"""SG1 to SG9: a tournament in stages."""

import random
from dataclasses import replace
from typing import Any

import pytest
from hypothesis import given

from tests.tournaments.rules.notation import document
from tests.tournaments.rules.rounds import played
from tests.tournaments.rules.table import Table
from tournaments.rules import BadRecord, NoRound, NoStage, Record, evolve, read_record, upto
from tournaments.rules.cut import next_stage
from tournaments.rules.seating import seat
from tournaments.rules.standings import standings, standings_and_bounds

FOUR = """rounds tables={"size":4,"min":2} rounds=1 take=2
then rounds tables={"size":2} rounds=1
enter ada bob cleo dan
round 1: ada bob cleo dan
"""
PLAYED = FOUR + "g1 at 1.1: ada > bob > cleo > dan\n"
CARRIED = PLAYED.replace('then rounds tables={"size":2}', "then rounds carry=true").replace("take=2", "take=3")
EIGHT = """knockout advance=2 take=4
then season total="sum"
enter ada bob cleo dan eve fay gus hal
seed ada bob cleo dan eve fay gus hal
round 1: ada dan eve hal | bob cleo fay gus
g1 at 1.1: dan > ada > eve > hal
g2 at 1.2: gus > bob > cleo > fay
"""


def names(record: Record, entrants: Any) -> list[str | None]:
    return [record.everybody[entrant].name for entrant in entrants]


def on(text: str, *, early: bool = False) -> tuple[list[str | None], str | None]:
    """Who goes on, the best seed first, and what decided the last place."""
    record = read_record(document(text))
    found = next_stage(record, early=early)
    return names(record, found.seeds), found.decided_by


def refused(text: str) -> str:
    with pytest.raises(BadRecord) as error:
        read_record(document(text))
    return str(error.value)


@pytest.mark.parametrize(
    ("head", "named"),
    [
        ("rounds rounds=1 take=1\nthen season", "take"),
        ("season take=2\nthen season take=2", "take"),
        ("rounds take=2\nthen season", "rounds"),
        ("season take=2\nthen rounds carry=true", "carry"),
        ("rounds rounds=1 take=2\nthen season carry=true", "carry"),
        ('rounds rounds=1 take=2\nthen rounds carry=true tables={"size":3}', "tables"),
        ("rounds rounds=1 take=2\nthen knockout", "advance"),
        ("season take=2\n" + "then season take=2\n" * 3 + "then season", "stages"),
    ],
)
def test_sg1_a_head_that_makes_no_sense_is_refused(head: str, named: str) -> None:
    assert named in refused(f"{head}\nenter ada bob")


@pytest.mark.parametrize("beside", [{"kind": "season"}, {"settings": {}}])
def test_sg1_stages_stand_in_place_of_kind_and_settings(beside: dict[str, Any]) -> None:
    with pytest.raises(BadRecord, match="stages"):
        read_record(document(PLAYED) | beside)


@given(played(2, 9, rounds=3))
def test_sg1_a_tournament_of_a_kind_is_one_stage(record: Record) -> None:
    raw: dict[str, Any] = {"kind": record.kind, "settings": record.settings.as_json()}
    alone, staged = _with_lines(raw, record), _with_lines({"stages": [raw]}, record)
    one = standings_and_bounds(staged)
    assert all(row.pop("stage") == 1 for row in one["standings"])
    assert one == standings_and_bounds(alone) == standings_and_bounds(record)
    assert _seating(staged) == _seating(alone)


def _with_lines(head: dict[str, Any], of: Record) -> Record:
    """The record with this head and the lines of another."""
    start = {"format": "trey-tournament/1", "title": "", "game": of.game, "seed": of.seed, "log": []}
    return upto(replace(read_record(start | head), lines=(*of.lines, of.lines[-1])), of.n)


def _seating(record: Record) -> Any:
    try:
        return seat(record).as_json()
    except NoRound as none:
        return str(none)


@pytest.mark.parametrize(
    ("line", "n"),
    [
        ("stage 3: ada bob", 7),
        ("stage 2: ada", 7),
        ("stage 2: ada ada", 7),
        ("bob withdraws\nstage 2: ada bob", 8),
        ("bob is removed\nstage 2: ada bob", 8),
        ("finish\nstage 2: ada bob", 8),
        ("stage 2: ada bob\nstage 3: ada bob", 8),
        ("stage 2: ada bob\nenter eve", 8),
        ("stage 2: ada bob\nseed ada bob cleo dan", 8),
        ("stage 2: ada bob\nround 2: ada cleo", 8),
        ("stage 2: ada bob\nround 1: ada bob", 8),
        ("stage 2: ada bob\ng2: ada > cleo", 8),
        ("stage 2: ada bob\nadjust cleo 1", 8),
        ("g2 in 2: ada > bob", 7),
        ("stage 2: ada bob\nround 2: ada bob\ng2 at 2.1 in 1: ada > bob", 9),
    ],
)
def test_sg2_a_line_that_does_not_fit_its_stage_is_refused(line: str, n: int) -> None:
    assert refused(PLAYED + line).startswith(f"n {n}: ")


def test_sg2_the_line_says_who_is_in_and_how_they_are_seeded() -> None:
    table = Table(PLAYED + "stage 2: cleo ada")
    assert table.order == ["cleo", "ada", "bob", "dan"]
    assert table.place == {"cleo": 1, "ada": 2, "bob": 3, "dan": 4}
    assert table.stage == {"cleo": 2, "ada": 2, "bob": 1, "dan": 1}


def test_sg3_a_result_belongs_to_the_stage_of_its_round_or_to_the_one_it_names() -> None:
    late = Table(FOUR + "stage 2: ada bob\ng1 at 1.1: dan > cleo > bob > ada")
    assert (late.total["ada"], late.total["dan"], late.order) == ("0", "1", ["ada", "bob", "dan", "cleo"])
    season = 'season total="sum" take=2\nthen season total="sum"\nenter ada bob cleo dan\nstage 2: ada bob\n'
    named = Table(season + "g1: bob > ada\ng2 in 1: dan > cleo\nadjust cleo 3 in 1")
    assert named.total == {"bob": "1", "ada": "0", "cleo": "3", "dan": "1"}
    assert named.kept == {"bob": ["g1"], "ada": ["g1"], "cleo": ["g2"], "dan": ["g2"]}


def test_sg3_rounds_are_numbered_through_and_counted_by_the_stage() -> None:
    record = read_record(document(PLAYED + "stage 2: ada bob"))
    assert seat(record).round == 2
    over = read_record(document(PLAYED + "stage 2: ada bob\nround 2: ada bob\ng2 at 2.1: ada > bob"))
    with pytest.raises(NoRound, match="All 1 rounds"):
        seat(over)
    assert Table(PLAYED + "stage 2: ada bob\nround 2: ada bob").final == {"ada": [1, 2], "bob": [1, 2]}


def test_sg4_the_first_of_the_standings_go_on() -> None:
    assert on(PLAYED) == (["ada", "bob"], "total")
    assert on(PLAYED + "bob withdraws") == (["ada", "cleo"], "total")
    assert on(PLAYED + "dan withdraws\ncleo is removed") == (["ada", "bob"], None)


def test_sg4_the_tie_breaks_that_are_not_named_come_before_the_lot() -> None:
    level = FOUR.replace("rounds=1 take", "rounds=1 tie_breaks=[] take") + "g1 at 1.1: ada > bob = cleo!1 > dan"
    assert Table(level).place == {"ada": 1, "bob": 2, "cleo": 2, "dan": 4}
    assert on(level) == (["ada", "bob"], "timeouts")
    drawn = level.replace("!1", "")
    found, decided_by = on(drawn)
    assert (decided_by, found[0]) == ("lot", "ada")
    record = read_record(document(drawn) | {"seed": None})
    with pytest.raises(NoStage, match="seed"):
        next_stage(record)


def test_sg4_of_a_knockout_those_go_on_who_are_not_out() -> None:
    assert on(EIGHT) == (["ada", "bob", "dan", "gus"], None)
    assert on(EIGHT + "dan withdraws") == (["ada", "bob", "eve", "gus"], None), "eve moves up (KO3)"
    final = EIGHT.replace("take=4", "take=2") + "round 2: ada bob dan gus\ng3 at 2.1: gus > dan > bob > ada"
    assert on(final) == (["gus", "dan"], None)


def passed_over(text: str) -> list[str | None]:
    record = read_record(document(text))
    return names(record, next_stage(record).passed)


def test_sg4_who_would_go_on_but_is_not_in_is_passed_over() -> None:
    assert passed_over(PLAYED) == []
    assert passed_over(PLAYED + "ada withdraws\ndan withdraws") == ["ada"]
    assert passed_over(PLAYED.replace("take=2", "take=4") + "dan withdraws") == ["dan"], "fewer than four go on"
    final = EIGHT.replace("take=4", "take=2") + "round 2: ada bob dan gus\ng3 at 2.1: gus > dan > bob > ada\n"
    assert passed_over(final + "gus withdraws") == ["gus"]


def test_sg4_a_knockout_is_left_once_its_entrants_are_seeded() -> None:
    unseeded = "knockout advance=1 take=2\nthen season\nenter ada bob cleo"
    with pytest.raises(NoStage, match="be seeded"):
        next_stage(read_record(document(unseeded)), early=True)


@pytest.mark.parametrize(
    ("text", "why"),
    [
        (FOUR, "open game"),
        (PLAYED.replace("rounds=1 take", "rounds=2 take"), "still to come"),
        (PLAYED + "finish", "finished"),
        (PLAYED + "stage 2: ada bob", "no stage after"),
        (PLAYED + "bob withdraws\ncleo withdraws\ndan withdraws", "at least 2"),
        (PLAYED.replace('then rounds tables={"size":2}', 'then rounds tables={"size":4,"min":3}'), "at least 3"),
        (EIGHT + "void g1", "open table"),
        (EIGHT.replace("take=4", "take=2"), "4 are left"),
        ("season\nenter ada bob", "no stage after"),
    ],
)
def test_sg5_a_stage_is_left_once_it_is_over(text: str, why: str) -> None:
    with pytest.raises(NoStage, match=why):
        next_stage(read_record(document(text)))


def test_sg5_an_organiser_may_end_a_stage_early() -> None:
    assert on(PLAYED.replace("rounds=1 take", "rounds=2 take"), early=True) == (["ada", "bob"], "total")
    assert on(EIGHT.replace("g2", "# g2"), early=True)[0] == ["ada", "bob", "cleo", "dan"]


def test_sg5_a_knockout_seats_no_final_of_those_who_go_on_anyway() -> None:
    with pytest.raises(NoRound, match="over"):
        seat(read_record(document(EIGHT)))
    assert seat(read_record(document(EIGHT.replace("take=4", "take=3")))).round == 2


def test_sg6_only_what_is_played_in_a_later_stage_counts_in_it_and_seeds_decide() -> None:
    table = Table(PLAYED + "stage 2: bob ada\nround 2: ada bob\ng2 at 2.1: ada = bob")
    assert table.total == {"bob": "1/2", "ada": "1/2", "cleo": "1/3", "dan": "0"}
    assert (table.order[:2], table.decided_by["ada"]) == (["bob", "ada"], "seed")


@pytest.mark.parametrize("seeds", ["cleo bob ada", "cleo ada bob"])
def test_sg6_of_those_level_without_a_place_the_lower_seed_has_the_bye(seeds: str) -> None:
    stages = PLAYED.replace("take=2", "take=3").replace(
        'tables={"size":2} rounds=1', 'tables={"size":2,"max":2} rounds=3 total="mean" min_games=9'
    )
    record = read_record(document(stages + f"stage 2: {seeds}\nround 2: ada bob; bye cleo\ng2 at 2.1: ada = bob"))
    assert names(record, seat(record).byes) == seeds.split()[-1:]


def test_sg6_a_stage_that_carries_the_one_before_goes_on_with_fewer() -> None:
    later = CARRIED + "stage 2: ada bob cleo\nround 2: ada bob cleo\ng2 at 2.1: cleo > bob > ada\n"
    table = Table(later)
    assert table.total == {"cleo": "4/3", "bob": "7/6", "ada": "1", "dan": "0"}
    assert (table.kept["cleo"], table.kept["dan"]) == (["g1", "g2"], ["g1"])
    assert Table(later + "void g1").total == {"cleo": "1", "bob": "1/2", "ada": "0", "dan": "0"}
    assert Table(later + "adjust bob 1").total["bob"] == "13/6"


def test_sg7_who_fell_out_stands_below_in_the_order_of_their_stage() -> None:
    table = Table(PLAYED + "ada withdraws\nstage 2: bob cleo")
    assert table.order == ["bob", "cleo", "ada", "dan"]
    assert table.place == {"bob": 1, "cleo": 2, "ada": 3, "dan": 4}
    assert table.decided_by == {"bob": None, "cleo": "seed", "ada": "stage", "dan": "total"}
    assert table.status == {"bob": "in", "cleo": "in", "ada": "withdrawn", "dan": "out"}


def test_sg7_who_fell_out_level_shares_a_place_and_the_removed_stand_at_the_end() -> None:
    table = Table(
        FOUR.replace("rounds=1 take", "rounds=1 tie_breaks=[] take").replace("cleo dan", "cleo dan eve")
        + "g1 at 1.1: ada > bob > cleo = dan > eve\nstage 2: ada bob\nbob is removed"
    )
    assert table.order == ["ada", "cleo", "dan", "eve", "bob"]
    assert table.place == {"ada": 1, "cleo": 2, "dan": 2, "eve": 4, "bob": None}


def test_sg7_a_stage_by_itself() -> None:
    text = PLAYED + "stage 2: bob ada\nround 2: ada bob\ng2 at 2.1: bob > ada"
    first, second = Table(text, stage=1), Table(text, stage=2)
    assert (first.order, first.place["ada"], first.bounds) == (["ada", "bob", "cleo", "dan"], 1, {})
    assert (first.stage["ada"], first.status["cleo"]) == (2, "out")
    assert (second.order, set(second.bounds)) == (["bob", "ada"], {"ada", "bob"})
    with pytest.raises(NoStage, match="Stage 2 has not begun"):
        Table(PLAYED, stage=2)


def test_sg8_the_cut_says_who_goes_on_whatever_happens() -> None:
    two = FOUR.replace('"size":4,"min":2', '"size":2').replace("ada bob cleo dan\n", "ada bob | cleo dan\n", 2)
    two = two.replace("enter ada bob | cleo dan", "enter ada bob cleo dan") + "g1 at 1.1: ada > bob\n"
    assert Table(two).cut == {"ada": "through", "bob": "out", "cleo": "open", "dan": "open"}
    assert Table(two + "g2 at 1.2: cleo > dan").cut["cleo"] == "through"
    assert "cut" not in Table(two + "finish").bounds["ada"]


def test_sg8_a_cut_that_needs_a_lot_nobody_knows_is_open() -> None:
    level = FOUR.replace("rounds=1 take", "rounds=1 tie_breaks=[] take") + "g1 at 1.1: ada > bob = cleo > dan"
    record = read_record(document(level) | {"seed": None})
    cuts = [bounds["cut"] for bounds in standings_and_bounds(record)["bounds"].values()]
    assert cuts == ["through", "open", "open", "out"]


def test_sg9_who_comes_back_after_the_cut_stays_out() -> None:
    table = Table(PLAYED + "ada withdraws\nstage 2: bob cleo\nada returns\nada withdraws\ncleo withdraws")
    assert (table.status["ada"], table.status["cleo"]) == ("out", "withdrawn")
    assert table.order == ["bob", "cleo", "ada", "dan"]


def test_sg9_a_ruling_on_a_stage_that_was_left_changes_its_order_not_who_went_on() -> None:
    ruled = Table(EIGHT + "stage 2: ada bob dan gus\nvoid g1\ng3 at 1.1 by ruling: eve > hal > ada > dan")
    assert ruled.order == ["ada", "bob", "dan", "gus", "eve", "hal", "cleo", "fay"]
    assert ruled.place["eve"] == 5
    assert ruled.status["ada"] == "in"
    removed = Table(EIGHT + "stage 2: ada bob dan gus\neve is removed", stage=1)
    assert removed.place == {"ada": 1, "bob": 1, "dan": 1, "gus": 1, "cleo": 5, "fay": 6, "hal": 6, "eve": None}


def test_sg9_a_removal_taken_back_after_the_cut_changes_no_rank() -> None:
    """SG9: in a knockout, who is reinstated stands where they stood."""
    left = EIGHT + "stage 2: ada bob dan gus\n"
    assert Table(left + "eve is removed\neve is reinstated").place == Table(left).place


@given(played(4, 9, rounds=3))
def test_sg9_nothing_of_an_earlier_line_changes_with_a_stage(record: Record) -> None:
    """The standings as of each line are those of the record that ended there (ST11)."""
    raw = {"kind": record.kind, "settings": record.settings.as_json(), "take": 2}
    staged = _with_lines({"stages": [raw, {"kind": "season"}]}, record)
    before = standings(staged)
    there = [row.entrant for row in before if row.status == "in"]
    if len(there) < 2:
        return
    random.Random(record.seed).shuffle(there)
    line = {"n": staged.n + 1, "at": "2026-01-03T00:00:00Z", "type": "staged", "stage": 2, "seeds": there[:2]}
    after = evolve(staged, line)
    assert standings(upto(after, staged.n)) == before
    assert [row.entrant for row in standings(after)][:2] == there[:2]
    assert sorted(row.entrant for row in standings(after)) == sorted(row.entrant for row in before)
