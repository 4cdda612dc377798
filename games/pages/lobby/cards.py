"""A room or game in a list: its people, what it waits for, and until when."""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime
from uuid import UUID

from django.urls import reverse

from core.accounts.models import Player
from games import selectors
from games.belonging import described
from games.notifications.services import since_seen, waits_for
from games.notifications.words import missed, names_at, places, title_of
from games.projections import Snapshot
from games.rules import GAMES
from games.wording import listed, span


@dataclass(frozen=True, slots=True)
class Card:
    """A room or a game as a list shows it.

    due: the reader's own deadline, else the earliest.
    starts: the room is full, and waits for the reader, its opener, to start it.
    replaced: a bot plays for the reader, who can take the seat back at the table.
    places: all of them in words, once the game is over.
    since: what happened since the reader looked last, or was played for them (BT4).
    by_bot: a bot finished it for the reader.
    missed: how often the clock has played for the reader, and what comes of it (BT4).
    tournament: the title of the tournament that it belongs to, else empty.
    """

    id: UUID
    title: str
    game: str
    status: str
    url: str
    seats: int
    free: int
    people: str
    mine: bool
    turn: bool
    starts: bool
    practice: bool
    replaced: bool
    waits_for: str
    due: datetime | None
    per_turn: str
    rated: bool
    places: str
    since: str
    by_bot: bool
    missed: str
    ended_at: datetime | None
    tournament: str


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
    return Card(
        id=game.id,
        title=title_of(game, own),
        game=GAMES[game.game].title,
        status=game.status,
        url=reverse("room-page", args=[game.id]) if game.status == "open" else game_url(game.id),
        seats=game.seats,
        free=max(0, game.seats - len(game.players)),
        people=listed(names),
        mine=own is not None,
        turn=turn,
        practice=game.is_practice and game.is_running,
        starts=game.is_full and player is not None and game.opener == player.pk,
        replaced=by_bot and game.is_running,
        waits_for="" if turn else listed([names[index] for index in acting if index != own]),
        due=dues.get(own) if turn and own is not None else min(dues.values(), default=None),
        per_turn=span(game.clock["per_turn"]),
        rated=game.rated,
        places=places(game, own),
        since=since,
        by_bot=by_bot and game.status == "finished",
        missed=missed(game, own) if own is not None and game.is_running else "",
        ended_at=game.finished_at,
        tournament=tournament,
    )


def game_url(game_id: UUID) -> str:
    return f"/games/{game_id}"
