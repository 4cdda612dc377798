"""Conditional requests (RFC 9110): what their headers say.

The ETag of a game is `"v17-<digest>"`: its version, then a digest of the whole body, so it is a strong one: another
viewer, a new name or a moved deadline gives another tag. `"v17"` alone may be sent in If-Match: any body of it.
"""

import hashlib
import json
import re
from typing import Any

from rest_framework.request import Request

from games.http.problems import Problem

_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
# What a proxy that compresses adds to a strong tag: Caddy takes it off If-None-Match again, but not off If-Match.
_ENCODING = re.compile(r"--?(gzip|zstd|br|deflate)$")
_VERSION = re.compile(r"v(0|[1-9][0-9]{0,15})")


def etag_of(body: dict[str, Any]) -> str:
    """The strong ETag of a game's body."""
    text = json.dumps(body, sort_keys=True, separators=(",", ":"), default=str)
    return f'"v{body["version"]}-{hashlib.sha256(text.encode()).hexdigest()[:24]}"'


def if_none_match(request: Request, etag: str) -> bool:
    """Whether the caller already holds what `etag` names. What cannot be read counts as not sent."""
    header = request.META.get("HTTP_IF_NONE_MATCH", "").strip()
    return header == "*" or etag.strip('"') in {tag for _, tag in _TAG.findall(header)}


def if_match(request: Request) -> list[str] | None:
    """The tags of If-Match without quotes; None: not sent, or `*`. Weak tags never match, so they are left out."""
    header = request.META.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    tags = [part.strip() for part in header.split(",")]
    found = [_TAG.fullmatch(tag) for tag in tags]
    if not all(found):
        raise Problem("bad_etag", 'If-Match takes the ETag of the game or its version, as in "v17", in double quotes.')
    return [_ENCODING.sub("", match[2]) for match in found if match and not match[1]]


def version_in(tag: str) -> int | None:
    """The version that a tag asks for by itself: "v17" -> 17; anything else: None."""
    match = _VERSION.fullmatch(tag)
    return int(match[1]) if match else None
