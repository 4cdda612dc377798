"""What can be done to a room or a game: the one write path.

Every command is one transaction: load the current picture, decide (which gives events), write the picture at the
version that was expected, append the events last. Whoever loses a race is rolled back and judged anew on the new
state. A command that is refused raises a `Refused` and leaves nothing behind.

All times are aware UTC datetimes; `now` is `games.clock.now()` where it is not given.
"""

from games.refusals import Conflict, Forbidden, Illegal, Invalid, KeyReused, NotFound, Refused, Stale
from games.services.bots import play_bots, sweep_bots, take_back
from games.services.expiry import expire_rooms, purge_commands
from games.services.lobby import add_bot, cancel, join, kick, leave, rematch, start
from games.services.moves import Cause, Outcome, Played, play
from games.services.opening import open_room
from games.services.outages import beat
from games.services.players import follow_calendar, leave_games
from games.services.timeouts import Swept, move_deadlines, sweep

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
    "Swept",
    "add_bot",
    "beat",
    "cancel",
    "expire_rooms",
    "follow_calendar",
    "join",
    "kick",
    "leave",
    "leave_games",
    "move_deadlines",
    "open_room",
    "play",
    "play_bots",
    "purge_commands",
    "rematch",
    "start",
    "sweep",
    "sweep_bots",
    "take_back",
]
