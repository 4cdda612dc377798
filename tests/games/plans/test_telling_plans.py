"""PL2, PL7: a turn that a plan plays is listed and not told; one that it does not is told, and why."""

from datetime import timedelta

import pytest

from games.plans import services as plan_moves
from tests.core.notifications.conftest import unsaid_additions  # noqa: F401
from tests.games.notifications.telling_scene import dealt, handed_over, local_jobs, news_of, told
from tests.games.services.service_scene import game_now, next_mover

pytestmark = pytest.mark.django_db

LOWEST = {"move": {"move": "play", "choose": "lowest"}}
ANYTHING = {"lines": [LOWEST, *({"move": {"move": name}} for name in ("pick_up", "end_turn"))]}
NOTHING = {"lines": [{**LOWEST, "when": {"hand_at_least": 99}}]}


def waiting(game, *players):
    """Whoever does not have the turn."""
    return next(player for player in players if player != next_mover(game_now(game.id)))


def test_pl7_a_turn_played_as_planned_is_listed_and_not_told(clock, alice, bob):
    game = dealt(alice, bob)
    planner = waiting(game, alice, bob)
    news_of(planner)
    plan_moves.keep_plan(game.id, planner, {**ANYTHING, "turns": 1})
    before = told(planner, "turn")
    assert handed_over(game) == planner
    assert told(planner, "turn") == before  # the plan is about to play it
    plan_moves.sweep_plans()
    assert next_mover(game_now(game.id)) != planner
    clock.advance(seconds=5)
    local_jobs()
    last = news_of(planner, "turn")[-1]
    assert {fate["reason"] for fate in last["channels"].values()} == {"played as planned"}
    assert last["read"] is True


def test_pl7_a_follower_that_comes_late_lists_it_all_the_same(clock, alice, bob):
    game = dealt(alice, bob)
    planner = waiting(game, alice, bob)
    news_of(planner)
    plan_moves.keep_plan(game.id, planner, {**ANYTHING, "turns": 1})
    assert handed_over(game) == planner
    plan_moves.sweep_plans()
    last = news_of(planner, "turn")[-1]
    assert last["channels"]["live"]["reason"] == "played as planned"


def test_pl2_a_plan_that_does_not_say_what_to_do_is_said(clock, alice, bob):
    game = dealt(alice, bob)
    planner = waiting(game, alice, bob)
    plan_moves.keep_plan(game.id, planner, NOTHING)
    assert handed_over(game) == planner
    last = news_of(planner, "turn")[-1]
    assert last["text"].endswith(". Your plan does not say what to do here.")
    assert last["channels"]["live"]["state"] == "sent"


def test_pl2_a_plan_that_is_taken_back_before_it_moves_leaves_nobody_untold(clock, alice, bob):
    game = dealt(alice, bob)
    planner = waiting(game, alice, bob)
    plan_moves.keep_plan(game.id, planner, ANYTHING)
    assert handed_over(game) == planner
    before = told(planner, "turn")
    plan_moves.drop_plan(game.id, planner)
    clock.advance(seconds=4)
    local_jobs()
    assert told(planner, "turn") == [*before, "turn"]
    clock.advance(timedelta(seconds=60))
    local_jobs()
    assert told(planner, "turn") == [*before, "turn"]
