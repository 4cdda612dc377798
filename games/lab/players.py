"""The players of simulated games."""

from collections.abc import Mapping, Sequence
from functools import cache
from typing import Any

from games import bots
from games.bots import shedding
from games.bots.listing import Listed, forced_move
from games.bots.shedding.ratings import Points
from games.bots.shedding.turn import trained_for
from games.rules import GAMES
from games.rules.game import Event, Game, State
from games.rules.planning import SUIT_ORDER, Move
from games.rules.plans import Plan, judge, read_plan
from games.rules.shedding import HOUSE_GAME, HouseGame, SheddingGame

LEVELS = ("plain", "weights", "steady", "random")
HOUSE_LEVELS = (*bots.levels_of(HOUSE_GAME), "random")


class Watcher:
    """What everybody at the table sees of a game, kept for the levels that ask for it."""

    def __init__(self, game: Game, levels: Sequence[str]) -> None:
        self.game = game
        self._is_needed = not {"plain", "random"}.issuperset(levels)
        self._seen: list[Event] = []
        self._memory: bots.Memory | None = None
        self._remembered = 0

    def see(self, event: Event) -> None:
        if self._is_needed:
            self._seen.append(self.game.redact(event, "public"))

    def last(self, wanted: int) -> Sequence[Event]:
        return self._seen[-wanted:] if wanted else ()

    @property
    def memory(self) -> bots.Memory | None:
        self._memory = bots.remember(self.game, self._seen[self._remembered :], self._memory)
        self._remembered = len(self._seen)
        return self._memory


def chosen_move(level: str, watcher: Watcher, state: State, seat: int, seed: str) -> Move:
    """Return the move of a player of this level, in turn or as an interruption."""
    game = watcher.game
    if isinstance(game, HouseGame):
        return bots.choose(level, game, {"options": state.options}, game.legal_moves(state, seat), seed)
    if level == "plain":
        return _plain(game, state, seat)
    legal = game.legal_moves(state, seat)
    if (forced := forced_move(legal)) is not None:
        return forced
    if level == "random":
        return bots.choose(level, game, {}, legal, seed)
    view = game.view(state, seat)
    choose = by_weights if level == "weights" else bots.choose
    events = watcher.last(bots.events_wanted(view))
    return choose("steady", game, view, legal, seed, events=events, memory=watcher.memory)


def by_weights(
    level: str,
    game: Game,
    view: Mapping[str, Any],
    legal: Sequence[Listed],
    seed: str | int,
    *,
    events: Sequence[Event] = (),
    memory: bots.Memory | None = None,
) -> Move:
    """Choose as `bots.choose` does, but in the shedding games without their networks."""
    if not isinstance(game, SheddingGame):
        return bots.choose(level, game, view, legal, seed, events=events, memory=memory)
    return shedding.choose(game, view, legal, events, memory, rating=Points)


def needs_networks(level: str, game: Game, options: Mapping[str, Any]) -> bool:
    """Return whether a player of this level would need networks that there are not for these options."""
    return level == "steady" and isinstance(game, SheddingGame) and trained_for(game.variant, options) is None


def _plain(game: Game, state: State, seat: int) -> Move:
    """Return the move of somebody who looks at nothing but the rules."""
    if game.status(state) == "setup":
        return _highest_face_up(game, state, seat)
    move = judge(game, state, seat, plain_plan(game.name)).move
    if move is None:
        raise AssertionError(f"the plain player has no move in seat {seat}")
    return move


def _highest_face_up(game: Game, state: State, seat: int) -> Move:
    (choice,) = game.legal_moves(state, seat)
    order = game.variant.order  # type: ignore[attr-defined]  # only this family arranges cards
    cards = sorted(choice["from"], key=lambda card: (order.index(card[0]), SUIT_ORDER[card]), reverse=True)
    return {"move": "arrange", "face_up": cards[: choice["choose"]]}


@cache
def plain_plan(name: str) -> Plan:
    """Return the plan that the plain player of a game plays by."""
    game = GAMES[name]
    moves: list[dict[str, Any]]
    if isinstance(game, SheddingGame):
        lowest = {"move": "play", "choose": "lowest", "count": "all", "keep": list(game.variant.plan_keeps)}
        moves = [lowest, {"move": "draw"}, {"move": "pick_up"}, {"move": "flip", "choose": "first"}]
        return read_plan(game, {"lines": [{"move": move, "interrupt": move is lowest} for move in moves]})
    discard, stock = ({"move": "draw", "from": source} for source in ("discard", "stock"))
    melds = {"move": discard, "when": {"top_melds": True}}
    moves = [stock, discard, {"move": "discard", "choose": "best"}]
    return read_plan(game, {"lines": [{"move": {"move": "go_out"}}, melds, *({"move": move} for move in moves)]})
