"""Bots by name, for benchmarks: the levels of today, steady by weights alone, and those of an earlier commit."""

import importlib
import io
import subprocess
import sys
import tarfile
from collections.abc import Callable, Mapping, Sequence
from inspect import signature
from pathlib import Path
from types import ModuleType
from typing import Any

from games import bots
from games.lab.players import by_weights
from games.rules.game import Game

ROOT = Path(__file__).resolve().parents[1]
EARLIER = ROOT / "var" / "earlier"
PARTS = ("games/bots", "games/rules")

Event = Mapping[str, Any]
Chooser = Callable[[Game, Mapping[str, Any], Sequence[Mapping[str, Any]], str, Sequence[Event]], Any]
"""Chooses a move by a game, a view, its legal moves, a seed, and all events from the deal on as everybody sees them."""


def chooser(name: str) -> Chooser:
    """Return the bot called `random`, `steady`, `weights` (steady without networks) or `LEVEL@COMMIT`.

    A level of an earlier commit reads the views of today with that commit's `games/bots` and `games/rules`; it needs
    the git history. Raises ValueError for another name.
    """
    level, _, commit = name.partition("@")
    if commit:
        package = _package(commit)
        earlier = importlib.import_module(f"{package}.bots")
        return Bot(level, earlier, earlier.choose, importlib.import_module(f"{package}.rules").GAMES)
    if name == "weights":
        return Bot("steady", bots, by_weights)
    if name not in bots.BOTS:
        raise ValueError(f"There is no bot {name}: there are {', '.join(bots.BOTS)}, weights, and LEVEL@COMMIT.")
    return Bot(name, bots, bots.choose)


class Bot:
    """A bot of some commit, which remembers what it saw of the game that it plays."""

    def __init__(
        self, level: str, package: ModuleType, choose: Callable[..., Any], games: Mapping[str, Game] | None = None
    ) -> None:
        self._level, self._package, self._choose, self._games = level, package, choose, games
        self._takes = signature(choose).parameters
        self._game: Sequence[Event] = ()
        self._memory: Any = None
        self._remembered = 0

    def __call__(self, game: Game, view: Any, legal: Any, seed: str, seen: Sequence[Event]) -> Any:
        """Return the bot's choice; `seen` is the same list all through a game."""
        if "game" not in self._takes:
            return self._choose(self._level, view, legal, seed)
        rules = self._games[game.name] if self._games else game
        wanted = self._package.events_wanted(view)
        told: dict[str, Any] = {"events": seen[-wanted:] if wanted else []}
        if "memory" in self._takes and self._package.remembers(self._level, rules):
            told["memory"] = self._remember(rules, seen)
        return self._choose(self._level, rules, view, legal, seed, **told)

    def _remember(self, rules: Game, seen: Sequence[Event]) -> Any:
        if self._game is not seen:
            self._game, self._memory, self._remembered = seen, None, 0
        self._memory = self._package.remember(rules, seen[self._remembered :], self._memory)
        self._remembered = len(seen)
        return self._memory


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
