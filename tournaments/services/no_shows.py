"""No-shows (LI4): a substitute takes over, or a bot plays the game out."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from uuid import UUID

from games import clock as service_clock
from games import clocks, log
from games import services as games
from games.models import Game, Seat, stream_of
from games.projections.timing import TIMING, Duty, Timing
from games.refusals import Conflict, NotFound
from games.selectors import known_outages
from games.selectors.clocks import calendar_of
from tournaments.projections import TOURNAMENT
from tournaments.services.commands import RUNNER, carry_out
from tournaments.services.entries import read_salt
from tournaments.services.todo import write_down
from tournaments.stream import SERVICE, Fact, Tournament, TournamentGame, rulings
from tournaments.stream.agenda import Kind, Work

REASON = "Never came to the game."
# Longer than any reserve, so that all the time of a duty counts.
NO_LIMIT = timedelta(days=10_000)


def watch(tournament_id: UUID, game_id: UUID, *, now: datetime | None = None) -> datetime | None:
    """Handle the first no-show in an open game; return when to look again, or None."""
    at = now or service_clock.now()
    t = TOURNAMENT.load(tournament_id, log.Lock.NONE)
    game = t.games.get(str(game_id)) if t is not None else None
    if t is None or t.is_over or game is None or not game.is_open:
        return None
    row = Game.objects.filter(pk=game_id).prefetch_related("players__player").first()
    if row is None:
        return at + timedelta(seconds=t.plan.no_show_after)
    if row.status not in ("setup", "playing"):
        return None
    events = log.read(stream_of(game_id))
    left: list[timedelta] = []
    for seat in row.seat_rows():
        if seat.moved or seat.bot is not None or seat.player_id is None or seat.resigned:
            continue
        rest = timedelta(seconds=t.plan.no_show_after) - idle_time(row, seat, events, at)
        if rest <= timedelta():
            _deal_with(t, game, seat.index, at)
            return at  # there may be another no-show
        left.append(rest)
    return at + max(min(left), timedelta(seconds=1)) if left else None


def idle_time(game: Game, seat: Seat, events: Sequence[log.Event], now: datetime) -> timedelta:
    """How long the clock has run on the duties that a seat had, pauses and outages left out."""
    since = game.started_at or game.opened_at
    outages = known_outages(since, now)
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
    if t.plan.no_show == "substitute" and _substitute(t.id, key, now):
        return
    # The game's event comes first; that the entrant was absent is recorded once it is there.
    work = Work(Kind.ABSENT, f"{game.id}/{key}", {"game": game.id, "entrant": key})
    write_down(t.id, [work], due_at=now)
    try:
        games.hand_to_bot(UUID(game.id), seat, actor=RUNNER, reason=REASON, now=now)
    except (Conflict, NotFound):
        return


def _substitute(tournament_id: UUID, key: str, now: datetime) -> bool:
    """Let the first player on the waiting list, if any, take over the entrant."""

    def decide(t: Tournament) -> tuple[bool, Sequence[Fact]]:
        other = rulings.substitute(t)
        if other is None or not t.entrants[key].is_in:
            return False, ()
        facts = rulings.replace(
            t, SERVICE, key, player=other.player, bot=None, salt=read_salt(other.salt), reason=REASON
        )
        return True, facts

    return carry_out(tournament_id, decide, actor=RUNNER, now=now, reason=REASON).result


def record_absence(tournament_id: UUID, game_id: UUID, key: str, *, now: datetime | None = None) -> None:
    """Record that a bot plays for a no-show. An entrant absent twice is removed."""

    def decide(t: Tournament) -> tuple[None, Sequence[Fact]]:
        return None, rulings.absent(t, key, str(game_id), REASON)

    carry_out(tournament_id, decide, actor=RUNNER, now=now, reason=REASON)
