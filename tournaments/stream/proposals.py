"""Deciding proposals: proposed, voted on, withdrawn, and ended by the clock or an organiser (RT1 to RT4)."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Annotated, Any
from uuid import UUID

from core.refusals import Conflict, Forbidden, Invalid, errors_in
from core.text import MAX_REASON, line
from core.values import read, values_of
from games.rules import GAMES, PLAYED, SetupError, game_of
from tournaments.stream.ballot import Ending, Proposal, Rules, carried, due_at
from tournaments.stream.events import (
    Fact,
    Overtaken,
    ProposalClosed,
    ProposalWithdrawn,
    Proposed,
    Ratified,
    Rejected,
    Voted,
)
from tournaments.stream.facts import By, check_organiser, check_running, named
from tournaments.stream.plan import MAX_TITLE, Plan
from tournaments.stream.reading import setting
from tournaments.stream.state import Entrant, Tournament

DAY = timedelta(days=1)
SHORTEST, USUAL, LONGEST = 2, 7, 60
"""Days from the opening of a proposal to its close."""
LONG_ENOUGH = 7
"""Days after which an entrant is an elector without a counted game."""
REST = 7
"""Days for which a proposer must wait after a proposal was rejected or closed."""
MOST_OF_ENTRANTS = 5


@dataclass(frozen=True, slots=True)
class ProposalRequest:
    """A proposal as it was sent. Fields that were left out are None."""

    title: Annotated[str, line(MAX_TITLE)]
    reason: Annotated[str, line(MAX_REASON)]
    ruleset: str | None = setting(most=32)
    options: Mapping[str, Any] | None = setting()
    confirm: bool = setting(default=False, help="Accept the proposal even if it changes nothing.")
    closes_at: datetime | None = setting(help="When the vote ends, 2 to 60 days from now. Default: 7 days.")
    dry_run: bool = setting(default=False)


ASKED = values_of(ProposalRequest)


def read_proposal(raw: Mapping[str, Any]) -> ProposalRequest:
    """The body of ``POST tournaments/{id}/proposals``. Raises Invalid, naming the fields at fault."""
    return ProposalRequest(**read(ProposalRequest, raw, null_is_nothing=True))


def propose(
    t: Tournament,
    by: By,
    request: ProposalRequest,
    *,
    now: datetime,
    day: timedelta = DAY,
    guests: Collection[UUID] = (),
    out: Collection[str] = (),
) -> list[Fact]:
    """`day` is how long a day lasts in which people may vote; `guests`, and who was knocked `out`, do not vote (RT2).

    Raises Forbidden (as `proposer_of`), Invalid (ruleset, options, closes_at), Conflict (as `check_running`;
    proposal_open, too_many_proposals, proposed_lately).
    """
    if by.player is None:
        raise ValueError("only a player proposes rules")
    check_running(t)
    electors = electors_of(t, now, day, guests, out)
    entrant = proposer_of(t, by, electors)
    _check_others(t, by, entrant, now, day)
    rules = _rules(t, request)
    closes_at = request.closes_at or now + USUAL * day
    # A minute of a real day: whoever asks for two days has read the clock a moment before.
    if not SHORTEST * day - day / 1440 <= closes_at - now <= LONGEST * day:
        detail = f"Must be {SHORTEST} to {LONGEST} days from now."
        raise Invalid("invalid", detail, field="closes_at")
    proposed = Proposed(
        proposal=t.proposed + 1,
        player=by.player,
        entrant=entrant,
        title=request.title,
        reason=request.reason,
        ruleset=rules.ruleset,
        options=dict(rules.options),
        first_day_ends=now + day,
        closes_at=closes_at,
        electors=tuple(one.key for one in electors),
    )
    return [proposed]


def electors_of(
    t: Tournament,
    now: datetime,
    day: timedelta = DAY,
    guests: Collection[UUID] = (),
    out: Collection[str] = (),
) -> list[Entrant]:
    """Of a proposal that is opened now, in the order of entry (RT2). A guest counts as a bot."""
    played = {key for game in t.games.values() if game.counts for key in game.entrants}
    return [
        one
        for one in t.playing()
        if one.player is not None
        and one.player not in guests
        and one.key not in out
        and (one.key in played or (one.entered_at is not None and now - one.entered_at >= LONG_ENOUGH * day))
    ]


def vote(t: Tournament, by: By, n: int, choice: str, *, now: datetime) -> list[Fact]:
    """Vote, or change it. Raises NotFound (no_such_proposal), Forbidden (not_an_elector), Conflict (proposal_ended)."""
    proposal = proposal_of(t, n)
    own = t.entrant_of(by.player)
    elector = t.electors.get((n, own.key)) if own is not None else None
    if elector is None or elector.lost:
        raise Forbidden("not_an_elector", "You are not entitled to vote on this proposal.")
    _check_undecided(t, proposal, now)
    if elector.vote == choice:
        return []
    return [Voted(n, elector.entrant, choice)]


def withdraw(t: Tournament, by: By, n: int, *, now: datetime) -> list[Fact]:
    """One's own. Raises NotFound (no_such_proposal), Forbidden (not_the_proposer), Conflict (proposal_ended)."""
    proposal = proposal_of(t, n)
    if by.player is None or proposal.by != by.player:
        raise Forbidden("not_the_proposer", "Only the proposer can withdraw the proposal; an organiser can close it.")
    _check_undecided(t, proposal, now)
    return [ProposalWithdrawn(n, proposal.counts)]


def decide(t: Tournament, by: By, n: int, reason: str, *, ratified: bool, now: datetime) -> list[Fact]:
    """Decide under `ratify: "organiser"`; else only close.

    Raises NotFound (no_such_proposal), Forbidden (not_an_organiser), Conflict (proposal_ended, decided_by_vote).
    """
    check_organiser(t, by)
    proposal = proposal_of(t, n)
    _check_undecided(t, proposal, now)
    if t.plan.ratify == "organiser":
        return _ratified(t, proposal, reason) if ratified else [Rejected(n, proposal.counts, reason)]
    if ratified:
        raise Conflict("decided_by_vote", "The electors decide on this proposal. Organisers can only close it.")
    return [ProposalClosed(n, proposal.counts, reason)]


def decided(t: Tournament, now: datetime) -> list[Fact]:
    """RT3: what the clock has decided by now; of several at the same moment, the lowest number comes first (RT4)."""
    facts: list[Fact] = []
    ended: set[int] = set()
    for proposal in sorted(open_proposals(t), key=lambda one: (due_at(t.plan.ratify, one), one.n)):
        if due_at(t.plan.ratify, proposal) > now:
            break
        if carried(t.plan.ratify, proposal.counts):
            return [*facts, *_ratified(t, proposal, None, but=ended)]
        facts.append(Rejected(proposal.n, proposal.counts, None))
        ended.add(proposal.n)
    return facts


def next_decision(t: Tournament) -> datetime | None:
    return min((due_at(t.plan.ratify, one) for one in open_proposals(t)), default=None)


def ended_with(t: Tournament) -> list[Fact]:
    """RT4: the tournament ends, and all open proposals end with it."""
    return [Overtaken(one.n, one.counts, None) for one in open_proposals(t)]


def open_proposals(t: Tournament) -> list[Proposal]:
    return list(t.proposals.several(t.open_proposals))


def proposal_of(t: Tournament, n: int) -> Proposal:
    """Raises NotFound (no_such_proposal)."""
    return named(t.proposals, n, "no_such_proposal", "The tournament has no such proposal.")


def table_sizes(plan: Plan) -> range:
    least = plan.settings["tables"]["min"] if plan.kind == "rounds" else game_of(plan.game, plan.options).min_seats
    most = plan.settings["tables"]["size" if plan.kind == "knockout" else "max"]
    return range(least, most + 1)


def complete(plan: Plan, rules: Rules, seats: int) -> Mapping[str, Any]:
    """All options at a table of `seats`, defaults included. Raises SetupError."""
    game = game_of(plan.game, rules.options)
    return game.complete_options(seats, rules.ruleset, dict(rules.options))[1]


def proposer_of(t: Tournament, by: By, electors: Iterable[Entrant]) -> str | None:
    """None: an organiser. Raises Forbidden (no_proposals, not_an_organiser, not_an_elector)."""
    if t.plan.proposals == "none":
        raise Forbidden("no_proposals", "Nobody can propose rules in this tournament.")
    if by.organises(t):
        return None
    if t.plan.proposals != "entrants":
        raise Forbidden("not_an_organiser", "Only organisers can propose rules in this tournament.")
    own = t.entrant_of(by.player)
    if own is None or own not in electors:
        some = f"who are not guests, and entered at least {LONG_ENOUGH} days ago or have played"
        raise Forbidden("not_an_elector", f"Only entrants who are still in, {some}, can propose rules.")
    return own.key


def _check_others(t: Tournament, by: By, entrant: str | None, now: datetime, day: timedelta) -> None:
    """RT1: earlier proposals may rule out a new one. Raises Conflict."""
    still_open = open_proposals(t)
    if any(one.by == by.player for one in still_open):
        raise Conflict("proposal_open", "You already have an open proposal. Withdraw it first.")
    if entrant is not None and sum(one.entrant is not None for one in still_open) >= MOST_OF_ENTRANTS:
        raise Conflict("too_many_proposals", f"Entrants can have at most {MOST_OF_ENTRANTS} open proposals at once.")
    for one in t.proposals.values():
        lost = one.status in (Ending.REJECTED, Ending.CLOSED) and one.ended_at is not None
        if lost and one.by == by.player and one.ended_at is not None and now - one.ended_at < REST * day:
            detail = f"One of your proposals was rejected or closed less than {REST} days ago. Please wait."
            raise Conflict("proposed_lately", detail)


def _rules(t: Tournament, request: ProposalRequest) -> Rules:
    """The proposed rules. What was left out stays as it is; given options replace all options. Raises Invalid."""
    holding = t.rules
    rules = Rules(
        request.ruleset or holding.ruleset, holding.options if request.options is None else request.options, None, None
    )
    for seats in table_sizes(t.plan):

        def check(options: Any, seats: int = seats) -> None:
            PLAYED[t.plan.game].complete_options(seats, rules.ruleset, options)

        errors = errors_in(dict(rules.options), check, SetupError)
        if errors:
            listed = [(field, f"{detail} (At a table of {seats}.)") for field, detail in errors]
            raise Invalid("invalid", " ".join(detail for _, detail in listed), errors=listed)
    if t.plan.game not in GAMES:  # those of a house game are kept complete
        given = PLAYED[t.plan.game].complete_options(t.plan.size, rules.ruleset, rules.options)[1]
        rules = Rules(rules.ruleset, given, None, None)
    # A ruleset is only a name for options.
    same = all(complete(t.plan, rules, seats) == complete(t.plan, holding, seats) for seats in table_sizes(t.plan))
    if same and not request.confirm:
        detail = 'These rules hold already. Send "confirm": true to have them ratified as they are.'
        raise Invalid("invalid", detail, field="options")
    return rules


def _check_undecided(t: Tournament, proposal: Proposal, now: datetime) -> None:
    """Raises Conflict (proposal_ended), even if the runner has yet to record the end."""
    if not proposal.is_open or due_at(t.plan.ratify, proposal) <= now:
        raise Conflict("proposal_ended", f"Proposal {proposal.n} has ended.")


def _ratified(t: Tournament, proposal: Proposal, reason: str | None, but: Iterable[int] = ()) -> list[Fact]:
    """The proposal's rules hold from now on, and the other open ones end (RT4)."""
    others = [one for one in open_proposals(t) if one.n != proposal.n and one.n not in but]
    ratified = Ratified(proposal.n, proposal.counts, reason, proposal.ruleset, dict(proposal.options))
    return [ratified, *(Overtaken(one.n, one.counts, proposal.n) for one in others)]
