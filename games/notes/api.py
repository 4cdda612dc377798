"""A player's note to oneself in a game."""

from collections.abc import Callable
from datetime import datetime
from typing import Annotated
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.bodies import Body, Nothing, RequestBody, doc
from core.http.conditional import IF_MATCH_SCHEMA, Tagged, etag_of, if_match, tagged
from core.http.openapi import example, problems
from core.http.throttling import limit
from core.http.views import ApiView, checked
from core.values import value
from games.notes import services
from games.notes.models import Note

_IF_MATCH = OpenApiParameter(
    "If-Match",
    IF_MATCH_SCHEMA,
    OpenApiParameter.HEADER,
    description="The ETag of the note. The answer is 412 if another device of yours has written it since. A version "
    "does not work here.",
)


class NoteBody(Body):
    """Your note in a game. Without one the text is empty."""

    text: str
    version: Annotated[int | None, doc("The version of the game when it was written.")]
    at: datetime | None


@example({"text": "Keep the 2 for the end."})
class NoteRequest(RequestBody):
    """A note. An empty text deletes it."""

    text: str = value(least=0, exact=True, help=f"Up to {services.MOST} characters.")


class NoteView(ApiView):
    @extend_schema(operation_id="get_note", tags=["games"], responses={200: NoteBody, **problems(403)})
    def get(self, request: Request, game_id: UUID) -> Tagged:
        """Get your note to yourself in a game. It stays yours after you have left the seat."""
        return _answer(request, services.note_of(game_id, player_of(request)))

    @extend_schema(
        operation_id="write_note",
        tags=["games"],
        parameters=[_IF_MATCH],
        request=NoteRequest,
        responses={200: NoteBody, **problems(403, 429)},
    )
    def put(self, request: Request, game_id: UUID) -> Tagged:
        """Write your note in a game, replacing the current one. Nobody else is told that you have one."""
        player = player_of(request)
        limit("moves", str(player.pk))
        text = checked(NoteRequest, request)["text"]
        return _answer(request, services.write_note(game_id, player, text, holds=_condition(request)))

    @extend_schema(
        operation_id="drop_note",
        tags=["games"],
        parameters=[_IF_MATCH],
        request=None,
        responses={204: None, **problems(403)},
    )
    def delete(self, request: Request, game_id: UUID) -> Response:
        """Delete your note. Without a note, nothing happens."""
        player = player_of(request)
        checked(Nothing, request)
        services.drop_note(game_id, player, holds=_condition(request))
        return Response(status=204)


def _condition(request: Request) -> Callable[[Note | None], bool] | None:
    condition = if_match(request)
    if condition is None:
        return None
    return lambda note: condition.names(_etag(_body(note)))


def _answer(request: Request, note: Note | None) -> Tagged:
    body = _body(note)
    return tagged(request, _etag(body), lambda: body)


def _body(note: Note | None) -> NoteBody:
    return NoteBody("", None, None) if note is None else NoteBody(note.text, note.version, note.at)


def _etag(body: NoteBody) -> str:
    return etag_of(body.version or 0, body)


urlpatterns = [path("games/<uuid:game_id>/note", NoteView.as_view(), name="note")]
