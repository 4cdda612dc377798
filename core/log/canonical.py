"""The canonical text of a JSON value: RFC 8785 (JCS), so that anybody can check a digest over it.

Floats have none (their text is where implementations differ), nor have integers beyond +-(2**53 - 1), lone surrogates
and NUL, which PostgreSQL cannot hold.
"""

import json
from datetime import UTC, datetime
from typing import Any

MAX_INTEGER = 2**53 - 1
MAX_DEPTH = 100
"""How deep objects and arrays may be nested: far deeper than in any event, and safe for every JSON parser."""


_encode = json.JSONEncoder(ensure_ascii=False, separators=(",", ":"), allow_nan=False).encode


class NotCanonical(ValueError):  # noqa: N818  named after what happened
    """The value has no canonical text: a float, a key that is not text, too large an integer, half a character."""


def canonical(value: Any) -> str:
    """The RFC 8785 text of `value` (dict, list, tuple, str, int, bool, None). Raises NotCanonical."""
    return _encode(_sorted(value))


def time_text(moment: datetime) -> str:
    """The moment in UTC with exactly six fractional digits: 2026-11-21T08:00:00.000000Z."""
    return moment.astimezone(UTC).strftime("%Y-%m-%dT%H:%M:%S.%fZ")


def _sorted(value: Any, depth: int = 0) -> Any:
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, str):
        _check_text(value)
        return value
    if isinstance(value, int):
        if not -MAX_INTEGER <= value <= MAX_INTEGER:
            raise NotCanonical(f"{value} is beyond 2**53 - 1; write it as text")
        return int(value)
    if depth == MAX_DEPTH and isinstance(value, list | tuple | dict):
        raise NotCanonical(f"more than {MAX_DEPTH} objects and arrays are nested")
    if isinstance(value, (list, tuple)):
        return [_sorted(item, depth + 1) for item in value]
    if isinstance(value, dict):
        for key in value:
            if not isinstance(key, str):
                raise NotCanonical(f"the key {key!r} is no text")
            _check_text(key)
        # JCS sorts by UTF-16 code units, which differs from code points beyond U+FFFF.
        keys = sorted(value) if "".join(value).isascii() else sorted(value, key=_utf16)
        return {key: _sorted(value[key], depth + 1) for key in keys}
    raise NotCanonical(f"{type(value).__name__} has no canonical text: {str(value)[:40]}")


def _utf16(key: str) -> bytes:
    return key.encode("utf-16-be")


def _check_text(text: str) -> None:
    if "\0" in text:
        raise NotCanonical(f"the text {text[:40]!r} holds a NUL character")
    if text.isascii():
        return
    try:
        text.encode()
    except UnicodeEncodeError:
        raise NotCanonical(f"the text {text[:40]!r} holds a lone surrogate") from None
