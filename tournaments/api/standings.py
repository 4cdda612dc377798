"""Standings, the record, and what happened."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from functools import partial
from typing import Annotated, Any
from uuid import UUID

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.bodies import AnyObject, Body, Moment, doc, one_of, page_of
from core.http.conditional import Tagged
from core.http.openapi import problems, ref
from core.http.pagination import AFTER, LIMIT, events_page, number_parameter, whole_number
from core.http.problems import invalid
from core.http.views import QueryParameter
from games.api.bodies import PlayerRefBody
from tournaments import access, selectors
from tournaments.api.base import (
    CURSOR,
    INVITATION,
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
        raise invalid([("at", "Must be a time with its time zone, such as 2026-11-21T18:00:00Z.")]) from None
    return moment


def _wants_csv(request: Request) -> bool:
    form = request.query_params.get("format")
    if form not in (None, "json", "csv"):
        raise invalid([("format", "Must be one of: json, csv.")])
    accepts = request.META.get("HTTP_ACCEPT", "").lower()
    return form == "csv" or (form is None and "text/csv" in accepts and "json" not in accepts)


AT = QueryParameter("at", OpenApiTypes.DATETIME, read=_moment, description="The standings as of this time (RFC 3339).")
STAGE = QueryParameter(
    "stage",
    {"type": "integer", "minimum": 1, "maximum": 100},
    read=partial(whole_number, name="stage", low=1, high=100, default=0),
    description="Only this stage (SG7).",
)
FORMAT = QueryParameter(
    "format", enum=["json", "csv"], read=_wants_csv, description="The format. You can also send Accept: text/csv."
)
ROWS = number_parameter("limit", 1, 10_000, 10_000)


class StandingsView(TournamentApi):
    varies_by = ("Accept", *TournamentApi.varies_by)
    query = (INVITATION, AT, STAGE, FORMAT, CURSOR, ROWS)

    @extend_schema(
        operation_id="get_standings",
        responses={
            (200, "application/json"): ref("TournamentStandings"),
            (200, "text/csv"): OpenApiTypes.STR,
        },
    )
    def get(self, request: Request, tournament_id: UUID) -> Tagged | HttpResponse:
        """Get the standings.

        `bounds` says which places can still be reached. `python -m tournaments.rules standings` computes the same from
        the record. `at` gives the standings at an earlier time, `stage` those of a single stage.
        """
        row = tournament_of(request, tournament_id)
        moment = _moment(request)
        version = row.version if moment is None else selectors.version_at(row.pk, moment)
        # Before it was set up there are no lines, and no rows (ST11).
        found: Mapping[str, Any] = {"standings": [], "bounds": {}}
        if version:
            found = selectors.standings_for(row.pk, version, STAGE.read(request) or None)
        pages = PagesByOffset(request, ROWS)
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
    """An entrant who is not through, but ranked above somebody who is."""

    entrant: str
    why: Annotated[str, one_of(["withdrew", "removed", "no_place"])]


class NextStageBody(Body):
    """Who would be through to the next stage."""

    stage: Annotated[int, doc("The next stage.")]
    seeds: Annotated[Sequence[str], doc("Who is through, the best seed first.")]
    decided_by: Annotated[
        str | None,
        doc("What separates the last entrant who is through from the next one; null if there is no next one."),
    ]
    passed: Annotated[Sequence[PassedBody], doc("Entrants who are passed over.")]


class NextStageView(TournamentApi):
    @extend_schema(
        operation_id="get_next_stage",
        responses={200: NextStageBody, **problems(409)},
    )
    def get(self, request: Request, tournament_id: UUID) -> Tagged:
        """Find out who would be through to the next stage.

        It is the same as what `python -m tournaments.rules stage --early` computes from the record.
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
    query = (INVITATION, AFTER, LIMIT)

    @extend_schema(operation_id="list_tournament_events", responses={200: page_of(TournamentEventBody)})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the events of a tournament, oldest first. Each event says who caused it."""
        row = tournament_of(request, tournament_id)
        organiser, after, limit = access.organises(row, caller(request)), AFTER.read(request), LIMIT.read(request)
        events = selectors.events_for(row, organiser=organiser, after=after, limit=limit + 1)
        return events_page(request, TournamentEventBody, events)
