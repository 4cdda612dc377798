"""The lessons: public, and made by the rules."""

from collections.abc import Sequence
from functools import cache
from typing import Annotated, Any

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, UnsetType
from rest_framework.request import Request

from core.http.bodies import AnyObject, Body, doc, page_of, schema
from core.http.conditional import Tagged, etag_of, tagged
from core.http.openapi import path_parameter, ref
from core.http.views import PublicView
from core.refusals import NotFound
from games.lessons import NAMES, lesson

View = Annotated[Any, schema(ref("View"))]
FRESH = {"Cache-Control": "public, max-age=300"}


class LessonEntryBody(Body):
    """A lesson: the game that it teaches, and its number of steps."""

    game: str
    title: str
    steps: int


class TapBody(Body):
    """The answer to a tap that is not the move to make: the rules' refusal, or `legal`."""

    code: str
    detail: str | None


class LessonEventBody(Body):
    """An event as the learner sees it."""

    type: str
    seat: int | None
    data: AnyObject
    said: Annotated[str | UnsetType, doc("The event in a sentence.")] = UNSET


class LessonStepBody(Body):
    """A step: what the learner sees and can do, and the one move that leads to the next step."""

    at: Annotated[int, doc("How many moves of the game have been made so far.")]
    teaches: Annotated[Sequence[str], doc("The numbers of the rulings that it teaches.")]
    say: str
    after: Annotated[str | None, doc("What to say after the move.")]
    other: Annotated[str | None, doc("What to say about a legal move that is not the one to make.")]
    view: View
    moves: Sequence[Annotated[dict[str, Any], schema(ref("LegalMove"))]]
    move: Annotated[dict[str, Any], schema(ref("Move"))]
    events: Annotated[Sequence[LessonEventBody], doc("The events from this move to the next step.")]
    views: Annotated[Sequence[View], doc("The table after each move in `events`.")]
    taps: Annotated[
        dict[str, TapBody],
        doc("The key is a card of your own, `down:0` to `down:2`, `pile`, `stock`, `discard`, `end_turn` or `go_out`."),
    ]


class LessonBody(Body):
    """A first game that teaches the rules, one in each step."""

    game: str
    title: str
    seat: Annotated[int, doc("The learner's seat.")]
    names: Sequence[str]
    steps: Sequence[LessonStepBody]


class LessonsView(PublicView):
    @extend_schema(operation_id="list_lessons", responses={200: page_of(LessonEntryBody)})
    def get(self, request: Request) -> Tagged:
        """List the lessons, one for each game. There is only one page."""
        rows = [LessonEntryBody(name, lesson(name).title, len(lesson(name).steps)) for name in NAMES]
        body = page_of(LessonEntryBody)(rows, None, None)
        return tagged(request, etag_of(1, body), lambda: body, FRESH)


class LessonView(PublicView):
    @extend_schema(
        operation_id="get_lesson",
        parameters=[path_parameter("game", "threes", choices=sorted(NAMES))],
        responses={200: LessonBody},
    )
    def get(self, request: Request, game: str) -> Tagged:
        """Get the lesson of a game. It has everything that is shown, said and refused at each step."""
        if game not in NAMES:
            raise NotFound("not_found", "There is no such lesson.")
        body, etag = _document(game)
        return tagged(request, etag, lambda: body, FRESH)


@cache
def _document(game: str) -> tuple[dict[str, Any], str]:
    body = lesson(game).document()
    return body, etag_of(1, body)


urlpatterns = [
    path("lessons", LessonsView.as_view(), name="lessons"),
    path("lessons/<slug:game>", LessonView.as_view(), name="lesson"),
]
