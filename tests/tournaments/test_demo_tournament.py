"""make demo TOURNAMENT=...: a tournament over HTTP against a live server, its standings proved from its record."""

from typing import Any

import pytest
from django.core.management import CommandError, call_command

from tournaments.management.commands import demo_tournament


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["rounds"])
@pytest.mark.django_db(transaction=True)
def test_a_tournament_is_played_and_its_record_gives_its_standings(
    live_server: Any, worker: None, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    monkeypatch.setattr(demo_tournament, "NAMES", ("ada",))
    monkeypatch.setattr(demo_tournament, "BOTS", 3)
    monkeypatch.setattr(demo_tournament, "SEASON_GAMES", 1)
    monkeypatch.setitem(demo_tournament.KINDS, "rounds", {"settings": {"rounds": 1, "tables": {"size": 4}}})
    call_command("demo_tournament", kind=kind, url=live_server.url)
    shown = capsys.readouterr().out
    assert "Round 1 is seated; tables: 1." in shown
    assert "Round 1, table 1: 1. " in shown
    assert "gives the same standings offline" in shown


def test_without_a_server_a_sentence_says_so() -> None:
    with pytest.raises(CommandError, match=r"No server responds at http://127\.0\.0\.1:9"):
        call_command("demo_tournament", url="http://127.0.0.1:9")
