"""The page of a game's review (RV1, RV8)."""

import re
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from core.jobs import services as work
from core.log import Actor
from games import services
from games.projections import Snapshot, load
from games.review.models import Review
from games.review.pages import about
from games.rules.moves import DONE, words_of
from games.services.bots import play_bots

pytestmark = pytest.mark.django_db


@pytest.fixture
def people() -> list[Player]:
    return [Player.objects.create_user(name) for name in ("ada", "bob")]


def browser_of(player: Player) -> Client:
    browser = Client()
    browser.force_login(player)
    return browser


def played(game: str, people: list[Player], **terms) -> Snapshot:
    """A game that bots play to the end, since both have left; ada's random bot loses places."""
    ada, bob = people
    room = services.open_room(ada, services.Terms(game, 3, **terms))
    services.join(room.id, bob, invitation=room.invitation)
    services.add_bot(room.id, ada, "random")
    services.start(room.id, ada)
    services.play(room.id, ada, {"move": "resign"})
    services.hand_to_bot(room.id, 1, actor=Actor("staff"), reason="away")
    while play_bots(room.id):
        pass
    game = load(room.id)
    assert game is not None
    assert game.status == "finished"
    return game


def text_of(browser: Client, game: Snapshot, query: str = "") -> str:
    return browser.get(f"/games/{game.id}/review{query}").content.decode()


@pytest.mark.sampled
def test_rv8_it_is_asked_for_made_and_shown(people: list[Player]) -> None:
    game, ada = played("threes", people), browser_of(people[0])
    path = f"/games/{game.id}/review"
    assert "Review this game" in text_of(ada, game)
    assert "Log in to get a review" in text_of(Client(), game)
    assert Client().post(path).status_code == 200  # nobody is logged in: the page again
    assert not Review.objects.exists()
    asked = ada.post(path)
    assert (asked.status_code, asked.headers["Location"]) == (302, path)
    making = text_of(ada, game)
    assert "The bot is looking through the game." in making
    assert '<meta http-equiv="refresh" content="2">' in making
    work.do_all(kinds=["games.review"])
    shown = text_of(Client(), game)
    assert "refresh" not in shown
    assert shown.count("<polyline") == 3
    body = Review.objects.get().body
    for number, one in enumerate(body["decisions"], start=1):
        assert f'href="/games/{game.id}?at={one["version"]}">{number}. bot 3 ' in shown
    # The same as a table.
    assert len(re.findall(r'<tr><th scope="row"><a href="/games/[^"]+at=', shown)) == len(body["places"])
    # Ada resigned at once, so nothing of hers is there.
    assert "You made no costly mistakes." in text_of(ada, game)
    assert "You made no costly mistakes." not in shown


@pytest.mark.sampled
def test_rv5_of_a_game_with_more_than_four_to_the_end_it_says_that_it_says_nothing(people: list[Player]) -> None:
    ada = people[0]
    room = services.open_room(ada, services.Terms("castle", 5, options={"play_until": "first_out"}))
    for _ in range(4):
        services.add_bot(room.id, ada, "random")
    services.start(room.id, ada)
    services.hand_to_bot(room.id, 0, actor=Actor("staff"), reason="away")
    while play_bots(room.id):
        pass
    game = load(room.id)
    assert game is not None
    browser_of(ada).post(f"/games/{game.id}/review")
    work.do_all(kinds=["games.review"])
    shown = text_of(browser_of(ada), game)
    assert "With more than four at the table, the bot doesn't estimate the places." in shown
    assert "You made no costly mistakes." not in shown
    assert "Expected places" not in shown


def test_rv7_of_three_thirteen_it_shows_the_penalties_round_by_round(people: list[Player]) -> None:
    game, ada = played("three_thirteen", people, options={"rounds": 2}), browser_of(people[0])
    ada.post(f"/games/{game.id}/review")
    work.do_all(kinds=["games.review"])
    shown = text_of(ada, game)
    assert "<h3>Round 2</h3>" in shown
    assert "<svg" not in shown.split("<main", 1)[1]
    assert Client().get(f"/games/{game.id}/review").status_code == 403  # TT10


@pytest.mark.sampled
def test_rv1_of_a_private_game_it_is_for_those_who_may_read_the_record(people: list[Player]) -> None:
    game = played("threes", people, visibility="private")
    stranger = browser_of(Player.objects.create_user("eve"))
    path = f"/games/{game.id}/review"
    assert stranger.get(path).status_code == stranger.post(path).status_code == 404
    invited = f"?invitation={game.invitation}"
    assert f"/games/{game.id}{invited}" in text_of(stranger, game, invited)
    assert stranger.post(path + invited).status_code == 302
    assert Review.objects.exists()


@pytest.mark.parametrize(
    ("cost", "said"),
    [
        (0.05, "a tenth of a place"),
        (0.31, "a third of a place"),
        (0.5, "half a place"),
        (0.9, "a whole place"),
        (1.64, "1.6 places"),
    ],
)
def test_rv4_costs_are_said_in_words(cost: float, said: str) -> None:
    assert about(cost) == said


@pytest.mark.parametrize(
    ("move", "made", "better"),
    [
        ({"move": "play", "cards": ["7H", "7D"]}, "played 7♥ 7♦", "played 7♥ 7♦"),
        ({"move": "arrange", "face_up": ["2D"]}, "laid 2♦ face up", "laid 2♦ face up"),
        (
            {"move": "flip", "position": 1},
            "turned over the middle face-down card",
            "turned over the middle face-down card",
        ),
        ({"move": "pick_up"}, "took the pile", "taken the pile"),
        ({"move": "draw", "from": "discard"}, "took the discard", "taken the discard"),
        ({"move": "draw", "from": "stock"}, "drew from the stock", "drawn from the stock"),
        ({"move": "end_turn"}, "ended the turn", "ended the turn"),
        ({"move": "go_out", "discard": "KS"}, "went out, discarding K♠", "gone out, discarding K♠"),
    ],
)
def test_rv4_moves_are_past(move: dict[str, Any], made: str, better: str) -> None:
    assert (words_of(move), words_of(move, DONE)) == (made, better)


@pytest.mark.sampled
def test_rv4_it_says_you_to_whose_move_it_was(people: list[Player]) -> None:
    game, ada = played("threes", people), browser_of(people[0])
    ada.post(f"/games/{game.id}/review")
    work.do_all(kinds=["games.review"])
    review = Review.objects.get()
    kept = {"move": "play", "cards": ["2S"]}
    played_late = {
        "version": review.body["from"],
        "seat": 0,
        "made": {"move": "pick_up"},
        "better": kept,
        "cost": "0.31",
    }
    review.body["decisions"] = [{**played_late, "by": "player"}]
    review.save()
    told = "</a>. The bot would have played 2♠. It cost about a third of a place."
    assert f"1. You took the pile{told}" in text_of(ada, game)
    assert f"1. {people[0].username} took the pile{told}" in text_of(Client(), game)
