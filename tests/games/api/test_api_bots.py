"""Bots over the API: they sit down, play, are sent out, and give a seat back."""

from typing import Any

import pytest

from core import log
from games import services
from games.models import Game
from tests.games.api.client import Person, concrete

SHORT = {"play_until": "first_out", "stalemate_after": 3}
STEADY = {"level": "steady"}


def seats(game: dict[str, Any]) -> list[dict[str, Any] | None]:
    return [player["bot"] for player in game["players"]]


def seat_a_bot(game: dict[str, Any], seat: int) -> None:
    """What a missed turn leads to, where the clock says so."""
    found = Game.objects.get(pk=game["id"])
    services.hand_to_bot(found.id, seat, actor=log.Actor("clock"), reason="timeout", now=found.moved_at)


def test_a_room_is_opened_with_bots(alice: Person) -> None:
    room = alice.opens(seats=4, bots=2)
    assert seats(room) == [None, STEADY, STEADY]
    assert [player["player"] for player in room["players"][1:]] == [None, None]
    assert [player["seat"] for player in room["players"]] == [0, 1, 2]
    assert (room["rated"], room["version"], room["opener"]) == (False, 4, 0)
    assert alice.opens(bots=0)["rated"]


def test_the_opener_lets_bots_sit_down_and_sends_them_out(alice: Person, bob: Person, charlie: Person) -> None:
    room = alice.opens(seats=4)
    bob.post(f"games/{room['id']}/join")
    answer = alice.post(f"games/{room['id']}/bots", {"level": "random"})
    assert (answer.status, seats(answer.body)) == (200, [None, None, {"level": "random"}])
    assert seats(alice.post(f"games/{room['id']}/bots").body)[3] == STEADY
    assert alice.post(f"games/{room['id']}/bots", {"level": "steady"}).code == "room_full"
    assert seats(alice.post(f"games/{room['id']}/kick", {"seat": 2}).body) == [None, None, STEADY]
    for person in (bob, charlie):
        assert person.post(f"games/{room['id']}/bots", {"level": "steady"}).status == 403
    for wrong in ({"level": "grandmaster"}, {"level": 1}, {"levels": "steady"}):
        answer = alice.post(f"games/{room['id']}/bots", wrong)
        assert answer.status == 400
        assert answer.body["errors"][0]["field"] == next(iter(wrong))
    events = bob.get(f"games/{room['id']}/events").body["results"]
    joined = [event["data"] for event in events if event["type"] == "joined"]
    assert [data["bot"] for data in joined] == [None, None, {"level": "random"}, STEADY]


@pytest.mark.sampled
def test_bots_play_a_whole_game_with_a_person(alice: Person) -> None:
    room = alice.opens(seats=3, bots=2, options=SHORT)
    game = alice.post(f"games/{room['id']}/start").body
    assert (game["clock"], game["deadlines"], game["deadline_at"]) == (None, {}, None), "BT2: practice has no clock"
    for _ in range(3000):
        services.play_bots(game["id"])
        game = alice.sees(room)
        if game["status"] == "finished":
            break
        assert game["to_act"] == [0]
        assert alice.get("me/turns").body["results"][0]["id"] == room["id"]
        [move, *_] = alice.get(f"games/{room['id']}/moves").body["moves"]
        answer = alice.post(f"games/{room['id']}/moves", concrete(move))
        assert answer.status == 201, answer.body
    assert len(game["result"]["placements"] if "result" in game else game["view"]["result"]["placements"]) == 3
    record = alice.get(f"games/{room['id']}/record").body
    assert {move["seat"] for move in record["moves"]} == {0, 1, 2}


def test_a_player_takes_the_seat_back_with_one_call(
    alice: Person, bob: Person, charlie: Person, game: dict[str, Any]
) -> None:
    path = f"games/{game['id']}"
    assert bob.post(f"{path}/return").code == "no_bot"
    seat_a_bot(game, 1)
    seen = alice.sees(game)
    assert seen["players"][1]["bot"] == STEADY
    assert seen["players"][1]["player"]["username"] == "bob"
    assert set(seen["deadlines"]) == {"0"}
    assert bob.get("me/turns").body["results"] == []
    legal = bob.get(f"{path}/moves").body
    assert (legal["moves"], legal["reason"]["code"]) == ([], "bot_plays")
    assert bob.post(f"{path}/moves", {"move": "pick_up"}).code == "bot_plays"
    assert charlie.post(f"{path}/return").status == 403
    answer = bob.post(f"{path}/return")
    assert answer.status == 200
    assert seats(answer.body) == [None, None]
    assert set(answer.body["deadlines"]) == {"0", "1"}
    assert bob.get(f"{path}/moves").body["moves"]
    assert [event["type"] for event in bob.get(f"{path}/events?after={seen['version']}").body["results"]] == [
        "player_returned"
    ]
