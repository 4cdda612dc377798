"""The code that this process runs: another release does not use what this one cached."""

from __future__ import annotations

import hashlib
from functools import cache
from pathlib import Path

_ROOM = Path(__file__).parents[1]


@cache
def made_of() -> str:
    """A digest of the code and templates of tournaments, and of the rules of the games."""
    files = [*_ROOM.rglob("*.py"), *_ROOM.rglob("*.html"), *(_ROOM.parent / "games" / "rules").rglob("*.py")]
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in sorted(files))).hexdigest()
