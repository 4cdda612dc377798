"""The bots of docs/build/clients.md, as they stand there, play whole games (AP20)."""

import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from games.models import Game
from tests.clients.conftest import NODE, Server
from tests.config.web_server import until
from tests.docs.pages import ROOT, blocks
from tests.games.api.client import Person, concrete
from tests.games.api.conftest import person

pytestmark = [pytest.mark.slow, pytest.mark.django_db(transaction=True)]

[PYTHON], [TYPESCRIPT] = (
    [block.text for block in blocks("docs/build/clients.md") if block.language == language]
    for language in ("python", "ts")
)
BOTS = {
    "python": (PYTHON, "bot.py", sys.executable),
    "typescript": (TYPESCRIPT.replace("./trey.ts", str(ROOT / "clients" / "typescript" / "trey.ts")), "bot.ts", NODE),
}
ADDRESS = "http://127.0.0.1:8000"
CHOOSE = 'def choose(game, moves):\n    return moves[0]["send"]\n'


@pytest.fixture
def served(live_server: Any, live: Server, settings: Any, worker: None) -> str:
    settings.TREY_LIVE_URL = f"http://127.0.0.1:{live.port}"
    return str(live_server.url)


@contextmanager
def running(token: str, *command: str, cwd: Path = ROOT) -> Iterator[None]:
    path = os.pathsep.join([str(ROOT / "clients" / "python"), str(cwd)])
    process = subprocess.Popen(command, cwd=cwd, env={**os.environ, "TREY_TOKEN": token, "PYTHONPATH": path})
    try:
        yield
        assert process.poll() is None, "it goes on until it is stopped"
    finally:
        process.kill()
        process.wait()


def finished(games: list[str]) -> Callable[[], bool]:
    """Asked often: the rows are cheaper than the API."""
    return lambda: not Game.objects.filter(pk__in=games).exclude(status="finished").exists()


def begun(who: Person) -> str:
    room = who.opens(bots=1)
    assert who.post(f"games/{room['id']}/start").status == 200
    return str(room["id"])


@pytest.mark.parametrize("language", BOTS)
def test_ap20_the_bot_of_the_page_plays(served: str, tmp_path: Path, language: str) -> None:
    owl = person("owl")
    text, name, program = BOTS[language]
    assert len(text.splitlines()) < 20
    games = [begun(owl)]
    (tmp_path / name).write_text(text.replace(ADDRESS, served), encoding="utf-8")
    with running(owl.token or "", str(program), str(tmp_path / name)):
        until(finished(games), 600)
        games.append(begun(owl))  # a turn that begins while it waits
        until(finished(games), 600)


def test_ap20_a_function_accepts_invitations_and_plays(served: str, tmp_path: Path) -> None:
    owl, ada = person("owl"), person("ada")
    rooms = [ada.opens(visibility=visibility, bots=0, start="full") for visibility in ("public", "private")]
    (tmp_path / "my_bot.py").write_text('async def choose(game, moves):\n    return moves[-1]["send"]\n')
    command = [sys.executable, "-m", "trey.bot", "my_bot:choose", "--server", served, "--at-once", "2"]
    assert ada.post(f"games/{rooms[0]['id']}/invite", {"username": "owl"}).status == 204
    with running(owl.token or "", *command, cwd=tmp_path):
        until(lambda: ada.sees(rooms[0])["status"] == "setup", 120)
        assert ada.post(f"games/{rooms[1]['id']}/invite", {"username": "owl"}).status == 204
        until(lambda: ada.sees(rooms[1])["status"] == "setup", 120)
        until(lambda: all(owl.sees(room)["to_act"] == [0] for room in rooms), 120)


@pytest.mark.parametrize(("token", "why"), [("none", "This token is unknown"), (None, "TREY_TOKEN is not set")])
def test_a_bot_that_may_not_play_says_so_in_a_sentence(
    served: str, tmp_path: Path, token: str | None, why: str
) -> None:
    with bot(served, tmp_path, token) as done:
        assert done.wait(120) != 0
    errors = said(tmp_path)
    assert why in errors.splitlines()[-1] and "Traceback" not in errors


def test_a_bot_without_a_function_says_so_at_the_start(tmp_path: Path) -> None:
    with bot("http://127.0.0.1:1", tmp_path, "token", function="my_bot") as done:
        assert done.wait(120) != 0
    assert "my_bot is not a function" in said(tmp_path)


def joined(ada: Person, **room: Any) -> Any:
    """A room of two to which the bot is invited, and which begins when it sits down."""
    made = ada.opens(bots=0, start="full", **room)
    assert ada.post(f"games/{made['id']}/invite", {"username": "owl"}).status == 204
    return made


def test_a_bot_plays_what_runs_to_its_end_at_ctrl_c(served: str, tmp_path: Path) -> None:
    owl, ada = person("owl"), person("ada")
    game = joined(ada)
    with bot(served, tmp_path, owl.token) as running:
        until(lambda: owl.sees(game)["to_act"] == [0], 120)
        running.send_signal(signal.SIGINT)
        until(lambda: "are played to the end" in said(tmp_path), 120)
        left = joined(ada)
        for _ in range(3):
            mine = concrete(ada.get(f"games/{game['id']}/moves").body["moves"][0])
            assert ada.post(f"games/{game['id']}/moves", mine).status == 201
            until(lambda: owl.sees(game)["to_act"] == [0], 120)
        assert ada.post(f"games/{game['id']}/moves", {"move": "resign"}).status == 201
        assert running.wait(120) == 0
    assert len(said(tmp_path).splitlines()) == 1
    assert ada.sees(left)["status"] == "open"


def test_a_bot_ends_at_once_at_the_second_ctrl_c(served: str, tmp_path: Path) -> None:
    """Also while its function thinks."""
    owl, ada = person("owl"), person("ada")
    game = joined(ada)
    thinks = "import time\ndef choose(game, moves):\n    time.sleep(3600)\n"
    with bot(served, tmp_path, owl.token, thinks) as running:
        until(lambda: ada.sees(game)["status"] == "setup", 120)
        running.send_signal(signal.SIGINT)
        until(lambda: "are played to the end" in said(tmp_path), 120)
        running.send_signal(signal.SIGINT)
        assert running.wait(120) == -signal.SIGINT
    assert len(said(tmp_path).splitlines()) == 1


FAULTS = {
    "raises": "raise KeyError('three')",
    "finds none": "return next(iter(()))",
    "is no JSON": "return {1, 2}",
    "is no move": "return {'move': 'fly'}",
    "says nothing": "return None",
}


def test_a_fault_in_one_game_is_that_games(served: str, tmp_path: Path) -> None:
    owl, ada = person("owl"), person("ada")
    bad = dict(zip((joined(ada, game="castle")["id"] for _ in FAULTS), FAULTS, strict=True))
    lines = [f"    if game['id'] == {game!r}:\n        {FAULTS[fault]}" for game, fault in bad.items()]
    text = "\n".join(["def choose(game, moves):", *lines, "    return moves[0]['send']"])
    with bot(served, tmp_path, owl.token, text) as running:
        for _ in range(2):
            good = joined(ada)
            until(lambda good=good: owl.sees(good)["to_act"] == [0], 120)
        until(lambda: all(game in said(tmp_path) for game in bad), 120)
        assert all(1 in owl.sees({"id": game})["to_act"] for game in bad), "left for the next turn"
        assert running.poll() is None


def test_a_bot_sits_down_where_it_is_told_and_says_why_not_elsewhere(served: str, tmp_path: Path) -> None:
    owl, ada, eve = person("owl"), person("ada"), person("eve")
    wanted = ["--game", "threes", "--people", "ada", "--seats", "2", "3", "--per-turn", "3600", "86400", "--rooms", "1"]
    slow, fast = {"per_turn": 86400}, {"per_turn": 600}
    refused = [
        (joined(ada, game="castle", clock=slow), "it plays castle"),
        (joined(eve, clock=slow), "eve sits there"),
        (joined(ada, seats=4, clock=slow), "it has 4 seats"),
        (joined(ada, clock=fast), "a turn has 600 seconds"),
    ]
    good = joined(ada, clock=slow)
    with bot(served, tmp_path, owl.token, options=wanted):
        until(lambda: ada.sees(good)["status"] == "setup", 120)
        refused.append((joined(ada, clock=slow), "there are already 1 rooms and games"))
        for room, why in refused:
            until(lambda room=room, why=why: f"room {room['id']}, since {why}." in said(tmp_path), 120)
            assert (eve if "eve" in why else ada).sees(room)["status"] == "open"


def said(folder: Path) -> str:
    """What the bot has said so far."""
    return (folder / "said").read_text()


@contextmanager
def bot(
    served: str,
    folder: Path,
    token: str | None,
    text: str = CHOOSE,
    options: Sequence[str] = (),
    function: str = "my_bot:choose",
) -> Iterator[subprocess.Popen[bytes]]:
    (folder / "my_bot.py").write_text(text)
    path = os.pathsep.join([str(ROOT / "clients" / "python"), str(folder)])
    environ = {**os.environ, "PYTHONPATH": path, **({} if token is None else {"TREY_TOKEN": token})}
    command = [sys.executable, "-m", "trey.bot", function, "--server", served, *options]
    with (folder / "said").open("w") as said:
        process = subprocess.Popen(command, env=environ, stdout=said, stderr=said)
    try:
        yield process
    finally:
        process.kill()
        process.wait()
