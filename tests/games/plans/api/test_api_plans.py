"""PUT, GET and DELETE games/{id}/plan, and POST games/{id}/plan/try (PL1, PL9, PL10)."""

from typing import Any

import pytest
from jsonschema_rs import Draft202012Validator

from games.plans import services as plan_moves
from tests.games.api.client import Answer, Person, concrete

LOWEST = {"move": {"move": "play", "choose": "lowest"}}
PLAN = {"lines": [LOWEST, {"move": {"move": "pick_up"}}], "turns": 2}


def put(person: Person, game: dict[str, Any], plan: Any) -> Answer:
    return person.call("PUT", f"games/{game['id']}/plan", plan)


def get(person: Person, game: dict[str, Any]) -> Answer:
    return person.get(f"games/{game['id']}/plan")


def tried(person: Person, game: dict[str, Any], plan: Any) -> Answer:
    return person.post(f"games/{game['id']}/plan/try", plan)


def test_pl1_a_plan_is_kept_read_and_dropped(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    assert (get(alice, running).status, get(alice, running).code) == (404, "no_plan")
    kept = put(alice, running, PLAN)
    assert kept.status == 200
    assert kept.body["lines"][0] == {
        "move": {"move": "play", "choose": "lowest", "count": "one", "keep": []},
        "when": {},
        "interrupt": False,
    }
    assert (kept.body["turns"], kept.body["turns_left"]) == (2, 2)
    assert get(alice, running).body == kept.body
    assert get(bob, running).code == "no_plan"
    assert alice.call("DELETE", f"games/{running['id']}/plan").status == 204
    assert get(alice, running).code == "no_plan"


def test_pl1_what_is_read_can_be_kept_again(alice: Person, running: dict[str, Any]) -> None:
    kept = put(alice, running, PLAN).body
    again = put(alice, running, {"lines": kept["lines"], "turns": kept["turns"]}).body
    assert again["lines"] == kept["lines"]


def test_pl4_what_the_list_of_moves_says_to_send_is_a_move_of_a_plan(
    alice: Person, bob: Person, running: dict[str, Any]
) -> None:
    for person in (alice, bob):
        for listed in person.get(f"games/{running['id']}/moves").body["moves"]:
            move = {key: value for key, value in concrete(listed).items() if key != "interrupt"}
            answer = tried(person, running, {"lines": [{"move": move}]})
            assert (answer.status, answer.body["move"], answer.body["lines"]) == (200, move, ["plays"])


def test_pl9_trying_answers_in_words_and_keeps_nothing(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    lines = [{"move": {"move": "end_turn"}}, {**LOWEST, "when": {"hand_at_least": 50}}, LOWEST, LOWEST]
    for person in (alice, bob):  # the one in turn, and the other as if it were
        answer = tried(person, running, {"lines": lines})
        assert answer.body["lines"] == ["not legal", "does not hold", "plays", "not tried"]
        assert (answer.body["line"], answer.body["move"]["move"]) == (2, "play")
        assert get(person, running).code == "no_plan"


@pytest.mark.parametrize(
    ("plan", "field"),
    [
        ({"lines": [LOWEST, {**LOWEST, "when": {"to_beat": "K"}}]}, "lines.1.when.to_beat"),
        ({"lines": [{"move": {"move": "resign"}}]}, "lines.0.move.move"),
        ({"lines": [LOWEST], "turns": 6}, "turns"),
        ({"lines": [LOWEST] * 25}, "lines"),
        ({"lines": []}, "lines"),
        ({}, "lines"),
    ],
)
def test_pl9_a_bad_plan_is_400_with_line_and_field_and_the_old_one_stays(
    alice: Person, running: dict[str, Any], plan: dict[str, Any], field: str
) -> None:
    kept = put(alice, running, PLAN).body
    for answer in (put(alice, running, plan), tried(alice, running, plan)):
        assert (answer.status, answer.code) == (400, "bad_plan")
        assert answer.body["errors"] == [{"field": field, "detail": answer.body["detail"]}]
    assert get(alice, running).body == kept


def test_a_body_that_is_no_object_is_malformed(alice: Person, running: dict[str, Any]) -> None:
    assert put(alice, running, [PLAN]).code == "malformed"


def test_pl10_a_room_says_whether_plans_are_allowed(alice: Person, bob: Person) -> None:
    assert alice.opens()["plans"] is True
    assert alice.post("games", {"game": "threes", "seats": 2, "plans": "no"}).status == 400
    room = alice.opens(plans=False)
    assert room["plans"] is False
    bob.post(f"games/{room['id']}/join")
    assert put(alice, room, PLAN).code == "not_started"
    alice.post(f"games/{room['id']}/start")
    assert put(alice, room, PLAN).code == "plans_off"
    assert tried(alice, room, PLAN).code == "plans_off"


def test_pl7_the_planned_moves_are_in_ones_own_events_as_the_document_says(
    alice: Person, bob: Person, running: dict[str, Any]
) -> None:
    mover, other = (alice, bob) if running["to_act"] == [alice.sees(running)["your_seat"]] else (bob, alice)
    put(mover, running, PLAN)
    assert plan_moves.sweep_plans() >= 1
    own = mover.get(f"games/{running['id']}/events?limit=100").body["results"]
    assert [event["data"].get("planned") for event in own if event["type"] == "played"][-1] is True
    for event in other.get(f"games/{running['id']}/events?limit=100").body["results"]:
        assert "planned" not in event["data"]


def test_pl5_a_plan_of_the_published_schema_is_taken(alice: Person, running: dict[str, Any]) -> None:
    offered = {game["game"]: game for game in alice.get("rulesets").body["results"]}
    Draft202012Validator(offered["threes"]["plan"]).validate(PLAN)
    assert put(alice, running, PLAN).status == 200


def test_a_plan_is_in_the_export_of_its_owner_alone(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    put(alice, running, PLAN)
    for person, has_one in ((alice, True), (bob, False)):
        exported = person.get("me/export")
        assert (b'"choose"' in exported.raw) is has_one
