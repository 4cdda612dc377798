"""The boards (RA4): their order, who is on them, and what they show. A new board is one entry here."""

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction

from tournaments.leaderboards.tally import ALL, ENOUGH_OPPONENTS, SHARE, Tally

RATED_GAMES = 10
SEEN_WITHIN = timedelta(days=180)
BEATEN_GAMES = 10
PENALTY_GAMES = 3
# Means are integers in units of 1/PARTS, so that they are compared exactly.
PARTS = 10**12
PENALTY_PARTS = 10**9


@dataclass(frozen=True, slots=True)
class Board:
    """One way to order the players of a league.

    `score` gives an integer below 2**53 in absolute value, the higher the better; `why_not` the reason why a player
    has no rank, or None. Scores are counted by buckets of `width`, so that a rank needs no count of all players.
    """

    name: str
    title: str
    about: str
    score: Callable[[Tally], int]
    why_not: Callable[[Tally], str | None]
    mean: Callable[[Tally], Fraction] | None = None
    width: int = 1
    penalties_only: bool = False
    from_games: int = 1
    """How many games a rank takes."""

    def value(self, tally: Tally) -> Fraction | int:
        """What people see: the score, or the exact mean that it stands for."""
        return self.score(tally) if self.mean is None else self.mean(tally)


def _missing(number: int, what: str) -> str:
    return f"One more {what} is needed." if number == 1 else f"{number} more {what}s are needed."


def _rating_why_not(tally: Tally) -> str | None:
    if tally.games < RATED_GAMES:
        return _missing(RATED_GAMES - tally.games, "rated game")
    if len(tally.opponents) < ENOUGH_OPPONENTS:
        return _missing(ENOUGH_OPPONENTS - len(tally.opponents), "opponent")
    return None


def _at_least(games: int) -> Callable[[Tally], str | None]:
    def why_not(tally: Tally) -> str | None:
        return _missing(games - tally.games, "rated game") if tally.games < games else None

    return why_not


BOARDS = {
    board.name: board
    for board in (
        Board(
            "rating",
            "Rating",
            f"Players are ranked after {RATED_GAMES} rated games against at least {ENOUGH_OPPONENTS} "
            f"opponents, the latest within {SEEN_WITHIN.days} days.",
            lambda tally: tally.rating.shown,
            _rating_why_not,
            from_games=RATED_GAMES,
        ),
        Board(
            "beaten",
            "Opponents beaten",
            f"The average share of opponents beaten, from {BEATEN_GAMES} rated games.",
            lambda tally: tally.beaten * PARTS // (SHARE * max(tally.games, 1)),
            _at_least(BEATEN_GAMES),
            mean=lambda tally: tally.mean_beaten,
            width=PARTS // 4096,
            from_games=BEATEN_GAMES,
        ),
        Board("wins", "Wins", "First places in rated games.", lambda tally: tally.wins, _at_least(1)),
        Board("games", "Games", "Rated games.", lambda tally: tally.games, _at_least(1)),
        Board(
            "streak",
            "Longest winning streak",
            "The most first places in a row.",
            lambda tally: tally.best_streak,
            _at_least(1),
        ),
        Board(
            "penalty",
            "Penalty per round",
            f"The average penalty points per round, fewest first, from {PENALTY_GAMES} rated games.",
            lambda tally: -(tally.penalty * PENALTY_PARTS // max(tally.rounds, 1)),
            lambda tally: (
                _at_least(PENALTY_GAMES)(tally) or (None if tally.rounds else "No round has been scored yet.")
            ),
            mean=lambda tally: tally.mean_penalty or Fraction(0),
            width=PENALTY_PARTS // 100,
            penalties_only=True,
            from_games=PENALTY_GAMES,
        ),
    )
}


def boards_of(has_penalties: bool) -> list[Board]:
    return [board for board in BOARDS.values() if has_penalties or not board.penalties_only]


def note_scores(tally: Tally, boards: list[Board], number: int) -> None:
    """After a result, note for each board when its score was reached: of equal scores, the older one ranks first."""
    for board in boards:
        score = board.score(tally)
        if tally.reached.get(board.name, (None, 0))[0] != score:
            tally.reached[board.name] = (score, number)


def why_unranked(board: Board, period: str, tally: Tally, now: datetime) -> str | None:
    """Return why a player has no rank on a board, as a sentence, or None if there is a rank (RA2, RA4)."""
    reason = board.why_not(tally)
    if reason is not None:
        return reason
    expiry = expires_at(board, period, tally)
    if expiry is not None and expiry < now:
        return f"The last rated game was more than {SEEN_WITHIN.days} days ago."
    return None


def expires_at(board: Board, period: str, tally: Tally) -> datetime | None:
    """Return when a player's last game will be too long ago for the board (RA2); None if games never expire."""
    if board.name == "rating" and period == ALL and tally.last_at is not None:
        return tally.last_at + SEEN_WITHIN
    return None
