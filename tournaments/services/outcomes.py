from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID, uuid5

from core import log
from games.rules import SetupError
from games.selectors import UNFINISHED, rows_of, stored_events
from tournaments.services.commands import RUNNER, Done, carry_out, look
from tournaments.stream import By, Ended, Fact, Plan, Rules, Scored, Status, Tournament, outcomes, proposals
from tournaments.stream.state import entrants_by_seat

# Namespace of command ids, each derived from the tournament and the game.
OUTCOMES = UUID("5d3f6c1e-0b7d-5e8a-a4de-1d0a7c9e2b34")
NOT_SCORED = "The game ended before a round was scored."
NOT_OF_SEASON = "The game does not count for the season."


def last_event(game_id: UUID) -> log.Event | None:
    over = rows_of([game_id]).exclude(status__in=UNFINISHED)
    found = over.values_list("version", flat=True).first()
    if found is None:
        return None
    # Only staff's `voided` and `restored` can follow the end.
    events = stored_events(game_id, after=max(found - 50, 0))
    ends = [event for event in events if event.type in ("game.finished", "game.called_off")]
    return ends[-1] if ends else None


def take_in(
    tournament_id: UUID, game_id: UUID, *, ruling: Mapping[str, Any] | None = None, now: datetime
) -> Done | None:
    """Record how a game ended, once. Do nothing if it still runs or does not count.

    `ruling` is the organiser's ruling that ended it: `source`, `reason`, `by` (a player's id), `rounds`, `absent` (the
    entrants it calls so) and `timeouts` (by entrant, where it names them).
    """
    event = last_event(game_id)
    if event is None:
        return None
    key = str(game_id)
    done = carry_out(
        tournament_id,
        lambda t: facts_of_end(t, key, event, ruling),
        actor=RUNNER if ruling is None else log.Actor("organiser", ruling["by"]),
        now=now,
        reason=ruling["reason"] if ruling is not None else None,
        command_id=uuid5(OUTCOMES, f"{tournament_id}/{key}"),
    )
    if done.tournament.is_over:
        look(done.tournament, now)  # it may have been the last running game
    return done


def open_room(tournament_id: UUID, game_id: UUID, *, proposal: int | None = None, now: datetime) -> Done:
    belongs_to: Any = rows_of([game_id]).values_list("belongs_to", flat=True).get()
    number = belongs_to["number"]
    return carry_out(
        tournament_id, lambda t: outcomes.open_room(t, str(game_id), number, proposal), actor=RUNNER, now=now
    )


def facts_of_end(t: Tournament, key: str, event: log.Happened, ruling: Mapping[str, Any] | None) -> Sequence[Fact]:
    """The facts of a game's end in the tournament's stream; `ruling` as for `take_in`."""
    by = By(UUID(ruling["by"]), staff=True) if ruling is not None else None
    game = t.games.get(key)
    placements = _placements(event)
    # Once the tournament is over, only a result ruled by an organiser is recorded (LI3).
    may_enter = not t.is_over or (t.status is Status.FINISHED and by is not None and placements is not None)
    if not may_enter or (game is not None and not game.is_open):
        return ()
    if placements is None and by is not None:
        return outcomes.void(t, by, key, event.data["reason"])
    if placements is None:
        return outcomes.called_off(t, key, event.data["reason"])
    if game is None or game.round is None or game.table is None:
        return _of_season(t, key, event, placements) or outcomes.called_off(t, key, NOT_OF_SEASON)
    table = t.tables[game.round, game.table]
    ended = _ended(event, dict(enumerate(table.entrants)), placements)
    if by is not None and ruling is not None:
        ended = _ruled(ended, ruling, outcomes.also_plays(t, by, table.entrants))
    if _is_scored(t.plan_of(t.stage_of(game.round)), ended):
        return outcomes.take_in(t, key, ended, ruled=by is not None)
    return outcomes.called_off(t, key, NOT_SCORED)


def _of_season(t: Tournament, key: str, event: log.Happened, placements: Sequence[Mapping[str, Any]]) -> Sequence[Fact]:
    entrants = entrants_of(t, event)
    started_at = datetime.fromisoformat(event.data["started_at"])
    rules = _rules_of(t, event, started_at)
    if entrants is None or not _is_same_game(t, event, rules):
        return ()
    ended = _ended(event, entrants, placements)
    own = _is_own(t, event)
    stage = event.data["belongs_to"].get("stage", 1) if own else t.stage_at(started_at)
    if not _is_scored(t.plan_of(stage), ended):
        return ()
    return outcomes.take_in_season(
        t,
        key,
        ended,
        stage=stage,
        started_at=started_at,
        ended_at=event.recorded_at,
        own=own,
        proposal=rules.proposal,
    )


def _is_scored(plan: Plan, ended: Ended) -> bool:
    """Return whether the end counts: under *score* a game needs at least one scored round."""
    if not plan.rules.less_is_better:
        return True
    return ended.rounds is not None and all(one.score is not None for one in ended.players)


def _placements(event: log.Happened) -> Sequence[Mapping[str, Any]] | None:
    """None if the game was called off without places."""
    result = event.data.get("result")
    found: Sequence[Mapping[str, Any]] | None = result["placements"] if result is not None else event.data["placements"]
    return found


def _ended(event: log.Happened, entrants: Mapping[int, str], placements: Sequence[Mapping[str, Any]]) -> Ended:
    seats = {seat["seat"]: seat for seat in event.data["seats"]}
    players = [
        Scored(
            entrants[one["seat"]],
            one["place"],
            one.get("score"),
            timeouts=seat["timeouts"],
            moved=seat["moved"],
            absent=seat["resigned"] and not seat["played"],  # PT8
        )
        for one in placements
        for seat in [seats[one["seat"]]]
    ]
    rounds = event.data["rounds"] or None
    if event.type == "game.finished":
        return Ended("game", players, rounds)
    return Ended("ruling", players, rounds, reason=event.data["reason"])


def _ruled(ended: Ended, ruling: Mapping[str, Any], beside: str | None) -> Ended:
    """The end by a ruling, which replaces everything before it: only those it names are absent (LI5)."""
    timeouts = ruling.get("timeouts", {})
    players = [
        replace(
            one,
            absent=one.entrant in ruling["absent"],
            moved=True,
            timeouts=timeouts.get(one.entrant, one.timeouts),
        )
        for one in ended.players
    ]
    return replace(
        ended,
        source=ruling["source"],
        players=players,
        rounds=ruling["rounds"] or ended.rounds,
        also_plays=beside,
    )


def entrants_of(t: Tournament, event: log.Happened) -> dict[int, str] | None:
    bots = (event.data["belongs_to"] or {}).get("bots") or ()
    seats = sorted(event.data["seats"], key=lambda seat: seat["seat"])
    players = [UUID(seat["player"]) if seat["player"] is not None else None for seat in seats]
    if len(bots) != players.count(None):
        return None
    found = entrants_by_seat(players, bots, t.played_for)
    if None in found or len(set(found)) < len(found):
        return None
    return {seat["seat"]: key for seat, key in zip(seats, found, strict=True) if key is not None}


def _is_own(t: Tournament, event: log.Happened) -> bool:
    belongs_to = event.data["belongs_to"]
    return belongs_to is not None and belongs_to["tournament"] == str(t.id)


def _rules_of(t: Tournament, event: log.Happened, started_at: datetime) -> Rules:
    """RT4: in a season's own room, the rules that held when it was opened; in other games, those at their start."""
    if _is_own(t, event):
        return t.rules_of(event.data["belongs_to"].get("proposal"))
    return t.rules_at(started_at)


def _is_same_game(t: Tournament, event: log.Happened, rules: Rules) -> bool:
    """SN1: whether it has the tournament's game, ruleset and options, completed for that number of seats."""
    data = event.data
    if (data["game"], data["ruleset"]) != (t.plan.game, rules.ruleset):
        return False
    try:
        options = proposals.complete(t.plan, rules, len(data["seats"]))
    except SetupError:
        return False
    return bool(options == data["options"])
