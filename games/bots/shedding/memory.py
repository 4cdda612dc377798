"""What everybody at the table knows of the hands, from the events as everybody sees them.

Cards that were seen before they came into a hand are known to be there: those of a pile that was picked up, those that
lay face up, and a face-down card that could not be played. The others were drawn or dealt. A seat that picks up or
gambles had nothing to play (S4, CA7), so none of its other cards is of a rank that could be played then. Suits never
matter: of equal cards the known ones are taken to be played first.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from games.bots.circles import Event
from games.bots.shedding.table import Hand, ranks
from games.rules.shedding import SheddingGame
from games.rules.shedding.rules import Rules


def remember(game: SheddingGame, events: Iterable[Event], memory: "Memory | None" = None) -> "Memory | None":
    memory = memory and replace(memory, hands=[*memory.hands], face_up=[*memory.face_up])
    for event in events:
        if memory is None:
            memory = dealt(game, event["data"])
        else:
            memory.see(event["data"])
    return memory


@dataclass
class Memory:
    rules: Rules
    hands: list[Hand]
    """Nothing is known of them until all have chosen their face-up cards (S2)."""
    face_up: list[str]
    """The cards that lie face up, by seat; in setup those that were dealt so."""
    pile: str
    laid_on_empty: int = 0
    """The number of cards at the bottom of the pile that were played on the empty pile (TH12)."""

    def see(self, facts: Mapping[str, Any]) -> None:
        move = facts["move"]["move"]
        has_no_play = move == "pick_up" or (move == "draw" and self.rules.draws == "gamble")
        for effect in facts["effects"]:
            name = effect["effect"]
            if has_no_play and name in SHOWS_NO_PLAY and self.pile:
                # On an empty pile a gamble is a choice (CA7).
                going = self.rules.going(self.rules.to_beat(tuple(self.pile), self.laid_on_empty))
                self.hands[effect["seat"]] = self.hands[effect["seat"]].with_nothing_of(going)
            if name in EFFECTS:
                EFFECTS[name](self, effect)

    def setup_ended(self, fact: Mapping[str, Any]) -> None:
        """All have chosen: cards dealt face up that do not lie there now are in the hand."""
        lying = [ranks(cards) for cards in fact["face_up"]]
        self.hands, self.face_up = (
            [_kept(*both, self.rules.hand) for both in zip(self.face_up, lying, strict=True)],
            lying,
        )

    def laid(self, fact: Mapping[str, Any]) -> None:
        seat = fact["seat"]
        for card in fact["hand"]:
            self.hands[seat] = self.hands[seat].without(card[0])
        self.face_up[seat] = _without(self.face_up[seat], fact["face_up"])
        self._lay(fact["cards"])

    def drew_to_pile(self, fact: Mapping[str, Any]) -> None:
        self._lay([fact["card"]])

    def drew(self, fact: Mapping[str, Any]) -> None:
        self.hands[fact["seat"]] = self.hands[fact["seat"]].with_unknown(fact["count"])

    def lifted(self, fact: Mapping[str, Any]) -> None:
        self.hands[fact["seat"]] = self.hands[fact["seat"]].with_known(fact["card"][0])

    def picked_up(self, fact: Mapping[str, Any]) -> None:
        self.hands[fact["seat"]] = self.hands[fact["seat"]].with_known(ranks(fact["cards"]))
        self.pile, self.laid_on_empty = self.pile[len(fact["cards"]) :], 0

    def closed(self, _: Mapping[str, Any]) -> None:
        self.pile, self.laid_on_empty = "", 0

    def face_up_to_hand(self, fact: Mapping[str, Any]) -> None:
        self.hands[fact["seat"]] = self.hands[fact["seat"]].with_known(self.face_up[fact["seat"]])
        self.face_up[fact["seat"]] = ""

    def left(self, fact: Mapping[str, Any]) -> None:
        self.hands[fact["seat"]], self.face_up[fact["seat"]] = Hand(), ""

    def _lay(self, cards: Sequence[str]) -> None:
        if not self.pile:
            self.laid_on_empty = len(cards)
        self.pile += ranks(cards)


SHOWS_NO_PLAY = frozenset({"drew_to_pile", "picked_up"})
EFFECTS: Mapping[str, Callable[[Memory, Mapping[str, Any]], None]] = {
    function.__name__: function
    for function in (
        Memory.setup_ended, Memory.laid, Memory.drew_to_pile, Memory.drew, Memory.lifted, Memory.picked_up,
        Memory.closed, Memory.face_up_to_hand, Memory.left,
    )
}  # fmt: skip
"""The effects that change what is known, by name."""


def dealt(game: SheddingGame, deal: Mapping[str, Any]) -> Memory:
    face_up = [ranks(cards) for cards in deal["face_up"]]
    return Memory(game.rules(deal["options"]), [Hand() for _ in face_up], face_up, ranks(deal["turned_up"]))


def _kept(dealt: str, lying: str, full: int) -> Hand:
    """Return the hand of a seat that chose its face-up cards (S2). One that has none has left."""
    known = _without(dealt, lying)
    return Hand(known).with_unknown(full - len(known)) if lying else Hand()


def _without(cards: str, gone: Iterable[str]) -> str:
    for card in gone:
        cards = cards.replace(card[0], "", 1)
    return cards
