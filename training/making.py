"""Makes the networks of a game: self-play and learning in the simulator, then a file for the bot and its manifest."""

import json
import platform
import subprocess
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.bots.shedding.network import stored_in
from training.library import GAMES, OPTIONS, Learner, Settings, source_digest
from training.storing import fill, stored, without_untaught

ROOT = Path(__file__).resolve().parents[1]
STEPS = 100
"""In so many parts the chance to explore and the learning rate go down to nothing."""
EXPLORING = 0.05
RATE, LAST_RATE = 1e-3, 1e-5
KEEPING = 0.5
"""Lambda of TD(lambda), unless another is asked for."""
TURN = 0.9995
"""What each turn that a win against random bots takes leaves of it, unless another is asked for."""
TURN_ALONE = 0.993
"""The same in games between bots alone, so that a bot that is sure to win does not take its time."""
ALONE = 10
"""How many games of 100 are between bots alone. In the others one plays against three random ones."""
PATIENCE = 5
"""After so many pick-ups a seat without progress a game counts as lost to all, as S14 lets bots settle then."""
SHOWN = 1_000
"""Games of the figures that are shown while it learns."""
MEASURED = 20_000
"""Games of the figures in a manifest."""


def make(
    game: str, games: int, seed: int, report: Callable[[str], None], *, keeping: float = KEEPING, turn: float = TURN
) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the networks of a game as a file has them, and how they were made.

    `keeping` is the lambda of TD(lambda), `turn` what each turn leaves of a win against random bots. The same game,
    number of games, seed and settings always give the same networks on machines with the same C library.
    """
    number, learner, positions, began = GAMES.index(game), Learner(seed), 0, time.process_time()
    for step in range(STEPS):
        left = 1.0 - step / STEPS
        rate = LAST_RATE + (RATE - LAST_RATE) * left
        settings = Settings(EXPLORING * left, keeping, turn, TURN_ALONE, rate, ALONE, PATIENCE)
        share = games * (step + 1) // STEPS - games * step // STEPS
        positions += learner.train(number, share, seed * STEPS + step, settings)
        if (step + 1) % (STEPS // 10) == 0:
            wins = learner.measure(number, 4, SHOWN, 0, alone=False)[0]
            report(f"{game}: {step + 1} of {STEPS} parts, {positions} positions, {wins:.1%} against three random")
    networks = without_untaught(stored(learner), seed)
    taken = time.process_time() - began
    settled = {"games": games, "seed": seed, "keeping": keeping, "turn": turn}
    return networks, {**settled, "positions": positions, "seconds": round(taken)}


def figures(game: str, learner: Learner, games: int) -> dict[str, float]:
    """Return how the learner's networks do in the simulator: against three random bots, and two of them alone."""
    number = GAMES.index(game)
    wins, _, _ = learner.measure(number, 4, games, 1, alone=False)
    _, moves, stalled = learner.measure(number, 2, games // 10, 1, alone=True)
    return {"first_of_four": round(wins, 4), "moves_of_two": round(moves, 1), "stalled_of_two": round(stalled, 4)}


def save(game: str, networks: dict[str, Any], made: dict[str, Any], folder: Path) -> Path:
    """Write the networks of a game and the manifest beside them. Return the path of the networks."""
    path = folder / f"{game}.json"
    text = json.dumps(networks, indent=1) + "\n"
    path.write_text(text)
    learner = Learner(0)
    fill(learner, stored_in(path))  # what is measured is what was written, in half precision
    manifest = {
        "game": game,
        "command": _command(game, made),
        "commit": _commit(),
        "simulator": source_digest(),
        "compiler": [*OPTIONS],
        "machine": f"{platform.machine()}, {' '.join(platform.libc_ver())}",
        **made,
        "digest": sha256(text.encode()).hexdigest(),
        "figures": figures(game, learner, MEASURED),
    }
    path.with_suffix(".manifest.json").write_text(json.dumps(manifest, indent=1) + "\n")
    return path


def _command(game: str, made: dict[str, Any]) -> str:
    command = f"python -m training make {game} --games {made['games']} --seed {made['seed']}"
    settings = {"keeping": KEEPING, "turn": TURN}
    return command + "".join(f" --{name} {made[name]}" for name, usual in settings.items() if made[name] != usual)


def _commit() -> str:
    command = ["git", "rev-parse", "HEAD"]
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout.strip()
