"""Each feature is a folder: without it, its tests and its line in the settings, the service does everything else.

Each is deleted in a copy of the checkout, where a process of its own runs what `LEFT` names.
"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

from config.running import embedded

ROOT = Path(__file__).parents[2]
FEATURES = [
    "chats", "games/house games/figures", "games/lab games/figures tournaments/simulations", "games/lessons",
    "games/notes", "games/plans", "games/review", "games/talk", "tournaments/leaderboards",
]  # fmt: skip
LEFT = [
    "tests/features/without.py",
    "tests/games/test_demo.py::test_a_whole_game_is_played_and_its_record_replays",
    "tests/tournaments/test_demo_tournament.py::test_a_tournament_is_played_and_its_record_gives_its_standings",
]


@pytest.mark.slow
@pytest.mark.parametrize("feature", FEATURES)
def test_the_service_does_without(feature: str, tmp_path: Path) -> None:
    folders = feature.split()
    gone = tuple(f"{above}{folder}/" for folder in folders for above in ("", "tests/"))
    in_git = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(in_git, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    for name in filter(None, names):
        if not name.startswith(gone) and (ROOT / name).exists():
            (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy(ROOT / name, tmp_path / name)
    switches = tmp_path / "config/settings.py"
    lines = switches.read_text().splitlines(keepends=True)
    listed = tuple(f'    "{folder.replace("/", ".")}.' for folder in folders)
    kept = [line for line in lines if not line.startswith(listed)]
    assert len(kept) == len(lines) - len(folders), "a line of the settings for each folder"
    switches.write_text("".join(kept))
    database = settings.DATABASE_URL or embedded.database_url(settings.PLACE)
    servers = {"DATABASE_URL": database, "REDIS_URL": settings.REDIS_URL}
    of_this_run = ("TREY_", "PYTEST_", "DJANGO_")
    env = {name: value for name, value in os.environ.items() if not name.startswith(of_this_run)} | servers
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", *LEFT]
    done = subprocess.run(command, cwd=tmp_path, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-5000:] + done.stderr[-2000:]
