"""What the steady bot does in positions that a player would recognise."""

from collections import Counter
from typing import Any

import pytest

from games.rules import GAMES
from games.rules.shedding.rules import ToBeat
from tests.games.bots.positions import choose, choose_by_weights, table_of

FACE_UP = (["9C", "JC", "QC"], ["5C", "8C", "AC"], ["3C", "TC", "QD"])
"""Of the other seats."""


def table(game: str, hand: list[str], pile: list[str], seats: int = 2, **more: Any) -> dict[str, Any]:
    """Seat 0's view of a game, well under way."""
    options = {"stalemate_after": 20, "play_until": "first_out"}
    if game == "threes":
        options |= {"decks": 1, "merge_last_hand": False, "eight_plain_on_empty": False, "ten_wild": False}
        options |= {"ten_obeys_seven": False, "powerless_on_empty": False}
    player = {"face_down": [True] * 3, "face_down_cards": [None] * 3, "arranged": True, "place": None}
    view = {
        "game": game, "ruleset": "house", "options": options, "seats": seats, "dealer": 1, "status": "playing",
        "to_act": [0], "may_interrupt": [], "result": None, "pile": pile, "stock_count": 20, "out_of_play": [],
        "direction": 1, "bonus": None, "stalled": 0, "laid_on_empty": 0,
        "players": [
            player | {"seat": 0, "hand": hand, "hand_count": len(hand), "face_up": ["KS", "KH", "AS"]},
            *(
                player | {"seat": seat, "hand": None, "hand_count": 3, "face_up": face_up}
                for seat, face_up in enumerate(FACE_UP[: seats - 1], start=1)
            ),
        ],
    }  # fmt: skip
    view |= more
    return view | {"out_of_play": gone(view)}


def gone(view: dict[str, Any]) -> list[str]:
    """As many of the cards that are not seen as must have left the game, evenly of all ranks."""
    seen = [
        *view["pile"],
        *(card for player in view["players"] for card in [*(player["hand"] or []), *player["face_up"]]),
    ]
    unseen = Counter(GAMES[view["game"]].rules(view["options"]).pack(view["seats"])) - Counter(seen)
    hidden = view["stock_count"] + sum(
        sum(player["face_down"]) + (player["hand"] is None) * player["hand_count"] for player in view["players"]
    )
    assert hidden <= unseen.total(), "more cards than the game has"
    cards = sorted(unseen.elements(), key=lambda card: (card[1], card[0]))
    return cards[: len(cards) - hidden]


def plays(*groups: str) -> list[dict[str, Any]]:
    """Plays as they are listed, one entry for each space-separated group of cards."""
    return [
        {"move": "play", "rank": cards[0][0], "cards": cards, "min": 1, "max": len(cards)}
        for cards in (group.split() for group in groups)
    ]


SHEDDING = ("three_card", "tripp_jokes", "threes", "castle")


@pytest.mark.parametrize("game", SHEDDING)
def test_high_and_wild_cards_are_laid_up_for_the_end(game: str) -> None:
    view = table(game, ["4S", "2S", "5H", "AH", "6D", "KD"], [], status="setup")
    move = choose("steady", view, [{"move": "arrange", "choose": 3, "from": ["4S", "2S", "5H", "AH", "6D", "KD"]}], 1)
    assert sorted(move["face_up"]) == ["2S", "AH", "KD"]


@pytest.mark.parametrize("game", SHEDDING)
def test_the_lowest_card_that_goes_is_played_and_the_wild_one_saved(game: str) -> None:
    view = table(game, ["6S", "2S", "KH"], ["4D", "5D"])
    assert choose_by_weights(view, plays("6S", "2S", "KH")) == {"move": "play", "cards": ["6S"]}


@pytest.mark.parametrize("game", SHEDDING)
def test_low_cards_go_together(game: str) -> None:
    view = table(game, ["6S", "6H", "KH"], ["4D", "5D"], stock_count=0)
    assert choose("steady", view, plays("6S 6H", "KH"), 1) == {"move": "play", "cards": ["6S", "6H"]}


@pytest.mark.parametrize("game", SHEDDING)
def test_the_last_card_is_played_when_it_ends_the_game(game: str) -> None:
    view = table(game, ["2S"], ["4D"], stock_count=0)
    view["players"][0] |= {"face_up": [], "face_down": [False] * 3}
    assert choose("steady", view, plays("2S"), 1) == {"move": "play", "cards": ["2S"]}


@pytest.mark.parametrize("game", ["three_card", "castle"])
def test_what_the_next_player_visibly_cannot_beat_is_preferred(game: str) -> None:
    view = table(game, ["JS", "QS"], ["4D", "4H", "5D", "5H", "8S", "8H", "9S", "TD"][:7], stock_count=0)
    view["players"][1] |= {"hand_count": 0, "face_up": ["JC", "JD"]}
    assert choose("steady", view, plays("JS", "QS"), 1) == {"move": "play", "cards": ["QS"]}


def test_a_joker_is_not_played_onto_a_big_pile_of_tripp_jokes_without_need() -> None:
    view = table("tripp_jokes", ["XR", "KH", "QH"], ["4D", "5D", "5H", "8S", "9S", "JD"], seats=4)
    assert choose("steady", view, plays("XR", "KH", "QH"), 1)["cards"] != ["XR"]


def test_a_low_card_follows_a_two_and_a_wild_card_does_not() -> None:
    bonus = table("three_card", ["4S", "KH"], ["9D", "2D"], bonus="may", stock_count=0)
    assert choose("steady", bonus, [*plays("4S", "KH"), {"move": "end_turn"}], 1)["cards"] == ["4S"]
    wild = table("castle", ["2S", "TH", "TC"], ["9D", "2D"], seats=4, stock_count=10, bonus="may")
    assert choose("steady", wild, [*plays("2S", "TH TC"), {"move": "end_turn"}], 1) == {"move": "end_turn"}


@pytest.mark.parametrize("stock", [0, 20])
@pytest.mark.parametrize("game", ["three_card", "tripp_jokes"])
def test_a_turn_does_not_end_on_an_empty_pile_with_cards_to_shed(game: str, stock: int) -> None:
    """TC5, TJ7: after a 10 any card may be played."""
    view = table(game, ["4S", "4H", "6C"], [], bonus="may", stock_count=stock)
    move = choose("steady", view, [*plays("4S 4H", "6C"), {"move": "end_turn"}], 1)
    assert move["move"] == "play"


@pytest.mark.parametrize("hand", [["TS", "KH"], ["TS", "JC", "AH"], ["TS", "7C", "QH"]])
def test_a_ten_is_played_on_the_empty_pile_that_it_closes(hand: list[str]) -> None:
    """TH6, TH8: it costs no turn there, and on J Q K A and 7 it will not go. Then the duty is met with the others."""
    view = table("threes", hand, [], bonus="must", stock_count=0)
    view["players"][0]["face_up"] = []
    assert choose_by_weights(view, plays(*hand)) == {"move": "play", "cards": ["TS"]}


def test_th12_a_ten_on_the_empty_pile_is_seen_to_close_nothing() -> None:
    view = table("threes", ["TS", "KH"], [], bonus="must", stock_count=0)
    rules = table_of(view | {"options": view["options"] | {"powerless_on_empty": True}}).rules
    assert not rules.outcome(("T",), 1).closes and rules.outcome(("4", "T"), 1).closes


def test_th12_what_lies_on_the_empty_pile_asks_for_its_plain_value() -> None:
    view = table("threes", ["9S", "KH"], ["7D"], stock_count=0)
    powerless = view | {"options": view["options"] | {"powerless_on_empty": True}}
    for laid_on_empty, beat in ((1, ToBeat("7")), (0, ToBeat("7", lower=True))):
        seen = table_of(powerless | {"laid_on_empty": laid_on_empty})
        assert seen.rules.to_beat(seen.position.pile, seen.position.laid_on_empty) == beat


@pytest.mark.parametrize("stock", [0, 20])
def test_a_two_of_ones_own_is_not_left_on_top(stock: int) -> None:
    """CA4: anything goes on a 2, so the next player would have it easy."""
    view = table("castle", ["4S", "4H", "KH"], ["9D", "2D"], bonus="may", stock_count=stock)
    assert choose("steady", view, [*plays("4S 4H", "KH"), {"move": "end_turn"}], 1)["move"] == "play"


def test_the_hand_is_filled_before_a_bonus_play() -> None:
    view = table("three_card", ["4S", "KH"], ["9D", "2D"], bonus="may")
    assert choose("steady", view, [*plays("4S", "KH"), {"move": "draw"}, {"move": "end_turn"}], 1) == {"move": "draw"}


@pytest.mark.parametrize(("pile", "move"), [(["4D", "5D", "5H", "8S", "9S", "JD"], "draw"), (["KD"], "pick_up")])
def test_a_card_of_the_stock_is_tried_against_a_pile_that_hurts(pile: list[str], move: str) -> None:
    view = table("castle", ["4S", "4H", "6D"], pile, seats=4, stock_count=10)
    assert choose_by_weights(view, [{"move": "pick_up"}, {"move": "draw"}]) == {"move": move}


def test_a_face_down_card_that_failed_before_is_left_for_a_better_pile() -> None:
    view = table("castle", [], ["KD"], stock_count=0)
    view["players"][0] |= {"face_up": [], "face_down_cards": ["4S", None, None]}
    assert choose("steady", view, [{"move": "flip", "positions": [0, 1, 2]}], 1)["position"] != 0
    view["pile"] = []
    assert choose("steady", view, [{"move": "flip", "positions": [0, 1, 2]}], 1)["move"] == "flip"


def rummy(hand: list[str], **more: Any) -> dict[str, Any]:
    """Seat 0's view of Three Thirteen's second round: 4s are wild."""
    players = [
        {"seat": 0, "hand_count": len(hand), "hand": hand, "rounds": [], "total": 0},
        {"seat": 1, "hand_count": 4, "hand": None, "rounds": [], "total": 0},
    ]
    view = {
        "game": "three_thirteen", "ruleset": "house", "options": {"ace_points": 15, "decks": 1}, "seats": 2,
        "dealer": 1, "status": "playing", "to_act": [0], "may_interrupt": [], "players": players, "result": None,
        "round": 2, "wild": "4", "step": "discard", "stock_count": 40, "discard_count": 3, "discard_top": "9C",
        "went_out": None, "renewed": 0,
    }  # fmt: skip
    return view | more


DRAWS = [{"move": "draw", "from": "stock"}, {"move": "draw", "from": "discard"}]


def discards(hand: list[str]) -> list[dict[str, Any]]:
    return [{"move": "discard", "card": card} for card in hand]


def test_who_can_go_out_does() -> None:
    hand = ["7S", "7H", "7D", "4S", "KH"]
    out = {"move": "go_out", "discard": "KH"}
    assert choose("steady", rummy(hand), [*discards(hand), out], 1) == out


@pytest.mark.parametrize("low", ["2C", "5H"])
def test_a_queen_and_a_king_are_not_clung_to_in_a_short_round(low: str) -> None:
    """A card left over at the end costs its points, and a round of three cards ends after a turn or two."""
    hand = ["QS", "KS", low, "7D"]
    view = rummy(hand, wild="3", round=1)
    assert choose("steady", view, discards(hand), 1)["card"] in {"QS", "KS"}


def test_a_wild_card_and_a_pair_are_kept_and_the_dear_single_card_goes() -> None:
    hand = ["4S", "9S", "QH", "7D", "7C"]
    assert choose("steady", rummy(hand), discards(hand), 1) == {"move": "discard", "card": "QH"}


@pytest.mark.parametrize(("top", "source"), [("7H", "discard"), ("4H", "discard"), ("KC", "stock")])
def test_the_discard_pile_is_drawn_from_when_its_card_helps(top: str, source: str) -> None:
    view = rummy(["7S", "7D", "QH", "2C"], step="draw", discard_top=top)
    assert choose("steady", view, DRAWS, 1) == {"move": "draw", "from": source}


def test_in_a_final_turn_only_the_penalty_counts() -> None:
    hand = ["4S", "KS", "KH", "KD", "AC"]
    assert choose("steady", rummy(hand, went_out=1), discards(hand), 1) == {"move": "discard", "card": "AC"}
    hand = ["JS", "JH", "2C", "8D", "6D"]
    assert choose("steady", rummy(hand, went_out=1), discards(hand), 1)["card"][0] == "J"


def test_a_card_that_would_only_be_thrown_away_again_is_left_on_the_discard_pile() -> None:
    """Two bots that passed one card to and fro would never end a round."""
    hand = ["6S", "7H", "6H"]
    for seed in range(50):
        view = rummy(hand, step="draw", discard_top="AS", wild="3", round=1)
        assert choose("steady", view, DRAWS, seed) == {"move": "draw", "from": "stock"}
