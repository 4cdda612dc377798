"""The tie-breaks (ST2 to ST7), one file per family. A new tie-break is a function in one of them and a line here."""

from tournaments.rules.tie_breaks.lot import lot
from tournaments.rules.tie_breaks.meetings import head_to_head, opponents_strength
from tournaments.rules.tie_breaks.places import countback, wins
from tournaments.rules.tie_breaks.tie_break import TieBreak, Value, in_group, less, like_points, more
from tournaments.rules.tie_breaks.timeouts import timeouts

TIE_BREAKS: dict[str, TieBreak] = {
    "opponents_strength": like_points(opponents_strength),
    "wins": more(wins),
    "head_to_head": in_group(head_to_head),
    "countback": more(countback),
    "timeouts": less(timeouts),
    "lot": less(lot),
}

__all__ = ["TIE_BREAKS", "TieBreak", "Value"]
