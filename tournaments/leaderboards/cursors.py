"""Cursors of boards: a position in the order of the board, as text that is opaque to clients."""

import base64
import json
from uuid import UUID

from tournaments.leaderboards.selectors import Position


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
