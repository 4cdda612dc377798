"""Bodies of responses that several others have parts of: rules, entrants, entries. Only what is named here is sent."""

from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

import msgspec

from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, doc, made_from, one_of, schema
from core.http.openapi import ref
from games.api.bodies import PlayerRefBody
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.stream import Plan, Rules, Standing
from tournaments.stream.proposals import complete

Bot = Annotated[dict[str, Any], schema(ref("Bot"))]
BY_RULES = "The proposal by whose rules it is played; null: the first rules of the tournament."


class NamedEntrantBody(Body):
    """An entrant and who plays for it."""

    entrant: str
    name: str | None


class RulesBody(Body):
    """Rules of a tournament, and since when they hold."""

    proposal: Annotated[int | None, doc("The proposal that put them in place; null: the first rules.")]
    ruleset: str
    options: Annotated[AnyObject, doc("Complete, for a table of the wished size.")]
    since: Annotated[Moment | None, doc("For the first rules the start; null before it.")]


def rules_body(plan: Plan, rules: Rules) -> RulesBody:
    options = dict(sorted(complete(plan, rules, plan.size).items()))
    return RulesBody(rules.proposal, rules.ruleset, options, rules.since)


ENTRY_STATUSES = ("in", "waiting", "invited", "withdrawn", "removed")
# The status that an entry is shown with: an entrant with a place is in, checked in or not.
SHOWN_STANDING: Mapping[str, str] = {Standing.REGISTERED: "in", Standing.GONE: "withdrawn"}
assert Standing.GONE not in ENTRY_STATUSES  # noqa: S101  an entrant that left before coming in no longer has an entry


class AskedBody(Body):
    """The entrant for whom somebody is asked to play on."""

    entrant: Annotated[str, doc("The entrant.")] = msgspec.field(name="for")
    game: Annotated[
        UUID | None, doc("Of a no-show: the game to which the entrant has not come; null: an organiser asks.")
    ]
    until: Annotated[Moment, doc("The time until which one can accept.")]


class EntryBody(Body):
    """An entry, and who plays for it."""

    entrant: Annotated[str, doc("e and its number, in the order of entry.")]
    name: str
    player: PlayerRefBody | None
    bot: Bot | None
    status: Annotated[str, one_of(ENTRY_STATUSES)]
    since: Moment
    entered_at: Moment | None
    checked_in: bool
    waiting: Annotated[int | None, doc("The place on the waiting list.")]
    absences: int
    asked: Annotated[AskedBody | None, doc("On the waiting list: to stand in for a no-show; accept it.")]
    salt: Annotated[str | None, doc("For its player: the salt from which those of its games are derived.")]


class GuestLinkBody(Body):
    """The link by which a guest goes on in another browser."""

    url: Annotated[str, doc("Send it to the guest: whoever opens it first is the guest from then on.")]
    expires_at: Moment


def entry_body(row: Tournament, entrant: Entrant, player: Player | None) -> EntryBody:
    """An entry; its salt is shown to its player only."""
    own = player is not None and entrant.player_id == player.pk
    plays = entrant.player
    return made_from(
        EntryBody,
        entrant,
        entrant=entrant.key,
        name=selectors.name_of(entrant),
        player=PlayerRefBody(entrant.player_id, plays.username if plays else None) if entrant.player_id else None,
        status=shown_standing(entrant),
        waiting=row.queue.index(entrant.key) + 1 if entrant.key in row.queue else None,
        asked=asked_body(row, entrant),
        salt=entrant.salt if own else None,
    )


def shown_standing(entrant: Entrant) -> str:
    return SHOWN_STANDING.get(entrant.standing, entrant.standing)


def asked_body(row: Tournament, entrant: Entrant) -> AskedBody | None:
    """The request to stand in for a no-show (LI4); None once all is over."""
    if (
        row.ended_at is not None
        or entrant.asked_for is None
        or entrant.asked_game is None
        or entrant.asked_until is None
    ):
        return None
    return AskedBody(entrant.asked_for, entrant.asked_game, entrant.asked_until)


def asked_of(row: Tournament, entrant: Entrant | None, player: Player | None) -> AskedBody | None:
    """For whom a player is asked to play on, by an organiser or from the waiting list; None once all is over."""
    offer = next((one for one in row.offers if player is not None and one["player"] == str(player.pk)), None)
    if offer is not None and row.ended_at is None:
        return AskedBody(offer["entrant"], None, datetime.fromisoformat(offer["until"]))
    return asked_body(row, entrant) if entrant is not None else None
