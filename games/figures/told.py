"""Simulated games of some rules, in four sentences, with warnings and a picture. Pure."""

from collections.abc import Iterator, Sequence
from functools import cached_property
from math import ceil

from games.lab.counting import Counted
from games.lab.estimates import Figures, figures, group_of, names_of, share
from games.lab.words import closed_by, in_players, order
from games.rules.words import listed

STANDS_STILL = ("agreed", "stalemate", "limit")
"""How a game of simulated players ends that gets nowhere."""
MOST_STALLED, MOST_MOVES = 0.05, 500
BINS, WIDTH, HEIGHT, MARGIN, FOOT = 12, 400, 150, 12, 24


class Told:
    def __init__(self, games: Sequence[Counted], seats: int) -> None:
        self.games, self.seats = games, seats

    @cached_property
    def _found(self) -> Figures:
        return figures(self.games, names_of([self.games], order))

    @property
    def sentences(self) -> list[str]:
        return [self._length(), self._ends(), self._first(), self._closings()]

    @property
    def warnings(self) -> Iterator[str]:
        if self._stalled > MOST_STALLED:
            yield f"In {_per_cent(self._stalled)} of these games nobody makes progress. Such games soon stop being fun."
        longest = max(int(game["moves"]) for game in self.games)
        if longest > MOST_MOVES:
            yield f"One of these games took {longest:,} moves."

    @property
    def _stalled(self) -> float:
        return sum(any(f"ended.{how}" in game for how in STANDS_STILL) for game in self.games) / len(self.games)

    def _length(self) -> str:
        turns = self._found["hand_overs"]
        played = f"In {len(self.games)} simulated games among {in_players(self.seats)} simple players"
        return f"{played} a game takes {turns.value:.0f} turns, and one in ten more than {turns.p90:.0f}."

    def _ends(self) -> str:
        if not self._stalled:
            return "Every game ends as it should: somebody gets rid of all cards."
        return (
            f"Of these, {_per_cent(1 - self._stalled)} end as they should and {_per_cent(self._stalled)} because they "
            "stand still."
        )

    def _first(self) -> str:
        """Whether the seat at the dealer's left comes in first more often than one in so many."""
        won = share([int(game["points.1"] == 1) for game in self.games])
        chance = 1 / self.seats
        judged = "which may be chance"
        if won.low is not None and won.high is not None and not won.low <= chance <= won.high:
            judged = f"{'more' if won.value > chance else 'less'} often than chance"
        return (
            f"The first seat, to the dealer's left, wins {_per_cent(won.value)} of them, {judged}: "
            f"an equal share is {_per_cent(chance)}."
        )

    def _closings(self) -> str:
        found = {name: one.value for name, one in self._found.items() if group_of(name) == "closings"}
        if not found:
            return "Nothing clears the pile."
        most = sorted(found, key=lambda name: -found[name])
        parts = [f"{found[name]:.1f} times by {closed_by(name.partition('.')[2])}" for name in most[:3]]
        if others := sum(found[name] for name in most[3:]):
            parts.append(f"{others:.1f} times otherwise")
        return f"The pile is cleared {sum(found.values()):.1f} times a game: {listed(parts)}."

    def picture(self) -> str:
        """How many of the games took how many turns: an SVG as wide as a phone, in the colour of its text."""
        turns = [int(game["hand_overs"]) for game in self.games]
        step = max(1, ceil((max(turns) + 1) / BINS))
        counts = [sum(step * at <= took < step * (at + 1) for took in turns) for at in range(BINS)]
        wide, scale = (WIDTH - 2 * MARGIN) / BINS, (HEIGHT - FOOT - MARGIN) / max(counts)
        bars = [
            f'<rect x="{MARGIN + wide * at + 1:.1f}" y="{HEIGHT - FOOT - scale * count:.1f}" width="{wide - 2:.1f}"'
            f' height="{scale * count:.1f}" fill="#2f7d6b"/>'
            for at, count in enumerate(counts)
        ]
        marks = [
            f'<text x="{MARGIN + wide * at:.1f}" y="{HEIGHT - 6}" font-size="12" text-anchor="middle">'
            f"{step * at}</text>"
            for at in range(0, BINS + 1, 3)
        ]
        most = step * counts.index(max(counts))
        label = f"{len(turns)} games of {min(turns)} to {max(turns)} turns, most of {most} to {most + step - 1}."
        line = f'<path d="M{MARGIN} {HEIGHT - FOOT}H{WIDTH - MARGIN}" stroke="currentColor"/>'
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" role="img" fill="currentColor">'
            f"<title>{label}</title>{''.join(bars)}{line}{''.join(marks)}</svg>"
        )


def _per_cent(share: float) -> str:
    """Rounded to a whole number, except where that would say none (0 %) or all (100 %) of some."""
    whole = f"{100 * share:.0f}"
    return f"{100 * share:.1f} %" if whole in ("0", "100") and share % 1 else f"{whole} %"
