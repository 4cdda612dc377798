"""PL6: processes want one turn, and the one that plays plans is killed."""

from random import Random

import pytest
from plan_kills import kill_again_and_again
from plan_races import race_for_turns

pytestmark = pytest.mark.django_db(transaction=True)


def test_pl6_plan_hand_clock_and_bot_at_one_moment_make_one_move(alice, bob):
    firsts = race_for_turns((alice, bob), 15, Random(2))
    assert firsts.total() == 15
    assert len(firsts) > 1, "the same one is always first"


@pytest.mark.slow
def test_pl6_killed_at_random_points_each_planned_turn_is_played_once(alice, bob):
    found = kill_again_and_again((alice, bob), 6, Random(1))
    assert found["turns played as planned"] >= found["plans kept"] >= 10
    assert found["killed within a transaction"] + found["killed between transactions"] == 6
