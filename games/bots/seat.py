"""The seat to which a view belongs."""

from collections.abc import Mapping
from typing import Any


def own_player(view: Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the player whose view this is: of those who may move, the one whose hand is shown."""
    may_move = {*view["to_act"], *view["may_interrupt"]}
    return next(player for player in view["players"] if player["seat"] in may_move and player["hand"] is not None)
