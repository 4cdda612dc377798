"""The commands on rooms and games; each is one transaction of `core.log.execute`.

A command that is refused raises a `Refused` and leaves nothing behind. All times are aware UTC datetimes; `now`
defaults to `core.clock.now()`.
"""

from core.jobs.receipts import Answer
from core.refusals import Conflict, Forbidden, Illegal, Invalid, KeyReused, NotFound, Refused, Stale
from games.services.bots import play_bots, serve_bots, sweep_bots, sweep_plans, take_back
from games.services.calling_off import call_off, cancel, expire_rooms, foresee_call_off
from games.services.changing import change_room
from games.services.lobby import add_bot, join, kick, leave, send_out_blocked, start
from games.services.moves import Played, play, play_once
from games.services.opening import new_invitation, open_room
from games.services.outage_history import OutageHistory
from games.services.outages import beat
from games.services.plan_moves import outlook
from games.services.plans import Kept, drop_plan, keep_plan, plan_in, plan_of, try_plan
from games.services.players import follow_calendar, guests_at_tables, leave_games
from games.services.rematches import rematch
from games.services.rulings import extend_turn, foresee_extension, hand_to_bot, replace_player, restore_game, void_game
from games.services.tables import Entry, open_table
from games.services.terms import Terms, errors_of
from games.services.timeouts import sweep
