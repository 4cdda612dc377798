from collections.abc import Sequence
from typing import Any, ClassVar
from uuid import UUID

from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.utils.urls import replace_query_param

from core.accounts.models import Player
from core.http.conditional import Tagged, etag_of, if_match, tagged
from core.http.fields import invitation_of, invitation_parameter
from core.http.pagination import CursorPages, number_parameter
from core.http.problems import Problem
from core.http.views import ApiView, QueryParameter
from core.text import whole_in
from tournaments import selectors
from tournaments.api.bodies import TournamentBody, tournament_body
from tournaments.models import Tournament
from tournaments.services.commands import Condition
from tournaments.stream import Tournament as State

INVITATION = invitation_parameter("The invitation code of a private tournament. Not needed if you are in it.")
OFFSET = {"type": "string", "pattern": "^[0-9]{1,7}$"}
MAX_OFFSET = 1_000_000


class TournamentApi(ApiView):
    """Public things are read without a token, everything else needs one."""

    query: ClassVar[Sequence[QueryParameter]] = (INVITATION,)
    change_failures: ClassVar[tuple[int, ...]] = (403, 409)

    def get_permissions(self) -> list[Any]:
        return [AllowAny() if self.request.method in ("GET", "HEAD") else IsAuthenticated()]


def caller(request: Request) -> Player | None:
    return request.user if isinstance(request.user, Player) else None


def tournament_of(request: Request, tournament_id: UUID) -> Tournament:
    return selectors.tournament_for(caller(request), tournament_id, invitation=invitation_of(request))


def for_change(request: Request, tournament_id: UUID, invitation: object = None) -> Tournament:
    """The tournament to change. Raises NotFound, also to strangers for a private one."""
    code = invitation if isinstance(invitation, str) else None
    return selectors.tournament_for(caller(request), tournament_id, invitation=code)


def root_of(request: Request) -> str:
    return request.build_absolute_uri("/").rstrip("/")


def answer_tournament(request: Request, tournament_id: UUID, status: int = 200) -> Tagged:
    return answer_row(request, Tournament.objects.get(pk=tournament_id), status)


def answer_row(request: Request, row: Tournament, status: int = 200) -> Tagged:
    return with_etag(request, row.version, body_for(request, row), status)


def body_for(request: Request, row: Tournament) -> TournamentBody:
    return tournament_body(row, caller(request), root_of(request))


def with_etag(request: Request, version: int, body: object, status: int = 200) -> Tagged:
    return tagged(request, etag_of(version, body), lambda: body, status=status)


def condition_of(request: Request) -> Condition | None:
    header = if_match(request)
    if header is None:
        return None

    def holds(t: State) -> bool:
        return header.holds(t.version, lambda: etag_of(t.version, body_for(request, Tournament.objects.get(pk=t.id))))

    return holds


LIMIT = number_parameter("limit", 1, 100, 50)


class PagesByOffset:
    """Pages of a list that is not a queryset: a cursor counts the rows before its page."""

    def __init__(self, request: Request, limit: QueryParameter = LIMIT) -> None:
        self.limit = limit.read(request)
        self.offset = _offset(request)
        self._url = request.build_absolute_uri()

    def links(self, total: int) -> dict[str, str | None]:
        after, before = self.offset + self.limit, max(0, self.offset - self.limit)
        return {
            "next": str(replace_query_param(self._url, "cursor", after)) if after < total else None,
            "previous": str(replace_query_param(self._url, "cursor", before)) if self.offset else None,
        }

    def of(self, rows: list[Any]) -> dict[str, Any]:
        return {"results": rows[self.offset : self.offset + self.limit], **self.links(len(rows))}


def _offset(request: Request) -> int:
    offset = whole_in(request.query_params.get("cursor", "0"), MAX_OFFSET)
    if offset is None:
        raise Problem("bad_cursor", "This cursor is invalid. Use `next` and `previous` as they are.")
    return offset


CURSOR = QueryParameter("cursor", OFFSET, description="An opaque value from `next` or `previous`.")


class NewestFirst(CursorPages):
    ordering = ("-set_up_at", "-id")


class InOrderOfEntry(CursorPages):
    ordering = ("number", "id")


class GamesNewestFirst(CursorPages):
    ordering = ("-since", "-id")


class RoundsInOrder(CursorPages):
    """Few at a time, since each has all its tables."""

    ordering = ("number", "id")
    page_size = 10
    max_page_size = 20
