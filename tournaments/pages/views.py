"""The public page of a tournament."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.access import may_know
from tournaments.models import Tournament
from tournaments.pages.sheet import sheet_of


@require_safe
def tournament(request: HttpRequest, slug: str) -> HttpResponse:
    """Standings, crosstable, rounds and rulings. A private tournament takes its invitation (`?invitation=`)."""
    shown = Tournament.objects.filter(slug=slug).exclude(status="draft").first()
    invitation = request.GET.get("invitation")
    if shown is None or not may_know(shown, None, invitation):
        raise Http404
    response = render(request, "tournaments/tournament.html", {"sheet": sheet_of(shown), "invitation": invitation})
    if shown.visibility == "private":
        response.headers["X-Robots-Tag"] = "noindex, nofollow"
        response.headers["Referrer-Policy"] = "no-referrer"
        response.headers["Cache-Control"] = "private, no-store"
    return response
