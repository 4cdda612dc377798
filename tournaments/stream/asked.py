"""What a ruling is asked with, field by field; each field is declared once (see `reading`)."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TypeVar
from uuid import UUID

from core.refusals import Invalid
from core.text import MAX_REASON
from games.bots import BOTS
from tournaments.rules.exact import read_exact
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream import outcomes
from tournaments.stream.outcomes import Scored
from tournaments.stream.reading import (
    ENTRANT,
    MOST_DIGITS,
    NO_ENTRANT,
    SHORT,
    TOO_LONG,
    Reader,
    is_short,
    setting,
    settings_of,
)

MOST_SECONDS = 366 * 86_400
MAX_NUMBER = 1_000_000
MAX_SCORE = 100_000
ENTRANT_SCHEMA = {"type": "string", "pattern": f"^{ENTRANT.pattern}$", "maxLength": 8}
_POINTS = {
    "oneOf": [
        {"type": "string", "pattern": f"^{SHORT.pattern}$"},
        {"type": "integer", "minimum": 1 - 10**MOST_DIGITS, "maximum": 10**MOST_DIGITS - 1},
    ]
}

D = TypeVar("D")


@dataclass(frozen=True, slots=True)
class Placed:
    """How a game ended for an entrant, as an organiser gives it."""

    entrant: str | None = setting(read=lambda read: read.entrant("entrant"), schema=ENTRANT_SCHEMA)
    place: int | None = setting(most=MAX_NUMBER, help="Only an absent entrant needs none.")
    score: int | None = setting(least=-MAX_SCORE, most=MAX_SCORE)
    timeouts: int | None = setting(least=0, most=MAX_SCORE, help="By default those of the game.")
    absent: bool = setting(default=False)


@dataclass(frozen=True, slots=True)
class Asked:
    """A ruling as it is asked for. Fields that do not belong to it are None."""

    name: str
    reason: str = setting(required=True, most=MAX_REASON)
    dry_run: bool = setting(default=False)
    game: UUID | None = setting()
    round: int | None = setting(most=MAX_NUMBER)
    table: int | None = setting(most=MAX_NUMBER)
    entrant: str | None = setting(read=lambda read: read.entrant("entrant"), schema=ENTRANT_SCHEMA)
    players: Sequence[Scored] = setting(
        default=(), read=lambda read: _read(read, "players", read_players, list[Scored]())
    )
    rounds: int | None = setting(most=100)
    points: Fraction = setting(
        default=Fraction(),
        read=lambda read: _read(read, "points", read_points, Fraction()),
        schema=_POINTS,
        help='A whole number, or a fraction such as "-1/2".',
    )
    player: str | None = setting(most=100)
    bot: str | None = setting(
        read=lambda read: read.choice("bot", sorted(BOTS)) or None, schema={"type": "string", "enum": sorted(BOTS)}
    )
    seconds: int = setting(default=lambda _: 0, most=MOST_SECONDS)
    stage: int | None = setting(most=MOST_STAGES, help="By default the present one.")

    @property
    def of_entrant(self) -> str:
        if self.entrant is None:
            raise _bad("entrant", NO_ENTRANT)
        return self.entrant


ASKED, PLACED = settings_of(Asked), settings_of(Placed)


def _read(read: Reader, name: str, reader: Callable[[object], D], default: D) -> D:
    try:
        return reader(read.get(name))
    except Invalid as error:
        read.refuse(name, error.detail)
        return default


def read_players(raw: object) -> list[Scored]:
    """`[{"entrant", "place", "score", "timeouts", "absent"}]`, the last three optional. Raises Invalid (players).

    An absent player needs no place, and then has the last one.
    """
    if not isinstance(raw, list) or not raw:
        raise _bad("players", "Must be a list of players, each with its entrant and place.")
    rows = [_player(one) for one in raw]
    given = [place for place, _ in rows if place is not None]
    present = [place for place, player in rows if place is not None and not player.absent]
    if outcomes.are_places(given):
        return [player if place is not None else replace(player, place=1 + len(given)) for place, player in rows]
    outcomes.check_places(present)
    # Places are counted among those who were there, so absent players come after them.
    return [replace(player, place=1 + len(present)) if player.absent else player for _, player in rows]


def _player(raw: object) -> tuple[int | None, Scored]:
    """The place as it was given, and the player."""
    if not isinstance(raw, Mapping):
        raise _bad("players", "A player has an entrant, a place and, if known, score, timeouts and absent.")
    read = Reader(raw, tuple(PLACED))
    given = {name: one.value(read, {}) for name, one in PLACED.items()}
    if given["entrant"] is None:
        read.refuse("entrant", NO_ENTRANT)
    if given["place"] is None and not given["absent"]:
        read.refuse("place", "Only an absent entrant needs none.")
    read.check()
    return given["place"], Scored(**given | {"place": given["place"] or 0})


def _bad(name: str, detail: str) -> Invalid:
    return Invalid("invalid", detail, field=name)


def read_points(value: object) -> Fraction:
    """An exact number of points: an integer, or a text such as "-1/2". Raises Invalid (points)."""
    try:
        points = read_exact(value)
    except ValueError:
        detail = 'Must be a whole number, or a fraction as text such as "-1/2".'
        raise _bad("points", detail) from None
    if not is_short(value):
        raise _bad("points", TOO_LONG)
    return points
