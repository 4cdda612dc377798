"""Reminders (NT6): a chore for each mark of a turn that was told, which checks the turn when it is due."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import services as telling
from core.notifications.models import Notification
from games.notifications import tables
from games.notifications.kinds import REMINDER
from games.notifications.marks import before_deadline, moment
from games.notifications.table import Turn
from games.projections import load
from games.selectors import calendar_of, deadlines

CHORE = "games.reminder"


def put(turns: Sequence[tuple[UUID, Turn]]) -> None:
    """Queue the reminders of games' turns; for a turn whose deadline moved, at their new times. A few statements."""
    timed = [(game_id, turn, turn.owner, turn.due) for game_id, turn in turns if turn.owner and turn.due]
    if not timed:
        return
    owners = {owner for *_, owner, _ in timed}
    players, chosen = Player.objects.in_bulk(owners), telling.choices_of_all(owners)
    puts = []
    for game_id, turn, owner, due in timed:
        name = turn.name(game_id)
        for mark in chosen[owner].reminders if owner in players else ():
            at = moment(mark, turn.since, due, calendar_of(players[owner]))
            if at is not None:
                data = {"game": str(game_id), "turn": name, "player": str(owner), "mark": mark}
                # One of each mark waits for a player of a game, however many turns it plays until then.
                puts.append(work.Put(CHORE, f"{game_id}:{owner}:{mark}", data, due_at=at, sooner=True))
    work.put_all(puts)


@work.chore(CHORE)
def remind(piece: work.Piece, now: datetime) -> datetime | None:
    """Remind, if the turn still runs and the mark is reached; otherwise look again at the mark."""
    game_id, player_id, mark = UUID(piece.data["game"]), UUID(piece.data["player"]), piece.data["mark"]
    table, game = tables.now(game_id), load(game_id)
    turn = table.turn_of(player_id) if table is not None else None
    if game is None or turn is None or turn.name(game_id) != piece.data["turn"]:
        return None
    due = deadlines(game).get(turn.seat)
    player = game.accounts.get(player_id)
    if due is None or player is None:
        return None
    at = moment(mark, turn.since, due, calendar_of(player))
    if at is None or due <= now:
        return None
    if at > now:
        return at
    cause = f"{piece.data['turn']}:{mark}"
    told = Notification.objects.filter(player=player, kind=REMINDER.name, cause__startswith=cause).order_by("-number")
    last = told.first()
    if last is not None:
        moved = due - datetime.fromisoformat(last.data["due"])
        if moved <= before_deadline(mark, turn.since, due):
            return None
        cause = f"{cause}:{told.count() + 1}"
    data = {"turn": piece.data["turn"], "mark": mark, "due": due.isoformat()}
    telling.tell([player_id], REMINDER, cause, subject_id=game_id, version=turn.version, data=data, now=now)
    return None
