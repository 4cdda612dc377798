"""Rulings that affect a running game (LI5): the game's event comes first and decides.

The same transaction queues the recording for the runner, so that a crash before the tournament has recorded it loses
nothing.
"""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

import msgspec
from django.db import transaction

from core import log
from core.jobs import services as work
from core.jobs.receipts import Answer, Keyed
from core.refusals import Conflict, Invalid, NotFound
from games import services as games
from games.selectors import UNFINISHED, GameRow, games_of, row_of
from tournaments import models
from tournaments.projections import PREFIX
from tournaments.services import outcomes as taken
from tournaments.services import queue
from tournaments.services.commands import Condition, check_condition, loaded
from tournaments.services.ruled_on import entrants_at, game_named, game_to_rule, is_of_season, table_named
from tournaments.stream import By, Fact, Tournament, outcomes
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.asked import Asked

Decide = Callable[[Tournament, By, Asked, datetime], list[Fact]]
# The events that record what a game has decided.
RECORDED = tuple(f"{PREFIX}{name}" for name in ("result", "voided", "extended"))
SOURCES = {"rule_table": "ruling", "enter_result": "table"}


class ChangedMeanwhile(Exception):  # noqa: N818  named after what happened
    """The game of a ruling was opened, or its end recorded, after the ruling had looked at it: it is judged again."""


def check_unchanged(t: Tournament, ruling: Asked) -> None:
    """Raises ChangedMeanwhile if the ruling's game runs, or if its end is still to be recorded, which comes first.

    The tournament is locked, so that no game is opened and no end recorded meanwhile.
    """
    row = game_of(t, ruling)
    if row is not None and (row.status in UNFINISHED or _is_about_to_be_recorded(t.id, row.pk)):
        raise ChangedMeanwhile


def _is_about_to_be_recorded(tournament_id: UUID, game_id: UUID) -> bool:
    """True while the recording of the game's end is queued. One that fails does not hold up rulings."""
    piece = work.find(Kind.OUTCOME, queue.key_of(tournament_id, str(game_id)))
    return piece is not None and not piece.tries


def _take_in(t: Tournament, game_id: UUID, now: datetime) -> None:
    """Record how a game ended, which comes first, with the ruling that ended it if that is still to be recorded.

    Raises ChangedMeanwhile if it was recorded: once the tournament is over, it is not.
    """
    key = queue.key_of(t.id, str(game_id))
    if not work.do(Kind.OUTCOME, key, now=now):
        with transaction.atomic():
            work.wait_for(Kind.OUTCOME, key)  # another worker may be at it
        if work.find(Kind.OUTCOME, key) is None:
            taken.take_in(t.id, game_id, now=now)
    if loaded(t.id).version != t.version:
        raise ChangedMeanwhile


@dataclass(frozen=True, slots=True)
class Acted:
    """A ruling that a game's event has decided: the game, and the work (kind and key) that records the ruling."""

    game: UUID
    kind: str
    key: str
    since: int


@dataclass(frozen=True, slots=True)
class Act:
    by: By
    decide: Decide
    now: datetime
    if_match: Condition | None = None
    keyed: Keyed | None = None


def touch(t: Tournament, ruling: Asked, act: Act) -> Acted | Answer | None:
    """Let the game decide if the ruling affects a running one. None means that it does not.

    The key is claimed, the condition checked and the ruling judged once more in the transaction of the game's event.
    An Acted is still to be recorded. An Answer is that of the same request, carried out meanwhile.

    Raises ChangedMeanwhile, what refuses the ruling, and Conflict (game_cancelled) if another has just called it off.
    """
    if ruling.name == "extend" and ruling.game is not None:
        return _extend_turn(t, ruling, act)
    row = game_of(t, ruling)
    if row is None:
        return None
    if row.status not in UNFINISHED:
        _take_in(t, row.pk, act.now)
        return None
    try:
        return _call_off(t.id, row.pk, ruling, act)
    except Conflict as error:
        if error.code != "game_over":
            raise
        _take_in(t, row.pk, act.now)
        return None


def record(tournament_id: UUID, acted: Acted, *, now: datetime) -> int | None:
    if work.do(acted.kind, acted.key, now=now) is None:
        with transaction.atomic():
            work.wait_for(acted.kind, acted.key)  # another worker may be at it
    about = str(acted.game)
    events = log.read(models.stream_of(tournament_id), after=acted.since, types=RECORDED)
    return next((event.version for event in events if about in (event.data.get("id"), event.data.get("game"))), None)


def game_of(t: Tournament, ruling: Asked) -> GameRow | None:
    if ruling.name not in ("void", "rule_table", "enter_result"):
        return None
    if ruling.name == "void":
        key = game_named(t, ruling)
    elif is_of_season(t, ruling):
        return None
    else:
        key = game_to_rule(t, table_named(t, ruling), ruling)
    game = t.games.get(key)
    if game is not None and not game.is_open:
        return None
    return games_of(t.id).filter(pk=key).first()


def _decided_by_game(
    tournament_id: UUID, game_id: UUID, act: Act, recording: Work, decide: Callable[[Tournament], object]
) -> Acted | Answer:
    """Let the game `decide`, with the tournament locked, and queue the recording. Raises Stale, KeyReused, NotFound.

    With a key, what is to be recorded is kept: a retry goes on from there, and the game does not decide again.
    """
    with transaction.atomic():
        if act.keyed is not None and (earlier := act.keyed.claim()) is not None:
            return earlier
        t = loaded(tournament_id, log.Lock.WAIT)
        check_condition(t, act.if_match)
        # This comes first, since it is refused if another ruling was faster. That ruling's recording is held by a
        # worker that waits for the tournament, which is locked here.
        decide(t)
        queue.put(tournament_id, [recording], due_at=act.now)
        acted = Acted(game_id, recording.kind, queue.key_of(tournament_id, recording.key), t.version)
        if act.keyed is not None:
            act.keyed.promise(msgspec.to_builtins(acted))
        return acted


def _call_off(tournament_id: UUID, game_id: UUID, ruling: Asked, act: Act) -> Acted | Answer:
    recording = Work(Kind.OUTCOME, str(game_id), {"game": str(game_id), "ruling": said_by(act.by, ruling)})

    def call_off(t: Tournament) -> None:
        # Like any ruling, it is refused before the game is touched.
        act.decide(t, act.by, ruling, act.now)
        places = placements_of(t, game_id, ruling)
        games.call_off(game_id, actor=actor_of(act.by), reason=ruling.reason, placements=places, now=act.now)

    return _decided_by_game(tournament_id, game_id, act, recording, call_off)


def _extend_turn(t: Tournament, ruling: Asked, act: Act) -> Acted | Answer:
    game_id, seat, entrant = turn_of(t, ruling)
    data = {"game": str(game_id), "entrant": entrant, "seat": seat, "by": str(act.by.player), "reason": ruling.reason}

    def extend(_: Tournament) -> None:
        games.extend_turn(game_id, seat, ruling.seconds, actor=actor_of(act.by), reason=ruling.reason, now=act.now)

    return _decided_by_game(t.id, game_id, act, Work(Kind.EXTENDED, str(uuid4()), data), extend)


def turn_of(t: Tournament, ruling: Asked) -> tuple[UUID, int, str | None]:
    """The game, the seat and the entrant whose turn the ruling extends. Raises NotFound, Invalid."""
    game = outcomes.known_game(t, str(ruling.game))
    game_id, entrants = UUID(game.id), entrants_at(t, game)
    if ruling.entrant is not None:
        if ruling.entrant not in entrants:
            raise NotFound("no_such_entrant", "This entrant does not play in that game.")
        return game_id, entrants.index(ruling.entrant), ruling.entrant
    row = row_of(game_id)
    due = [seat.index for seat in row.seat_rows() if seat.due_at is not None] if row is not None else []
    if len(due) != 1:
        raise Invalid("invalid", "Name the entrant whose turn is to be longer.", field="entrant")
    return game_id, due[0], entrants[due[0]]


def said_by(by: By, ruling: Asked) -> dict[str, Any]:
    """Return what a ruling says about the game that it ends, in the form that `outcomes.facts_of_end` takes."""
    return {
        "by": str(by.player),
        "source": SOURCES.get(ruling.name),
        "absent": [one.entrant for one in ruling.players if one.absent],
        "timeouts": {one.entrant: one.timeouts for one in ruling.players if one.timeouts is not None},
        "rounds": ruling.rounds,
        "reason": ruling.reason,
    }


def placements_of(t: Tournament, game_id: UUID, ruling: Asked) -> list[dict[str, Any]] | None:
    if ruling.name == "void":
        return None
    seats = {key: seat for seat, key in enumerate(t.games[str(game_id)].entrants)}
    return [{"seat": seats[one.entrant], "place": one.place, "score": one.score} for one in ruling.players]


def actor_of(by: By) -> log.Actor:
    return log.Actor("organiser", str(by.player))
