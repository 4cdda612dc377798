"""JSON in and out. The parser is strict: no duplicate keys, no NaN, no deep nesting, no NUL. msgspec renders."""

import json
import math
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import IO, Any

import msgspec
from django.http import UnreadablePostError
from rest_framework.negotiation import BaseContentNegotiation
from rest_framework.parsers import BaseParser
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request

from core.http.problems import Problem

#: Bytes. The largest move or room has less than a kilobyte.
MAX_BODY = 64 * 1024
MAX_DEPTH = 16
#: Digits of a number. Every JSON parser can hold this many (2**53 has 16).
MAX_DIGITS = 16
#: Characters of a field's name in an error.
MAX_FIELD = 100

# NUL, and unpaired surrogates, into which bytes that are not UTF-8 are decoded. PostgreSQL stores neither.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")


class StrictJSONParser(BaseParser):
    media_type = "application/json"

    def parse(
        self, stream: IO[bytes], media_type: str | None = None, parser_context: Mapping[str, Any] | None = None
    ) -> Any:
        _check_charset(media_type or "")
        try:
            raw = stream.read(MAX_BODY + 1)
        except UnreadablePostError:
            raise _cut_off() from None
        if len(raw) > MAX_BODY:
            raise too_large()
        # The part of a longer body that arrived may be valid JSON, but it is not what the client sent.
        if parser_context is not None and len(raw) < length_of(parser_context["request"]):
            raise _cut_off()
        return loads(raw)


def length_of(request: Request) -> int:
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isascii() and length.isdigit() else 0


def too_large() -> Problem:
    return Problem("too_large", f"The body is longer than {MAX_BODY} bytes.", headers={"Connection": "close"})


def loads(raw: bytes) -> Any:
    try:
        text = raw.decode("utf-8")
    except UnicodeDecodeError as error:
        raise Problem("malformed", f"The body is not UTF-8 (byte {error.start}).") from None
    try:
        value = json.loads(
            text, object_pairs_hook=_object, parse_int=_integer, parse_float=_float, parse_constant=_constant
        )
    except json.JSONDecodeError as error:
        raise Problem(
            "malformed", f"The body is not JSON: {error.msg} (line {error.lineno}, column {error.colno})."
        ) from None
    except RecursionError:
        raise _too_deep() from None
    _check(value)
    return value


def _check_charset(media_type: str) -> None:
    found = re.search(r"charset\s*=\s*\"?([^\s;\"]*)", media_type, re.IGNORECASE)
    if found and found[1].lower() not in ("utf-8", "utf8"):
        raise Problem("unsupported_media_type", "JSON must be in UTF-8. Leave out the charset.")


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        [(key, _), *_] = Counter(key for key, _ in pairs).most_common(1)
        raise Problem("malformed", f"The key {json.dumps(key[:40])} occurs twice in one object.")
    return value


@dataclass(frozen=True, slots=True)
class _Refused:
    """A number that is refused, kept until its field is known."""

    why: str


def _integer(text: str) -> int | _Refused:
    if len(text.lstrip("-")) > MAX_DIGITS:
        return _Refused(f"A number has more than {MAX_DIGITS} digits.")
    return int(text)


def _float(text: str) -> float | _Refused:
    value = float(text)
    return value if math.isfinite(value) else _Refused("A number is too large.")


def _constant(text: str) -> Any:
    raise Problem("malformed", f"{text} is not JSON.")


def _cut_off() -> Problem:
    return Problem("malformed", "The body is shorter than its Content-Length.", headers={"Connection": "close"})


def _too_deep() -> Problem:
    return Problem("malformed", f"The body is nested more than {MAX_DEPTH} levels deep.")


def _check(value: Any) -> None:
    """Check depth, numbers and characters, without recursion. Errors name the field."""
    todo: list[tuple[Any, int, tuple[str, ...]]] = [(value, 1, ())]
    while todo:
        item, depth, path = todo.pop()
        if isinstance(item, str):
            if UNSTORABLE.search(item):
                raise _unusable("A string contains a NUL character or an unpaired surrogate.", path)
        elif isinstance(item, _Refused):
            raise _unusable(item.why, path)
        elif isinstance(item, (dict, list)):
            if depth > MAX_DEPTH:
                raise _too_deep()
            if isinstance(item, list):
                todo.extend((child, depth + 1, path) for child in item)
                continue
            for key, child in item.items():
                if UNSTORABLE.search(key):
                    raise _unusable("A key contains a NUL character or an unpaired surrogate.", path)
                todo.append((child, depth + 1, (*path, key)))


def _unusable(why: str, path: tuple[str, ...]) -> Problem:
    if not path:
        return Problem("malformed", why)
    field = ".".join(path)[:MAX_FIELD]
    return Problem("malformed", f"{field}: {why}", errors=[(field, why)])


class JSONRenderer(BaseRenderer):
    media_type = "application/json"
    format = "json"
    # JSON is UTF-8 by itself (RFC 8259): no charset is named.
    charset = None

    def render(
        self, data: Any, accepted_media_type: str | None = None, renderer_context: Mapping[str, Any] | None = None
    ) -> bytes:
        return b"" if data is None else encode(data)


def encode(value: Any, *, sort: bool = False) -> bytes:
    """A value as JSON, keys as they come or sorted."""
    return msgspec.json.encode(value, enc_hook=_plain, order="sorted" if sort else None)


def _plain(value: object) -> str:
    if isinstance(value, str):  # a subclass, such as DRF's ErrorDetail
        return str.__str__(value)
    raise TypeError(f"{type(value).__name__} cannot be JSON")


class JSONAlways(BaseContentNegotiation):
    def select_parser(self, request: Request, parsers: Any) -> Any:
        content_type = (request.content_type or "").split(";")[0].strip().lower()
        return next((parser for parser in parsers if parser.media_type == content_type), None)

    def select_renderer(
        self, request: Request, renderers: Any, format_suffix: str | None = None
    ) -> tuple[BaseRenderer, str]:
        return renderers[0], renderers[0].media_type
