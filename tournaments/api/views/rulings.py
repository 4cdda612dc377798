"""Making rulings, and listing them."""

from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.authentication import player_of
from core.http.bodies import page_of
from core.http.fields import invitation_of
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import problems
from core.http.pagination import whole_number_of
from core.http.views import object_of
from tournaments import selectors, services
from tournaments.api.bodies.rulings import RuledBody, RulingBody, ruled_body
from tournaments.api.requests import RulingAskedSerializer
from tournaments.api.views.base import (
    IF_MATCH,
    INVITATION,
    PAGES,
    PagesByOffset,
    TournamentApi,
    condition_of,
    for_change,
    tournament_of,
)


class RulingsView(TournamentApi):
    query_keys = ("invitation", "cursor", "limit")
    query_reads = (invitation_of, whole_number_of("limit", 1, 100, 50))

    @extend_schema(
        operation_id="list_rulings",
        tags=["rulings"],
        parameters=[INVITATION, *PAGES],
        responses={200: page_of(RulingBody), **problems(400, 401, 404)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the rulings with their reasons, newest first."""
        rulings = selectors.rulings_of(tournament_of(request, tournament_id))
        page = PagesByOffset(request).of(rulings)
        page["results"] = [RulingBody(**one) for one in page["results"]]
        return Response(page)

    @extend_schema(
        operation_id="rule",
        tags=["rulings"],
        parameters=[KEY, IF_MATCH],
        request=RulingAskedSerializer,
        responses={
            201: RuledBody,
            200: RuledBody,
            **problems(400, 401, 403, 404, 409, 412, 413, 415, 422),
        },
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Make a ruling. With `dry_run` nothing happens, and the response (200) says what it would change."""
        player, body = player_of(request), object_of(request)
        keyed = keyed_of(request, lambda executed: services.Answer(201, ruled_body(body, executed.result)))
        for_change(request, tournament_id)
        condition = condition_of(request)
        if keyed is None or body.get("dry_run") is True:
            ruled = services.rule(tournament_id, player, body, if_match=condition)
            return Response(ruled_body(body, ruled), status=200 if ruled.before is not None else 201)
        return response_of(services.rule(tournament_id, player, body, if_match=condition, keyed=keyed))
