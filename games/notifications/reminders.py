"""Reminders (NT6): a chore for each mark of a turn that was told, which checks the turn when it is due."""

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import services as telling
from core.notifications.models import Notification
from games.notifications.kinds import REMINDER
from games.notifications.marks import before_deadline, moment
from games.notifications.turns import Turn, turn_of
from games.projections import load
from games.selectors import calendar_of, deadlines

CHORE = "games.reminder"


def put(turns: Sequence[Turn]) -> None:
    """Queue the reminders of games' turns; for a turn whose deadline moved, at their new times. A few statements."""
    owners = {turn.owner for turn in turns if turn.owner is not None}
    if not owners:
        return
    players, chosen = Player.objects.in_bulk(owners), telling.choices_of_all(owners)
    puts = []
    for turn in turns:
        owner = players.get(turn.owner) if turn.owner is not None else None
        if owner is None or not turn.still_runs or (due := turn.duty.due) is None:
            continue
        for mark in chosen[owner.pk].reminders:
            at = moment(mark, turn.duty.since, due, calendar_of(owner))
            if at is not None:
                data = {"game": str(turn.game.id), "turn": turn.name, "player": str(owner.pk), "mark": mark}
                # One of each mark waits for a player of a game, however many turns it plays until then.
                puts.append(work.Put(CHORE, f"{turn.game.id}:{owner.pk}:{mark}", data, due_at=at, sooner=True))
    work.put_all(puts)


@work.chore(CHORE)
def remind(piece: work.Piece, now: datetime) -> datetime | None:
    """Remind, if the turn still runs and the mark is reached; otherwise look again at the mark."""
    game_id, player_id, mark = UUID(piece.data["game"]), UUID(piece.data["player"]), piece.data["mark"]
    game = load(game_id)
    turn = turn_of(game, player_id) if game is not None else None
    if game is None or turn is None or turn.name != piece.data["turn"]:
        return None
    due = deadlines(game).get(turn.seat)
    player = game.accounts.get(player_id)
    if due is None or player is None:
        return None
    at = moment(mark, turn.duty.since, due, calendar_of(player))
    if at is None or due <= now:
        return None
    if at > now:
        return at
    cause = f"{piece.data['turn']}:{mark}"
    told = Notification.objects.filter(player=player, kind=REMINDER.name, cause__startswith=cause).order_by("-number")
    last = told.first()
    if last is not None:
        moved = due - datetime.fromisoformat(last.data["due"])
        if moved <= before_deadline(mark, turn.duty.since, due):
            return None
        cause = f"{cause}:{told.count() + 1}"
    data = {"turn": piece.data["turn"], "mark": mark, "due": due.isoformat()}
    telling.tell([player_id], REMINDER, cause, subject_id=game_id, version=turn.version, data=data, now=now)
    return None
