"""An organiser's rulings (LI5): each has a reason, is an event, and can be previewed."""

from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.receipts import Answer, Keyed, Promised
from games import services as games
from games.selectors import UNFINISHED
from tournaments import selectors
from tournaments.rules import NoStage, Record, cut, read_record
from tournaments.rules.standings import standings_and_bounds
from tournaments.services import outcomes as taken
from tournaments.services import queue, running_games
from tournaments.services.cases import Case
from tournaments.services.commands import Condition, by_of, check_condition, loaded, of_player
from tournaments.services.running_games import actor_of, game_of, placements_of, said_by
from tournaments.stream import By, Fact, Tournament, check_organiser, life, outcomes
from tournaments.stream.agenda import Kind
from tournaments.stream.events import folded, foreseen
from tournaments.stream.ruling import Ruling, read_ruling


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
        case = Case(t, by, at)
        running_games.check_unchanged(case, ruling)
        return ruling.facts(case)

    try:
        if keyed is not None and (answered := keyed.known()) is not None:
            return answered
        ruling = read_ruling(body)
        if ruling.dry_run:
            t = _ruled_in(tournament_id, by, ruling, at, if_match)
            facts = foresee(t, by, ruling, now=at, conditional=if_match is not None)
            return Ruled(None, *preview(t, facts, at))
        while True:
            t = _ruled_in(tournament_id, by, ruling, at, if_match)
            with suppress(running_games.ChangedMeanwhile):
                touched = running_games.touch(t, ruling, running_games.Act(by, at, if_match, keyed))
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


def effects_of(
    tournament_id: UUID, player: Player, body: Mapping[str, Any], ruled: Ruled, names: Mapping[str, str]
) -> list[str]:
    """What a dry run changes besides the standings, in sentences; `names` of entrants."""
    t, ruling, going_on = loaded(tournament_id), read_ruling(body), ruled.going_on
    said = ruling.effects(Case(t, by_of(player), service_clock.now()), names)
    return said if going_on is None else [*said, *ruling.onward(t, going_on, names)]


def preview_of_reopening(tournament_id: UUID, player: Player, reason: str) -> Ruled:
    """What `reopen` would change (LI5)."""
    t = loaded(tournament_id)
    # The new secret of the deals is not published, and does not affect the standings.
    facts = life.reopen(t, by_of(player), reason, deals="")
    return Ruled(None, *preview(t, facts, service_clock.now()))


def _ruled_in(tournament_id: UUID, by: By, ruling: Ruling, now: datetime, if_match: Condition | None) -> Tournament:
    """The tournament, if the caller may make this ruling in it. Raises NotFound, Forbidden, Stale."""
    t = loaded(tournament_id)
    check_organiser(t, by)
    check_condition(t, if_match)
    outcomes.check_not_own(t, by, [key for key in ruling.at_table(Case(t, by, now)) if key is not None])
    return t


def _recorded(tournament_id: UUID, acted: running_games.Acted, keyed: Keyed | None, now: datetime) -> Any:
    """The tournament records what the ruling has done to a running game, and the response is kept."""
    version = running_games.record(tournament_id, acted, now=now)
    if keyed is None:
        return Ruled(version)
    executed: log.Executed[Any, Any] = log.Executed(None, None, (), version)
    # Until the runner has recorded it, a retry asks again.
    return keyed.fulfil(executed) if version is not None else keyed.answer(executed)


def foresee(t: Tournament, by: By, ruling: Ruling, *, now: datetime, conditional: bool) -> list[Fact]:
    """The facts of everything that the ruling would do now, after those of games that have just ended.

    `conditional`: the ruling came with a condition on the tournament, which the end of a game makes stale. Raises what
    would refuse the ruling.
    """
    case = Case(t, by, now)
    if (turn := ruling.turn(case)) is not None:
        longer = games.extending(turn.seat, turn.seconds, ruling.reason)
        games.foreseen(UUID(turn.game), longer, actor=actor_of(by), reason=ruling.reason, now=now)
        return []  # more time changes no standings
    facts: list[Fact] = []
    row = game_of(case, ruling)
    # When one game has ended, the ruling may be about the table's next game.
    while row is not None and row.status not in UNFINISHED and (ended := _end_to_take_in(t, row.pk)):
        facts += ended
        t = folded(t, ended, now)
        case = Case(t, by, now)
        if conditional:
            check_condition(t, lambda _: False)
        row = game_of(case, ruling)
    ruled = ruling.facts(case)
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
