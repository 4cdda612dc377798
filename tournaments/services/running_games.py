"""Rulings that affect a running game (LI5): the game's event comes first and decides.

The same transaction queues the recording for the runner, so that a crash before the tournament has recorded it loses
nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from uuid import UUID, uuid4

from django.db import transaction

from games import log
from games import services as games
from games.accounts.models import Player
from games.models import Game
from games.refusals import Conflict, Invalid, NotFound
from tournaments import models
from tournaments.services import outcomes as taken
from tournaments.services.asked import Ruling
from tournaments.services.runner import run_task
from tournaments.services.subjects import game_named, game_to_rule, table_named
from tournaments.services.todo import task_id, write_down
from tournaments.stream import By, Fact, Tournament, outcomes
from tournaments.stream.agenda import Kind, Work

Decide = Callable[[Tournament, By, Ruling, datetime], list[Fact]]
UNFINISHED = ("open", "setup", "playing")


def take_in_first(t: Tournament, ruling: Ruling, *, now: datetime) -> bool:
    """Record the end of the ruling's game, if it has ended and the tournament does not know yet."""
    if ruling.name not in ("void", "rule_table", "enter_result"):
        return False
    row = _game_of(t, ruling)
    if row is None or row.status in UNFINISHED:
        return False
    _take_in(t.id, row.pk, now)
    return True


def _take_in(tournament_id: UUID, game_id: UUID, now: datetime) -> None:
    """Record how a game ended: with the ruling that ended it, where that is still to be recorded."""
    task = task_id(tournament_id, Kind.OUTCOME, str(game_id))
    if not run_task(task, now=now) and not models.Task.objects.filter(pk=task).exists():
        taken.take_in(tournament_id, game_id, now=now)


def touch(t: Tournament, player: Player, by: By, ruling: Ruling, decide: Decide, *, now: datetime) -> bool:
    """If the ruling affects a running game, let the game decide and record its event. Return whether it did.

    Raises Conflict (game_cancelled) if another ruling has just called the game off.
    """
    if ruling.name == "extend" and ruling.game is not None:
        run_task(_extend_turn(t, player, ruling, now), now=now)
        return True
    if ruling.name not in ("void", "rule_table", "enter_result"):
        return False
    row = _game_of(t, ruling)
    if row is None:
        return False
    if row.status not in UNFINISHED:
        _take_in(t.id, row.pk, now)  # it has ended since the ruling was judged first
        return False
    # Refused as any ruling is, before the game is touched.
    decide(t, by, ruling, now)
    try:
        task = _call_off(t, player, ruling, row.pk, now)
    except Conflict as error:
        if error.code != "game_over":
            raise
        _take_in(t.id, row.pk, now)  # it has ended just now, and that comes first
        return False
    run_task(task, now=now)  # at once; where that fails the runner tries again
    return True


def _game_of(t: Tournament, ruling: Ruling) -> Game | None:
    """The ruling's game, if it is open and the tournament knows of no end."""
    if ruling.name == "void":
        key = game_named(t, ruling)
    elif t.plan.kind == "season":
        return None
    else:
        key = game_to_rule(t, table_named(t, ruling), ruling)
    game = t.games.get(key)
    if game is not None and not game.is_open:
        return None
    return Game.objects.filter(pk=key, tournament=t.id).first()


def _call_off(t: Tournament, player: Player, ruling: Ruling, game_id: UUID, now: datetime) -> UUID:
    """Call the game off, with or without places, and queue the recording."""
    placements = None
    if ruling.name != "void":
        seats = {key: seat for seat, key in enumerate(t.games[str(game_id)].entrants)}
        placements = [{"seat": seats[one.entrant], "place": one.place, "score": one.score} for one in ruling.players]
    said = {
        "by": str(player.pk),
        "source": {"void": None, "rule_table": "ruling", "enter_result": "table"}[ruling.name],
        "absent": [one.entrant for one in ruling.players if one.absent],
        "rounds": ruling.rounds,
        "reason": ruling.reason,
    }
    work = Work(Kind.OUTCOME, str(game_id), {"game": str(game_id), "ruling": said})
    with transaction.atomic():
        # Replaces what the reactor may have queued.
        models.Task.objects.filter(pk=task_id(t.id, work.kind, work.key)).delete()
        write_down(t.id, [work], due_at=now)
        games.call_off(
            game_id,
            actor=log.Actor("organiser", str(player.pk)),
            reason=ruling.reason,
            placements=placements,
            now=now,
        )
    return task_id(t.id, work.kind, work.key)


def _extend_turn(t: Tournament, player: Player, ruling: Ruling, now: datetime) -> UUID:
    game = outcomes.known_game(t, str(ruling.game))
    seat = _seat_to_extend(game.entrants, UUID(game.id), ruling)
    data = {
        "game": game.id,
        "entrant": game.entrants[seat],
        "seat": seat,
        "by": str(player.pk),
        "reason": ruling.reason,
    }
    work = Work(Kind.EXTENDED, str(uuid4()), data)
    with transaction.atomic():
        write_down(t.id, [work], due_at=now)
        games.extend_turn(
            UUID(game.id),
            seat,
            ruling.seconds,
            actor=log.Actor("organiser", str(player.pk)),
            reason=ruling.reason,
            now=now,
        )
    return task_id(t.id, work.kind, work.key)


def _seat_to_extend(entrants: tuple[str, ...], game_id: UUID, ruling: Ruling) -> int:
    """The seat of the named entrant, or the only seat to act. Raises NotFound, Invalid."""
    if ruling.entrant is not None:
        if ruling.entrant not in entrants:
            raise NotFound("no_such_entrant", "This entrant does not play in that game.")
        return entrants.index(ruling.entrant)
    row = Game.objects.filter(pk=game_id).prefetch_related("players").first()
    due = [seat.index for seat in row.seat_rows() if seat.due_at is not None] if row is not None else []
    if len(due) != 1:
        raise Invalid("invalid", "Name the entrant whose turn is to be longer.", field="entrant")
    return due[0]
