"""A position as the steady player imagines it: its own cards, the pile and the stock. Suits never matter here."""

from typing import NamedTuple

from games.rules.shedding.rules import Rules

HAND = 3
"""The size to which a hand is filled from the stock (S5)."""


class Position(NamedTuple):
    """One seat's cards by rank, and what lies on the table. Ranks are single characters; their order has no meaning."""

    hand: str
    drawn: int
    """Cards in the hand that were drawn from the stock in thought, so that nobody knows what they are."""
    face_up: str
    face_down: int
    pile: tuple[str, ...]
    """Bottom first."""
    laid_on_empty: int
    """The number of cards at the bottom of the pile that were played on the empty pile (TH12)."""
    stock: int
    direction: int

    @property
    def in_hand(self) -> int:
        return len(self.hand) + self.drawn

    @property
    def active(self) -> str:
        """The cards that the next play comes from, as far as they are known: the hand, or else the face-up cards."""
        return self.hand if self.in_hand else self.face_up

    @property
    def cards(self) -> int:
        return self.in_hand + self.on_table

    @property
    def on_table(self) -> int:
        """The number of the seat's table cards: those that lie face up and face down."""
        return len(self.face_up) + self.face_down

    @property
    def is_out(self) -> bool:
        return not (self.hand or self.drawn or self.face_up or self.face_down)

    @property
    def is_one_play(self) -> bool:
        if self.in_hand:
            return len(set(self.hand)) + self.drawn == 1 and not self.face_up and not self.face_down
        if self.face_up:
            return len(set(self.face_up)) == 1 and not self.face_down
        return self.face_down == 1

    def without(self, rank: str, count: int) -> "Position":
        if not self.in_hand:
            return self._replace(face_up=self.face_up.replace(rank, "", count))
        held = self.hand.count(rank)
        left = self._replace(hand=self.hand.replace(rank, "", count))
        return left if count <= held else left._replace(face_up=self.face_up.replace(rank, "", count - held))

    def filled(self, rules: Rules) -> "Position":
        """Return the position with the hand filled from the stock (S5) or with the face-up cards (TC8)."""
        draws = min(rules.hand - self.in_hand, self.stock)
        filled = self._replace(drawn=self.drawn + draws, stock=self.stock - draws) if draws > 0 else self
        if rules.face_up_joins_hand and not filled.in_hand:
            return filled._replace(hand=filled.face_up, face_up="")
        return filled

    def with_pile(self, keeping: int = 0) -> "Position":
        """Return the position after taking the pile into the hand, all but the top cards that are kept lying."""
        taken = len(self.pile) - keeping
        return self._replace(hand=self.hand + "".join(self.pile[:taken]), pile=self.pile[taken:], laid_on_empty=0)
