"""What the live streams say of a talk."""

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from core.accounts.models import Player
from core.http.openapi import ref
from games import hooks
from games.talk import services

_OF_PLAYERS = """
SELECT seat.player_id, talk.game_id, talk.changes, coalesce(reader.read, 0), coalesce(reader.quiet, FALSE)
FROM games_talk talk JOIN games_seat seat ON seat.game_id = talk.game_id
LEFT JOIN games_talkreader reader ON reader.game_id = talk.game_id AND reader.player_id = seat.player_id
WHERE seat.player_id = ANY(%s)
"""


def _unread(player: Player, games: Sequence[UUID]) -> list[dict[str, Any]]:
    """How much is unread in each talk of these that has changed."""
    services.refresh_level(player)
    return [{key: one[key] for key in ("game", "last", "unread")} for one in services.talks_of(player, games)]


NEWS = hooks.News(
    event="talk",
    changes="SELECT game_id, changes FROM games_talk WHERE game_id = ANY(%s)",
    of_players=_OF_PLAYERS,
    at_table=services.news_for,
    to_player=_unread,
    data=({"oneOf": [ref("TalkMessage"), ref("TalkNews")]}, ref("TalkNews")),
)
