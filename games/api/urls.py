"""The URLs of rooms and games, under `/api/v1/`, and what the OpenAPI document says beyond them: shapes and codes."""

from typing import Any

from django.conf import settings
from django.urls import path

from core.http.openapi import add_components
from games.api import events, games, history, moves, playing, tables
from games.bots import LEVELS
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
        "properties": {"level": {"type": "string", "enum": sorted(LEVELS)}},
        "additionalProperties": False,
        "description": "The bot that plays in this seat, for itself or for a player.",
    },
    "Clock": clock_schema(minimum_per_turn=settings.TREY_LIMITS["min_turn"]),
    **moves.COMPONENTS,
    **tables.COMPONENTS,
    **events.COMPONENTS,
}


add_components(COMPONENTS)

urlpatterns = [
    path("me/turns", games.TurnsView.as_view(), name="turns"),
    path("me/people", games.PeopleView.as_view(), name="people"),
    path("me/live", history.MyLiveView.as_view(), name="my_live"),
    path("rulesets", games.RulesetsView.as_view(), name="rulesets"),
    path("games", games.GamesView.as_view(), name="games"),
    path("games/<uuid:game_id>", games.GameView.as_view(), name="game"),
    path("games/<uuid:game_id>/moves", playing.MovesView.as_view(), name="moves"),
    path("games/<uuid:game_id>/lay_out", playing.LayOutView.as_view(), name="lay_out"),
    path("games/<uuid:game_id>/join", games.JoinView.as_view(), name="join"),
    path("games/<uuid:game_id>/leave", games.LeaveView.as_view(), name="leave"),
    path("games/<uuid:game_id>/bots", games.BotsView.as_view(), name="bots"),
    path("games/<uuid:game_id>/return", games.ReturnView.as_view(), name="return"),
    path("games/<uuid:game_id>/kick", games.KickView.as_view(), name="kick"),
    path("games/<uuid:game_id>/start", games.StartView.as_view(), name="start"),
    path("games/<uuid:game_id>/cancel", games.CancelView.as_view(), name="cancel"),
    path("games/<uuid:game_id>/rematch", games.RematchView.as_view(), name="rematch"),
    path("games/<uuid:game_id>/clock", games.ClockView.as_view(), name="clock"),
    path("games/<uuid:game_id>/invite", games.InviteView.as_view(), name="invite"),
    path("games/<uuid:game_id>/seen", games.SeenView.as_view(), name="seen"),
    path("games/<uuid:game_id>/events", history.EventsView.as_view(), name="events"),
    path("games/<uuid:game_id>/live", history.GameLiveView.as_view(), name="live"),
    path("games/<uuid:game_id>/history/<int:version>", history.HistoryView.as_view(), name="history"),
    path("games/<uuid:game_id>/record", history.RecordView.as_view(), name="record"),
    path("games/<uuid:game_id>/fairness", history.FairnessView.as_view(), name="fairness"),
]
