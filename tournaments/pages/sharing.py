"""The picture that messengers show of a link to a tournament: its title, the round and the leader."""

from __future__ import annotations

from django.http import Http404, HttpRequest, HttpResponse
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.platform.http.pictures import answer_picture
from games.platform.pages.share_pictures import Words
from games.platform.telling.chat import absolute
from tournaments.models import Tournament
from tournaments.picture import Picture


@require_safe
def picture(request: HttpRequest, slug: str) -> HttpResponse:
    """The picture of a public tournament. A private one, and one that is being set up, has none: 404."""
    row = Tournament.objects.filter(slug=slug, visibility="public").exclude(status="draft").first()
    if row is None:
        raise Http404
    return answer_picture(request, words_of(Picture(row)))


def words_of(picture_: Picture) -> Words:
    """Return the words of the picture. In a knockout places are known at the end alone, and points are one table's."""
    is_cup = picture_.tournament.kind == "knockout"
    placed = [row for row in picture_.rows if row.place is not None] if picture_.leaders else []
    return Words(
        kicker=f"{picture_.game_title} · {picture_.kind}, {picture_.status}",
        title=picture_.tournament.title,
        said=picture_.headline,
        rows=[(f"{row.place}. {row.name.text}", "" if is_cup else row.total) for row in placed],
    )


def address_of(row: Tournament) -> str | None:
    """Return the absolute address of the picture; each version has its own."""
    return absolute(f"{reverse('tournament-picture', args=[row.slug])}?v={row.version}")
