"""Making rulings, and listing them."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.bodies import Body, Moment, doc, one_of, page_of, schema
from core.http.conditional import IF_MATCH
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import body_examples, ref
from core.http.views import object_of
from games.api.bodies import PlayerRefBody
from tournaments import selectors, services
from tournaments.api.base import (
    CURSOR,
    INVITATION,
    LIMIT,
    PagesByOffset,
    TournamentApi,
    condition_of,
    for_change,
    tournament_of,
)
from tournaments.api.bodies import Bot
from tournaments.api.requests import RulingAskedBody
from tournaments.api.rounds import ResultPlayerBody
from tournaments.stream.events import rulings
from tournaments.stream.ruling import RULINGS

Standings = Annotated[Mapping[str, Any], schema(ref("TournamentStandings"))]
BeforeAndAfter = doc("The values before and after.")


class RulingBody(Body):
    """A ruling: what was ruled, why, and by whom. Keys that do not belong to it are null."""

    version: Annotated[int, doc("The version of the ruling's event.")]
    ruling: Annotated[str, one_of([*RULINGS, "exchange", "reopen", "absent"])]
    reason: str | None
    by: Annotated[PlayerRefBody | None, doc("null: the service, by the plan of the tournament.")]
    also_plays: Annotated[
        str | None, doc("The entrant of the organiser who made the ruling, if the organiser plays at that table.")
    ]
    at: Moment
    game: UUID | None
    stage: Annotated[int | None, doc("The stage that it concerns or begins.")]
    round: int | None
    table: int | None
    entrant: str | None
    entrants: Sequence[str] | None
    player: PlayerRefBody | None
    bot: Bot | None
    points: str | None
    until: Moment | None
    players: Sequence[ResultPlayerBody] | None


_BY_SOURCE = {one.source: name for name, one in RULINGS.items() if one.source}


def ruling_body(event: Mapping[str, Any]) -> RulingBody:
    data = event["data"]
    named = {
        "version": event["version"],
        "ruling": _name(event["type"], data),
        "by": event["by"],
        "at": event["recorded_at"],
        "game": data.get("id") or data.get("game"),
    }
    return RulingBody(**{key: data.get(key) for key in RulingBody.__struct_fields__} | named)


def _name(kind: str, data: Mapping[str, Any]) -> str:
    if kind == "result":
        return "correct" if data.get("instead_of") else _BY_SOURCE[data["source"]]
    return rulings()[kind].name


class RowChangeBody(Body):
    """The changes that a ruling makes for an entrant."""

    entrant: str
    place: Annotated[Sequence[int | None], BeforeAndAfter]
    total: Annotated[Sequence[str | None], BeforeAndAfter]
    status: Annotated[Sequence[str | None], BeforeAndAfter]


class GoingOnBody(Body):
    """Who is through to a stage after a ruling, and whom the ruling puts through or out."""

    stage: int
    seeds: Annotated[Sequence[str], doc("The best seed first.")]
    through: Sequence[str]
    out: Sequence[str]


class RuledBody(Body):
    """A ruling, or with `dry_run` what it would change."""

    ruling: Annotated[str, one_of([*RULINGS, "reopen"])]
    reason: str
    dry_run: bool
    version: Annotated[int | None, doc("The version of its event; null for a dry run.")]
    before: Standings | None
    after: Standings | None
    changes: Sequence[RowChangeBody] | None
    going_on: Annotated[GoingOnBody | None, doc("Only for a dry run in a tournament with stages.")]


def ruled_body(body: Mapping[str, Any], ruled: services.Ruled) -> RuledBody:
    dry_run = ruled.before is not None
    return RuledBody(
        ruling=body["ruling"],
        reason=body["reason"],
        dry_run=dry_run,
        version=ruled.version,
        before=ruled.before,
        after=ruled.after,
        changes=[RowChangeBody(entrant, *pairs) for entrant, pairs in ruled.changes] if dry_run else None,
        going_on=None if ruled.going_on is None else GoingOnBody(**ruled.going_on),
    )


class RulingsView(TournamentApi):
    query = (INVITATION, CURSOR, LIMIT)

    @extend_schema(operation_id="list_rulings", responses={200: page_of(RulingBody)})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the rulings with their reasons, newest first."""
        rulings = selectors.rulings_of(tournament_of(request, tournament_id))
        page = PagesByOffset(request).of(rulings)
        page["results"] = [ruling_body(one) for one in page["results"]]
        return Response(page)

    @extend_schema(
        operation_id="rule",
        parameters=[KEY, IF_MATCH],
        request=RulingAskedBody,
        examples=body_examples(
            {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "It was scored wrongly.", "dry_run": True},
            ("Void a table's games", {"ruling": "void", "round": 1, "table": 1, "reason": "The cards were seen."}),
            ("More time", {"ruling": "extend", "round": 1, "seconds": 86400, "reason": "The server was down."}),
        ),
        responses={201: RuledBody, 200: RuledBody},
    )
    def post(self, request: Request, tournament_id: UUID) -> Response:
        """Make a ruling. With `dry_run`, nothing happens, and the response (200) says what would change."""
        player, body = player_of(request), object_of(request)
        keyed = keyed_of(
            request, lambda executed: services.Answer(201, ruled_body(body, services.Ruled(executed.result)))
        )
        for_change(request, tournament_id)
        condition = condition_of(request)
        if keyed is None or body.get("dry_run") is True:
            ruled = services.rule(tournament_id, player, body, if_match=condition)
            return Response(ruled_body(body, ruled), status=200 if ruled.before is not None else 201)
        return response_of(services.rule(tournament_id, player, body, if_match=condition, keyed=keyed))
