"""Notifications that players cause: invitations to play. Also, that they have seen a turn."""

from collections.abc import Iterable
from datetime import datetime
from uuid import UUID

from core import clock as service_clock
from core import log
from core.accounts import blocking
from core.accounts import services as accounts
from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.models import Seen
from core.refusals import Conflict, NotFound, Refused
from games.notifications.kinds import INVITED
from games.notifications.words import happened, played_for
from games.projections import Snapshot, load
from games.selectors.access import invitation_ended, may_know, was_sent_out
from games.services.commands import NO_SUCH_GAME, check_open, check_opener, member


def invite(game_id: UUID, player: Player, username: str) -> None:
    """Invite somebody to an open room in which the player sits; inviting the same player again tells them nothing.

    Raises:
        NotFound: no such room, or no such player (no_such_player).
        Forbidden (not_a_player, blocked; not_the_opener: the player was sent out), Conflict (already_started,
            game_over, game_cancelled, already_joined, room_full).
    """
    game = _known(game_id, player)
    member(game, player)
    check_open(game, "The game has already started, so nobody can join it.")
    guest = accounts.named(username)
    if guest is None or not guest.is_active:
        raise NotFound("no_such_player", "There is no player with this name.", field="username")
    blocking.check_invites(player.pk, guest, field="username")
    if game.seat_of(guest) is not None:
        raise Conflict("already_joined", f"{guest.username} is already at this table.", field="username")
    if len(game.players) >= game.seats:
        raise Conflict("room_full", f"All {game.seats} seats are taken.")
    if was_sent_out(game, guest):
        check_opener(game, player, "invite somebody back who was removed")
    # Whose invitation has ended is told of another one.
    ended = invitation_ended(game, guest)
    cause = f"game:{game_id}:invited:{player.pk}" + (f":{ended}" if ended else "")
    news = telling.news(guest.pk, INVITED, cause, game_id, game.version, data={"by": str(player.pk)}, by=player.pk)
    telling.tell_all([news], service_clock.now())


def invite_all(game: Snapshot, player: Player, guests: Iterable[UUID], *, now: datetime) -> None:
    """Invite several players to a room in which the player sits, but for those who take no invitations."""
    refusing = {player.pk, *blocking.those_who_blocked(player.pk)}
    cause, data = f"game:{game.id}:invited:{player.pk}", {"by": str(player.pk)}
    news = [
        telling.news(guest, INVITED, cause, game.id, game.version, data=data, by=player.pk)
        for guest in guests
        if guest not in refusing and game.seat_of(Player(pk=guest)) is None
    ]
    telling.tell_all(news, now)


def saw(game_id: UUID, player: Player, version: int) -> None:
    """Record that the player has seen this version of the game on a screen.

    Raises NotFound, Forbidden (not_a_player), Refused (unknown_version, 422).
    """
    game = _known(game_id, player)
    member(game, player)
    if not 1 <= version <= game.version:
        detail = f"The game has no version {version}; it is at version {game.version}."
        raise Refused("unknown_version", detail, field="version")
    telling.saw(player, game_id, version)


def since_seen(games: Iterable[Snapshot], player: Player | None) -> dict[UUID, str]:
    """What happened in the player's running games since they looked, in two sentences at most; two queries.

    Of a game that waits for others it is what was played for the player.
    """
    own = {game.id: game for game in games if game.is_running and game.seat_of(player) is not None}
    if player is None or not own:
        return {}
    seen = dict(Seen.objects.filter(player=player, subject_id__in=own).values_list("subject_id", "version"))
    after = {game.stream: seen.get(game.id, 0) for game in own.values() if seen.get(game.id, 0) < game.version}
    events = log.read_all(after) if after else {}
    said = {}
    for game in own.values():
        seat, since = game.seat_of(player) or 0, events.get(game.stream, ())
        told = since if waits_for(game, player) else played_for(seat, since)
        looked = "you looked" if game.id in seen else "the start"
        said[game.id] = " ".join(happened(game, seat, told, at_most=2, since=looked))
    return said


def waits_for(game: Snapshot, player: Player | None) -> bool:
    own = game.seat_of(player)
    return own is not None and game.players[own].duty is not None and game.players[own].bot is None


def _known(game_id: UUID, player: Player) -> Snapshot:
    game = load(game_id)
    if game is None or not may_know(game, player):
        raise NotFound("not_found", NO_SUCH_GAME)
    return game
