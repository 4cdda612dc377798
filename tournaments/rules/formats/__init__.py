"""The kinds of tournaments, one file each. A new kind is a file and a line here."""

from tournaments.rules.formats.format import Format
from tournaments.rules.formats.knockout import KNOCKOUT
from tournaments.rules.formats.rounds import ROUNDS
from tournaments.rules.formats.season import SEASON
from tournaments.rules.settings import Kind

FORMATS: dict[Kind, Format] = {"season": SEASON, "rounds": ROUNDS, "knockout": KNOCKOUT}

__all__ = ["FORMATS", "Format"]
