"""Messages about a game to the channels of its room or tournament (NT7): whose turn it is, and how it ended."""

from datetime import datetime
from uuid import UUID

from core import clock as service_clock
from core.notifications import groups
from core.notifications.chat import absolute
from core.notifications.chatting import Mention, Message
from core.notifications.groups import RESULT, TURN, Spoken
from core.notifications.models import Posting
from core.notifications.writing import PLAYED
from games.notifications import presence
from games.notifications.turns import Turn, turn_at
from games.notifications.words import length, names_at, table_by_its_people
from games.projections import Snapshot, load
from games.rules import GAMES
from games.selectors import deadlines

GAME = "game"
PRESENT = "present"


class Games:
    """Speaks for games."""

    def say(self, posting: Posting, service: str, now: datetime) -> Spoken:
        """The turn, or the result, with nothing of the cards."""
        game = load(posting.subject_id)
        if game is None:
            return Spoken(Message(("A game that is gone.",)), "game.finished")
        link = absolute(f"/games/{game.id}")
        if posting.topic == TURN:
            return Spoken(Message(_turn(game, posting.data["seat"], service, now), link), "game.turn")
        return Spoken(Message(_result(game), link), "game.finished")

    def no_point(self, posting: Posting, now: datetime) -> str | None:
        """Pointless if the turn is over, or if everybody who plays is at the table (LV4)."""
        if posting.topic != TURN:
            return None
        game = load(posting.subject_id)
        turn = turn_at(game, posting.data["seat"]) if game is not None else None
        if turn is None or turn.owner is None or turn.name != posting.cause:
            return PLAYED
        return PRESENT if presence.are_together(posting.subject_id, now) else None


def say_turn(turn: Turn) -> None:
    """Say whose turn began, once per turn."""
    if turn.owner is not None:
        _post(turn.game, TURN, turn.name, turn.version, seat=turn.seat)


def say_result(game: Snapshot) -> None:
    """Say how a game ended."""
    _post(game, RESULT, f"game:{game.id}:result", game.version)


def _post(game: Snapshot, topic: str, cause: str, version: int, **data: int) -> None:
    # Most games have no channels and cost no query. A tournament's room has none of its own.
    tournament = UUID(game.belongs_to["tournament"]) if game.belongs_to is not None else None
    whose = game.id if game.channels else tournament
    if whose is not None:
        groups.post(
            groups.channels_of(whose),
            topic,
            cause,
            subject=GAME,
            subject_id=game.id,
            version=version,
            data=data,
            now=service_clock.now(),
        )


def _turn(game: Snapshot, seat: int, service: str, now: datetime) -> tuple[str | Mention, ...]:
    who = groups.mention(game.account_of(game.players[seat]), service)
    due = deadlines(game).get(seat)
    left = f" {length(due - now)} left." if due is not None and due > now else ""
    return (who, f", it is your turn: {_title(game)}.{left}")


def _result(game: Snapshot) -> tuple[str, ...]:
    if game.result is None:
        return (f"The game was called off: {_title(game)}.",)
    places = sorted(game.result["placements"], key=lambda row: (row["place"] is None, row["place"], row["seat"]))
    names = names_at(game)
    told = ", ".join(f"{row['place']}. {names[row['seat']]}" for row in places)
    return (f"The game is over: {_title(game)}. {told}.",)


def _title(game: Snapshot) -> str:
    seats = [(game.account_of(place), place.bot is not None) for place in game.players]
    return table_by_its_people(GAMES[game.game].title, seats)
