"""Proposals to ratify rules, and the votes on them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any

from msgspec import structs

from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, doc, one_of
from games.api.bodies import PlayerRefBody
from tournaments import access, selectors
from tournaments.api.bodies.parts import names_of, rules_body
from tournaments.models import Tournament
from tournaments.stream import Elector, Ending, Proposal, Rules
from tournaments.stream import Tournament as State
from tournaments.stream.ballot import VOTES
from tournaments.stream.plan import OWN

PROPOSAL_STATUSES = [ending.value for ending in Ending]
Vote = Annotated[str, one_of(VOTES)]


class OptionChangeBody(Body):
    """An option that a proposal changes, and what it is about."""

    option: str
    before: Any
    after: Any
    description: str


class CountsBody(Body):
    """The votes that were cast, and how many there can be."""

    yes: int
    no: int
    abstain: int
    electors: int


class OwnVoteBody(Body):
    """The caller's part in a vote."""

    elector: bool
    vote: Vote | None


class ProposalBody(Body):
    """Rules that somebody proposes to put in place of a tournament's."""

    n: Annotated[int, doc("Its number in the tournament.")]
    title: str
    reason: str
    by: PlayerRefBody
    entrant: Annotated[str | None, doc("The entrant that the proposer played for; null: an organiser.")]
    ruleset: str
    options: Annotated[AnyObject, doc("Complete, for a table of the wished size.")]
    changes: Sequence[OptionChangeBody]
    status: Annotated[str, one_of(PROPOSAL_STATUSES)]
    ratify: Annotated[str, one_of(OWN["ratify"].words or ())]
    opened_at: Moment
    closes_at: Moment
    electors: int
    voted: Annotated[int, doc("The number of them who have voted.")]
    counts: Annotated[CountsBody | None, doc("null while it is open, but for organisers who decide it.")]
    ended_at: Moment | None
    ended_why: Annotated[str | None, doc("The reason of an organiser who decided it.")]
    you: OwnVoteBody


class ElectorBody(Body):
    """An elector and its vote."""

    entrant: str
    name: str | None
    voted: bool
    vote: Annotated[Vote | None, doc("null while the proposal is open.")]


class ProposalWithVotesBody(ProposalBody):
    """A proposal with its electors."""

    votes: Sequence[ElectorBody]


def proposal_body(
    t: State, proposal: Proposal, names: Mapping[Any, str], player: Player | None, *, organiser: bool
) -> ProposalBody:
    """A proposal as somebody may see it; `options` are for a table of the wished size."""
    counts, own = selectors.counts_shown(t, proposal, organiser=organiser), selectors.own_vote(t, proposal, player)
    rules = rules_body(t.plan, Rules(proposal.ruleset, proposal.options, None, proposal.n))
    return ProposalBody(
        n=proposal.n,
        title=proposal.title,
        reason=proposal.reason,
        by=PlayerRefBody(proposal.by, names.get(proposal.by)),
        entrant=proposal.entrant,
        ruleset=rules.ruleset,
        options=rules.options,
        changes=[
            OptionChangeBody(one.option, one.before, one.after, one.description)
            for one in selectors.changes_of(t, proposal)
        ],
        status=proposal.status.value,
        ratify=t.plan.ratify,
        opened_at=proposal.opened_at,
        closes_at=proposal.closes_at,
        electors=proposal.counts.electors,
        voted=proposal.counts.electors - proposal.counts.missing,
        counts=CountsBody(**counts.as_json()) if counts is not None else None,
        ended_at=proposal.ended_at,
        ended_why=proposal.ended_why,
        you=OwnVoteBody(own is not None, own.vote if own is not None else None),
    )


def proposal_with_votes(
    row: Tournament, t: State, n: int, electors: Sequence[Elector], player: Player | None
) -> ProposalWithVotesBody:
    """A proposal with its electors: which of them have voted, and how once it has ended."""
    proposal = t.proposals[n]
    names = names_of(row, {one.entrant for one in electors})
    proposer = selectors.usernames([proposal.by])
    body = proposal_body(t, proposal, proposer, player, organiser=access.organises(row, player))
    votes = [
        ElectorBody(one.entrant, names.get(one.entrant), one.vote is not None, None if proposal.is_open else one.vote)
        for one in electors
    ]
    return ProposalWithVotesBody(**structs.asdict(body), votes=votes)
