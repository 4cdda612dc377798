"""No-shows (LI4): those on the waiting list are asked to take over, or a bot plays the game out."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from functools import partial
from uuid import UUID

from django.db import transaction

from core import log
from core.refusals import Conflict, NotFound
from games import clocks
from games import services as games
from games.events import PlayerReplaced
from games.projections.vocabulary import TIMING, Duty, Timing
from games.selectors import GameRow, SeatRow, certain_until, known_outages, row_of, rows_of, stored_events, with_people
from games.selectors.clocks import calendar_of
from tournaments.services import queue
from tournaments.services.commands import RUNNER, carry_out, loaded
from tournaments.services.tables import RUNNING
from tournaments.stream import Fact, Tournament, TournamentGame, no_shows
from tournaments.stream.agenda import Kind, Work

REASON = "Never came to the game."
# Longer than any reserve, so that all the time of a duty counts.
NO_LIMIT = timedelta(days=10_000)
# Whoever is asked may leave, or get a place of their own: then the next one is asked.
LOOK_AGAIN = timedelta(hours=1)


@transaction.atomic
def watch(tournament_id: UUID, game_id: UUID, *, now: datetime) -> datetime | None:
    """Handle the first no-show in an open game; return when to look again, or None."""
    t = loaded(tournament_id, log.Lock.WAIT)
    game = t.games.get(str(game_id))
    if t.is_over or game is None:
        return None
    if _settle(t, game, now):
        return now
    if not game.is_open:
        return None
    row = with_people(rows_of([game_id])).first()
    if row is None:
        return now + timedelta(seconds=t.plan.no_show_after)
    if row.status not in RUNNING:
        return None
    events = stored_events(game_id)
    later: list[datetime] = []
    for seat in row.seat_rows():
        other = no_shows.asked(t, game.entrants[seat.index])
        if other is not None and other.asked_until is not None:
            later.append(min(other.asked_until, now + LOOK_AGAIN))
            continue
        if seat.moved or seat.bot is not None or seat.player_id is None or seat.resigned:
            continue
        rest = timedelta(seconds=t.plan.no_show_after) - idle_time(row, seat, events, now)
        if rest <= timedelta():
            _deal_with(t, game, seat.index, now)
            return now  # there may be another no-show
        later.append(now + max(rest, timedelta(seconds=1)))
    return min(later, default=None)


def _settle(t: Tournament, game: TournamentGame, now: datetime) -> bool:
    """Stop asking somebody to stand in because of this game, if that has lost its reason. Return whether it has."""
    for key in game.entrants:
        other = no_shows.asked(t, key)
        if other is None or other.asked_game != game.id or other.asked_until is None:
            continue
        why = why_needless(t, key, UUID(game.id)) or ("late" if other.asked_until <= now else None)
        if why is not None:
            return _record(t.id, partial(no_shows.let_go, key=key, why=why), now)
    return False


def idle_time(game: GameRow, seat: SeatRow, events: Sequence[log.Event], now: datetime) -> timedelta:
    """Return how long the clock has run on the duties of who sits there now, without pauses and outages."""
    since = game.started_at or game.opened_at
    outages, now = known_outages(since, now), certain_until(now)
    calendar = calendar_of(seat.player)
    total = timedelta()

    def ran(duty: Duty | None, until: datetime) -> timedelta:
        if duty is None:
            return timedelta()
        spent = clocks.spent(
            clocks.Duty(game.clock, began=duty.since, bank=NO_LIMIT, calendar=calendar, outages=outages), until
        )
        return spent.turn + spent.bank

    running: Duty | None = None
    for event in events:
        if event.type == PlayerReplaced.type and event.seat == seat.index:
            total, running = timedelta(), None
        if TIMING not in event.data:
            continue
        duty = Timing.from_json(event.data[TIMING]).duties.get(seat.index)
        if duty is not None and duty.due is None:
            duty = None  # not on the clock yet
        if running is not None and (duty is None or (duty.key, duty.since) != (running.key, running.since)):
            total += ran(running, event.recorded_at)
        running = duty
    return total + ran(running, now)


def _deal_with(t: Tournament, game: TournamentGame, seat: int, now: datetime) -> None:
    key = game.entrants[seat]
    if t.plan.no_show == "substitute":
        ask = partial(no_shows.ask, key=key, game=game.id, reason=REASON, now=now)
        if _record(t.id, ask, now):
            return
    # The game's event comes first; the absence is recorded once that event is there.
    work = Work(Kind.ABSENT, f"{game.id}/{key}", {"game": game.id, "entrant": key})
    queue.put(t.id, [work], due_at=now)
    try:
        games.hand_to_bot(UUID(game.id), seat, actor=RUNNER, reason=REASON, now=now)
    except (Conflict, NotFound):
        return


def _record(tournament_id: UUID, decide: Callable[[Tournament], list[Fact]], now: datetime) -> bool:
    return bool(carry_out(tournament_id, decide, actor=RUNNER, now=now, reason=REASON).events)


def why_needless(t: Tournament, key: str, game_id: UUID) -> no_shows.Why | None:
    row = row_of(game_id, RUNNING)
    if row is None:
        return "over"
    seat = row.seat_rows()[t.games[str(game_id)].entrants.index(key)]
    return "over" if seat.resigned else "came" if seat.moved else None


def record_absence(tournament_id: UUID, game_id: UUID, key: str, *, now: datetime) -> None:
    absent = partial(no_shows.absent, key=key, game=str(game_id), reason=REASON, now=now)
    _record(tournament_id, absent, now)
