"""The bots of house games: they know nothing but the rules of the game, a document (HG20)."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.bots.listing import Listed, Move, any_of
from games.rules.planning import SUIT_ORDER
from games.rules.shedding.rules import Rules

SLIP = 1 / 3
"""The chance that the easy bot makes any legal move."""


def easy(rules: Rules, legal: Sequence[Listed], chance: Random) -> Move:
    return any_of(chance.choice(legal), chance) if chance.random() < SLIP else plain(rules, legal)


def plain(rules: Rules, legal: Sequence[Listed]) -> Move:
    """Return the move of the document's usual plan: what is used first goes first, all cards of a rank."""
    last = rules.by_use.index
    moves: Mapping[str, Listed] = {listed["move"]: listed for listed in legal}
    if "arrange" in moves:
        cards = sorted(moves["arrange"]["from"], key=lambda card: (last(card[0]), SUIT_ORDER[card]), reverse=True)
        return {"move": "arrange", "face_up": cards[: moves["arrange"]["choose"]]}
    if "draw" in moves and rules.draws == "fill":
        return {"move": "draw"}
    if "play" in moves:
        return _play(min((one for one in legal if one["move"] == "play"), key=lambda one: last(one["rank"])))
    if "flip" in moves:
        return {"move": "flip", "position": moves["flip"]["positions"][0]}
    return {"move": next(name for name in ("draw", "pick_up", "end_turn") if name in moves)}


def _play(listed: Mapping[str, Any]) -> Move:
    zones = (listed["cards"], listed.get("with_face_up", ()))
    own, along = (sorted(zone, key=SUIT_ORDER.__getitem__) for zone in zones)
    return {"move": "play", "cards": own[: listed["max"]] + along}
