"""The bots of house games: plain plays as the usual plan says, and every game ends (HG15, HG20)."""

import random
from typing import Any

import pytest

from games import bots
from games.bots.house import plain
from games.lab.playing import Lot, Side, play
from games.rules import PLAYED, game_of
from games.rules.planning import Position
from games.rules.plans import judge, read_plan
from games.rules.shedding.document import read
from tests.rules.house import house_game, random_document
from tests.rules.table import Table


def rules(**document: Any) -> dict[str, Any]:
    found, wrong = read({"title": "A", **document})
    assert not wrong
    return {"rules": found}


def test_hg20_plain_keeps_wild_cards_for_last_then_those_that_close_and_a_joker_last_of_its_group():
    options = rules(jokers=1, powers={"2": ["wild"], "T": ["closes"], "X": ["wild"], "8": ["wild_up", "closes"]})
    assert game_of("house", options).usual.by_use == "345679JQKA2X8T"


def test_hg20_the_usual_plan_names_all_ranks_only_where_plans_choose_in_another_order():
    assert game_of("house", rules(powers={"2": ["wild"]})).plan_keeps == "2"
    backwards = rules(opening={"search": "AKQJT98765432"}, powers={"2": ["wild"]})
    assert game_of("house", backwards).plan_keeps == "3456789TJQKA2"


@pytest.mark.parametrize("seed", range(60))
def test_hg20_plain_makes_at_each_move_what_its_plan_says(seed):
    game = house_game(seed)
    played = game_of("house", game.state.options)
    plan = read_plan(played, {"lines": played.usual_plan(stock=True)})
    while played.status(game.state) != "finished" and len(game.events) < 150:
        for seat in game.able():
            legal = played.legal_moves(game.state, seat)
            move = plain(game.state.rules, legal)
            played.decide(game.state, seat, move, list)
            if played.status(game.state) == "playing":
                assert judge(played, game.state, seat, plan).move == move
        game.step()


@pytest.mark.parametrize("seed", range(40))
@pytest.mark.parametrize("levels", [("plain",), ("easy", "plain")])
def test_hg15_games_of_bots_end_and_no_move_of_theirs_is_refused(seed, levels):
    document = random_document(random.Random(seed))
    seats = document["seats"][0]
    lineup = [levels[seat % len(levels)] for seat in range(seats)]
    *_, last = play(Side("house", seats, "house", {"rules": document}), Lot("1", seed, lineup))[1]
    assert PLAYED["house"].status(last.after) == "finished"


def test_hg15_after_5000_moves_bots_stop_and_are_ranked_by_their_cards():
    game = game_of("house", rules())
    table = Table.at("house", ["5S", "6S 7S", "8S"], options=rules(), pile="3S")
    after = game.evolve(table.state, game.stop(table.state))
    result = game.result(after)
    assert result is not None and result["ended_by"] == "limit"
    assert [(row["seat"], row["place"]) for row in result["placements"]] == [(0, 1), (2, 1), (1, 3)]


def test_pl_positions_and_cards_to_arrange_of_a_plan_are_those_of_the_document():
    four, one = (game_of("house", rules(deal={"table": table, "hand": 2})) for table in (4, 1))
    for game, position, cards in ((four, 3, ["5S", "6S", "7S", "8S"]), (one, 0, ["5S"])):
        read_plan(game, {"lines": [{"move": {"move": "flip", "position": position}}]})
        read_plan(game, {"lines": [{"move": {"move": "arrange", "face_up": cards}}]})
        with pytest.raises(ValueError, match="must be"):
            read_plan(game, {"lines": [{"move": {"move": "flip", "position": position + 1}}]})
        with pytest.raises(ValueError, match="must have"):
            read_plan(game, {"lines": [{"move": {"move": "arrange", "face_up": [*cards, "9S"]}}]})


def test_hg12_as_if_in_turn_nobody_is_waiting_to_be_passed_over():
    options = rules(powers={"7": ["skips", "may_again"]})
    table = Table.at("house", ["7S 9S", "8S 9D", "AS"], options=options).move(0, "play 7S")
    game = game_of("house", table.state.options)
    assert table.state.skips == 1
    as_if = Position(game, game.as_in_turn(table.state, 1), 1)
    assert as_if.view["skips"] == 0


def test_tj6_a_last_card_that_may_go_with_face_up_cards_is_not_forced():
    """Whether it is the only move says what the card is."""
    for merge, safe in ((False, True), (True, False)):
        options = rules(turn={"merge": merge})
        table = Table.at("house", ["9S", "8S 9D"], options=options, face_up=["5S 6S", "7S"])
        game = game_of("house", table.state.options)
        [move] = game.legal_moves(table.state, 0)
        assert bots.forced_move([move]) is not None
        assert game.is_safe_to_force(table.state, 0, move) is safe
