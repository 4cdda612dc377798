"""docs/build/plans.md: its examples are plans that were played, and it leaves nothing out."""

import json
import re

import pytest

from games.rules import GAMES
from games.rules.plans import judge, read_plan
from tests.docs.pages import ROOT, blocks
from tests.rules.playing import RandomGame

PAGE = "docs/build/plans.md"
TEXT = (ROOT / PAGE).read_text()
EXAMPLES = {block.note: block for block in blocks(PAGE) if block.note}


def test_there_is_an_example_that_plays_out_of_turn():
    [game] = EXAMPLES
    assert GAMES[game].interrupts and '"interrupt": true' in EXAMPLES[game].text


@pytest.mark.parametrize("game", sorted(EXAMPLES))
def test_each_line_of_an_example_is_played_in_some_game(game):
    """Every seat follows the plan; where it is silent the seat moves at random."""
    plan = read_plan(GAMES[game], json.loads(EXAMPLES[game].text))
    unused = set(range(len(plan.lines)))
    silent = tried = 0
    for seed in range(150):
        if not unused:
            break
        dealt = RandomGame(game, seed, seats=3)
        for _ in range(200):
            if dealt.rules.status(dealt.state) == "finished":
                break
            verdicts = [(seat, judge(dealt.rules, dealt.state, seat, plan)) for seat in dealt.able()]
            seat, verdict = next((found for found in verdicts if found[1].move is not None), verdicts[0])
            tried += dealt.rules.status(dealt.state) == "playing"
            if verdict.line is None:
                silent += dealt.rules.status(dealt.state) == "playing"
                dealt.step()
            else:
                unused.discard(verdict.line)
                dealt.apply(seat, verdict.move)
    assert not unused, [plan.lines[number].as_json() for number in sorted(unused)]
    assert silent < tried / 20, "an example that seldom says what to do"


def test_every_move_and_condition_is_on_the_page():
    for game in GAMES.values():
        assert all(f"`{condition.name}`" in TEXT for condition in game.plan_conditions)
        assert all(f'"move": "{form.move}"' in TEXT for form in game.plan_forms if form.move != "arrange")


def test_the_orders_on_the_page_are_those_of_the_games():
    for game in GAMES.values():
        if game.family == "shedding":
            order = " ".join({"T": "10", "X": "joker"}.get(rank, rank) for rank in game.variant.order)
            assert re.search(rf"^\| {game.title} \| {order} \|$", TEXT, re.MULTILINE), (game.title, order)


def test_the_first_example_is_a_plan_of_all_shedding_games():
    first = next(block for block in blocks(PAGE) if block.language == "json" and not block.note)
    for game in GAMES.values():
        if game.family == "shedding":
            assert read_plan(game, json.loads(first.text)).turns == 2
