"""A house game is played at a table like any other (HG17, HG20, HG21)."""

import re
from typing import Any

import pytest
from django.test import Client

from core.accounts.models import Player
from core.hooks import Hook
from games import services
from games.models import Game
from games.notifications.following import tell_players
from games.rules import PLAYED
from games.rules.record import replay
from games.selectors import access
from games.services import bots, terms
from tests.games.api.client import Person

EIGHTS: dict[str, Any] = {
    "title": "Castle, 8s skip",
    "deal": {"table": 4, "hand": 2},
    "powers": {"2": ["wild", "may_again"], "T": ["wild", "closes"], "8": ["skips"]},
    "row": {"size": 4},
}


def opens(person: Person, rules: dict[str, Any] = EIGHTS, **wanted: Any) -> dict[str, Any]:
    return person.opens(game="house", options={"rules": rules}, **wanted)


def played_to_the_end(person: Person, game: dict[str, Any]) -> dict[str, Any]:
    """The finished game: the person sends the first listed move whenever it is their turn."""
    for _ in range(3000):
        services.play_bots(game["id"])
        game = person.sees(game)
        if game["status"] == "finished":
            return game
        listed = person.get(f"games/{game['id']}/moves").body["moves"]
        answer = person.post(f"games/{game['id']}/moves", listed[0]["send"])
        assert answer.status == 201, answer.body
    raise AssertionError("the game does not end")


@pytest.mark.sampled
def test_hg17_a_house_game_is_dealt_and_played_with_bots_to_an_end_that_replays(alice: Person) -> None:
    room = opens(alice, seats=3, start="full")
    assert (room["title"], room["rated"], room["ruleset"]) == ("Castle, 8s skip", False, "house")
    assert room["options"]["rules"]["end"] == {"until": "first_out", "stalemate_after": 20}, "complete"
    assert alice.post(f"games/{room['id']}/bots").body["players"][1]["bot"] == {"level": "plain"}
    game = alice.post(f"games/{room['id']}/bots", {"level": "easy"}).body
    assert len(game["view"]["players"][0]["face_down"]) == 4 and game["view"]["skips"] == 0
    assert Client().get(f"/games/{room['id']}").status_code == 200
    game = played_to_the_end(alice, game)
    assert '"hasReview": false' in alice.client.get(f"/games/{room['id']}").content.decode()
    record = alice.get(f"games/{room['id']}/record").body
    again = replay(record, PLAYED)
    assert again.error is None and again.game.view(again.state, None)["result"] == game["view"]["result"]


def test_hg15_a_game_of_bots_alone_that_takes_too_long_is_stopped_and_says_so(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(bots, "MOST_MOVES", 20)
    game = opens(alice, seats=3, start="full", bots=2)
    assert alice.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201
    services.play_bots(game["id"])
    after = alice.sees(game)
    assert after["status"] == "finished"
    assert after["view"]["result"]["ended_by"] == "limit"
    *_, stopped, over = alice.get(f"games/{game['id']}/events").body["results"]
    assert (stopped["said"], over["said"]) == (
        "The game was stopped: the bots had made too many moves.",
        "The game ended: the bots had made too many moves.",
    )
    tell_players.catch_up()
    assert alice.client.get(f"/games/{game['id']}").status_code == 200


def test_hg1_all_that_is_wrong_with_the_rules_is_named(alice: Person) -> None:
    answer = alice.post("games", {"game": "house", "seats": 2, "options": {"rules": {"row": {"size": 2}}}})
    assert answer.status == 400
    assert [error["field"] for error in answer.body["errors"]] == ["options.rules.title", "options.rules.row.size"]
    answer = alice.post("games", {"game": "house", "seats": 6, "options": {"rules": EIGHTS}})
    assert [error["field"] for error in answer.body["errors"]] == ["seats"]


@pytest.mark.parametrize("options", [{"skips": 1}, {"rules": 5}, {"rules": {"title": "Castle", "seats": 5}}])
def test_hg17_rules_that_are_wrong_are_named_beside_a_wrong_ruleset(alice: Person, options: Any) -> None:
    wrong = {"ruleset": "mine", "options": options}
    room = alice.opens(game="house", seats=2, options={"rules": EIGHTS})
    for answer in (
        alice.post("games", {"game": "house", "seats": 2, **wrong}),
        alice.call("PATCH", f"games/{room['id']}", wrong),
    ):
        fields = [error["field"] for error in answer.body["errors"]]
        assert answer.status == 400 and fields[0] == "ruleset" and all("options" in field for field in fields[1:])
        assert len(fields) > 1


def test_hg21_no_house_game_is_rated(alice: Person) -> None:
    answer = alice.post("games", {"game": "house", "seats": 2, "options": {"rules": EIGHTS}, "rated": True})
    assert answer.status == 400 and [error["field"] for error in answer.body["errors"]] == ["rated"]
    assert opens(alice, seats=2, rated=False)["rated"] is False


@pytest.mark.parametrize("level", ["steady", "random"])
def test_hg20_bots_of_house_games_have_levels_of_their_own(alice: Person, level: str) -> None:
    room = opens(alice, seats=2)
    assert alice.post(f"games/{room['id']}/bots", {"level": level}).status == 400
    other = alice.opens(seats=2)
    assert alice.post(f"games/{other['id']}/bots", {"level": "plain"}).status == 400


def test_hg19_a_table_takes_the_rules_of_a_saved_house_game_where_there_are_any(
    alice: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    wanted = {"game": "house", "seats": 2, "house_game": "mine"}
    assert alice.post("games", wanted).status == 404
    monkeypatch.setattr(terms, "SAVED", Hook())
    terms.SAVED.add(lambda player, saved: EIGHTS | {"about": f"{player} {saved}"})
    room = alice.post("games", wanted).body
    assert room["options"]["rules"]["about"] == "alice mine"
    for slip in ({"options": {"rules": EIGHTS}}, {"game": "threes"}):
        assert alice.post("games", wanted | slip).status == 400


def said(text: str) -> str:
    """A page or an answer without the rules themselves, which every record, stream and export holds (HG17)."""
    return re.sub(r"\"title\": ?\"Zanzibar\"", "", text)


def test_hg19_the_title_of_hidden_rules_is_read_by_nobody(
    alice: Person, bob: Person, charlie: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    room, other = opens(alice, EIGHTS | {"title": "Zanzibar"}, seats=3), opens(alice, seats=2)
    hidden = Game.objects.get(pk=room["id"]).digest
    monkeypatch.setattr(access, "HIDING", [lambda digest: digest == hidden])
    path, calendar = f"games/{room['id']}", str(bob.post("me/ics").body["url"]).partition("/ics")[2]
    browsers = {None: Client(), **{name: Client() for name in ("alice", "bob")}}
    for name, browser in browsers.items():
        if name is not None:
            browser.force_login(Player.objects.get(username=name))

    def titles_are_hidden() -> str:
        """What everybody reads of it now, all together."""
        tell_players.catch_up()
        pages = ["/", "/rooms", f"/join/{room['id']}", f"/rooms/{room['id']}", f"/{path}", f"/{path}/rules"]
        pages += [f"/{path}/moments", f"/{path}/data", f"/{path}/data/events", f"/ics{calendar}"]
        pages += [
            f"/rooms/{room['id']}/rules",
            "/me/notifications",
            f"/rooms/new/house?like={room['id']}",
            "/players/bob",
        ]
        seen = [browser.get(page).content.decode() for page in pages for browser in browsers.values()]
        calls = ["games?mine=true", "me/turns", "me/notifications", path, f"{path}/events", f"{path}/moves"]
        seen += [who.get(call).raw.decode() for call in calls for who in (alice, bob, charlie)]
        found = "\n".join(seen)
        assert "Zanzibar" not in said(found)
        return found

    assert alice.post(f"{path}/invite", {"username": "bob"}).status == 204
    refusals = [alice.post(f"{path}/start"), alice.patch(path, {"seats": 9}), alice.patch(path, {"ruleset": "castle"})]
    assert [answer.status for answer in refusals] == [409, 400, 400]
    found = titles_are_hidden()
    assert "<title>House game" in found and "alice invites you to play: House game" in found
    assert "A table of a house game was opened for 3 players." in found
    assert bob.post(f"{path}/join").status == 200 and alice.post(f"{path}/start").status == 200
    refusals.append(alice.post(f"{path}/moves", {"move": "draw"}))
    assert "Your turn: House game with" in titles_are_hidden()
    refusals.append(charlie.post(f"{path}/join"))
    for who in (alice, bob):
        assert who.post(f"{path}/moves", {"move": "resign"}).status == 201 or who.sees(room)["status"] == "finished"
    found = titles_are_hidden()
    assert "The game is over: House game" in found
    refusals += [alice.post(f"{path}/review"), alice.get(f"{path}/talk?after=-1"), charlie.post(f"{path}/rematch")]
    assert all(answer.status >= 400 and "Zanzibar" not in answer.raw.decode() for answer in refusals), refusals
    assert alice.get(f"{path}/record").body["options"]["rules"]["title"] == "Zanzibar", "HG17: what decided it"
    assert alice.sees(other)["title"] == EIGHTS["title"]


def test_hg19_a_room_of_a_saved_house_game_has_a_page(alice: Person, monkeypatch: pytest.MonkeyPatch) -> None:
    assert Client().get("/rooms/new/house").status_code == 404
    monkeypatch.setattr(terms, "SAVED", [lambda player, saved: EIGHTS])
    page = Client().get("/rooms/new/house?house_game=mine")
    assert page.status_code == 200 and b"Castle, 8s skip" in page.content
    guest = Client()
    asked = {"name": "Ada", "seats": "3", "bots": "1", "visibility": "private"}
    room = guest.post("/rooms/new/house?house_game=mine", asked)
    assert room.status_code == 302
    page = guest.get(room["Location"]).content.decode()
    assert "Castle, 8s skip" in page and "plain: plays its lowest cards first" in page
    assert guest.get(room["Location"] + "/rules").status_code == 200


def test_hg18_a_table_says_its_rules_in_sentences_and_markup_in_words_of_people_is_text(alice: Person) -> None:
    rules = EIGHTS | {"title": "<b>Eights</b>", "about": "<script>alert(1)</script>"}
    room = opens(alice, rules, seats=3)
    for page in (f"/games/{room['id']}/rules", f"/games/{room['id']}"):
        shown = Client().get(page).content.decode()
        assert "&lt;b&gt;Eights&lt;/b&gt;" in shown and "<b>Eights" not in shown and "<script>alert" not in shown
    assert "Each 8 skips one player." in Client().get(f"/games/{room['id']}/rules").content.decode()
    castle = alice.opens(game="castle", seats=2)
    assert Client().get(f"/games/{castle['id']}/rules")["Location"] == "/rules/castle"
    private = opens(alice, rules, seats=3, visibility="private")
    path = f"/games/{private['id']}/rules"
    assert Client().get(path).status_code == 404
    assert Client().get(f"{path}?invitation={private['invitation']}").status_code == 200


def test_hg17_what_holds_rules_that_would_be_refused_now_goes_on_or_says_why(
    alice: Person, bob: Person, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = opens(alice, seats=3, start="opener", visibility="public")
    over = played_to_the_end(alice, alice.post(f"games/{opens(alice, seats=2, start='full')['id']}/bots").body)
    monkeypatch.setattr(
        "games.rules.shedding.house.read", lambda given: ({}, {"powers.2": "Must be powers that there are."})
    )
    path = f"games/{room['id']}"
    assert alice.patch(path, {"clock": {"per_turn": 60}}).status == 200
    assert bob.post(f"{path}/join").status == 200
    for page in (f"/{path}", f"/{path}/rules", f"/games/{over['id']}", "/"):
        assert Client().get(page).status_code == 200
    started = alice.post(f"{path}/start")
    assert (started.status, started.body["status"]) == (200, "setup")
    assert alice.get(f"games/{over['id']}/record").status == alice.get(f"games/{over['id']}/history/5").status == 200
    refused = alice.post(f"games/{over['id']}/rematch")
    assert refused.status == 400
    assert [error["field"] for error in refused.body["errors"]] == ["options.rules.powers.2"]
