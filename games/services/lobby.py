"""The lobby: sitting down, leaving, starting, calling it off."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from uuid import UUID

from django.db import IntegrityError

from games import clock as service_clock
from games.access import may_know
from games.accounts.models import Player
from games.models import Game
from games.projections import Picture, load
from games.refusals import Conflict, Forbidden, Invalid, NotFound
from games.rules import GAMES, SetupError
from games.rules.fairness import Chance
from games.services.opening import bot_fact, complete_options, joined_fact, open_room
from games.services.writing import Decide, Fact, change

NO_SUCH_GAME = "There is no such game."


def join(
    game_id: UUID,
    player: Player,
    *,
    invitation: str | None = None,
    salt: str | None = None,
    now: datetime | None = None,
) -> Game:
    """Sit down in an open room, in the next seat.

    Raises:
        NotFound: no such room, or a private one and the invitation is wrong.
        Conflict: room_full, already_joined, already_started, game_cancelled, game_over.
        Invalid: a salt that is none.
    """

    def decide(game: Game, picture: Picture) -> Sequence[Fact]:
        if not may_know(game, player, invitation):
            raise NotFound("not_found", NO_SUCH_GAME)
        return _sit_down(picture, player, salt)

    return do(game_id, player, decide, now)


def leave(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """Leave an open room: those behind move up, the opener's part passes to the next, an empty room is cancelled.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (already_started: resign instead; game_cancelled, game_over).
    """

    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        seat = member(picture, player)
        _check_open(picture, "The game has started: resign instead of leaving.")
        return _gone(picture, "left", seat)

    return do(game_id, player, decide, now)


def kick(game_id: UUID, player: Player, seat: int, *, now: datetime | None = None) -> Game:
    """The opener sends somebody else out of an open room, by seat.

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Invalid (seat), Conflict as `leave`.
    """

    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        own = member(picture, player)
        _check_open(picture, "The game has started: nobody can be sent out any more.")
        _check_opener(picture, player, "send somebody out")
        if type(seat) is not int or not 0 <= seat < len(picture.players):
            raise Invalid("bad_seat", "There is nobody in that seat.", field="seat")
        if seat == own:
            raise Invalid("bad_seat", "To leave the room yourself, leave it.", field="seat")
        return _gone(picture, "kicked", seat)

    return do(game_id, player, decide, now)


def add_bot(game_id: UUID, player: Player, level: str = "steady", *, now: datetime | None = None) -> Game:
    """The opener lets a bot sit down in an open room, in the next seat. The game is not rated any more.

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Invalid (level), Conflict (room_full, already_started,
        game_cancelled, game_over).
    """

    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        member(picture, player)
        _check_open(picture, "The game has already started; nobody can join it any more.")
        _check_opener(picture, player, "let a bot sit down")
        _check_room(picture)
        return [bot_fact(level, len(picture.players))]

    return do(game_id, player, decide, now)


def start(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """The opener starts the game with those who are there: the dealer is drawn by lot and the cards are dealt.

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Conflict (already_started, too_few_players,
        game_cancelled, game_over), Invalid (options that do not go with so many seats).
    """

    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        member(picture, player)
        _check_open(picture, "The game has already started.")
        _check_opener(picture, player, "start the game")
        return _deal(picture)

    return do(game_id, player, decide, now)


def cancel(game_id: UUID, player: Player, *, now: datetime | None = None) -> Game:
    """Call a game off.

    An open room: the opener's call. A running game: the caller's agreement, and it is cancelled once all people still
    in it agree, but those for whom a bot plays (one's agreement lapses with one's next move).

    Raises:
        NotFound, Forbidden (not_a_player, not_the_opener), Conflict (game_cancelled, game_over, resigned).
    """

    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        seat = member(picture, player)
        check_running(picture)
        if picture.status == "open":
            _check_opener(picture, player, "call the game off")
            return [_cancelled("opener")]
        return _agree(picture, seat)

    return do(game_id, player, decide, now)


def rematch(game_id: UUID, player: Player, *, salt: str | None = None, now: datetime | None = None) -> Game:
    """The next game among the same people: a new room with the same settings.

    The first to ask opens it, the others who ask sit down in it. Answers the new room; ``rematch_of`` links it to the
    old one.

    Raises:
        NotFound, Forbidden (not_a_player), Conflict (not_finished; room_full, already_started, game_over: the new
        room's).
    """
    old = load(game_id)
    if old is None:
        raise NotFound("not_found", NO_SUCH_GAME)
    if old.seat_of(player) is None:
        raise _stranger(old.visibility)
    if old.status != Game.Status.FINISHED:
        raise Conflict("not_finished", "A rematch can be asked for once the game is finished.")
    while True:
        room = Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).first()
        if room is not None:
            try:
                return _join_rematch(room.pk, player, salt, now)
            except _RoomIsGone:
                continue
        try:
            return _open_rematch(old, player, salt, now)
        except IntegrityError:
            # Somebody else opened it at the same moment.
            if not Game.objects.filter(rematch_of=game_id).exclude(status=Game.Status.CANCELLED).exists():
                raise


class _RoomIsGone(Exception):  # noqa: N818 (an outcome of the race, not an error)
    """The rematch was called off while somebody was about to join it."""


def _join_rematch(room_id: UUID, player: Player, salt: str | None, now: datetime | None) -> Game:
    def decide(_: Game, picture: Picture) -> Sequence[Fact]:
        if picture.status == "cancelled":
            raise _RoomIsGone
        return [] if picture.seat_of(player.pk) is not None else _sit_down(picture, player, salt)

    return do(room_id, player, decide, now)


def _open_rematch(old: Game, player: Player, salt: str | None, now: datetime | None) -> Game:
    return open_room(
        player,
        game=old.game,
        ruleset=old.ruleset,
        options=old.asked_options,
        seats=old.seats,
        visibility=old.visibility,
        rated=old.rated,
        clock=old.clock,
        salt=salt,
        bots=[seat.bot["level"] for seat in old.seat_rows() if seat.bot is not None and seat.player_id is None],
        rematch_of=old.pk,
        now=now,
    )


def do(game_id: UUID, player: Player, decide: Decide, now: datetime | None) -> Game:
    """A change that a player asks for; answers the game after it."""
    actor = {"kind": "player", "id": str(player.pk)}
    changed = change(game_id, decide, actor=actor, now=now or service_clock.now())
    for seat in changed.game.seat_rows():
        if seat.player_id == player.pk:
            seat.player = player
    return changed.game


def _sit_down(picture: Picture, player: Player, salt: str | None) -> list[Fact]:
    check_running(picture)
    if picture.seat_of(player.pk) is not None:
        raise Conflict("already_joined", "You already sit in this room.")
    _check_open(picture, "The game has already started; nobody can join it any more.")
    _check_room(picture)
    return [joined_fact(player, len(picture.players), salt)]


def _check_room(picture: Picture) -> None:
    if len(picture.players) >= picture.seats:
        raise Conflict("room_full", f"All {picture.seats} seats are taken.")


def _gone(picture: Picture, how: str, seat: int) -> list[Fact]:
    leaver = picture.players[seat].player
    people = [other.player for index, other in enumerate(picture.players) if index != seat and other.player]
    opener = people[0] if picture.opener == leaver and people else picture.opener
    data = {"player": str(leaver) if leaver else None, "opener": str(opener) if people else None}
    gone = Fact(how, data, seat)
    return [gone] if people else [gone, _cancelled("empty")]


def _deal(picture: Picture) -> list[Fact]:
    rules = GAMES[picture.game]
    seats = len(picture.players)
    if seats < rules.min_seats:
        raise Conflict("too_few_players", f"{rules.title} needs at least {rules.min_seats} players to start.")
    _, options = complete_options(picture.game, seats, picture.ruleset, picture.asked_options)
    salts = [seat.salt for seat in picture.players]
    chance = Chance(bytes.fromhex(picture.secret), salts)
    dealer = chance.dealer(seats)
    try:
        _, events = rules.deal(seats, picture.ruleset, options, dealer, chance.shuffle(picture.shuffles + 1))
    except SetupError as error:
        raise Invalid("bad_" + error.field.split(".")[0], error.detail, field=error.field) from None
    started = Fact("started", {"seats": seats, "options": options, "dealer": dealer, "salts": salts})
    return [started, *(Fact(event["type"], event["data"], event["seat"]) for event in events)]


def _agree(picture: Picture, seat: int) -> list[Fact]:
    own = picture.players[seat]
    if own.resigned:
        raise Conflict("resigned", "You have resigned: the others go on without you.")
    others = [
        other
        for index, other in enumerate(picture.players)
        if index != seat and other.player is not None and other.bot is None and not other.resigned
    ]
    facts = [] if own.agrees_to_cancel else [Fact("cancel_agreed", {}, seat)]
    if all(other.agrees_to_cancel for other in others):
        facts.append(_cancelled("agreed"))
    return facts


def _cancelled(reason: str) -> Fact:
    return Fact("cancelled", {"reason": reason})


def member(picture: Picture, player: Player) -> int:
    """Where the player sits. Raises Forbidden, or NotFound of a private room, for who does not."""
    seat = picture.seat_of(player.pk)
    if seat is None:
        raise _stranger(picture.visibility)
    return seat


def _stranger(visibility: str) -> Forbidden | NotFound:
    if visibility == Game.Visibility.PRIVATE:
        return NotFound("not_found", NO_SUCH_GAME)
    return Forbidden("not_a_player", "You do not play in this game.")


def check_running(picture: Picture) -> None:
    """Raises Conflict where the game is over or called off."""
    if picture.status == "cancelled":
        raise Conflict("game_cancelled", "The game was called off.")
    if picture.status == "finished":
        raise Conflict("game_over", "The game is over.")


def _check_open(picture: Picture, otherwise: str) -> None:
    check_running(picture)
    if picture.status != "open":
        raise Conflict("already_started", otherwise)


def _check_opener(picture: Picture, player: Player, what: str) -> None:
    if picture.opener != player.pk:
        raise Forbidden("not_the_opener", f"Only the player who opened the room can {what}.")
