"""LI5: a result is corrected in one act, which voids it and rules another one in its place."""

from typing import Any

import pytest
from test_service_telling import news
from test_tournament_rulings import KNOCKOUT, PAIRS, placed, rule, standings_now
from test_tournament_seasons import season
from tournament_scene import Club

from core.refusals import Conflict, Forbidden, Invalid
from tests.tournaments.moment import services
from tournaments import selectors
from tournaments.admin.ruling_form import restorable
from tournaments.models import Tournament

THIRTEEN = {
    "game": "three_thirteen",
    "settings": {"rounds": 2, "tables": {"size": 2}, "points": {"scheme": "score"}},
    "pace": "manual",
}


def results(club: Club) -> dict[str, Any]:
    """The results that stand, by id."""
    record = club.record()
    return {key: one for key, one in record.results.items() if record.stands(key)}


def ranked(club: Club, key: str) -> list[str]:
    return [one.entrant for one in sorted(club.record().results[key].players, key=lambda one: one.place or 0)]


def without_ids(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
    return [{key: value for key, value in row.items() if key != "kept"} for row in rows]


def names(club: Club, keys: list[str]) -> list[str]:
    people = {one.pk: one.username for one in club.people}
    return [people[club.t.entrants[key].player] for key in keys]


def wrong_way_round(club: Club, table: int = 1) -> tuple[str, list[str]]:
    """A game that has ended, and its entrants as they should have been placed."""
    club.finish(table)
    key = str(club.game_id(table))
    return key, ranked(club, key)[::-1]


def test_li5_it_is_voided_and_ruled_in_one_act(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    asked = {"game": key, "players": placed(*right)}
    foreseen = rule(club, "correct", **asked, dry_run=True)
    assert list(results(club)) == [key], "a dry run changes nothing"
    rule(club, "correct", **asked)
    before, after = (without_ids(one["standings"]) for one in (foreseen.before, foreseen.after))
    assert without_ids(standings_now(club)) == after != before
    [instead] = results(club)
    assert ranked(club, instead) == right
    assert club.types()[-2:] == ["voided", "result"]
    voided, result = selectors.record_for(club.id)["log"][-2:]
    assert (voided["type"], voided["id"], voided["reason"]) == ("voided", key, "because")
    assert (result["type"], result["id"], result["source"]) == ("result", instead, "ruling")


def test_li5_what_is_left_out_is_as_it_was(club: Club) -> None:
    club.start(*club.people[:4], **THIRTEEN)
    services.next_round(club.id, club.olga, now=club.now)
    services.publish(club.id, club.olga, now=club.now)
    club.run()
    first, second = club.t.tables[1, 1].entrants
    given = [{"entrant": first, "place": 1, "score": 3, "timeouts": 2}, {"entrant": second, "place": 2, "score": 9}]
    rule(club, "enter_result", round=1, table=1, players=given, rounds=11)
    swapped = [{"entrant": second, "place": 1, "score": 3}, {"entrant": first, "place": 2, "score": 9}]
    rule(club, "correct", round=1, table=1, players=swapped)
    [corrected] = results(club).values()
    assert (corrected.source, corrected.rounds) == ("table", 11)
    assert {one.entrant: one.timeouts for one in corrected.players} == {first: 2, second: 0}


def test_li5_in_a_knockout_nobody_plays_again_and_who_won_goes_on(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT, pace="manual")
    services.next_round(club.id, club.olga, now=club.now)
    services.publish(club.id, club.olga, now=club.now)
    club.run()
    key, right = wrong_way_round(club)
    club.finish(2)
    rule(club, "correct", game=key, players=placed(*right))
    assert len(club.t.tables[1, 1].games) == 2
    assert not any(game.is_open for game in club.t.games.values())
    services.next_round(club.id, club.olga, now=club.now)
    assert club.t.draft is not None
    assert right[0] in club.t.draft.tables[0] and right[1] not in club.t.draft.tables[0]


def test_li5_later_rounds_stay_as_they_were_seated(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    key, right = wrong_way_round(club)
    club.finish(2)
    final = club.t.tables[2, 1].entrants
    body = {"ruling": "correct", "game": key, "players": placed(*right), "reason": "because", "dry_run": True}
    ruled = services.rule(club.id, club.olga, body, now=club.now)
    said = services.effects_of(club.id, club.olga, body, ruled, {})
    assert said == ["The tables of later rounds stay as they are."]
    rule(club, "correct", game=key, players=placed(*right))
    assert club.t.tables[2, 1].entrants == final


def test_li5_only_a_result_that_counts_and_whole(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    with pytest.raises(Invalid):
        rule(club, "correct", game=key, players=placed(right[0]))
    for where in ({"game": str(club.game_id(2))}, {"round": 1, "table": 2}):
        with pytest.raises(Conflict) as error:
            rule(club, "correct", **where, players=placed(*club.t.tables[1, 2].entrants))
        assert error.value.code == "not_finished"
    asked = {"ruling": "correct", "game": key, "players": placed(*right), "reason": "x"}
    with pytest.raises(Forbidden):
        services.rule(club.id, club.people[0], asked, now=club.now)
    rule(club, "void", game=key)
    with pytest.raises(Conflict) as error:
        rule(club, "correct", game=key, players=placed(*right))
    assert error.value.code == "already_void"


def test_li5_who_sits_there_does_not_correct_it(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    plays = club.player(names(club, right)[0])
    club.organise(plays)
    with pytest.raises(Forbidden) as error:
        services.rule(
            club.id, plays, {"ruling": "correct", "game": key, "players": placed(*right), "reason": "x"}, now=club.now
        )
    assert error.value.code == "own_table"


def test_li5_it_is_taken_back_by_correcting_it_again_or_voiding_and_restoring(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    before = without_ids(standings_now(club))
    rule(club, "correct", game=key, players=placed(*right))
    [instead] = results(club)
    rule(club, "correct", game=instead, players=placed(*right[::-1]))
    assert without_ids(standings_now(club)) == before
    [last] = results(club)
    with pytest.raises(Conflict) as error:
        rule(club, "restore", game=key)
    assert error.value.code == "too_many_results"
    rule(club, "void", game=last)
    rule(club, "restore", game=key)
    assert list(results(club)) == [key]


def test_li5_in_a_season_too_where_no_table_keeps_it_from_counting_twice(club: Club) -> None:
    season(club)
    rule(club, "enter_result", players=placed("e2", "e1", "e3"))
    [key] = results(club)
    with pytest.raises(Invalid):
        rule(club, "correct", game=key, players=placed("e1", "e2", "e4"))
    rule(club, "remove", entrant="e3")
    rule(club, "correct", game=key, players=placed("e1", "e2", "e3"))
    [instead] = results(club)
    assert (ranked(club, instead), results(club)[instead].source) == (["e1", "e2", "e3"], "table")
    with pytest.raises(Conflict) as error:
        rule(club, "restore", game=key)
    assert error.value.code == "too_many_results"
    rule(club, "void", game=instead)
    rule(club, "restore", game=key)
    assert list(results(club)) == [key]
    row = Tournament.objects.get(pk=club.id)
    assert not restorable(row, list(row.games.all()))
    with pytest.raises(Conflict) as error:
        rule(club, "restore", game=instead)
    assert error.value.code == "too_many_results"
    rule(club, "correct", game=key, players=placed("e1", "e2", "e3"))
    with pytest.raises(Conflict):
        rule(club, "restore", game=instead)


def test_li5_those_who_sat_there_are_told_once(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    rule(club, "correct", game=key, players=placed(*right))
    for name in names(club, right):
        assert [body["text"] for body in news(name, "ruling")] == [
            "One of your results was corrected: Threes 2026. Reason: because"
        ]


def test_li5_everybody_reads_both_halves_with_the_reason(club: Club) -> None:
    from tournaments.api.rulings import ruling_body
    from tournaments.picture import Picture

    club.start(*club.people[:4], **PAIRS)
    key, right = wrong_way_round(club)
    rule(club, "correct", game=key, players=placed(*right))
    row = Tournament.objects.get(pk=club.id)
    first, second = names(club, right)
    assert [(line.what, line.who, line.reason) for line in Picture(row).rulings] == [
        (f"The game at table 1 of round 1: corrected ({first} 1st, {second} 2nd)", "olga", "because"),
        ("The game at table 1 of round 1 is void", "olga", "because"),
    ]
    assert [ruling_body(one).ruling for one in selectors.rulings_of(row)] == ["correct", "void"]
