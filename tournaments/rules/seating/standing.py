"""Seating `standing`: entrants with similar totals who have not met yet sit together (SE3)."""

from tournaments.rules.lots import Numbers, drawn
from tournaments.rules.seating.bound import Sitting
from tournaments.rules.seating.costs import Costs, dealt
from tournaments.rules.seating.exchange import exchanged
from tournaments.rules.seating.least import MOST, least
from tournaments.rules.seating.meetings import Tables


def seated_by_standing(sitting: Sitting, costs: Costs, seed: str) -> Tables:
    """The tables of the next round; `sitting.entrants` and `costs` are in the order of the standings.

    Up to `least.MOST` entrants, no seating costs less. With more, neighbours by total sit together at first, and in the
    end no exchange of two entrants of tables at most five apart lowers the cost. Between equal costs the lot decides
    (SE5).
    """
    position = {entrant: at for at, entrant in enumerate(sitting.entrants)}
    by_lot = [position[entrant] for entrant in drawn(seed, "table", sitting.round, sitting.entrants)]
    if len(by_lot) <= MOST:
        tables = least(costs, by_lot, sitting.sizes)
    else:
        by_total = sorted(by_lot, key=lambda at: (costs.heights[at] is None, costs.heights[at] or 0))
        tables = exchanged(costs, dealt(by_total, sitting.sizes), Numbers(seed, "exchanges", sitting.round))
    return [[sitting.entrants[at] for at in table] for table in tables]
