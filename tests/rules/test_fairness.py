"""The deal from a committed secret and the players' salts (DESIGN 4): pinned for ever; stored deals rest on it."""

import hashlib
import hmac
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from games.rules import GAMES
from games.rules.cards import JOKERS, PLAIN_DECK
from games.rules.fairness import Chance, commitment

SECRET = bytes(range(32))
SALTS = ["ada's", "bob's", "♠"]


def test_the_commitment_is_the_hash_of_the_secret_in_its_domain():
    assert commitment(SECRET) == hashlib.sha256(b"trey-fairness/1\0commitment\0" + SECRET).hexdigest()


def test_the_lots_are_what_they_were_when_the_first_game_was_stored():
    chance = Chance(SECRET, SALTS)
    assert [chance.dealer(seats) for seats in range(2, 9)] == [1, 2, 1, 3, 5, 3, 5]
    assert " ".join(chance.shuffle(1)(PLAIN_DECK)[:9]) == "9S AC JD TD 5H 2H JC 2S 3D"
    assert " ".join(chance.shuffle(2)(PLAIN_DECK)[:9]) == "2H AS 4C TS 3H AD 3S 2D 8C"


def test_the_shuffle_follows_the_description_word_for_word():
    """An independent reading of the module's own text."""
    key = hmac.new(SECRET, b'trey-fairness/1\0key\0["ada\'s","bob\'s","\\u2660"]', "sha256").digest()
    stream = b"".join(
        hmac.new(key, b"shuffle 1\0" + block.to_bytes(8, "big"), "sha256").digest() for block in range(40)
    )
    numbers = [int.from_bytes(stream[at : at + 4], "big") for at in range(0, len(stream), 4)]
    order = list(PLAIN_DECK)
    for i in range(51, 0, -1):
        while numbers[0] >= 2**32 // (i + 1) * (i + 1):
            numbers.pop(0)
        j = numbers.pop(0) % (i + 1)
        order[i], order[j] = order[j], order[i]
    assert Chance(SECRET, SALTS).shuffle(1)(PLAIN_DECK) == order


@pytest.mark.parametrize(
    ("game", "seats", "pack"),
    [
        ("three_card", 5, PLAIN_DECK * 2),
        ("tripp_jokes", 4, (PLAIN_DECK + JOKERS) * 2),
        ("threes", 3, (PLAIN_DECK + JOKERS) * 2),
        ("castle", 5, PLAIN_DECK),
        ("three_thirteen", 8, PLAIN_DECK * 3),
    ],
)
def test_a_deal_shuffles_the_whole_decks_in_their_documented_order(game, seats, pack):
    given_cards = []
    GAMES[game].deal(
        seats=seats, ruleset=None, options={}, dealer=0, shuffle=lambda cards: given_cards.append(cards) or cards
    )
    assert [tuple(cards) for cards in given_cards] == [pack]


def test_tt8_a_renewed_stock_is_shuffled_from_the_discards_bottom_first():
    rules, given_cards = GAMES["three_thirteen"], []

    def as_given(cards):
        given_cards.append(list(cards))
        return cards

    state, [dealt] = rules.deal(seats=2, ruleset=None, options={}, dealer=1, shuffle=as_given)
    discards = [dealt["data"]["discard_top"]]
    while len(given_cards) == 1:
        [seat] = rules.to_act(state)
        [drew] = rules.decide(state, seat, {"move": "draw", "from": "stock"}, as_given)
        state = rules.evolve(state, drew)
        card = drew["data"]["card"]
        [discarded] = rules.decide(state, seat, {"move": "discard", "card": card}, as_given)
        state = rules.evolve(state, discarded)
        discards.append(card)
    assert given_cards[1] == discards[:-2]


@given(st.binary(min_size=16, max_size=64), st.lists(st.text(max_size=8), max_size=5), st.integers(1, 20))
def test_a_shuffle_keeps_the_cards_and_depends_on_secret_salts_and_number(secret, salts, number):
    pack = PLAIN_DECK * 2
    order = Chance(secret, salts).shuffle(number)(pack)
    assert Counter(order) == Counter(pack)
    assert Chance(secret, salts).shuffle(number)(pack) == order
    others = [Chance(secret + b"!", salts), Chance(secret, [*salts, ""])]
    assert all(other.shuffle(number)(pack) != order for other in others)
    assert Chance(secret, salts).shuffle(number + 1)(pack) != order


@pytest.mark.parametrize("seats", [2, 3, 5, 32])
def test_every_seat_deals_equally_often(seats):
    drawn = Counter(Chance(SECRET, [str(game)]).dealer(seats) for game in range(200 * seats))
    chi_square = sum((drawn[seat] - 200) ** 2 / 200 for seat in range(seats))
    assert chi_square < 3 * seats + 10, "the salts are fixed, so this holds always or never"


def test_a_secret_that_could_be_guessed_is_refused():
    with pytest.raises(ValueError, match="16 bytes"):
        Chance(b"short", [])
