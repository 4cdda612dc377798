"""Responding with the picture of a shared link: cached by its digest, and drawn one at a time."""

from __future__ import annotations

from threading import Lock

from django.core.cache import cache
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from redis import RedisError

from games.platform.http.conditional import if_none_match
from games.platform.pages.share_pictures import Words, draw

KEPT_SECONDS = 24 * 3600
_AWAY = (RedisError, OSError)
# Drawing keeps a processor busy, so one picture is drawn at a time, however many are asked for.
_DRAWING = Lock()


def answer_picture(request: HttpRequest, words: Words) -> HttpResponse:
    """The picture as a PNG with its ETag; 304 if the caller has it."""
    etag = f'"{words.digest}"'
    headers = {"ETag": etag, "Cache-Control": "public, max-age=300"}
    if if_none_match(request, etag):
        return HttpResponseNotModified(headers=headers)
    return HttpResponse(_picture(words), content_type="image/png", headers=headers)


def _picture(words: Words) -> bytes:
    key = f"share-picture:{words.digest}"
    found = _get(key)
    if found is not None:
        return found
    with _DRAWING:
        found = _get(key)
        if found is None:
            found = draw(words)
            _set(key, found)
    return found


def _get(key: str) -> bytes | None:
    try:
        found: bytes | None = cache.get(key)
    except _AWAY:
        return None  # without Redis every picture is drawn again
    return found


def _set(key: str, value: bytes) -> None:
    try:
        cache.set(key, value, KEPT_SECONDS)
    except _AWAY:
        return
