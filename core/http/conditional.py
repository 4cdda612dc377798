"""Conditional requests (RFC 9110).

An ETag is `"v17-<digest>"`: the version of a stream, and a digest of what else its body depends on. It is strong.
If-Match also takes the version alone, `"v17"`, where the version is the resource's own.
"""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import NewType, TypeVar

from django.http import HttpRequest
from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from core.http.media import encode
from core.http.problems import Problem

T = TypeVar("T")
_TAG = re.compile(r'(W/)?"([\x21\x23-\x7e\x80-\xff]*)"')
# The headers for the OpenAPI document.
_ONE = '(W/)?"[!#-+.-~-]*"'
IF_MATCH_SCHEMA = {"type": "string", "pattern": rf"^(\*|{_ONE}( *, *{_ONE})*)$"}
IF_MATCH = OpenApiParameter(
    "If-Match",
    IF_MATCH_SCHEMA,
    OpenApiParameter.HEADER,
    description='An ETag, or a version such as "v17". If the resource has changed since, the response is 412.',
)
IF_NONE_MATCH = OpenApiParameter(
    "If-None-Match", str, OpenApiParameter.HEADER, description="An ETag. If nothing has changed, the response is 304."
)
ETAG = OpenApiParameter("ETag", str, OpenApiParameter.HEADER, response=True)
#: A response with an ETag. The document takes from it which methods of views return one.
Tagged = NewType("Tagged", Response)
# The suffix that a compressing proxy adds to a tag. nginx makes the tag weak instead.
_ENCODING = re.compile(r"--?(gzip|zstd|br|deflate)$")


def etag_of(version: int, body: object) -> str:
    """The strong ETag of a body at this version; `body` may also be everything that the body depends on."""
    digest = hashlib.sha256(encode(body, sort=True)).hexdigest()
    return f'"v{version}-{digest[:24]}"'


def if_none_match(request: Request | HttpRequest, etag: str) -> bool:
    """Return whether If-None-Match names `etag`, which weak tags do, too. A header that cannot be read is ignored."""
    header = request.META.get("HTTP_IF_NONE_MATCH", "").strip()
    return header == "*" or etag.strip('"') in {_ENCODING.sub("", tag) for _, tag in _TAG.findall(header)}


def tagged(
    request: Request, etag: str, body: Callable[[], object], more: Mapping[str, str] | None = None, *, status: int = 200
) -> Tagged:
    """The body with its ETag and `more` headers. To a read whose caller has it: 304, and `body` is not called."""
    headers = {**(more or {}), "ETag": etag}
    if request.method in ("GET", "HEAD") and if_none_match(request, etag):
        return Tagged(Response(status=304, headers=headers))
    return Tagged(Response(body(), status=status, headers=headers))


@dataclass(frozen=True, slots=True)
class IfMatch:
    """The condition of an If-Match header: one of these strong tags, without quotes."""

    tags: tuple[str, ...]

    @property
    def version(self) -> int | None:
        """The version that the first tag names."""
        found = re.match(r"v([0-9]{1,9})(-|$)", self.tags[0])
        return int(found[1]) if found else None

    def names(self, etag: str) -> bool:
        return etag.strip('"') in self.tags

    def holds(self, version: int, etag: Callable[[], str]) -> bool:
        """Return whether a tag names this version or is its ETag, which is computed only if a tag could match it."""
        if f"v{version}" in self.tags:
            return True
        return any(tag.startswith(f"v{version}-") for tag in self.tags) and self.names(etag())


def if_match(request: Request) -> IfMatch | None:
    """The If-Match header, or None if it was not sent or is `*`. Raises Problem: bad_etag, weak_tag."""
    header = request.META.get("HTTP_IF_MATCH")
    if header is None or header.strip() == "*":
        return None
    found = [_TAG.fullmatch(tag.strip()) for tag in header.split(",")]
    if not all(found):
        raise Problem("bad_etag", 'If-Match takes an ETag or a version such as "v17", in double quotes.')
    strong = tuple(_ENCODING.sub("", match[2]) for match in found if match and not match[1])
    if not strong:
        raise Problem(
            "weak_tag",
            "If-Match cannot use a weak tag (W/), which a compressing proxy makes from"
            ' ours. Send it without W/, or the version of a game or tournament, as in "v17".',
        )
    return IfMatch(strong)


def mark_of(shown: object) -> str:
    """Stands for what a form shows. The form sends it back as `seen`."""
    return hashlib.sha256(json.dumps(shown, sort_keys=True).encode()).hexdigest()


def as_seen(sent: Mapping[str, str], shown: Callable[[T], object]) -> Callable[[T], bool]:
    """The condition that what a form shows is still as it was when its page was drawn."""
    seen = sent.get("seen")
    return lambda now: seen is None or seen == mark_of(shown(now))
