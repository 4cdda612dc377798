"""GET and POST games/{id}/moves."""

from typing import Any

import pytest

from core import log
from tests.games.api.client import Person, concrete


def moves_of(who: Person, game: dict[str, Any]) -> list[dict[str, Any]]:
    return list(who.get(f"games/{game['id']}/moves").body["moves"])


def play(who: Person, game: dict[str, Any], move: dict[str, Any], **headers: str) -> Any:
    return who.post(f"games/{game['id']}/moves", move, **headers)


def to_move(game: dict[str, Any], *people: Person) -> tuple[Person, Person]:
    """Whose turn it is, and the other one."""
    one, other = people if game["to_act"] == [0] else people[::-1]
    return one, other


def test_legal_moves_are_listed_with_the_version_they_are_good_for(alice: Person, game: dict[str, Any]) -> None:
    body = alice.get(f"games/{game['id']}/moves").body
    assert (body["version"], body["reason"]) == (game["version"], None)
    assert body["moves"][0]["move"] == "arrange"
    assert body["moves"][0]["choose"] == 3


def test_each_legal_move_can_be_sent_as_it_stands(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    mover, _ = to_move(running, alice, bob)
    (listed, *_) = moves_of(mover, running)
    assert listed["send"] == {"move": "play", "cards": listed["cards"][: listed["min"]]}
    assert play(mover, running, listed["send"]).status == 201


def test_without_a_legal_move_the_reason_is_said(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    mover, other = to_move(running, alice, bob)
    assert moves_of(mover, running)
    body = other.get(f"games/{running['id']}/moves").body
    assert body["moves"] == []
    assert body["reason"]["code"] == "not_your_turn"
    assert body["reason"]["detail"].endswith(".")


def test_in_the_lobby_there_is_no_move_yet(alice: Person, room: dict[str, Any]) -> None:
    assert alice.get(f"games/{room['id']}/moves").body["reason"]["code"] == "not_started"


def test_legal_moves_are_for_players_only(charlie: Person, game: dict[str, Any]) -> None:
    answer = charlie.get(f"games/{game['id']}/moves")
    assert (answer.status, answer.code) == (403, "not_a_player")


def test_a_move_answers_its_events_the_new_version_and_the_callers_view(alice: Person, game: dict[str, Any]) -> None:
    answer = play(alice, game, concrete(moves_of(alice, game)[0]))
    assert answer.status == 201
    assert set(answer.body) == {"version", "events", "game"}
    assert answer.body["version"] == answer.body["game"]["version"] == game["version"] + 1
    (event,) = answer.body["events"]
    assert (event["version"], event["type"], event["seat"]) == (answer.body["version"], "arranged", 0)
    assert set(event) == {"version", "type", "seat", "data", "recorded_at", "said"}
    assert answer.body["game"] == alice.sees(game)
    assert answer.headers["etag"] == alice.get(f"games/{game['id']}").headers["etag"]


MALFORMED = [
    {},
    {"move": None},
    {"move": 1},
    {"move": ["play"]},
    {"move": "fly"},
    {"move": "play"},
    {"move": "play", "cards": "7H"},
    {"move": "play", "cards": ["7h"]},
    {"move": "play", "cards": ["1H"]},
    {"move": "play", "cards": [7]},
    {"move": "play", "cards": [["7H"]]},
    {"move": "play", "cards": {"7H": 1}},
    {"move": "play", "cards": ["7H"], "seat": 1},
    {"move": "flip", "position": "0"},
    {"move": "flip", "position": 3},
    {"move": "flip", "position": 1.0},
    {"move": "flip", "position": True},
    {"move": "resign", "why": "tired"},
]


@pytest.mark.parametrize("move", MALFORMED, ids=str)
def test_a_malformed_move_is_400_and_nothing_changes(
    alice: Person, bob: Person, running: dict[str, Any], move: dict[str, Any]
) -> None:
    mover, _ = to_move(running, alice, bob)
    answer = play(mover, running, move)
    assert (answer.status, answer.code) == (400, "malformed")
    assert len(log.read(f"game-{running['id']}")) == running["version"]


def test_a_move_against_the_rules_is_422_with_a_sentence(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    mover, other = to_move(running, alice, bob)
    for who, move in ((mover, {"move": "pick_up"}), (mover, {"move": "flip", "position": 0})):
        answer = play(who, running, move)
        assert answer.status == 422
        assert answer.body["detail"].endswith(".")
        assert answer.code
    hand = other.sees(running)["view"]["players"][other.sees(running)["your_seat"]]["hand"]
    answer = play(other, running, {"move": "play", "cards": hand[:1]})
    assert (answer.status, answer.code) == (422, "not_your_turn")
    assert len(log.read(f"game-{running['id']}")) == running["version"]


def test_only_players_move(charlie: Person, game: dict[str, Any]) -> None:
    answer = play(charlie, game, {"move": "resign"})
    assert (answer.status, answer.code) == (403, "not_a_player")


def test_a_stranger_does_not_learn_of_a_private_game(alice: Person, charlie: Person) -> None:
    room = alice.opens(visibility="private")
    answer = play(charlie, room, {"move": "resign"})
    assert (answer.status, answer.code) == (404, "not_found")


def test_before_the_start_a_move_is_409(alice: Person, room: dict[str, Any]) -> None:
    answer = play(alice, room, {"move": "resign"})
    assert (answer.status, answer.code) == (409, "not_started")


def test_after_the_end_a_move_is_refused(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    assert play(alice, game, {"move": "resign"}).body["game"]["status"] == "finished"
    assert play(bob, game, {"move": "resign"}).status in (409, 422)


# Idempotency-Key


def test_a_retry_with_its_key_gets_the_same_answer_and_is_applied_once(alice: Person, game: dict[str, Any]) -> None:
    move = concrete(moves_of(alice, game)[0])
    first = play(alice, game, move, Idempotency_Key="one")
    again = play(alice, game, move, Idempotency_Key="one")
    assert (first.status, again.status) == (201, 201)
    assert again.raw == first.raw
    assert again.headers["etag"] == first.headers["etag"]
    assert len(log.read(f"game-{game['id']}")) == first.body["version"]


def test_the_answer_stays_the_same_when_the_game_has_gone_on(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    move = concrete(moves_of(alice, game)[0])
    first = play(alice, game, move, Idempotency_Key="one")
    play(bob, game, concrete(moves_of(bob, game)[0]))
    assert play(alice, game, move, Idempotency_Key="one").raw == first.raw


def test_a_retry_is_answered_although_its_if_match_is_stale_by_now(alice: Person, game: dict[str, Any]) -> None:
    move, etag = concrete(moves_of(alice, game)[0]), alice.get(f"games/{game['id']}").headers["etag"]
    first = play(alice, game, move, Idempotency_Key="one", If_Match=etag)
    again = play(alice, game, move, Idempotency_Key="one", If_Match=etag)
    assert (first.status, again.status, again.raw) == (201, 201, first.raw)


def test_the_same_key_with_another_body_is_422(alice: Person, game: dict[str, Any]) -> None:
    play(alice, game, concrete(moves_of(alice, game)[0]), Idempotency_Key="one")
    answer = play(alice, game, {"move": "resign"}, Idempotency_Key="one")
    assert (answer.status, answer.code) == (422, "key_reused")


def test_keys_belong_to_a_player_and_a_game(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    for who in (alice, bob):
        assert play(who, game, concrete(moves_of(who, game)[0]), Idempotency_Key="one").status == 201


def test_a_refusal_is_not_kept(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    mover, _ = to_move(running, alice, bob)
    assert play(mover, running, {"move": "pick_up"}, Idempotency_Key="one").status == 422
    assert play(mover, running, concrete(moves_of(mover, running)[0]), Idempotency_Key="one").status == 201


# If-Match


def test_a_move_made_on_what_one_has_read_goes_through(alice: Person, game: dict[str, Any]) -> None:
    etag = alice.get(f"games/{game['id']}").headers["etag"]
    assert play(alice, game, concrete(moves_of(alice, game)[0]), If_Match=etag).status == 201


@pytest.mark.parametrize("encoding", ["gzip", "zstd"])
def test_a_tag_that_a_compressing_proxy_has_lengthened_holds(
    alice: Person, game: dict[str, Any], encoding: str
) -> None:
    etag = alice.get(f"games/{game['id']}").headers["etag"]
    seen = f'{etag[:-1]}-{encoding}"'
    assert play(alice, game, concrete(moves_of(alice, game)[0]), If_Match=seen).status == 201
    assert play(alice, game, {"move": "resign"}, If_Match=seen).status == 412


@pytest.mark.parametrize("header", ['"v{version}"', '"v1", "v{version}"', "*"])
def test_the_version_alone_will_do(alice: Person, game: dict[str, Any], header: str) -> None:
    move = concrete(moves_of(alice, game)[0])
    assert play(alice, game, move, If_Match=header.format(**game)).status == 201


def test_a_stale_etag_or_version_is_412_and_nothing_changes(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    stale = alice.get(f"games/{game['id']}").headers["etag"]
    play(bob, game, concrete(moves_of(bob, game)[0]))
    move = concrete(moves_of(alice, game)[0])
    for header in (stale, f'"v{game["version"]}"', '"v99"', '"other"', f'W/"v1", {stale}'):
        answer = play(alice, game, move, If_Match=header)
        assert (answer.status, answer.code) == (412, "stale_version"), header
        assert answer.body["detail"].endswith(".")
    assert len(log.read(f"game-{game['id']}")) == game["version"] + 1


def test_a_weak_tag_as_of_nginx_is_412_and_says_what_to_send_but_does_for_a_304(
    alice: Person, game: dict[str, Any]
) -> None:
    path = f"games/{game['id']}"
    weak = f"W/{alice.get(path).headers['etag']}"
    answer = play(alice, game, concrete(moves_of(alice, game)[0]), If_Match=weak)
    assert (answer.status, answer.code) == (412, "weak_tag")
    assert '"v17"' in answer.body["detail"]
    assert len(log.read(f"game-{game['id']}")) == game["version"]
    assert alice.get(path, If_None_Match=weak).status == 304


def test_the_etag_of_another_viewer_does_not_match(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    etag = bob.get(f"games/{game['id']}").headers["etag"]
    assert play(alice, game, concrete(moves_of(alice, game)[0]), If_Match=etag).status == 412


def test_who_does_not_play_is_told_so_whatever_the_condition(charlie: Person, game: dict[str, Any]) -> None:
    for header in ('"v1"', f'"v{game["version"]}"', "*"):
        answer = play(charlie, game, {"move": "resign"}, If_Match=header)
        assert (answer.status, answer.code) == (403, "not_a_player"), header


# Castle's race (CA2)


@pytest.mark.sampled
def test_who_comes_second_in_the_race_is_told_so_by_409(alice: Person, bob: Person, charlie: Person) -> None:
    people = (alice, bob, charlie)
    game = race_among(people)
    one, other = game["to_act"][:2]
    # Whoever sits left of the opener would be next, and might play a card of the same rank.
    first, second = (one, other) if other != (one + 1) % 3 else (other, one)
    moves = {seat: concrete(moves_of(people[seat], game)[0]) for seat in (first, second)}
    assert play(people[first], game, moves[first]).status == 201
    answer = play(people[second], game, moves[second])
    assert (answer.status, answer.code) == (409, "race_lost")
    assert len(log.read(f"game-{game['id']}")) == game["version"] + 1


def race_among(people: tuple[Person, ...]) -> dict[str, Any]:
    """A game of Castle in which two or more of three may open."""
    for _ in range(100):
        room = people[0].opens(game="castle", seats=3)
        for who in people[1:]:
            who.post(f"games/{room['id']}/join")
        people[0].post(f"games/{room['id']}/start")
        for who in people:
            play(who, room, concrete(moves_of(who, room)[0]))
        game = people[0].sees(room)
        if len(game["to_act"]) > 1:
            return game
    raise AssertionError("in a hundred deals the lowest rank never lay in two hands")
