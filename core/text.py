"""Text that others read: names, titles, reasons, messages; numbers and ids in text from outside."""

from functools import partial
from typing import Any
from uuid import UUID

from core.refusals import Invalid
from core.values import Value, checked

MAX_REASON = 500


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
        raise Invalid(code, f"Please give a reason that others can read. {error}", field="reason") from None
