"""Proposals to ratify rules, and the votes on them (RT6)."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import structs
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, doc, made_from, one_of, page_of
from core.http.idempotency import once
from core.http.openapi import body_examples
from core.http.views import checked, object_of
from games.api.bodies import PlayerRefBody
from tournaments import access, selectors, services
from tournaments.api.base import (
    CURSOR,
    INVITATION,
    LIMIT,
    PagesByOffset,
    TournamentApi,
    caller,
    for_change,
    tournament_of,
)
from tournaments.api.bodies import rules_body
from tournaments.api.requests import DecisionRequest, ProposalAskedBody, VoteRequest
from tournaments.hooks import simulated
from tournaments.models import Tournament
from tournaments.projections import state_of
from tournaments.stream import Elector, Ending, Proposal
from tournaments.stream import Tournament as State
from tournaments.stream.ballot import VOTES
from tournaments.stream.plan import OWN
from tournaments.stream.proposals import proposal_of

PROPOSAL_STATUSES = [ending.value for ending in Ending]
Vote = Annotated[str, one_of(VOTES)]


class OptionChangeBody(Body):
    """An option that a proposal changes, with a description."""

    option: str
    before: Any
    after: Any
    description: str
    seats: Annotated[Sequence[int] | None, doc("The table sizes that it applies to; null for all.")]


class CountsBody(Body):
    """The votes so far, and the number of electors."""

    yes: int
    no: int
    abstain: int
    electors: int


class OwnVoteBody(Body):
    """The caller's vote."""

    elector: bool
    vote: Vote | None


class ProposalBody(Body):
    """A proposal of new rules for a tournament."""

    n: Annotated[int, doc("The number of the proposal in the tournament.")]
    title: str
    reason: str
    by: PlayerRefBody
    entrant: Annotated[str | None, doc("The entrant of the proposer; null for an organiser.")]
    ruleset: str
    options: Annotated[AnyObject, doc("All options, for a table of the preferred size.")]
    changes: Sequence[OptionChangeBody]
    status: Annotated[str, one_of(PROPOSAL_STATUSES)]
    ratify: Annotated[str, one_of(OWN["ratify"].words or ())]
    opened_at: Moment
    closes_at: Moment
    electors: int
    voted: Annotated[int, doc("The number of electors who have voted.")]
    counts: Annotated[CountsBody | None, doc("null while it is open, except for organisers who decide it.")]
    ended_at: Moment | None
    ended_why: Annotated[str | None, doc("The reason that the organiser gave for the decision.")]
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
    figures: Annotated[
        AnyObject | None,
        doc("The effect in simulated games (docs/organise/lab.md); null until they have been played."),
    ]


def proposal_body(
    t: State, proposal: Proposal, names: Mapping[Any, str], player: Player | None, *, organiser: bool
) -> ProposalBody:
    """A proposal as somebody may see it; `options` are for a table of the preferred size."""
    counts, own = selectors.counts_shown(t, proposal, organiser=organiser), selectors.own_vote(t, proposal, player)
    return made_from(
        ProposalBody,
        proposal,
        by=PlayerRefBody(proposal.by, names.get(proposal.by)),
        options=rules_body(t.plan, proposal.rules).options,
        changes=[made_from(OptionChangeBody, one) for one in selectors.changes_of(t, proposal)],
        status=proposal.status.value,
        ratify=t.plan.ratify,
        electors=proposal.counts.electors,
        voted=proposal.counts.electors - proposal.counts.missing,
        counts=CountsBody(**counts.as_json()) if counts is not None else None,
        you=OwnVoteBody(own is not None, own.vote if own is not None else None),
    )


def proposal_with_votes(
    row: Tournament, t: State, n: int, electors: Sequence[Elector], player: Player | None
) -> ProposalWithVotesBody:
    """A proposal with its electors: which of them have voted, and how once it has ended."""
    proposal = t.proposals[n]
    names = selectors.names_of(row)
    proposer = selectors.usernames([proposal.by])
    body = proposal_body(t, proposal, proposer, player, organiser=access.organises(row, player))
    votes = [
        ElectorBody(one.entrant, names.get(one.entrant), one.vote is not None, None if proposal.is_open else one.vote)
        for one in electors
    ]
    found = simulated(row, n).get(n)
    figures = None if found is None else found.report
    return ProposalWithVotesBody(**structs.asdict(body), votes=votes, figures=figures)


_CHANGED = {200: ProposalWithVotesBody}


class ProposalsView(TournamentApi):
    query = (INVITATION, CURSOR, LIMIT)

    @extend_schema(operation_id="list_proposals", responses={200: page_of(ProposalBody)})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the proposals to ratify rules, newest first."""
        row, player = tournament_of(request, tournament_id), caller(request)
        t, organiser = state_of(row), access.organises(row, player)
        page = PagesByOffset(request).of(sorted(t.proposals, reverse=True))
        shown = [t.proposals[n] for n in page["results"]]
        names = selectors.usernames({one.by for one in shown})
        page["results"] = [proposal_body(t, one, names, player, organiser=organiser) for one in shown]
        return Response(page)

    @extend_schema(
        operation_id="propose",
        request=ProposalAskedBody,
        examples=body_examples(
            {
                "title": "Shorter games",
                "reason": "They last for weeks.",
                "options": {"stalemate_after": 10},
                "dry_run": True,
            },
            ("Confirm the current rules", {"title": "Our rules", "reason": "Let us vote on them.", "confirm": True}),
        ),
        responses={201: ProposalWithVotesBody, 200: ProposalWithVotesBody},
    )
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Propose rules for a running tournament.

        With `confirm`, you propose the current rules. With `dry_run`, nothing happens, and the response (200) is the
        proposal as it would be.
        """
        player, row = player_of(request), for_change(request, tournament_id)
        made = services.propose(tournament_id, player, object_of(request))
        return Response(_proposed(row, made.tournament, made.n, player), status=200 if made.dry_run else 201)


class ProposalView(TournamentApi):
    @extend_schema(operation_id="get_proposal", responses={200: ProposalWithVotesBody})
    def get(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Get a proposal. It says who has voted, and after the end also how."""
        return _answer(request, tournament_of(request, tournament_id), n)

    @extend_schema(operation_id="withdraw_proposal", request=None, responses=_CHANGED)
    def delete(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Withdraw your own proposal, as long as it is open."""
        row = for_change(request, tournament_id)
        services.withdraw_proposal(tournament_id, player_of(request), n)
        return _answer(request, row, n)


class VoteView(TournamentApi):
    @extend_schema(operation_id="vote", request=VoteRequest, responses=_CHANGED)
    def put(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Vote on a proposal. You can change your vote as long as the proposal is open."""
        row = for_change(request, tournament_id)
        services.vote(tournament_id, player_of(request), n, checked(VoteRequest, request)["vote"])
        return _answer(request, row, n)


class DecideView(TournamentApi):
    @extend_schema(operation_id="decide_proposal", request=DecisionRequest, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Decide a proposal as an organiser.

        You decide only if `ratify` is `organiser`; otherwise `false` closes the proposal.
        """
        row = for_change(request, tournament_id)
        body = checked(DecisionRequest, request)
        services.decide_proposal(tournament_id, player_of(request), n, body["reason"], ratified=body["ratified"])
        return _answer(request, row, n)


def _answer(request: Request, row: Tournament, n: int) -> Response:
    row.refresh_from_db()
    player, t = caller(request), state_of(row)
    votes = selectors.electors_on(row, proposal_of(t, n).n)[n]
    return Response(proposal_with_votes(row, t, n, votes, player))


def _proposed(row: Tournament, t: Any, n: int, player: Any) -> ProposalWithVotesBody:
    """A proposal that was made, or would be: nobody has voted yet."""
    votes = [one for (number, _), one in t.electors.changed.items() if number == n]
    return proposal_with_votes(row, t, n, votes, player)
