"""PL2, PL4 and PL9: what is a plan, and what is wrong with one that is none."""

import copy
from functools import cache

import pytest
from hypothesis import given
from hypothesis import strategies as st
from jsonschema_rs import Draft202012Validator, meta

from games.rules import GAMES
from games.rules.plans import PlanError, read_plan, schema_of
from tests.rules.plans.scene import LOWEST, line

GOOD = {"lines": [{"move": LOWEST}], "turns": 1}


def wrong(raw, game="threes"):
    """The line and the field of the error."""
    with pytest.raises(PlanError) as error:
        read_plan(GAMES[game], raw)
    assert error.value.detail.endswith(".")
    return error.value.line, error.value.field


def test_pl2_what_is_missing_has_its_default():
    assert read_plan(GAMES["threes"], {"lines": [{"move": LOWEST}, {"move": {"move": "pick_up"}}]}).as_json() == {
        "lines": [
            {"move": {**LOWEST, "count": "one", "keep": []}, "when": {}, "interrupt": False},
            {"move": {"move": "pick_up"}, "when": {}, "interrupt": False},
        ],
        "turns": 1,
    }


@pytest.mark.parametrize("lines", [1, 24])
@pytest.mark.parametrize("turns", [1, 5])
def test_pl2_1_to_24_lines_and_1_to_5_turns(lines, turns):
    assert len(read_plan(GAMES["threes"], {"lines": [{"move": LOWEST}] * lines, "turns": turns}).lines) == lines


@pytest.mark.parametrize(
    ("raw", "field"),
    [
        (None, "plan"),
        ([], "plan"),
        ({}, "lines"),
        ({"lines": {}}, "lines"),
        ({"lines": []}, "lines"),
        ({"lines": [{"move": LOWEST}] * 25}, "lines"),
        ({**GOOD, "turns": 0}, "turns"),
        ({**GOOD, "turns": 6}, "turns"),
        ({**GOOD, "turns": True}, "turns"),
        ({**GOOD, "turns": "2"}, "turns"),
        ({**GOOD, "turns": None}, "turns"),
        ({**GOOD, "name": "x"}, "name"),
    ],
)
def test_pl9_of_the_plan_itself_the_line_is_null(raw, field):
    assert wrong(raw) == (None, field)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (5, "lines"),
        ({}, "move"),
        ({"move": 5}, "move"),
        ({"move": {}}, "move.move"),
        ({"move": {"move": "fly"}}, "move.move"),
        ({"move": {"move": "resign"}}, "move.move"),
        ({"move": {"move": "settle"}}, "move.move"),
        ({"move": {"move": "discard", "choose": "best"}}, "move.move"),
        ({"move": {"move": "play"}}, "move.choose"),
        ({"move": {"move": "play", "choose": "middle"}}, "move.choose"),
        ({"move": {**LOWEST, "count": 0}}, "move.count"),
        ({"move": {**LOWEST, "count": True}}, "move.count"),
        ({"move": {**LOWEST, "count": "two"}}, "move.count"),
        ({"move": {**LOWEST, "keep": "2"}}, "move.keep"),
        ({"move": {**LOWEST, "keep": ["2", "10"]}}, "move.keep.1"),
        ({"move": {**LOWEST, "cards": ["2S"]}}, "move.cards"),
        ({"move": {"move": "play", "cards": ["2S"], "interrupt": True}}, "move.interrupt"),
        ({"move": {"move": "play", "cards": []}}, "move.cards"),
        ({"move": {"move": "play", "cards": ["2S", "1S"]}}, "move.cards.1"),
        ({"move": {"move": "flip"}}, "move.choose"),
        ({"move": {"move": "flip", "position": 3}}, "move.position"),
        ({"move": {"move": "flip", "choose": "last"}}, "move.choose"),
        ({"move": {"move": "pick_up", "cards": []}}, "move.cards"),
        ({"move": LOWEST, "when": []}, "when"),
        ({"move": LOWEST, "when": {"top": ["7"]}}, "when.top"),
        ({"move": LOWEST, "when": {"to_beat": "K"}}, "when.to_beat"),
        ({"move": LOWEST, "when": {"to_beat": ["K", "10"]}}, "when.to_beat.1"),
        ({"move": LOWEST, "when": {"inverted": 1}}, "when.inverted"),
        ({"move": LOWEST, "when": {"pile_at_least": -1}}, "when.pile_at_least"),
        ({"move": LOWEST, "when": {"pile_at_least": True}}, "when.pile_at_least"),
        ({"move": LOWEST, "when": {"hand_at_most": "3"}}, "when.hand_at_most"),
        ({"move": LOWEST, "interrupt": "yes"}, "interrupt"),
        ({"move": LOWEST, "if": {}}, "if"),
    ],
)
def test_pl9_a_bad_line_is_named_with_its_field(bad, field):
    assert wrong({"lines": [{"move": LOWEST}, {"move": LOWEST}, bad, bad]}) == (2, field)


@pytest.mark.parametrize(
    ("bad", "field"),
    [
        (line("draw"), "move.from"),
        (line({"move": "draw", "from": "hand"}), "move.from"),
        (line("discard"), "move.choose"),
        (line({"move": "discard", "card": "10H"}), "move.card"),
        (line({"move": "go_out", "melds": []}), "move.discard"),
        (line({"move": "go_out", "discard": "7H", "melds": [["7H", "8"]]}), "move.melds.0.1"),
        (line("go_out", top_helps=0), "when.top_helps"),
        (line("go_out", top_helps="much"), "when.top_helps"),
        (line("go_out", top=["joker"]), "when.top.0"),
        (line("go_out", hand_at_most=3), "when.hand_at_most"),
        (line(LOWEST), "move.move"),
    ],
)
def test_pl9_a_bad_line_of_three_thirteen(bad, field):
    assert wrong({"lines": [bad]}, "three_thirteen") == (0, field)


def test_pl4_a_card_that_is_not_in_the_hand_may_yet_be_drawn():
    read_plan(GAMES["three_card"], {"lines": [line({"move": "play", "cards": ["AS", "AS"]})]})


@pytest.mark.parametrize("game", sorted(GAMES))
def test_pl5_the_schema_is_one(game):
    meta.validate(schema_of(GAMES[game]))


@cache
def published(game: str) -> Draft202012Validator:
    return Draft202012Validator(schema_of(GAMES[game]))


ODD = st.sampled_from(
    [None, True, -1, 0, 2, 7, "", "one", "T", "10", "7H", "best", [], [None], ["7"], ["7H"], [["7H"]], {}]
)
SEEDS = {
    "castle": {
        "lines": [
            line({**LOWEST, "count": "all", "keep": ["2"]}, to_beat=["7", None], inverted=True, would_close=False),
            line({"move": "play", "cards": ["7H"]}, pile_at_least=1, interrupt=True),
            line({"move": "flip", "position": 1}, bonus=False),
            line({"move": "arrange", "face_up": ["7H", "8H", "9H"]}),
        ],
        "turns": 2,
    },
    "three_thirteen": {
        "lines": [
            line({"move": "go_out", "discard": "7H", "melds": [["7H"]]}, top=["7", "7H", "wild"]),
            line({"move": "draw", "from": "discard"}, top_helps=5, top_melds=True),
            line({"move": "discard", "choose": "best"}),
        ]
    },
}


def places(value):
    """Every list and object within a value, with its keys."""
    inside = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, entry in inside:
        yield value, key
        yield from places(entry)


@given(st.sampled_from(sorted(SEEDS)), st.data())
def test_pl5_what_the_schema_takes_is_what_is_read(game, data):
    """Somewhere in a good plan one value is replaced, removed or added; an integer is never written 1.0."""
    raw = copy.deepcopy(SEEDS[game])
    holder, key = data.draw(st.sampled_from(list(places(raw))))
    match data.draw(st.sampled_from(["replace", "remove", "add"])):
        case "replace":
            holder[key] = data.draw(ODD)
        case "remove":
            del holder[key]
        case "add" if isinstance(holder, dict):
            holder[data.draw(st.sampled_from(["card", "cards", "position", "choose", "count", "turns", "when"]))] = (
                data.draw(ODD)
            )
    try:
        read_plan(GAMES[game], raw)
        is_read = True
    except PlanError:
        is_read = False
    assert published(game).is_valid(raw) is is_read


@pytest.mark.parametrize("name", GAMES)
def test_the_plan_that_is_offered_for_each_game_is_one(name):
    with_stock, without = schema_of(GAMES[name])["examples"]
    read_plan(GAMES[name], with_stock)
    read_plan(GAMES[name], without)
    if GAMES[name].family == "shedding":
        assert (with_stock["lines"][0]["when"], without["lines"][0]["when"]) == ({"stock_is_out": False}, {})
