"""CA9c over REST: what is sent as an interruption is played out of turn, or refused as too late."""

from typing import Any

import pytest

from tests.games.api.client import Person
from tests.games.api.conftest import person

pytestmark = pytest.mark.django_db
PLAYERS = ("ann", "ben", "cleo", "dan")

Chance = tuple[dict[str, Any], dict[str, Person], str, dict[str, Any]]


@pytest.fixture(scope="module")
def chance(module_rows: Any) -> Chance:
    """A game of Castle in which somebody may interrupt: the game, the players, who may, and the move to send."""
    with module_rows():
        return played_to_a_chance()


def played_to_a_chance() -> Chance:
    people = {name: person(name) for name in PLAYERS}
    opener = people["ann"]
    for _ in range(20):
        game = opener.opens(game="castle", seats=len(people))
        for name in PLAYERS[1:]:
            people[name].post(f"games/{game['id']}/join")
        game = opener.post(f"games/{game['id']}/start").body
        while game["status"] in ("setup", "playing"):
            for name, who in people.items():
                if sent := may_interrupt(who, game):
                    return opener.sees(game), people, name, sent
            move(people, game)
            game = opener.sees(game)
    raise AssertionError("nobody could ever interrupt")


def may_interrupt(who: Person, game: dict[str, Any]) -> dict[str, Any] | None:
    """The interruption that the list offers, as it is sent."""
    moves = who.get(f"games/{game['id']}/moves").body["moves"]
    return dict(moves[0]["send"]) if moves and "interrupt" in moves[0]["send"] else None


def holder(people: dict[str, Person], game: dict[str, Any]) -> Person:
    return people[game["players"][game["to_act"][0]]["player"]["username"]]


def move(people: dict[str, Person], game: dict[str, Any]) -> None:
    """The first legal move of whoever is to act."""
    who = holder(people, game)
    sent = who.get(f"games/{game['id']}/moves").body["moves"][0]["send"]
    assert who.post(f"games/{game['id']}/moves", sent).status == 201


@pytest.mark.sampled
def test_ca9_an_interruption_that_is_sent_as_listed_is_played(chance: Chance) -> None:
    game, people, name, sent = chance
    assert sent["interrupt"] is True
    answer = people[name].post(f"games/{game['id']}/moves", sent)
    assert answer.status == 201
    assert answer.body["events"][0]["data"]["move"] == {"move": "play", "cards": sent["cards"]}
    assert answer.body["game"]["to_act"] == game["to_act"]


def test_ca9_an_interruption_that_comes_too_late_is_a_lost_race_and_changes_nothing(chance: Chance) -> None:
    game, people, name, sent = chance
    while may_interrupt(people[name], game):
        move(people, game)
        game = people[name].sees(game)
    after = people[name].sees(game)
    answer = people[name].post(f"games/{game['id']}/moves", sent)
    assert (answer.status, answer.code) == (409, "race_lost")
    assert people[name].sees(game)["version"] == after["version"]


def test_in_ones_own_turn_a_play_sent_as_an_interruption_is_no_ordinary_play(chance: Chance) -> None:
    game, people, _, _ = chance
    who = holder(people, game)
    listed = who.get(f"games/{game['id']}/moves").body["moves"][0]["send"]
    assert "interrupt" not in listed
    play = {"move": "play", "cards": listed.get("cards", ["7H"]), "interrupt": True}
    answer = who.post(f"games/{game['id']}/moves", play)
    assert (answer.status, answer.code) == (409, "race_lost")
    assert who.sees(game)["version"] == game["version"]


@pytest.mark.parametrize("value", [None, 1, "true"])
def test_interrupt_is_true_or_false(chance: Chance, value: Any) -> None:
    game, people, name, sent = chance
    answer = people[name].post(f"games/{game['id']}/moves", {**sent, "interrupt": value})
    assert (answer.status, answer.code) == (400, "malformed")


def test_a_game_without_interruptions_does_not_know_the_key(alice: Person, running: dict[str, Any]) -> None:
    answer = alice.post(f"games/{running['id']}/moves", {"move": "play", "cards": ["7H"], "interrupt": True})
    assert (answer.status, answer.code) == (400, "malformed")
