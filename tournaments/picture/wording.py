"""Names and numbers as people read them."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from unicodedata import category

from core.accounts.models import Player
from core.hooks import address
from games.rules.words import ordinal
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.rules.exact import two_decimals
from tournaments.stream.plan import TIES

NONE = "\N{EN DASH}"
TIMES = "\N{MULTIPLICATION SIGN}"
MINUS = "\N{MINUS SIGN}"
TIE_BREAKS = {**TIES, "total": "total", "seed": "seed", "stage": "the stage reached"}


@dataclass(frozen=True, slots=True)
class Name:
    """An entrant as a page names it; `player` is the name of the page of its player, if there is one to link to."""

    key: str
    text: str
    player: str | None

    @property
    def page(self) -> str | None:
        return None if self.player is None else address("player-page", self.player)


def texts_of(tournament: Tournament) -> dict[str, str]:
    """The names of all entrants as texts, by key. One query."""
    return selectors.told_apart(selectors.names_of(tournament))


def names_of(entrants: Sequence[Entrant]) -> dict[str, Name]:
    texts = selectors.told_apart({one.key: selectors.name_of(one) for one in entrants})
    return {one.key: Name(one.key, texts[one.key], _page_of(one.player)) for one in entrants}


def _page_of(player: Player | None) -> str | None:
    hidden = player is None or player.closed_at is not None or player.preferences.get("unlisted") is True
    return None if player is None or hidden else player.username


def shortened(text: str, most: int) -> str:
    """A name, cut off where it is wider than so many letters. What tells equal names apart stays."""
    if _width(text) <= most:
        return text
    name, _, apart = text.rpartition(" (")
    # Of several bots the level and the key say enough.
    if name.endswith(" bot") and _width(short := f"{name.removesuffix(' bot')} ({apart}") <= most:
        return short
    end = f"… ({apart}" if name else "…"
    letters, left = list[str](), most - _width(end)
    for letter in name or text:
        left -= _width(letter)
        if left < 0:
            break
        letters.append(letter)
    return f"{''.join(letters).rstrip()}{end}"


def _width(text: str) -> float:
    """About how wide it is, in letters of a common width."""
    return sum(
        1.6 if one in "mwMWЖШЩЫЮ…" else _OF_CATEGORY.get(category(one), 1) if one not in _NARROW else 0.65
        for one in text
    )


_NARROW = frozenset("fijlrtI.,:;'!|()[] -")
# Uppercase letters; those without case, as of Chinese; symbols, as emoji.
_OF_CATEGORY = {"Lu": 1.3, "Lo": 1.8, "So": 2}


def decimals(value: Fraction | str | None) -> str:
    """Return a number with two decimals, or none if it is whole; a dash for None."""
    return NONE if value is None else _with_minus(_rounded(Fraction(value)))


def exact(value: Fraction | str | None) -> str:
    """Return two decimals as everywhere, and after them the exact number if it differs: "1.67 (5/3)"."""
    if value is None or Fraction(_rounded(Fraction(value))) == Fraction(value):
        return decimals(value)
    return f"{decimals(value)} ({_with_minus(str(value))})"


def _rounded(number: Fraction) -> str:
    return str(number) if number.denominator == 1 else str(two_decimals(number))


def _with_minus(number: str) -> str:
    """A number as people read it: a hyphen is narrower than a digit, and hardly seen in a column."""
    return number.replace("-", MINUS)


def span(places: Sequence[int]) -> str:
    best, worst = places
    return ordinal(best) if best == worst else f"{ordinal(best)} to {ordinal(worst)}"


def tie_break_value(name: str, value: object) -> str:
    if value is None:
        return NONE
    if isinstance(value, list):
        counts = [(decimals(str(number)), ordinal(at)) for at, number in enumerate(value, 1)]
        return ", ".join(f"{count} {TIMES} {place}" for count, place in counts if count != "0") or "none"
    return str(value)[:12] if name == "lot" else decimals(str(value))
