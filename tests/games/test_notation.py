"""The table in plain text."""

import io

import pytest
from rich.console import Console

from examples.terminal.picture import picture
from games.events import numbered
from games.rules import GAMES, notation
from games.rules.cards import row
from games.rules.events import clause, whole
from games.services.lobby import CHANGEABLE
from tests.rules.playing import RandomGame


def test_tt6_the_melds_of_the_player_who_went_out_lie_on_the_table():
    rules = GAMES["three_thirteen"]
    for seed in range(50):
        game = RandomGame("three_thirteen", seed, seats=3, options={"rounds": 2})
        for _ in game.steps():
            if game.rules.view(game.state, 0)["laid"]:
                break
        view = rules.view(game.state, 0)
        if view["laid"]:
            break
    shown = notation.table(view, ["ada", "bob", "cyd"])
    melds = " | ".join(row(meld) for meld in view["laid"])
    assert f"seat {view['went_out']} went out with {melds}" in shown


@pytest.mark.parametrize(("game", "order"), [("three_thirteen", "A♦ 3♥ K♠"), ("threes", "3♥ K♠ A♦")])
def test_tt1_and_s9_aces_are_low_in_three_thirteen_and_high_elsewhere(game, order):
    seen = RandomGame(game, 1, seats=3)
    view = GAMES[game].view(seen.state, 0)
    view["players"][0]["hand"] = ["KS", "AD", "3H"]
    assert f"Your hand: {order}" in " ".join(notation.own_cards(view, 0))
    assert f"hand {order}" in notation.table(view, NAMES)
    console = Console(file=io.StringIO(), width=100)
    console.print(picture({"game": game, "title": game, "version": 1, "view": view, "your_seat": None}, NAMES))
    drawn = console.file.getvalue()
    assert sorted(order.split(), key=drawn.index) == order.split()


NAMES = ["ada", "bob", "cyd"]


def line(type_, data, seat=1):
    return numbered({"version": 7, "type": type_, "seat": seat, "data": data}, NAMES).strip()


def test_ca2_it_is_said_who_won_the_opening_race_and_who_lost_it():
    played = {
        "move": {"move": "play", "cards": ["3H"]},
        "effects": [{"effect": "opened", "raced": [0, 2]}],
    }
    assert line("played", played) == "7  bob played 3♥; ada and cyd lost the race to open"
    assert line("played", {**played, "effects": [{"effect": "opened", "raced": []}]}) == "7  bob played 3♥"


def test_ca7_a_card_that_was_drawn_goes_onto_the_pile_by_itself():
    drawn = {"move": {"move": "draw"}, "effects": [{"effect": "drew_to_pile", "seat": 1, "card": "AD"}]}
    assert line("drew", drawn) == "7  bob played A♦ from the stock"


def test_tc10_events_say_what_the_players_say():
    played = {
        "move": {"move": "play", "cards": ["6H"]},
        "effects": [
            {"effect": "laid", "seat": 1, "cards": ["6H"], "hand": ["6H"], "face_up": [], "position": None},
            {"effect": "closed", "why": "four_in_a_row"},
        ],
        "calls": ["kerchoo", "exorcism"],
    }
    assert line("played", played) == "7  bob played 6♥ and cleared the pile; “Kerchoo!”; an exorcism"
    riding = {
        "move": {"move": "pick_up"},
        "effects": [{"effect": "picked_up", "seat": 1, "cards": ["KS"]}],
        "calls": ["on_the_train"],
    }
    assert line("picked_up", riding) == "7  bob took the pile (1 card); bob was on the train"


def test_tc10_the_deal_says_who_asks_who_dealt_to_who_may_know():
    dealt = {"dealer": 2, "calls": ["who_dealt"], "who_dealt": [0, 1]}
    assert line("dealt", dealt, None) == "7  cyd dealt the cards; ada and bob: “Who the fuck dealt?”"
    own = {"dealer": 2, "calls": ["who_dealt"], "who_dealt": None}
    assert line("dealt", own, None) == "7  cyd dealt the cards; you: “Who the fuck dealt?”"
    assert line("dealt", {"dealer": 2, "calls": [], "who_dealt": None}, None) == "7  cyd dealt the cards"


def test_s14_settling_and_taking_it_back_are_told_apart():
    def settled(*seats):
        return {"move": {"move": "settle"}, "effects": [{"effect": "settled", "seats": list(seats)}], "calls": []}

    assert line("settled", settled(0, 1)) == "7  bob agreed to end the game as it stands; agreed so far: ada and bob"
    assert line("settled", settled(0)) == "7  bob no longer agreed to end the game as it stands; agreed so far: ada"


def test_s14_the_table_says_that_the_game_stands_still():
    rules = GAMES["three_card"]
    game = RandomGame("three_card", 3, seats=3)
    view = rules.view(game.state, None)
    assert "stands still" not in notation.table(view, NAMES)
    still = notation.table(view | {"may_settle": True, "settled": [2]}, NAMES)
    assert "the game stands still: all may settle, seat 2 so far" in still


def test_a_changed_room_is_told_with_what_is_new():
    changed = {"changes": ["seats", "clock"], "ruleset": "house", "seats": 4, "visibility": "public"}
    assert line("changed", changed, 0) == "7  ada changed the table: 4 seats, another clock"
    parts = {"changes": list(CHANGEABLE), "ruleset": "house", "seats": 4, "visibility": "public"}
    assert line("changed", parts, 0).endswith("public, another start, other talk")


@pytest.mark.parametrize("name", ["three_card", "tripp_jokes", "threes", "castle"])
def test_ca2_tc3_mails_and_pages_say_that_the_lowest_card_opens(name):
    found = 0
    for seed in range(4):
        game = RandomGame(name, seed, seats=3)
        for _ in game.steps():
            if game.rules.status(game.state) == "playing":
                opens = game.state.opening_rank is not None
                found += opens
                assert (notation.asks_for(game.rules.view(game.state, 0)) == "The lowest card opens.") is opens
    assert bool(found) is (name in {"three_card", "castle"})


def told(type_, data, seat=2, names=("ada", "bob", "You"), **more):
    return whole(clause({"type": type_, "seat": seat, "data": data}, names, **more), names)


def test_the_reader_is_addressed():
    """The reader's own verbs, cards and seat."""
    race = [{"effect": "opening", "seats": [0, 2], "rank": "5"}, {"effect": "opened", "raced": [0, 2]}]
    ends = {"move": {"move": "end_turn"}, "effects": race}
    assert told("turn_ended", ends) == "You ended the turn; ada and you lost the race to open."
    assert told("turn_ended", ends, 1).startswith("bob ended the turn; ")
    drew = [{"effect": "drew", "seat": 2, "count": 1, "cards": ["AD"]}, {"effect": "out", "seat": 2, "place": 1}]
    played = {"move": {"move": "play", "cards": ["7H"]}, "effects": drew, "calls": ["on_the_train"]}
    assert told("played", played) == "You played 7♥, drew A♦ and went out, 1st; you were on the train."
    assert (
        told("went_out", {"move": {"move": "go_out", "discard": "KD"}, "melds": []}) == "You went out, discarding K♦."
    )
    back = {"move": {"move": "settle"}, "effects": [{"effect": "settled", "seats": []}]}
    said = "You no longer agreed to end the game as it stands; agreed so far: nobody."
    assert told("settled", back) == said
    assert told("timed_out", {"action": "bot"}) == "Your time was up."
    assert told("bot_seated", {}) == "A bot took your seat."
    assert told("bot_seated", {}, 0) == "A bot took ada's seat."
    assert told("joined", {}, 0) == "ada sat down."
    assert told("kicked", {}, 7, who="Somebody") == "Somebody was removed from the table."
    assert told("kicked", {}, 7, who="You") == "You were removed from the table."
    assert told("joined", {}, 0, names=("bot 1",)) == "Bot 1 sat down."


def test_who_reads_a_sentence_sees_whose_turn_it_is_and_what_a_plan_did():
    again = [TOOK, {"effect": "turn", "seat": 2, "bonus": "must", "number": 4}]
    move = {"move": {"move": "pick_up"}, "calls": []}
    assert told("picked_up", {**move, "effects": again, "planned": True}) == "You took the pile (2 cards), as planned."
    assert line("picked_up", {**move, "effects": again}, 2) == "7  cyd took the pile (2 cards); cyd must play again"


TOOK = {"effect": "picked_up", "seat": 2, "cards": ["3H", "4H"]}
CLOSED = {"effect": "closed", "why": "ten"}
TURNED = {"effect": "laid", "seat": 2, "cards": ["TH"], "hand": [], "face_up": [], "position": 1}
LIFTED = {"effect": "lifted", "seat": 2, "position": 1, "card": "4S"}
SHOWN = {"effect": "shown", "seat": 2, "position": 1, "card": "4S"}
DREW = {"effect": "drew", "seat": 2, "count": 1, "cards": None}


@pytest.mark.parametrize(
    ("type_", "move", "effects", "by_hand", "by_the_clock"),
    [
        ("arranged", {"move": "arrange", "face_up": ["QS", "KD"]}, [], "You laid Q♠ K♦ face up.",
         "Q♠ and K♦ were laid face up for you."),
        ("arranged", {"move": "arrange", "face_up": None}, [], "You chose what lies face up.",
         "The face-up cards were chosen for you."),
        ("played", {"move": "play", "cards": ["TH"]}, [CLOSED, DREW],
         "You played 10♥, cleared the pile and drew 1 card.",
         "10♥ was played for you; you cleared the pile and drew 1 card."),
        ("played", {"move": "play", "cards": ["4C", "4D"]}, [], "You played 4♣ 4♦.", "4♣ and 4♦ were played for you."),
        ("flipped", {"move": "flip", "position": 1}, [TURNED], "You turned over 10♥.", "10♥ was turned over for you."),
        ("flipped", {"move": "flip", "position": 1}, [LIFTED, TOOK],
         "You turned over 4♠ in vain and took the pile (2 cards).",
         "4♠ was turned over for you in vain; you took the pile (2 cards)."),
        ("flipped", {"move": "flip", "position": 1}, [SHOWN, TOOK],
         "You turned over 4♠ in vain, laid it back and took the pile (2 cards).",
         "4♠ was turned over for you in vain; you laid it back and took the pile (2 cards)."),
        ("picked_up", {"move": "pick_up"}, [TOOK], "You took the pile (2 cards).", "You took the pile (2 cards)."),
        ("discarded", {"move": "discard", "card": "7H"}, None, "You discarded 7♥.", "7♥ was discarded for you."),
        ("resigned", {"move": "resign"}, [], "You resigned.", "You were out of the game."),
    ],
)  # fmt: skip
def test_what_was_played_for_somebody_is_told_as_what_happened_to_them(type_, move, effects, by_hand, by_the_clock):
    data = {"move": move, **({} if effects is None else {"effects": effects, "calls": []})}
    assert told(type_, data) == by_hand
    assert told(type_, data, for_them=True) == by_the_clock
    theirs = [{**one, "seat": 0} if "seat" in one else one for one in effects or ()]
    others = told(type_, {**data, **({} if effects is None else {"effects": theirs})}, 0, for_them=True)
    assert " ada" in f" {others}" and "you" not in others.lower()


def test_the_end_says_why():
    rows = [{"seat": seat, "place": seat + 1, "score": score} for seat, score in enumerate((0, 0, 4))]
    ended = {"result": {"ended_by": "out", "placements": rows}}
    assert told("finished", ended, None) == "The game ended: only one player still held cards."
    rows[1]["score"] = 2
    assert told("finished", ended, None) == "The game ended: a player was out of cards."
