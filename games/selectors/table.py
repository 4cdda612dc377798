"""One game, as one viewer sees it: now, or at any version of the past."""

from dataclasses import dataclass
from typing import Any
from uuid import UUID

from msgspec import structs

from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, NotFound, Refused
from games.models import Game
from games.projections import Snapshot, load, snapshot_at
from games.rules.game import Viewer
from games.rules.moves import first_of
from games.rules.three_thirteen import state as three_thirteen
from games.rules.three_thirteen.lay_out import LayOut, lay_out
from games.selectors.access import game_title, may_know, may_watch


def game_for(player: Player | None, game_id: UUID, *, invitation: str | None = None) -> Snapshot:
    """One game (one query), if the player (None: anybody) may see it.

    Raises NotFound (also for a private one without a seat or a valid invitation), Forbidden (players_only: dealt, and
    without spectators).
    """
    snapshot = load(game_id)
    if snapshot is None or not may_know(snapshot, player, invitation):
        raise NotFound("not_found", "There is no such game.")
    if not may_watch(snapshot, player):
        raise Forbidden("players_only", f"Only its players can watch a game of {game_title(snapshot)}.")
    return snapshot


def viewer_of(game: Snapshot, player: Player | None) -> Viewer:
    """The player's rules viewer: a seat, "public", or None (everything) once the game is finished."""
    if game.status == Game.Status.FINISHED or game.revealed:
        return None
    seat = game.seat_of(player)
    return "public" if seat is None else seat


def view_of(game: Snapshot, player: Player | None) -> dict[str, Any] | None:
    return view_as(game, viewer_of(game, player))


def view_as(game: Snapshot, viewer: Viewer) -> dict[str, Any] | None:
    """The view for a rules viewer, or None before the deal. Nobody acts in a game that was called off."""
    if game.state is None:
        return None
    view = game.rules.view(game.state, viewer)
    return view | {"to_act": [], "may_interrupt": []} if game.status == Game.Status.CANCELLED else view


def history_view(game: Snapshot, version: int) -> Snapshot:
    """The game as it was at a version, with today's accounts. Two queries.

    Raises NotFound (the game never had that version).
    """
    past = snapshot_at(game.id, version) if 0 < version <= game.version else None
    if past is None:
        raise NotFound("no_such_version", f"The game has no version {version}; it is at version {game.version}.")
    people = Player.objects.in_bulk([seat.player for seat in past.players if seat.player])
    return structs.replace(past, accounts=people, uptime=game.uptime, revealed=game.status == Game.Status.FINISHED)


@dataclass(frozen=True, slots=True)
class Legal:
    """A player's legal moves, or why there are none (``{"code", "detail"}``)."""

    version: int
    moves: list[dict[str, Any]]
    reason: dict[str, str] | None


def legal_moves(player: Player, game: Snapshot) -> Legal:
    """Return what the player may do now; `send` is a complete move to post as it stands.

    Raises Forbidden (not_a_player).
    """
    seat = game.seat_of(player)
    if seat is None:
        raise Forbidden("not_a_player", "You are not a player in this game.")
    reason = {
        Game.Status.OPEN.value: {"code": "not_started", "detail": "The game has not started yet."},
        Game.Status.CANCELLED.value: {"code": "game_cancelled", "detail": "The game was called off."},
    }.get(game.status)
    if reason is not None:
        return Legal(game.version, [], reason)
    if game.status != Game.Status.FINISHED and game.players[seat].bot is not None:
        return Legal(
            game.version, [], {"code": "bot_plays", "detail": "A bot is playing for you. Take your seat back first."}
        )
    rules = game.rules
    # So that an interruption is not played as something else if the table has changed meanwhile.
    more = {"interrupt": True} if seat in rules.may_interrupt(game.state) else {}
    moves = [{**listed, "send": first_of(listed) | more} for listed in rules.legal_moves(game.state, seat)]
    return Legal(game.version, moves, None if moves else rules.why_not(game.state, seat))


def lay_out_of(player: Player, game: Snapshot, *, without: str | None = None) -> LayOut:
    """Return the player's hand in Three Thirteen, laid out at the least penalty (TT7), or what is left without a card.

    Raises Forbidden (not_a_player), Conflict (no_melds: a shedding game; not_started), Invalid (not_your_cards).
    """
    seat = game.seat_of(player)
    if seat is None:
        raise Forbidden("not_a_player", "You are not a player in this game.")
    if game.rules.family != three_thirteen.GAME:
        raise Conflict("no_melds", f"{game_title(game)} has no melds.")
    if game.state is None:
        raise Conflict("not_started", "The game has not started yet.")
    view = game.rules.view(game.state, seat)
    hand = list(view["players"][seat]["hand"])
    if without is not None and without not in hand:
        raise Refused("not_your_cards", f"You do not hold {without}.", field="without")
    if without is not None:
        hand.remove(without)
    return lay_out(hand, view["wild"], view["options"]["ace_points"])


def rematch_waits(player: Player | None, game: Snapshot) -> str | None:
    if game.seat_of(player) is None or game.status != Game.Status.FINISHED:
        return None
    rooms = Game.objects.filter(rematch_of=game.id, status=Game.Status.OPEN).exclude(players__player=player)
    return rooms.values_list("opener__username", flat=True).first()
