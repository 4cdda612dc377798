"""The places at the end of a shedding game (S8, S11-S14)."""

from typing import Any

from games.rules.shedding.state import State


def placements(state: State, *, shared: bool = False) -> list[dict[str, Any]]:
    """Return `[{"seat", "place", "score"}]` by place, then seat.

    Seats still in play are ranked by the cards they hold, fewest first; equal counts share a place (1, 2, 2, 4). With
    `shared`, they all share the best place that is free (S14).
    `score` is the number of cards left, or None for a seat that resigned.
    """
    best_free = 1 + sum(player.place is not None and not player.resigned for player in state.players)
    held = {seat: state.players[seat].cards_left for seat in state.in_play}
    rows = []
    for seat, player in enumerate(state.players):
        place = player.place
        if place is None:
            place = best_free + (0 if shared else sum(count < held[seat] for count in held.values()))
        rows.append({"seat": seat, "place": place, "score": None if player.resigned else player.cards_left})
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))
