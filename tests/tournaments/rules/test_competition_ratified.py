"""Rules that were ratified, in a record: `ratified`, and `rules` of a result (RT4)."""

from typing import Any

import pytest

from tests.tournaments.rules.notation import document
from tournaments.rules import BadRecord, read_record
from tournaments.rules.standings import standings_and_bounds

AT = {"at": "2026-01-03T00:00:00Z"}


def season(*lines: dict[str, Any]) -> dict[str, Any]:
    """Ada beats Bob, and then these lines follow."""
    made = document("""
        season total="sum"
        enter ada bob
        g1: ada > bob
    """)
    return made | {"log": made["log"] + [{"n": n, **AT, **line} for n, line in enumerate(lines, 4)]}


def ratified(**fields: Any) -> dict[str, Any]:
    made = {"type": "ratified", "ruleset": "2023", "options": {"jokers": 2}} | fields
    return {key: value for key, value in made.items() if value is not ...}


def result(name: str, **fields: Any) -> dict[str, Any]:
    players = [{"entrant": "e1", "place": 1, "score": 0}, {"entrant": "e2", "place": 2, "score": 1}]
    return {"type": "result", "id": name, "players": players, **fields}


def test_rt4_standings_count_all_games_by_whatever_rules():
    plain = standings_and_bounds(read_record(season(result("g2"), result("g3"))))
    changed = season(ratified(), result("g2", rules=4), ratified(options={}), result("g3", rules=6))
    assert standings_and_bounds(read_record(changed)) == plain
    assert plain["standings"][0]["total"] == "3"


def test_rt4_a_result_may_be_by_earlier_rules_than_those_that_hold():
    record = read_record(season(ratified(), ratified(options={}), result("g2", rules=4), result("g3")))
    assert [record.results[name].rules for name in ("g1", "g2", "g3")] == [None, 4, None]


@pytest.mark.parametrize("rules", [3, 5, 6, 99, 0, -1, 4.0, "4", True])
def test_rt4_rules_are_the_number_of_an_earlier_ratified_line(rules):
    with pytest.raises(BadRecord, match="n 5: rules"):
        read_record(season(ratified(), result("g2", rules=rules), ratified()))


@pytest.mark.parametrize(
    "fields", [{"ruleset": ...}, {"ruleset": None}, {"ruleset": 2023}, {"options": ...}, {"options": []}]
)
def test_rt4_a_ratified_line_has_a_ruleset_and_options(fields):
    with pytest.raises(BadRecord, match=f"n 4: {next(iter(fields))}"):
        read_record(season(ratified(**fields)))
