"""The rights to know of a game, and to look at it."""

import hmac
from uuid import UUID

from core import log
from core.accounts import blocking
from core.accounts.models import Player
from core.notifications.models import Notification
from games.events import Changed, Kicked, Left
from games.hooks import HIDING
from games.models import Game
from games.projections import Snapshot
from games.rules import PLAYED
from games.rules import Game as Rules
from games.selectors import belonging

Room = Game | Snapshot


def game_title(room: Room) -> str:
    """What people call the game: a house game has its own title, unless that is hidden from them."""
    return _title(room.game, room.title, room.digest)


def title_by(rules: Rules) -> str:
    """The same of a game by rules."""
    return _title(rules.name, rules.title, rules.digest)


def _title(game: str, own: str | None, digest: str | None) -> str:
    is_hidden = digest is None or any(hides(digest) for hides in HIDING)
    return PLAYED[game].title if own is None or is_hidden else own


def may_know(game: Room, player: Player | None, invitation: object = None) -> bool:
    """Return whether the player (None: anybody) may know of the room: it is public, theirs, or they are invited."""
    if game.visibility == Game.Visibility.PUBLIC or game.seat_of(player) is not None:
        return True
    if game.belongs_to is not None and belonging.owner().may_know(game.belongs_to, player):
        return True
    if not isinstance(invitation, str) or game.invitation is None:
        return False
    return hmac.compare_digest(_code(invitation), _code(game.invitation))


def may_watch(game: Room, player: Player | None) -> bool:
    """Return whether the player may see the table: without spectators, only players may once cards are dealt."""
    if PLAYED[game.game].spectators or not game.dealt or game.seat_of(player) is not None:
        return True
    return game.belongs_to is not None and belonging.owner().may_watch(game.belongs_to, player)


def is_known_to(game: Room, player: Player) -> bool:
    """Return whether the player may look at the room now, by a seat, or since it is public, or since they are invited.

    Whoever has a code has to show it, each time.
    """
    return (may_know(game, player) or is_invited(game, player)) and may_watch(game, player)


def is_invited(game: Room, player: Player) -> bool:
    """Return whether the player was invited by name to a room that is still open, and nothing has ended that."""
    if game.status != Game.Status.OPEN:
        return False
    given = Notification.objects.filter(
        player=player, kind="invited", subject_id=game.id, version__gte=invitation_ended(game, player)
    )
    blockers = blocking.those_who_blocked(player.pk)
    return any(UUID(by) not in blockers for by in given.values_list("data__by", flat=True))


def invitation_ended(game: Room, player: Player) -> int:
    """The version at which the player last left, was sent out, or the room was made private; 0 if nothing of this."""
    events = log.read(game.stream, types=[Left.type, Kicked.type, Changed.type])
    return max((event.version for event in events if _ends_invitation(event, player)), default=0)


def was_sent_out(game: Room, player: Player) -> bool:
    kicked = log.read(game.stream, types=[Kicked.type])
    return any(event.data["player"] == str(player.pk) for event in kicked) and not is_invited(game, player)


def _ends_invitation(event: log.Event, player: Player) -> bool:
    if event.type == Changed.type:
        return "visibility" in event.data["changes"] and event.data["visibility"] == Game.Visibility.PRIVATE
    return bool(event.data["player"] == str(player.pk))


def _code(invitation: str) -> bytes:
    return invitation.strip().upper().encode("utf-8", "replace")
