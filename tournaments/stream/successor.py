"""A tournament that follows another one: what it takes over, and whom it invites (RT7)."""

from collections.abc import Callable, Collection, Mapping
from typing import Any
from uuid import UUID

from core.refusals import Conflict
from tournaments.stream.facts import By, Fact, check_organiser
from tournaments.stream.plan import merged
from tournaments.stream.state import Tournament

OF_ITS_TIME = ("starts_at", "opens_at", "closes_at")


def taken_over(before: Tournament, by: By, asked: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """Return the plan of a tournament after `before`: its settings and the rules that held last, with `changes`.

    `asked` is what was asked for in `before`. Moments are not taken over, nor are seeds that name entrants.

    Raises Forbidden, Conflict (not_finished).
    """
    check_organiser(before, by)
    if not before.is_over:
        raise Conflict("not_finished", "Only a tournament that is over has a successor.")
    taken = {key: value for key, value in asked.items() if key not in OF_ITS_TIME}
    if not isinstance(taken.get("seeds"), str):
        taken.pop("seeds", None)
    if changes.get("game", before.plan.game) == before.plan.game:
        taken |= {"ruleset": before.rules.ruleset, "options": dict(before.rules.options)}
    else:
        # The rules of one game mean nothing in another.
        taken = {key: value for key, value in taken.items() if key not in ("ruleset", "options")}
    return merged(taken, changes)


def succeed(before: Tournament, by: By, new_salt: Callable[[], str], *, refusing: Collection[UUID] = ()) -> list[Fact]:
    """Follow `set_up`: ask the other organisers, and invite the people who were in at the end.

    Those who are `refusing` take no invitations from the organiser who sets it up (AC5).
    """
    asked = [player for player in before.organisers if player != by.player and player not in refusing]
    invited = [
        entrant for entrant in before.those_in() if entrant.player is not None and entrant.player not in refusing
    ]
    return [
        Fact("follows", {"tournament": str(before.id)}),
        *(Fact("organiser_asked", {"player": str(player)}) for player in asked),
        *(
            Fact("invited", {"entrant": f"e{n}", "player": str(entrant.player), "bot": None, "salt": new_salt()})
            for n, entrant in enumerate(invited, 1)
        ),
    ]
