"""The check of commit subjects: what is new, in a whole and in a shallow clone, and without a repository."""

import shutil
import subprocess
from pathlib import Path

import pytest

from tests.commits import LONGEST, too_long

pytestmark = pytest.mark.skipif(not shutil.which("git"), reason="needs git")
LONG = "x" * (LONGEST + 1)


def git(folder: Path, *command: str) -> None:
    who = ["-c", "user.name=ada", "-c", "user.email=ada@example.org"]
    subprocess.run(["git", *who, *command], cwd=folder, check=True, capture_output=True)


@pytest.fixture
def repository(tmp_path: Path) -> Path:
    """One with a long subject before the file, and a short one, a longest one and a long one after it."""
    folder = tmp_path / "whole"
    folder.mkdir()
    git(folder, "init", "-q")
    git(folder, "commit", "-q", "--allow-empty", "-m", f"past {LONG}")
    (folder / "check.py").write_text("")
    git(folder, "add", "check.py")
    git(folder, "commit", "-q", "-m", f"bring {LONG}")
    for subject in ("Short", LONG[:-1], f"new {LONG}\n\nand why"):
        git(folder, "commit", "-q", "--allow-empty", "-m", subject)
    return folder


def subjects(folder: Path) -> list[str]:
    return [line.partition(" ")[2] for line in too_long(folder, "check.py")]


def test_only_what_came_after_the_check_is_refused(repository: Path) -> None:
    assert subjects(repository) == [f"new {LONG}"]


@pytest.mark.parametrize(("depth", "found"), [(1, []), (2, [f"new {LONG}"]), (4, [f"new {LONG}"])])
def test_of_a_shallow_clone_what_is_there_is_checked(repository: Path, depth: int, found: list[str]) -> None:
    git(repository.parent, "clone", "-q", "--depth", str(depth), repository.as_uri(), "shallow")
    assert subjects(repository.parent / "shallow") == found


def test_without_git_or_a_repository_nothing_is_refused(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GIT_CEILING_DIRECTORIES", str(tmp_path.parent))
    assert too_long(tmp_path, "check.py") == []
    monkeypatch.setenv("PATH", "")
    assert too_long(tmp_path, "check.py") == []
