"""What options, their values and lengths of time are called for people, wherever they are shown."""

from collections.abc import Iterable
from datetime import timedelta
from typing import Any
from unicodedata import bidirectional

from games.rules.words import counted

#: Options and fields of the clock that are clearer under another name than that of the API.
LABELS = {
    "merge_last_hand": "Merge the last hand",
    "eight_plain_on_empty": "Plain 8 on an empty pile",
    "ten_wild": "10s are wild",
    "ten_obeys_seven": "10s obey a 7",
    "powerless_on_empty": "No power on an empty pile",
    "ace_points": "Points of an ace",
    "renewals": "Renewals of the stock",
    "time_zone": "Time zone of the weekend",
    "on_timeout": "When time is up",
    "strikes": "Missed turns before a bot takes over",
}
#: Values that need no explanation in these words.
WORDS = {
    "first_out": "the first player is out",
    "last_left": "one player is left",
    "left": "to the left, clockwise",
    "right": "to the right",
    "play": "a move is made for the player",
    "resign": "the player resigns",
    "bot": "a bot takes the seat",
}
#: Better for people than the description for clients.
HINTS = {"time_zone": "Such as Europe/Berlin."}
_SPANS = ((86_400, "day"), (3_600, "hour"), (60, "minute"), (1, "second"))


def label_of(name: str) -> str:
    return LABELS.get(name, name.replace("_", " ").capitalize())


def in_words(value: Any) -> str:
    """A value of an option as people say it: "one player is left" for "last_left"."""
    text = str(in_text(value))
    return WORDS.get(text, text.replace("_", " "))


def hint_of(name: str, description: str, values: Iterable[Any] = ()) -> str:
    """Return the hint for an option, naming options by their labels; nothing if the words for its values say it all."""
    if any(value in WORDS for value in values):
        return ""
    hint = HINTS.get(name, description)
    for option, label in LABELS.items():
        hint = hint.replace(option, f"“{label}”")
    return hint


def in_text(value: Any) -> Any:
    return {True: "yes", False: "no"}[value] if isinstance(value, bool) else value


def isolated(name: str) -> str:
    """A name for a sentence: one that is written from right to left turns nothing round that stands beside it."""
    return f"\u2068{name}\u2069" if any(bidirectional(letter) in ("R", "AL") for letter in name) else name


def span(seconds: int) -> str:
    """A length of time that somebody set, in its largest whole unit: "2 days", "90 minutes"."""
    unit, word = next(found for found in _SPANS if seconds % found[0] == 0)
    return counted(seconds // unit, word)


def length(time: timedelta) -> str:
    """A length of time that came about, in one unit and rounded down: "5 hours"; in days from two days up."""
    seconds = max(0, int(time.total_seconds()))
    for unit, word in _SPANS:
        if seconds >= (2 * unit if word == "day" else unit):
            return counted(seconds // unit, word)
    return "0 seconds"
