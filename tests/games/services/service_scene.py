"""What the service's tests share: rooms, moves out of the lists of legal ones, whole games."""

import random
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Barrier
from typing import Any
from uuid import UUID

from django.db import connections

from core.accounts.models import Player
from core.jobs.receipts import Keyed
from games import selectors, services
from games.models import Seat
from games.projections import Snapshot, load
from games.projections.vocabulary import name_of

SHORT = {"play_until": "first_out", "stalemate_after": 3}


def game_now(game_id: UUID) -> Snapshot:
    snapshot = load(game_id)
    assert snapshot is not None
    return snapshot


def seats_of(game: Snapshot) -> list[Seat]:
    """The rows of a game's seats, as they are now, each with what only the game's state has of it."""
    rows = list(Seat.objects.filter(game=game.id).select_related("player").order_by("index"))
    for row, seat in zip(rows, game_now(game.id).players, strict=True):
        row.duty, row.misses, row.salt = seat.duty and seat.duty.key, seat.misses, seat.salt
    return rows


def open_threes(
    player: Player,
    seats: int = 4,
    *,
    salt: Any = None,
    bots: Sequence[str] = (),
    now: datetime | None = None,
    **terms: Any,
) -> Snapshot:
    terms = {"game": "threes", "seats": seats, **terms}
    return services.open_room(player, services.Terms(**terms), salt=salt, bots=bots, now=now)


def started(*players: Player, **settings: Any) -> Snapshot:
    """A game of Threes (or another) that has just been dealt; one of Threes that soon comes to its end."""
    if settings.get("game", "threes") == "threes":
        settings.setdefault("options", SHORT)
    room = open_threes(players[0], len(players), **settings)
    for player in players[1:]:
        services.join(room.id, player, invitation=room.invitation)
    return services.start(room.id, players[0])


def choices(listed: dict[str, Any]) -> dict[str, Any]:
    """One move that can be sent, out of a listed one: the most cards of a rank, else the first."""
    match listed:
        case {"move": "play", "rank": _, "cards": cards, "max": most}:
            return {"move": "play", "cards": cards[:most]}
        case {"move": "flip", "positions": positions}:
            return {"move": "flip", "position": positions[0]}
        case {"move": "arrange", "choose": count, "from": cards}:
            return {"move": "arrange", "face_up": cards[:count]}
    return {key: value for key, value in listed.items() if key != "send"}


def a_move(game: Snapshot, player: Player, rng: random.Random | None = None) -> dict[str, Any] | None:
    moves = selectors.legal_moves(player, game).moves
    if not moves:
        return None
    return choices((rng or random.Random(0)).choice(moves))


def play(game_id: UUID, player: Player, move: Any, *, key: str | None = None, **how: Any) -> services.Answer:
    def shown(played: services.Played) -> services.Answer:
        body = {"version": played.version, "types": [name_of(event) for event in played.events]}
        return services.Answer(201, body)

    keyed = Keyed(player.pk, f"games/{game_id}", key, move, shown) if key is not None else None
    played = services.play(game_id, player, move, keyed=keyed, **how)
    return shown(played) if keyed is None else played


def next_mover(game: Snapshot) -> Player | None:
    seat = next((seat for seat in seats_of(game) if seat.to_act), None)
    return seat.player if seat is not None else None


def play_on(game_id: UUID, moves: int = 10_000, rng: random.Random | None = None) -> Snapshot:
    """Play legal moves, to the end or so many of them."""
    rng = rng or random.Random(1)
    people = {seat.index: seat.player for seat in seats_of(game_now(game_id))}
    awaited = Seat.objects.filter(game=game_id, to_act=True).order_by("index").values_list("index", flat=True)
    for _ in range(moves):
        game, seat = game_now(game_id), awaited.first()
        if seat is None:
            return game
        mover = people[seat]
        assert mover is not None
        move = a_move(game, mover, rng)
        assert move is not None
        play(game_id, mover, move)
    return game_now(game_id)


def play_until_all_have(game_id: UUID) -> Snapshot:
    """Play legal moves until every player has moved in play."""
    while not all(seat.played for seat in game_now(game_id).players):
        play_on(game_id, moves=1)
    return game_now(game_id)


def all_at_once(calls: Sequence[Any]) -> list[Any]:
    """Run the calls in a thread each, let go at the same moment; answers (or the exceptions raised), in order."""
    barrier = Barrier(len(calls))

    def run(call: Any) -> Any:
        try:
            barrier.wait(timeout=30)
            return call()
        except Exception as error:  # noqa: BLE001 (handed to the test, which judges it)
            return error
        finally:
            connections.close_all()

    with ThreadPoolExecutor(len(calls)) as pool:
        return list(pool.map(run, calls))
