"""What players see of what they were told."""

from datetime import datetime

import msgspec

from core.notifications import selectors


def bodies(player, rows):
    """The JSON of notifications (NT8), its times still times."""
    return msgspec.to_builtins(selectors.bodies(player, rows), builtin_types=(datetime,))
