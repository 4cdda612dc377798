"""House games (HG1 to HG18): each test proves the ruling its name begins with; then what holds for all documents."""

import io
import json
import random
from collections import Counter
from contextlib import redirect_stdout
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules import PLAYED, IllegalMove, SetupError
from games.rules.__main__ import main
from games.rules.record import record_of, replay
from games.rules.shedding import SHEDDING_GAMES
from games.rules.shedding.document import DEFAULTS, POWERS, canonical, completed, read
from games.rules.shedding.legal import opening
from games.rules.shedding.rules import Rules
from games.rules.shedding.sentences import differences, sentences
from tests.rules.house import house_game, random_document
from tests.rules.playing import RandomGame, concrete
from tests.rules.table import Table
from tests.rules.test_properties import MOVES, all_cards, cards_in, exchanged, listed_as

HOUSE = PLAYED["house"]


def faults(**document: Any) -> list[str]:
    return [*read({"title": "A", **document})[1]]


def complete(**document: Any) -> dict[str, Any]:
    found, wrong = read({"title": "A", **document})
    assert not wrong
    return found


def house(*hands: str, rules: dict[str, Any], **position: Any) -> Table:
    """A position of a house game by these rules."""
    return Table.at("house", hands, options={"rules": {"title": "A", **rules}}, **position)


def powers(**of: str) -> dict[str, Any]:
    """Powers of ranks, with a letter before those that are numbers: `r8="skips"`."""
    return {"powers": {rank.removeprefix("r"): said.split() for rank, said in of.items()}}


# The document


@pytest.mark.parametrize(
    ("document", "paths"),
    [
        ({"title": " "}, ["title"]), ({"title": "a\u2028b"}, ["title"]), ({"title": "x" * 41}, ["title"]),
        ({"about": "x" * 501}, ["about"]), ({"abuot": ""}, ["abuot"]), ({"seats": [2, 13]}, ["seats"]),
        ({"seats": [True, 5]}, ["seats"]), ({"seats": [2, 6]}, ["decks"]), ({"decks": [[3, 1], [3, 2]]}, ["decks"]),
        ({"decks": []}, ["decks"]), ({"decks": [[5, 9]]}, ["decks"]), ({"jokers": True}, ["jokers"]),
        ({"without": "X"}, ["without"]), ({"without": "23456789TJQKA"}, ["without"]), ({"without": "2345"}, ["decks"]),
        ({"order": "3456789TJQKA"}, ["order"]), ({"without": "2", "order": "23456789TJQKA"}, ["order"]),
        ({"deal": {"table": 5}}, ["deal.table"]), ({"deal": []}, ["deal"]), ({"deal": {"hand": 6}}, ["decks"]),
        ({"opening": {"who": "dealer_left", "race": False}}, ["opening.race"]),
        ({"opening": {"search": None}}, ["opening.search"]),
        ({"jokers": 1, "opening": {"search": "23456789TJQKA"}}, ["opening.search"]),
        ({"opening": {"race": True, "card": "any"}}, ["opening.card"]), ({"direction": "up"}, ["direction"]),
        (powers(r2="wild wild"), ["powers.2"]), (powers(X="lower"), ["powers.X"]), (powers(r1="wild"), ["powers.1"]),
        (powers(r2="free clear", r3="closes takes", r4="wild wild_up"), ["powers.2", "powers.3", "powers.4"]),
        ({"powers": {"2": "wild"}}, ["powers.2"]), ({"row": {"size": 2}}, ["row.size"]),
        ({"row": {"through": "88"}}, ["row.through"]),
        ({"on_empty": {"powerless": "some"}}, ["on_empty.powerless"]), ({"turn": {"draw": "two"}}, ["turn.draw"]),
        ({"turn": {"merge": True, "take_up": True}}, ["turn.merge"]),
        ({"end": {"stalemate_after": 2}}, ["end.stalemate_after"]),
        ({"seats": [2, 6], "jokers": 5, "row": {"then": "now"}}, ["jokers", "row.then", "decks"]),
        ({"turn": {"merge": True, "take_up": True, "draw": "x"}}, ["turn.draw", "turn.merge"]),
        ({"seats": [2, 12], "decks": [[12, 1]], "deal": {"table": 1, "hand": 1, "x": 1}}, ["deal.x"]),
        ({"deal": {"hand": 6, "shown": 1}}, ["deal.shown", "decks"]),
        ({"order": "23", "opening": {"search": "23"}}, ["order", "opening.search"]),
    ],
)  # fmt: skip
def test_hg1_to_hg14_all_that_is_wrong_is_named_by_its_path(document, paths):
    assert faults(**document) == paths


def test_hg1_a_complete_document_completes_to_itself_and_powers_have_one_order():
    document = complete(powers={"3": [], "2": ["closes", "wild"]}, row={"then": "must"})
    assert document["powers"] == {"2": ["wild", "closes"]} and document["row"]["at_once"] == "must"
    assert read(document) == (document, {}) and completed(document) == document
    assert complete(opening={"who": "dealer_left"})["opening"] == {
        "who": "dealer_left", "search": None, "card": None, "race": None
    }  # fmt: skip


def test_hg17_what_a_log_holds_has_the_defaults_of_later_keys():
    old = json.loads(canonical(complete(end={"until": "last_left"})))
    del old["end"]["stalemate_after"], old["on_empty"]
    assert completed(old)["end"] == {"until": "last_left", "stalemate_after": 20}
    assert completed(old)["on_empty"] == {"powerless": ""}


def test_hg17_a_game_by_rules_that_would_be_refused_now_is_known_by_its_own(monkeypatch):
    old = json.loads(canonical(complete(**powers(r2="wild"))))
    del old["on_empty"], old["row"]["through"]
    game = HOUSE.by({"rules": old})
    monkeypatch.setattr("games.rules.shedding.house.read", lambda given: ({}, {"powers.2": "Must be no power."}))
    for asked in ({}, {"rules": old}, {"rules": completed(old)}):
        assert game.complete_options(2, None, asked) == ("house", {"rules": completed(old)})
        game.deal(2, "house", asked, 0, list)
    for other in ({"rules": {**old, "title": "B"}}, {"rules": 1}, {"rules": {}}):
        with pytest.raises(SetupError, match="must be no power"):
            game.complete_options(2, None, other)
    for wrong in ({"rules": old, "decks": 1}, [], {"decks": 1}):
        with pytest.raises(SetupError, match="are only its rules"):
            game.complete_options(2, None, wrong)


# Playing


def test_hg5_as_many_cards_lie_down_and_up_as_the_document_says():
    rules = {"title": "A", "deal": {"table": 4, "hand": 2, "turn_up": True}, "order": "A23456789TJQK"}
    table = Table.dealt("house", 2, options={"rules": rules})
    assert [len(table.seen_at(0)[zone]) for zone in ("face_down", "hand")] == [4, 6]
    assert table.legal(0)[0]["choose"] == 4 and len(table.pile) == 1 and table.stock_count == 52 - 21
    assert table.refuses(0, "flip 4") == "malformed"


def test_hg6_who_opens_with_any_card_may_draw_or_pick_up_what_was_turned_up():
    rules = {"opening": {"who": "dealer_left"}, "turn": {"draw": "gamble"}}
    table = house("5S", "6S", rules=rules, openers=(0,), stock="9S 3S", turn_number=1)
    assert {"move": "draw"} in table.legal(0)
    assert table.move(0, "draw").to_act == [1] and table.state.openers == ()
    table = house("5S", "6S", rules=rules, pile="KS", openers=(0,), turn_number=1)
    assert table.legal(0) == [{"move": "pick_up"}]
    assert table.move(0, "pick_up").to_act == [1]


def test_hg6_the_opener_is_looked_for_in_the_direction_of_play():
    rules = {"direction": "right", "opening": {"search": "A23456789TJQK"}}
    table = house("AS", "AH", "AD", rules=rules, dealer=1, direction=-1, turn=None)
    assert opening(table.state) == ([2], "A")


def test_hg7_wild_up_must_fit_where_the_pile_asks_for_lower():
    rules = powers(r7="lower", T="wild_up")
    assert house("TS 5S", rules=rules, pile="7S").plays(0) == "5"
    assert house("TS 5S", rules=rules, pile="KS").plays(0) == "T"


def test_hg8_what_lies_below_clear_cards_asks_and_the_lowest_value_for_nothing():
    rules = {**powers(r8="clear", K="free", r3="lower"), "order": "3456789TJQKA2"}
    asked = {pile: house("4S", rules=rules, pile=pile).to_beat for pile in ("9S 8S", "8S", "KS", "3S", "2S")}
    assert asked == {
        "9S 8S": {"rank": "9", "or": "higher"}, "8S": None, "KS": None,
        "3S": {"rank": "3", "or": "lower"}, "2S": {"rank": "2", "or": "higher"},
    }  # fmt: skip


def test_hg9_cards_played_on_the_empty_pile_have_no_power_but_being_wild():
    rules = {**powers(r7="lower skips", T="wild closes"), "on_empty": {"powerless": "7T"}}
    table = house("7S 9S", "8S 5S", "AS", rules=rules).move(0, "play 7S")
    assert (table.to_act, table.powerless, table.to_beat) == ([1], 1, {"rank": "7", "or": "higher"})
    table = house("TS 9S", "8S", rules=rules).move(0, "play TS")
    assert table.pile == ["TS"], "it does not close"
    assert house("7D 9S", "8S", "AS", rules=rules, pile="7S", laid_on_empty=1).move(0, "play 7D").to_act == [2]


ROW = {"size": 4, "then": "must", "at_once": "next", "through": "8"}


def test_hg10_a_row_passes_over_ranks_and_one_play_alone_may_go_on_otherwise():
    table = house("5S 9S", "6S", rules={"row": ROW}, pile="5H 8S 5D 5C").move(0, "play 5S")
    assert (table.pile, table.bonus, table.to_act) == ([], "must", [0])
    table = house("5S 5H 5D 5C 9S", "6S", rules={"row": ROW}).move(0, "play 5S 5H 5D 5C")
    assert (table.pile, table.to_act) == ([], [1])
    table = house("8S 9S", "6S", rules={"row": ROW}, pile="8H 8D 8C").move(0, "play 8S")
    assert table.pile == [], "a row of such a rank itself"


def test_hg10_a_row_is_completed_out_of_turn_whatever_the_rank_can_do():
    rules = {"row": {"size": 3, "out_of_turn": True, "then": "may"}, **powers(r5="closes reverses skips")}
    table = house("9S", "5S 5H 5D KS", "6S", rules=rules, pile="5C", bonus="may")
    assert table.legal(1) == [{"move": "play", "rank": "5", "cards": ["5S", "5H", "5D"], "min": 2, "max": 2}]
    assert table.refuses(1, "play 5S 5H 5D") == "not_your_turn"
    table.move(1, "play 5H 5D")
    assert (table.pile, table.to_act, table.bonus, table.direction, table.skips) == ([], [0], "may", 1, 0)
    assert house("9S", "8S 8H", rules={"row": {**ROW, "out_of_turn": True}}, pile="8C 8D").legal(1) == []


def test_hg11_a_row_may_come_before_the_power_of_its_cards():
    rules = {**powers(X="takes wild"), "jokers": 4, "row": {"size": 3, "first": True, "then": "next"}}
    table = house("XB 5S", "6S", rules=rules, pile="9S XR XR").move(0, "play XB")
    assert (table.pile, table.hand(0), table.to_act) == ([], "5S", [1])
    table = house("XB 5S", "6S", rules=rules, pile="9S XR").move(0, "play XB")
    assert (table.pile, table.hand(0)) == (["XB"], "5S 9S XR")


def test_hg11_in_a_bonus_play_that_is_a_right_nobody_picks_up():
    rules = {**powers(K="may_again"), "turn": {"draw": "gamble"}, "deal": {"hand": 2}}
    table = house("KS 5S 4S", "6S", rules=rules, pile="9S", stock="3S").move(0, "play KS")
    assert table.legal(0) == [{"move": "end_turn"}] and table.refuses(0, "pick_up") == "can_play"
    assert table.refuses(0, "draw") == "cannot_draw", "CA7b"
    table = house("KS 5S", "6S", rules=powers(K="must_again"), pile="9S", stock="3S 4S 6S").move(0, "play KS")
    assert table.legal(0) == [{"move": "pick_up"}]


def test_hg12_skips_wait_for_the_end_of_the_turn_and_a_pick_up_forgets_them():
    rules = {**powers(r8="skips may_again", r9="reverses"), "row": {"size": 8}}
    table = house("8S 8H KS 9S", "6S", "7S", "7H", rules=rules).move(0, "play 8S 8H")
    assert (table.skips, table.to_act, table.bonus) == (2, [0], "may")
    assert table.rules.load(table.rules.dump(table.state)).skips == 2
    assert table.move(0, "play 9S").to_act == [1], "three seats on, after the reversal"
    two = house("8S KS 4S", "6S", rules=rules).moves("0 play 8S", "0 end_turn")
    assert (two.to_act, two.bonus, two.state.turn_number) == ([0], None, 6), "a new turn"
    rules = {**powers(r8="skips must_again"), "turn": {"after_pick_up": "must"}}
    table = house("8S 4S 3S", "6S", "7S", rules=rules).moves("0 play 8S", "0 pick_up")
    assert table.skips == 0 and table.move(0, "play 4S").to_act == [1]


def test_hg12_skips_act_when_their_player_goes_out_or_leaves():
    rules = {**powers(r8="skips may_again"), "end": {"until": "last_left"}}
    table = house("8S", "6S", "7S", "9S", rules=rules, face_down=["- - -"]).move(0, "play 8S")
    assert table.to_act == [2]
    assert house("8S KS", "6S", "7S", rules=rules).moves("0 play 8S", "0 resign").to_act == [2]


def test_hg17_a_record_whose_rules_are_refused_is_refused_as_a_wrong_option():
    for options, field in (
        ({}, "options"), ({"rules": {"title": "A"}, "decks": 1}, "options"), ({"rules": 1}, "options.rules"),
        ({"rules": {"title": "A", "jokers": 9}}, "options.rules.jokers"),
    ):  # fmt: skip
        with pytest.raises(SetupError) as refusal:
            HOUSE.complete_options(2, None, options)
        assert refusal.value.field == field


def test_hg17_the_check_answers_a_line_for_each_document(tmp_path):
    file = tmp_path / "rules"

    def check(content: str) -> tuple[int, list[Any]]:
        file.write_text(content)
        with redirect_stdout(io.StringIO()) as out:
            status = main(["check", str(file)])
        return status, [json.loads(line) for line in out.getvalue().splitlines()]

    status, [answer] = check('{"title": "A"}')
    assert status == 0 and answer["rules"] == complete() and answer["sentences"] == sentences(complete())
    assert check('{"title": 1}') == (1, [{"errors": [{"path": "title", "detail": "Must be a string."}]}])
    status, answers = check('no\n{"title": "A"}\n{}')
    assert status == 2 and [[*answer] for answer in answers] == [["errors"], ["sentences", "rules"], ["errors"]]
    status, answers = check("no\n{}\n")
    assert status == 2 and [answer["errors"][0]["path"] for answer in answers] == ["", "title"]
    assert check("")[0] == 2
    status, [answer] = check(json.dumps({"title": "A", "about": " " * 9000}))
    assert status == 1 and [error["path"] for error in answer["errors"]] == [""]


# What holds for all documents


def test_the_keys_of_a_document_are_listed_with_what_they_can_be(capsys):
    assert main(["keys"]) == 0
    lines = capsys.readouterr().out.splitlines()
    listed = {line.split(" (")[0].partition(":")[0] for line in lines if line[0] != " "}
    keys = {f"{part}.{key}" for part, held in DEFAULTS.items() if isinstance(held, dict) for key in held}
    assert listed == keys | {"powers"} | {key for key, held in DEFAULTS.items() if not isinstance(held, dict)}
    assert "title (needed, 1 to 40 characters): Name of the game" in lines
    assert "deal.hand (3, 1 to 6): Cards in hand" in lines
    assert "row.size (null, 3 to 8): How many cards of one rank in a row clear the pile?" in lines
    at = lines.index('direction ("left"): Direction of play')
    assert lines[at + 1 : at + 3] == ["  left: clockwise", "  right: counterclockwise"]
    assert {line.split(":")[0].strip() for line in lines if line[0] == " "} >= {*POWERS}


def without_own(facts: dict[str, Any]) -> dict[str, Any]:
    own = ("game", "ruleset", "options", "calls", "who_dealt", "skips", "powerless")
    return {key: value for key, value in facts.items() if key not in own}


@pytest.mark.parametrize("game", SHEDDING_GAMES, ids=lambda game: game.name)
@given(seed=st.integers(0, 2**32))
@settings(max_examples=8)
def test_hg16_a_built_in_game_is_played_as_its_document(game, seed):
    seats = random.Random(seed).randint(2, min(game.max_seats, 12))
    built_in = RandomGame(game.name, seed, seats=seats)
    deal = built_in.events[0]["data"]
    document = built_in.state.rules.document
    document = document | {"seats": [seats, seats], "decks": [[12, built_in.state.rules.decks(seats)]]}
    own, _ = HOUSE.deal(seats, None, {"rules": document}, deal["dealer"], lambda _: deal["shuffle"])
    for seat, move, [event] in built_in.steps():
        assert HOUSE.legal_moves(own, seat)
        [same] = HOUSE.decide(own, seat, move, list)
        assert without_own(same["data"]) == without_own(event["data"])
        own = HOUSE.evolve(own, same)
        viewer = random.Random(seed).choice([None, "public", seat])
        assert without_own(HOUSE.view(own, viewer)) == without_own(built_in.rules.view(built_in.state, viewer))


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_hg15_every_random_game_by_random_rules_ends_and_no_card_is_lost(seed):
    game = house_game(seed)
    pack = Counter(game.events[0]["data"]["shuffle"])
    for at, _ in enumerate(game.steps(10_000)):
        if at % 10 == 0:
            assert all_cards(game.rules.view(game.state, None), Counter(game.state.stock)) == pack
    result = game.rules.result(game.state)
    places = [row["place"] for row in result["placements"]]
    assert all(place == 1 + sum(other < place for other in places) for place in places)
    played = replay(json.loads(json.dumps(record_of(game.rules, game.events))), PLAYED)
    assert played.error is None and played.events == game.events and played.state == game.state


@given(seed=st.integers(0, 2**32), moves=st.lists(MOVES, max_size=20))
@settings(max_examples=20)
def test_every_listed_move_is_accepted_and_no_other_is(seed, moves):
    game, chance = house_game(seed), random.Random(seed)
    for _ in game.steps(chance.randrange(150)):
        pass
    for seat in game.able():
        for listed in game.rules.legal_moves(game.state, seat):
            game.rules.decide(game.state, seat, concrete(listed, chance), list)
    cards = [card for player in game.state.players for card in player.hand + player.face_up]
    moves += [{"move": "play", "cards": [card]} for card in cards]
    moves += [{"move": "play", "cards": [card for card in cards if card[0] == rank]} for rank in {c[0] for c in cards}]
    for seat in range(game.seats):
        for move in moves:
            if not any(listed_as(listed, move) for listed in game.rules.legal_moves(game.state, seat)):
                with pytest.raises(IllegalMove):
                    game.rules.decide(game.state, seat, move, list)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=20)
def test_house_games_that_differ_only_in_hidden_cards_look_the_same(seed):
    game = house_game(seed)
    if len({*game.events[0]["data"]["shuffle"]}) < len(game.events[0]["data"]["shuffle"]):
        return  # exchanging equal cards says nothing
    viewer = game.rng.choice(["public", *range(game.seats)])
    seen = cards_in(game.rules.view(game.state, viewer))
    for _, _, [event] in game.steps(game.rng.randrange(60)):
        if game.rules.status(game.state) == "finished":
            return
        seen |= cards_in(game.rules.view(game.state, viewer))
        seen |= {effect["card"] for effect in event["data"]["effects"] if effect["effect"] == "lifted"}
    hidden = sorted({*game.events[0]["data"]["shuffle"]} - seen)
    twin = exchanged(game.events, dict(zip(hidden, game.rng.sample(hidden, len(hidden)), strict=True)))
    state = other = None
    for event, changed in zip(game.events, twin, strict=True):
        state, other = game.rules.evolve(state, event), game.rules.evolve(other, changed)
        assert game.rules.redact(event, viewer) == game.rules.redact(changed, viewer)
        assert game.rules.view(state, viewer) == game.rules.view(other, viewer)


@given(seed=st.integers(0, 2**32))
@settings(max_examples=30)
def test_hg18_rules_are_whole_sentences_and_two_documents_differ_by_some(seed):
    chance = random.Random(seed)
    one, other = random_document(chance), random_document(chance)
    said = sentences(one) + differences(one, other)
    assert all(text[0].upper() == text[0] and text.endswith(".") and "{" not in text for text in said)
    assert "clos" not in " ".join(said).lower(), "a pile is cleared: one word for one thing"
    assert differences(one, one) == [] and Rules(one) == Rules(json.loads(canonical(one)))


def test_hg18_two_documents_are_compared_by_the_sentences_that_differ():
    clear = complete(**powers(r8="clear", r2="wild"))
    assert differences(clear, complete(**powers(r2="wild"))) == ["8s are no longer seen through."]
    assert differences(complete(), complete(**powers(r8="skips", A="skips"))) == [
        "Each 8 and each ace skips one player."
    ]
    other = complete(opening={"search": "3456789TJQKA2"})
    assert differences(other, complete(opening={"who": "dealer_left"})) == [
        "The player to the dealer's left opens with any card."
    ]


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        ("wild_up", "wild", ["Kings can be played on anything."]),
        ("may_again", "must_again", ["After kings you must play again."]),
        ("must_again", "", ["After kings you need not play again any more."]),
    ],
)
def test_hg18_a_power_in_place_of_another_is_said_without_its_opposite(before, after, said):
    assert differences(complete(**powers(K=before)), complete(**powers(K=after))) == said


@pytest.mark.parametrize(
    ("rules", "said"),
    [
        ({}, "For 2 to 5 players, with one deck, without jokers."),
        ({"jokers": 1}, "For 2 to 5 players, with one deck and one joker."),
        ({"seats": [2, 6], "decks": [[3, 1], [6, 2]], "jokers": 2},
         "For 2 to 6 players, with one deck for up to 3 and two decks for up to 6, with two jokers each."),
        ({"seats": [4, 4], "decks": [[4, 2]], "jokers": 1}, "For 4 players, with two decks, with one joker each."),
    ],
)  # fmt: skip
def test_hg18_the_cards_are_said_as_people_count_them(rules, said):
    assert sentences(complete(**rules))[0] == said


@pytest.mark.parametrize("who", [{"who": "dealer_left"}, {"card": "any"}])
def test_hg18_who_opens_with_any_card_must_fit_a_card_turned_up(who):
    table = house("4S 9S", rules={"opening": who, "deal": {"turn_up": True}}, pile="8S", openers=(0,), turn_number=1)
    assert [one["rank"] for one in table.legal(0)] == ["9"]
    rules = sentences(complete(opening=who, deal={"turn_up": True}))
    assert any("opens with any card that goes on the one turned up." in one for one in rules)


def test_hg18_a_card_that_closes_asks_only_where_it_lies_without_power():
    closing = {"jokers": 1, **powers(X="wild closes")}
    assert "on 2s." in " ".join(sentences(complete(**closing)))
    powerless = {**closing, "on_empty": {"powerless": "X"}}
    assert "on 2s and jokers." in " ".join(sentences(complete(**powerless)))
    table = house("3S 9S", "XR 9H", rules=powerless, turn=1, openers=())
    table.move(1, "play XR")
    assert {one["rank"] for one in table.legal(0)} == {"3", "9"}


def test_hg18_a_joker_that_is_not_wild_goes_only_where_anything_does():
    said = "A joker has no value: it can be played only where anything goes."
    assert said in sentences(complete(jokers=1)) and said not in sentences(complete(jokers=1, **powers(X="wild")))
    assert house("XR", rules={"jokers": 1}, pile="3S").legal(0) == [{"move": "pick_up"}]
