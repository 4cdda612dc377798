"""The example clients play whole games over HTTP against a live server."""

import io
import json
import sys
from collections.abc import Iterator
from itertools import chain, repeat
from typing import Any

import pytest
from rich.console import Console
from trey import Problem, Trey

from examples import client, fairness, play
from examples.terminal.picture import melds
from games.rules import GAMES
from games.rules.plans import read_plan
from tests.rules.house import SHORT

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]


@pytest.fixture
def server(live_server: Any) -> Iterator[Trey]:
    with Trey(live_server.url) as opened:
        play.signed_in(opened, {})
        yield opened


def two_seats(server: Trey, game: str) -> Any:
    options = {"rounds": 1} if game == "three_thirteen" else {}
    room = server.open_room(game=game, seats=2, bots=1, options=options)
    return server.start_game(room["id"])


def test_the_shortest_client_plays_a_game_to_its_end(
    live_server: Any, worker: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(client, "SERVER", live_server.url)
    monkeypatch.setattr(client, "GAME", "castle")
    client.main()
    places = capsys.readouterr().out
    assert "1. " in places
    assert places.count("you") == 1


def test_the_shuffles_of_a_finished_game_are_checked_as_the_server_shows_them(
    server: Trey, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = two_seats(server, "threes")["id"]
    server.play_move(game, {"move": "resign"})
    monkeypatch.setenv("TOKEN", str(server.token))
    proof, record, events = fairness.fetched(live_server.url, game)
    fairness.check(proof, record, events)
    with pytest.raises(AssertionError):
        fairness.check({**proof, "secret": "00" * 32}, record, events)


@pytest.mark.parametrize("game", ["castle", "three_thirteen"])
def test_a_person_plays_at_the_terminal_by_typing_numbers(
    server: Trey, worker: None, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    console = Console(file=io.StringIO(), width=120)
    monkeypatch.setattr(play.Prompt, "ask", lambda *_, **__: "1")
    player = play.Player(server, two_seats(server, game), console)
    player.play()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "1. " in shown
    assert "(you)" in shown
    for heading in ("Face up", "Face down") if game == "castle" else ("Left", "Costs", "is wild (marked *)"):
        assert heading in shown


def test_a_house_game_is_played_at_the_terminal_by_the_rules_of_a_file(
    live_server: Any, worker: None, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """As `make play RULES=house.json SEATS=2` does, from the deal to the places."""
    rules = {**SHORT, "title": "[/b] Eights [red]"}
    (tmp_path / "house.json").write_text(json.dumps(rules))
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["play", "--url", live_server.url, "--rules", "house.json", "--seats", "2"])
    typed = chain(["?"], repeat("1"))
    monkeypatch.setattr(play.Prompt, "ask", lambda *_, **__: next(typed))
    assert play.main() == 0
    shown = capsys.readouterr().out
    assert "[/b] Eights [red] · move" in shown and "Each 8 skips one player." in shown
    assert "Choose one of your three cards to lay face up." in shown and "or type one of" in shown
    assert "1. " in shown and "(you)" in shown


def test_a_rematch_is_played_by_the_same_players_and_only_if_it_is_wanted(
    server: Trey, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    player = play.Player(server, two_seats(server, "castle"), Console(file=io.StringIO(), width=120))
    first, names = player.game["id"], player.names
    assert not player.again(), "nothing is asked while the game runs"
    player.send({"move": "resign"})
    player.play()
    for answer, wanted in (("", False), ("n", False), ("Y", True)):
        monkeypatch.setattr(play.Prompt, "ask", lambda *_, answer=answer, **__: answer)
        assert player.again() is wanted
    assert (player.game["rematch_of"], player.game["status"]) == (first, "setup")
    assert sorted(player.names) == sorted(names)
    # It is the game from now on: what was said of the one before is not said again.
    assert (player.said, player.seen) == ([], player.game["version"])
    assert player.legal()[0]["move"] == "arrange"


def test_the_moment_is_explained_and_mistakes_cost_nothing(
    server: Trey, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    console = Console(file=io.StringIO(), width=120)
    typed = iter(["?", "l", "99", "7H 8H", "nonsense", "resign"])
    monkeypatch.setattr(play.Prompt, "ask", lambda *_, **__: next(typed))
    play.Player(server, two_seats(server, "threes"), console).play()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Choose three of your six cards" in shown
    assert "Type a number from 1 to" in shown
    assert not list(typed)


def test_the_same_command_goes_on_with_a_game_that_was_left(
    live_server: Any, tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["play", "--url", live_server.url, "--game", "castle"])

    def leave(*_: Any, **__: Any) -> str:
        raise KeyboardInterrupt

    monkeypatch.setattr(play.Prompt, "ask", leave)
    assert play.main() == 0
    assert "Your game is saved" in capsys.readouterr().out
    assert play.main() == 0
    assert "Continuing your game of Castle" in capsys.readouterr().out
    assert (tmp_path / "var" / "play.json").stat().st_mode & 0o077 == 0


def test_a_person_plays_under_a_name_of_their_own(server: Trey, live_server: Any) -> None:
    saved: dict[str, Any] = {}
    with Trey(live_server.url) as opened:
        play.signed_in(opened, saved)
        for name in ("Ada", "Lovelace"):
            play.signed_in(opened, saved, name)
            assert opened.my_profile()["username"] == name
    with Trey(live_server.url) as other, pytest.raises(Problem, match="taken"):
        play.signed_in(other, {}, "lovelace")


def test_discards_are_in_order_and_wild_cards_and_melds_are_marked() -> None:
    discards = [{"move": "discard", "card": card} for card in ("KS", "3H", "AD", "TD", "XR")]
    assert [one["card"] for one in play.in_order(discards)] == ["XR", "AD", "3H", "TD", "KS"], "TT1: aces are low"
    console = Console(file=io.StringIO(), width=80)
    console.print(melds(["7H", "8H", "9H", "KS", "AC", "3D"], "3", 15))
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Meld" in shown and "3♦*" in shown and "Costs" in shown
    assert shown.index("A♣") < shown.index("K♠")


def test_without_a_server_a_sentence_says_so(
    tmp_path: Any, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "argv", ["play", "--url", "http://127.0.0.1:9"])
    assert play.main() == 1
    assert "No server responds at http://127.0.0.1:9" in capsys.readouterr().out


@pytest.mark.parametrize("game", ["castle", "three_thirteen"])
def test_a_plan_can_be_left_at_the_prompt(
    server: Trey, worker: None, monkeypatch: pytest.MonkeyPatch, game: str
) -> None:
    console = Console(file=io.StringIO(), width=120)
    typed = iter(["p", "2", "p", "", "resign"])
    monkeypatch.setattr(play.Prompt, "ask", lambda *_, **__: next(typed))
    room = two_seats(server, game)
    if game == "castle":
        setup = server.legal_moves(room["id"])
        room = server.play_move(room["id"], setup["moves"][0]["send"])["game"]
    play.Player(server, room, console).play()
    shown = console.file.getvalue()  # type: ignore[attr-defined]
    assert "Planned." in shown
    assert not list(typed)


@pytest.mark.parametrize("stock", [0, 7])
@pytest.mark.parametrize("game", sorted(play.MARKS))
def test_the_plan_that_is_offered_is_one_of_the_game(game: str, stock: int) -> None:
    said, lines = play.plan_for(game, stock)
    assert said
    assert len(read_plan(GAMES[game], {"lines": lines, "turns": 2}).lines) == len(lines)


@pytest.mark.parametrize("game", sorted(set(play.MARKS) - {"three_thirteen"}))
def test_the_plan_that_is_offered_while_there_is_a_stock_leaves_the_plays_after_it_to_the_player(game: str) -> None:
    (said, lines), (_, at_the_end) = play.plan_for(game, 7), play.plan_for(game, 0)
    assert "while there is a stock" in said
    assert lines[0]["when"] == {"stock_is_out": False}
    assert all(line["when"] in ({"stock_is_out": False}, {"hand_at_most": 3}) for line in lines[:-2])
    assert at_the_end[0] == {**lines[0], "when": {}}


def test_among_people_a_plan_is_offered_after_each_turn(
    server: Trey, live_server: Any, worker: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Trey(live_server.url) as other:
        play.signed_in(other, {})
        room = server.open_room(game="threes", seats=2)
        other.join_game(room["id"])
        server.start_game(room["id"])
        for one in (server, other):
            one.play_move(room["id"], one.legal_moves(room["id"])["moves"][0]["send"])
        mover = next(one for one in (server, other) if one.legal_moves(room["id"])["moves"])
        console, asked = Console(file=io.StringIO(), width=120), []

        def answer(question: str, **_: Any) -> str:
            asked.append(question)
            return "1"

        monkeypatch.setattr(play.Prompt, "ask", answer)
        player = play.Player(mover, mover.get_game(room["id"]), console)
        while player.game["your_seat"] in player.game["to_act"]:
            player.send(player.legal()[0]["send"])
        assert [question for question in asked if question.startswith("Next turn: lowest cards first")]
        assert mover.get_plan(room["id"])["turns_left"] == 1


def test_tk12_what_is_said_at_the_table_is_heard_and_answered_at_the_prompt(
    server: Trey, live_server: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    with Trey(live_server.url) as other:
        play.signed_in(other, {})
        room = server.open_room(game="threes", seats=2, talk="all")
        other.join_game(room["id"])
        server.start_game(room["id"])
        other.say(room["id"], text="[Hello]")
        console = Console(file=io.StringIO(), width=120)
        monkeypatch.setattr(play.Prompt, "ask", lambda *_, **__: "say Good luck!")
        player = play.Player(server, server.get_game(room["id"]), console)
        player.hear()
        assert player.ask(player.legal()) is None
        printed = console.file.getvalue()  # type: ignore[attr-defined]
        assert ": [Hello]\n" in printed
        assert printed.count(": Good luck!\n") == 1
        said = other.get_talk(room["id"])["results"]
        assert [one["text"] for one in said] == ["[Hello]", "Good luck!"]
