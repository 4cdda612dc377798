"""The next round of a tournament of any kind."""

from tournaments.rules.errors import NoRound
from tournaments.rules.formats import FORMATS
from tournaments.rules.next_round import NextRound
from tournaments.rules.record import Record


def seat(record: Record) -> NextRound:
    """The tables of the next round (SE1 to SE6, KO1). Raises NoRound, with a sentence, if there is none."""
    if record.finished:
        raise NoRound("The tournament is finished, so it has no next round.")
    return FORMATS[record.kind].next_round(record)
