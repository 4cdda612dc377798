"""Standings, the record, and what happened."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.http.bodies import AnyObject, Body, Moment, doc, one_of, page_of
from core.http.conditional import IF_NONE_MATCH
from core.http.fields import invitation_of
from core.http.openapi import problems, ref
from core.http.pagination import MAX_EVENTS, MAX_VERSION, after_of, limit_of, whole_number_of
from core.http.problems import invalid
from games.api.bodies import PlayerRefBody
from tournaments import access, selectors
from tournaments.api.base import (
    ETAG,
    OFFSET,
    PagesByOffset,
    TournamentApi,
    caller,
    tournament_of,
    with_etag,
)
from tournaments.picture.standings import standings_file


class TournamentEventBody(Body):
    """An event of a tournament. Secrets are null."""

    version: int
    type: str
    data: AnyObject
    by: Annotated[PlayerRefBody | None, doc("null: the service.")]
    recorded_at: Moment


MAX_ROWS = 10_000


def _moment(request: Request) -> datetime | None:
    text = request.query_params.get("at")
    if text is None:
        return None
    try:
        # A "+" that was not encoded arrives as a space.
        moment = datetime.fromisoformat(text.replace(" ", "+"))
        if moment.utcoffset() is None:
            raise ValueError
    except ValueError:
        raise invalid([("at", "Must be a moment with its time zone, such as 2026-11-21T18:00:00Z.")]) from None
    return moment


_stage = whole_number_of("stage", 1, 100, 0)
"""0: all of them."""


def _wants_csv(request: Request) -> bool:
    form = request.query_params.get("format")
    if form not in (None, "json", "csv"):
        raise invalid([("format", "Must be one of: json, csv.")])
    accepts = request.META.get("HTTP_ACCEPT", "").lower()
    return form == "csv" or (form is None and "text/csv" in accepts and "json" not in accepts)


class StandingsView(TournamentApi):
    varies_by = ("Accept", *TournamentApi.varies_by)
    query_keys = ("invitation", "at", "stage", "format", "cursor", "limit")
    query_reads = (invitation_of, _moment, _stage, _wants_csv, whole_number_of("limit", 1, MAX_ROWS, MAX_ROWS))

    @extend_schema(
        operation_id="get_standings",
        parameters=[
            OpenApiParameter("at", OpenApiTypes.DATETIME, description="As of that moment (RFC 3339)."),
            OpenApiParameter(
                "stage", {"type": "integer", "minimum": 1, "maximum": 100}, description="By itself (SG7)."
            ),
            OpenApiParameter("format", str, enum=["json", "csv"], description="Or by Accept: text/csv."),
            OpenApiParameter("cursor", OFFSET, description="From `next` or `previous`; opaque."),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAX_ROWS, "default": MAX_ROWS}),
            IF_NONE_MATCH,
            ETAG,
        ],
        responses={
            (200, "application/json"): ref("TournamentStandings"),
            (200, "text/csv"): OpenApiTypes.STR,
            304: None,
        },
    )
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Get the standings, with bounds on the places that can still be reached.

        They are what `python -m tournaments.rules standings` computes from the record. `at` gives those of an
        earlier moment, `stage` those of one stage by itself.
        """
        row = tournament_of(request, tournament_id)
        moment = _moment(request)
        version = row.version if moment is None else selectors.version_at(row.pk, moment)
        # Before it was set up there are no lines, and no rows (ST11).
        found: Mapping[str, Any] = {"standings": [], "bounds": {}}
        if version:
            stage = _stage(request)
            found = (
                selectors.standings_of_stage(row, version, stage) if stage else selectors.standings_for(row.pk, version)
            )
        pages = PagesByOffset(request, default=MAX_ROWS, most=MAX_ROWS)
        if _wants_csv(request):
            return standings_file(row, found["standings"])
        rows = found["standings"][pages.offset : pages.offset + pages.limit]
        body = {
            "version": version,
            "as_of": moment and moment.isoformat().replace("+00:00", "Z"),
            "standings": rows,
            "bounds": {key: bound for key, bound in found["bounds"].items() if key in {one["entrant"] for one in rows}},
            **pages.links(len(found["standings"])),
        }
        return with_etag(request, version, body)


class PassedBody(Body):
    """Somebody who does not go on, and stands above somebody who does."""

    entrant: str
    why: Annotated[str, one_of(["withdrew", "removed", "no_place"])]


class NextStageBody(Body):
    """Who would go on to the next stage."""

    stage: Annotated[int, doc("The next stage.")]
    seeds: Annotated[Sequence[str], doc("Who goes on, the best seed first.")]
    decided_by: Annotated[str | None, doc("What sets the last who goes on apart from the next; null: nobody is next.")]
    passed: Annotated[Sequence[PassedBody], doc("Who is passed over.")]


class NextStageView(TournamentApi):
    @extend_schema(
        operation_id="get_next_stage",
        parameters=[IF_NONE_MATCH, ETAG],
        responses={200: NextStageBody, 304: None, **problems(409)},
    )
    def get(self, request: Request, tournament_id: UUID) -> HttpResponse:
        """Get who would go on to the next stage as it stands, from the first result on.

        It is what `python -m tournaments.rules stage --early` computes from the record.
        """
        row = tournament_of(request, tournament_id)
        found = selectors.next_stage_for(row)
        body = NextStageBody(**{**found, "passed": [PassedBody(**one) for one in found["passed"]]})
        return with_etag(request, row.version, body)


class RecordView(TournamentApi):
    @extend_schema(operation_id="get_tournament_record", responses={200: ref("TournamentRecord")})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """Get the record of a tournament.

        Anybody can compute the standings from it with `python -m tournaments.rules standings`.
        """
        return Response(selectors.record_for(tournament_of(request, tournament_id).pk))


class TournamentEventsView(TournamentApi):
    query_keys = ("invitation", "after", "limit")
    query_reads = (invitation_of, after_of, limit_of)

    @extend_schema(
        operation_id="list_tournament_events",
        parameters=[
            OpenApiParameter("after", {"type": "integer", "minimum": 0, "maximum": MAX_VERSION, "default": 0}),
            OpenApiParameter("limit", {"type": "integer", "minimum": 1, "maximum": MAX_EVENTS, "default": MAX_EVENTS}),
        ],
        responses={200: page_of(TournamentEventBody)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the events of a tournament, oldest first. Each says who did it."""
        row = tournament_of(request, tournament_id)
        after, limit = after_of(request), limit_of(request)
        organiser = access.organises(row, caller(request))
        events = selectors.events_for(row, organiser=organiser, after=after, limit=limit + 1)
        url, more, events = request.build_absolute_uri(), len(events) > limit, events[:limit]
        body = {
            "results": [TournamentEventBody(**event) for event in events],
            "next": replace_query_param(url, "after", events[-1]["version"]) if more else None,
            "previous": replace_query_param(url, "after", max(0, after - limit)) if after else None,
        }
        return Response(body)
