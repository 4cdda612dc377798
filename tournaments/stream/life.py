"""Deciding a tournament's life cycle, from set-up to finish and reopening, and its organisers."""

import hashlib
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from math import ceil
from typing import Any
from uuid import UUID

from core.refusals import Conflict, Forbidden, Invalid, NotFound, TooMany
from games.rules import fairness
from tournaments.stream.entries import coming_in, move_up
from tournaments.stream.events import (
    MOST_MESSAGES,
    Cancelled,
    Changed,
    ChannelsChanged,
    CheckInMissed,
    DealsOpened,
    Entered,
    Fact,
    Finished,
    Follows,
    InvitationRenewed,
    Invited,
    MessageSent,
    Opened,
    OrganiserAdded,
    OrganiserAsked,
    OrganiserRemoved,
    PutOff,
    Reopened,
    Seeded,
    SetUp,
    Started,
)
from tournaments.stream.facts import (
    ANSWER_WITHIN,
    By,
    check_before_start,
    check_not_over,
    check_organiser,
    check_running,
)
from tournaments.stream.plan import Plan, merged
from tournaments.stream.proposals import ended_with
from tournaments.stream.state import HOLDS_A_PLACE, Playing, Standing, Status, Tournament

MAX_ORGANISERS = 20
NEWCOMER = 1500
"""The rating of a player without a rated game, and of a bot (RA2)."""

Ratings = Callable[[Sequence[UUID]], Mapping[UUID | None, float]]
"""A newcomer may be missing."""


def set_up(
    plan: Plan, asked: Mapping[str, Any], *, organiser: UUID, seed: str, deals: str, slug: str, invitation: str
) -> list[Fact]:
    """As a draft. Of `seed` and `deals`, 32 random bytes each in hex, commitments are published (SE5, LI9)."""
    known = {"slug": slug, "seed": seed, "commitment": commitment(seed), "invitation": invitation, **_deals(deals)}
    return [SetUp(plan=plan.as_json(), asked=dict(asked), organisers=(organiser,), **known)]


def commitment(seed: str) -> str:
    return hashlib.sha256(bytes.fromhex(seed)).hexdigest()


def _deals(secret: str | None) -> dict[str, Any]:
    """A new secret of the deals with its commitment, as an event has them; None: the present one stays in force."""
    published = None if secret is None else fairness.commitment(bytes.fromhex(secret))
    return {"deals_secret": secret, "deals_commitment": published}


def change(t: Tournament, by: By, plan: Plan, asked: Mapping[str, Any], *, now: datetime) -> list[Fact]:
    """Before the start, or only each `pace` until the end.

    Raises Forbidden, Conflict (already_started, tournament_over), Invalid (check_in, seeds).
    """
    check_organiser(t, by)
    if t.begun and len(plan.stages) >= t.stage:
        plan = plan.at_stage(t.stage, t.begun[-1].since)
    changed = Changed(plan.as_json(), dict(asked))
    # If the number of rounds is not set, rounds go on until an organiser slows them down and finishes.
    if t.status is Status.RUNNING and _without_pace(plan) == _without_pace(t.plan):
        return [changed] if plan != t.plan else []
    check_before_start(t)
    if plan == t.plan and asked == t.asked:
        return []
    if t.status is not Status.DRAFT and (plan.check_in is None) != (t.plan.check_in is None):
        raise Invalid(
            "invalid",
            "You can no longer add or remove the check-in, because the tournament is open for entries.",
            field="check_in",
        )
    if isinstance(plan.seeds, tuple):
        for key in plan.seeds:
            if key not in t.entrants:
                raise Invalid("invalid", f"There is no entrant {key}.", field="seeds")
    return [changed, *move_up(t, now, plan=plan)]


def _without_pace(plan: Plan) -> Plan:
    return replace(plan, pace="", stages=tuple({**stage, "pace": ""} for stage in plan.stages))


def add_organiser(t: Tournament, by: By, player: UUID) -> list[Fact]:
    """Ask somebody to organise it, too (LI7). Raises Forbidden, Conflict (already_organiser, too_many_organisers)."""
    check_organiser(t, by)
    named = (*t.organisers, *t.asked_organisers)
    if player in named:
        raise Conflict("already_organiser", "This player is already an organiser, or has been invited to be one.")
    if len(named) >= MAX_ORGANISERS:
        raise Conflict("too_many_organisers", f"A tournament has at most {MAX_ORGANISERS} organisers.")
    return [(OrganiserAdded if player == by.player else OrganiserAsked)(player)]


def accept_to_organise(t: Tournament, by: By, *, now: datetime) -> list[Fact]:
    """As asked, or where nobody is left (LI3). Raises Conflict (not_invited), Forbidden (not_an_organiser: not yet)."""
    assert by.player is not None  # noqa: S101  the service is asked nothing
    if by.player not in t.asked_organisers:
        begins = may_organise_from(t, by.player)
        if begins is None:
            raise Conflict("not_invited", "You have not been invited to organise this tournament.")
        if now < begins:
            detail = f"Entrants who entered earlier are asked first. You can take over at {begins:%Y-%m-%d %H:%M} UTC."
            raise Forbidden("not_an_organiser", detail)
    return [OrganiserAdded(by.player)]


def lose_organiser(t: Tournament, player: UUID) -> list[Fact]:
    """The account of somebody who is an organiser, or asked to be one, closes; there may be none left (LI3)."""
    named = player in t.organisers or player in t.asked_organisers
    return [OrganiserRemoved(player)] if named else []


def may_organise_from(t: Tournament, player: UUID | None) -> datetime | None:
    """When a player may take over where no organiser is left (LI3): 12 hours after each who came in earlier."""
    if t.organisers or t.unorganised_at is None:
        return None
    people = [one for one in t.entrants.values() if one.standing in HOLDS_A_PLACE and one.player is not None]
    people.sort(key=lambda entrant: (entrant.entered_at or entrant.since, entrant.number))
    place = next((at for at, entrant in enumerate(people) if entrant.player == player), None)
    return None if place is None else t.unorganised_at + place * ANSWER_WITHIN


def remove_organiser(t: Tournament, by: By, player: UUID) -> list[Fact]:
    """Or somebody who is asked (LI7). Raises Forbidden, NotFound (no_such_organiser), Conflict (last_organiser)."""
    if player != by.player:
        check_organiser(t, by)
    if player not in (*t.organisers, *t.asked_organisers):
        raise NotFound("no_such_organiser", "This player is not an organiser of the tournament.")
    if t.organisers == (player,):
        raise Conflict("last_organiser", "A tournament needs at least one organiser.")
    return lose_organiser(t, player)


def renew_invitation(t: Tournament, by: By, invitation: str) -> list[Fact]:
    """Replace the invitation code, at any stage; the old one lets nobody in any more. Raises Forbidden."""
    check_organiser(t, by)
    return [InvitationRenewed(invitation)]


def open_registration(t: Tournament, by: By) -> list[Fact]:
    """Let people enter. Raises Forbidden, Conflict (already_open, already_started, tournament_over)."""
    check_organiser(t, by)
    check_before_start(t)
    if t.status is not Status.DRAFT:
        raise Conflict("already_open", "The tournament is already open for entries.")
    return [Opened()]


def start(t: Tournament, by: By, ratings: Ratings) -> list[Fact]:
    """Start it. Raises Forbidden, Conflict (not_open, already_started, tournament_over, too_few_entrants)."""
    check_organiser(t, by)
    check_before_start(t)
    if t.status is Status.DRAFT:
        raise Conflict("not_open", "The tournament is not open for entries yet.")
    facts, those_in = ready(t)
    needed = fewest_to_start(t.plan)
    if len(those_in) < needed:
        raise Conflict("too_few_entrants", f"You need at least {needed} entrants to start, and have {len(those_in)}.")
    facts = [*facts, Started()]
    if t.plan.kind == "knockout":
        facts.append(Seeded(tuple(seed_order(t, those_in, ratings)), t.seed))
    return facts


def seed_order(t: Tournament, those_in: Sequence[str], ratings: Ratings) -> list[str]:
    """KO2: the named entrants in that order, then the others by rating or lot, then those who left before."""

    def by_lot(key: str) -> str:
        return hashlib.sha256(f"{t.seed}/seed/{key}".encode()).hexdigest()

    named = [key for key in t.plan.seeds if key in those_in] if isinstance(t.plan.seeds, tuple) else []
    rest = sorted((key for key in those_in if key not in named), key=by_lot)
    if t.plan.seeds == "rating":
        players = {key: t.entrants[key].player for key in rest}
        rated = ratings([player for player in players.values() if player is not None])
        rest.sort(key=lambda key: -rated.get(players[key], NEWCOMER))
    left = [entrant.key for entrant in t.entrants.values() if entrant.entered and entrant.key not in those_in]
    return [*named, *rest, *sorted(left, key=by_lot)]


def start_by_itself(t: Tournament, by: By, ratings: Ratings) -> list[Fact]:
    _, those_in = ready(t)
    needed = fewest_to_start(t.plan)
    if len(those_in) < needed:
        return [PutOff(len(those_in), needed)]
    return start(t, by, ratings)


def ready(t: Tournament) -> tuple[list[Fact], list[str]]:
    if t.plan.check_in is None:
        return [], [entrant.key for entrant in t.those_in()]
    late = [entrant for entrant in t.entrants.values() if entrant.standing is Standing.REGISTERED]
    late.sort(key=lambda entrant: (entrant.since, entrant.number))
    missed = [entrant.key for entrant in late]
    facts = [CheckInMissed(tuple(missed))] if missed else []
    waiting = [entrant.key for entrant in t.entrants.several(t.queue) if entrant.checked_in]
    room = None if t.plan.limit is None else t.plan.limit - t.places + len(missed)
    up = waiting if room is None else waiting[: max(room, 0)]
    entered = [coming_in(entrant) for entrant in t.entrants.several(up)]
    return [*facts, *entered], [*(entrant.key for entrant in t.those_in()), *up]


def fewest_to_start(plan: Plan) -> int:
    """The fewest entrants to start with: a table (SE1), two in a knockout, none in a season."""
    if plan.kind == "season":
        return 0
    return 2 if plan.kind == "knockout" else int(plan.settings["tables"]["min"])


def finish(t: Tournament, by: By, why: str) -> list[Fact]:
    """Games are played on, but count no more (LI3). Raises Forbidden, Conflict (not_started, tournament_over)."""
    check_organiser(t, by)
    check_running(t)
    return [*ended_with(t), Finished(why, t.seed)]


def cancel(t: Tournament, by: By, reason: str) -> list[Fact]:
    """Raises Forbidden, Conflict (tournament_over)."""
    check_organiser(t, by)
    check_not_over(t)
    return [*ended_with(t), Cancelled(reason, t.seed)]


def open_deals(t: Tournament) -> list[Fact]:
    if not t.is_over or not t.deals_are_secret:
        return []
    return [DealsOpened(t.deals[-1].secret)]


def reopen(t: Tournament, by: By, reason: str, *, deals: str) -> list[Fact]:
    """`deals` is the new secret if that of its deals is open (LI5, LI9). Raises Forbidden, Conflict (not_finished)."""
    check_organiser(t, by)
    if t.status is not Status.FINISHED:
        raise Conflict("not_finished", "Only a finished tournament can be reopened.")
    new = None if t.deals_are_secret else deals
    return [Reopened(reason=reason, **_deals(new))]


def begin_with(plan: Plan, organiser: UUID, people: Sequence[UUID | None], new_salt: Callable[[], str]) -> list[Fact]:
    """Follow `set_up`: a season with its organiser in it, open to these people. Raises Invalid (kind)."""
    if plan.kind != "season":
        raise Invalid("invalid", "A game can only continue as a season.", field="kind")
    names = enumerate((organiser, *people), 1)
    organises, *others = [Playing(player, None, new_salt()).for_entrant(f"e{n}") for n, player in names]
    begins = [] if plan.starts_at is not None else [Started()]
    return [
        Opened(),
        Entered(**organises),
        *(Invited(**playing) for playing in others),
        *begins,
    ]


OF_ITS_TIME = ("starts_at", "opens_at", "closes_at")


def taken_over(before: Tournament, by: By, asked: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """What was asked for, without moments and named seeds, under the rules that held last, merged with `changes`.

    Raises Forbidden, Conflict (not_finished).
    """
    check_organiser(before, by)
    if not before.is_over:
        raise Conflict("not_finished", "A tournament can have a successor only after it is over.")
    taken = {key: value for key, value in asked.items() if key not in OF_ITS_TIME}
    if "stages" in taken:
        taken["stages"] = [
            {key: value for key, value in stage.items() if key not in OF_ITS_TIME} for stage in taken["stages"]
        ]
    if not isinstance(taken.get("seeds"), str):
        taken.pop("seeds", None)
    if changes.get("game", before.plan.game) == before.plan.game:
        taken |= {"ruleset": before.rules.ruleset, "options": dict(before.rules.options)}
    else:
        # The rules of one game mean nothing in another.
        taken = {key: value for key, value in taken.items() if key not in ("ruleset", "options")}
    return merged(taken, changes)


def succeed(before: Tournament, by: By, new_salt: Callable[[], str], *, refusing: Collection[UUID] = ()) -> list[Fact]:
    """Follow `set_up`: ask the organisers and invite those who were in at the end, but who is `refusing` it."""
    asked = [player for player in before.organisers if player != by.player and player not in refusing]
    invited = [
        entrant for entrant in before.those_in() if entrant.player is not None and entrant.player not in refusing
    ]
    return [
        Follows(before.id),
        *map(OrganiserAsked, asked),
        *(Invited(f"e{n}", one.player, None, new_salt()) for n, one in enumerate(invited, 1)),
    ]


MAX_MESSAGE = 1000
DAY = timedelta(days=1)


def send_message(t: Tournament, by: By, text: str, *, now: datetime) -> list[Fact]:
    """Write to all entrants. Raises Forbidden (not_an_organiser), Conflict (not_open), TooMany (message_limit)."""
    check_organiser(t, by)
    if t.status is Status.DRAFT:
        raise Conflict("not_open", "The tournament is not open for entries yet, so there is nobody to write to.")
    lately = [at for at in t.messages if at > now - DAY]
    if len(lately) >= MOST_MESSAGES:
        again = lately[-MOST_MESSAGES] + DAY
        raise TooMany(
            "message_limit",
            f"You have sent {MOST_MESSAGES} messages within a day, which is the limit. You can "
            f"send the next one at {again:%Y-%m-%d %H:%M} UTC.",
            headers={"Retry-After": str(ceil((again - now).total_seconds()))},
        )
    return [MessageSent(text)]


def message_text(title: str, text: str) -> str:
    return f"The organisers of {title} write: {text}"


def add_channel(t: Tournament, by: By, change: Mapping[str, Any]) -> list[Fact]:
    """Post to one more channel; `change` lists all from now on. Raises Forbidden, Conflict (tournament_over)."""
    check_organiser(t, by)
    check_not_over(t)
    return [ChannelsChanged(**change)]


def drop_channels(t: Tournament, changes: Sequence[Mapping[str, Any]]) -> list[Fact]:
    """Stop posting to some channels. A tournament that is over keeps its channels in the record, but posts nothing."""
    return [] if t.is_over else [ChannelsChanged(**one) for one in changes]
