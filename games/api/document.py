"""What the OpenAPI document says of games and rooms beyond their calls: shapes, codes of problems, live streams."""

from typing import Any

from django.conf import settings

from core.http.openapi import ref
from core.http.problems import CONTENT_TYPE
from games.api import events, moves, tables
from games.bots import BOTS
from games.clocks import clock_schema

COMPONENTS: dict[str, Any] = {
    "Card": {
        "type": "string",
        "pattern": "^([2-9TJQKA][SHDC]|X[RB])$",
        "description": 'Rank and suit: "TH" is the ten of hearts. Jokers: "XR", "XB".',
        "examples": ["TH", "XR"],
    },
    "Bot": {
        "type": "object",
        "required": ["level"],
        "properties": {"level": {"type": "string", "enum": sorted(BOTS)}},
        "additionalProperties": False,
        "description": "The bot that plays in this seat, its own or in place of a player.",
    },
    "Clock": clock_schema(minimum_per_turn=settings.TREY_MIN_TURN),
    **moves.COMPONENTS,
    **tables.COMPONENTS,
    **events.COMPONENTS,
}

#: The codes of problems that games and rooms raise. docs/errors.md explains them; a test compares both.
CODES = (
    # Rooms
    "unknown_game", "bad_seats", "bad_ruleset", "bad_options", "bad_visibility", "bad_rated", "bad_plans", "bad_clock",
    "bad_salt", "bad_bots", "bad_level", "bad_seat", "bad_entries", "bad_reason", "bad_placements", "bad_seconds",
    "not_a_player", "not_the_opener", "sent_out",
    "tournament_game", "players_only", "no_such_version", "unknown_version",
    "already_joined", "already_started", "game_cancelled", "no_bot", "not_finished", "not_started", "not_to_act",
    "room_full", "seats_taken", "seats_kept",
    "game_limit", "bot_limit", "room_limit", "too_few_players",
    # Live streams
    "misdirected", "too_many_streams",
    # Moves
    "stale_version", "key_reused", "bot_plays", "race_lost", "game_over", "resigned", "no_such_seat", "not_your_turn",
    "not_your_cards",
    # Plans
    "bad_plan", "no_plan", "plans_off",
    # The shedding games
    "setup", "setup_over", "already_arranged", "choose_three", "already_out", "no_cards", "mixed_ranks",
    "opening_rank", "cannot_beat_pile", "whole_hand_first", "hand_first", "must_flip", "not_yet_flipping",
    "position_empty", "can_play", "must_play", "no_bonus", "no_draw", "cannot_draw", "cannot_settle",
    # Three Thirteen
    "draw_first", "already_drawn", "discard_pile_empty", "stock_empty", "somebody_is_out", "not_all_melded",
    "no_meld", "no_melds",
)  # fmt: skip

# A process without Django's views serves the live streams, so they are written out.
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


PATHS: dict[str, Any] = {
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
