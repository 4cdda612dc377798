"""Entrants as the pages name them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from tournaments import selectors
from tournaments.models import Entrant, Tournament


@dataclass(frozen=True, slots=True)
class Name:
    """An entrant as a page names it; `player` is the name of the page of its player, if there is one to link to."""

    key: str
    text: str
    player: str | None


def entrants_of(tournament: Tournament) -> list[Entrant]:
    """All entrants with their players, in the order of entry. One query."""
    return list(Entrant.objects.filter(tournament=tournament).select_related("player").order_by("number"))


def texts_of(tournament: Tournament) -> dict[str, str]:
    """The names of all entrants as texts, by key. One query."""
    return {key: name.text for key, name in names_of(entrants_of(tournament)).items()}


def names_of(entrants: Sequence[Entrant]) -> dict[str, Name]:
    """The names of entrants, by key."""
    known = {one.player_id: one.player.username for one in entrants if one.player_id and one.player}
    texts = selectors.told_apart({one.key: selectors.name_of(one, known) for one in entrants})
    return {one.key: Name(one.key, texts[one.key], _linked(one)) for one in entrants}


def _linked(entrant: Entrant) -> str | None:
    player = entrant.player if entrant.player_id else None
    if player is None or player.closed_at is not None or player.preferences.get("unlisted") is True:
        return None
    return player.username
