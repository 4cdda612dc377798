"""The code that this process runs: another release does not use what this one cached."""

import hashlib
from functools import cache
from pathlib import Path

from django.template import engines

_TOURNAMENTS = Path(__file__).parents[1]
_ROOT = _TOURNAMENTS.parent
_GAMES = _ROOT / "games"


def files() -> list[Path]:
    """The code and templates of tournaments, the rules and words of the games, and the base of all pages, in order."""
    rooms = [_TOURNAMENTS, _GAMES / "rules", _ROOT / "core" / "pages", *engines["django"].dirs]
    found = {file for room in rooms for kind in ("*.py", "*.html") for file in Path(str(room)).rglob(kind)}
    return sorted(found.union(_GAMES.glob("*.py")))


@cache
def made_of() -> str:
    """A digest of these files. Unlike a number, nobody can forget to raise it."""
    return hashlib.sha256(b"\0".join(file.read_bytes() for file in files())).hexdigest()
