"""A room or game in a list, for its template: its people, what it waits for, and until when."""

from collections.abc import Iterable
from typing import Any
from uuid import UUID

from django.urls import reverse

from core.accounts.models import Player
from games import selectors
from games.notifications.services import since_seen, waits_for
from games.notifications.words import missed, names_at, places, title_of
from games.projections import Snapshot
from games.rules.words import listed
from games.selectors.belonging import described
from games.wording import span

Card = dict[str, Any]


def cards_of(games: Iterable[Snapshot], player: Player | None) -> list[Card]:
    shown = list(games)
    about, since = described(shown), since_seen(shown, player)
    return [
        _card_of(game, player, (about.get(game.id) or {}).get("title") or "", since.get(game.id, "")) for game in shown
    ]


def _card_of(game: Snapshot, player: Player | None, tournament: str, since: str) -> Card:
    own = game.seat_of(player)
    names = names_at(game)
    dues = selectors.deadlines(game)
    acting = [index for index, seat in enumerate(game.players) if seat.duty is not None]
    turn = waits_for(game, player)
    by_bot = own is not None and game.players[own].bot is not None
    return {
        "id": game.id,
        "title": title_of(game, own),
        "game": selectors.game_title(game),
        "status": game.status,
        "url": reverse("room-page", args=[game.id]) if game.status == "open" else game_url(game.id),
        "seats": game.seats,
        "free": max(0, game.seats - len(game.players)),
        "people": listed(names),
        "mine": own is not None,
        "turn": turn,
        "practice": game.is_practice and game.is_running,
        # The room is full, and waits for the reader, its opener, to start it.
        "starts": game.is_full and player is not None and game.opener == player.pk,
        # A bot plays for the reader, who can take the seat back at the table.
        "replaced": by_bot and game.is_running,
        "waits_for": "" if turn else listed([names[index] for index in acting if index != own]),
        # The reader's own deadline, else the earliest.
        "due": dues.get(own) if turn and own is not None else min(dues.values(), default=None),
        "per_turn": span(game.clock["per_turn"]),
        "rated": game.rated,
        # All of them in words, once the game is over.
        "places": places(game, own),
        # What happened since the reader looked last, or was played for them.
        "since": since,
        # A bot finished it for the reader.
        "by_bot": by_bot and game.status == "finished",
        # How often the clock has played for the reader, and what comes of it.
        "missed": missed(game, own) if own is not None and game.is_running else "",
        "ended_at": game.finished_at,
        # The title of the tournament that it belongs to, else empty.
        "tournament": tournament,
    }


def game_url(game_id: UUID) -> str:
    return f"/games/{game_id}"
