"""Many clients at the same moment, over HTTP, against the real database: one move is applied, all get true answers."""

from collections import Counter
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from threading import Barrier
from typing import Any

import httpx
import pytest

from core import log
from tests.games.api.client import Person, concrete
from tests.games.api.conftest import person

CLIENTS = 32

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


@pytest.fixture
def at_once(live_server: Any) -> Callable[[list[tuple[Person, str, Any, dict[str, str]]]], list[httpx.Response]]:
    """Sends POSTs, each from a client of its own, all at the same moment."""

    def send(calls: list[tuple[Person, str, Any, dict[str, str]]]) -> list[httpx.Response]:
        barrier = Barrier(len(calls))

        def one(client: httpx.Client, call: tuple[Person, str, Any, dict[str, str]]) -> httpx.Response:
            who, path, body, headers = call
            barrier.wait()
            return client.post(path, json=body, headers={"Authorization": f"Bearer {who.token}", **headers})

        with ExitStack() as stack:
            clients = [
                # The server is asked in the clear; without `verify` each client reads all certificates.
                stack.enter_context(httpx.Client(base_url=f"{live_server.url}/api/v1/", timeout=60, verify=False))
                for _ in calls
            ]
            for client in clients:
                # Connected one by one: the test server's queue of new connections is short.
                assert client.get("rulesets").status_code == 200
            with ThreadPoolExecutor(len(calls)) as pool:
                return list(pool.map(one, clients, calls))

    return send


def versions(game: dict[str, Any]) -> list[int]:
    return [event.version for event in log.read(f"game-{game['id']}")]


def test_of_32_who_send_a_move_for_one_version_one_gets_201_and_the_others_412(
    alice: Person, bob: Person, running: dict[str, Any], at_once: Any
) -> None:
    path = f"games/{running['id']}/moves"
    mover = (alice, bob)[running["to_act"][0]]
    move = concrete(mover.get(path).body["moves"][0])
    answers = at_once([(mover, path, move, {"If-Match": f'"v{running["version"]}"'})] * CLIENTS)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 412: CLIENTS - 1}
    (won,) = (answer for answer in answers if answer.status_code == 201)
    assert versions(running) == list(range(1, won.json()["version"] + 1))


def test_of_32_who_make_the_same_choice_without_a_condition_one_gets_201_and_the_rules_tell_the_others(
    alice: Person, game: dict[str, Any], at_once: Any
) -> None:
    path = f"games/{game['id']}/moves"
    move = concrete(alice.get(path).body["moves"][0])
    answers = at_once([(alice, path, move, {})] * CLIENTS)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 422: CLIENTS - 1}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 422} == {"already_arranged"}
    assert versions(game) == list(range(1, game["version"] + 2))


def test_32_retries_with_one_key_all_get_the_one_answer_and_the_move_is_applied_once(
    alice: Person, game: dict[str, Any], at_once: Any
) -> None:
    path = f"games/{game['id']}/moves"
    move = concrete(alice.get(path).body["moves"][0])
    answers = at_once([(alice, path, move, {"Idempotency-Key": "one"})] * CLIENTS)
    assert {answer.status_code for answer in answers} == {201}
    assert len({answer.content for answer in answers}) == 1
    assert versions(game) == list(range(1, game["version"] + 2))


def test_two_who_choose_at_the_same_moment_both_get_201(
    alice: Person, bob: Person, game: dict[str, Any], at_once: Any
) -> None:
    path = f"games/{game['id']}/moves"
    answers = at_once([(who, path, concrete(who.get(path).body["moves"][0]), {}) for who in (alice, bob)])
    assert [answer.status_code for answer in answers] == [201, 201]
    assert alice.sees(game)["status"] == "playing"


def test_of_32_who_sit_down_at_once_three_find_a_seat(alice: Person, at_once: Any) -> None:
    room = alice.opens(seats=4)
    people = [person(f"player{number}") for number in range(CLIENTS)]
    answers = at_once([(who, f"games/{room['id']}/join", {}, {}) for who in people])
    assert Counter(answer.status_code for answer in answers) == {200: 3, 409: CLIENTS - 3}
    assert {answer.json()["code"] for answer in answers if answer.status_code == 409} == {"room_full"}
    seats = alice.sees(room)["players"]
    assert [seat["seat"] for seat in seats] == [0, 1, 2, 3]
    assert len({seat["player"]["id"] for seat in seats}) == 4
    assert versions(room) == [1, 2, 3, 4, 5]


def test_of_32_who_sign_up_under_one_name_one_gets_it(live_server: Any, at_once: Any) -> None:
    pair = {"username": "alice", "password": "a quiet evening"}
    answers = at_once([(Person(), "players", pair, {"Authorization": ""})] * CLIENTS)
    assert Counter(answer.status_code for answer in answers) == {201: 1, 409: CLIENTS - 1}
