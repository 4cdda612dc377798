"""The value network: from the features of a position to the chance to win, from 0 to 1.

Two layers of hidden units pass on what is above zero, and the logistic function makes a chance of what comes out. A
file in `networks/` has two of them for a game, `stock` for positions with a stock and `no_stock` for the others:

    {"stock": {"rows": {"hand 2 1": "...", ...}, "bias": "...", "hidden": ["...", ...], "hidden_bias": "...",
               "output": "...", "output_bias": "..."}, "no_stock": ...}

Each of `rows` has a feature's weights for the units of the first layer. Each of `hidden` is a unit of the second layer,
with its weights for those of the first; `output` has the weights of the second. All are numbers of half precision
(IEEE 754 binary16, little-endian) in base64. A feature without a row counts for nothing.
"""

import struct
from collections.abc import Iterable, Sequence
from functools import cache
from hashlib import sha256
from math import exp
from pathlib import Path
from struct import Struct
from typing import NamedTuple

import msgspec

FILES = Path(__file__).with_name("networks")
LANE = 64
WEIGHT, ONE = 1 << 24, 1 << 20
HEAVIEST = 1024.0
"""The most that a weight may be, so that sums over hundreds of features stay within their lanes."""
STEEPEST = 30.0
"""The limit at which the logistic function is cut off, to stay within the range of `exp`."""


class Stored(msgspec.Struct, forbid_unknown_fields=True):
    rows: dict[str, bytes]
    bias: bytes
    hidden: list[bytes]
    hidden_bias: bytes
    output: bytes
    output_bias: bytes


class Network:
    """One network, computed in fixed-point numbers.

    A layer is one large integer in which each unit has a lane of LANE bits. One addition adds a row to all units, and
    one multiplication scales it: lists of numbers would take Python several times as long. Weights of half precision
    are multiples of 1 / WEIGHT, so none is rounded. Values that they are multiplied by are rounded down to 1 / ONE.
    Raises ValueError if its layers do not fit together, or a weight is too large for its lane.
    """

    def __init__(self, stored: Stored) -> None:
        rows = {feature: numbers(row) for feature, row in stored.rows.items()}
        bias, hidden_bias, output = numbers(stored.bias), numbers(stored.hidden_bias), numbers(stored.output)
        hidden = [numbers(unit) for unit in stored.hidden]
        (self._output_bias,) = numbers(stored.output_bias)
        if {len(unit) for unit in (*rows.values(), *hidden)} != {len(bias)}:
            raise ValueError(f"Not every row and hidden unit has {len(bias)} weights.")
        if not len(hidden) == len(hidden_bias) == len(output):
            raise ValueError("The second layer and the output do not fit together.")
        self.rows = {feature: _lanes(row) for feature, row in rows.items()}
        self.bias = _lanes(bias) * ONE
        self._hidden = [_lanes(weights) for weights in zip(*hidden, strict=True)]
        self._hidden_bias = _lanes(hidden_bias) * ONE
        self._output = [weight / (WEIGHT * ONE) for weight in output]
        self._first, self._second = Struct(f"<{len(bias)}q"), Struct(f"<{len(hidden)}q")

    def add(self, sums: int, features: Iterable[tuple[str, float]]) -> int:
        rows = self.rows
        for name, value in features:
            if name in rows:
                sums += rows[name] * int(value * ONE)
        return sums

    def chance(self, sums: int) -> float:
        totals = self._hidden_bias
        for weights, total in zip(self._hidden, _units(sums, self._first), strict=True):
            if total > 0:
                totals += weights * (total // WEIGHT)
        logit = self._output_bias
        for weight, total in zip(self._output, _units(totals, self._second), strict=True):
            if total > 0:
                logit += weight * total
        return 1.0 / (1.0 + exp(-max(-STEEPEST, min(STEEPEST, logit))))


def _lanes(weights: Sequence[float]) -> int:
    """Return weights as lanes: the sum of each times WEIGHT, the first one in the lowest bits."""
    if max(map(abs, weights)) > HEAVIEST:
        raise ValueError(f"A weight is beyond {HEAVIEST:g}.")
    layout, whole = Struct(f"<{len(weights)}q"), [int(weight * WEIGHT) for weight in weights]
    borrowed = int.from_bytes(layout.pack(*[number < 0 for number in whole]), "little") << LANE
    return int.from_bytes(layout.pack(*whole), "little") - borrowed


def _units(lanes: int, layout: Struct) -> tuple[int, ...]:
    """Return the number in each lane. The one above a negative number is 1 too small, which counts for nothing."""
    return layout.unpack(lanes.to_bytes(layout.size, "little", signed=True))


class Networks(NamedTuple):
    stock: Network
    no_stock: Network


@cache
def networks(game: str) -> Networks | None:
    """Return the networks of a game, or None if it has no file. Raises ValueError if the file does not hold any."""
    path = FILES / f"{game}.json"
    return read(path) if path.exists() else None


@cache
def digest_of(game: str) -> str:
    return sha256((FILES / f"{game}.json").read_bytes()).hexdigest()


def read(path: Path) -> Networks:
    try:
        return Networks(**{part: Network(network) for part, network in stored_in(path).items()})
    except (msgspec.DecodeError, TypeError, ValueError, struct.error) as error:
        raise ValueError(f"{path.name} does not hold value networks: {error}") from error


def stored_in(path: Path) -> dict[str, Stored]:
    """Return the weights in a file. Raises msgspec.DecodeError if it has another format than the one above."""
    return msgspec.json.decode(path.read_bytes(), type=dict[str, Stored])


def numbers(packed: bytes) -> list[float]:
    return [number for (number,) in struct.iter_unpack("<e", packed)]
