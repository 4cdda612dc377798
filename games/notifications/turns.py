"""Turns: told once it is clear that no plan plays them, and reminded of.

A turn's name has the version with which it began, which the seat's duty knows. A plan is carried out within two
seconds, so a turn that it is about to play is not told at once: a job looks a little later, and again as long as the
plan has not moved. Each mark of a turn has a job of its own, which checks the turn when it is due.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from core import log
from core.calendars.pauses import quiet_hours
from core.hooks import ANNOUNCED
from core.jobs import services as work
from core.notifications import services as telling
from core.notifications.models import Notification
from core.notifications.preferences import mark, preferences_of, preferences_of_all
from games.clocks import Calendar
from games.hooks import PLANNERS, Planner, planned_in
from games.notifications.kinds import GAME, REMINDER, TURN
from games.projections import Duty, Snapshot, load
from games.projections.vocabulary import PLANNED
from games.selectors import calendar_of, deadlines

PLAN_JOB = "games.planned_turn"
REMINDER_JOB = "games.reminder"
PATIENCE = timedelta(seconds=4)
AS_PLANNED = "played as planned"
JUST_BEFORE = timedelta(minutes=1)
SOON_AFTER = timedelta(hours=1)


@dataclass(frozen=True, slots=True)
class Turn:
    game: Snapshot
    seat: int
    version: int

    @property
    def name(self) -> str:
        return f"turn:{self.game.id}:{self.seat}:{self.version}"

    @property
    def owner(self) -> UUID | None:
        """The player who is told of it: None while a bot plays."""
        seat = self.game.players[self.seat]
        return None if seat.bot is not None else seat.player

    @property
    def duty(self) -> Duty:
        """The seat's present duty. Raises LookupError: it has none."""
        duty = self.game.players[self.seat].duty
        if duty is None:
            raise LookupError(f"{self.name} is over")
        return duty

    @property
    def still_runs(self) -> bool:
        duty = self.game.players[self.seat].duty
        return duty is not None and duty.turn == self.version


def turn_at(game: Snapshot, seat: int) -> Turn | None:
    duty = game.players[seat].duty
    return Turn(game, seat, duty.turn) if duty is not None else None


def turn_of(game: Snapshot, player_id: UUID) -> Turn | None:
    seats = (index for index, seat in enumerate(game.players) if seat.player == player_id and seat.bot is None)
    return next((turn for index in seats if (turn := turn_at(game, index)) is not None), None)


def say_turn(turn: Turn) -> None:
    if turn.owner is not None:
        say(turn.game, "turn", turn.name, turn.version, seat=turn.seat)


def say(game: Snapshot, topic: str, cause: str, version: int, **data: int) -> None:
    """Post something to the channels of a game's room or tournament, once for its cause."""
    # Most games have no channels and cost no query. A tournament's room has none of its own.
    tournament = UUID(game.belongs_to["tournament"]) if game.belongs_to is not None else None
    whose = game.id if game.channels else tournament
    if whose is not None:
        for announced in ANNOUNCED:
            announced(whose, topic, cause, subject=GAME, subject_id=game.id, version=version, **data)


# Plans


def news(begun: Sequence[Turn], now: datetime) -> list[Notification | None]:
    """What is told of turns that have begun; None if a plan is about to play. Two queries in all."""
    if not begun:
        return []
    plans = planned_in({turn.game.id for turn in begun})
    over = sorted((turn for turn in begun if not turn.still_runs), key=lambda turn: turn.version, reverse=True)
    since = log.read_all({turn.game.stream: turn.version for turn in over})  # of each game from the first of them on
    return [
        _news(turn, since.get(turn.game.stream, ()), now, planner=plans.get((turn.game.id, turn.seat)))
        for turn in begun
    ]


def _news(turn: Turn, since: Sequence[log.Event], now: datetime, planner: Planner | None) -> Notification | None:
    data, over = {"turn": turn.name}, None
    if not turn.still_runs:
        played = [event for event in since if event.version > turn.version and event.seat == turn.seat]
        over = AS_PLANNED if any(event.data.get(PLANNED) is True for event in played) else telling.PLAYED
    else:
        sees = planner.outlook(turn.game, turn.seat, now=now) if planner else "none"
        if sees == "plays":
            where = {"game": str(turn.game.id), "turn": turn.version, "seat": turn.seat}
            work.put(PLAN_JOB, turn.name, where, due_at=now + PATIENCE)
            return None
        say_turn(turn)
        if sees == "silent":
            data["plan"] = "no line fits"
    if turn.owner is None:
        return None
    return telling.news(turn.owner, TURN, turn.name, turn.game.id, turn.version, data=data, lost=over)


@work.local(PLAN_JOB)
def look_again(job: work.Job, now: datetime) -> datetime | None:
    """Tell the turn if its plan does not play it; list it if the plan has; wait while it is about to."""
    game = load(UUID(job.data["game"]))
    if game is None:
        return None
    turn = Turn(game, job.data["seat"], job.data["turn"])
    if turn.still_runs and any(one.outlook(game, turn.seat, now=now) == "plays" for one in PLANNERS):
        return now + PATIENCE
    telling.tell_all([one for one in news([turn], now) if one is not None], now)
    return None


# Reminders


def put_reminders(turns: Sequence[Turn], *, after: datetime | None = None) -> None:
    """Queue the reminders of games' turns; for a turn whose deadline moved, at their new times. A few statements.

    Marks that were reached before `after` are left out.
    """
    running = [turn for turn in turns if turn.owner is not None and turn.still_runs and turn.duty.due is not None]
    preferences = preferences_of_all({turn.owner for turn in running if turn.owner is not None}) if running else {}
    jobs = []
    for turn in running:
        owner, due = turn.game.account_of(turn.game.players[turn.seat]), turn.duty.due
        if owner is None or due is None:
            continue
        for text in preferences[owner.pk].reminders:
            at = moment(text, turn.duty.since, due, calendar_of(owner))
            if at is not None and (after is None or at > after):
                data = {"game": str(turn.game.id), "turn": turn.name, "player": str(owner.pk), "mark": text}
                # One of each mark waits for a player of a game, however many turns it plays until then.
                key = f"{turn.game.id}:{owner.pk}:{text}"
                jobs.append(work.Job(kind=REMINDER_JOB, key=key, data=data, due_at=at))
    work.put_all(jobs, sooner=True)


@work.local(REMINDER_JOB)
def remind(job: work.Job, now: datetime) -> datetime | None:
    game_id, player_id, text = UUID(job.data["game"]), UUID(job.data["player"]), job.data["mark"]
    game = load(game_id)
    turn = turn_of(game, player_id) if game is not None else None
    if game is None or turn is None or turn.name != job.data["turn"]:
        return None
    if text not in preferences_of(player_id).reminders:
        return None
    due = deadlines(game).get(turn.seat)
    player = game.accounts.get(player_id)
    if due is None or player is None:
        return None
    at = moment(text, turn.duty.since, due, calendar_of(player))
    if at is None or due <= now:
        return None
    if at > now:
        return at
    cause = f"{turn.name}:{text}"
    told = Notification.objects.filter(player=player, kind=REMINDER.name, cause__startswith=cause).order_by("-number")
    last = told.first()
    if last is not None:
        moved = due - datetime.fromisoformat(last.data["due"])
        if moved <= before_deadline(text, turn.duty.since, due):
            return None
        cause = f"{cause}:{told.count() + 1}"
    data = {"turn": turn.name, "mark": text, "due": due.isoformat()}
    telling.tell([player_id], REMINDER, cause, subject_id=game_id, version=turn.version, data=data, now=now)
    return None


def before_deadline(text: str, since: datetime, due: datetime) -> timedelta:
    """How long before the deadline a mark is: a span, or a share of the turn's time."""
    found = mark(text)
    return found if isinstance(found, timedelta) else (due - since) * found


def moment(text: str, since: datetime, due: datetime, calendar: Calendar) -> datetime | None:
    """When a mark of a turn is reached; None: before the turn began, so it is skipped.

    A mark in quiet hours, or whose deadline falls in them or within an hour after, is moved to just before they begin.
    """
    at = due - before_deadline(text, since, due)
    if at < since:
        return None
    hours = calendar.hours_at(since)
    if hours is None or hours.quiet is None:
        return at
    for span in quiet_hours(hours.zone, *hours.quiet, since):
        if span.start > due:
            break
        if span.start <= at < span.end or (at >= span.start and due <= span.end + SOON_AFTER):
            at = min(at, span.start - JUST_BEFORE)
            break
    return at if at >= since else None
