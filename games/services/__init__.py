"""The commands on rooms and games; each is one transaction of `core.log.execute`.

A command that is refused raises a `Refused` and leaves nothing behind: NotFound (for strangers of a private room, too),
Forbidden (not_a_player, not_the_opener), Conflict (not_started, already_started, game_over, game_cancelled), and what
its docstring names. All times are aware UTC datetimes. The time is that of `core.clock`, unless a tournament's runner
gives its own as `now`.
"""

from core.jobs.receipts import Answer
from core.refusals import Conflict, Forbidden, Illegal, Invalid, KeyReused, NotFound, Refused, Stale
from games.services.bots import play_bots, sweep_bots, take_back
from games.services.calling_off import call_off, calling_off, cancel, expire_rooms
from games.services.commands import foreseen
from games.services.lobby import (
    KEPT,
    add_bot,
    change_room,
    guests_at_tables,
    join,
    kept_for,
    kick,
    leave,
    leave_games,
    rematch,
    send_out_blocked,
    start,
)
from games.services.moves import Played, play
from games.services.opening import Entry, new_invitation, open_room, open_table
from games.services.outages import beat
from games.services.ruling_a_game import extend_turn, extending, hand_to_bot, replace_player, restore_game, void_game
from games.services.seating import usual_level
from games.services.terms import Terms, errors_of, with_saved
from games.services.timeouts import follow_calendar, sweep
