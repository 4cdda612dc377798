"""Tables for rule tests: a position drawn by hand or dealt from a stacked deck, and moves as people say them."""

from collections.abc import Sequence
from typing import Any

import pytest

from games.rules import PLAYED, IllegalMove
from games.rules.cards import without
from games.rules.shedding.state import Player, State


def cards(text: str) -> tuple[str, ...]:
    """ "7H 8D" as cards."""
    return tuple(text.split())


def move_of(text: str) -> dict[str, Any]:
    """ "play 7H 7D", "flip 1", "arrange QS KD AD", "pick_up", ... as a move."""
    name, *rest = text.split()
    match name:
        case "play":
            return {"move": "play", "cards": rest}
        case "arrange":
            return {"move": "arrange", "face_up": rest}
        case "flip":
            return {"move": "flip", "position": int(rest[0])}
    return {"move": name}


def stacked(game: str, seats: int, top: str, options: dict[str, Any] | None = None) -> list[str]:
    """All cards of the game for so many seats, those of `top` first and the rest in their fixed order."""
    rules = PLAYED[game]
    _, complete = rules.complete_options(seats, None, options or {})
    everything = rules.rules(complete).pack(seats)
    return [*cards(top), *without(everything, cards(top))]


class Table:
    """A shedding game at one moment. `move` and `resign` go on with it; `refuses` leaves it as it is."""

    def __init__(self, game: str, state: State) -> None:
        self.rules = PLAYED[game]
        self.state = state

    @classmethod
    def at(
        cls,
        game: str,
        hands: Sequence[str],
        *,
        pile: str = "",
        stock: str = "",
        face_up: Sequence[str] = (),
        face_down: Sequence[str] = (),
        options: dict[str, Any] | None = None,
        ruleset: str | None = None,
        **facts: Any,
    ) -> "Table":
        """A position in the middle of play: it is seat 0's turn unless `turn` says otherwise.

        With one hand named, seat 1 holds a 5. A seat without `face_down` has one card lying at position 0, so that
        nobody is out by accident; "- - -" says that all three are gone.
        """
        hands = hands if len(hands) > 1 else [*hands, "5H"]
        seats = len(hands)
        ruleset, complete = PLAYED[game].complete_options(seats, ruleset, options or {})
        players = []
        for seat, hand in enumerate(hands):
            up = cards(face_up[seat]) if seat < len(face_up) else ()
            down = cards(face_down[seat]) if seat < len(face_down) else ("4C", "-", "-")
            players.append(
                Player(cards(hand), up, tuple(None if c == "-" else c for c in down), (False,) * 3, arranged=True)
            )
        middle = {
            "dealer": seats - 1,
            "out_of_play": (),
            "direction": 1,
            "phase": "playing",
            "turn": 0,
            "turn_number": 5,
        }
        table = {"stock": cards(stock), "pile": cards(pile), "players": tuple(players)}
        state = State(rules=PLAYED[game].rules(complete), ruleset=ruleset, options=complete, **table, **middle | facts)
        return cls(game, state)

    @classmethod
    def dealt(
        cls,
        game: str,
        seats: int,
        top: str = "",
        *,
        dealer: int | None = None,
        options: dict[str, Any] | None = None,
    ) -> "Table":
        """A game just dealt from a deck with these cards on top; the dealer is the last seat unless named."""
        order = stacked(game, seats, top, options)
        dealer = seats - 1 if dealer is None else dealer
        state, _ = PLAYED[game].deal(seats, None, options or {}, dealer, lambda pack: order)
        return cls(game, state)

    def move(self, seat: int, text: str) -> "Table":
        """Makes a move; it must be legal."""
        for event in self.rules.decide(self.state, seat, move_of(text), _no_shuffle):
            self.state = self.rules.evolve(self.state, event)
        return self

    def moves(self, *lines: str) -> "Table":
        """Several moves, each "SEAT move ..."."""
        for line in lines:
            seat, text = line.split(maxsplit=1)
            self.move(int(seat), text)
        return self

    def refuses(self, seat: int, text: str) -> str:
        """The code with which a move is refused; fails when it is not."""
        with pytest.raises(IllegalMove) as refusal:
            self.rules.decide(self.state, seat, move_of(text), _no_shuffle)
        return refusal.value.code

    def legal(self, seat: int) -> list[dict[str, Any]]:
        """The seat's legal moves as listed."""
        return self.rules.legal_moves(self.state, seat)

    def plays(self, seat: int) -> str:
        """The ranks the seat may play, in order of the list: "7 8 X"."""
        return " ".join(move["rank"] for move in self.legal(seat) if move["move"] == "play")

    def view(self, viewer: Any = None) -> dict[str, Any]:
        """What a viewer sees."""
        return self.rules.view(self.state, viewer)

    def __getattr__(self, key: str) -> Any:
        """`table.pile`, `table.to_act`, ...: the omniscient view's keys."""
        return self.view()[key]

    def seen_at(self, seat: int, viewer: Any = None) -> dict[str, Any]:
        """A seat's entry in a viewer's view."""
        return self.view(viewer)["players"][seat]

    def hand(self, seat: int) -> str:
        """A hand, sorted: "3H 4D"."""
        return " ".join(sorted(self.seen_at(seat)["hand"]))

    def places(self) -> list[int | None]:
        """Each seat's place."""
        return [player["place"] for player in self.players]


def _no_shuffle(pack: Sequence[str]) -> Sequence[str]:
    raise AssertionError("a shedding game shuffles only to deal")
