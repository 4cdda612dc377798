"""RT1 to RT6 over HTTP: proposals, votes, decisions, and what everybody sees of them."""

from datetime import timedelta

import pytest

from core import clock as service_clock
from tests.tournaments.api.conftest import run
from tournaments.simulations.models import Simulation

SHORTER = {"title": "Shorter games", "reason": "They last for weeks.", "options": {"stalemate_after": 10}}
VOTERS = ("ada", "bob", "cleo", "dan")

pytestmark = pytest.mark.django_db


@pytest.fixture
def season(running, clock: service_clock.FrozenClock):
    """A season that has run for eight days; gives its path."""

    def make(**asked) -> str:
        made = running(kind="season", settings={}, **asked)
        clock.advance(timedelta(days=8))
        return f"tournaments/{made['id']}"

    return make


def propose(who, path, **asked):
    answer = who.post(f"{path}/proposals", {**SHORTER, **asked})
    assert answer.status == 201, answer.body
    return answer.body


def vote(cast, path, n, **votes):
    for name, choice in votes.items():
        answer = cast[name].call("PUT", f"{path}/proposals/{n}/vote", {"vote": choice})
        assert answer.status == 200, answer.body


def test_rt6_a_proposal_is_shown_with_what_changes_in_the_sentences_of_the_docs(cast, season):
    path = season()
    body = propose(cast["ada"], path)
    assert body["n"] == 1
    assert (body["by"]["username"], body["entrant"], body["status"], body["ratify"]) == (
        "ada",
        "e1",
        "open",
        "majority",
    )
    assert (body["title"], body["reason"], body["ended_at"]) == (SHORTER["title"], SHORTER["reason"], None)
    [change] = body["changes"]
    assert change["option"] == "stalemate_after"
    assert (change["before"], change["after"]) == (20, 10)
    assert change["description"].startswith("The game ends after this many pick-ups")
    assert (body["electors"], body["voted"], body["counts"]) == (4, 0, None)
    assert cast["nobody"].get(f"{path}/proposals/1").body == {**body, "you": {"elector": False, "vote": None}}
    [listed] = cast["nobody"].get(f"{path}/proposals").body["results"]
    assert listed == {key: value for key, value in body.items() if key not in ("votes", "figures")} | {
        "you": {"elector": False, "vote": None}
    }


def test_rt6_a_dry_run_answers_as_the_proposal_would_and_changes_nothing(cast, season):
    path = season()
    tried = cast["ada"].post(f"{path}/proposals", {**SHORTER, "dry_run": True})
    assert tried.status == 200
    assert cast["ada"].get(f"{path}/proposals").body["results"] == []
    assert propose(cast["ada"], path) == tried.body


@pytest.mark.parametrize(
    ("who", "asked", "status", "code"),
    [
        ("ada", {"options": {"stalemate_after": 1}}, 400, "invalid"),
        ("ada", {"options": {}}, 400, "invalid"),
        ("ada", {"ruleset": "2021"}, 400, "invalid"),
        ("ada", {"closes_at": "2020-01-01T00:00:00Z"}, 400, "invalid"),
        ("ada", {"hats": 3}, 400, "invalid"),
        ("zoe", {}, 403, "not_an_elector"),
        ("nobody", {}, 401, "not_authenticated"),
    ],
)
def test_rt1_a_refused_dry_run_answers_as_the_proposal_would(cast, season, who, asked, status, code):
    path = season()
    answers = [cast[who].post(f"{path}/proposals", {**SHORTER, **asked, **dry}) for dry in ({"dry_run": True}, {})]
    assert [(one.status, one.body["code"]) for one in answers] == [(status, code)] * 2
    assert answers[0].body == answers[1].body


def test_rt1_one_open_for_each_proposer_is_409(cast, season):
    path = season()
    propose(cast["ada"], path)
    again = cast["ada"].post(f"{path}/proposals", SHORTER)
    assert (again.status, again.body["code"]) == (409, "proposal_open")


def test_rt1_before_the_start_and_after_the_end_it_is_409(cast, opened, season):
    before = opened(kind="season", settings={})
    answer = cast["olga"].post(f"tournaments/{before['id']}/proposals", SHORTER)
    assert (answer.status, answer.body["code"]) == (409, "not_started")
    assert cast["olga"].post(f"tournaments/{before['id']}/cancel", {"reason": "rain"}).status == 200
    answer = cast["olga"].post(f"tournaments/{before['id']}/proposals", SHORTER)
    assert (answer.status, answer.body["code"]) == (409, "tournament_over")


@pytest.mark.sampled
def test_rt2_who_has_voted_is_public_at_once_and_how_when_it_has_ended(cast, season, clock):
    path = season()
    propose(cast["ada"], path)
    vote(cast, path, 1, ada="yes", bob="no", cleo="yes")
    shown = cast["nobody"].get(f"{path}/proposals/1").body
    assert [(one["entrant"], one["voted"], one["vote"]) for one in shown["votes"]] == [
        ("e1", True, None), ("e2", True, None), ("e3", True, None), ("e4", False, None),
    ]  # fmt: skip
    assert (shown["voted"], shown["counts"]) == (3, None)
    for who in ("olga", "sue", "ada"):
        body = cast[who].get(f"{path}/proposals/1").body
        assert body["counts"] is None
        assert {one["vote"] for one in body["votes"]} == {None}
    assert cast["ada"].get(f"{path}/proposals/1").body["you"] == {"elector": True, "vote": "yes"}
    voted = [one for one in cast["olga"].get(f"{path}/events").body["results"] if one["type"] == "voted"]
    assert [(one["data"]["entrant"], one["data"]["vote"]) for one in voted] == [
        ("e1", None),
        ("e2", None),
        ("e3", None),
    ]
    clock.advance(timedelta(days=7))
    run()
    ended = cast["nobody"].get(f"{path}/proposals/1").body
    assert ended["status"] == "ratified"
    assert [one["vote"] for one in ended["votes"]] == ["yes", "no", "yes", None]
    assert ended["counts"] == {"yes": 2, "no": 1, "abstain": 0, "electors": 4}
    voted = [one for one in cast["nobody"].get(f"{path}/events").body["results"] if one["type"] == "voted"]
    assert [one["data"]["vote"] for one in voted] == ["yes", "no", "yes"]


@pytest.mark.sampled
def test_rt2_under_organiser_its_organisers_see_the_counts_at_any_time(cast, season):
    path = season(ratify="organiser")
    propose(cast["ada"], path)
    vote(cast, path, 1, ada="yes", bob="no")
    counts = {"yes": 1, "no": 1, "abstain": 0, "electors": 4}
    assert cast["olga"].get(f"{path}/proposals/1").body["counts"] == counts
    for who in ("ada", "zoe", "nobody"):
        assert cast[who].get(f"{path}/proposals/1").body["counts"] is None


@pytest.mark.parametrize("body", [{}, {"vote": "maybe"}, {"vote": None}, {"vote": "yes", "for": "bob"}])
def test_rt2_a_vote_is_yes_no_or_abstain(cast, season, body):
    path = season()
    propose(cast["ada"], path)
    assert cast["bob"].call("PUT", f"{path}/proposals/1/vote", body).status == 400


def test_rt6_a_proposer_withdraws_with_delete(cast, season):
    path = season()
    propose(cast["ada"], path)
    assert cast["bob"].call("DELETE", f"{path}/proposals/1").status == 403
    answer = cast["ada"].call("DELETE", f"{path}/proposals/1")
    assert (answer.status, answer.body["status"]) == (200, "withdrawn")
    assert cast["ada"].call("DELETE", f"{path}/proposals/1").status == 409


def test_rt6_an_organiser_closes_it_with_a_reason_that_all_see(cast, season):
    path = season()
    propose(cast["ada"], path)
    decide = f"{path}/proposals/1/decide"
    assert cast["bob"].post(decide, {"ratified": False, "reason": "no"}).status == 403
    assert cast["olga"].post(decide, {"ratified": False}).status == 400
    refused = cast["olga"].post(decide, {"ratified": True, "reason": "yes"})
    assert (refused.status, refused.body["code"]) == (409, "decided_by_vote")
    assert cast["olga"].post(decide, {"ratified": False, "reason": "Not in the middle."}).status == 200
    shown = cast["nobody"].get(f"{path}/proposals/1").body
    assert (shown["status"], shown["ended_why"]) == ("closed", "Not in the middle.")


def test_rt4_get_tournament_shows_the_rules_that_hold_and_all_of_them_since_when(cast, season):
    path = season(ratify="organiser")
    before = cast["ada"].get(path).body
    assert [one["proposal"] for one in before["rules"]] == [None]
    assert before["rules"][0]["since"] == before["started_at"]
    propose(cast["ada"], path, ruleset="2022")
    assert cast["olga"].get(path).body["open_proposals"] == [1]
    assert cast["olga"].post(f"{path}/proposals/1/decide", {"ratified": True, "reason": "Fine."}).status == 200
    after = cast["nobody"].get(path).body
    assert (after["ruleset"], after["options"]["stalemate_after"], after["options"]["ten_wild"]) == ("2022", 10, True)
    assert [one["proposal"] for one in after["rules"]] == [None, 1]
    assert after["rules"][1]["since"] == cast["ada"].get(f"{path}/proposals/1").body["ended_at"]
    record = cast["nobody"].get(f"{path}/record").body
    assert (record["ruleset"], record["options"]) == ("2023", {})
    assert [line["type"] for line in record["log"]][-1] == "ratified"


@pytest.mark.sampled
def test_rt4_a_seasons_room_is_played_by_the_rules_that_hold_when_it_is_opened(cast, season):
    path = season(ratify="organiser")
    first = cast["ada"].post(f"{path}/games", {"seats": 2}).body
    propose(cast["ada"], path)
    cast["olga"].post(f"{path}/proposals/1/decide", {"ratified": True, "reason": "Fine."})
    second = cast["ada"].post(f"{path}/games", {"seats": 2}).body
    assert [one["options"]["stalemate_after"] for one in (first, second)] == [20, 10]
    for room in (first, second):
        assert cast["bob"].post(f"games/{room['id']}/join").status == 200
        assert cast["bob"].post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    run()
    games = {one["id"]: one for one in cast["nobody"].get(f"{path}/games").body["results"]}
    assert [(games[room["id"]]["status"], games[room["id"]]["proposal"]) for room in (first, second)] == [
        ("counted", None), ("counted", 1),
    ]  # fmt: skip
    log = cast["nobody"].get(f"{path}/record").body["log"]
    [ratified] = [line["n"] for line in log if line["type"] == "ratified"]
    assert {line["id"]: line.get("rules") for line in log if line["type"] == "result"} == {
        first["id"]: None,
        second["id"]: ratified,
    }
    rows = cast["nobody"].get(f"{path}/standings").body["standings"]
    assert next(row["games"] for row in rows if row["entrant"] == "e1") == 2


@pytest.mark.sampled
def test_rt4_any_games_count_by_the_rules_that_held_when_they_started(cast, season, clock):
    path = season(ratify="organiser", games="any")
    rooms = []
    for options in ({}, {"stalemate_after": 10}, {}, {"stalemate_after": 10}):
        if len(rooms) == 2:
            clock.advance(timedelta(minutes=1))
            propose(cast["ada"], path)
            cast["olga"].post(f"{path}/proposals/1/decide", {"ratified": True, "reason": "Fine."})
            clock.advance(timedelta(minutes=1))
        room = cast["ada"].opens(game="threes", seats=2, options=options)
        assert cast["bob"].post(f"games/{room['id']}/join").status == 200
        assert cast["ada"].post(f"games/{room['id']}/start").status == 200
        rooms.append(room["id"])
    for room in rooms:
        assert cast["bob"].post(f"games/{room}/moves", {"move": "resign"}).status == 201
    run()
    counted = {one["id"]: one["proposal"] for one in cast["nobody"].get(f"{path}/games").body["results"]}
    assert counted == {rooms[0]: None, rooms[3]: 1}


def test_rt6_a_private_tournaments_proposals_are_404_to_others(cast, season):
    path = season(visibility="private")
    propose(cast["ada"], path)
    for call, body in (("GET", None), ("DELETE", None)):
        assert cast["zoe"].call(call, f"{path}/proposals/1", body).status == 404
    assert cast["zoe"].call("PUT", f"{path}/proposals/1/vote", {"vote": "yes"}).status == 404
    assert cast["zoe"].get(f"{path}/proposals").status == 404
    invitation = cast["ada"].get(path).body["invitation"]
    assert cast["nobody"].get(f"{path}/proposals?invitation={invitation}").status == 200


@pytest.mark.sampled
def test_rt6_the_events_have_the_proposal_and_those_that_end_it_the_counts(cast, season, clock):
    path = season()
    for n, name in enumerate(VOTERS, 1):
        propose(cast[name], path, options={"stalemate_after": 10 + n})
    vote(cast, path, 2, ada="yes", bob="yes", cleo="yes")
    vote(cast, path, 1, ada="no", bob="no")
    cast["cleo"].call("DELETE", f"{path}/proposals/3")
    clock.advance(timedelta(days=1))
    run()
    found = [one for one in cast["nobody"].get(f"{path}/events").body["results"] if "proposal" in one["data"]]
    ends = {one["type"]: one["data"] for one in found if "counts" in one["data"]}
    assert {kind: data["proposal"] for kind, data in ends.items()} == {
        "proposal_withdrawn": 3, "rejected": 1, "ratified": 2, "overtaken": 4,
    }  # fmt: skip
    assert all(set(data["counts"]) == {"yes", "no", "abstain", "electors"} for data in ends.values())
    assert {one["type"] for one in found} == {"proposed", "voted", *ends}


def test_the_export_of_an_account_has_its_votes(cast, season):
    path = season()
    propose(cast["ada"], path)
    vote(cast, path, 1, bob="abstain")
    export = cast["bob"].get("me/export").body
    assert [(one["proposal"], one["entrant"], one["vote"]) for one in export["votes"]] == [(1, "e2", "abstain")]


def test_lb11_once_they_are_played_simulated_games_have_figures(cast, season):
    path = season()
    n = propose(cast["ada"], path, options={"ten_wild": True})["n"]
    assert cast["nobody"].get(f"{path}/proposals/{n}").body["figures"] is None
    document = {"format": "trey-lab/1", "games": 2000}
    Simulation.objects.filter(proposal=n).update(report=document)

    assert cast["nobody"].get(f"{path}/proposals/{n}").body["figures"] == document
