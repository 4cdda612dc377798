"""House games: the whole document is the game's one option (HG17)."""

from collections.abc import Mapping
from typing import Any

from core.values import Value, of_field
from games.rules import options as option_rules
from games.rules.events import Viewer
from games.rules.options import SetupError
from games.rules.shedding.builtin import Variant
from games.rules.shedding.document import read
from games.rules.shedding.engine import SheddingGame
from games.rules.shedding.rules import Rules, compiled
from games.rules.shedding.state import State

HOUSE = Variant(
    name="house",
    summary="A shedding game by rules that players wrote.",
    document={"title": "House game", "seats": [2, 12], "decks": [[12, 3]]},
    order="",
    options=(),
    rulesets={"house": "The rules are the game's option `rules`."},
)


class HouseGame(SheddingGame):
    def rules(self, options: Mapping[str, Any]) -> Rules:
        return compiled(options["rules"])

    def options_of(self, ruleset: str) -> dict[str, Value]:
        return {"rules": Value(name="rules", type=dict, help="The rules of the game, a document.")}

    def complete_options(self, seats: int, ruleset: str | None, options: object) -> tuple[str, dict[str, Any]]:
        ruleset = option_rules.check_ruleset(ruleset, self.rulesets, self.default_ruleset, self.title)
        if not isinstance(options, Mapping) or options.keys() != {"rules"}:
            raise SetupError("options", 'The options of a house game are its rules alone: {"rules": {...}}.')
        document, faults = read(options["rules"])
        for path, sentence in faults.items():
            raise SetupError(f"options.rules{path and '.'}{path}", of_field(path or "rules", sentence))
        least, most = document["seats"]
        option_rules.check_seats(seats, least, most, document["title"])
        return ruleset, {"rules": document}

    def view(self, state: State, viewer: Viewer) -> dict[str, Any]:
        rules = state.rules
        return super().view(state, viewer) | {
            # A loaded state has its keys in the order of the store.
            "options": {"rules": rules.document},
            "skips": state.skips,
            "powerless": rules.powerless(state.pile, state.laid_on_empty),
        }


HOUSE_GAME = HouseGame(HOUSE)
