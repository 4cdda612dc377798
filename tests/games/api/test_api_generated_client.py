"""A client that openapi-python-client generates from docs/openapi.yaml plays whole games, and no line needs a cast."""

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

COMMITTED = Path(__file__).parents[3] / "docs" / "openapi.yaml"
PROGRAM = Path(__file__).with_name("generated_player.py")
BIN = Path(sys.executable).parent

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.slow]


def run(folder: Path, *command: str | Path) -> str:
    """What a command in the folder says, which must succeed."""
    environment = {**os.environ, "PATH": f"{BIN}{os.pathsep}{os.environ['PATH']}", "PYTHONPATH": str(folder)}
    done = subprocess.run(command, cwd=folder, env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout + done.stderr


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Where the generated package is."""
    made = tmp_path_factory.mktemp("generated")
    # The generator does not know lines of JSON; to it they are text.
    (made / "config.yaml").write_text("content_type_overrides: {application/x-ndjson: text/plain}")
    package = ("--output-path", made / "trey_client", "--meta", "none", "--config", made / "config.yaml")
    said = run(made, BIN / "openapi-python-client", "generate", "--path", COMMITTED, *package)
    for word in ("WARNING", "ERROR", "Unable"):
        assert word not in said.replace("Warning", "WARNING"), said
    return made


def test_the_program_needs_no_cast(folder: Path) -> None:
    cache = ("--cache-dir", folder / "mypy")
    run(folder, BIN / "mypy", "--config-file=", "--strict", "--follow-imports=silent", *cache, PROGRAM)
    assert "cast(" not in PROGRAM.read_text()


@pytest.mark.parametrize(
    ("game", "said"), [("threes", " plays "), ("three_thirteen", "Penalties: [")], ids=["threes", "three_thirteen"]
)
def test_two_people_play_a_game_to_its_end(folder: Path, live_server: Any, game: str, said: str) -> None:
    shown = run(folder, sys.executable, PROGRAM, live_server.url, game)
    assert said in shown
    assert re.search(r"Places: \[1, [12]\]\.\s*$", shown)
