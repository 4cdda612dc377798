"""Reviews: how a finished game went, and which decisions cost most. Pure, without a server.

    review(game, happened) -> the figures as `GET games/{id}/review` has them

What a game looked like at each version comes from the rules, what a position is worth from the steady bot's networks
(`shedding`), and in Three Thirteen from the best lay-out (`three_thirteen`).
"""

from collections.abc import Iterable, Mapping
from typing import Any

from games.review import shedding, three_thirteen
from games.review.decisions import Happened, NoReviewError
from games.rules.game import Event, Game
from games.rules.shedding import SheddingGame

__all__ = ["Happened", "NoReviewError", "check", "numbered", "review"]


def review(game: Game, happened: Iterable[Happened]) -> dict[str, Any]:
    """Return the review of a finished game, given its events from `dealt` on.

    Raises NoReviewError: the game has not finished, or its options change what cards can do.
    """
    if isinstance(game, SheddingGame):
        return shedding.review(game, list(happened))
    return three_thirteen.review(game, list(happened))


def check(game: Game, options: Mapping[str, Any]) -> None:
    """Raises NoReviewError if a game with these options cannot be reviewed."""
    if isinstance(game, SheddingGame):
        shedding.networks_for(game, options)


def numbered(events: Iterable[Event]) -> list[Happened]:
    """Return the events of a record, which has no others: the deal is version 1."""
    return [Happened(version, event) for version, event in enumerate(events, start=1)]
