"""Rulings that were made, and what a ruling would change."""

from collections.abc import Mapping, Sequence
from typing import Annotated, Any
from uuid import UUID

from core.http.bodies import Body, Moment, doc, one_of, schema
from core.http.openapi import ref
from games.api.bodies import PlayerRefBody
from tournaments import services
from tournaments.api.bodies.parts import Bot
from tournaments.api.bodies.rounds import ResultPlayerBody
from tournaments.services.ruling_requests import NAMES

Standings = Annotated[Mapping[str, Any], schema(ref("TournamentStandings"))]
BeforeAndAfter = doc("Before and after.")


class RulingBody(Body):
    """A ruling: what was ruled, why, and by whom. Keys that do not belong to it are null."""

    version: Annotated[int, doc("The version of its event.")]
    ruling: Annotated[str, one_of([*NAMES, "exchange", "reopen", "absent"])]
    reason: str | None
    by: Annotated[PlayerRefBody | None, doc("null: the service, by the plan of the tournament.")]
    also_plays: Annotated[str | None, doc("The entrant for which the organiser who ruled plays at that table.")]
    at: Moment
    game: UUID | None
    round: int | None
    table: int | None
    entrant: str | None
    entrants: Sequence[str] | None
    player: PlayerRefBody | None
    bot: Bot | None
    points: str | None
    until: Moment | None
    players: Sequence[ResultPlayerBody] | None


class RowChangeBody(Body):
    """The changes that a ruling makes for an entrant."""

    entrant: str
    place: Annotated[Sequence[int | None], BeforeAndAfter]
    total: Annotated[Sequence[str | None], BeforeAndAfter]
    status: Annotated[Sequence[str | None], BeforeAndAfter]


class RuledBody(Body):
    """A ruling that was made; with `dry_run` what it would change."""

    ruling: Annotated[str, one_of([*NAMES, "reopen"])]
    reason: str
    dry_run: bool
    version: Annotated[int | None, doc("The version of its event; null for a dry run.")]
    before: Standings | None
    after: Standings | None
    changes: Sequence[RowChangeBody] | None


def ruled_body(body: Mapping[str, Any], ruled: services.Ruled) -> RuledBody:
    """A ruling that was made, or with `dry_run` what it would change."""
    dry_run = ruled.before is not None
    return RuledBody(
        ruling=body["ruling"],
        reason=body["reason"],
        dry_run=dry_run,
        version=ruled.version,
        before=ruled.before,
        after=ruled.after,
        changes=_changes(ruled) if dry_run else None,
    )


def _changes(ruled: services.Ruled) -> list[RowChangeBody]:
    """Return the entrants whose place, total or status a ruling changes, with before and after."""
    before = {row["entrant"]: row for row in (ruled.before or {}).get("standings", ())}
    after = {row["entrant"]: row for row in (ruled.after or {}).get("standings", ())}
    found = []
    for entrant in {**before, **after}:
        rows = before.get(entrant, {}), after.get(entrant, {})
        pairs = [[row.get(key) for row in rows] for key in ("place", "total", "status")]
        if any(old != new for old, new in pairs):
            found.append(RowChangeBody(entrant, *pairs))
    return found
