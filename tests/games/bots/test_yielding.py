"""S13: in a game that stands still a seat that does not lead gives way."""

from random import Random
from typing import Any

import pytest

from games.bots.shedding.ratings import Chances, Points, Yielding
from games.bots.shedding.turn import rating_at
from games.rules import GAMES
from tests.games.bots.positions import choose, table_of
from tests.games.bots.test_steady import plays, table

LOCKED = (112, 117, 164, 178)
"""Deals of Threes that two bots played to a stalemate when neither gave way."""


def standing_still(hand: list[str], pile: list[str], seats: int = 2, stalled: int = 9, **more: Any) -> dict[str, Any]:
    return table("threes", hand, pile, seats, stock_count=0, stalled=stalled, **more)


@pytest.mark.parametrize("seats", [2, 3, 4])
def test_a_seat_gives_way_after_three_pick_ups_a_seat(seats: int) -> None:
    seen = table_of(standing_still(["4S", "JH"], ["8D"], seats))
    assert type(rating_at(seen, stalled=3 * seats - 1)) is Chances
    assert type(rating_at(seen, stalled=3 * seats)) is Yielding


def test_it_gives_way_where_there_are_no_networks_too() -> None:
    view = standing_still(["4S", "JH"], ["8D"])
    seen = table_of(view | {"options": view["options"] | {"ten_wild": True}})
    assert type(rating_at(seen)) is Points
    assert type(rating_at(seen, stalled=9)) is Yielding


def test_only_a_seat_with_fewer_table_cards_than_all_others_plays_on_as_usual() -> None:
    view = standing_still(["4S", "JH"], ["8D"], 3)
    first, *others = view["players"]
    assert type(rating_at(table_of(view), stalled=9)) is Yielding
    fewer = first | {"face_up": ["KS", "AS"]}
    assert type(rating_at(table_of(view | {"players": [fewer, *others]}), stalled=9)) is Chances
    as_few = [others[0], others[1] | {"face_up": ["QD", "TC"]}]
    assert type(rating_at(table_of(view | {"players": [fewer, *as_few]}), stalled=9)) is Yielding


def without_a_hand(view: dict[str, Any]) -> dict[str, Any]:
    """The view when the other seat has only its table cards: 9, jack and queen lie face up."""
    first, other = view["players"]
    return view | {"players": [first, other | {"hand_count": 0}]}


def test_it_would_rather_not_make_anybody_pick_up() -> None:
    seen = table_of(without_a_hand(standing_still(["5S", "6H"], [])))
    low, high = (seen.position._replace(hand="56", pile=(rank,)) for rank in "4K")
    giving_way, points = Yielding(seen), Points(seen)
    assert giving_way.of(low) > giving_way.of(high)
    assert points.of(low) < points.of(high), "the other can beat a 4, but no king"


def test_it_closes_the_pile_if_it_can() -> None:
    """Four equal cards close it (TH7), and that is progress (S13)."""
    view = without_a_hand(standing_still(["QS", "QH", "KS"], ["QC", "QD"]))
    assert choose("steady", view, plays("QS QH", "KS"), 1)["cards"] == ["QS", "QH"]


@pytest.mark.parametrize("number", LOCKED)
def test_games_that_two_bots_once_locked_come_to_their_end(number: int) -> None:
    """Nobody settles (S14): two bots that go on to the end."""
    rules, seed = GAMES["threes"], f"threes {number}"
    chance, moves = Random(seed), 0

    def shuffle(cards: Any) -> list[str]:
        return chance.sample(cards, len(cards))

    state, _ = rules.deal(2, None, {}, chance.randrange(2), shuffle)
    happened: list[dict[str, Any]] = []
    most = 0
    while (result := rules.result(state)) is None:
        seat = chance.choice(rules.to_act(state))
        view = rules.view(state, seat)
        most = max(most, view["stalled"])
        move = choose("steady", view, rules.legal_moves(state, seat), f"{seed} {moves}", happened)
        for event in rules.decide(state, seat, move, shuffle):
            state = rules.evolve(state, event)
            happened.append(rules.redact(event, "public"))
        moves += 1
    assert result["ended_by"] == "out"
    assert most < 30
