"""An organiser's rulings (LI5): each has a reason, is an event, and can be previewed."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from games import clock as service_clock
from games import log
from games.accounts.models import Player
from tournaments import models, selectors
from tournaments.projections import TOURNAMENT
from tournaments.services import running_games
from tournaments.services.asked import Ruling, read_ruling
from tournaments.services.commands import Condition, check_condition, not_found, of_player
from tournaments.services.entries import read_salt
from tournaments.services.idempotency import Keyed
from tournaments.services.setting_up import player_named
from tournaments.services.subjects import game_named, game_to_rule, table_named
from tournaments.stream import By, Ended, Fact, Tournament, check_organiser, evolve, life, outcomes, rulings


@dataclass(frozen=True, slots=True)
class Ruled:
    """The outcome of a ruling: the version of its event, or with `dry_run` the standings before and after."""

    version: int | None
    before: Mapping[str, Any] | None = None
    after: Mapping[str, Any] | None = None


def rule(
    tournament_id: UUID,
    player: Player,
    asked: Mapping[str, Any],
    *,
    if_match: Condition | None = None,
    keyed: Keyed | None = None,
    now: datetime | None = None,
) -> Any:
    """Make a ruling; `asked` is the body of ``POST tournaments/{id}/rulings``. Returns `Ruled` (`keyed`: an `Answer`).

    If it affects a running game, the game's event comes first and decides; the tournament records it.

    Raises:
        NotFound (also no_such_entrant, no_such_game, no_such_table, no_such_round, no_such_player), Forbidden
        (not_an_organiser), Invalid (`field` names what is wrong), Stale, KeyReused, Conflict (not_started,
        tournament_over, already_void, not_void, too_many_results, table_not_played, not_in_a_knockout, not_entered,
        already_entered, already_removed, not_removed, round_closed, no_deadline, not_to_act, game_over,
        game_cancelled: by another ruling, just now).
    """
    at = now or service_clock.now()
    if keyed is not None and (answered := keyed.known()) is not None:
        return answered
    ruling = read_ruling(asked)
    by = By(player.pk, staff=player.is_staff)
    t = _judged_first(tournament_id, by, ruling, if_match, at)
    if ruling.dry_run:
        return Ruled(None, *preview(t, decide(t, by, ruling, at), at))
    if running_games.touch(t, player, by, ruling, decide, now=at):
        version = models.Tournament.objects.values_list("version", flat=True).get(pk=tournament_id)
        return _kept(Ruled(version), keyed)

    def decide_now(t: Tournament, by: By) -> tuple[Ruled, list[Fact]]:
        facts = decide(t, by, ruling, at)
        return Ruled(t.version + 1 if facts else None), facts

    done = of_player(
        tournament_id,
        player,
        decide_now,
        reason=ruling.reason,
        if_match=if_match,
        keyed=keyed,
        now=at,
    )
    return done.result


def preview_of_reopening(tournament_id: UUID, player: Player, reason: str, *, now: datetime | None = None) -> Ruled:
    """What `reopen` would change (LI5). Raises NotFound, Forbidden, Conflict (not_finished)."""
    t = TOURNAMENT.load(tournament_id, log.Lock.NONE)
    if t is None:
        raise not_found()
    facts = life.reopen(t, By(player.pk, staff=player.is_staff), reason)
    return Ruled(None, *preview(t, facts, now or service_clock.now()))


def _judged_first(tournament_id: UUID, by: By, ruling: Ruling, if_match: Condition | None, now: datetime) -> Tournament:
    """The tournament, if the caller may rule in it. A game that has just ended is recorded first."""
    t = TOURNAMENT.load(tournament_id, log.Lock.NONE)
    if t is None:
        raise not_found()
    check_organiser(t, by)
    check_condition(t, if_match)
    if not ruling.dry_run and running_games.take_in_first(t, ruling, now=now):
        t = TOURNAMENT.load(tournament_id, log.Lock.NONE)
    if t is None:
        raise not_found()
    return t


def _kept(ruled: Ruled, keyed: Keyed | None) -> Any:
    if keyed is None:
        return ruled
    with transaction.atomic():
        return keyed.claim() or keyed.keep(log.Executed(None, None, (), ruled))


def decide(t: Tournament, by: By, ruling: Ruling, now: datetime) -> list[Fact]:
    """The facts of a ruling in the tournament's own stream."""
    return _DECIDE[ruling.name](t, by, ruling, now)


def _void(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    return outcomes.void(t, by, game_named(t, ruling), ruling.reason)


def _restore(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    return outcomes.restore(t, by, str(ruling.game), ruling.reason)


def _rule_table(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    table = table_named(t, ruling)
    return outcomes.rule(t, by, table, game_to_rule(t, table, ruling), _ended(t, by, ruling, "ruling"))


def _enter_result(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    ended = _ended(t, by, ruling, "table")
    if t.plan.kind == "season":
        return outcomes.rule(t, by, None, str(uuid4()), ended)
    table = table_named(t, ruling)
    return outcomes.rule(t, by, table, game_to_rule(t, table, ruling), ended)


def _adjust(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    return rulings.adjust(t, by, ruling.of_entrant, ruling.points, ruling.reason)


def _replace(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    return rulings.replace(
        t,
        by,
        ruling.of_entrant,
        player=player_named(ruling.player).pk if ruling.player is not None else None,
        bot={"level": ruling.bot} if ruling.bot is not None else None,
        salt=read_salt(None),
        reason=ruling.reason,
    )


def _remove(t: Tournament, by: By, ruling: Ruling, now: datetime) -> list[Fact]:
    return rulings.remove(t, by, ruling.of_entrant, ruling.reason, now=now)


def _reinstate(t: Tournament, by: By, ruling: Ruling, _: datetime) -> list[Fact]:
    return rulings.reinstate(t, by, ruling.of_entrant, ruling.reason)


def _extend(t: Tournament, by: By, ruling: Ruling, now: datetime) -> list[Fact]:
    if ruling.round is None:
        return []  # a turn: the standings stay as they are, and the game decides
    return rulings.extend_round(t, by, ruling.round, ruling.seconds, ruling.reason, now=now)


_DECIDE: Mapping[str, Callable[[Tournament, By, Ruling, datetime], list[Fact]]] = {
    "void": _void,
    "restore": _restore,
    "rule_table": _rule_table,
    "enter_result": _enter_result,
    "adjust": _adjust,
    "replace": _replace,
    "remove": _remove,
    "reinstate": _reinstate,
    "extend": _extend,
}


def _ended(t: Tournament, by: By, ruling: Ruling, source: str) -> Ended:
    beside = outcomes.also_plays(t, by, [one.entrant for one in ruling.players])
    return Ended(source, ruling.players, rounds=ruling.rounds, reason=ruling.reason, also_plays=beside)


def preview(t: Tournament, facts: Sequence[Fact], now: datetime) -> tuple[dict[str, Any], dict[str, Any]]:
    """The standings before and after the facts, as they are shown."""
    events = selectors.events_of(t.id, upto=t.version)
    before = selectors.standings_for(t.id, t.version, events)
    for fact in facts:
        event = _Event(fact.type, fact.data, t.version + 1, now)
        t = evolve(t.id, t, event)
        events.append(event)
    return before, selectors.standings_of(selectors.document(t.plan, t.seed if t.seed_shown else None, events))


@dataclass(frozen=True, slots=True)
class _Event:
    """A fact as it would be stored."""

    type: str
    data: Any
    version: int
    recorded_at: datetime
