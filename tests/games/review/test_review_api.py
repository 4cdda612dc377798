"""GET and POST games/{id}/review, and manage.py review (RV1, RV6)."""

import json
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import StringIO
from typing import Any
from uuid import UUID

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from core.jobs import services as work
from games import services as games
from games.projections import load
from games.review import numbered, review, services
from games.review.models import Review
from games.rules import GAMES
from games.rules.record import replay
from tests.games.api.client import Person
from tests.games.api.test_api_history import played_to_the_end


@pytest.fixture
def finished(bob: Person, running: dict[str, Any]) -> dict[str, Any]:
    assert bob.post(f"games/{running['id']}/moves", {"move": "resign"}).status == 201
    return running


def path(game: dict[str, Any]) -> str:
    return f"games/{game['id']}/review"


def make() -> None:
    assert work.do_all(kinds=["games.review"]).failed == 0


def test_rv1_it_is_made_on_the_queue_once_and_kept(alice: Person, charlie: Person, finished: dict[str, Any]) -> None:
    before = alice.sees(finished)
    assert (alice.get(path(finished)).status, alice.get(path(finished)).code) == (404, "no_review")
    asked = alice.post(path(finished))
    assert (asked.status, asked.body) == (202, {"status": "making"})
    assert charlie.get(path(finished)).status == charlie.post(path(finished)).status == 202
    make()
    made = charlie.get(path(finished))
    assert made.status == 200
    assert made.body["game"] == "threes"
    assert alice.post(path(finished)).body == made.body
    assert work.find("games.review", finished["id"]) is None
    # Nothing of the game says that there is one.
    assert alice.sees(finished) == before


@pytest.mark.sampled
def test_rv6_a_record_and_the_service_give_the_same_figures(alice: Person, bob: Person) -> None:
    finished = played_to_the_end(alice, bob)
    alice.post(path(finished))
    make()
    served = alice.get(path(finished)).body
    played = replay(alice.get(f"games/{finished['id']}/record").body, GAMES)
    alone = review(played.game, numbered(played.events))
    assert [one["seats"] for one in served["places"]] == [one["seats"] for one in alone["places"]]
    assert served["seats"] == alone["seats"]
    same = [(one["seat"], one["made"], one["better"], one["cost"]) for one in alone["decisions"]]
    assert [(one["seat"], one["made"], one["better"], one["cost"]) for one in served["decisions"]] == same
    assert {one["by"] for one in served["decisions"]} <= {"player"}
    # The versions are the game's own: its room had events before the deal.
    events = {event["version"]: event for event in alice.get(f"games/{finished['id']}/events").body["results"]}
    for one in served["decisions"]:
        assert events[one["version"]]["data"]["move"] == one["made"]
    printed = StringIO()
    call_command("review", finished["id"], stdout=printed)
    assert json.loads(printed.getvalue()) == served


def test_rv1_before_the_end_or_called_off_there_is_none(alice: Person, bob: Person, running: dict[str, Any]) -> None:
    for answer in (alice.get(path(running)), alice.post(path(running))):
        assert (answer.status, answer.code) == (409, "not_finished")
    with pytest.raises(CommandError, match="has not finished"):
        call_command("review", running["id"])
    alice.post(f"games/{running['id']}/cancel")
    bob.post(f"games/{running['id']}/cancel")
    for answer in (alice.get(path(running)), alice.post(path(running))):
        assert (answer.status, answer.code) == (409, "game_cancelled")
    assert not Review.objects.exists()


def test_a_house_game_has_no_review(alice: Person) -> None:
    house = alice.opens(game="house", options={"rules": {"title": "Eights", "powers": {"8": ["skips"]}}}, bots=1)
    assert alice.post(f"games/{house['id']}/start").status == 200
    alice.post(f"games/{house['id']}/moves", {"move": "resign"})
    games.play_bots(UUID(house["id"]))
    assert (alice.sees(house)["status"], alice.post(path(house)).code) == ("finished", "no_networks")
    with pytest.raises(CommandError, match="has not learned to play by these rules"):
        call_command("review", house["id"])


def test_rv1_whoever_may_not_read_the_record_may_not_ask(
    alice: Person, bob: Person, charlie: Person, nobody: Person
) -> None:
    private = alice.opens(visibility="private")
    bob.post(f"games/{private['id']}/join", {"invitation": private["invitation"]})
    alice.post(f"games/{private['id']}/start")
    alice.post(f"games/{private['id']}/moves", {"move": "resign"})
    assert charlie.post(path(private)).status == charlie.get(path(private)).status == 404
    assert nobody.post(path(private)).status == 401
    assert charlie.post(path(private), {"invitation": private["invitation"]}).status == 202
    assert charlie.get(f"{path(private)}?invitation={private['invitation']}").status == 202
    hidden = alice.opens(game="three_thirteen")
    bob.post(f"games/{hidden['id']}/join")
    alice.post(f"games/{hidden['id']}/start")
    alice.post(f"games/{hidden['id']}/moves", {"move": "resign"})
    assert charlie.post(path(hidden)).status == 403
    assert alice.post(path(hidden)).status == 202
    make()
    assert bob.get(path(hidden)).body["rounds"] == [{"round": 1, "turns": []}]


def test_rv5_without_networks_it_is_refused_at_once(alice: Person, bob: Person) -> None:
    usual = GAMES["threes"].complete_options(2, None, {})[1]
    room = alice.opens(options={"merge_last_hand": not usual["merge_last_hand"]})
    bob.post(f"games/{room['id']}/join")
    alice.post(f"games/{room['id']}/start")
    alice.post(f"games/{room['id']}/moves", {"move": "resign"})
    refused = alice.post(path(room))
    assert (refused.status, refused.code) == (409, "no_networks")
    assert refused.body["detail"] == "The bot has not learned to play by these rules."


def test_rv1_twenty_a_day_are_counted_and_those_that_are_there_are_not(
    alice: Person, bob: Person, finished: dict[str, Any], settings: Any
) -> None:
    settings.TREY_LIMITS = {**settings.TREY_LIMITS, "review": (1, 24 * 3600)}
    assert alice.post(path(finished)).status == 202
    assert alice.post(path(finished)).status == 202
    game = alice.opens()
    bob.post(f"games/{game['id']}/join")
    alice.post(f"games/{game['id']}/start")
    alice.post(f"games/{game['id']}/moves", {"move": "resign"})
    limited = alice.post(path(game))
    assert (limited.status, limited.code) == (429, "too_many_requests")
    assert bob.post(path(game)).status == 202


@pytest.mark.django_db(transaction=True)
def test_rv1_asked_for_at_once_it_is_made_once(alice: Person, finished: dict[str, Any]) -> None:
    counted: list[int] = []

    def ask(count: Callable[[], None]) -> None:
        try:
            services.ask_for_review(load(UUID(finished["id"])), count)
        finally:
            connection.close()

    with ThreadPoolExecutor(8) as threads:
        list(threads.map(ask, [lambda: counted.append(1)] * 24))
    assert Review.objects.count() == 1
    assert work.do_all(kinds=["games.review"]).done == 1
    assert alice.get(path(finished)).status == 200
