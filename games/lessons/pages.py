"""The page of a lesson: a scripted game at the table's own component."""

from django.http import HttpRequest, HttpResponse
from django.urls import re_path
from django.views.decorators.http import require_safe

from games.lessons import NAMES, lesson
from games.pages.lobby.page import shown


@require_safe
def learn(request: HttpRequest, game: str) -> HttpResponse:
    return shown(request, "lessons/learn.html", {"name": game, "lesson": lesson(game)}, index=True)


# A game without a lesson has no such address, and so no link to it.
urlpatterns = [re_path(rf"^learn/(?P<game>{'|'.join(NAMES)})$", learn, name="learn-page")]
