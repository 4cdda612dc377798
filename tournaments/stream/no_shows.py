"""Deciding about no-shows (LI4): they are ruled absent, or those on the waiting list are asked to stand in."""

from datetime import datetime
from typing import Literal

from core.refusals import Conflict
from tournaments.stream.entries import move_up
from tournaments.stream.events import Absent, Fact, SubstituteAsked, SubstituteLetGo
from tournaments.stream.facts import ANSWER_WITHIN
from tournaments.stream.rulings import Removed, replaced
from tournaments.stream.state import Entrant, Playing, Standing, Tournament

ABSENCES = 2
"""An entrant is removed after being ruled absent this many times (LI4)."""
Why = Literal["late", "came", "over"]
"""Why a request is taken back: no answer in time, the no-show has come, or nothing is left to take over."""


def absent(t: Tournament, key: str, game: str, reason: str, *, now: datetime) -> list[Fact]:
    """Record a no-show, for whom a bot plays the game out. The second time, the entrant is removed (LI4)."""
    entrant, played = t.entrants[key], t.games.get(game)
    if played is None or not played.is_open or key in played.absent or t.is_over:
        return []
    facts: list[Fact] = [Absent(key, game, reason)]
    if entrant.absences + 1 >= ABSENCES and entrant.standing is Standing.IN:
        facts += [Removed(key, reason=f"Absent {ABSENCES} times."), *move_up(t, now, gone=entrant)]
    return facts


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
    """Ask the next one on the waiting list to stand in, unless somebody is asked or the entrant is not in.

    Nobody is asked from the second stage on (LI4).
    """
    other = next_to_ask(t, key) if t.stage == 1 else None
    if t.is_over or not t.entrants[key].is_in or asked(t, key) is not None or other is None:
        return []
    return [SubstituteAsked(key, game, other.key, now + ANSWER_WITHIN, reason)]


def let_go(t: Tournament, key: str, why: Why) -> list[Fact]:
    other = asked(t, key)
    return [] if other is None else [SubstituteLetGo(key, other.key, why)]


def take_over(
    t: Tournament, key: str, reason: str, *, needless: Why | None, now: datetime, guest: bool = False
) -> list[Fact]:
    """The entrant on the waiting list accepts, and plays for the no-show from now on, cards and all.

    `needless`: why nobody has to stand in any more. Raises Conflict (not_asked, tournament_over, already_came).
    """
    substitute = t.entrants[key]
    missing = substitute.asked_for
    if substitute.standing is not Standing.WAITING or missing is None or substitute.asked_until is None:
        raise Conflict("not_asked", "You have not been asked to replace anybody.")
    if substitute.asked_until <= now or not t.entrants[missing].is_in:
        raise Conflict("not_asked", "It is too late to accept. You are no longer being asked.")
    if needless == "came":
        raise Conflict("already_came", "The player has shown up after all.")
    if needless is not None:
        raise Conflict("not_asked", "The game is over, so there is nothing left to take over.")
    return replaced(t, missing, Playing(substitute.player, None, substitute.salt, guest), reason)
