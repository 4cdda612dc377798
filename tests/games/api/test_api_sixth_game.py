"""A sixth game of the family is one value and one line: then people play it over the API, with bots, to its end."""

from dataclasses import replace
from typing import Any, cast

import pytest

from core.http.documents import document
from core.values import Value, values_of
from games import services
from games.api.requests import OpenRoomRequest
from games.rules import GAMES, PLAYED
from games.rules.record import replay
from games.rules.shedding import SheddingGame
from games.rules.shedding.builtin import STALEMATE, Variant, play_until
from tests.games.api.client import Person
from tests.games.api.test_api_typed import validator

SIXES = Variant(
    name="sixes",
    summary="Shed all your cards: a 6 closes the pile, three in a row give another turn, and nobody may watch.",
    document={
        "title": "Sixes",
        "seats": [3, 4],
        "decks": [[4, 1]],
        "jokers": 2,
        "opening": {"search": "3456789TJQKA2X", "card": "any"},
        "powers": {"6": ["wild", "closes"], "X": ["wild"]},
        "closed": {"then": "next"},
        "row": {"size": 3},
    },
    options=(STALEMATE, play_until("first_out")),
    order="345789TJQKA26X",
    spectators=False,
)


@pytest.fixture
def sixes(monkeypatch: pytest.MonkeyPatch) -> str:
    """The line in games/rules/shedding/__init__.py, for the time of a test."""
    for games in (GAMES, PLAYED):
        monkeypatch.setitem(games, SIXES.name, SheddingGame(SIXES))
    values = cast("dict[str, Value]", values_of(OpenRoomRequest))  # it was read before the game was there
    monkeypatch.setitem(values, "game", replace(values["game"], words=sorted(GAMES)))
    return SIXES.name


def played_to_the_end(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """The finished game: the person sends the first listed move whenever it is their turn."""
    for _ in range(2000):
        services.play_bots(game["id"])
        game = person.sees(game)
        if game["status"] == "finished":
            return game
        listed = person.get(f"games/{game['id']}/moves").body["moves"]
        answer = person.post(f"games/{game['id']}/moves", listed[0]["send"])
        assert answer.status == 201, answer.body
    raise AssertionError("the game does not end")


def test_a_sixth_game_is_offered_like_the_others(sixes: str, alice: Person) -> None:
    offered = {entry["game"]: entry for entry in alice.get("rulesets").body["results"]}
    assert (offered[sixes]["title"], offered[sixes]["min_seats"], offered[sixes]["max_seats"]) == ("Sixes", 3, 4)
    assert alice.post("games", {"game": sixes, "seats": 5}).status == 400


@pytest.mark.sampled
def test_a_sixth_game_is_played_over_rest_with_bots_to_its_end(
    sixes: str, alice: Person, bob: Person, charlie: Person
) -> None:
    alice.patch("me", {"preferences": {"forced_moves": True}})
    room = alice.opens(game=sixes, seats=4, options={"stalemate_after": 3})
    bob.post(f"games/{room['id']}/join")
    for level in ("steady", "random"):
        alice.post(f"games/{room['id']}/bots", {"level": level})
    game = alice.post(f"games/{room['id']}/start").body
    assert charlie.get(f"games/{game['id']}").status == 403, "a game without spectators"
    assert bob.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201
    game = played_to_the_end(alice, game)
    result = game["view"]["result"]
    assert sorted(row["seat"] for row in result["placements"]) == [0, 1, 2, 3]
    assert result["placements"][-1]["seat"] == 1, "S11"
    record = alice.get(f"games/{game['id']}/record").body
    assert replay(record, GAMES).game.view(replay(record, GAMES).state, None)["result"] == result


@pytest.mark.sampled
def test_a_sixth_game_closes_piles_for_reasons_of_its_own() -> None:
    """No list in the document is closed to them; those of the five games are its examples."""
    found = {"effect": "closed", "why": "six"}
    assert validator("Effect").is_valid(found)
    schema = document()["components"]["schemas"]["ClosedEffect"]["properties"]["why"]
    assert schema["type"] == "string" and "enum" not in schema and "set_of_four" in schema["examples"]
