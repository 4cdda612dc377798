"""Responding with the picture of a shared link: cached by its digest, and drawn one at a time."""

from threading import Lock

from django.http import HttpRequest, HttpResponse, HttpResponseNotModified

from core import cache
from core.http.conditional import if_none_match
from core.pages.share_pictures import Words, draw

KEPT_SECONDS = 24 * 3600
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
    found: bytes | None = cache.get(key)
    if found is not None:
        return found
    with _DRAWING:
        found = cache.get(key)
        if found is None:
            found = draw(words)
            cache.put(key, found, KEPT_SECONDS)
    return found
