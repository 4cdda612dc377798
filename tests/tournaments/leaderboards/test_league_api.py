"""GET leaderboards/{game}, players/{username}, ratings, versus."""

import re
from typing import Any

import pytest

from core.accounts import services as accounts
from core.accounts.models import Player
from games.rules import GAMES
from tests.games.api.client import Person
from tests.tournaments.leaderboards.league_scene import count, players, result

pytestmark = pytest.mark.django_db


def account(person: Person) -> Player:
    return Player.objects.get(username=person.username)


def test_a_leaderboard_needs_no_token(nobody: Person) -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    count("threes", *(result(ada, bob, cleo, dan) for _ in range(10)))
    answer = nobody.get("leaderboards/threes")
    assert answer.status == 200
    assert answer.body["total"] == 4
    assert (answer.body["next"], answer.body["previous"]) == (None, None)
    first = answer.body["results"][0]
    assert (first["rank"], first["player"]["username"], first["games"]) == (1, "ada", 10)
    assert first["percentile"] == "87.5"
    assert int(first["value"]) > 1500
    assert answer.body["as_of"].endswith("Z")


@pytest.mark.parametrize(
    ("path", "status", "field"),
    [
        ("leaderboards/whist", 404, None),
        ("leaderboards/threes?board=penalty", 400, "board"),
        ("leaderboards/threes?board=luck", 400, "board"),
        ("leaderboards/threes?period=2026-13", 400, "period"),
        ("leaderboards/threes?period=today", 400, "period"),
        ("leaderboards/threes?around=bob", 400, "around"),
        ("leaderboards/threes?around=me", 401, None),
        ("leaderboards/threes?limit=0", 400, "limit"),
        ("leaderboards/threes?cursor=x", 400, None),
        ("leaderboards/threes?colour=red", 400, "colour"),
        ("players/nobody-there", 404, None),
        ("players/nobody-there/ratings", 404, None),
    ],
)
def test_bad_requests_are_told_what_is_wrong(nobody: Person, path: str, status: int, field: str | None) -> None:
    answer = nobody.get(path)
    assert answer.status == status, answer.body
    if field:
        assert [error["field"] for error in answer.body["errors"]] == [field]


def test_around_me_is_the_page_with_the_caller_on_it(alice: Person) -> None:
    others = players(*(f"player-{index}" for index in range(9)))
    count("castle", *(result(account(alice), other) for other in others), result(others[0], others[1]))
    answer = alice.get("leaderboards/castle?board=games&around=me&limit=3")
    assert "alice" in [row["player"]["username"] for row in answer.body["results"]]
    assert "around" not in answer.body["next"]
    following = alice.get(answer.body["next"])
    assert following.status == 200
    assert following.body["previous"] is not None


def test_around_me_without_a_rank_is_empty(alice: Person) -> None:
    one, other = players("one", "other")
    count("castle", result(one, other))
    assert alice.get("leaderboards/castle?board=games&around=me").body["results"] == []


def test_a_profile_shows_games_places_and_the_reason_for_a_provisional_rating(nobody: Person) -> None:
    ada, bob = players("ada", "bob")
    count("threes", result(ada, bob), result(bob, ada))
    body = nobody.get("players/ADA").body
    (league,) = body["leagues"]
    assert (body["username"], league["games"], league["places"]) == ("ada", 2, {"1": 1, "2": 1})
    assert (league["provisional"], league["reason"]) == (True, "8 more rated games are needed.")
    wins = next(board for board in league["boards"] if board["board"] == "wins")
    assert (wins["value"], wins["rank"]) == ("1", 1)


def test_ratings_hold_the_history_of_each_game(nobody: Person) -> None:
    ada, bob = players("ada", "bob")
    count("threes", result(ada, bob), result(ada, bob))
    count("castle", result(bob, ada))
    body = nobody.get("players/ada/ratings").body
    assert {row["game"]: len(row["history"]) for row in body["results"]} == {"threes": 2, "castle": 1}
    (only,) = nobody.get("players/ada/ratings?game=threes").body["results"]
    assert [int(point["rating"]) for point in only["history"]] == sorted(
        int(point["rating"]) for point in only["history"]
    )
    assert nobody.get("players/ada/ratings?game=whist").status == 400


def test_versus_is_head_to_head(nobody: Person) -> None:
    ada, bob = players("ada", "bob")
    count("threes", result(ada, bob), result(bob, ada), result([ada, bob]))
    body = nobody.get("players/ada/versus/bob").body
    assert body["results"] == [{"game": "threes", "games": 3, "better": 1, "level": 1, "worse": 1}]


def test_who_asked_to_be_left_out_has_no_public_profile_but_their_own(nobody: Person, alice: Person) -> None:
    alice.patch("me", {"preferences": {"unlisted": True}})
    assert alice.get("me").body["preferences"]["unlisted"] is True
    assert nobody.get("players/alice").status == 404
    assert alice.get("players/alice").status == 200


def test_pages_need_no_script_and_tell_whom_a_player_met(client: Any) -> None:
    ada, bob, cleo, dan = players("ada", "bob", "cleo", "dan")
    count("threes", *(result(ada, bob, cleo, dan) for _ in range(10)))
    board = client.get("/leaderboards/threes")
    assert board.status_code == 200
    assert "<script>" not in board.content.decode()
    assert "ada" in board.content.decode()
    boards = client.get("/leaderboards").content.decode()
    assert boards.count('class="panel"') == len(GAMES)
    assert boards.index("Threes") < boards.index("ada")
    page = client.get("/players/ada")
    assert "<svg" in page.content.decode()
    assert "Places taken" in page.content.decode()
    met = re.findall(r'players/(\w+)">\w+</a></th>' + 4 * r'<td class="number">(\d+)</td>', page.content.decode())
    assert sorted(met) == [(name, "10", "10", "0", "0") for name in ("bob", "cleo", "dan")]
    client.force_login(dan)
    versus = client.get("/players/ada").content.decode().partition("You and ada")[2]
    figures = re.search(r">Threes</th>" + 4 * r'<td class="number">(\d+)</td>', versus)
    assert figures is not None and figures.groups() == ("10", "0", "0", "10")
    for path in ("/leaderboards/whist", "/leaderboards/threes?board=luck", "/players/nobody-there"):
        assert client.get(path).status_code == 404


def test_ra5_the_page_of_a_past_period_says_which_one_it_is(client: Any) -> None:
    for period, title in (("2025", "2025"), ("2025-03", "March 2025")):
        shown = client.get(f"/leaderboards/threes?period={period}").content.decode()
        periods = shown.partition('aria-label="Periods"')[2]
        assert re.findall(r'period=(\S+)" aria-current="page">([^<]+)<', periods) == [(period, title)]


def test_a_page_of_a_player_who_asked_to_be_left_out_is_not_there(client: Any) -> None:
    (ada,) = players("ada")
    accounts.change_profile(ada, preferences={"unlisted": True})
    assert client.get("/players/ada").status_code == 404


def test_who_asked_to_be_left_out_reads_so_where_their_rank_would_be(client: Any) -> None:
    ada, *others = players("ada", "bob", "cleo", "dan")
    count("threes", *(result(ada, *others) for _ in range(10)))
    accounts.change_profile(ada, preferences={"unlisted": True})
    client.force_login(ada)
    assert "You have asked to be left out" in client.get("/leaderboards/threes?around=me").content.decode()
    assert (
        "No rank: The player has asked to be left out of leaderboards." in client.get("/players/ada").content.decode()
    )


@pytest.mark.sampled
def test_a_player_finds_their_own_row_however_far_down(client: Any) -> None:
    many = players(*(f"player{number:03}" for number in range(120)))
    count("threes", *(result(*many[at : at + 4]) for at in range(0, 120, 4) for _ in range(10)))
    assert "Where am I?" not in client.get("/leaderboards/threes").content.decode()
    last, stranger = many[119], players("stranger")[0]
    client.force_login(last)
    top = client.get("/leaderboards/threes").content.decode()
    [around] = re.findall(r'href="([^"]+)">Where am I\?', top)
    assert 'class="own"' not in top
    mine = client.get(around.replace("&amp;", "&"))
    assert 'player119</a> <span class="badge">you</span>' in mine.content.decode()
    assert "Cookie" in mine.headers["Vary"]
    client.force_login(stranger)
    assert "You have no rank here yet." in client.get(around.replace("&amp;", "&")).content.decode()
