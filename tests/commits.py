"""Refuse commits whose subject is longer than 65 characters: `python -m tests.commits`, a part of `make check`.

It looks at the commits after the one that brought this file. Of a shallow clone git says that its first commit did.
"""

import subprocess
import sys
from pathlib import Path

LONGEST = 65
HERE = Path(__file__)


def git(folder: Path, *command: str) -> str:
    """What git prints; nothing without git, or where there is no repository."""
    try:
        done = subprocess.run(["git", *command], cwd=folder, capture_output=True, text=True, check=False)
    except OSError:
        return ""
    return done.stdout if done.returncode == 0 else ""


def too_long(folder: Path, file: str) -> list[str]:
    """The commits after the one that brought `file` whose subject is too long, with their subjects."""
    first = git(folder, "log", "-1", "--diff-filter=A", "--format=%H", "--", file).strip()
    lines = git(folder, "log", "--no-merges", "--format=%H %s", f"{first}..HEAD").splitlines() if first else []
    found = [line.partition(" ") for line in lines]
    return [f"{commit} {subject}" for commit, _, subject in found if len(subject) > LONGEST]


if __name__ == "__main__":
    if found := too_long(HERE.parent, HERE.name):
        sys.exit("\n".join([f"A commit's subject has at most {LONGEST} characters:", *found]))
