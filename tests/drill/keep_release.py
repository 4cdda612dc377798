"""Run by `python -m tests.stored`: makes what this release keeps."""

from pathlib import Path
from typing import Any

from release import KEY, keep

from core import clock as service_clock
from tests.stored.__main__ import FOLDER


def test_keep(transactional_db: None, clock: service_clock.FrozenClock, settings: Any) -> None:
    settings.TREY_VAULT_KEYS = [KEY]
    keep(Path(FOLDER), clock)
