"""The live streams in the OpenAPI document. A process without Django's views serves them, so they are written out."""

from typing import Any

from core.http.openapi import ref
from core.http.problems import CONTENT_TYPE

_GAME = {"name": "game_id", "in": "path", "required": True, "schema": {"type": "string", "format": "uuid"}}
_INVITATION = {"name": "invitation", "in": "query", "schema": {"type": "string", "maxLength": 64}}
_AFTER = {
    "name": "after",
    "in": "query",
    "schema": {"type": "integer", "minimum": 0},
    "description": "Send what came after this `id` first. `Last-Event-ID` takes precedence. Without either, "
    "the stream begins now.",
}
_LAST = {
    "name": "Last-Event-ID",
    "in": "header",
    "schema": {"type": "integer", "minimum": 0},
    "description": "The `id` of the last event that arrived: the stream goes on after it.",
}
_STREAM = {
    "description": "Server-sent events, until the stream ends.",
    "content": {"text/event-stream": {"schema": {"type": "string"}}},
}


def _failures(*statuses: int) -> dict[str, Any]:
    return {str(status): {"content": {CONTENT_TYPE: {"schema": ref("Problem")}}} for status in statuses}


PATHS = {
    "/api/v1/games/{game_id}/live": {
        "get": {
            "operationId": "watch_game",
            "summary": "Watch a game",
            "description": "Server-sent events: a `moved` for each event of the game, its version as `id`. `data` is "
            "the event as `GET games/{id}/events` gives it to you, with `to_act` and `deadlines` as they are after the "
            "last event that was sent with it. A comment comes every 15 seconds. A game's `live_url` is the address.",
            "tags": ["history"],
            "security": [{"token": []}],
            "parameters": [_GAME, _AFTER, _LAST, _INVITATION],
            "responses": {"200": _STREAM, **_failures(400, 401, 403, 404, 421, 429)},
        }
    },
    "/api/v1/me/live": {
        "get": {
            "operationId": "watch_my_games",
            "summary": "Watch your games",
            "description": "Server-sent events: a `notification` as `GET me/notifications` lists it, its number as "
            "`id`, and a `game` (`id`, `version`, `status`, `your_turn`) once for each game you play in when the "
            "stream begins, and then whenever one changes. `live_url` in `GET me` is the address.",
            "tags": ["me"],
            "security": [{"token": []}],
            "parameters": [_AFTER, _LAST],
            "responses": {"200": _STREAM, **_failures(400, 401, 421, 429)},
        }
    },
}
