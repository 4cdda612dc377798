"""Text that others read: names, titles, reasons, messages; numbers and ids in text from outside."""

import re
import unicodedata
from functools import partial
from typing import Any
from uuid import UUID

from core.refusals import Invalid
from core.values import Value

# Unicode's Default_Ignorable_Code_Point, which Python's tables lack; and what UTF-8 cannot hold.
_INVISIBLE = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180f\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f"
    "\ufeff\uffa0\ufff0-\ufff8\U0001bca0-\U0001bca3\U0001d173-\U0001d17a\U000e0000-\U000e0fff\ud800-\udfff]"
)
# Letters and symbols that are drawn as nothing: blanks of Braille, of music and of hieroglyphs, and a missing object.
_BLANK = set("\u2800\U0001d159\U00013441\U00013442\ufffc")
# What scripts and pictures are written with.
_JOINERS = {"\u200c", "\u200d", "\ufe0f"}
MOST_MARKS = 4
MAX_REASON = 500


def checked(text: str, longest: int, *, joiners: bool = True, breaks: bool = False) -> str:
    """The text in NFC without white space around it.

    Raises ValueError, with a sentence, unless it has 1 to `longest` characters, something to see, no control characters
    (but line breaks with `breaks`), no invisible ones (but joiners) and at most MOST_MARKS marks in a row.
    """
    text, marks = unicodedata.normalize("NFC", text), 0
    for character in text:
        category = unicodedata.category(character)
        invisible = _INVISIBLE.match(character) and not (joiners and character in _JOINERS)
        if invisible or (category == "Cc" and not (breaks and character == "\n")):
            raise ValueError(f"The character U+{ord(character):04X} must not be in it: nobody sees it.")
        marks = marks + 1 if category.startswith("M") else 0
        if marks > MOST_MARKS:
            raise ValueError(f"At most {MOST_MARKS} marks, such as accents, in a row.")
    line = text.strip()
    if not 1 <= len(line) <= longest:
        raise ValueError(f"Must be 1 to {longest} characters.")
    if not any(unicodedata.category(character)[0] in "LNPS" for character in set(line) - _BLANK):
        raise ValueError("There is nothing to see in it.")
    return line


def line(longest: int, **about: Any) -> Value:
    """A name, title, reason or message with nothing invisible in it."""
    return Value(most=longest, read=partial(checked, longest=longest), **about)


def whole_in(text: str | None, most: int = 2**31 - 1) -> int | None:
    """The number in a text from outside: from 0 to `most`, in ASCII digits; else None."""
    digits = text is not None and text.isascii() and text.isdecimal() and len(text) <= len(str(most))
    return int(text) if text is not None and digits and int(text) <= most else None


def uuid_in(text: object) -> UUID | None:
    """The id in a text from outside, or None."""
    try:
        return UUID(str(text))
    except ValueError:
        return None


def check_reason(text: object, code: str = "bad_reason") -> None:
    """Raises Invalid, with this code, unless the text can be the reason for an act."""
    try:
        checked(text if isinstance(text, str) else "", MAX_REASON)
    except ValueError as error:
        raise Invalid(code, f"A reason is needed for others to read. {error}", field="reason") from None
