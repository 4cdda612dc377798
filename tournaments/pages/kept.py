"""A page is drawn once and kept for seconds, by each process, under the digest of the tournament's log.

A change of the tournament shows at once, a new name or whose turn it is after `SECONDS`; a reader's own part is drawn
each time.
"""

import hashlib
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import lru_cache
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.auth.models import AnonymousUser
from django.http import HttpRequest
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe

from core import clock as service_clock
from games.pages.lobby.page import LOG_IN
from tournaments.models import Tournament
from tournaments.pages.contents import Context, Page
from tournaments.picture import Picture
from tournaments.selectors.record import known_digests

SECONDS = 10
PAGES = 64
"""The number of pages, of up to 150 kB, that a process keeps."""


@dataclass(frozen=True, slots=True)
class Which:
    """A page of a tournament as of a version; `invited`: its links have the invitation."""

    tournament: UUID
    version: int
    digest: str
    template: str
    content: Callable[..., Context]
    about: tuple[tuple[str, object], ...]
    at: int
    invited: bool


@dataclass(frozen=True, slots=True)
class Drawn:
    """The parts of a page that all readers share, and the whole as strangers read it."""

    template: str
    title: str
    private: bool
    head: SafeString
    top: SafeString
    rest: SafeString
    version: str
    whole: bytes = b""


def drawn(which: Which) -> Drawn:
    """The page, which may be some seconds old. Raises Http404. Whether the reader may see it is asked before."""
    return draw(which, int(service_clock.now().timestamp()) // SECONDS)


def with_own(page: Drawn, own: str, version: str, header: Context, request: HttpRequest) -> bytes:
    context = {"drawn": page, "own": mark_safe(own), "version": version, "messages": ()}  # noqa: S308  a template's
    return render_to_string("tournaments/shell.html", {**context, **header}, request).encode()


@lru_cache(PAGES)
def draw(which: Which, _: int) -> Drawn:
    """Draw it. Lasts as long as the second argument stays the same."""
    now = Tournament.objects.get(pk=which.tournament)
    known_digests(now)[which.version] = which.digest
    base = now.get_absolute_url()
    query = f"?{urlencode({'invitation': now.invitation})}" if which.invited else ""
    page = Page(Picture(now), base, query, which.at)
    shown: Context = {"picture": page.picture, "base": base, "query": query, **which.content(page, **dict(which.about))}
    head = shown.get("head", mark_safe(""))
    top = shown.get("top") or render_to_string("tournaments/back.html", shown)
    parts = head, top, render_to_string(f"tournaments/{which.template}.html", shown)
    version = hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
    title = f"{shown['title']}, {now.title}" if "title" in shown else now.title
    found = Drawn(which.template, title, now.visibility == "private", *parts, version)
    stranger = {"viewer": AnonymousUser(), "here": f"{base}{query}", "log_in": LOG_IN, "picture": page.picture}
    context = {"drawn": found, "version": version, **stranger, "base": base}
    return replace(found, whole=render_to_string("tournaments/shell.html", context).encode())
