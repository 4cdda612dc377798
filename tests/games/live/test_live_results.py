"""The stream of results (AP26)."""

from typing import Any

from tests.games.api.conftest import game_in, person, room_of
from tests.games.live.conftest import Server
from tournaments.services import number_results


def ends(alice: Any, bob: Any) -> str:
    game = game_in(room_of(alice, bob), alice)
    assert bob.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201
    number_results.catch_up()
    return str(game["id"])


def test_ap26_a_stream_sends_the_entries_of_the_list_once_and_in_order(live: Server) -> None:
    alice, bob = person("alice"), person("bob")
    before = [ends(alice, bob) for _ in range(3)]
    since, begun = live.opens("results/live?after=1", alice.token), live.opens("results/live", bob.token)
    resumed = live.opens("results/live?after=0", bob.token, Last_Event_ID="2")
    last = ends(alice, bob)
    listed = {one["n"]: one for one in alice.get("results").body["results"]}
    assert [listed[n]["id"] for n in (1, 2, 3, 4)] == [*before, last]
    for stream, numbers in ((since, (2, 3, 4)), (resumed, (3, 4)), (begun, (4,))):
        for number in numbers:
            assert stream.next() == {"event": "result", "id": str(number), "data": listed[number]}


def test_ap26_what_is_private_is_not_sent(live: Server) -> None:
    alice, bob = person("alice"), person("bob")
    stream = live.opens("results/live", alice.token)
    room = alice.opens(visibility="private")
    bob.post(f"games/{room['id']}/join", {"invitation": room["invitation"]})
    alice.post(f"games/{room['id']}/start")
    assert bob.post(f"games/{room['id']}/moves", {"move": "resign"}).status == 201
    number_results.catch_up()
    game = ends(alice, bob)
    sent = stream.next()
    assert sent is not None
    assert (sent["id"], sent["data"]["id"]) == ("2", game)


def test_ap26_what_it_refuses(live: Server) -> None:
    alice = person("alice")
    assert live.opens("results/live").status == 401
    for query in ("after=1", "after=x", "token=abc"):
        refused = live.opens(f"results/live?{query}", alice.token)
        assert (refused.status, refused.body()["code"]) == (400, "invalid")
    assert alice.get("results/live").status == 421
