"""Networks from the simulator to the bot's file and back. A file has half precision, so the way there rounds them."""

import struct
from base64 import b64encode
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import convert

from games.bots.shedding.network import Network, Networks, Stored, numbers
from training.library import Learner, feature_names, library


def stored(learner: Learner) -> dict[str, Any]:
    """Return both networks as a file has them (`games.bots.shedding.network`)."""
    return {"stock": _network(learner, 0), "no_stock": _network(learner, 1)}


def without_untaught(networks: dict[str, Any], seed: int) -> dict[str, Any]:
    """Return the networks without the rows of features that were never met, which are still as the seed made them."""
    begun = stored(Learner(seed))
    return {
        part: network
        | {"rows": {name: row for name, row in network["rows"].items() if row != begun[part]["rows"][name]}}
        for part, network in networks.items()
    }


def _network(learner: Learner, number: int) -> dict[str, Any]:
    first, second, names = library().units(1), library().units(2), feature_names()
    weights = learner.weights(number)
    rows = [weights[at * first : (at + 1) * first] for at in range(len(names))]
    at = len(names) * first
    bias = weights[at : at + first]
    at += first
    hidden = [[weights[at + unit * second + to] for unit in range(first)] for to in range(second)]
    at += first * second
    return {
        "rows": {name: _packed(row) for name, row in zip(names, rows, strict=True)},
        "bias": _packed(bias),
        "hidden": [_packed(unit) for unit in hidden],
        "hidden_bias": _packed(weights[at : at + second]),
        "output": _packed(weights[at + second : at + 2 * second]),
        "output_bias": _packed([weights[at + 2 * second]]),
    }


def _packed(numbers: list[float]) -> str:
    return b64encode(struct.pack(f"<{len(numbers)}e", *numbers)).decode()


def rounded(learner: Learner) -> Networks:
    """Round the learner's networks as a file would, and return them for the bot."""
    networks = {part: convert(network, Stored) for part, network in stored(learner).items()}
    fill(learner, networks)
    return Networks(**{part: Network(network) for part, network in networks.items()})


def fill(learner: Learner, networks: Mapping[str, Stored]) -> None:
    """Give the learner these networks; one with smaller layers has units that do nothing.

    Raises ValueError if their layers are larger than the simulator's.
    """
    first, second, names = library().units(1), library().units(2), feature_names()
    for number, part in enumerate(Networks._fields):
        network = networks[part]
        rows = {name: numbers(row) for name, row in network.rows.items()}
        hidden, bias = [numbers(unit) for unit in network.hidden], numbers(network.bias)
        if len(bias) > first or len(hidden) > second:
            raise ValueError(f"The simulator is made for layers of {first} and {second} units.")
        filled = [weight for name in names for weight in _padded(rows.get(name, []), first)]
        filled += _padded(bias, first)
        for column in zip(*hidden, strict=True):
            filled += _padded(column, second)
        filled += [0.0] * (second * (first - len(bias)))
        filled += _padded(numbers(network.hidden_bias), second) + _padded(numbers(network.output), second)
        filled += numbers(network.output_bias)
        weights = learner.weights(number)
        for at, weight in enumerate(filled):
            weights[at] = weight


def _padded(weights: Sequence[float], count: int) -> list[float]:
    return [*weights, *[0.0] * (count - len(weights))]
