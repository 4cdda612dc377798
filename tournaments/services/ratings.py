"""Ratings for seeding a knockout (KO2)."""

from collections.abc import Mapping, Sequence
from uuid import UUID

from tournaments.leaderboards.models import League
from tournaments.leaderboards.store import read_tallies
from tournaments.leaderboards.tally import ALL
from tournaments.stream.life import Ratings


def ratings_in(game: str) -> Ratings:
    """The ratings of players in the league of a game, as they are shown."""

    def ratings(players: Sequence[UUID]) -> Mapping[UUID | None, float]:
        league = League.objects.filter(pk=game).first()
        if league is None:
            return {}
        tallies = read_tallies(game, league.generation, [(ALL, player) for player in players])
        return {player: tally.rating.shown for (_, player), tally in tallies.items()}

    return ratings
