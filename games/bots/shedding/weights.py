"""The weights of the steady player, in one currency: points. Being out is worth OUT.

They were tuned by playing many thousands of games against random bots, all four shedding games with the same weights.
"""

from typing import NamedTuple

OUT = 1000.0
"""The value of being out (S7)."""


class Weights(NamedTuple):
    """The costs and values of things, in points."""

    card: float
    """A card in hand while the stock lasts: another will take its place."""
    last_card: float
    """A card in hand once the stock is out: the first of its rank, which needs a turn to get rid of."""
    equal_card: float
    """Each further card of that rank then: it goes along in the same play."""
    reach: float
    """Credit for a card that goes on everything; less for others, by how often they can be played."""
    closes: float
    """Credit for a card that closes the pile."""
    again: float
    """Credit for a card that gives a bonus play."""
    takes: float
    """Charge for a card that makes its player take the pile (TJ9)."""
    drawn: float
    """An unknown card drawn from the stock."""
    surplus: float
    """Each card beyond a full hand while the stock lasts."""
    face_up: float
    """The weight of a face-up card compared with a card in hand."""
    face_down: float
    """A face-down card."""
    escort: float
    """Credit for a card that gives a bonus play and so gets rid of a face-down card in the same turn."""
    weak_face_up: float
    """The chance that no face-up card goes on a pile."""
    stuck: float
    """The chance of having to pick up in one's next turn, while the stock lasts."""
    stuck_late: float
    """The same once the stock is out."""
    stuck_pile: float
    """The same, for each card that is likely to lie there."""
    hinder: float
    """Credit for each card that an opponent is likely to pick up."""
    hinder_any: float
    """Credit for an opponent that is likely to pick up anything."""
    hinder_leader: float
    """The same for an opponent with one card left; a fourth of it with two cards, and so on."""
    endgame: float
    """The natural logarithm of what the cards are worth once the stock is out (`endgame`)."""
    setup_hand: float
    """The weight of the hand's cost when face-up cards are chosen."""
    setup_face_up: float
    """The weight of the face-up cards' cost then."""
    setup_weak: float
    """The chance that no face-up card goes on a pile."""


WEIGHTS = Weights(
    card=5.4,
    last_card=13.3,
    equal_card=1.2,
    reach=11.2,
    closes=1.6,
    again=4.2,
    takes=6.25,
    drawn=2.05,
    surplus=0.77,
    face_up=1.9,
    face_down=5.9,
    escort=4.5,
    weak_face_up=2.9,
    stuck=4.5,
    stuck_late=11.0,
    stuck_pile=5.0,
    hinder=0.85,
    hinder_any=0.83,
    hinder_leader=33.6,
    endgame=30.0,
    setup_hand=0.52,
    setup_face_up=2.3,
    setup_weak=1.1,
)
