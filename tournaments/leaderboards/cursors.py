"""What queries of boards name: cursors, opaque positions in the order of a board; and periods (RA5)."""

import base64
import json
import re
from uuid import UUID

from tournaments.leaderboards.selectors import Position
from tournaments.leaderboards.tally import ALL


class BadCursor(ValueError):  # noqa: N818  named after what was sent
    """The text is not a cursor."""


def cursor_text(position: Position, *, back: bool) -> str:
    """The cursor for the entries after a position, or before it (`back`)."""
    score, games, reached, player = position
    text = json.dumps([int(back), score, games, reached, str(player)], separators=(",", ":"))
    return base64.urlsafe_b64encode(text.encode()).decode().rstrip("=")


def read_cursor(text: str | None) -> tuple[bool, Position | None]:
    """Return the direction and the position (None: the top). Raises BadCursor."""
    if text is None:
        return False, None
    try:
        raw = base64.b64decode(text.encode("ascii") + b"=" * (-len(text) % 4), altchars=b"-_", validate=True)
        back, score, games, reached, player = json.loads(raw)
        if not all(type(number) is int and abs(number) < 2**53 for number in (score, games, reached)):
            raise BadCursor
        return bool(back), (score, games, reached, UUID(player))
    except (ValueError, TypeError, AttributeError, RecursionError):
        raise BadCursor from None


# `all`, a year such as `2026`, or a month such as `2026-11`, in UTC.
_PERIOD = re.compile(r"[1-9][0-9]{3}(-(0[1-9]|1[0-2]))?", re.ASCII)


def is_period(text: str) -> bool:
    """Return whether the text names a period."""
    return text == ALL or _PERIOD.fullmatch(text) is not None
