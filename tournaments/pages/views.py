"""The public pages of a tournament, which are kept for some seconds (`tournaments.pages.kept`)."""

import hashlib
import re
from collections.abc import Callable
from functools import partial
from urllib.parse import urlencode
from uuid import UUID

from django.contrib.messages import get_messages
from django.http import HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect
from django.template.loader import render_to_string
from django.utils.cache import patch_vary_headers
from django.views.decorators.http import require_safe

from core import log
from core.accounts.models import Player
from core.http.conditional import if_none_match
from core.refusals import NotFound
from games.pages.lobby.page import about_reader, reader_of, refused
from tournaments import access
from tournaments.models import Tournament
from tournaments.pages import contents
from tournaments.pages.contents import page_number
from tournaments.pages.home import questions_to
from tournaments.pages.kept import Which, drawn, with_own
from tournaments.picture import Picture, Viewer
from tournaments.picture.spreadsheet import results_file
from tournaments.selectors import tournament_for

# By hand: the ORM takes longer to write it than PostgreSQL to answer.
_LOOK = f"SELECT id, slug, version, {', '.join(access.READ)} FROM tournaments_tournament WHERE slug = %s"  # noqa: S608
# These fields are new each time.
_KEYS = re.compile(r'<input type="hidden" name="[^"]*" value="[^"]{32,}">')


@require_safe
def by_id(request: HttpRequest, tournament_id: UUID) -> HttpResponse:
    """Lead from the id, which a game's page knows, to the page; 404 for those who may not know of the tournament."""
    try:
        found = tournament_for(reader_of(request), tournament_id)
    except NotFound:
        return _not_found(request)
    return redirect(found)


def page(template: str, content: Callable[..., contents.Context]) -> Callable[..., HttpResponse]:
    """The view of a page; `content` takes what its address names beside the tournament."""
    return require_safe(partial(_respond, template, content))


def _not_found(request: HttpRequest) -> HttpResponse:
    """The same page for what does not exist and what the reader may not know of, with a link to log in."""
    may_be = "The link may be old, or the tournament may be private."
    log_in = "" if reader_of(request) else " If you are in it, log in."
    return refused(request, "There is no such tournament", may_be + log_in, 404)


@require_safe
def results(request: HttpRequest, slug: str) -> HttpResponse:
    """The results as a spreadsheet, for those who may open the page."""
    reader = reader_of(request)
    shown = Tournament.objects.filter(slug=slug).first()
    if shown is None or not access.may_know(shown, reader, request.GET.get("invitation")):
        return _not_found(request)
    return _with_headers(results_file(Picture(shown)), shown, reader, None)


def _respond(
    template: str, content: Callable[..., contents.Context], request: HttpRequest, slug: str, **about: object
) -> HttpResponse:
    """The page; 304 if the browser has it already."""
    at, reader, invitation = page_number(request), reader_of(request), request.GET.get("invitation")
    shown = next(iter(Tournament.objects.raw(_LOOK, [slug])), None)
    if shown is None or not access.may_know(shown, reader, invitation):
        return _not_found(request)
    # A reader known by the log-in alone gets links without the invitation: it is not theirs to pass on.
    private = shown.visibility == "private"
    invited = private and invitation is not None and access.may_know(shown, None, invitation)
    digest = log.digest_at(shown.stream, shown.version)
    page = drawn(Which(shown.pk, shown.version, digest, template, content, tuple(about.items()), at, invited))
    # A message is shown once, so a page with one is nobody's copy.
    told = reader is not None and len(get_messages(request)) > 0
    header, own, version = {}, "", page.version
    if reader is not None:
        header = about_reader(request)
        own = _own_part(request, reader, shown, invitation) if template == "tournament" else ""
        known = (page.version, reader.pk, reader.username, reader.calendar is None, header["unread"])
        version = hashlib.sha256(f"{known} {_KEYS.sub('', own)}".encode()).hexdigest()[:32]
    etag = f'"{version}"'
    if not told and if_none_match(request, etag):
        return _with_headers(HttpResponseNotModified(), shown, reader, etag)
    body = page.whole if reader is None else with_own(page, own, version, header, request)
    return _with_headers(HttpResponse(body), shown, reader, None if told else etag)


def _with_headers(response: HttpResponse, shown: Tournament, reader: Player | None, etag: str | None) -> HttpResponse:
    """Say who may keep the page, and search engines whether they may list it. Without an `etag`, nobody keeps it."""
    private = shown.visibility == "private"
    patch_vary_headers(response, ["Cookie"])
    if private:
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
    if private or etag is None:
        response.headers["Cache-Control"] = "private, no-store"
    else:
        response.headers["ETag"] = etag
        response.headers["Cache-Control"] = "no-cache" if reader is None else "private, no-cache"
    return response


def _own_part(request: HttpRequest, reader: Player, shown: Tournament, invitation: str | None) -> str:
    viewer = Viewer(Picture(Tournament.objects.get(pk=shown.pk)), reader, invitation)
    query = f"?{urlencode({'invitation': invitation})}" if invitation else ""
    context: contents.Context = {"you": viewer, "base": shown.get_absolute_url(), "query": query}
    if viewer.is_invited:
        context["asked"] = questions_to(reader, [shown.pk], data__as="entrant").get(shown.pk)
    return render_to_string("tournaments/you.html", context, request)
