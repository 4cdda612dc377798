"""JSON by msgspec: many times as fast as the standard library, and it knows UUIDs, datetimes and dataclasses."""

from collections.abc import Mapping
from typing import Any

import msgspec
from rest_framework.renderers import BaseRenderer


class JSONRenderer(BaseRenderer):
    """`application/json`, compact UTF-8; times as RFC 3339 in UTC."""

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
