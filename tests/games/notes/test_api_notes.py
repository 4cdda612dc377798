"""GET, PUT and DELETE games/{id}/note (NO1, NO2)."""

from typing import Any

import pytest

from core.accounts import exporting
from core.accounts.models import Player
from core.accounts.services import close
from core.log import Actor
from games import services
from games.notes.models import Note
from tests.games.api.client import Answer, Person

WHY = "Why did I keep the 2?\nAda never plays a joker early."


def put(person: Person, game: dict[str, Any], text: object, **headers: str) -> Answer:
    return person.call("PUT", f"games/{game['id']}/note", {"text": text}, **headers)


def get(person: Person, game: dict[str, Any], **headers: str) -> Answer:
    return person.get(f"games/{game['id']}/note", **headers)


def drop(person: Person, game: dict[str, Any], **headers: str) -> Answer:
    return person.call("DELETE", f"games/{game['id']}/note", **headers)


def test_no1_a_note_is_written_read_and_deleted(alice: Person, bob: Person, game: dict[str, Any]) -> None:
    assert get(alice, game).body == {"text": "", "version": None, "at": None}
    written = put(alice, game, WHY)
    assert (written.status, written.body["text"], written.body["version"]) == (200, WHY, game["version"])
    assert get(alice, game).body == written.body
    assert get(bob, game).body["text"] == ""
    assert drop(alice, game).status == 204
    assert get(alice, game).body["text"] == ""
    assert drop(alice, game).status == 204


@pytest.mark.parametrize("empty", ["", "  \n "])
def test_no1_an_empty_text_deletes_it(alice: Person, game: dict[str, Any], empty: str) -> None:
    put(alice, game, WHY)
    assert put(alice, game, empty).body == {"text": "", "version": None, "at": None}
    assert not Note.objects.exists()


def test_no1_up_to_2000_characters_in_nfc_with_line_breaks(alice: Person, game: dict[str, Any]) -> None:
    assert put(alice, game, "é" * 2000).body["text"] == "é" * 2000
    assert put(alice, game, " e\u0301\r\nb \n").body["text"] == "é\nb"


@pytest.mark.parametrize("text", ["x" * 2001, "a\u0007b", "a\tb", "a\u202eb", "a" + "\u0301" * 9, None, 7, ["a"]])
def test_no1_other_texts_are_refused_and_the_note_stays(alice: Person, game: dict[str, Any], text: object) -> None:
    put(alice, game, WHY)
    refused = put(alice, game, text)
    assert (refused.status, refused.code) == (400, "invalid")
    assert [error["field"] for error in refused.body["errors"]] == ["text"]
    assert get(alice, game).body["text"] == WHY


def test_no1_a_strong_etag_guards_two_devices(alice: Person, game: dict[str, Any]) -> None:
    empty = get(alice, game).headers["etag"]
    first = put(alice, game, "One.", If_Match=empty).headers["etag"]
    assert put(alice, game, "Two.", If_Match=empty).status == 412
    assert get(alice, game).body["text"] == "One."
    assert get(alice, game, If_None_Match=first).status == 304
    second = put(alice, game, "Two.", If_Match=first)
    assert second.status == 200
    assert drop(alice, game, If_Match=first).status == 412
    assert put(alice, game, "Three.").status == 200, "without a condition the last one wins"


def test_no1_the_version_of_the_game_is_no_condition_for_a_note(alice: Person, game: dict[str, Any]) -> None:
    for version, text in ((0, ""), (game["version"], WHY)):
        put(alice, game, text)
        for call in (
            lambda **headers: put(alice, game, "Over it.", **headers),
            lambda **headers: drop(alice, game, **headers),
        ):
            assert call(If_Match=f'"v{version}"').code == "stale_version"
        assert get(alice, game).body["text"] == text


def test_no1_whoever_has_a_note_reads_and_deletes_it_once_the_seat_changed_hands(
    alice: Person, charlie: Person, running: dict[str, Any]
) -> None:
    put(alice, running, WHY)
    replacing = Player.objects.get(username="charlie")
    services.replace_player(running["id"], 0, player=replacing, actor=Actor("staff"), reason="She moved away.")
    assert get(alice, running).body["text"] == WHY
    assert (put(alice, running, "More.").status, put(alice, running, "More.").code) == (403, "not_a_player")
    assert get(charlie, running).body["text"] == ""
    assert drop(alice, running).status == 204
    assert get(alice, running).code == "not_a_player"


def test_no1_it_is_written_after_the_end_too(alice: Person, running: dict[str, Any]) -> None:
    alice.post(f"games/{running['id']}/moves", {"move": "resign"})
    assert put(alice, running, WHY).status == 200


@pytest.mark.sampled
def test_no2_nothing_that_anybody_else_asks_depends_on_a_note(
    alice: Person, bob: Person, charlie: Person, running: dict[str, Any]
) -> None:
    game = f"games/{running['id']}"
    calls = [game, f"{game}/events", f"{game}/history/3", "games", "me/turns", "me/notifications"]

    def world() -> list[tuple[Any, Any]]:
        answers = [person.get(call) for person in (alice, bob, charlie) for call in calls]
        answers += [person.get(f"{game}/moves") for person in (alice, bob)]
        return [(answer.body, answer.headers.get("etag")) for answer in answers]

    before = world()
    put(alice, running, WHY)
    assert world() == before


def test_no1_it_is_in_the_export_and_goes_with_the_account(alice: Person, game: dict[str, Any]) -> None:
    written = put(alice, game, WHY).body
    player = Player.objects.get(username="alice")
    (kept,) = dict(exporting.parts_of(player, player.date_joined))["notes"]
    assert (str(kept["game"]), kept["text"], kept["version"]) == (game["id"], WHY, written["version"])
    close(player)
    assert not Note.objects.exists()
