"""Reading one game's rows; those that are lost are brought back from the log."""

from __future__ import annotations

from uuid import UUID

from django.db.models import F, Prefetch

from games import log
from games.models import Game, stream_of
from games.projections.rebuild import rebuild
from games.projections.rows import SEATS

# A move between the two statements is rare. So many in a row are no moves: the rows do not belong together.
_LOOKS = 20


def load(game_id: UUID, *, lock: log.Lock = log.Lock.NONE) -> Game | None:
    """One game with its seats and their players, all of one version; None where there is none.

    With Lock.WAIT the row is held for the transaction; with Lock.SKIP too, and None if somebody else holds it. Two
    queries, unless the rows are lost: then they are made again from the log.

    Raises LookupError for rows that the log cannot mend.
    """
    game = _look(game_id, lock)
    if game is not None or lock is log.Lock.SKIP or not log.read(stream_of(game_id), upto=1):
        return game
    # Also where the lock was waited for, of a row that a rebuild has replaced meanwhile.
    rebuild(game_id)
    game = _look(game_id, lock)
    if game is None:
        raise LookupError(f"game {game_id}: its rows are lost, and do not come back from its log")
    return game


def _look(game_id: UUID, lock: log.Lock) -> Game | None:
    games = Game.objects.all()
    if lock is not log.Lock.NONE:
        games = games.select_for_update(no_key=True, skip_locked=lock is log.Lock.SKIP)
    seats = SEATS.annotate(of_version=F("game__version"))
    games = games.filter(pk=game_id).prefetch_related(Prefetch("players", seats))
    for _ in range(_LOOKS):
        game = games.first()
        # Two statements: a move in between would show the seats of a later version.
        if game is None or _of_one_version(game):
            return game
    return None


def _of_one_version(game: Game) -> bool:
    seats = list(game.players.all())
    if not seats:
        return game.status == Game.Status.CANCELLED
    if game.dealt and len(seats) != game.seats:
        return False
    return all(seat.of_version == game.version for seat in seats)  # type: ignore[attr-defined]
