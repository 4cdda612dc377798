"""Knockouts (KO1 to KO4)."""

import pytest

from tests.tournaments.rules.notation import document
from tests.tournaments.rules.table import Table
from tournaments.rules import NextRound, NoRound, Record, read_record
from tournaments.rules.seating import seat

EIGHT = """
    knockout advance=2
    enter ada bob cleo dan eve fay gus hal
    seed ada bob cleo dan eve fay gus hal
    round 1: ada dan eve hal | bob cleo fay gus
"""
FIRST_ROUND = EIGHT + "g1 at 1.1: ada > dan > eve > hal\ng2 at 1.2: bob > cleo > fay > gus\n"
FINAL = FIRST_ROUND + "round 2: ada bob cleo dan\n"


def names(record: Record, next_round: NextRound) -> list[list[str]]:
    return [[record.entrants[entrant].name or "" for entrant in table] for table in next_round.tables]


def seated(text: str) -> list[list[str]]:
    record = read_record(document(text))
    return names(record, seat(record))


def of(entrants: int, size: int, advance: int = 1) -> NextRound:
    everybody = " ".join(f"p{number}" for number in range(1, entrants + 1))
    settings = f'tables={{"size":{size}}} advance={advance}'
    return seat(read_record(document(f"knockout {settings}\nenter {everybody}\nseed {everybody}")))


def test_ko1_a_snake_by_seed_fills_as_few_tables_as_can_be():
    assert [list(table) for table in of(10, 4).tables] == [
        ["e1", "e6", "e7"],
        ["e2", "e5", "e8"],
        ["e3", "e4", "e9", "e10"],
    ]


@pytest.mark.parametrize("size", [2, 3, 4, 5])
@pytest.mark.parametrize("entrants", range(2, 42))
def test_ko1_sizes_differ_by_at_most_one(entrants, size):
    sizes = [len(table) for table in of(entrants, size).tables]
    assert len(sizes) == -(-entrants // size)
    assert sum(sizes) == entrants and max(sizes) - min(sizes) <= 1


def test_ko1_up_to_a_full_table_is_the_final():
    assert of(4, 4).tables == (("e1", "e2", "e3", "e4"),)
    assert of(2, 4, advance=2).tables == (("e1", "e2"),)


def test_ko1_the_best_of_each_table_go_on_and_keep_their_seeds():
    assert seated(FIRST_ROUND) == [["ada", "bob", "cleo", "dan"]]
    assert seated(EIGHT + "g1 at 1.1: hal > eve > dan > ada\ng2 at 1.2: gus > fay > cleo > bob") == [
        ["eve", "fay", "gus", "hal"]
    ]


def test_ko1_a_table_of_no_more_than_go_on_is_seated_and_not_played():
    text = """
        knockout tables={"size":2} advance=1
        enter ada bob cleo dan eve
        seed ada bob cleo dan eve
        round 1: ada | bob eve | cleo dan
        g2 at 1.2: bob > eve
        g3 at 1.3: dan > cleo
    """
    assert seated(text) == [["ada"], ["bob", "dan"]]
    assert Table(text).place == {"ada": 1, "bob": 1, "dan": 1, "cleo": 4, "eve": 4}


def test_ko1_the_final_is_played_however_few_are_left():
    text = (
        FIRST_ROUND + "cleo withdraws\ndan withdraws\neve is removed\nfay is removed\nhal is removed\ngus is removed\n"
    )
    final = text + "round 2: ada bob\n"
    assert Table(final).place["ada"] == Table(final).place["bob"] == 1
    assert Table(final + "g3 at 2.1: bob > ada").place["bob"] == 1
    assert Table(final + "g3 at 2.1: bob > ada").place["ada"] == 2


def test_ko1_repeats_are_the_pairs_who_sat_together_before():
    assert seat(read_record(document(FIRST_ROUND))).repeats == 2
    assert of(8, 4).repeats == 0


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("knockout advance=1\nenter ada bob", "seeded"),
        ("knockout advance=1\nenter ada bob\nseed ada bob\nenter cleo", "seeded"),
        (EIGHT, "Round 1 has an open table"),
        (FINAL, "final"),
        (FINAL + "g3 at 2.1: ada > bob > cleo > dan", "final"),
        ("knockout advance=1\nenter ada bob\nseed ada bob\nada withdraws", "e2 has won"),
        ("knockout advance=1\nenter ada bob\nseed ada bob\nada withdraws\nbob is removed", "Nobody"),
    ],
)
def test_ko1_no_round_is_seated_when_there_is_none(text, why):
    with pytest.raises(NoRound, match=why):
        seat(read_record(document(text)))


def test_ko1_two_games_a_table_must_both_be_played():
    text = 'knockout advance=1 games_per_table=2 tables={"size":2}\nenter ada bob cleo dan\nseed ada bob cleo dan\n'
    text += "round 1: ada dan | bob cleo\ng1 at 1.1: ada > dan\ng2 at 1.2: bob > cleo\ng3 at 1.2: cleo > bob\n"
    with pytest.raises(NoRound, match="open table"):
        seated(text)
    assert seated(text + "g4 at 1.1: dan > ada") == [["ada", "bob"]]


def test_ko2_the_seeds_are_the_order_of_the_line():
    text = EIGHT.replace("seed ada bob cleo dan eve fay gus hal", "seed hal gus fay eve ada bob cleo dan").split(
        "round"
    )[0]
    assert seated(text) == [["hal", "eve", "ada", "dan"], ["gus", "fay", "bob", "cleo"]]


def test_ko3_before_a_round_is_seated_all_who_are_in_share_the_first_place():
    table = Table("knockout advance=1\nenter ada bob cleo dan\nbob withdraws\ncleo is removed")
    assert table.place == {"ada": 1, "dan": 1, "bob": 3, "cleo": None}
    assert table.status == {"ada": "in", "dan": "in", "bob": "withdrawn", "cleo": "removed"}


def test_ko3_those_still_in_share_the_first_place_and_the_same_rank_shares_the_next():
    table = Table(FIRST_ROUND)
    assert table.order == ["ada", "bob", "cleo", "dan", "eve", "fay", "gus", "hal"]
    assert list(table.place.values()) == [1, 1, 1, 1, 5, 5, 7, 7]
    assert table.status == dict.fromkeys(["ada", "bob", "cleo", "dan"], "in") | dict.fromkeys(
        ["eve", "fay", "gus", "hal"], "out"
    )


def test_ko3_at_an_open_table_everybody_is_still_in():
    table = Table(EIGHT + "g2 at 1.2: bob > cleo > fay > gus")
    assert table.place == {"ada": 1, "bob": 1, "cleo": 1, "dan": 1, "eve": 1, "hal": 1, "fay": 7, "gus": 8}


def test_ko3_the_final_gives_the_first_places_and_the_finalists_stay_in():
    table = Table(FINAL + "g3 at 2.1: cleo > ada > dan > bob")
    assert table.order[:4] == ["cleo", "ada", "dan", "bob"]
    assert list(table.place.values()) == [1, 2, 3, 4, 5, 5, 7, 7]
    assert {table.status[name] for name in table.order[:4]} == {"in"}


def test_ko3_a_row_shows_its_last_table_and_decided_by_is_null():
    table = Table(FINAL + "g3 at 2.1: cleo > ada!2 > dan > bob")
    assert table.total == {
        "cleo": "1", "ada": "2/3", "dan": "1/3", "bob": "0", "eve": "1/3", "fay": "1/3", "gus": "0", "hal": "0",
    }  # fmt: skip
    assert table.kept["ada"] == ["g3"] and table.kept["eve"] == ["g1"]
    assert table.value("timeouts")["ada"] == "2" and table.value("wins")["ada"] == "0"
    assert table.games["ada"] == 2 and table.games["eve"] == 1
    assert set(table.decided_by.values()) == {None}


def test_ko3_a_table_is_ordered_by_total_then_tie_breaks_then_seed():
    text = """
        knockout advance=1 games_per_table=2 tables={"size":3} tie_breaks=["timeouts"]
        enter ada bob cleo dan eve fay
        seed fay eve dan cleo bob ada
        round 1: fay ada cleo | eve bob dan
        g1 at 1.1: ada!1 > cleo > fay
        g2 at 1.1: fay > cleo > ada
        g3 at 1.2: eve > bob > dan
        g4 at 1.2: dan = bob = eve
    """
    table = Table(text)
    assert {name for name, status in table.status.items() if status == "in"} == {"fay", "eve"}
    assert table.place == {"fay": 1, "eve": 1, "bob": 3, "cleo": 3, "ada": 5, "dan": 5}


def test_st4_an_opponent_who_is_not_of_the_table_has_its_strength_from_the_tables_games():
    table = Table("""
        knockout advance=1 tables={"size":2} tie_breaks=["opponents_strength"]
        enter ada bob cleo dan
        seed ada bob cleo dan
        round 1: ada dan | bob cleo
        g1 at 1.1: cleo > ada
        g2 at 1.2: bob > cleo
    """)
    assert table.value("opponents_strength") == {"ada": "1", "dan": "1/2", "bob": "0", "cleo": "1"}


def test_ko3_a_voided_game_is_played_again():
    table = Table(FIRST_ROUND + "void g1")
    assert table.place["hal"] == 1 and table.place["fay"] == 7
    again = Table(FIRST_ROUND + "void g1\ng9 at 1.1 by ruling: hal > eve > dan > ada")
    assert again.place["hal"] == 1 and again.place["ada"] == 7
    assert Table(EIGHT + "void 1.1").place["hal"] == 1


def test_ko3_who_withdraws_before_the_next_round_has_the_last_rank_and_the_others_move_up():
    table = Table(FIRST_ROUND + "ada withdraws")
    assert table.status["eve"] == "in" and table.status["ada"] == "withdrawn"
    assert table.place == {"bob": 1, "cleo": 1, "dan": 1, "eve": 1, "fay": 5, "hal": 5, "ada": 7, "gus": 7}


def test_ko3_at_an_open_table_too():
    table = Table(EIGHT + "ada withdraws")
    assert table.place["ada"] == 8 and table.place["bob"] == 1


def test_ko3_who_is_removed_likewise_without_a_place():
    table = Table(FIRST_ROUND + "ada is removed")
    assert table.place == {"bob": 1, "cleo": 1, "dan": 1, "eve": 1, "fay": 5, "hal": 5, "gus": 7, "ada": None}
    assert table.order[-1] == "ada" and table.total["ada"] == "1"


def test_ko3_who_withdraws_once_the_next_round_is_seated_keeps_the_rank():
    table = Table(FINAL + "eve withdraws")
    assert table.place["eve"] == 5 and table.place["hal"] == 7


def test_ko3_who_is_removed_once_the_next_round_is_seated_keeps_the_rank_without_a_place():
    table = Table(FINAL + "eve is removed")
    assert table.place["eve"] is None
    assert [table.place[name] for name in ("fay", "gus", "hal")] == [5, 6, 6]
    table = Table(FINAL + "ada is removed")
    assert [table.place[name] for name in ("eve", "fay", "gus", "hal")] == [4, 4, 6, 6]


def test_ko3_who_was_gone_when_the_next_round_was_seated_does_not_come_back():
    table = Table(FIRST_ROUND + "ada withdraws\nround 2: bob cleo dan eve\nada returns")
    assert table.place["ada"] == 7 and table.status["ada"] == "out"


def test_st10_who_came_back_too_late_is_out_and_stays_so_when_it_withdraws_again():
    sat = "ada withdraws\nround 2: bob cleo dan eve\nada returns\nada withdraws"
    assert Table(FIRST_ROUND + sat).status["ada"] == "out"
    never_sat = EIGHT.replace("round 1: ada dan", "ada withdraws\nround 1: dan") + "ada returns\nada withdraws"
    assert Table(never_sat).status["ada"] == "out"


def test_ko3_a_finalist_who_withdraws_before_the_final_is_complete_has_its_last_rank():
    table = Table(FINAL + "ada withdraws\ng3 at 2.1: ada > bob > cleo > dan")
    assert table.place == {"bob": 1, "cleo": 2, "dan": 3, "ada": 4, "eve": 5, "fay": 5, "gus": 7, "hal": 7}
    assert table.status["ada"] == "withdrawn"


def test_ko3_a_finalist_who_withdraws_once_the_final_is_complete_keeps_the_rank():
    text = FINAL + "g3 at 2.1: ada > bob > cleo > dan\nada withdraws\n"
    table = Table(text)
    assert table.place == {"ada": 1, "bob": 2, "cleo": 3, "dan": 4, "eve": 5, "fay": 5, "gus": 7, "hal": 7}
    assert table.status["ada"] == "withdrawn" and table.status["bob"] == "in"
    assert Table(text + "bob withdraws\ncleo withdraws\ndan withdraws\n").place == table.place
    assert Table(text + "ada is removed").place["bob"] == 1


def test_ko3_in_a_final_that_is_open_again_who_withdrew_from_it_is_withdrawn():
    text = FINAL + "g3 at 2.1: ada > bob > cleo > dan\ncleo withdraws\n"
    assert Table(text).status["cleo"] == Table(text + "void g3").status["cleo"] == "withdrawn"


def test_ko3_who_went_on_by_the_lot_and_withdraws_has_the_last_rank():
    text = """
        knockout advance=1 tables={"size":2} tie_breaks=["lot"]
        enter ada bob cleo dan
        seed dan bob cleo ada
        round 1: dan ada | bob cleo
        g1 at 1.1: dan = ada
        g2 at 1.2: bob > cleo
    """
    assert Table(text).status["ada"] == "in" and Table(text).status["dan"] == "out", "the lot is known since `seeded`"
    table = Table(text + "ada withdraws")
    assert table.status == {"bob": "in", "dan": "in", "ada": "withdrawn", "cleo": "out"}
    assert table.place == {"bob": 1, "dan": 1, "ada": 3, "cleo": 3}


def test_ko3_who_is_out_stays_so_when_it_withdraws():
    table = Table(FIRST_ROUND + "eve withdraws")
    assert table.place["eve"] == table.place["fay"] == 5 and table.place["hal"] == table.place["gus"] == 7
    assert table.status["eve"] == "out"
    assert Table(FIRST_ROUND + "eve withdraws\neve withdraws").place == table.place
    later = Table(FIRST_ROUND + "eve withdraws\nround 2: ada bob cleo dan\neve returns")
    assert later.place["eve"] == 5 and later.status["eve"] == "out"


def test_ko3_who_was_out_and_withdrew_is_none_of_those_who_move_up():
    text = FIRST_ROUND + "eve withdraws\nada withdraws\n"
    assert seated(text) == [["bob", "cleo", "dan", "hal"]]
    table = Table(text)
    assert table.place == {"bob": 1, "cleo": 1, "dan": 1, "hal": 1, "eve": 5, "fay": 6, "ada": 7, "gus": 7}
    assert table.status["eve"] == "out" and table.status["ada"] == "withdrawn"
    assert seated(text + "eve returns") == [["bob", "cleo", "dan", "eve"]]


def test_ko3_several_who_withdraw_share_the_last_rank():
    table = Table(EIGHT + "ada withdraws\nhal withdraws\ndan is removed\ng2 at 1.2: bob > cleo > fay > gus")
    assert table.place == {"bob": 1, "cleo": 1, "eve": 1, "fay": 4, "ada": 5, "hal": 5, "gus": 5, "dan": None}


def test_ko3_who_never_sat_at_a_table_stands_behind_all_who_did():
    text = EIGHT.replace(
        "round 1: ada dan eve hal | bob cleo fay gus", "hal withdraws\nround 1: ada dan eve | bob cleo fay gus"
    )
    table = Table(text)
    assert table.place["hal"] == 8 and table.total["hal"] == "0" and table.kept["hal"] == []


def test_ko3_after_a_ruling_on_an_earlier_round_who_sits_in_a_later_one_went_on():
    table = Table(FINAL + "void g1\ng9 at 1.1 by ruling: hal > eve > ada > dan")
    assert table.place == {"ada": 1, "bob": 1, "cleo": 1, "dan": 1, "hal": 5, "eve": 6, "fay": 7, "gus": 8}
    assert table.status["ada"] == "in" and table.status["hal"] == "out"


def test_ko3_an_earlier_round_that_is_open_again_puts_nobody_back_in():
    table = Table(FINAL + "void g1")
    assert table.status["hal"] == "out" and table.place["ada"] == 1 and table.place["hal"] > 4


def test_ko3_a_table_of_removed_entrants_only_is_complete():
    table = EIGHT + "g2 at 1.2: bob > cleo > fay > gus\nada withdraws\ndan is removed\neve is removed\nhal is removed\n"
    with pytest.raises(NoRound, match="open table"):
        seated(table)
    assert seated(table + "ada is removed") == [["bob", "cleo"]]


def test_ko3_by_penalties_the_lowest_sum_at_the_table_goes_on():
    text = """
        knockout three_thirteen points={"scheme":"score"} advance=1 tables={"size":2} games_per_table=2
        enter ada bob cleo dan
        seed ada bob cleo dan
        round 1: ada dan | bob cleo
        g1 at 1.1, 2 rounds: ada:5 > dan:9
        g2 at 1.1, 11 rounds: dan:50 > ada:55
        g3 at 1.2, 11 rounds: bob:1 > cleo:2
        g4 at 1.2, 11 rounds: bob:1 > cleo:2
    """
    table = Table(text)
    assert table.total == {"bob": "2", "dan": "59", "cleo": "4", "ada": "60"}
    assert seated(text) == [["bob", "dan"]]


def test_ko3_the_best_of_several_games_at_a_table_are_kept():
    text = """
        knockout advance=1 tables={"size":2} games_per_table=3 best=1
        enter ada bob cleo
        seed ada bob cleo
        round 1: ada | bob cleo
        g1 at 1.2: cleo > bob
        g2 at 1.2: bob > cleo
        g3 at 1.2: cleo > bob
    """
    assert Table(text).kept == {"ada": [], "bob": ["g2"], "cleo": ["g1"]}
    assert seated(text) == [["ada", "bob"]]  # level, and bob is the better seed


CAME_ALONE = EIGHT + "g1 at 1.1: ada > (dan) = (eve) = (hal)\ng2 at 1.2: bob > cleo > fay > gus\n"


def test_ko4_who_came_alone_goes_on_alone():
    table = Table(CAME_ALONE)
    assert table.place == {"ada": 1, "bob": 1, "cleo": 1, "fay": 4, "dan": 5, "eve": 5, "gus": 5, "hal": 5}
    assert table.status["dan"] == "out" and table.status["ada"] == "in"
    assert seated(CAME_ALONE) == [["ada", "bob", "cleo"]]


def test_ko4_who_withdrew_and_did_not_come_shares_the_last_rank_as_withdrawn():
    table = Table(EIGHT + "dan withdraws\ng1 at 1.1: ada > (dan) = (eve) = (hal)")
    assert table.place["dan"] == table.place["eve"] and table.status["dan"] == "withdrawn"
    assert Table(CAME_ALONE + "dan withdraws").status["dan"] == "out"


def test_ko4_of_several_games_it_is_enough_to_come_to_one():
    text = """
        knockout advance=1 tables={"size":2} games_per_table=2
        enter ada bob cleo
        seed ada bob cleo
        round 1: ada | bob cleo
        g1 at 1.2: (bob) = (cleo)
        g2 at 1.2: cleo > (bob)
    """
    assert seated(text) == [["ada", "cleo"]]
    assert Table(text.split("g2", maxsplit=1)[0]).status["bob"] == "in"
    assert Table(text + "void g2\ng3 at 1.2 by ruling: (bob) = (cleo)").place == {"ada": 1, "bob": 2, "cleo": 2}


def test_ko4_a_table_to_which_nobody_came_sends_nobody_and_one_left_has_won():
    text = """
        knockout advance=1 tables={"size":2}
        enter ada bob cleo dan
        seed ada bob cleo dan
        round 1: ada dan | bob cleo
        g1 at 1.1: (ada) = (dan)
        g2 at 1.2: bob > cleo
    """
    with pytest.raises(NoRound, match="e2 has won"):
        seated(text)
    assert Table(text).place == {"bob": 1, "ada": 2, "cleo": 2, "dan": 2}


def test_ko4_a_table_that_is_not_played_sends_all():
    text = """
        knockout advance=2
        enter ada bob cleo dan eve
        seed ada bob cleo dan eve
        round 1: ada dan eve | bob cleo
        g1 at 1.1: ada > (dan) = (eve)
    """
    assert seated(text) == [["ada", "bob", "cleo"]]
    assert Table(text).place == {"ada": 1, "bob": 1, "cleo": 1, "dan": 4, "eve": 4}


def test_ko4_in_a_final_to_which_nobody_came_the_first_place_stays_empty():
    table = Table(FINAL + "g3 at 2.1: (ada) = (bob) = (cleo) = (dan)")
    assert list(table.place.values()) == [2, 2, 2, 2, 6, 6, 8, 8]
    assert set(table.status.values()) == {"out"}


def test_ko4_in_the_final_too_who_did_not_come_is_out():
    table = Table(FINAL + "g3 at 2.1: bob > (ada) > dan > (cleo)")
    assert [table.place[name] for name in ("bob", "dan", "ada", "cleo", "eve")] == [1, 2, 3, 3, 5]
    assert table.status["ada"] == "out" and table.status["dan"] == "in"
    empty = Table(FINAL + "bob withdraws\ng3 at 2.1: bob > (ada) = (cleo) = (dan)")
    assert [empty.place[name] for name in ("ada", "bob", "cleo", "dan", "eve")] == [2, 2, 2, 2, 6]


def test_ko4_before_any_round_all_who_withdrew_share_the_second_place():
    table = Table("knockout advance=1\nenter ada bob cleo\nada withdraws\nbob withdraws\ncleo is removed")
    assert table.place == {"ada": 2, "bob": 2, "cleo": None}


def test_ko4_when_all_leave_the_last_round_the_knocked_out_of_it_share_the_second_place():
    gone = "".join(f"{name} withdraws\n" for name in ("ada", "bob", "cleo", "dan"))
    table = Table(FINAL + gone)
    assert [table.place[name] for name in ("ada", "bob", "cleo", "dan", "eve", "hal")] == [2, 2, 2, 2, 6, 8]
    for name in ("eve", "fay", "gus", "hal"):
        gone += f"{name} withdraws\n"
    level = Table(FIRST_ROUND + gone)
    assert set(level.place.values()) == {2}


def test_ko4_who_sits_in_a_later_round_went_on_all_the_same():
    table = Table(FINAL + "void g1\ng9 at 1.1 by ruling: dan > eve > hal > (ada)")
    assert table.place == {"ada": 1, "bob": 1, "cleo": 1, "dan": 1, "eve": 5, "fay": 6, "hal": 6, "gus": 8}
    assert table.status["ada"] == "in" and table.status["eve"] == "out"
