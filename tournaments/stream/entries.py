"""Deciding entries: entering, waiting, withdrawing (LI1, LI3)."""

import hmac
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core.refusals import Conflict, Forbidden
from tournaments.rules.counting import bye_worth
from tournaments.stream.events import (
    Adjusted,
    CheckedIn,
    Entered,
    Fact,
    Invited,
    Left,
    Queued,
    Registered,
    Returned,
    Withdrew,
)
from tournaments.stream.facts import By, check_not_over, check_organiser, named
from tournaments.stream.plan import Plan
from tournaments.stream.state import HOLDS_A_PLACE, TAKES_PART, Entrant, Playing, Standing, Status, Tournament

LATE_REASON = "Entered late: one bye for each missed round."


@dataclass(frozen=True, slots=True)
class Limits:
    entrants: int = 5000
    bots: int = 128


def enter(
    t: Tournament, by: By, *, salt: str, invitation: str | None, now: datetime, limits: Limits = Limits()
) -> list[Fact]:
    """Enter a player, or let one return; without a free place on the waiting list.

    Raises Forbidden (invitation_needed, added_by_organisers, no_guests), Conflict (not_open, entries_closed,
    tournament_over, already_entered, removed, too_many_entrants).
    """
    if by.player is None:
        raise ValueError("only a player enters")
    entrant = t.entrant_of(by.player)
    if entrant is not None and entrant.standing is Standing.INVITED:
        return accept(t, by, entrant.key, salt=salt, now=now)
    check_entries(t, now)
    _check_guest(t, by)
    if entrant is not None:
        return _again(t, entrant, salt, now)
    _check_may_enter(t, by, invitation)
    return _placed(t, Playing(by.player, None, salt).for_entrant(_next_key(t, limits)), now)


def invite(t: Tournament, by: By, player: UUID, *, salt: str, now: datetime, limits: Limits = Limits()) -> list[Fact]:
    """Invite a player as an organiser (LI1). Raises Forbidden (not_an_organiser), Conflict (as `enter`)."""
    check_organiser(t, by)
    if player == by.player:
        return enter(t, by, salt=salt, invitation=t.invitation, now=now, limits=limits)
    check_entries(t, now)
    entrant = t.entrant_of(player)
    if entrant is not None:
        if entrant.standing in (Standing.GONE, Standing.WITHDRAWN):
            raise Conflict("already_entered", "This player has left the tournament. Only they can decide to come back.")
        raise _already_entered(entrant)
    return [Invited(_next_key(t, limits), player, None, salt)]


def add_bot(t: Tournament, by: By, level: str, *, now: datetime, limits: Limits = Limits()) -> list[Fact]:
    """They never wait; the salt is the name (LI9). Raises as `invite`; Conflict (too_many_bots, tournament_full)."""
    check_organiser(t, by)
    check_entries(t, now)
    key = _next_key(t, limits)
    if t.bots >= limits.bots:
        raise Conflict("too_many_bots", f"At most {limits.bots} bots can enter a tournament.")
    if t.plan.limit is not None and t.places >= t.plan.limit:
        raise Conflict("tournament_full", f"All {t.plan.limit} places are taken.")
    return [Entered(key, None, {"level": level}, key), *_late_bye(t, key)]


def accept(t: Tournament, by: By, key: str, *, salt: str | None = None, now: datetime) -> list[Fact]:
    """Accept an invitation; without a `salt` the one drawn for it stays.

    Raises as `own`; Forbidden (no_guests), Conflict (not_invited; as `check_entries`).
    """
    entrant = own(t, by, key)
    if entrant.standing is not Standing.INVITED:
        raise Conflict("not_invited", "You have no open invitation to this tournament.")
    check_entries(t, now)
    _check_guest(t, by)
    return _placed(t, {**_data_of(entrant), "salt": salt or entrant.salt}, now)


def own(t: Tournament, by: By, key: str) -> Entrant:
    """The caller's entrant. Raises NotFound (no_such_entrant), Forbidden (not_the_entrant)."""
    entrant = entrant_named(t, key)
    if entrant.player is None or entrant.player != by.player:
        raise Forbidden("not_the_entrant", "Only the player who was asked can accept.")
    return entrant


def withdraw(t: Tournament, by: By, key: str, *, resign: bool, now: datetime, why: str = "player") -> list[Fact]:
    """Raises NotFound (no_such_entrant), Forbidden (not_the_entrant), Conflict (not_entered, tournament_over)."""
    entrant = _of_caller(t, by, key)
    check_not_over(t)
    if entrant.standing in (Standing.WITHDRAWN, Standing.GONE) or (
        entrant.standing is Standing.REMOVED and entrant.withdrew
    ):
        raise Conflict("not_entered", "This entrant has already left.")
    gone = Withdrew(key, resign, why) if entrant.entered else Left(key, why)
    return [gone, *move_up(t, now, gone=entrant)]


def _of_caller(t: Tournament, by: By, key: str) -> Entrant:
    """The entrant, if the caller plays for it or organises. Raises NotFound, Forbidden (not_the_entrant)."""
    entrant = entrant_named(t, key)
    if not by.organises(t) and (entrant.player is None or entrant.player != by.player):
        raise Forbidden("not_the_entrant", "You do not play for this entrant.")
    return entrant


def check_in(t: Tournament, by: By, key: str, *, now: datetime) -> list[Fact]:
    """Before the start, or late. Raises as `_of_caller`; Conflict (no_check_in, not_entered, tournament_over)."""
    entrant = _of_caller(t, by, key)
    check_not_over(t)
    if entrant.standing not in TAKES_PART:
        raise Conflict("not_entered", "Only entrants can check in.")
    if entrant.standing is Standing.IN or entrant.checked_in:
        return []
    if t.plan.check_in is None:
        raise Conflict("no_check_in", "This tournament has no check-in.")
    opens = check_in_opens(t.plan)
    if opens is not None and now < opens:
        raise Conflict("no_check_in", f"The check-in opens at {opens:%Y-%m-%d %H:%M} UTC.")
    checked = CheckedIn(key)
    if entrant.standing is Standing.REGISTERED:
        return [checked, coming_in(entrant)]
    if t.status is Status.RUNNING and _late_entries_open(t, now) and _room(t, t.plan) > 0:
        return [checked, coming_in(entrant), *_late_bye(t, key)]
    return [checked]


def check_in_opens(plan: Plan) -> datetime | None:
    """Return when the check-in opens; None if it opens with registration, as there is no `starts_at`."""
    if plan.check_in is None or plan.starts_at is None:
        return None
    return plan.starts_at - timedelta(seconds=plan.check_in)


def check_entries(t: Tournament, now: datetime) -> None:
    """Raises Conflict (not_open, entries_closed, tournament_over) if nobody can enter now."""
    check_not_over(t)
    if t.status is Status.DRAFT:
        raise Conflict("not_open", "The tournament is not open for entries yet.")
    if t.status is Status.RUNNING and not _late_entries_open(t, now):
        raise Conflict("entries_closed", "The tournament is closed for entries.")


def _late_entries_open(t: Tournament, now: datetime) -> bool:
    """Whether a running tournament still accepts entries (LI3, SN1, SG9)."""
    plan = t.plan
    if t.begun:
        return False
    if plan.kind == "season":
        return plan.closes_at is None or now < plan.closes_at
    if plan.kind == "knockout":
        return False
    if plan.rounds is not None and t.seated >= plan.rounds:
        return False
    return plan.late_until is None or t.seated <= plan.late_until


def move_up(t: Tournament, now: datetime, *, gone: Entrant | None = None, plan: Plan | None = None) -> list[Fact]:
    """The facts of those who get the free places, and that of an entrant who is `gone`; `plan`: the new one."""
    plan = plan or t.plan
    running = t.status is Status.RUNNING
    if not t.queue or t.status is Status.DRAFT or (running and not _late_entries_open(t, now)):
        return []
    room = _room(t, plan) + (gone is not None and gone.standing in HOLDS_A_PLACE)
    if room <= 0:
        return []
    facts: list[Fact] = []
    for entrant in t.entrants.several(t.queue):
        key = entrant.key
        if entrant == gone or entrant.missed:
            continue
        if not running and plan.check_in is not None and not entrant.checked_in and not entrant.entered:
            facts.append(Registered(**_data_of(entrant)))
        elif running and plan.check_in is not None and not entrant.checked_in:
            continue
        else:
            facts += [coming_in(entrant), *(_late_bye(t, key) if not entrant.entered else ())]
        room -= 1
        if not room:
            break
    return facts


def coming_in(entrant: Entrant) -> Fact:
    return Returned(entrant.key) if entrant.entered else Entered(**_data_of(entrant))


def entrant_named(t: Tournament, key: str) -> Entrant:
    """Raises NotFound (no_such_entrant)."""
    return named(t.entrants, key, "no_such_entrant", "There is no such entrant.")


def _room(t: Tournament, plan: Plan) -> int:
    return len(t.queue) + 1 if plan.limit is None else plan.limit - t.places


def _check_may_enter(t: Tournament, by: By, invitation: str | None) -> None:
    if t.plan.entry == "open" or by.organises(t):
        return
    if t.plan.entry == "organiser":
        raise Forbidden("added_by_organisers", "Only organisers can add players to this tournament.")
    if not matches(invitation, t.invitation):
        raise Forbidden("invitation_needed", "You need an invitation code to enter this tournament.")


def _check_guest(t: Tournament, by: By) -> None:
    if by.guest and not t.plan.guests:
        raise Forbidden(
            "no_guests", "This tournament does not accept guests. Keep your account first: give it a password."
        )


def matches(given: object, invitation: str) -> bool:
    if not isinstance(given, str):
        return False
    return hmac.compare_digest(given.strip().upper().encode("utf-8", "replace"), invitation.encode())


def _next_key(t: Tournament, limits: Limits) -> str:
    if t.numbers >= limits.entrants:
        raise Conflict("too_many_entrants", f"At most {limits.entrants} can enter a tournament.")
    return f"e{t.numbers + 1}"


def _again(t: Tournament, entrant: Entrant, salt: str, now: datetime) -> list[Fact]:
    if entrant.standing is Standing.REMOVED:
        raise Conflict("removed", "The organisers have removed you from this tournament.")
    if entrant.standing not in (Standing.WITHDRAWN, Standing.GONE):
        raise _already_entered(entrant)
    if entrant.entered:
        if _room(t, t.plan) > 0 and not _others_wait(t):
            return [coming_in(entrant)]
        return [Queued(**_data_of(entrant))]
    return _placed(t, {**_data_of(entrant), "salt": salt}, now)


def _placed(t: Tournament, data: dict[str, Any], now: datetime) -> list[Fact]:
    checks_in = t.status is Status.REGISTRATION and t.plan.check_in is not None
    opens = check_in_opens(t.plan) if checks_in else None
    # Entering during the check-in counts as checking in.
    checked = [CheckedIn(data["entrant"])] if opens is not None and now >= opens else []
    if _room(t, t.plan) <= 0 or _others_wait(t):
        return [Queued(**data), *checked]
    if checks_in:
        registered = Registered(**data)
        return [registered, *checked, Entered(**data)] if checked else [registered]
    return [Entered(**data), *_late_bye(t, data["entrant"])]


def _others_wait(t: Tournament) -> bool:
    return any(not entrant.missed for entrant in t.entrants.several(t.queue)) if t.plan.limit is not None else False


def _late_bye(t: Tournament, key: str) -> list[Fact]:
    if t.plan.late != "bye" or not t.seated or t.status is not Status.RUNNING:
        return []
    points = bye_worth(t.plan.rules) * t.plan.per_table * t.seated
    return [Adjusted(key, points=str(points), reason=LATE_REASON)]


def _already_entered(entrant: Entrant) -> Conflict:
    if entrant.standing is Standing.REMOVED:
        return Conflict("removed", "The organisers have removed this player from the tournament.")
    return Conflict("already_entered", "This player has already entered.")


def _data_of(entrant: Entrant) -> dict[str, Any]:
    return entrant.playing.for_entrant(entrant.key)
