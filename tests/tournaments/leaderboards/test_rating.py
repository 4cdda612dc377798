"""RA2: ratings by openskill's Plackett-Luce, order and rounding fixed."""

from uuid import UUID

from hypothesis import given
from hypothesis import strategies as st
from openskill.models import PlackettLuce

from tournaments.leaderboards.tally import Rating, rated

ADA, BOB, CLEO, DAN = (UUID(int=number) for number in (1, 2, 3, 4))


def test_ra2_a_newcomer_is_1500_with_a_deviation_of_400() -> None:
    assert (Rating().shown, Rating().deviation) == (1500, 400)


def test_ra2_the_worked_example_is_the_librarys_own_result() -> None:
    model = PlackettLuce()
    teams = model.rate([[model.rating()] for _ in range(3)], ranks=[1, 2, 2])
    after = rated({ADA: (1, Rating()), BOB: (2, Rating()), CLEO: (2, Rating())})
    for player, team in zip((ADA, BOB, CLEO), teams, strict=True):
        assert abs(after[player].mu - team[0].mu) < 1e-5
        assert abs(after[player].sigma - team[0].sigma) < 1e-5
    assert after[BOB] == after[CLEO]


def test_ra2_what_is_stored_has_six_decimals() -> None:
    for rating in rated({ADA: (1, Rating(27.123457, 6.1)), BOB: (2, Rating())}).values():
        assert rating == Rating(round(rating.mu, 6), round(rating.sigma, 6))


@given(
    st.permutations([ADA, BOB, CLEO, DAN]),
    st.lists(st.tuples(st.integers(1, 4), st.floats(0, 50), st.floats(1, 9)), min_size=4, max_size=4),
)
def test_ra2_the_order_in_which_players_are_named_makes_no_difference(
    order: list[UUID], values: list[tuple[int, float, float]]
) -> None:
    given_in_order = {
        player: (place, Rating(round(mu, 6), round(sigma, 6)))
        for player, (place, mu, sigma) in zip((ADA, BOB, CLEO, DAN), values, strict=True)
    }
    assert rated({player: given_in_order[player] for player in order}) == rated(given_in_order)


def test_ra2_beating_a_stronger_player_is_worth_more() -> None:
    strong = Rating(35.0, 3.0)
    gain = rated({ADA: (1, Rating()), BOB: (2, strong)})[ADA].mu - 25
    assert gain > rated({ADA: (1, Rating()), BOB: (2, Rating(15.0, 3.0))})[ADA].mu - 25 > 0
