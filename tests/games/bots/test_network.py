"""The value network of the steady bot, and the features that it reads."""

import json
import re
import struct
from base64 import b64encode
from collections import Counter
from collections.abc import Iterable, Sequence
from hashlib import sha256
from math import exp
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.bots.shedding.features import Features
from games.bots.shedding.network import FILES, Network, Stored, networks, read
from games.bots.shedding.position import Position
from games.bots.shedding.ratings import Chances, Points
from games.bots.shedding.table import Hand
from games.bots.shedding.turn import rating_at
from games.rules import GAMES
from tests.games.bots.positions import choose, table_of
from tests.games.bots.test_bots import decisions
from tests.games.bots.test_steady import table

SHEDDING = [name for name, game in GAMES.items() if game.family == "shedding"]
TRAINED = sorted(path.stem for path in FILES.iterdir() if not path.name.endswith(".manifest.json"))


def packed(*weights: float) -> str:
    """Numbers of half precision, as a file has them."""
    return b64encode(struct.pack(f"<{len(weights)}e", *weights)).decode()


SMALL = {
    "rows": {"a": packed(1.0, -1.0), "b": packed(0.5, 2.0)},
    "bias": packed(0.0, 0.5),
    "hidden": [packed(2.0, 0.0), packed(1.0, -3.0), packed(0.0, 1.0)],
    "hidden_bias": packed(-1.0, 0.0, 0.25),
    "output": packed(0.5, 1.0, -2.0),
    "output_bias": packed(0.75),
}


def features_of(
    view: dict[str, Any], position: Position | None = None, *, hands: Sequence[Hand] = ()
) -> dict[str, float]:
    """The features of a seat's own position, or of another one at its table."""
    seen = table_of(view, hands)
    position, features = position or seen.position, Features(seen)
    named = [*features.of_table(position.direction), *features.of_position(position)]
    assert max(Counter(name for name, _ in named).values()) == 1
    return dict(named)


def test_hidden_units_pass_on_what_is_above_zero_and_the_output_is_a_chance() -> None:
    network = Network(msgspec.convert(SMALL, Stored))
    sums = network.add(network.bias, [("a", 2.0), ("b", 1.0), ("unknown", 9.0)])
    # The units of the first layer have 2.5 and 0.5, those of the second 4, 1 and 0.75.
    assert network.chance(sums) == pytest.approx(1 / (1 + exp(-(0.75 + 0.5 * 4.0 + 1.0 - 2.0 * 0.75))))
    less = network.add(network.bias, [("a", 1.0), ("b", -4.0)])  # -1 and -8.5
    assert network.chance(less) == pytest.approx(1 / (1 + exp(-(0.75 - 2.0 * 0.25))))
    assert network.chance(network.add(network.bias, [("b", 1e4)])) == pytest.approx(0.0, abs=1e-9)
    assert network.chance(network.add(network.bias, [("a", 1e4)])) == pytest.approx(1.0, abs=1e-9)


@pytest.mark.parametrize(
    ("change", "error"),
    [
        ({"rows": {"a": packed(1.0)}}, "Not every row and hidden unit has 2 weights"),
        ({"hidden": [packed(1.0, 2.0, 3.0)]}, "Not every row and hidden unit has 2 weights"),
        ({"hidden": [packed(1.0, 2.0)]}, "The second layer and the output do not fit together"),
        ({"output_bias": packed(1.0, 2.0)}, "too many values"),
        ({"rows": {"a": packed(0.0, -2048.0)}}, "A weight is beyond 1024"),
        ({"bias": "?"}, "base64"),
        ({"bias": "AAAA"}, "multiple of 2 bytes"),
        ({"more": packed(1.0)}, "unknown field `more`"),
    ],
)
def test_a_network_whose_layers_do_not_fit_is_refused(change: dict[str, Any], error: str, tmp_path: Path) -> None:
    path = tmp_path / "threes.json"
    path.write_text(json.dumps({"stock": SMALL, "no_stock": SMALL | change}))
    with pytest.raises(ValueError, match=rf"^threes\.json does not hold value networks: .*{error}"):
        read(path)


@pytest.mark.parametrize(
    ("text", "error"), [(json.dumps({"stock": SMALL}), "no_stock"), (json.dumps([]), "array"), ("", "truncated")]
)
def test_a_file_of_another_shape_is_refused(text: str, error: str, tmp_path: Path) -> None:
    path = tmp_path / "threes.json"
    path.write_text(text)
    with pytest.raises(ValueError, match=rf"^threes\.json does not hold value networks: .*{error}"):
        read(path)


@pytest.mark.sampled
@pytest.mark.parametrize("game", TRAINED)
def test_the_rows_of_a_file_are_features_of_the_game(game: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A feature that was renamed would otherwise be ignored without a word."""
    met: set[str] = set()

    def recorded(self: Network, sums: int, features: Iterable[tuple[str, float]]) -> int:
        features = list(features)
        met.update(name for name, _ in features)
        return add(self, sums, features)

    add = Network.add
    monkeypatch.setattr(Network, "add", recorded)
    for seed in range(4):
        for view, legal, memory in decisions(game, 2 + seed % 3, None, seed):
            choose("steady", view, legal, seed, memory=memory)
    trained = networks(game)
    assert trained
    rows = {name for network in trained for name in network.rows}
    assert met <= rows
    assert {of_any_rank(name) for name in rows} == {of_any_rank(name) for name in met}


def of_any_rank(feature: str) -> str:
    """A feature's name without the rank or the number that it is about."""
    return re.sub(r"\b[\dTJQKAX]\b", "#", feature)


def test_games_are_rated_by_their_networks_and_one_without_a_file_by_points() -> None:
    assert set(TRAINED) == set(SHEDDING)
    assert networks("war") is None
    for game in SHEDDING:
        assert type(rating_at(table_of(table(game, ["4S"], [])))) is Chances


def test_what_the_networks_were_not_trained_with_is_rated_by_points() -> None:
    """More than three opponents, and cards with other powers than by default (TH11, TH12)."""
    view = table("threes", ["4S"], [])
    assert type(rating_at(table_of(view))) is Chances
    for option in ("ten_wild", "eight_plain_on_empty", "powerless_on_empty"):
        assert type(rating_at(table_of(view | {"options": view["options"] | {option: True}}))) is Points
    assert type(rating_at(table_of(view | {"options": view["options"] | {"play_until": "first_out"}}))) is Chances
    five = view["players"] + [view["players"][1] | {"seat": seat} for seat in (2, 3, 4)]
    assert type(rating_at(table_of(view | {"seats": 4, "players": five[:4]}))) is Chances
    assert type(rating_at(table_of(view | {"seats": 5, "players": five}))) is Points


@pytest.mark.sampled
@pytest.mark.parametrize("game", SHEDDING)
def test_features_are_between_0_and_1(game: str) -> None:
    for view, _, memory in decisions(game, 4, None, 1):
        assert memory
        for hands in ((), memory.hands):
            assert all(0.0 <= value <= 1.0 + 1e-9 for value in features_of(view, hands=hands).values())


@pytest.mark.sampled
@pytest.mark.parametrize("game", TRAINED)
def test_the_networks_rate_by_a_chance(game: str) -> None:
    for view, _, memory in decisions(game, 4, None, 1):
        assert memory
        seen = table_of(view, memory.hands)
        assert 0.0 <= rating_at(seen).of(seen.position) <= 1.0


def test_the_others_are_described_in_the_order_of_their_turns() -> None:
    view = table("castle", ["4S"], ["9D"], seats=3)
    view["players"][2]["hand_count"] = 6
    ahead = features_of(view)
    back = features_of(view | {"direction": -1})
    assert ahead["opponent 2: cards"] == back["opponent 1: cards"] == 12 / 30
    assert ahead["opponent 1: cards"] == back["opponent 2: cards"] == 9 / 30


def test_one_play_may_win_the_game() -> None:
    view = table("castle", ["AS", "AH"], ["9D"], stock_count=0)
    own = view["players"][0]
    assert "wins next turn" not in features_of(view)
    own |= {"face_up": [], "face_down": [False] * 3}
    assert features_of(view)["wins next turn"] == 1.0 - features_of(view).get("stuck", 0.0)
    own["hand"] = ["AS", "KH"]
    assert "wins next turn" not in features_of(view)


def test_a_face_down_card_that_failed_is_known() -> None:
    """CA11."""
    view = table("castle", [], ["KD"], stock_count=0)
    view["players"][0] |= {"face_up": [], "face_down_cards": ["4S", None, None]}
    assert features_of(view)["seen face down 4"] == 1.0
    view["out_of_play"] = []
    assert features_of(view)["unseen 4"] == 3 / 4


def test_what_face_up_cards_can_play_is_known_of_an_opponent_without_a_hand() -> None:
    view = table("castle", ["4S"], ["9D"], stock_count=0)
    view["players"][1] |= {"hand": None, "hand_count": 0, "face_up": ["3C", "8C"]}
    assert features_of(view)["opponent 1: stuck"] == 1.0
    view["players"][1]["face_up"] = ["3C", "KC"]
    assert "opponent 1: stuck" not in features_of(view)
    assert features_of(view)["stuck"] == 1.0  # it plays the king, and the 4 will not go


def test_what_everybody_saw_come_into_a_hand_counts() -> None:
    """The opponent has a 5, an 8, and a card that would not go when it picked up a 9."""
    view = table("castle", ["4S", "8H"], ["9D"], stock_count=0)
    seen = features_of(view, hands=[Hand(), Hand("58", (frozenset("9JQKA2T"),))])
    assert seen["opponent 1: stuck"] == 1.0
    assert seen["opponent 1: known 5"] == seen["opponent 1: known 8"] == 1.0
    assert seen["opponent 1: unknown"] == 1 / 3
    assert set() < {name[-1] for name in seen if "maybe" in name} < set("345678")
    assert sum(value for name, value in seen.items() if "maybe" in name) == pytest.approx(1.0)
    unseen = features_of(view)
    assert unseen["unseen 5"] - seen.get("unseen 5", 0.0) == unseen["unseen 8"] - seen.get("unseen 8", 0.0) == 1 / 4
    assert 0.0 < unseen["opponent 1: stuck"] < 0.5
    assert features_of(view, hands=[Hand(), Hand("99")]).get("opponent 1: stuck", 0.0) == 0.0


@pytest.mark.parametrize("game", TRAINED)
def test_the_manifest_is_that_of_the_networks_beside_it(game: str) -> None:
    manifest = json.loads((FILES / f"{game}.manifest.json").read_text())
    assert manifest["digest"] == sha256((FILES / f"{game}.json").read_bytes()).hexdigest()
    assert manifest["command"].startswith(f"python -m training make {game} ")
    assert manifest["trainer"]["commit"][:8] in manifest["trainer"]["command"]
    assert manifest["trainer"]["command"].endswith(manifest["command"])
