"""The Idempotency-Key header."""

import re

from rest_framework.request import Request

from core.http.problems import Problem

MAX_KEY = 255
_KEY = re.compile(r"[\x21-\x7e]+( +[\x21-\x7e]+)*")
#: The header for the OpenAPI document.
KEY_SCHEMA = {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+( +[!-~]+)*$"}


def idempotency_key(request: Request) -> str | None:
    """The key that the client chose, or None.

    Raises:
        Problem: bad_key; a key is 1 to 255 printable ASCII characters, without spaces at its ends.
    """
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if len(key) > MAX_KEY or not _KEY.fullmatch(key):
        raise Problem("bad_key", f"An Idempotency-Key is 1 to {MAX_KEY} printable ASCII characters, such as a UUID.")
    return str(key)
