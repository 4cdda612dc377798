"""What can be done to a room or a game: the one write path.

Every command is one transaction: load the current picture, decide (which gives events), write the picture at the
version that was expected, append the events last. Whoever loses a race is rolled back and judged anew on the new
state. A command that is refused raises a `Refused` and leaves nothing behind.

All times are aware UTC datetimes; `now` is `config.clock.now()` where it is not given.
"""

from games.refusals import Conflict, Forbidden, Illegal, Invalid, KeyReused, NotFound, Refused, Stale
from games.services.expiry import expire_rooms, purge_commands
from games.services.lobby import cancel, join, kick, leave, rematch, start
from games.services.moves import Cause, Outcome, Played, play
from games.services.opening import open_room
from games.services.players import delete_player

__all__ = [
    "Cause",
    "Conflict",
    "Forbidden",
    "Illegal",
    "Invalid",
    "KeyReused",
    "NotFound",
    "Outcome",
    "Played",
    "Refused",
    "Stale",
    "cancel",
    "delete_player",
    "expire_rooms",
    "join",
    "kick",
    "leave",
    "open_room",
    "play",
    "purge_commands",
    "rematch",
    "start",
]
