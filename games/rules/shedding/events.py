"""The events of the shedding games. All that a move leads to stands in its effects."""

from typing import Annotated, NewType

from games.rules.cards import pretty
from games.rules.events import (
    AT_THE_END,
    LEFT_OUT,
    Calls,
    Cards,
    Event,
    Facts,
    Hands,
    Moved,
    Options,
    Planned,
    Seats,
    Secret,
    Told,
    Viewer,
    call,
    whom,
)
from games.rules.shedding.effects import Direction
from games.rules.shedding.rules import Rules
from games.rules.shedding.state import Player, State

Effect = NewType("Effect", Facts)


class Dealt(Event):
    """The cards of a shedding game."""

    family = "shedding"
    ruleset: str
    options: Options
    seats: int
    dealer: int
    direction: Direction
    hands: Hands
    face_up: Annotated[list[Cards], "The cards, by seat."]
    turned_up: Annotated[Cards, "The pile at the start."]
    stock_count: int
    face_down: Annotated[list[Cards] | None, AT_THE_END]
    stock: Secret
    shuffle: Secret
    calls: Calls
    who_dealt: Annotated[Seats | None, AT_THE_END, "Three Card: the seats that were dealt only 3s to 8s."]

    def seen(self, seat: int | None, viewer: Viewer) -> Facts:
        """It tells about a hand, so nobody but its owner hears who dealt (TC10)."""
        shown = super().seen(seat, viewer)
        if viewer is not None:
            shown["calls"] = ["who_dealt"] if viewer in (self.who_dealt or ()) else []
        return shown

    def apply(self, rules: Rules) -> State:
        deals = zip(self.hands, self.face_up, self.face_down or (), strict=True)
        return State(
            rules=rules,
            ruleset=self.ruleset,
            options=self.options,
            dealer=self.dealer,
            players=tuple(
                Player(tuple(hand or ()), tuple(up), tuple(down), (False,) * len(down)) for hand, up, down in deals
            ),
            stock=tuple(self.stock or ()),
            pile=tuple(self.turned_up),
            out_of_play=(),
            direction=self.direction,
            dealt_up=tuple(map(tuple, self.face_up)),
            who_dealt=tuple(self.who_dealt or ()),
        )

    def sentence(self, told: Told) -> str:
        who = "you" if self.who_dealt is None else " and ".join(told.all(self.who_dealt))
        return "; ".join(
            [f"{whom(told.names[self.dealer])} dealt the cards", *(call(name, who) for name in self.calls)]
        )


class _Shed(Moved, is_kind=True):
    family = "shedding"
    effects: list[Effect]
    calls: Calls
    planned: Planned = LEFT_OUT


class Arranged(_Shed):
    """Somebody chose the face-up cards."""

    by = "arrange"

    def seen(self, seat: int | None, viewer: Viewer) -> Facts:
        """Nobody sees another player's choice before all have chosen (S2)."""
        shown = super().seen(seat, viewer)
        return shown if viewer in (None, seat) else shown | {"move": {**self.move, "face_up": None}}


class Played(_Shed):
    """Cards were played."""

    by = "play"


class Flipped(_Shed):
    """A face-down card was turned over."""

    by = "flip"

    def did(self, told: Told) -> str:
        card, fits = self._card()
        return f"turned over {card}{'' if fits else ' in vain'}"

    def made_for(self, who: str) -> str:
        card, fits = self._card()
        return f"{card} was turned over for {who}{'' if fits else ' in vain'}"

    def _card(self) -> tuple[str, bool]:
        """The card, and whether it could be played."""
        [turned] = (fact for fact in self.effects if fact["effect"] in ("laid", "lifted", "shown"))
        fits = turned["effect"] == "laid"
        return pretty(turned["cards"][0] if fits else turned["card"]), fits


class PickedUp(_Shed):
    """The pile was picked up."""

    by = "pick_up"

    def did(self, told: Told) -> str:
        return ""

    def made_for(self, who: str) -> None:
        return None


class Drew(_Shed):
    """A draw in Three Card or Castle."""

    by = "draw"

    def did(self, told: Told) -> str:
        return ""

    def made_for(self, who: str) -> None:
        return None


class TurnEnded(_Shed):
    """A bonus play was declined."""

    by = "end_turn"


class Settled(_Shed):
    """A player agreed to end the game as it stands, or took that back."""

    by = "settle"

    def did(self, told: Told) -> str:
        agreed = told.seat in self.effects[0]["seats"]
        return super().did(told) if agreed else "no longer agreed to end the game as it stands"


class Resigned(_Shed):
    """A resignation in a shedding game."""

    by = "resign"


class Stopped(Event):
    """A house game of bots alone has taken too many moves (HG15)."""

    family = "shedding"
    words = "the game was stopped: the bots had made too many moves"
    effects: list[Effect]
    calls: Calls


TYPES = {kind.by: kind.name for kind in _Shed.__subclasses__()}
"""The event of each move."""
