"""An organiser's rulings (LI5): each has a reason, is an event, and can be previewed."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

import msgspec

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.receipts import Answer, Keyed, Promised
from core.refusals import Conflict
from games import services as games
from games.selectors import UNFINISHED, known_outages
from tournaments import selectors
from tournaments.rules import NoStage, Record, cut, read_record
from tournaments.rules.standings import standings_and_bounds
from tournaments.services import outcomes as taken
from tournaments.services import queue, running_games
from tournaments.services.commands import Condition, by_of, check_condition, loaded, of_player
from tournaments.services.ruled_on import entrants_ruled_on, game_named, game_to_rule, is_of_season, table_named
from tournaments.services.running_games import (
    SOURCES,
    actor_of,
    game_of,
    placements_of,
    said_by,
    turn_of,
)
from tournaments.services.seating import record_of
from tournaments.services.setting_up import invited_player, new_salt
from tournaments.stream import By, Ended, Fact, Playing, Tournament, check_organiser, life, outcomes, rounds, rulings
from tournaments.stream.agenda import Kind
from tournaments.stream.asked import Asked
from tournaments.stream.events import folded, foreseen
from tournaments.stream.facts import check_running
from tournaments.stream.rulings import read_ruling


@dataclass(frozen=True, slots=True)
class Ruled:
    """The outcome of a ruling: the version of its event, or with `dry_run` the standings before and after."""

    version: int | None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None
    going_on: Mapping[str, Any] | None = None
    """Of a dry run in a tournament with stages: `{"stage", "seeds", "through", "out"}`."""

    @property
    def changes(self) -> list[tuple[str, list[list[Any]]]]:
        """The entrants whose place, total or status a dry run changes, with each of them before and after."""
        return [(key, pairs) for key, pairs in self._compared() if any(old != new for old, new in pairs)]

    @property
    def changes_all(self) -> bool:
        return len(self.changes) == len(self._compared())

    def _compared(self) -> list[tuple[str, list[list[Any]]]]:
        before, after = (
            {row["entrant"]: row for row in (one or {}).get("standings", ())} for one in (self.before, self.after)
        )
        found = []
        for key in {**before, **after}:
            rows = before.get(key, {}), after.get(key, {})
            found.append((key, [[row.get(name) for row in rows] for name in ("place", "total", "status")]))
        return found


def rule(
    tournament_id: UUID,
    player: Player,
    body: Mapping[str, Any],
    *,
    if_match: Condition | None = None,
    keyed: Keyed | None = None,
) -> Any:
    """Make a ruling; `body` is that of ``POST tournaments/{id}/rulings``. Returns `Ruled` (`keyed`: an `Answer`).

    If it affects a running game, the game's event comes first and decides; the tournament records it.

    Raises Invalid, which names the fields, Forbidden (own_table), Stale, KeyReused, Conflict (game_cancelled: by
    another ruling, just now), and what the ruling's decision or the game raises.
    """
    at, by = service_clock.now(), by_of(player)

    def decide_now(t: Tournament, by: By, at: datetime) -> list[Fact]:
        running_games.check_unchanged(t, ruling)
        return decide(t, by, ruling, at)

    try:
        if keyed is not None and (answered := keyed.known()) is not None:
            return answered
        ruling = read_ruling(body)
        if ruling.dry_run:
            t = _ruled_in(tournament_id, by, ruling, if_match)
            facts = foresee(t, by, ruling, now=at, conditional=if_match is not None)
            return Ruled(None, *preview(t, facts, at))
        while True:
            t = _ruled_in(tournament_id, by, ruling, if_match)
            with suppress(running_games.ChangedMeanwhile):
                touched = running_games.touch(t, ruling, running_games.Act(by, decide, at, if_match, keyed))
                if isinstance(touched, Answer):
                    return touched
                if touched is not None:
                    return _recorded(tournament_id, touched, keyed, at)
                done = of_player(
                    tournament_id, player, decide_now, reason=ruling.reason, if_match=if_match, keyed=keyed
                )
                return Ruled(done.result) if keyed is None else done.result
    except Promised as earlier:
        # The same request has changed a running game before, but did not get as far as its response.
        return _recorded(tournament_id, msgspec.convert(earlier.what, running_games.Acted), keyed, at)


def preview_of_reopening(tournament_id: UUID, player: Player, reason: str) -> Ruled:
    """What `reopen` would change (LI5)."""
    t = loaded(tournament_id)
    # The new secret of the deals is not published, and does not affect the standings.
    facts = life.reopen(t, by_of(player), reason, deals="")
    return Ruled(None, *preview(t, facts, service_clock.now()))


def _ruled_in(tournament_id: UUID, by: By, ruling: Asked, if_match: Condition | None) -> Tournament:
    """The tournament, if the caller may make this ruling in it. Raises NotFound, Forbidden, Stale."""
    t = loaded(tournament_id)
    check_organiser(t, by)
    check_condition(t, if_match)
    outcomes.check_not_own(t, by, entrants_ruled_on(t, ruling))
    return t


def _recorded(tournament_id: UUID, acted: running_games.Acted, keyed: Keyed | None, now: datetime) -> Any:
    """The tournament records what the ruling has done to a running game, and the response is kept."""
    version = running_games.record(tournament_id, acted, now=now)
    if keyed is None:
        return Ruled(version)
    executed: log.Executed[Any, Any] = log.Executed(None, None, (), version)
    # Until the runner has recorded it, a retry asks again.
    return keyed.fulfil(executed) if version is not None else keyed.answer(executed)


def decide(t: Tournament, by: By, ruling: Asked, now: datetime) -> list[Fact]:
    """The facts of a ruling; none for more time on a turn, which the game decides."""
    decided = rulings.RULINGS[ruling.name].decide or _DECIDED[ruling.name]
    return decided(t, by, ruling, now)


def _result(t: Tournament, by: By, ruling: Asked, _: datetime) -> list[Fact]:
    beside = outcomes.also_plays(t, by, [one.entrant for one in ruling.players])
    source = SOURCES[ruling.name]
    ended = Ended(source, ruling.players, rounds=ruling.rounds, reason=ruling.reason, also_plays=beside)
    if is_of_season(t, ruling):
        return outcomes.rule(t, by, None, str(uuid4()), ended, stage=ruling.stage)
    table = table_named(t, ruling)
    return outcomes.rule(t, by, table, game_to_rule(t, table, ruling), ended)


def _end_stage(t: Tournament, by: By, ruling: Asked, _: datetime) -> list[Fact]:
    """Raises Forbidden, Conflict (not_started, tournament_over, no_next_stage)."""
    check_organiser(t, by)
    check_running(t)
    record = record_of(t)
    try:
        going_on = rounds.going_on(cut.next_stage(record, early=True), record.everybody)
    except NoStage as error:
        raise Conflict("no_next_stage", str(error)) from None
    return rounds.cut_short(t, by, going_on, ruling.reason)


def _reinstate(t: Tournament, by: By, ruling: Asked, now: datetime) -> list[Fact]:
    events = partial(selectors.events_of, t.id, upto=t.version)
    return rulings.reinstate(t, by, ruling.of_entrant, ruling.reason, events=events, now=now)


def _extend(t: Tournament, by: By, ruling: Asked, now: datetime) -> list[Fact]:
    """Nothing for more time on a turn, which the game decides."""
    if ruling.round is None:
        return []
    played = t.rounds.get(ruling.round)
    outages = known_outages(played.seated_at, now) if played is not None else ()
    return rulings.extend_round(t, by, ruling.round, ruling.seconds, ruling.reason, outages=outages, now=now)


def _replace(t: Tournament, by: By, ruling: Asked, now: datetime) -> list[Fact]:
    if ruling.player is not None:
        player = invited_player(by.player, ruling.player)
        new = Playing(player.pk, None, new_salt(), player.is_guest)
    else:
        new = Playing(None, {"level": ruling.bot}, ruling.of_entrant)
    return rulings.replace(t, by, ruling.of_entrant, new, ruling.reason, now=now)


# Those for which games, accounts, outages or the log are read.
_DECIDED: Mapping[str, running_games.Decide] = {
    "void": lambda t, by, ruling, _: outcomes.void(t, by, game_named(t, ruling), ruling.reason),
    "rule_table": _result,
    "enter_result": _result,
    "replace": _replace,
    "reinstate": _reinstate,
    "extend": _extend,
    "end_stage": _end_stage,
}


def foresee(t: Tournament, by: By, ruling: Asked, *, now: datetime, conditional: bool) -> list[Fact]:
    """The facts of everything that the ruling would do now, after those of games that have just ended.

    `conditional`: the ruling came with a condition on the tournament, which the end of a game makes stale. Raises what
    would refuse the ruling.
    """
    if ruling.name == "extend" and ruling.game is not None:
        game_id, seat, _ = turn_of(t, ruling)
        longer = games.extending(seat, ruling.seconds, ruling.reason)
        games.foreseen(game_id, longer, actor=actor_of(by), reason=ruling.reason, now=now)
        return []  # more time changes no standings
    facts: list[Fact] = []
    row = game_of(t, ruling)
    # When one game has ended, the ruling may be about the table's next game.
    while row is not None and row.status not in UNFINISHED and (ended := _end_to_take_in(t, row.pk)):
        facts += ended
        t = folded(t, ended, now)
        if conditional:
            check_condition(t, lambda _: False)
        row = game_of(t, ruling)
    ruled = decide(t, by, ruling, now)
    if row is not None and row.status in UNFINISHED:
        called_off = games.calling_off(ruling.reason, placements_of(t, row.pk, ruling))
        event = games.foreseen(row.pk, called_off, actor=actor_of(by), reason=ruling.reason, now=now)
        ruled = list(taken.facts_of_end(t, str(row.pk), event, said_by(by, ruling)))
    return [*facts, *ruled]


def preview(
    t: Tournament, facts: Sequence[Fact], now: datetime
) -> tuple[dict[str, Any], dict[str, Any], dict[str, Any] | None]:
    """The standings before and after, and who goes on after it."""
    events = selectors.events_of(t.id, upto=t.version)
    before = selectors.standings_for(t.id, t.version, events=events)
    after = folded(t, facts, now)
    seed = after.seed if after.seed_shown else None
    record = read_record(selectors.document(after.plan, seed, [*events, *foreseen(t, facts, now)]))
    old = read_record(selectors.document(t.plan, t.seed if t.seed_shown else None, events)) if t.plan.stages else record
    return before, standings_and_bounds(record), _going_on(old, record)


def _going_on(before: Record, after: Record) -> dict[str, Any] | None:
    """Whom a ruling puts through or out; of a stage that was left nobody's going on changes (SG9)."""
    if not after.stages or (after.take is None and after.stage == 1):
        return None
    old, new, stage = _seeds(before), _seeds(after), after.stage + 1
    of_left = zip(map(_played, before.left), map(_played, after.left), strict=False)
    left = next((number for number, (one, other) in enumerate(of_left, 1) if one != other), None)
    if after.stage > before.stage:
        stage, new = after.stage, after.seeds
    elif left is not None or after.take is None:
        stage = after.stage if left is None else left + 1
        old = new = (*after.left, after)[stage - 1].seeds
    return {
        "stage": stage,
        "seeds": list(new),
        "through": [key for key in new if key not in old],
        "out": [key for key in old if key not in new],
    }


def _seeds(record: Record) -> tuple[str, ...]:
    """Who would go on to the next stage as it stands; nobody where that cannot be said."""
    try:
        return cut.next_stage(record, early=True).seeds
    except NoStage:
        return ()


def _played(record: Record) -> tuple[object, ...]:
    return record.results, record.voided, record.voids, record.adjustments


def _end_to_take_in(t: Tournament, game_id: UUID) -> Sequence[Fact]:
    event = taken.last_event(game_id)
    if event is None:
        return ()
    piece = work.find(Kind.OUTCOME, queue.key_of(t.id, str(game_id)))
    return taken.facts_of_end(t, str(game_id), event, piece.data.get("ruling") if piece is not None else None)
