"""Tournaments: finding them and setting them up, their life and organisers, and what they tell their entrants."""

from collections.abc import Callable
from typing import Annotated, Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import Body, Nothing, doc, either, page_of
from core.http.conditional import IF_MATCH, Tagged, if_match
from core.http.fields import ChoiceFilter, TruthFilter
from core.http.idempotency import once
from core.http.openapi import LOCATION, body_examples, problems
from core.http.views import ListView, checked, object_of
from core.refusals import Stale
from games.api.bodies import GAME_NAMES, PlayerRefBody
from tournaments import selectors, services
from tournaments.api.base import (
    NewestFirst,
    TournamentApi,
    answer_row,
    answer_tournament,
    caller,
    condition_of,
    for_change,
    root_of,
    tournament_of,
)
from tournaments.api.bodies import STATUSES, TournamentBody, tournament_body
from tournaments.api.requests import (
    AnswerRequest,
    CancellationRequest,
    MessageRequest,
    OrganiserRequest,
    PlanBody,
    PlanChangeBody,
    ReopeningRequest,
    SeasonBody,
    StagedPlanBody,
    SuccessorBody,
)
from tournaments.api.rulings import RuledBody, ruled_body
from tournaments.models import Tournament
from tournaments.picture.changes import settings_changed

_CHANGED = {200: TournamentBody}
_SET_UP = either("SetUp", PlanBody, StagedPlanBody, SuccessorBody, SeasonBody)
_REOPENED = either("Reopened", TournamentBody, RuledBody)


class TournamentFilters(filters.FilterSet):
    status = ChoiceFilter(STATUSES, help_text="Only tournaments with this status.")
    game = ChoiceFilter(GAME_NAMES, help_text="Only this game, by its name in GET rulesets.")
    mine = TruthFilter(method="only_mine", help_text="Only tournaments that the caller organises or takes part in.")

    def only_mine(self, tournaments: QuerySet[Tournament], name: str, value: bool) -> QuerySet[Tournament]:
        player = cast("Any", self.request).user if self.request is not None else None
        if not value:
            return tournaments
        return selectors.mine(tournaments, player) if isinstance(player, Player) else tournaments.none()


class TournamentsView(ListView[Tournament]):
    queryset = Tournament.objects.none()
    pagination_class = NewestFirst
    filterset_class = TournamentFilters

    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method in ("GET", "HEAD") else IsAuthenticated()]

    @extend_schema(operation_id="list_tournaments", responses={200: TournamentBody})
    def get(self, request: Request) -> Response:
        """List public tournaments and your own, newest first."""
        player, root = caller(request), root_of(request)
        return self.page_of(
            selectors.tournaments_for(player), lambda rows: [tournament_body(row, player, root) for row in rows]
        )

    @extend_schema(
        operation_id="set_up_tournament",
        parameters=[LOCATION],
        request=_SET_UP,
        examples=body_examples(
            {"title": "Threes 2026", "game": "threes", "kind": "rounds"},
            (
                "Stages",
                {
                    "title": "Threes 2026",
                    "game": "threes",
                    "stages": [
                        {"kind": "rounds", "settings": {"rounds": 5}, "take": 8},
                        {"title": "Final", "kind": "knockout", "settings": {"advance": 2}},
                    ],
                },
            ),
            ("A successor", {"after": "5f0c0f6e-2f7b-4a51-9c5c-0d8f6a0f7c11", "title": "Threes 2027"}),
            ("A season of a game's players", {"from_game": "1d2f0c8e-7c2f-4d5e-9a43-6f0e6f0f9a11"}),
        ),
        responses={201: TournamentBody, **problems(403, 404, 409)},
    )
    @once()
    def post(self, request: Request) -> Tagged:
        """Set up a tournament.

        You are its organiser, and it begins as a draft. The response has all settings, defaults included. With
        `after`, it succeeds one of your tournaments that is over: it copies the settings and the last rules, and
        invites the other organisers and everyone who was in at the end. With `from_game`, it is a private season for
        the players of a finished game of yours: it has begun, you are in, and they are invited.
        """
        made = services.set_up(player_of(request), object_of(request)).tournament.id
        response = answer_tournament(request, made, 201)
        response.headers["Location"] = f"/api/v1/tournaments/{made}"
        return response


class TournamentView(TournamentApi):
    @extend_schema(operation_id="get_tournament", responses={200: TournamentBody})
    def get(self, request: Request, tournament_id: UUID) -> Tagged:
        """Get a tournament. The strong ETag covers the whole body."""
        return answer_row(request, tournament_of(request, tournament_id))

    @extend_schema(
        operation_id="change_tournament",
        parameters=[IF_MATCH],
        request=PlanChangeBody,
        examples=body_examples({"limit": 16}),
        responses=_CHANGED,
    )
    def patch(self, request: Request, tournament_id: UUID) -> Tagged:
        """Change a tournament.

        You can change everything before the start, and `pace` until the end. Objects change key by key; null restores
        the default. If `If-Match` is stale, the error names the settings that have changed since.
        """
        for_change(request, tournament_id)
        try:
            services.change(tournament_id, player_of(request), object_of(request), if_match=condition_of(request))
        except Stale as error:
            raise Stale(error.code, f"{error.detail}{_changed_since(request, tournament_id)}") from None
        return answer_tournament(request, tournament_id)


def _changed_since(request: Request, tournament_id: UUID) -> str:
    now, header = Tournament.objects.get(pk=tournament_id), if_match(request)
    if header is None or not header.version or header.version > now.version:
        return ""
    before, _ = selectors.settings_at(now.pk, header.version)
    said = "; ".join(map(str, settings_changed(before, now.state.plan)))
    return f" Settings changed since version {header.version}: {said}." if said else ""


class OpenView(TournamentApi):
    @extend_schema(operation_id="open_registration", request=None, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Open a tournament for entries."""
        return _step(request, tournament_id, services.open_registration)


class StartView(TournamentApi):
    @extend_schema(operation_id="start_tournament", request=None, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Start a tournament with the entrants who are in. With pace `manual` the first round is drafted."""
        return _step(request, tournament_id, services.start)


class NextRoundView(TournamentApi):
    @extend_schema(operation_id="seat_next_round", request=None, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Seat the next round. With pace `manual` it is drafted, or drafted again."""
        return _step(request, tournament_id, services.next_round)


class FinishView(TournamentApi):
    @extend_schema(operation_id="finish_tournament", request=None, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Finish a tournament.

        Running games continue, but their results count only after a ruling, or if the tournament is reopened.
        """
        return _step(request, tournament_id, services.finish)


class CancelView(TournamentApi):
    @extend_schema(operation_id="cancel_tournament", request=CancellationRequest, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Cancel a tournament. Its open games are called off."""
        for_change(request, tournament_id)
        body = checked(CancellationRequest, request)
        services.cancel(tournament_id, player_of(request), body["reason"])
        return answer_tournament(request, tournament_id)


class ReopenView(TournamentApi):
    @extend_schema(operation_id="reopen_tournament", request=ReopeningRequest, responses={**_CHANGED, 200: _REOPENED})
    def post(self, request: Request, tournament_id: UUID) -> Tagged | Response:
        """Reopen a finished tournament. This is a ruling, with a reason.

        With `dry_run`, nothing happens, and the response says what would change.
        """
        for_change(request, tournament_id)
        player, body = player_of(request), checked(ReopeningRequest, request)
        if body["dry_run"]:
            ruled = services.preview_of_reopening(tournament_id, player, body["reason"])
            return Response(ruled_body({"ruling": "reopen", **body}, ruled))
        services.reopen(tournament_id, player, body["reason"])
        return answer_tournament(request, tournament_id)


class InvitationView(TournamentApi):
    @extend_schema(operation_id="renew_invitation", request=None, responses=_CHANGED)
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Renew the invitation of a tournament. The old code stops working; existing entries stay."""
        return _step(request, tournament_id, services.renew_invitation)


def _step(request: Request, tournament_id: UUID, does: Callable[[UUID, Player], object]) -> Tagged:
    for_change(request, tournament_id)
    checked(Nothing, request)
    does(tournament_id, player_of(request))
    return answer_tournament(request, tournament_id)


class OrganisersView(TournamentApi):
    @extend_schema(operation_id="list_organisers", responses={200: page_of(PlayerRefBody)})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the organisers."""
        return _organisers(tournament_of(request, tournament_id))

    @extend_schema(operation_id="add_organiser", request=OrganiserRequest, responses={201: page_of(PlayerRefBody)})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Invite somebody to organise a tournament with you.

        They are in `asked_organisers` of the tournament until they accept.
        """
        return _organisers_changed(request, tournament_id, services.add_organiser, 201)

    @extend_schema(operation_id="remove_organiser", request=OrganiserRequest, responses={200: page_of(PlayerRefBody)})
    def delete(self, request: Request, tournament_id: UUID) -> Response:
        """Remove an organiser.

        You can also step down yourself. The last organiser cannot be removed.
        """
        return _organisers_changed(request, tournament_id, services.remove_organiser)


class AcceptToOrganiseView(TournamentApi):
    @extend_schema(operation_id="accept_to_organise", request=AnswerRequest, responses={200: page_of(PlayerRefBody)})
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Become an organiser of a tournament.

        You can if you were invited to, or if you may take over a tournament that has no organiser left. With
        `{"accept": false}`, you decline or step down.
        """
        row, player = for_change(request, tournament_id), player_of(request)
        if checked(AnswerRequest, request)["accept"]:
            services.accept_to_organise(row.pk, player)
        else:
            services.decline_to_organise(row.pk, player)
        row.refresh_from_db()
        return _organisers(row)


def _organisers_changed(
    request: Request, tournament_id: UUID, change: Callable[[UUID, Player, str], object], status: int = 200
) -> Response:
    row = for_change(request, tournament_id)
    change(row.pk, player_of(request), checked(OrganiserRequest, request)["player"])
    row.refresh_from_db()
    return _organisers(row, status)


def _organisers(row: Tournament, status: int = 200) -> Response:
    names = selectors.usernames(row.organisers)
    found = [PlayerRefBody(pk, names.get(pk)) for pk in row.organisers]
    return Response({"results": found, "next": None, "previous": None}, status=status)


class SentBody(Body):
    """A message that was sent, or would be."""

    told: Annotated[int, doc("The number of recipients: all players who have a place or are waiting for one.")]
    text: Annotated[str, doc("The message as they read it.")]
    version: Annotated[int | None, doc("The version of its event; null with `dry_run`.")]


class MessagesView(TournamentApi):
    @extend_schema(
        operation_id="write_to_entrants",
        request=MessageRequest,
        responses={201: SentBody, 200: SentBody, **problems(429)},
    )
    @once()
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Write to all entrants. With `dry_run`, nothing is sent (200)."""
        player = player_of(request)
        for_change(request, tournament_id)
        sent = services.send_message(tournament_id, player, **checked(MessageRequest, request))
        body = SentBody(sent.told, sent.text, sent.version)
        return Response(body, status=200 if sent.version is None else 201)
