"""Simulated games: the cards, the players and the records of a numbered game (LB2, LB3, LB9)."""

import json
from hashlib import sha256
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.lab.players import needs_networks, plain_plan
from games.lab.playing import Chance, Lot, Side, Uncounted, play, replayed
from games.lab.runs import Run, play_all, play_number
from games.rules import GAMES, plans
from games.rules.cards import decks
from games.rules.record import replay


def side(game: str, seats: int = 4, ruleset: str | None = None, **options: object) -> Side:
    return Side(game, seats, *GAMES[game].complete_options(seats, ruleset, options))


def run_of(*sides: Side, games: int = 6, seed: str = "s", bots: str = "plain") -> Run:
    return Run(sides, games, seed, [bots] * sides[0].seats)


def test_lb2_the_dealer_follows_from_the_seed_and_the_number() -> None:
    digest = sha256(b"trey-lab/1/my seed/17/dealer").hexdigest()

    assert Lot("my seed", 17, ["plain"] * 5).dealer == int(digest, 16) % 5


def test_lb2_a_shuffle_sorts_the_cards_by_their_digests() -> None:
    shuffle = Chance(Lot("1", 3, ["plain"] * 2))
    shuffle(["2S"])

    found = shuffle(["7H", "KD", "7H"])

    keys = {"7H/0": "7H", "7H/1": "7H", "KD/0": "KD"}
    assert found == [
        keys[key] for key in sorted(keys, key=lambda key: sha256(f"trey-lab/1/1/3/2/{key}".encode()).hexdigest())
    ]


@given(seed=st.text(max_size=5), number=st.integers(0, 99))
def test_lb2_with_more_decks_the_common_cards_keep_their_order(seed: str, number: int) -> None:
    lot = Lot(seed, number, ["plain"] * 4)
    one, two = (Chance(lot)(decks(count, jokers=2)) for count in (1, 2))

    left = list(two)
    for card in one:  # one is a subsequence of two
        assert card in left
        del left[: left.index(card) + 1]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("number", range(3))
def test_lb9_a_record_replays_to_the_same_end(game: str, number: int) -> None:
    played = play_number(run_of(side(game)), number)

    (record,) = played.records
    again = replay(record, dict(GAMES))
    assert again.error is None
    assert GAMES[game].result(again.state) is not None
    assert record["lab"] == {"seed": "s", "game": number, "bots": ["plain"] * 4}


@settings(max_examples=15)
@given(game=st.sampled_from(sorted(GAMES)), number=st.integers(0, 500), seats=st.integers(2, 5))
def test_lb3_plain_makes_the_moves_that_its_plan_says(game: str, number: int, seats: int) -> None:
    lot = Lot("plans", number, ["plain"] * seats)
    rules, (_, steps) = GAMES[game], play(side(game, seats), lot)

    for step in steps:
        if step.move["move"] not in ("settle", "arrange"):
            assert plans.judge(rules, step.before, step.seat, plain_plan(game)).move == step.move


@pytest.mark.parametrize(
    ("game", "keep"), [("three_card", "2T"), ("tripp_jokes", "T23X"), ("threes", "82XT"), ("castle", "2T")]
)
def test_lb3_plain_keeps_the_wild_ranks(game: str, keep: str) -> None:
    assert plain_plan(game).as_json()["lines"][0]["move"] == {
        "move": "play",
        "choose": "lowest",
        "count": "all",
        "keep": list(keep),
    }


def test_lb3_plain_arranges_its_three_highest_cards_and_of_equals_the_later_suits() -> None:
    order = GAMES["three_card"].variant.order  # type: ignore[attr-defined]
    deal, steps = play(side("three_card"), Lot("a", 2, ["plain"] * 4))
    for _ in range(4):
        step = next(steps)
        six = [*deal.state.players[step.seat].hand, *deal.state.players[step.seat].face_up]
        ranked = sorted(six, key=lambda card: (order.index(card[0]), "SHDC".index(card[1])))
        assert sorted(step.move["face_up"]) == sorted(ranked[3:])


def test_lb3_from_game_to_game_the_levels_move_on_by_a_seat() -> None:
    levels = ["weights", "plain", "random"]

    assert Lot("1", 0, levels).levels == ["weights", "plain", "random"]
    assert Lot("1", 1, levels).levels == ["plain", "random", "weights"]


@pytest.mark.parametrize("level", ["random", "weights", "steady"])
@pytest.mark.parametrize("game", GAMES)
def test_lb3_every_level_plays_every_game_and_always_the_same(game: str, level: str) -> None:
    run = run_of(side(game, 2, **({"rounds": 1} if game == "three_thirteen" else {})), games=1, bots=level)

    assert play_number(run, 0).records == play_number(run, 0).records


def test_lb3_steady_has_no_networks_where_cards_have_other_powers() -> None:
    assert needs_networks("steady", GAMES["threes"], side("threes", ruleset="2022").options)
    assert not needs_networks("steady", GAMES["threes"], side("threes", stalemate_after=30).options)
    assert not needs_networks("weights", GAMES["threes"], side("threes", ruleset="2022").options)
    assert not needs_networks("steady", GAMES["three_thirteen"], side("three_thirteen").options)


@pytest.mark.sampled
def test_lb9_the_workers_do_not_change_the_games() -> None:
    run = run_of(side("castle"), side("castle", stalemate_after=21), games=13)

    assert list(play_all(run, workers=3)) == list(play_all(run))


def test_a_game_that_has_not_ended_is_not_counted() -> None:
    (record,) = play_number(run_of(side("castle")), 0).records

    with pytest.raises(Uncounted, match="has not ended"):
        replayed({**record, "moves": record["moves"][:-1]})
    with pytest.raises(Uncounted, match="Move 4 of the record is refused"):
        replayed({**record, "moves": [*record["moves"][:4], {"seat": 0, "move": "arrange", "face_up": []}]})


def test_lb15_records_of_lessons_replay_as_well() -> None:
    script = json.loads(Path("games/lessons/castle.json").read_text(encoding="utf-8"))

    deal, steps = replayed(script["record"])

    assert deal.levels is None
    assert len(steps) == len(script["record"]["moves"])
