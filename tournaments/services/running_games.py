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
from core.refusals import Conflict
from games import services as games
from games.selectors import UNFINISHED, GameRow, games_of
from tournaments import models
from tournaments.projections import PREFIX
from tournaments.services import outcomes as taken
from tournaments.services import queue
from tournaments.services.cases import Case
from tournaments.services.commands import Condition, check_condition, loaded
from tournaments.stream import By, Tournament
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.ruling import Ruling, Turn

# The events that record what a game has decided.
RECORDED = tuple(f"{PREFIX}{name}" for name in ("result", "voided", "extended"))


class ChangedMeanwhile(Exception):  # noqa: N818  named after what happened
    """The game of a ruling was opened, or its end recorded, after the ruling had looked at it: it is judged again."""


def check_unchanged(case: Case, ruling: Ruling) -> None:
    """Raises ChangedMeanwhile if the ruling's game runs, or if its end is still to be recorded, which comes first.

    The tournament is locked, so that no game is opened and no end recorded meanwhile.
    """
    row = game_of(case, ruling)
    if row is not None and (row.status in UNFINISHED or _is_about_to_be_recorded(case.t.id, row.pk)):
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
    now: datetime
    if_match: Condition | None = None
    keyed: Keyed | None = None


def touch(t: Tournament, ruling: Ruling, act: Act) -> Acted | Answer | None:
    """Let the game decide if the ruling affects a running one. None means that it does not.

    The key is claimed, the condition checked and the ruling judged once more in the transaction of the game's event.
    An Acted is still to be recorded. An Answer is that of the same request, carried out meanwhile.

    Raises ChangedMeanwhile, what refuses the ruling, and Conflict (game_cancelled) if another has just called it off.
    """
    case = Case(t, act.by, act.now)
    if (turn := ruling.turn(case)) is not None:
        return _extend_turn(t.id, turn, ruling, act)
    row = game_of(case, ruling)
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


def game_of(case: Case, ruling: Ruling) -> GameRow | None:
    """The game that a ruling ends, unless its end is recorded."""
    key = ruling.ends(case)
    game = case.t.games.get(key) if key is not None else None
    if key is None or (game is not None and not game.is_open):
        return None
    return games_of(case.t.id).filter(pk=key).first()


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


def _call_off(tournament_id: UUID, game_id: UUID, ruling: Ruling, act: Act) -> Acted | Answer:
    recording = Work(Kind.OUTCOME, str(game_id), {"game": str(game_id), "ruling": said_by(act.by, ruling)})

    def call_off(t: Tournament) -> None:
        # Like any ruling, it is refused before the game is touched.
        ruling.facts(Case(t, act.by, act.now))
        places = placements_of(t, game_id, ruling)
        games.call_off(game_id, actor=actor_of(act.by), reason=ruling.reason, placements=places, now=act.now)

    return _decided_by_game(tournament_id, game_id, act, recording, call_off)


def _extend_turn(tournament_id: UUID, turn: Turn, ruling: Ruling, act: Act) -> Acted | Answer:
    game_id, seat = UUID(turn.game), turn.seat
    data = {"game": turn.game, "entrant": turn.entrant, "seat": seat, "by": str(act.by.player), "reason": ruling.reason}

    def extend(_: Tournament) -> None:
        games.extend_turn(game_id, seat, turn.seconds, actor=actor_of(act.by), reason=ruling.reason, now=act.now)

    return _decided_by_game(tournament_id, game_id, act, Work(Kind.EXTENDED, str(uuid4()), data), extend)


def said_by(by: By, ruling: Ruling) -> dict[str, Any]:
    """Return what a ruling says about the game that it ends, in the form that `outcomes.facts_of_end` takes."""
    result = ruling.result()
    players = () if result is None else result.players
    return {
        "by": str(by.player),
        "source": ruling.source,
        "absent": [one.entrant for one in players if one.absent],
        "timeouts": {one.entrant: one.timeouts for one in players if one.timeouts is not None},
        "rounds": None if result is None else result.rounds,
        "reason": ruling.reason,
    }


def placements_of(t: Tournament, game_id: UUID, ruling: Ruling) -> list[dict[str, Any]] | None:
    if (result := ruling.result()) is None:
        return None
    seats = {key: seat for seat, key in enumerate(t.games[str(game_id)].entrants)}
    return [{"seat": seats[one.entrant], "place": one.place, "score": one.score} for one in result.players]


def actor_of(by: By) -> log.Actor:
    return log.Actor("organiser", str(by.player))
