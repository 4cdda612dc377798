"""Deciding who stands in for a no-show: those on the waiting list are asked, one after the other (LI4)."""

from datetime import datetime
from typing import Literal

from core.refusals import Conflict
from games.clocks import moment_text
from tournaments.stream.facts import Fact
from tournaments.stream.rulings import ANSWER_WITHIN, replaced
from tournaments.stream.state import Entrant, Standing, Tournament

Why = Literal["late", "came", "over"]
"""The reason for taking back a request: no answer in time, the no-show has come, or there is nothing to take over."""


def asked(t: Tournament, key: str) -> Entrant | None:
    """The entrant on the waiting list who is being asked to stand in for this one."""
    entrant = t.entrants[key]
    other = t.entrants[entrant.asked[-1]] if entrant.asked else None
    return other if other is not None and other.asked_for == key else None


def next_to_ask(t: Tournament, key: str) -> Entrant | None:
    """The first on the waiting list who was not asked for this entrant yet and is not being asked for another one."""
    before = t.entrants[key].asked
    waiting = t.entrants.several(other for other in t.queue if other not in before)
    return next((one for one in waiting if not one.missed and one.player is not None and one.asked_for is None), None)


def ask(t: Tournament, key: str, game: str, reason: str, *, now: datetime) -> list[Fact]:
    """Ask the next one on the waiting list to take over from an entrant who never came to a game.

    Nothing happens if somebody is being asked already, nobody is left to ask, or the entrant is no longer in.
    """
    other = next_to_ask(t, key)
    if t.is_over or not t.entrants[key].is_in or asked(t, key) is not None or other is None:
        return []
    data = {"entrant": key, "game": game, "substitute": other.key, "until": moment_text(now + ANSWER_WITHIN)}
    return [Fact("substitute_asked", {**data, "reason": reason})]


def let_go(t: Tournament, key: str, why: Why) -> list[Fact]:
    """Stop asking the present substitute."""
    other = asked(t, key)
    return [] if other is None else [Fact("substitute_let_go", {"entrant": key, "substitute": other.key, "why": why})]


def take_over(
    t: Tournament, key: str, reason: str, *, needless: Why | None, now: datetime, guest: bool = False
) -> list[Fact]:
    """The entrant on the waiting list accepts, and plays for the no-show from now on, cards and all.

    `needless`: why nobody has to stand in any more. `guest`: whether the substitute is a guest, who has no votes (RT2).

    Raises Conflict (not_asked, tournament_over, already_came).
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
    player, salt = substitute.player, substitute.salt
    return replaced(t, missing, player=player, bot=None, salt=salt, reason=reason, guest=guest)
