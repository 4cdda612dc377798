"""What the OpenAPI document says of games and rooms beyond their calls: shapes, codes of problems, live streams."""

from typing import Any

from django.conf import settings

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
    # Reviews
    "no_review", "no_networks",
    # Talk
    "talk_over", "talk_off", "nobody_there", "signs_only", "signs_in_a_row", "not_yours", "no_such_message",
    "muted", "already_reported",
    "unknown_message",
    # The shedding games
    "setup", "setup_over", "already_arranged", "choose_three", "already_out", "no_cards", "mixed_ranks",
    "opening_rank", "cannot_beat_pile", "whole_hand_first", "hand_first", "must_flip", "not_yet_flipping",
    "position_empty", "can_play", "must_play", "no_bonus", "no_draw", "cannot_draw", "cannot_settle",
    # Three Thirteen
    "draw_first", "already_drawn", "discard_pile_empty", "stock_empty", "somebody_is_out", "not_all_melded",
    "no_meld", "no_melds",
)  # fmt: skip
