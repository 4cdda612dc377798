"""COMPETITION's paragraph "A record is refused when", clause by clause: each names the line's `n` or the setting."""

from typing import Any

import pytest

from tests.tournaments.rules.notation import document
from tournaments.rules import BadRecord, read_record

PAIR = 'rounds tables={"size":2}\nenter ada bob cleo dan\nround 1: ada bob | cleo dan\ng1 at 1.1: ada > bob\n'
KNOCKOUT = "knockout advance=1\nenter ada bob cleo\n"
PENALTIES = 'season three_thirteen points={"scheme":"score"}'


def line(at: int, text: str = PAIR, /, **fields: Any) -> dict[str, Any]:
    """A record with some fields of one line changed, counted from 1."""
    record = document(text)
    record["log"][at - 1] |= fields
    return record


def of(**fields: Any) -> dict[str, Any]:
    """A record with some fields beside the log changed."""
    return document(PAIR) | fields


def players(*places: Any, **first: Any) -> list[dict[str, Any]]:
    found = [{"entrant": f"e{at}", "place": place} for at, place in enumerate(places, 1)]
    return [found[0] | first, *found[1:]]


CLAUSES: list[tuple[str, dict[str, Any], str]] = [
    ("n does not count 1, 2, 3", line(3, n=4), "n 3"),
    ("at is no moment of RFC 3339", line(3, at="2026-01-02 at nine"), "n 3"),
    ("at is earlier than the line before", line(3, at="2025-12-31T00:00:00Z"), "n 3"),
    ("an unknown type", line(3, type="promoted"), "n 3"),
    ("an unknown kind", of(kind="ladder"), "kind"),
    ("an unknown game", of(game="whist"), "game"),
    ("an unknown scheme", document(PAIR.replace("rounds", 'rounds points={"scheme":"elo"}', 1)), "settings.points"),
    ("an unknown total", document(PAIR.replace("rounds", 'rounds total="best"', 1)), "settings.total"),
    ("an unknown tie-break", document(PAIR.replace("rounds", 'rounds tie_breaks=["age"]', 1)), "settings.tie_breaks"),
    ("an unknown entrant", line(5, tables=[["e1", "e9"]]), "n 5"),
    ("an unknown result", document(PAIR + "void g7"), "n 7"),
    ("an unknown result to restore", document(PAIR + "restore g7"), "n 7"),
    ("an entrant entered twice", line(2, entrant="e1"), "n 2"),
    ("a result id given twice", document(PAIR + "g1 at 1.2: cleo > dan"), "n 7"),
    ("a round seated twice", document(PAIR + "round 1: ada cleo | bob dan"), "n 7"),
    ("somebody named twice at two tables", line(5, tables=[["e1", "e2"], ["e3", "e1"]]), "n 5"),
    ("somebody named twice at one table", line(5, tables=[["e1", "e1"], ["e3", "e2"]]), "n 5"),
    ("somebody named at a table and with a bye", line(5, byes=["e1"]), "n 5"),
    ("somebody named twice in order", line(4, KNOCKOUT + "seed ada bob cleo", order=["e1", "e2", "e3", "e2"]), "n 4"),
    ("places that are not 1 + the better ones", line(6, players=players(1, 3)), "n 6"),
    ("places that fit neither with nor without the absent", line(6, players=players(1, 3, absent=True)), "n 6"),
    ("a float among the points", document(PAIR + "adjust ada 0.5"), "n 7"),
    ("a number with a sign before it", document(PAIR + "adjust ada +1"), "n 7"),
    ("a denominator of 0", document(PAIR + "adjust ada 1/0"), "n 7"),
    ("a float as a score", line(6, players=players(1, 2, score=1.0)), "n 6"),
    ("a float in a setting", document("season prior=2.5\nenter ada bob"), "settings.prior"),
    ("a count that is a text", document('season best="3"\nenter ada bob'), "settings.best"),
    ("a count that is a float", document("season best=3.0\nenter ada bob"), "settings.best"),
    ("a count that is true", line(6, round=True), "n 6"),
    ("best below 1", document("season best=0\nenter ada bob"), "settings.best"),
    ("same_table below 1", document("season same_table=0\nenter ada bob"), "settings.same_table"),
    ("games_per_table below 1", document("rounds games_per_table=0\nenter ada bob"), "settings.games_per_table"),
    ("prior below 0", document('season prior="-1/2"\nenter ada bob'), "settings.prior"),
    ("min_games below 0", document("season min_games=-1\nenter ada bob"), "settings.min_games"),
    ("min above size", document('rounds tables={"size":3,"min":4}\nenter ada bob'), "settings.tables"),
    ("max below size", document('rounds tables={"size":3,"max":2}\nenter ada bob'), "settings.tables"),
    ("advance above half of size", document("knockout advance=3\nenter ada bob"), "settings.advance"),
    ("advance below 1", document("knockout advance=0\nenter ada bob"), "settings.advance"),
    ("a sum under score", document(PENALTIES + ' total="sum"\nenter ada bob'), "settings.total"),
    ("a prior under score", document(PENALTIES + " prior=0\nenter ada bob"), "settings.prior"),
    ("a bye under score", document(PENALTIES + " bye=1\nenter ada bob"), "settings.bye"),
    ("a knockout seated without seeds", document(KNOCKOUT + "round 1: ada bob cleo"), "n 4"),
    ("a knockout seated with one too few seeded", document(KNOCKOUT + "seed ada bob"), "n 4"),
    ("a knockout where somebody enters after the seeds", document(
        KNOCKOUT + "seed ada bob cleo\nenter dan\nround 1: ada bob cleo dan"), "n 6"),
    ("a later line has seeds", document(
        KNOCKOUT + "seed ada bob cleo\nround 1: ada bob cleo\nseed cleo bob ada"), "n 6"),
    ("a season has seeds", document("season\nenter ada bob\nseed ada bob"), "n 3"),
    ("rounds have seeds", document("rounds\nenter ada bob\nseed ada bob"), "n 3"),
    ("an unknown format", of(format="trey-tournament/2"), "format"),
    ("an unknown seating", document('rounds seating="swiss"\nenter ada bob'), "settings.seating"),
    ("a knockout without advance", document("knockout\nenter ada bob"), "settings.advance"),
    ("rounds below 1", document("rounds rounds=0\nenter ada bob"), "settings.rounds"),
    ("a size that the game has not", document('rounds castle tables={"size":6}\nenter ada bob'), "settings.tables"),
    ("a seated table of a size that the game has not", line(5, tables=[["e1"], ["e2", "e3"]]), "n 5"),
    ("one result too many at a table", document(PAIR + "g2 at 1.1: bob > ada"), "n 7"),
    ("one result too many after a restoring", document(PAIR + "void g1\ng2 at 1.1: bob > ada\nrestore g1"), "n 9"),
    ("points adjusted in a knockout", document(KNOCKOUT + "adjust ada 1"), "n 4"),
]  # fmt: skip


@pytest.mark.parametrize(("record", "named"), [clause[1:] for clause in CLAUSES], ids=[clause[0] for clause in CLAUSES])
def test_a_record_is_refused_in_one_sentence_that_names_the_line_or_the_setting(record, named):
    with pytest.raises(BadRecord) as refused:
        read_record(record)
    sentence = str(refused.value)
    assert sentence.split(":", maxsplit=1)[0].startswith(named) and len(sentence.splitlines()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "ada withdraws\nada withdraws\nbob returns",
        "cleo is removed\ncleo is removed\ncleo is reinstated\ncleo is reinstated",
        "restore g1\nvoid g1\nvoid g1\nrestore g1\nrestore g1",
        "void 1.1\nvoid 1.1\nvoid 3.9",
        "finish\nfinish\nreopen\nreopen",
        "reopen",
        "finish\ng2 at 1.2 by ruling: cleo > dan\nadjust ada 1\nenter eve",
    ],
)
def test_an_action_without_effect_or_after_the_end_is_harmless(text):
    read_record(document(PAIR + text))


def test_who_withdrew_and_was_reinstated_is_withdrawn():
    record = read_record(document(PAIR + "ada withdraws\nada is removed\nada is reinstated\nbob is removed"))
    assert record.entrants["e1"].withdrawn and not record.entrants["e1"].removed
    assert read_record(document(PAIR + "bob is removed\nbob is reinstated")).entrants["e2"].is_in
