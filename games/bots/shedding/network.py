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
from collections.abc import Iterable
from functools import cache
from math import exp
from operator import mul
from pathlib import Path
from typing import NamedTuple

import msgspec

FILES = Path(__file__).with_name("networks")
STEEPEST = 30.0
"""The limit at which the logistic function is cut off, to stay within the range of `exp`."""


class Stored(msgspec.Struct, forbid_unknown_fields=True):
    """A network as a file has it."""

    rows: dict[str, bytes]
    bias: bytes
    hidden: list[bytes]
    hidden_bias: bytes
    output: bytes
    output_bias: bytes


class Network:
    """One network. Raises ValueError if its layers do not fit together."""

    def __init__(self, stored: Stored) -> None:
        self.rows = {feature: _numbers(row) for feature, row in stored.rows.items()}
        self.bias = _numbers(stored.bias)
        self.hidden = [_numbers(unit) for unit in stored.hidden]
        self.hidden_bias, self.output = _numbers(stored.hidden_bias), _numbers(stored.output)
        (self.output_bias,) = _numbers(stored.output_bias)
        if {len(unit) for unit in (*self.rows.values(), *self.hidden)} != {len(self.bias)}:
            raise ValueError(f"Not every row and hidden unit has {len(self.bias)} weights.")
        if not len(self.hidden) == len(self.hidden_bias) == len(self.output):
            raise ValueError("The second layer and the output do not fit together.")

    def add(self, sums: list[float], features: Iterable[tuple[str, float]]) -> list[float]:
        """Return the sums of the first layer with these features added. They start with `bias`."""
        rows = [sums]
        for name, value in features:
            row = self.rows.get(name)
            if row:
                rows.append(row if value == 1.0 else [value * weight for weight in row])
        return [sum(column) for column in zip(*rows, strict=True)]

    def chance(self, sums: list[float]) -> float:
        """Return the chance to win, given the sums of the first layer."""
        first = [max(0.0, total) for total in sums]
        logit = self.output_bias
        for unit, bias, weight in zip(self.hidden, self.hidden_bias, self.output, strict=True):
            logit += weight * max(0.0, bias + sum(map(mul, unit, first)))
        return 1.0 / (1.0 + exp(-max(-STEEPEST, min(STEEPEST, logit))))


class Networks(NamedTuple):
    """The networks of a game, for positions with a stock and without."""

    stock: Network
    no_stock: Network


@cache
def networks(game: str) -> Networks | None:
    """Return the networks of a game, or None if it has no file. Raises ValueError if the file does not hold any."""
    path = FILES / f"{game}.json"
    return read(path) if path.exists() else None


def read(path: Path) -> Networks:
    """Return the networks of a file. Raises ValueError if it has another format than the one above."""
    try:
        stored = msgspec.json.decode(path.read_bytes(), type=dict[str, Stored])
        return Networks(**{part: Network(network) for part, network in stored.items()})
    except (msgspec.DecodeError, TypeError, ValueError, struct.error) as error:
        raise ValueError(f"{path.name} does not hold value networks: {error}") from error


def _numbers(packed: bytes) -> list[float]:
    return [number for (number,) in struct.iter_unpack("<e", packed)]
