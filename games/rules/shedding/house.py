"""House games: the whole document is the game's one option (HG17)."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any

from core.values import Value, of_field
from games.rules import options as option_rules
from games.rules.events import Viewer
from games.rules.game import Event
from games.rules.options import SetupError
from games.rules.shedding.builtin import Variant
from games.rules.shedding.decide import placements
from games.rules.shedding.document import Document, completed, digest, read
from games.rules.shedding.engine import SheddingGame
from games.rules.shedding.rules import Rules, compiled
from games.rules.shedding.state import State

HOUSE = Variant(
    name="house",
    summary="A shedding game with rules that players wrote.",
    document={"title": "House game", "seats": [2, 12], "decks": [[12, 3]]},
    order="",
    options=(),
    rulesets={"house": "The rules are the game's option `rules`."},
)


MOST_MOVES = 5000
"""After so many moves a game of bots alone ends (HG15)."""
THIS_GAME = "This game"
"""What refusals call it: its own title may be hidden from people, which the rules do not know (HG19)."""


class HouseGame(SheddingGame):
    """All house games, or the one that is played by some rules (`by`)."""

    def __init__(self, usual: Rules | None = None) -> None:
        super().__init__(HOUSE, usual)
        self.digest = digest(usual.document) if usual else None
        self.plan_keeps = self._kept()

    def _kept(self) -> str:
        """The ranks that the usual plan keeps: all, if it plays the others in another order than plans do (PL4)."""
        rules = self.usual
        by_use = [rank for rank in rules.by_use if rank in rules.search]
        others = [rank for rank in by_use if rank not in rules.kept]
        is_usual = others == [rank for rank in rules.search if rank in others]
        return "".join(rank for rank in by_use if rank in rules.kept or not is_usual)

    def by(self, options: Mapping[str, Any]) -> "HouseGame":
        """Return the game that is played by these options; those of the last ones are kept."""
        return _by(compiled(options["rules"]))

    def usual_plan(self, *, stock: bool) -> list[dict[str, Any]]:
        """The lines of the plan by which the plain bot plays (HG20)."""
        play = {"move": "play", "choose": "lowest", "count": "all", "keep": list(self.plan_keeps)}
        draw = [{"move": {"move": "draw"}}] if self.usual.draws else []
        fills = self.usual.draws == "fill"
        others = ({"move": "flip", "choose": "first"}, {"move": "pick_up"}, {"move": "end_turn"})
        return [
            *(draw if fills else []),
            {"move": play, "interrupt": True},
            *([] if fills else draw),
            *({"move": move} for move in others),
        ]

    def rules(self, options: Mapping[str, Any]) -> Rules:
        return compiled(options["rules"])

    def options_of(self, ruleset: str) -> dict[str, Value]:
        return {"rules": Value(name="rules", type=dict, help="The rules of the game, a document.")}

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        is_own = self.digest and self._is_own(options)
        document, wrong = (self.usual.document, []) if is_own else _document(options)
        try:
            name = option_rules.check_ruleset(ruleset, self.rulesets, self.default_ruleset, THIS_GAME)
        except SetupError as error:
            if not wrong:
                raise
            wrong = [(error.field, error.detail), *wrong]
        if wrong:
            raise SetupError(*wrong[0], wrong)
        least, most = document["seats"]
        option_rules.check_seats(seats, least, most, THIS_GAME)
        return name, {"rules": document}

    def _is_own(self, options: object) -> bool:
        """Whether these rules are this game's own; older ones lack keys of later releases (HG17)."""
        if not isinstance(options, Mapping) or not isinstance(rules := options.get("rules", {}), Mapping):
            return False
        return not options or (options.keys() == {"rules"} and completed(rules) == self.usual.document)

    def stop(self, state: State) -> Event:
        """Return the event by which a game of bots alone ends after too many moves: ranked as in a stalemate (HG15)."""
        ended = {"effect": "ended", "placements": placements(state), "ended_by": "limit"}
        return {"type": "stopped", "seat": None, "data": {"effects": [ended], "calls": []}}

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        rules = state.rules
        return super().view(state, viewer) | {
            # A loaded state has its keys in the order of the store.
            "options": {"rules": rules.document},
            "skips": state.skips,
            "powerless": rules.powerless(state.pile, state.laid_on_empty),
        }


def _document(options: object) -> tuple[Document, list[tuple[str, str]]]:
    """The rules in a house game's options, and all that is wrong with them, by field."""
    if not isinstance(options, Mapping) or options.keys() != {"rules"}:
        return {}, [("options", 'The options of a house game are only its rules: {"rules": {...}}.')]
    document, faults = read(options["rules"])
    return document, [
        (f"options.rules{path and '.'}{path}", of_field(path or "rules", said)) for path, said in faults.items()
    ]


@lru_cache(maxsize=512)
def _by(rules: Rules) -> HouseGame:
    return HouseGame(rules)


HOUSE_GAME = HouseGame()
