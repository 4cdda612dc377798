"""Checks of membership in a game, and of the stage that a command needs."""

from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, NotFound
from games.models import Game
from games.projections import Snapshot
from games.services.commands import NO_SUCH_GAME


def member(snapshot: Snapshot, player: Player) -> int:
    """The player's seat. Raises Forbidden for anybody else, or NotFound if the room is private."""
    seat = snapshot.seat_of(player)
    if seat is None:
        raise stranger(snapshot.visibility)
    return seat


def stranger(visibility: str) -> Forbidden | NotFound:
    """The refusal for somebody who does not play."""
    if visibility == Game.Visibility.PRIVATE:
        return NotFound("not_found", NO_SUCH_GAME)
    return Forbidden("not_a_player", "You do not play in this game.")


def check_not_over(snapshot: Snapshot) -> None:
    """Raises Conflict (game_cancelled, game_over) if the game is over or called off."""
    if snapshot.status == "cancelled":
        raise Conflict("game_cancelled", "The game was called off.")
    if snapshot.status == "finished":
        raise Conflict("game_over", "The game is over.")


def check_running(snapshot: Snapshot) -> None:
    """Raises Conflict (not_started, game_cancelled, game_over) unless there are moves to make."""
    check_not_over(snapshot)
    if not snapshot.is_running:
        raise Conflict("not_started", "The game has not started yet.")


def check_open(snapshot: Snapshot, otherwise: str) -> None:
    """Raises Conflict (game_cancelled, game_over, already_started with the sentence `otherwise`) after the lobby."""
    check_not_over(snapshot)
    if snapshot.status != "open":
        raise Conflict("already_started", otherwise)


def check_opener(snapshot: Snapshot, player: Player, what: str) -> None:
    """Raises Forbidden (not_the_opener) for anybody but the opener."""
    if snapshot.opener != player.pk:
        raise Forbidden("not_the_opener", f"Only the player who opened the room can {what}.")
