"""make demo: whole games over HTTP against a live server, each record proved offline."""

import re
from typing import Any

import pytest
from django.core.management import CommandError, call_command


@pytest.mark.slow
@pytest.mark.parametrize("game", ["castle"])
@pytest.mark.django_db(transaction=True)
def test_a_whole_game_is_played_and_its_record_replays(
    live_server: Any, capsys: pytest.CaptureFixture[str], game: str
) -> None:
    call_command("demo", game=game, players=2, url=live_server.url)
    shown = capsys.readouterr().out
    assert "The game is over" in shown
    assert "▶ to act · ▒▒ a card face down" in shown
    told = [int(version) for version in re.findall(r"^ {0,3}(\d+)  \w", shown, re.MULTILINE)]
    assert told == list(range(told[0], told[-1] + 1)), "every event of every move"
    assert f"version {told[-1]} " in shown
    assert "replays offline to the same result" in shown


@pytest.mark.parametrize(
    ("wrong", "said"),
    [
        ({"game": "whist"}, "There is no game whist"),
        ({"game": "castle", "players": 6}, "Castle is played here by 2 to 5 players, not 6"),
        ({"url": "http://127.0.0.1:9"}, "No server responds at http://127.0.0.1:9"),
    ],
)
def test_what_cannot_be_played_is_said_in_a_sentence(wrong: dict[str, Any], said: str) -> None:
    with pytest.raises(CommandError, match=said):
        call_command("demo", **wrong)
