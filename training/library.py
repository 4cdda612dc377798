"""The simulator in `simulator/`, compiled when it is first needed and called through ctypes."""

import ctypes
import os
import subprocess
import tempfile
from collections.abc import Mapping, Sequence
from functools import cache
from hashlib import sha256
from pathlib import Path
from typing import Any

from games.bots.shedding.features import IN_A_DECK, OPPONENTS
from games.bots.shedding.position import HAND
from games.rules.cards import JOKER, RANKS

SOURCES = Path(__file__).with_name("simulator")
BUILT = Path(__file__).resolve().parents[1] / "var" / "training"
# No reordering of sums and no fused operations: the same numbers on every machine with the same libm.
OPTIONS = ("-O3", "-march=native", "-ffp-contract=off", "-fno-math-errno", "-shared", "-fPIC")

ALL_RANKS = RANKS + JOKER
GAMES = ("three_card", "tripp_jokes", "threes", "castle")
"""In the order of their numbers in the simulator."""
MOVES = ("arrange", "play", "flip", "pick_up", "draw", "end_turn")
MOST_MOVES = 128


class Move(ctypes.Structure):
    """A move of the simulator, by ranks."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in ("kind", "rank", "count", "most", "position")),
        ("face_up", ctypes.c_int8 * len(ALL_RANKS)),
    ]


class Settings(ctypes.Structure):
    """How to learn.

    The chance to explore, lambda, what each turn leaves of a win against random bots and in games between bots alone,
    and the learning rate; how many games of 100 are between bots alone, and after how many pick-ups a seat without
    progress a game is lost to all.
    """

    _fields_ = [
        *((name, ctypes.c_float) for name in ("exploring", "keeping", "turn", "turn_alone", "rate")),
        *((name, ctypes.c_int32) for name in ("alone", "patience")),
    ]


class Seat(ctypes.Structure):
    """A seat of the simulator."""

    _fields_ = [
        *((name, ctypes.c_int8 * len(ALL_RANKS)) for name in ("hand", "up", "dealt_up")),
        *((name, ctypes.c_int8 * 3) for name in ("down", "shown")),
        *((name, ctypes.c_int8) for name in ("in_hand", "in_up", "arranged")),
        ("known", ctypes.c_int8 * len(ALL_RANKS)),
        ("unknown", ctypes.c_int8),
        ("cannot", ctypes.c_uint16 * 4),
    ]


NUMBERS = (
    "game", "seats", "direction", "turn", "bonus", "openers", "opening_rank", "setup", "stalled", "patience", "ended",
    "out", "stock_count", "pile_count", "took", "progress",
)  # fmt: skip


class State(ctypes.Structure):
    """A game of the simulator."""

    _fields_ = [
        *((name, ctypes.c_int32) for name in NUMBERS),
        ("seat", Seat * 6),
        *((name, ctypes.c_int8 * 112) for name in ("stock", "pile")),
        *((name, ctypes.c_int8 * len(ALL_RANKS)) for name in ("gone", "drawn")),
    ]


def source_digest() -> str:
    """Return the SHA-256 of the simulator's source, in hexadecimal."""
    digest = sha256()
    for path in sorted(SOURCES.iterdir()):
        digest.update(path.name.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


@cache
def library() -> Any:
    """Compile the simulator unless that is done, and load it. Raises RuntimeError if there is no compiler."""
    BUILT.mkdir(parents=True, exist_ok=True)
    built = BUILT / f"simulator-{source_digest()[:16]}.so"
    if not built.exists():
        compiler = os.environ.get("CC", "cc")
        with tempfile.TemporaryDirectory(dir=BUILT) as folder:
            made = Path(folder) / built.name
            command = [compiler, *OPTIONS, "-o", str(made), str(SOURCES / "learn.c"), "-lm"]
            try:
                subprocess.run(command, check=True, capture_output=True, text=True)
            except FileNotFoundError:
                raise RuntimeError(
                    f"The simulator needs a C compiler; there is no {compiler}. Name one in CC."
                ) from None
            except subprocess.CalledProcessError as error:
                raise RuntimeError(f"The simulator cannot be compiled:\n{error.stderr}") from error
            made.replace(built)
    loaded = ctypes.CDLL(str(built))
    loaded.weights_of.restype = ctypes.POINTER(ctypes.c_float)
    loaded.train.restype, loaded.measure.restype = ctypes.c_int64, ctypes.c_double
    loaded.prepare()
    if loaded.size_of_state() != ctypes.sizeof(State) or loaded.features() != len(feature_names()):
        raise RuntimeError("The simulator and what calls it do not fit together.")
    return loaded


@cache
def feature_names() -> tuple[str, ...]:
    """Return the names of the features of the bot (`games.bots.shedding.features`) by their number in the simulator."""
    of_opponent = [
        "", "cards", "near the end", "hand", *(f"hand of {count}" for count in range(HAND + 1)),
        *(f"{count} face down" for count in range(1, HAND + 1)), *(f"face up {rank}" for rank in ALL_RANKS),
        "stuck", "stuck near the end", "stuck, pile", "unknown",
        *(f"known {rank}" for rank in ALL_RANKS), *(f"known {rank}: more" for rank in ALL_RANKS),
        *(f"maybe {rank}" for rank in ALL_RANKS),
    ]  # fmt: skip
    return (
        "unseen cards", *(f"unseen {rank}" for rank in ALL_RANKS), *(f"seen face down {rank}" for rank in ALL_RANKS),
        "opponents", "setup",
        *(f"opponent {number}" + (name and f": {name}") for number in range(1, OPPONENTS + 1) for name in of_opponent),
        *(f"hand {rank} {number}" for rank in ALL_RANKS for number in range(1, IN_A_DECK + 1)),
        *(f"face up {rank}" for rank in ALL_RANKS), *(f"face up {rank}: more" for rank in ALL_RANKS),
        *(f"drawn {number}" for number in range(1, HAND + 1)),
        *(f"face down {number}" for number in range(1, HAND + 1)),
        "near the end", "hand", "hand: any", "hand: small", "hand: surplus",
        "stock", f"stock: {HAND} at most", f"stock: {3 * HAND} at most",
        *(f"to beat {rank}" for rank in ALL_RANKS), "to beat anything",
        "pile", *(f"pile {rank}" for rank in ALL_RANKS), "pile: equal on top", "pile: equal held",
        "pile: can be closed",
        "pile: stays", *(f"goes next turn {rank}" for rank in ALL_RANKS), "stuck", "stuck: pile", "wins next turn",
    )  # fmt: skip


def rank_numbers(cards: Sequence[str]) -> list[int]:
    """Return the simulator's numbers of the ranks of cards."""
    return [ALL_RANKS.index(card[0]) for card in cards]


def counts(cards: Sequence[str]) -> tuple[int, ...]:
    """Return how many cards there are of each rank."""
    numbers = rank_numbers(cards)
    return tuple(numbers.count(rank) for rank in range(len(ALL_RANKS)))


def move_of(move: Mapping[str, Any]) -> Move:
    """Return a move of the rules as the simulator has it."""
    made = Move(kind=MOVES.index(move["move"]))
    if made.kind == MOVES.index("play"):
        made.rank, made.count = ALL_RANKS.index(move["cards"][0][0]), len(move["cards"])
    elif made.kind == MOVES.index("flip"):
        made.position = move["position"]
    elif made.kind == MOVES.index("arrange"):
        made.face_up[:] = counts(move["face_up"])
    return made


def acts(state: State, seat: int) -> bool:
    """Return whether a seat must act."""
    return bool(library().acts(ctypes.byref(state), seat))


def listed_moves(state: State, seat: int) -> list[Move]:
    """Return a seat's legal moves but for arranging (S2), one for each rank: `most` of it may be played."""
    moves = (Move * MOST_MOVES)()
    return list(moves[: library().list_moves(ctypes.byref(state), seat, moves)])


class Learner:
    """Two networks that play and learn in the simulator."""

    def __init__(self, seed: int) -> None:
        self._library = library()
        self._memory = ctypes.create_string_buffer(self._library.size_of_learner())
        self._library.begin(self._memory, ctypes.c_uint64(seed))

    def weights(self, number: int) -> Any:
        """Return the weights of the network with a stock (0) or without (1), to read or to change."""
        return self._library.weights_of(self._memory, number)

    def train(self, game: int, games: int, seed: int, settings: Settings) -> int:
        """Learn from games; return from how many positions."""
        numbers = (ctypes.c_int64(games), ctypes.c_uint64(seed), ctypes.byref(settings))
        return int(self._library.train(self._memory, game, *numbers))

    def measure(self, game: int, seats: int, games: int, seed: int, *, alone: bool) -> tuple[float, float, float]:
        """Play games; return the first seat's share of wins, moves a game, and the share of games that stall (S13)."""
        moves, stalled = ctypes.c_double(), ctypes.c_double()
        rest = (ctypes.c_uint64(seed), int(alone), ctypes.byref(moves), ctypes.byref(stalled))
        wins = float(self._library.measure(self._memory, game, seats, games, *rest))
        return wins, moves.value, stalled.value

    def rate(self, state: State, seat: int) -> tuple[list[Move], list[float]]:
        """Return the moves that a bot thinks of, and how it rates them."""
        moves, ratings = (Move * MOST_MOVES)(), (ctypes.c_float * MOST_MOVES)()
        count = self._library.rate_moves(self._memory, ctypes.byref(state), seat, moves, ratings)
        return list(moves[:count]), list(ratings[:count])
