"""LB12: the records of finished games, as `manage.py records` writes them for the lab."""

import json
from datetime import timedelta
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command

from games import selectors, services
from games.lab.__main__ import main as lab
from games.models import Game
from games.services.timeouts import sweep
from tests.games.services.service_scene import game_now, play_on, started
from tests.scenes import done_at

pytestmark = pytest.mark.django_db


def records(*arguments: str) -> list[dict[str, Any]]:
    out = StringIO()
    call_command("records", *arguments, stdout=out)
    return [json.loads(line) for line in out.getvalue().splitlines()]


@pytest.mark.sampled
def test_lb12_finished_games_are_written_without_names_and_counted_by_the_lab(alice, bob, tmp_path: Path, capsys):
    room = started(alice, bob)
    with pytest.raises(CommandError, match="No finished game matches"):
        records("threes")
    play_on(room.id)
    play_on(started(bob, alice, options={"play_until": "first_out", "stalemate_after": 4}).id)

    found = records("threes")
    assert [record["seats"] for record in found] == [2, 2]
    assert not {"alice", "bob"} & set(json.dumps(found).split('"'))
    path = tmp_path / "records"
    path.write_text("".join(json.dumps(record) + "\n" for record in found))
    assert lab(["figures", str(path), "--option", "stalemate_after=4"]) == 0
    assert "1 games" in capsys.readouterr().out
    with pytest.raises(CommandError, match="No finished game matches"):
        records("house")


@pytest.mark.sampled
def test_lb12_games_are_chosen_by_time_and_tournament(alice, bob):
    room = play_on(started(alice, bob).id)
    finished = Game.objects.get(pk=room.id).finished_at
    assert finished is not None
    later = (finished + timedelta(seconds=1)).isoformat()

    assert len(records("threes", "--since", finished.isoformat(), "--until", later)) == 1
    for arguments in (["--since", later], ["--until", finished.isoformat()], ["--tournament", str(room.id)]):
        with pytest.raises(CommandError, match="No finished game matches"):
            records("threes", *arguments)
    Game.objects.update(tournament=room.id)
    assert len(records("threes", "--tournament", str(room.id))) == 1


@pytest.mark.parametrize(
    ("arguments", "named"),
    [(["whist"], "whist"), (["threes", "--since", "tomorrow"], "tomorrow"), (["threes", "--tournament", "7"], "7")],
)
def test_lb14_bad_arguments_are_named(arguments, named):
    with pytest.raises(CommandError, match=named):
        records(*arguments)


@pytest.mark.sampled
def test_lb12_people_leaves_out_games_in_which_a_bot_or_the_clock_had_a_part(alice, bob):
    by_hand = play_on(started(alice, bob).id)
    timed = started(alice, bob, clock={"per_turn": 3600, "on_timeout": "play"})
    done_at(timed.moved_at + timedelta(days=3), sweep)
    play_on(timed.id)
    assert game_now(timed.id).status == "finished"
    with_bot = services.open_room(
        alice, services.Terms("threes", 2, options={"play_until": "first_out"}), bots=["random"]
    )
    services.start(with_bot.id, alice)
    Game.objects.filter(pk=with_bot.id).update(status="finished", finished_at=timed.moved_at)

    assert len(records("threes", "--until", "2100-01-01")) == 3
    [record] = records("threes", "--people")
    assert record == selectors.record_of(by_hand)
