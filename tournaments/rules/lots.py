"""All chance in a tournament: lots drawn from its seed, so that a record gives the same on every machine (SE5)."""

from collections.abc import Iterable, Iterator
from hashlib import sha256, shake_256
from struct import unpack

_BLOCK = 1024
_BITS = 64


def lot(seed: str, *words: object) -> str:
    """The lot "SEED/WORD/WORD" as hexadecimal digits: the smallest is drawn first."""
    return sha256(_text(seed, words)).hexdigest()


def drawn(seed: str, purpose: str, round_number: int, entrants: Iterable[str]) -> list[str]:
    """The entrants in the order of their lots "SEED/PURPOSE/ROUND/ENTRANT"."""
    return sorted(entrants, key=lambda entrant: lot(seed, purpose, round_number, entrant))


class Numbers:
    """A stream of random numbers that follows from the seed and some words: SHAKE-256 in blocks (FIPS 202)."""

    def __init__(self, seed: str, *words: object) -> None:
        self._text = _text(seed, words)
        self._blocks = 0
        self._rest: Iterator[int] = iter(())

    def block(self, count: int) -> tuple[int, ...]:
        self._blocks += 1
        digest = shake_256(self._text + f"/{self._blocks}".encode()).digest(8 * count)
        return unpack(f"<{count}Q", digest)

    def below(self, n: int) -> int:
        number = next(self._rest, None)
        if number is None:
            self._rest = iter(self.block(_BLOCK))
            number = next(self._rest)
        return number * n >> _BITS


def _text(seed: str, words: Iterable[object]) -> bytes:
    return "/".join([seed, *map(str, words)]).encode()
