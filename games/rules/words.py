"""Numbers and names of things in sentences."""

from collections.abc import Sequence


def counted(count: int, one: str, several: str | None = None) -> str:
    """How many of something: "1 round", "2 rounds"."""
    return f"{count} {one if count == 1 else several or f'{one}s'}"


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    ending = "th" if place % 100 in (11, 12, 13) else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{ending}"


_NUMBERS = ("one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def number_word(count: int) -> str:
    """A number from one to twelve as a word; others in digits."""
    return _NUMBERS[count - 1] if 1 <= count <= len(_NUMBERS) else str(count)


def spelled(count: int, one: str) -> str:
    """How many of something, in words: "one card", "three cards"."""
    return f"{number_word(count)} {one}{'' if count == 1 else 's'}"


def listed(names: Sequence[str]) -> str:
    """Names in a row: "Bob", "Bob and Cho", "Bob, Cho and two bots"."""
    *others, last = names or [""]
    return f"{', '.join(others)} and {last}" if others else last
