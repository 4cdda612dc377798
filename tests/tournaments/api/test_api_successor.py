"""RT7 over HTTP: a successor takes over settings and rules, asks the other organisers, and invites who was in."""

import pytest

from tests.tournaments.api.conftest import run, set_up

pytestmark = pytest.mark.django_db


@pytest.fixture
def over(cast, running):
    """A season that has ended, by ratified rules; Bob organises it, too, and Dan has withdrawn. Gives its id."""

    def make(**asked) -> str:
        made = running(
            kind="season", settings={"tables": {"size": 3}}, ratify="organiser", clock={"per_turn": 3600}, **asked
        )
        path = f"tournaments/{made['id']}"
        assert cast["olga"].post(f"{path}/organisers", {"player": "bob"}).status == 201
        assert cast["bob"].post(f"{path}/organisers/accept").status == 200
        assert cast["dan"].post(f"{path}/entries/e4/withdraw").status == 200
        rules = {"title": "t", "reason": "r", "ruleset": "2022", "options": {"decks": 3}}
        assert cast["olga"].post(f"{path}/proposals", rules).status == 201
        assert cast["olga"].post(f"{path}/proposals/1/decide", {"ratified": True, "reason": "Fine."}).status == 200
        assert cast["olga"].post(f"{path}/finish").status == 200
        return str(made["id"])

    return make


def succeed(who, after, **asked):
    answer = who.post("tournaments", {"after": after, **asked})
    assert answer.status == 201, answer.body
    return answer.body


@pytest.mark.sampled
def test_rt7_it_takes_over_the_settings_and_the_rules_that_hold_last(cast, over):
    before = over(closes_at="2099-01-01T00:00:00Z")
    made = succeed(cast["olga"], before, title="Threes 2027")
    assert (made["title"], made["kind"], made["game"], made["status"]) == ("Threes 2027", "season", "threes", "draft")
    assert (made["ruleset"], made["options"]["decks"]) == ("2022", 3)
    assert (made["settings"]["tables"]["size"], made["clock"]["per_turn"]) == (3, 3600)
    assert made["ratify"] == "organiser"
    assert made["closes_at"] is None
    assert [one["proposal"] for one in made["rules"]] == [None]


@pytest.mark.sampled
def test_rt7_what_is_asked_for_otherwise_changes(cast, over):
    before = over()
    made = succeed(cast["olga"], before, options={"decks": 4}, ratify="majority", settings={"tables": {"size": 2}})
    assert made["title"] == "Threes 2026"
    assert (made["ruleset"], made["options"]["decks"]) == ("2022", 4)
    assert (made["ratify"], made["settings"]["tables"]["size"]) == ("majority", 2)


@pytest.mark.sampled
def test_rt7_the_other_organisers_are_asked_and_organise_once_they_accept(cast, over):
    made = succeed(cast["olga"], over())
    path = f"tournaments/{made['id']}"
    assert [one["username"] for one in made["organisers"]] == ["olga"]
    assert [one["username"] for one in made["asked_organisers"]] == ["bob"]
    assert cast["bob"].patch(path, {"title": "Mine"}).status == 403
    refused = cast["ada"].post(f"{path}/organisers/accept")
    assert (refused.status, refused.body["code"]) == (404, "not_found")
    assert cast["bob"].post(f"{path}/organisers/accept").status == 200
    assert cast["bob"].patch(path, {"title": "Ours"}).status == 200
    shown = cast["bob"].get(path).body
    assert [one["username"] for one in shown["organisers"]] == ["olga", "bob"]
    assert shown["asked_organisers"] == []
    assert cast["bob"].post(f"{path}/organisers/accept").status == 409


def test_rt7_the_people_who_were_in_at_its_end_are_invited(cast, over):
    made = succeed(cast["olga"], over())
    path = f"tournaments/{made['id']}"
    entries = cast["olga"].get(f"{path}/entries").body["results"]
    assert [(one["entrant"], one["player"]["username"], one["status"]) for one in entries] == [
        ("e1", "ada", "invited"), ("e2", "bob", "invited"), ("e3", "cleo", "invited"),
    ]  # fmt: skip
    assert cast["olga"].post(f"{path}/open").status == 200
    assert cast["ada"].post(f"{path}/entries/e1/accept").status == 200
    assert cast["ada"].get(path).body["you"]["status"] == "in"


@pytest.mark.sampled
def test_rt7_both_name_each_other(cast, over, client):
    before = over()
    made = succeed(cast["olga"], before, title="Threes 2027")
    assert made["after"]["id"] == before
    assert cast["nobody"].get(f"tournaments/{before}").body["successors"] == []  # a draft is nobody else's business
    assert cast["olga"].post(f"tournaments/{made['id']}/open").status == 200
    [shown] = cast["nobody"].get(f"tournaments/{before}").body["successors"]
    assert (shown["id"], shown["title"], shown["status"]) == (made["id"], "Threes 2027", "registration")
    first, second = (cast["nobody"].get(f"tournaments/{one}").body for one in (before, made["id"]))
    assert f'href="/t/{second["slug"]}"' in client.get(f"/t/{first['slug']}").content.decode()
    assert f'href="/t/{first["slug"]}"' in client.get(f"/t/{second['slug']}").content.decode()


@pytest.mark.sampled
def test_rt7_a_private_successor_is_not_named_to_strangers(cast, over, client):
    before = over()
    made = succeed(cast["olga"], before, title="Secret", visibility="private")
    assert cast["olga"].post(f"tournaments/{made['id']}/open").status == 200
    shown = cast["nobody"].get(f"tournaments/{before}").body
    assert shown["successors"] == []
    assert "Secret" not in client.get(f"/t/{shown['slug']}").content.decode()
    assert [one["title"] for one in cast["ada"].get(f"tournaments/{before}").body["successors"]] == ["Secret"]
    assert cast["bob"].get(f"tournaments/{made['id']}").status == 200
    assert cast["zoe"].get(f"tournaments/{made['id']}").status == 404


@pytest.mark.parametrize(
    ("who", "status", "code"), [("ada", 403, "not_an_organiser"), ("zoe", 403, "not_an_organiser"), ("bob", 201, None)]
)
def test_rt7_only_its_organisers_set_one_up(cast, over, who, status, code):
    answer = cast[who].post("tournaments", {"after": over()})
    assert (answer.status, answer.code) == (status, code)


def test_rt7_one_that_is_not_over_has_none_yet(cast, running):
    answer = cast["olga"].post("tournaments", {"after": running()["id"]})
    assert (answer.status, answer.code) == (409, "not_finished")


@pytest.mark.parametrize(
    ("after", "status"), [("5f0c0f6e-2f7b-4a51-9c5c-0d8f6a0f7c11", 404), ("threes", 400), (7, 400)]
)
def test_rt7_it_follows_a_tournament_that_there_is(cast, after, status):
    assert cast["olga"].post("tournaments", {"after": after}).status == status


@pytest.mark.sampled
def test_rt7_after_is_settled_when_it_is_set_up(cast, over):
    made = set_up(cast["olga"])
    run()
    assert cast["olga"].patch(f"tournaments/{made['id']}", {"after": over()}).status == 400


def test_ac5_whoever_blocked_an_organiser_is_not_invited_by_them(cast, over):
    before = over()
    for name in ("ada", "bob"):
        assert cast[name].call("PUT", "me/blocked/olga").status == 204
    made = succeed(cast["olga"], before)
    assert made["asked_organisers"] == []
    entries = cast["olga"].get(f"tournaments/{made['id']}/entries").body["results"]
    assert [(one["entrant"], one["name"]) for one in entries] == [("e1", "cleo")]
