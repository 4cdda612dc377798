"""The commands on rooms and games; each is one transaction of `games.log.execute`.

A command that is refused raises a `Refused` and leaves nothing behind. All times are aware UTC datetimes; `now`
defaults to `games.clock.now()`.
"""

from games.refusals import Conflict, Forbidden, Illegal, Invalid, KeyReused, NotFound, Refused, Stale
from games.services.bots import play_bots, serve_bots, sweep_bots, take_back
from games.services.calling_off import call_off, cancel
from games.services.expiry import expire_rooms, purge_commands
from games.services.idempotency import Outcome
from games.services.lobby import add_bot, join, kick, leave, start
from games.services.moves import Played, play
from games.services.opening import open_room
from games.services.outage_history import OutageHistory
from games.services.outages import beat
from games.services.players import follow_calendar, leave_games
from games.services.rematches import rematch
from games.services.rulings import extend_turn, hand_to_bot, replace_player, restore_game, void_game
from games.services.tables import Entry, open_table
from games.services.terms import Terms, errors_of
from games.services.timeouts import Swept, move_deadlines, sweep

__all__ = [
    "Conflict",
    "Entry",
    "Forbidden",
    "Illegal",
    "Invalid",
    "KeyReused",
    "NotFound",
    "OutageHistory",
    "Outcome",
    "Played",
    "Refused",
    "Stale",
    "Swept",
    "Terms",
    "add_bot",
    "beat",
    "call_off",
    "cancel",
    "errors_of",
    "expire_rooms",
    "extend_turn",
    "follow_calendar",
    "hand_to_bot",
    "join",
    "kick",
    "leave",
    "leave_games",
    "move_deadlines",
    "open_room",
    "open_table",
    "play",
    "play_bots",
    "purge_commands",
    "rematch",
    "replace_player",
    "restore_game",
    "serve_bots",
    "start",
    "sweep",
    "sweep_bots",
    "take_back",
    "void_game",
]
