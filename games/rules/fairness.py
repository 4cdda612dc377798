"""The deal derived from a secret the server committed to and salts of the players (DESIGN 4).

From the secret (at least 16 bytes) and the salts, in seat order:

    commitment = SHA-256("trey-fairness/1" NUL "commitment" NUL secret), published before the first salt is known
    key        = HMAC-SHA-256(secret, "trey-fairness/1" NUL "key" NUL JSON list of the salts)
    block i    = HMAC-SHA-256(key, label NUL i as 8 bytes, big-endian)

The JSON is ASCII without spaces. A label ("dealer", "shuffle 1", "shuffle 2", ...) names one use of chance; its blocks
in order are its stream, read as 32-bit big-endian numbers. A number below n is drawn by rejection: numbers from the
greatest multiple of n up are thrown away, the rest taken modulo n. A shuffle is Fisher and Yates's: for i from the last
position down to 1, positions i and (a number below i + 1) change places. Sources: RFC 2104, RFC 6234, TAOCP 3.4.2.
"""

import hashlib
import hmac
import json
from collections.abc import Callable, Iterator, Sequence

_DOMAIN = b"trey-fairness/1\0"
_RANGE = 1 << 32


def commitment(secret: bytes) -> str:
    """What the server publishes before anybody's salt is known: 64 hexadecimal digits."""
    return hashlib.sha256(_DOMAIN + b"commitment\0" + secret).hexdigest()


class Lots:
    """All chance of one game. The same secret and salts give the same lots, in whatever order they are asked for."""

    def __init__(self, secret: bytes, salts: Sequence[str]) -> None:
        if len(secret) < 16:
            raise ValueError("The secret must have at least 16 bytes.")
        listed = json.dumps(list(salts), separators=(",", ":")).encode("ascii")
        self._key = hmac.digest(secret, _DOMAIN + b"key\0" + listed, "sha256")

    def dealer(self, seats: int) -> int:
        """The dealer's seat, from 0 to seats - 1."""
        return _below(self._numbers("dealer"), seats)

    def shuffle(self, number: int) -> Callable[[Sequence[str]], list[str]]:
        """The game's shuffle `number`, counted from 1 (the first deal): a function from cards to their order."""

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
