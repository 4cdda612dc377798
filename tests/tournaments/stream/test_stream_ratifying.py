"""RT3, RT4: how proposals are decided by the clock, and what is played by the rules that were ratified."""

from datetime import timedelta

import pytest
from proposal_scene import DAY, PEOPLE, SHORT, Chamber
from stream_scene import OLGA, Scene, ended

from core.refusals import Conflict
from tournaments.stream import Counts, Ending, Seating, life, outcomes, proposals, rounds
from tournaments.stream.agenda import next_look
from tournaments.stream.ballot import carried


def counts(yes: int, no: int, electors: int, abstain: int = 0) -> Counts:
    return Counts(yes, no, abstain, electors)


# RT3


@pytest.mark.parametrize(
    ("by", "votes", "is_ratified"),
    [
        ("majority", counts(2, 1, 8), True),
        ("majority", counts(2, 2, 8), False),  # level is no
        ("majority", counts(1, 0, 5), False),  # yes from less than a quarter
        ("majority", counts(1, 0, 4), True),
        ("majority", counts(2, 1, 4, abstain=1), True),
        ("majority", counts(0, 0, 4, abstain=4), False),
        ("two_thirds", counts(2, 1, 8), True),
        ("two_thirds", counts(3, 2, 8), False),
        ("two_thirds", counts(2, 0, 9), False),
        ("two_thirds", counts(2, 1, 8, abstain=5), True),
        ("unanimous", counts(4, 0, 4), True),
        ("unanimous", counts(3, 0, 4), False),
        ("unanimous", counts(3, 0, 4, abstain=1), False),
        ("majority", counts(0, 0, 0), False),
        ("two_thirds", counts(0, 0, 0), False),
        ("unanimous", counts(0, 0, 0), False),
        ("organiser", counts(4, 0, 4), False),
    ],
)
def test_rt3_what_the_votes_come_to(by, votes, is_ratified):
    assert carried(by, votes) is is_ratified


def test_rt3_at_its_close_it_is_decided_by_the_votes_there_are():
    it = Chamber()
    n = it.propose("ada")
    it.vote("yes", "bob")
    assert it.wait(days=6.9) == []
    assert it.wait(days=0.1) == ["ratified"]
    assert it.status(n) is Ending.RATIFIED
    assert it.events[-1].data["counts"] == {"yes": 1, "no": 0, "abstain": 0, "electors": 4}


def test_rt3_a_vote_nobody_takes_part_in_lapses():
    it = Chamber()
    it.propose("ada")
    assert it.wait(days=7) == ["rejected"]


def test_rt3_it_is_decided_early_but_not_within_a_day_once_no_vote_can_change_it():
    it = Chamber()
    n = it.propose("ada")
    it.vote("yes", "ada", "bob", "cleo")
    assert it.wait(hours=23) == []
    assert next_look(it.t, it.now) == it.proposal(n).first_day_ends
    assert it.wait(hours=1) == ["ratified"]


def test_rt3_votes_that_could_change_it_are_waited_for():
    it = Chamber()
    n = it.propose("ada")
    it.vote("yes", "ada", "bob")
    assert it.wait(days=3) == []  # the two others may still say no
    assert next_look(it.t, it.now) == it.proposal(n).closes_at
    it.vote("abstain", "cleo", n=n)
    assert it.wait() == ["ratified"]


def test_rt3_one_no_ends_what_must_be_unanimous():
    it = Chamber(ratify="unanimous")
    it.propose("ada")
    it.vote("no", "bob")
    assert it.wait(days=1) == ["rejected"]


def test_rt3_votes_that_were_cast_are_taken_as_they_are():
    """Bob could still change his mind, and is not waited for."""
    it = Chamber("ada", "bob")
    it.propose("ada")
    it.vote("yes", "ada", "bob")
    assert it.wait(days=1) == ["ratified"]


def test_rt3_under_organiser_an_organiser_decides_and_votes_are_advice():
    it = Chamber(ratify="organiser")
    first = it.propose("ada")
    it.vote("no", *PEOPLE)
    assert it.wait(days=2) == []
    assert it.decide(first, ratified=True) == ["ratified"]
    second = it.propose("bob", options={})
    it.vote("yes", *PEOPLE, n=second)
    assert it.decide(second, ratified=False) == ["rejected"]
    assert it.proposal(second).ended_why == "Because."


def test_rt3_the_first_day_binds_the_votes_only():
    it = Chamber(ratify="organiser")
    assert it.decide(it.propose("ada"), ratified=True) == ["ratified"]


def test_rt3_what_no_organiser_decided_is_rejected_at_its_close():
    it = Chamber(ratify="organiser")
    it.propose("ada")
    it.vote("yes", *PEOPLE)
    assert it.wait(days=7) == ["rejected"]


def test_rt3_without_organiser_no_organiser_ratifies():
    it = Chamber()
    n = it.propose("ada")
    with pytest.raises(Conflict, match="electors decide") as error:
        it.decide(n, ratified=True)
    assert error.value.code == "decided_by_vote"


def test_rt3_without_electors_only_organiser_can_ratify():
    for ratify in ("majority", "two_thirds", "unanimous"):
        it = without_electors(ratify)
        it.propose(who=OLGA)
        assert it.electors() == []
        assert it.wait(days=1) == ["rejected"]
    it = without_electors("organiser")
    assert it.decide(it.propose(who=OLGA), ratified=True) == ["ratified"]


def without_electors(ratify: str) -> Chamber:
    it = Chamber(ratify=ratify)
    for key in ("e1", "e2", "e3", "e4"):
        it.do(it.ruled("remove", entrant=key))
    return it


def test_rt3_a_development_setting_shortens_the_spans():
    it = Chamber()
    read = proposals.read_proposal({"title": "t", "reason": "r", "options": SHORT})
    it.do(proposals.propose(it.t, OLGA, read, now=it.now, day=timedelta(minutes=10)))
    it.vote("yes", "ada")
    assert it.wait(minutes=69) == ["ratified"]


# RT4


def test_rt4_of_several_at_one_moment_the_lowest_number_comes_first_and_the_others_are_overtaken():
    it = Chamber()
    closes_at = (it.now + 5 * DAY).isoformat()
    for name, days in (("ada", 3), ("bob", 4), ("cleo", 5)):
        n = it.propose(name, options={"stalemate_after": days}, closes_at=closes_at)
        it.vote("no" if n == 1 else "yes", "dan", n=n)
    later = it.propose("dan", options={"stalemate_after": 6})
    assert it.wait(days=5) == ["rejected", "ratified", "overtaken", "overtaken"]
    assert [it.status(n) for n in (1, 2, 3, later)] == ["rejected", "ratified", "overtaken", "overtaken"]
    assert it.t.rules.options == {"stalemate_after": 4}
    assert it.t.open_proposals == ()


def test_rt4_what_was_due_earlier_is_decided_first_even_if_the_runner_comes_late():
    it = Chamber()
    it.propose("ada", options={"stalemate_after": 3}, closes_at=(it.now + 5 * DAY).isoformat())
    it.propose("bob", options={"stalemate_after": 4}, closes_at=(it.now + 4 * DAY).isoformat())
    for n in (1, 2):
        it.vote("yes", "dan", n=n)
    assert it.wait(days=9) == ["ratified", "overtaken"]
    assert it.t.rules.proposal == 2


@pytest.mark.parametrize("end", [lambda t: life.finish(t, OLGA, "organiser"), lambda t: life.cancel(t, OLGA, "rain")])
def test_rt4_when_the_tournament_ends_all_open_ones_end_as_overtaken(end):
    it = Chamber()
    it.propose("ada")
    it.propose("bob", options={"stalemate_after": 4})
    assert it.do(end(it.t))[:2] == ["overtaken", "overtaken"]
    assert it.t.open_proposals == ()
    assert it.events[-2].data["counts"] == {"yes": 0, "no": 0, "abstain": 0, "electors": 4}


def a_tournament_of_rounds(**plan) -> Chamber:
    settings = {"rounds": 3, "tables": {"size": 2}, "games_per_table": 2}
    return Chamber(kind="rounds", settings=settings, ratify="organiser", **plan)


def ratify(it: Chamber, **options: object) -> int:
    n = it.propose(who=OLGA, options=options)
    assert it.decide(n, ratified=True) == ["ratified"]
    return n


def test_rt4_a_round_is_played_by_the_rules_that_hold_when_it_is_seated_all_its_games():
    it = a_tournament_of_rounds()
    it.seat(["e1", "e2"], ["e3", "e4"])
    n = ratify(it, stalemate_after=3)
    assert {game.proposal for game in it.t.games.values()} == {None}
    for table, order in ((1, ["e1", "e2"]), (2, ["e3", "e4"])):
        for number in (1, 2):
            it.finish(table, order, number)
    it.seat(["e1", "e3"], ["e2", "e4"])
    assert [it.t.games[it.game(table, number)].proposal for table in (1, 2) for number in (1, 2)] == [n] * 4
    assert it.t.rules_of(n).options == {"stalemate_after": 3}
    assert it.t.rules_of(None).options == {}


def test_rt4_a_draft_is_played_by_the_rules_that_hold_when_it_is_published():
    it = a_tournament_of_rounds(pace="manual")
    it.do(rounds.draft(it.t, OLGA, Seating(1, [["e1", "e2"], ["e3", "e4"]]), now=it.now))
    n = ratify(it, stalemate_after=3)
    it.do(rounds.publish(it.t, OLGA, now=it.now))
    assert it.t.rounds[1].proposal == n


def test_rt4_a_game_of_a_knockout_that_is_played_again_keeps_its_rounds_rules():
    it = Chamber(kind="knockout", settings={"advance": 1, "tables": {"size": 2}}, ratify="organiser")
    it.seat(["e1", "e2"], ["e3", "e4"])
    ratify(it, stalemate_after=3)
    it.do(outcomes.void(it.t, OLGA, it.game(1), "wrong deck"))
    again = it.t.games[it.game(1, 2)]
    assert again.is_open
    assert again.proposal is None


def test_rt4_a_result_given_for_a_table_is_by_its_rounds_rules():
    it = a_tournament_of_rounds()
    it.seat(["e1", "e2"], ["e3", "e4"])
    ratify(it, stalemate_after=3)
    it.do(outcomes.rule(it.t, OLGA, it.t.tables[1, 1], it.game(1), ended(["e2", "e1"], "ruling")))
    assert it.events[-1].data["proposal"] is None


def test_rt4_rules_at_a_moment_are_those_that_had_been_ratified_by_then():
    it = a_tournament_of_rounds()
    before = it.now
    n = ratify(it, stalemate_after=3)
    since = it.t.rules_of(n).since
    assert it.t.rules_at(before).proposal is None
    assert it.t.rules_at(since - timedelta(microseconds=1)).proposal is None
    assert it.t.rules_at(since).proposal == n


def test_rt4_the_records_head_keeps_the_first_rules_and_results_name_those_they_were_played_by():
    it = a_tournament_of_rounds(options={"ten_wild": True})
    it.seat(["e1", "e2"], ["e3", "e4"])
    n = ratify(it, stalemate_after=3)
    for table, order in ((1, ["e1", "e2"]), (2, ["e3", "e4"])):
        for number in (1, 2):
            it.finish(table, order, number)
    it.seat(["e1", "e3"], ["e2", "e4"])
    it.finish(1, ["e1", "e3"])
    record = it.record()
    assert (record["ruleset"], record["options"]) == ("2023", {"ten_wild": True})
    lines = record["log"]
    [ratified] = [line for line in lines if line["type"] == "ratified"]
    assert (ratified["ruleset"], ratified["options"]) == ("2023", {"stalemate_after": 3})
    rules = [line.get("rules") for line in lines if line["type"] == "result"]
    assert rules == [None, None, None, None, ratified["n"]]
    assert it.read_record().results[it.game(1)].rules == ratified["n"]
    assert n == 1


def test_rt4_a_record_without_ratified_rules_is_as_it_was():
    it = Scene(settings={"tables": {"size": 2}}).start("ada", "bob")
    it.seat(["e1", "e2"])
    it.finish(1, ["e1", "e2"])
    assert [line["type"] for line in it.record()["log"]] == ["entered", "entered", "seated", "result"]
    assert "rules" not in it.record()["log"][-1]


# The runner looks when the clock decides


def test_li6_the_runner_looks_at_the_close_of_the_next_proposal():
    it = Chamber(closes_at="2027-03-01T00:00:00Z")
    assert next_look(it.t, it.now) == it.t.plan.closes_at
    n = it.propose("ada")
    assert next_look(it.t, it.now) == it.proposal(n).closes_at
    it.withdraw("ada", n)
    assert next_look(it.t, it.now) == it.t.plan.closes_at
