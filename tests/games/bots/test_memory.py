"""What everybody at the table knows of the hands, and a bot with them."""

from collections import Counter
from collections.abc import Sequence
from itertools import permutations
from random import Random
from typing import Any

import pytest

from games.bots.listing import any_of
from games.bots.shedding.memory import Memory, remember
from games.bots.shedding.table import Hand
from games.rules import GAMES
from games.rules.shedding import SheddingGame
from games.rules.shedding.state import Player, State
from tests.games.bots.positions import choose
from tests.games.bots.test_steady import plays
from tests.games.bots.test_steady import table as seen_table

SHEDDING = [name for name, game in GAMES.items() if isinstance(game, SheddingGame)]


def rules_of(game: str) -> SheddingGame:
    rules = GAMES[game]
    assert isinstance(rules, SheddingGame)
    return rules


def any_options(rules: SheddingGame, chance: Random) -> dict[str, Any]:
    """Any values of the options that change what cards can do; others have their defaults."""
    return {
        name: chance.choice(option.words or [True, False])
        for name, option in rules.options_of(rules.default_ruleset).items()
        if option.type is not int and chance.random() < 0.7
    }


def public(rules: SheddingGame, events: Sequence[dict[str, Any]], viewer: Any = "public") -> list[dict[str, Any]]:
    return [rules.redact(event, viewer) for event in events]


class Table:
    """A game whose events everybody remembers."""

    def __init__(self, game: str, seats: int, chance: Random, options: dict[str, Any] | None = None) -> None:
        self.rules = rules_of(game)
        self.state, events = self.rules.deal(
            seats, None, options or {}, 0, lambda cards: chance.sample(cards, len(cards))
        )
        self.memories = [
            remember(self.rules, public(self.rules, events, viewer)) for viewer in (*range(seats), "public")
        ]

    def move(self, seat: int, move: dict[str, Any]) -> None:
        """Make a move and remember it, each seat as it sees it."""
        for event in self.rules.decide(self.state, seat, move, list):
            self.state = self.rules.evolve(self.state, event)
            for number, memory in enumerate(self.memories):
                viewer: Any = number if number < len(self.state.players) else "public"
                self.memories[number] = remember(self.rules, public(self.rules, [event], viewer), memory)

    @property
    def memory(self) -> Memory:
        memory = self.memories[-1]
        assert memory is not None
        return memory


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_what_is_known_of_a_hand_is_true_and_the_same_for_all(game: str) -> None:
    """In whole games of random moves by any options, in which some resign."""
    known = 0
    for number in range(16):
        chance = Random(f"{game} {number}")
        table = Table(game, 2 + number % 4, chance, any_options(rules_of(game), chance) | {"stalemate_after": 5})
        while table.rules.result(table.state) is None:
            seat = chance.choice([*table.rules.to_act(table.state), *table.rules.may_interrupt(table.state)])
            move = any_of(chance.choice(table.rules.legal_moves(table.state, seat)), chance)
            if chance.random() < 0.003:
                move = {"move": "resign"}
            table.move(seat, move)
            assert all(memory == table.memory for memory in table.memories), "some know more than others"
            assert table.memory.pile == "".join(card[0] for card in table.state.pile)
            assert table.memory.laid_on_empty == table.state.laid_on_empty
            if table.state.phase == "playing":
                for player, hand in zip(table.state.players, table.memory.hands, strict=True):
                    check(player, hand)
                    known += len(hand.known)
    assert known > 1000


def check(player: Player, hand: Hand) -> None:
    """Fail if something that is known of a player's hand is not so."""
    rest = Counter(card[0] for card in player.hand)
    rest.subtract(hand.known)
    assert min(rest.values(), default=0) >= 0, "a card is known that is not there"
    assert rest.total() == len(hand.cannot)
    assert any(
        all(rank not in cannot for rank, cannot in zip(ranks, hand.cannot, strict=True))
        for ranks in permutations(rest.elements())
    ), "no order of the unknown cards is possible"
    assert all(newer <= older for older, newer in zip(hand.cannot, hand.cannot[1:], strict=False))


def well_under_way(game: str, hands: Sequence[Sequence[str]], **more: Any) -> Table:
    """A game in which nothing is known of the hands yet; seat 0 is to move."""
    table = Table(game, len(hands), Random(1))
    draft = table.state.draft()
    draft.players = tuple(
        Player(tuple(hand), ("KC", "KD"), ("9C", "9D", "9H"), (False,) * 3, arranged=True) for hand in hands
    )
    draft.pile, draft.stock, draft.phase, draft.turn, draft.turn_number = (), (), "playing", 0, 9
    for name, value in more.items():
        setattr(draft, name, value)
    table.state = draft.freeze()
    begun = Memory(
        table.memory.rules,
        [Hand().with_unknown(len(hand)) for hand in hands],
        ["KK"] * len(hands),
        "".join(card[0] for card in table.state.pile),
    )
    table.memories = [begun] * len(table.memories)
    return table


def test_s4_a_seat_that_picks_up_has_the_pile_and_nothing_that_could_be_played_on_it() -> None:
    table = well_under_way("castle", [["3S", "8H"], ["4S", "4H"]], pile=("5S", "5H", "QD"))
    table.move(0, {"move": "pick_up"})
    assert table.memory.hands[0] == Hand("55Q", (frozenset("QKA2T"),) * 2)
    assert table.memory.hands[1] == Hand().with_unknown(2)


def test_of_equal_cards_the_known_ones_are_taken_to_be_played_first() -> None:
    table = well_under_way("castle", [["3S", "8H"], ["4S", "4H"]], pile=("8S", "QD"))
    table.move(0, {"move": "pick_up"})
    table.move(1, {"move": "play", "cards": ["4S"]})
    table.move(0, {"move": "play", "cards": ["8H"]})
    assert table.memory.hands[0] == Hand("Q", (frozenset("QKA2T"),) * 2), "the 8 that is left is as unknown as the 3"


def test_an_unknown_card_that_is_played_is_the_oldest_that_it_can_be() -> None:
    low, none = frozenset("QKA2T"), frozenset[str]()
    hand = Hand("", (low, none, none))
    assert hand.without("K") == Hand("", (low, none))
    assert hand.without("3") == Hand("", (none, none)), "it may be a new one, and then the old one is no king either"


def test_ca7_a_seat_that_gambles_has_nothing_that_could_be_played_unless_the_pile_was_empty() -> None:
    high = frozenset("QKA2T")
    hands = [["3S", "4S", "5S"], ["4H"]]
    fails = well_under_way("castle", hands, pile=("QD",), stock=("6S", "7S"))
    fails.move(0, {"move": "draw"})
    assert fails.memory.hands[0] == Hand("Q", (high,) * 4), "nobody else saw the 6"
    goes = well_under_way("castle", hands, pile=("QD",), stock=("AS", "7S"))
    goes.move(0, {"move": "draw"})
    assert goes.memory.hands[0] == Hand("", (high,) * 3)
    free = well_under_way("castle", hands, stock=("6S", "7S"))
    free.move(0, {"move": "draw"})
    assert free.memory.hands[0] == Hand().with_unknown(3)


def test_tj9_a_seat_that_plays_a_joker_takes_the_pile_and_shows_nothing_else() -> None:
    table = well_under_way("tripp_jokes", [["XR", "AS"], ["4S"]], pile=("9S", "JS"))
    table.move(0, {"move": "play", "cards": ["XR"]})
    assert table.memory.hands[0] == Hand("9J").with_unknown(1) == Hand("9J", (frozenset(),))


def test_a_face_down_card_that_does_not_go_is_known() -> None:
    none = Player((), (), ("4D", None, None), (False,) * 3, arranged=True)
    three_card = well_under_way("three_card", [[], ["4S"]], pile=("JS",))
    draft = three_card.state.draft()
    draft.players = (none, draft.players[1])
    three_card.state = draft.freeze()
    three_card.move(0, {"move": "flip", "position": 0})
    assert Counter(three_card.memory.hands[0].known) == Counter("4J")


def test_tc8_face_up_cards_that_join_the_hand_are_known() -> None:
    table = well_under_way("three_card", [["8S"], ["4S"]], pile=("5S",))
    table.move(0, {"move": "play", "cards": ["8S"]})
    assert table.memory.hands[0] == Hand("KK")


def test_s2_cards_that_were_dealt_face_up_and_taken_into_the_hand_are_known() -> None:
    table = Table("threes", 2, Random(3))
    dealt = [player.face_up for player in table.state.players]
    first = table.state.players[0]
    table.move(0, {"move": "arrange", "face_up": [*first.hand[:2], first.face_up[0]]})
    assert table.memory.hands == [Hand(), Hand()], "the choice is secret until all have made theirs"
    table.move(1, {"move": "arrange", "face_up": [*dealt[1]]})
    left = Counter(card[0] for card in dealt[0]) - Counter(card[0] for card in table.state.players[0].face_up)
    assert Counter(table.memory.hands[0].known) == left
    assert table.memory.hands[1] == Hand().with_unknown(3)


@pytest.mark.parametrize("game", ["three_card", "threes"])
def test_what_the_other_seat_is_known_not_to_beat_is_played(game: str) -> None:
    """Either card makes it pick up, unless it has a card as high."""
    view = seen_table(game, ["JS", "QS"], ["4D", "4H", "5D", "5H", "8S", "8H", "9S"], stock_count=0)
    rules = rules_of(game).rules(view["options"])
    for known, played in (("33J", "QS"), ("34Q", "JS")):
        memory = Memory(rules, [Hand().with_unknown(2), Hand(known)], ["", ""], "4455889")
        assert choose("steady", view, plays("JS", "QS"), 1, memory=memory)["cards"] == [played]


def test_a_memory_goes_on_from_where_it_was_and_is_not_changed() -> None:
    chance = Random(5)
    rules = rules_of("castle")
    state, events = rules.deal(3, None, {}, 0, lambda cards: chance.sample(cards, len(cards)))
    whole = [*events]
    while rules.result(state) is None:
        made = play_at_random(rules, state, chance)
        state = rules.evolve(state, made)
        whole.append(made)
    seen = public(rules, whole)
    first = remember(rules, seen[:20])
    again = remember(rules, seen[:20])
    assert remember(rules, seen[20:], first) == remember(rules, seen) != first
    assert first == again


def play_at_random(rules: SheddingGame, state: State, chance: Random) -> dict[str, Any]:
    seat = chance.choice(rules.to_act(state))
    (event,) = rules.decide(state, seat, any_of(chance.choice(rules.legal_moves(state, seat)), chance), list)
    return event
