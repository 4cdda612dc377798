"""What players of Three Card call the things that happen (TC10)."""

from collections.abc import Sequence

from games.rules.events import Facts
from games.rules.shedding.rules import Cards, in_a_row
from games.rules.shedding.state import State

CALLS = ("kerchoo", "number_of_the_beast", "lucky_number_of_the_beast", "exorcism", "on_the_train")
"""The order in which an event names them."""
LOW = "345678"
BEASTS = {"6": "number_of_the_beast", "7": "lucky_number_of_the_beast"}


def who_dealt(hands: Sequence[Sequence[str]]) -> list[int]:
    """Return the seats whose second stack of six cards has nothing but 3s to 8s."""
    return [seat for seat, hand in enumerate(hands) if all(card[0] in LOW for card in hand)]


def calls(state: State, effects: Sequence[Facts]) -> list[str]:
    """Return the calls for what a move causes, given the state before it and its effects."""
    found = []
    for effect in effects:
        match effect["effect"]:
            case "closed":
                found.append("kerchoo")
            case "laid":
                found += _calls_of_play(state.pile, effect["cards"])
            case "picked_up" if state.is_pile_of_turn_before and state.players[effect["seat"]].train:
                found.append("on_the_train")
    return sorted(found, key=CALLS.index)


def _calls_of_play(pile: Cards, played: Sequence[str]) -> list[str]:
    rank = played[0][0]
    lay = in_a_row(pile) if pile and pile[-1][0] == rank else 0
    if rank in BEASTS and lay + len(played) == 3:
        return [BEASTS[rank]]
    return ["exorcism"] if rank == "6" and lay == 3 else []
