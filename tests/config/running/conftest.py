import os
import shutil
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest

from config.running.embedded import places


@pytest.fixture
def state_directory(monkeypatch):
    with state_directory_of(monkeypatch) as folder:
        yield folder


@contextmanager
def state_directory_of(monkeypatch):
    """A new state directory that the servers' user can reach, its path short enough for sockets."""
    folder = Path(tempfile.mkdtemp(prefix="trey-", dir="/tmp"))
    folder.chmod(0o755)
    # What a state directory of root's holds besides data: copies of the binaries, made once for all tests.
    shipped = places.place("test").binaries
    if places.place("test").user is not None and shipped.exists():
        (folder / "bin").symlink_to(shipped)
    monkeypatch.setenv("TREY_STATE_DIR", str(folder))
    for name in ("DATABASE_URL", "REDIS_URL"):
        monkeypatch.delenv(name, raising=False)
    yield folder
    if (folder / "bin").is_symlink():
        (folder / "bin").unlink()
    shutil.rmtree(folder)


@pytest.fixture
def bare_environ(state_directory):
    return bare(state_directory)


def bare(state_directory):
    """An environment in which nothing of Trey is set but the state directory."""
    ours = ("TREY_", "DJANGO_", "GRANIAN_", "PYTEST_", "PROMETHEUS_")
    kept = {name: value for name, value in os.environ.items() if not name.startswith(ours)}
    kept.pop("DATABASE_URL", None)
    kept.pop("REDIS_URL", None)
    return {**kept, "TREY_STATE_DIR": str(state_directory)}
