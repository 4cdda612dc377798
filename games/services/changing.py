"""Changing a room while it is open."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Conflict, Forbidden
from games.models import Game
from games.projections import Snapshot
from games.projections import vocabulary as stored
from games.services.commands import changed, check_open, check_opener, evolved, member
from games.services.lobby import kept_for, without_blocked
from games.services.opening import new_invitation
from games.services.terms import Terms

CHANGEABLE = ("ruleset", "options", "seats", "clock", "visibility")


def change_room(game_id: UUID, player: Player, changes: Mapping[str, Any], *, now: datetime | None = None) -> Snapshot:
    """Change an open room, as its opener: some of `CHANGEABLE`, each as a whole. Those who sit there are told.

    What is left out stays as it is. Options that nobody set follow the new ruleset and number of seats. A change that
    changes nothing makes no event.

    Raises NotFound, Forbidden (not_a_player, not_the_opener, tournament_game), Conflict (already_started,
    game_cancelled, game_over; seats_taken, seats_kept: too few seats), Invalid (naming every field at fault).
    """
    at = now or service_clock.now()

    def decide(room: Snapshot) -> Sequence[log.NewEvent]:
        seat = member(room, player)
        check_open(room, "The game has already started; its rules cannot be changed any more.")
        check_opener(room, player, "change it")
        if room.belongs_to is not None:
            raise Forbidden("tournament_game", "A tournament's room keeps its rules.")
        after = terms_after(room, changes)
        _check_seats(room, after["seats"], at)
        before = {name: getattr(room, name) for name in stored.CHANGEABLE}
        if differ := [name for name in CHANGEABLE if _part(after, name) != _part(before, name)]:
            changes_room = [log.NewEvent(stored.CHANGED, {**after, "changes": differ}, seat)]
            return [*changes_room, *without_blocked(evolved(game_id, room, changes_room, at))]
        return []

    return changed(game_id, decide, player=player, now=at)


def terms_after(room: Snapshot, changes: Mapping[str, Any]) -> dict[str, Any]:
    """The terms of a room after changes, complete, as the event has them. Raises Invalid."""
    terms = Terms(
        room.game,
        changes.get("seats", room.seats),
        changes.get("ruleset", room.ruleset),
        changes.get("options", room.asked_options),
        changes.get("visibility", room.visibility),
        clock=changes.get("clock"),
    )
    terms.check()
    ruleset, options = terms.complete_options()
    invitation = room.invitation or new_invitation() if terms.visibility == Game.Visibility.PRIVATE else None
    return {
        "ruleset": ruleset,
        "options": options,
        "asked_options": dict(terms.asked_options),
        "seats": terms.seats,
        "clock": terms.complete_clock() if "clock" in changes else dict(room.clock),
        "visibility": terms.visibility,
        "invitation": invitation,
    }


def _part(terms: Mapping[str, Any], name: str) -> Any:
    return (terms["options"], terms["asked_options"]) if name == "options" else terms[name]


def _check_seats(room: Snapshot, seats: int, now: datetime) -> None:
    sitting = len(room.players)
    if seats < sitting:
        raise Conflict("seats_taken", f"{sitting} sit in this room, so that it needs at least {sitting} seats.")
    if seats < room.seats and seats < sitting + len(kept_for(room, now)):
        raise Conflict("seats_kept", "Seats are kept for those who played the game before: the room cannot be smaller.")
