"""Proposals to ratify rules, and the votes on them (RT6)."""

from typing import Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.bodies import page_of
from core.http.fields import invitation_of
from core.http.idempotency import once
from core.http.openapi import problems
from core.http.pagination import whole_number_of
from core.http.views import checked, object_of
from tournaments import access, selectors, services
from tournaments.api.bodies.proposals import (
    ProposalBody,
    ProposalWithVotesBody,
    proposal_body,
    proposal_with_votes,
)
from tournaments.api.requests import DecisionSerializer, ProposalAskedSerializer, VoteSerializer
from tournaments.api.views.base import (
    INVITATION,
    PAGES,
    PagesByOffset,
    TournamentApi,
    caller,
    for_change,
    tournament_of,
)
from tournaments.models import Tournament
from tournaments.projections import state_of
from tournaments.stream.proposals import proposal_of

_CHANGED = {200: ProposalWithVotesBody, **problems(400, 401, 403, 404, 409, 413, 415)}


class ProposalsView(TournamentApi):
    query_keys = ("invitation", "cursor", "limit")
    query_reads = (invitation_of, whole_number_of("limit", 1, 100, 50))

    @extend_schema(
        operation_id="list_proposals",
        tags=["proposals"],
        parameters=[INVITATION, *PAGES],
        responses={200: page_of(ProposalBody), **problems(400, 401, 404)},
    )
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
        tags=["proposals"],
        request=ProposalAskedSerializer,
        responses={
            201: ProposalWithVotesBody,
            200: ProposalWithVotesBody,
            **problems(400, 401, 403, 404, 409, 413, 415, 422),
        },
    )
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Propose other rules for a running tournament, or the same ones with `confirm`.

        With `dry_run` nothing happens, and the response (200) is the proposal as it would be.
        """
        player, row = player_of(request), for_change(request, tournament_id)
        made = services.propose(tournament_id, player, object_of(request))
        return Response(_proposed(row, made.tournament, made.n, player), status=200 if made.dry_run else 201)


class ProposalView(TournamentApi):
    @extend_schema(
        operation_id="get_proposal",
        tags=["proposals"],
        parameters=[INVITATION],
        responses={200: ProposalWithVotesBody, **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Get a proposal. It says who has voted, and how once it has ended."""
        return _answer(request, tournament_of(request, tournament_id), n)

    @extend_schema(operation_id="withdraw_proposal", tags=["proposals"], request=None, responses=_CHANGED)
    def delete(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Withdraw your own proposal, as long as it is open."""
        row = for_change(request, tournament_id)
        services.withdraw_proposal(tournament_id, player_of(request), n)
        return _answer(request, row, n)


class VoteView(TournamentApi):
    @extend_schema(operation_id="vote", tags=["proposals"], request=VoteSerializer, responses=_CHANGED)
    def put(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Vote, or change your vote, as long as the proposal is open."""
        row = for_change(request, tournament_id)
        services.vote(tournament_id, player_of(request), n, checked(VoteSerializer, request)["vote"])
        return _answer(request, row, n)


class DecideView(TournamentApi):
    @extend_schema(operation_id="decide_proposal", tags=["proposals"], request=DecisionSerializer, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID, n: int) -> Response:
        """Decide a proposal as an organiser, where `ratify` is `organiser`; elsewhere `false` closes it."""
        row = for_change(request, tournament_id)
        body = checked(DecisionSerializer, request)
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
