"""Verifiable dealing: every shuffle is derived from a secret that the server has committed to and the players' salts.

Given the secret (at least 16 bytes) and the salts in seat order:

    commitment = SHA-256("trey-fairness/1" NUL "commitment" NUL secret), published before the first salt is known
    key        = HMAC-SHA-256(secret, "trey-fairness/1" NUL "key" NUL JSON list of the salts)
    block i    = HMAC-SHA-256(key, label NUL i as 8 bytes, big-endian)

The secret of a tournament's game follows from a secret of the tournament, which is committed to in the same way, and
from the game's name in it:

    secret     = HMAC-SHA-256(tournament's secret, "trey-fairness/1" NUL "game" NUL name)

The JSON is ASCII without spaces. Each use of randomness has a label ("dealer", "shuffle 1", "shuffle 2", ...), whose
blocks form a stream of 32-bit big-endian numbers. A number below n is drawn by rejection sampling: numbers not below
the greatest multiple of n are skipped, the rest are taken modulo n. Shuffles are Fisher-Yates: for i from the last
position down to 1, positions i and (a number below i + 1) are swapped. Sources: RFC 2104, RFC 6234, TAOCP 3.4.2.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence

_DOMAIN = b"trey-fairness/1\0"
_RANGE = 1 << 32


def commitment(secret: bytes) -> str:
    """Return what the server publishes before it knows any salt: 64 hexadecimal digits."""
    return hashlib.sha256(_DOMAIN + b"commitment\0" + secret).hexdigest()


def secret_of_game(secret: bytes, name: str) -> bytes:
    """Return the secret (32 bytes) of the game that has this name in its tournament; `secret` is the tournament's."""
    return hmac.digest(secret, _DOMAIN + b"game\0" + name.encode("ascii"), "sha256")


class Chance:
    """The randomness of one game. The same secret and salts always give the same dealer and shuffles.

    Raises ValueError if the secret is shorter than 16 bytes.
    """

    def __init__(self, secret: bytes, salts: Sequence[str]) -> None:
        if len(secret) < 16:
            raise ValueError("The secret must have at least 16 bytes.")
        listed = json.dumps(list(salts), separators=(",", ":")).encode("ascii")
        self._key = hmac.digest(secret, _DOMAIN + b"key\0" + listed, "sha256")

    def dealer(self, seats: int) -> int:
        return _below(self._numbers("dealer"), seats)

    def shuffle(self, number: int) -> Callable[[Sequence[str]], list[str]]:
        """Return shuffle `number` of the game, counted from 1 (the first deal): a function that orders cards."""

        def order_of(cards: Sequence[str]) -> list[str]:
            numbers = self._numbers(f"shuffle {number}")
            order = list(cards)
            for i in range(len(order) - 1, 0, -1):
                j = _below(numbers, i + 1)
                order[i], order[j] = order[j], order[i]
            return order

        return order_of

    def _numbers(self, label: str) -> Iterator[int]:
        for block in range(1 << 64):
            digest = hmac.digest(self._key, label.encode() + b"\0" + block.to_bytes(8, "big"), "sha256")
            for start in range(0, len(digest), 4):
                yield int.from_bytes(digest[start : start + 4], "big")


def _below(numbers: Iterator[int], n: int) -> int:
    usable = _RANGE - _RANGE % n
    return next(number for number in numbers if number < usable) % n
