"""Deciding rulings on entrants and time: adjust, replace, remove, reinstate, absent, extend (LI4, LI5)."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any, Literal
from uuid import UUID

from core.refusals import Conflict, Invalid
from games.clocks import moment_text
from tournaments.rules.exact import read_exact
from tournaments.stream.entries import entrant_named, move_up
from tournaments.stream.facts import (
    ANSWER_WITHIN,
    By,
    Fact,
    begun_stage,
    check_not_over,
    check_organiser,
    check_running,
    named,
    said_of_stage,
)
from tournaments.stream.outcomes import also_plays
from tournaments.stream.reading import TOO_LONG, is_short
from tournaments.stream.state import Entrant, Playing, Standing, Tournament

ABSENCES = 2
"""An entrant is removed after being ruled absent this many times (LI4)."""


def adjust(t: Tournament, by: By, key: str, points: Fraction, reason: str, *, stage: int | None = None) -> list[Fact]:
    """In a stage that has begun, by default the present one.

    Raises Forbidden, NotFound (no_such_entrant, no_such_stage), Conflict (not_in_a_knockout, not_entered).
    """
    check_organiser(t, by)
    check_running(t)
    entrant = entrant_named(t, key)
    within = begun_stage(t, stage)
    if t.plan_of(within).kind == "knockout":
        raise Conflict("not_in_a_knockout", "In a knockout no points can be adjusted.")
    if not entrant.entered or not t.is_in_stage(key, within):
        raise Conflict("not_entered", "This entrant has never been in.")
    data = {"entrant": key, "points": str(points), "reason": reason, "also_plays": also_plays(t, by, [key])}
    return [Fact("adjusted", {**data, **said_of_stage(t, within)})]


def replace(t: Tournament, by: By, key: str, new: Playing, reason: str, *, now: datetime) -> list[Fact]:
    """By a bot, in running games too, or ask a person (LI7). Raises Forbidden, NotFound, Conflict (as `replaced`)."""
    check_organiser(t, by)
    beside = also_plays(t, by, [key])
    facts = replaced(t, key, new, reason, beside=beside)
    if new.player in (None, by.player):
        return facts
    until = moment_text(now + ANSWER_WITHIN)
    data = {"entrant": key, "player": str(new.player), "until": until, "reason": reason, "also_plays": beside}
    return [Fact("replacement_asked", data)]


def answer_replacement(
    t: Tournament, by: By, offer: Mapping[str, Any], *, accept: bool, salt: str, now: datetime
) -> list[Fact]:
    """A person answers who was asked to play on. Raises Conflict (not_asked: too late; as `replaced`)."""
    if not accept:
        return [Fact("replacement_declined", {"entrant": offer["entrant"], "player": offer["player"]})]
    if datetime.fromisoformat(offer["until"]) <= now:
        raise Conflict("not_asked", "You are not asked any more: it is too late.")
    new = Playing(by.player, None, salt, by.guest)
    return replaced(t, offer["entrant"], new, offer["reason"], beside=offer["also_plays"])


def replaced(t: Tournament, key: str, new: Playing, reason: str, *, beside: str | None = None) -> list[Fact]:
    """Somebody else plays for an entrant from now on. `beside`: the entrant of the organiser who ruled it.

    Raises NotFound (no_such_entrant), Conflict (not_started, tournament_over, not_entered, already_entered).
    """
    check_running(t)
    entrant = entrant_named(t, key)
    if entrant.standing is not Standing.IN:
        raise Conflict("not_entered", "Only an entrant who is in can be replaced.")
    data = {
        **new.for_entrant(key),
        "guest": new.guest,
        "from": check_replacement(t, entrant, new.player),
        "reason": reason,
        "also_plays": beside,
    }
    return [Fact("replaced", data)]


def check_replacement(t: Tournament, entrant: Entrant, player: UUID | None) -> str | None:
    """The entry that the replacement gives up. Raises Conflict (already_entered)."""
    other = t.entrant_of(player)
    if other is None:
        return None
    if other.key == entrant.key or other.standing not in (Standing.WAITING, Standing.INVITED, Standing.GONE):
        raise Conflict("already_entered", "This player plays in the tournament already.")
    return other.key


def remove(t: Tournament, by: By, key: str, reason: str, *, now: datetime) -> list[Fact]:
    """Raises Forbidden, NotFound (no_such_entrant), Conflict (tournament_over, already_removed)."""
    check_organiser(t, by)
    check_not_over(t)
    entrant = entrant_named(t, key)
    if entrant.standing is Standing.REMOVED:
        raise Conflict("already_removed", "This entrant has been removed already.")
    data = {"entrant": key, "reason": reason, "also_plays": also_plays(t, by, [key])}
    return [Fact("removed", data), *move_up(t, now, gone=entrant)]


def reinstate(t: Tournament, by: By, key: str, reason: str) -> list[Fact]:
    """Raises Forbidden, NotFound (no_such_entrant), Conflict (not_removed)."""
    check_organiser(t, by)
    check_not_over(t)
    if entrant_named(t, key).standing is not Standing.REMOVED:
        raise Conflict("not_removed", "This entrant has not been removed.")
    data = {"entrant": key, "reason": reason, "also_plays": also_plays(t, by, [key])}
    return [Fact("reinstated", data)]


def absent(t: Tournament, key: str, game: str, reason: str) -> list[Fact]:
    """Record a no-show, for whom a bot plays the game out. The second time, the entrant is removed (LI4)."""
    entrant, played = t.entrants[key], t.games.get(game)
    if played is None or not played.is_open or key in played.absent or t.is_over:
        return []
    facts = [Fact("absent", {"entrant": key, "game": game, "reason": reason})]
    if entrant.absences + 1 >= ABSENCES and entrant.standing is Standing.IN:
        facts.append(Fact("removed", {"entrant": key, "reason": f"Absent {ABSENCES} times.", "also_plays": None}))
    return facts


def extend_round(t: Tournament, by: By, number: int, seconds: int, reason: str, *, now: datetime) -> list[Fact]:
    """Raises Forbidden, NotFound (no_such_round), Conflict (no_deadline, round_closed)."""
    check_organiser(t, by)
    check_running(t)
    played = named(t.rounds, number, "no_such_round", "This round has not been seated.")
    if number not in t.open_rounds:
        raise Conflict("round_closed", "This round is closed.")
    if played.deadline_at is None:
        raise Conflict("no_deadline", "This round has no deadline.")
    until = max(played.deadline_at, now) + timedelta(seconds=seconds)
    return [Fact("extended", _extended(until, reason, round=number))]


def extend_turn(t: Tournament, by: By, game: str, key: str, *, until: datetime, reason: str) -> list[Fact]:
    """Record the time added to a turn of a running game; the game's own event has decided it."""
    check_organiser(t, by)
    check_not_over(t)
    return [Fact("extended", _extended(until, reason, game=game, entrant=key, also_plays=also_plays(t, by, [key])))]


def read_points(value: object) -> Fraction:
    """An exact number of points: an integer, or a text such as "-1/2". Raises Invalid (points)."""
    try:
        points = read_exact(value)
    except ValueError:
        detail = 'Must be a whole number, or a fraction as text such as "-1/2".'
        raise Invalid("invalid", detail, field="points") from None
    if not is_short(value):
        raise Invalid("invalid", TOO_LONG, field="points")
    return points


def _extended(until: datetime, reason: str, **about: Any) -> dict[str, Any]:
    nothing = {"round": None, "game": None, "entrant": None, "also_plays": None}
    return {**nothing, **about, "until": moment_text(until), "reason": reason}


Why = Literal["late", "came", "over"]
"""Why a request is taken back: no answer in time, the no-show has come, or nothing is left to take over."""


def asked(t: Tournament, key: str) -> Entrant | None:
    entrant = t.entrants[key]
    other = t.entrants[entrant.asked[-1]] if entrant.asked else None
    return other if other is not None and other.asked_for == key else None


def next_to_ask(t: Tournament, key: str) -> Entrant | None:
    """The first on the waiting list who was not asked for this entrant yet and is not being asked for another one."""
    before = t.entrants[key].asked
    waiting = t.entrants.several(other for other in t.queue if other not in before)
    return next((one for one in waiting if not one.missed and one.player is not None and one.asked_for is None), None)


def ask(t: Tournament, key: str, game: str, reason: str, *, now: datetime) -> list[Fact]:
    """Ask the next one on the waiting list to stand in, unless somebody is asked or the entrant is not in."""
    other = next_to_ask(t, key)
    if t.is_over or not t.entrants[key].is_in or asked(t, key) is not None or other is None:
        return []
    data = {"entrant": key, "game": game, "substitute": other.key, "until": moment_text(now + ANSWER_WITHIN)}
    return [Fact("substitute_asked", {**data, "reason": reason})]


def let_go(t: Tournament, key: str, why: Why) -> list[Fact]:
    other = asked(t, key)
    return [] if other is None else [Fact("substitute_let_go", {"entrant": key, "substitute": other.key, "why": why})]


def take_over(
    t: Tournament, key: str, reason: str, *, needless: Why | None, now: datetime, guest: bool = False
) -> list[Fact]:
    """The entrant on the waiting list accepts, and plays for the no-show from now on, cards and all.

    `needless`: why nobody has to stand in any more. Raises Conflict (not_asked, tournament_over, already_came).
    """
    substitute = t.entrants[key]
    missing = substitute.asked_for
    if substitute.standing is not Standing.WAITING or missing is None or substitute.asked_until is None:
        raise Conflict("not_asked", "Nobody has asked you to stand in.")
    if substitute.asked_until <= now or not t.entrants[missing].is_in:
        raise Conflict("not_asked", "You are not asked any more: it is too late.")
    if needless == "came":
        raise Conflict("already_came", "The player has come after all.")
    if needless is not None:
        raise Conflict("not_asked", "The game is over: there is nothing to take over any more.")
    return replaced(t, missing, Playing(substitute.player, None, substitute.salt, guest), reason)
