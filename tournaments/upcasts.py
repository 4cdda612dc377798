"""Old shapes of tournaments' events, converted to the newest when they are read (docs/log.md)."""

from typing import Any

from core import log

Data = dict[str, Any]


@log.upcast("tournament.set_up", 1)
@log.upcast("tournament.changed", 1)
def _plan_that_knows_no_proposals(data: Data) -> Data:
    plan = data["plan"]
    return {
        **data,
        "plan": {"proposals": "entrants" if plan["kind"] == "season" else "organisers", "ratify": "majority", **plan},
    }


@log.upcast("tournament.seated", 1)
@log.upcast("tournament.room_opened", 1)
@log.upcast("tournament.result", 1)
def _by_the_first_rules(data: Data) -> Data:
    return {**data, "proposal": None}


@log.upcast("tournament.set_up", 2)
@log.upcast("tournament.reopened", 1)
def _without_deals(data: Data) -> Data:
    """Each game drew a secret of its own (LI9)."""
    return {**data, "deals_secret": None, "deals_commitment": None}


@log.upcast("tournament.set_up", 3)
@log.upcast("tournament.changed", 2)
def _with_plans(data: Data) -> Data:
    """Plans (PL10) came later; older tournaments allow them."""
    return {**data, "plan": {"plans": True, **data["plan"]}}


@log.upcast("tournament.set_up", 4)
@log.upcast("tournament.changed", 3)
def _without_guests(data: Data) -> Data:
    """Guests came later; older tournaments do not admit them."""
    return {**data, "plan": {"guests": False, **data["plan"]}}


@log.upcast("tournament.replaced", 1)
def _by_no_guest(data: Data) -> Data:
    return {**data, "guest": False}


@log.upcast("tournament.room_opened", 2)
def _without_a_number(data: Data) -> Data:
    return {**data, "number": None}


@log.upcast("tournament.cancelled", 1)
def _with_its_seed_kept(data: Data) -> Data:
    return {**data, "seed": None}
