"""Bots by name, for benchmarks: the levels of today, steady by weights alone, and those of an earlier commit."""

import importlib
import io
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from typing import Any

from games import bots
from games.bots import shedding
from games.bots.shedding.points import Points
from games.rules.game import Game
from games.rules.shedding import SheddingGame

ROOT = Path(__file__).resolve().parents[1]
EARLIER = ROOT / "var" / "earlier"
PARTS = ("games/bots", "games/rules")

Chooser = Callable[[Game, Mapping[str, Any], Sequence[Mapping[str, Any]], str, Sequence[Mapping[str, Any]]], Any]
"""Chooses a move by a game, a view, its legal moves, a seed, and the last public events."""


def chooser(name: str) -> Chooser:
    """Return the bot called `random`, `steady`, `weights` (steady without networks) or `LEVEL@COMMIT`.

    A level of an earlier commit reads the views of today with that commit's `games/bots` and `games/rules`; it needs
    the git history. Raises ValueError for another name.
    """
    level, _, commit = name.partition("@")
    if commit:
        return _earlier(level, commit)
    if name == "weights":
        return _by_weights
    if name not in bots.BOTS:
        raise ValueError(f"There is no bot {name}: there are {', '.join(bots.BOTS)}, weights, and LEVEL@COMMIT.")
    return lambda game, view, legal, seed, events: bots.choose(name, game, view, legal, seed, events=events)


def _by_weights(game: Game, view: Any, legal: Any, seed: str, events: Any) -> Any:
    if not isinstance(game, SheddingGame):
        return bots.choose("steady", game, view, legal, seed, events=events)
    return shedding.choose(game, view, legal, events, rating=Points)


def _earlier(level: str, commit: str) -> Chooser:
    package = _package(commit)
    choose = importlib.import_module(f"{package}.bots").choose
    games = importlib.import_module(f"{package}.rules").GAMES

    def chosen(game: Game, view: Any, legal: Any, seed: str, events: Any) -> Any:
        if "game" not in signature(choose).parameters:
            return choose(level, view, legal, seed)
        return choose(level, games[game.name], view, legal, seed, events=events)

    return chosen


def _package(commit: str) -> str:
    """Return the name of a package with the commit's `games/bots` and `games/rules`; the imports within are renamed."""
    asked = ["git", "rev-parse", "--verify", f"{commit}^{{commit}}"]
    found = subprocess.run(asked, cwd=ROOT, check=False, capture_output=True, text=True)
    if found.returncode:
        raise ValueError(f"There is no commit {commit} here: {found.stderr.strip()}")
    name = f"games_{found.stdout.strip()[:12]}"
    folder = EARLIER / name
    if not folder.exists():
        archive = subprocess.run(["git", "archive", commit, *PARTS], cwd=ROOT, check=True, capture_output=True)
        with tarfile.open(fileobj=io.BytesIO(archive.stdout)) as files:
            for member in files.getmembers():
                content = files.extractfile(member)
                if content is None:
                    continue
                path = folder / Path(member.name).relative_to("games")
                path.parent.mkdir(parents=True, exist_ok=True)
                source = content.read()
                for part in PARTS:
                    was, now = part.replace("/", "."), part.replace("games/", f"{name}.")
                    source = source.replace(f"{was}".encode(), now.encode())
                path.write_bytes(source)
    if str(EARLIER) not in sys.path:
        sys.path.insert(0, str(EARLIER))
    return name
