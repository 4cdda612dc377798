"""What a ruling is asked with, field by field; each field is declared once (see `reading`)."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any
from uuid import UUID

from core.refusals import Invalid
from core.text import MAX_REASON, line
from core.values import REQUIRED, Faults, Value, read, values_of
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
    entrant_key,
    is_short,
    setting,
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


@dataclass(frozen=True, slots=True)
class Placed:
    """How a game ended for an entrant, as an organiser gives it."""

    entrant: Annotated[str, Value(read=entrant_key, schema=ENTRANT_SCHEMA)]
    place: int | None = setting(most=MAX_NUMBER, help="Only an absent entrant needs none.")
    score: int | None = setting(least=-MAX_SCORE, most=MAX_SCORE)
    timeouts: int | None = setting(least=0, most=MAX_SCORE, help="By default those of the game.")
    absent: bool = setting(default=False)

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        if given.get("place") is None and given.get("absent") is not True:
            faults.refuse("place", "Only an absent entrant needs none.")


def read_players(raw: Sequence[object]) -> list[Scored]:
    """The players of a game, as `Placed` has them. Raises ValueError.

    An absent player needs no place, and then has the last one.
    """
    rows = [_row(one) for one in raw]
    given = [row["place"] for row in rows if row["place"] is not None]
    present = [row["place"] for row in rows if row["place"] is not None and not row["absent"]]
    if outcomes.are_places(given):
        last = 1 + len(given)
        return [Scored(**{**row, "place": row["place"] or last}) for row in rows]
    if not outcomes.are_places(present):
        raise ValueError(outcomes.NO_PLACES)
    # Places are counted among those who were there, so absent players come after them.
    last = 1 + len(present)
    return [Scored(**{**row, "place": last if row["absent"] else row["place"]}) for row in rows]


def _row(raw: object) -> dict[str, Any]:
    if not isinstance(raw, Mapping):
        raise ValueError("A player has an entrant, a place and, if known, score, timeouts and absent.")
    try:
        return read(Placed, raw, null_is_nothing=True)
    except Invalid as error:
        raise ValueError(error.detail) from None


def read_points(value: object) -> Fraction:
    """An exact number of points: an integer, or a text such as "-1/2". Raises ValueError."""
    try:
        points = read_exact(value)
    except ValueError:
        raise ValueError('Must be a whole number, or a fraction as text such as "-1/2".') from None
    if not is_short(value):
        raise ValueError(TOO_LONG)
    return points


@dataclass(frozen=True, slots=True)
class Asked:
    """A ruling as it is asked for. Fields that do not belong to it are None."""

    name: str
    reason: Annotated[str, line(MAX_REASON)]
    dry_run: bool = setting(default=False)
    game: UUID | None = setting()
    round: int | None = setting(most=MAX_NUMBER)
    table: int | None = setting(most=MAX_NUMBER)
    entrant: str | None = setting(read=entrant_key, schema=ENTRANT_SCHEMA)
    players: Sequence[Scored] = setting(sent=list, default=lambda _: [], read=read_players)
    rounds: int | None = setting(most=100)
    points: Fraction = setting(
        sent=object,
        default=REQUIRED,
        read=read_points,
        schema=_POINTS,
        help='A whole number, or a fraction such as "-1/2".',
    )
    player: str | None = setting(most=100, help="The name of the one who plays on. Or name a bot.")
    bot: str | None = setting(words={level: level for level in sorted(BOTS)}, empty="no bot")
    seconds: int = setting(default=lambda _: 0, most=MOST_SECONDS)
    stage: int | None = setting(most=MOST_STAGES, help="By default the present one.")

    @property
    def of_entrant(self) -> str:
        if self.entrant is None:
            raise Invalid("invalid", NO_ENTRANT, field="entrant")
        return self.entrant


ASKED = {name: one for name, one in values_of(Asked).items() if name != "name"}
PLACED = values_of(Placed)
