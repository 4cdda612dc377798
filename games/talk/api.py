"""Talk at a table."""

from collections.abc import Collection, Sequence
from datetime import timedelta
from functools import partial
from typing import Annotated
from uuid import UUID

from django.urls import path
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Struct, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from core import clock
from core.accounts.login.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import Body, Moment, Nothing, RequestBody, components, doc, made_from, one_of, page_of
from core.http.idempotency import once
from core.http.openapi import add_components, example, path_parameter, problems
from core.http.pagination import MAX_VERSION, number_parameter, whole_number
from core.http.problems import invalid
from core.http.throttling import limit
from core.http.views import ApiView, QueryParameter, checked
from core.values import LEFT_OUT, value
from games.models import Game
from games.notifications.words import title_of
from games.projections import load_all
from games.talk import moderation
from games.talk import services as talk
from games.talk.models import TalkMessage

_DAY = timedelta(days=1)
GONE = (*TalkMessage.Gone.values, "blocked")


class SpeakerBody(Body):
    """The author; without a name if the account is closed."""

    id: UUID
    username: str | None


class TalkMessageBody(Body):
    """A message, as the caller can read it."""

    number: int
    at: Moment
    by: SpeakerBody
    seat: int
    text: str | None
    sign: Annotated[str, one_of(talk.SIGNS)] | None
    version: Annotated[int, doc("The version of the game when it was written.")]
    gone: Annotated[
        Annotated[str, one_of(GONE)] | None,
        doc("Who removed it, or `blocked` if you have blocked its author; then text and sign are null."),
    ]


class WhyNotBody(Body):
    """Why you cannot write, or can only send signs."""

    code: str
    detail: str
    until: Moment | None


class ListenerBody(Body):
    """Another player at the table, and which messages that player sees."""

    username: str
    talk: Annotated[str, one_of(Game.Talk.values)]


class TalkBody(Body):
    """The chat of a table, as you see it."""

    results: Sequence[TalkMessageBody]
    last: Annotated[int, doc("The number of the newest message; 0 if there is none.")]
    read: int
    unread: int
    talk: Annotated[str, one_of(Game.Talk.values)]
    may: Annotated[Annotated[str, one_of(("text", "sign"))] | None, doc("What you can send; `text` includes signs.")]
    reason: WhyNotBody | None
    quiet: Annotated[bool, doc("True if new messages are neither counted nor notified to you.")]
    readers: Annotated[Sequence[str], doc("Organisers who can read the chat without a seat.")]
    people: Sequence[ListenerBody]


class OwnTalkBody(Body):
    """The chat of one of your tables."""

    game: UUID
    title: str
    last: int
    read: int
    unread: int


@example({"text": "In hospital till Friday, sorry."})
class SayRequest(RequestBody):
    """A text of 1 to 500 characters, or a sign."""

    text: str = value(LEFT_OUT, least=0, most=5000, exact=True)
    sign: str = value(LEFT_OUT, words=talk.SIGNS)


@example({"up_to": 0})
class TalkReadRequest(RequestBody):
    """How far you have read."""

    up_to: int = value(least=0, most=MAX_VERSION)


@example({"quiet": True})
class TalkQuietRequest(RequestBody):
    """Whether the chat is muted: new messages are neither counted nor notified to you."""

    quiet: bool


def _number(name: str, description: str) -> QueryParameter:
    def read(request: Request) -> int | None:
        return whole_number(request, name, 0, MAX_VERSION, 0) if name in request.query_params else None

    shape = {"type": "integer", "minimum": 0, "maximum": MAX_VERSION}
    return QueryParameter(name, shape, read=read, description=description)


def _blocked(request: Request) -> bool:
    if request.query_params.get("blocked", "show") != "show":
        raise invalid([("blocked", "The only value is show.")])
    return "blocked" in request.query_params


_AFTER = _number("after", "The first messages after this number.")
_BEFORE = _number("before", "The last messages before this number. Without either parameter, the newest.")
_LIMIT = number_parameter("limit", 1, talk.MOST_AT_ONCE, talk.MOST_AT_ONCE)
_BLOCKED = QueryParameter(
    "blocked", enum=["show"], read=_blocked, description="Show messages from players you have blocked."
)


class TalkView(ApiView):
    query = (_AFTER, _BEFORE, _LIMIT, _BLOCKED)

    @extend_schema(
        operation_id="get_talk",
        responses={200: TalkBody, **problems(403)},
    )
    def get(self, request: Request, game_id: UUID) -> Response:
        """Get the chat of a table. Only its players can read it, and the organisers of its tournament."""
        found = talk.reading(game_id, player_of(request))
        rows = talk.messages_of(
            found, after=_AFTER.read(request), before=_BEFORE.read(request), limit=_LIMIT.read(request)
        )
        may, reason = found.may(clock.now())
        body = TalkBody(
            results=_bodies(rows, () if _blocked(request) else found.blocked),
            last=found.last,
            read=found.reader.read if found.seat is not None else found.last,
            unread=found.unread,
            talk=found.game.may_be_said,
            may=may,
            reason=made_from(WhyNotBody, reason) if reason is not None else None,
            quiet=found.reader.quiet,
            readers=talk.readers_of(found.game),
            people=[ListenerBody(one.username, talk.level_of(one)) for one in found.others],
        )
        return Response(body)

    @extend_schema(
        operation_id="say",
        request=SayRequest,
        responses={201: TalkMessageBody, **problems(403, 409, 429)},
    )
    @once()
    def post(self, request: Request, game_id: UUID) -> Response:
        """Write a message at a table. It cannot be edited, but it can be taken back."""
        player = player_of(request)
        said = checked(SayRequest, request)
        message = talk.say(game_id, player, **said, count=lambda: _count(player))
        return Response(_bodies([message])[0], status=201)


def _count(player: Player) -> None:
    """TK10."""
    is_new = player.is_guest or clock.now() - player.date_joined < _DAY
    limit("talk_minute", str(player.pk))
    if is_new:
        limit("talk_day_new", str(player.pk))
    limit("talk_day", str(player.pk))


class TalkMessageView(ApiView):
    @extend_schema(
        operation_id="take_back",
        parameters=[path_parameter("number", 1)],
        request=None,
        responses={204: None, **problems(403)},
    )
    def delete(self, request: Request, game_id: UUID, number: int) -> Response:
        """Take back a message of yours. Its number and time stay."""
        checked(Nothing, request)
        talk.take_back(game_id, player_of(request), number)
        return Response(status=204)


class TalkReadView(ApiView):
    @extend_schema(
        operation_id="read_talk",
        request=TalkReadRequest,
        responses={204: None, **problems(403, 422)},
    )
    def post(self, request: Request, game_id: UUID) -> Response:
        """Mark a table's chat as read, up to a message."""
        talk.read_talk(game_id, player_of(request), checked(TalkReadRequest, request)["up_to"])
        return Response(status=204)


class TalkQuietView(ApiView):
    @extend_schema(
        operation_id="be_quiet",
        request=TalkQuietRequest,
        responses={204: None, **problems(403)},
    )
    def put(self, request: Request, game_id: UUID) -> Response:
        """Mute or unmute the chat of a table."""
        talk.be_quiet(game_id, player_of(request), checked(TalkQuietRequest, request)["quiet"])
        return Response(status=204)


@example({"why": "insult", "text": "He always does."})
class ReportRequest(RequestBody):
    """The reason for a report."""

    why: str = value(words=moderation.WHY)
    text: str | None = value(LEFT_OUT, least=0, most=5000, exact=True)


class ReportBody(Body):
    """A report, which waits for staff or an organiser."""

    number: Annotated[int, doc("The number of the message.")]
    why: Annotated[str, one_of(moderation.WHY)]
    text: str
    at: Moment


@example({"reason": "Insults."})
class HideRequest(RequestBody):
    """The reason for hiding a message, which its author is told."""

    reason: str = value(most=500)


class ReportView(ApiView):
    @extend_schema(
        operation_id="report",
        parameters=[path_parameter("number", 1)],
        request=ReportRequest,
        responses={201: ReportBody, **problems(403, 409, 429)},
    )
    @once()
    def post(self, request: Request, game_id: UUID, number: int) -> Response:
        """Report a message to staff and organisers. They get a copy of the message and of the ten before it."""
        player = player_of(request)
        asked = checked(ReportRequest, request)
        count = partial(limit, "report", str(player.pk))
        made = moderation.report(game_id, player, number, asked["why"], asked.get("text"), count=count)
        return Response(made_from(ReportBody, made), status=201)


class HideView(ApiView):
    @extend_schema(
        operation_id="hide_message",
        parameters=[path_parameter("number", 1)],
        request=HideRequest,
        responses={204: None, **problems(403)},
    )
    def post(self, request: Request, game_id: UUID, number: int) -> Response:
        """Hide a message at a table of your tournament. Its author is told why."""
        moderation.hide(game_id, player_of(request), number, checked(HideRequest, request)["reason"])
        return Response(status=204)

    @extend_schema(
        operation_id="show_message",
        parameters=[path_parameter("number", 1)],
        request=None,
        responses={204: None, **problems(403)},
    )
    def delete(self, request: Request, game_id: UUID, number: int) -> Response:
        """Show a hidden message again."""
        checked(Nothing, request)
        moderation.show_again(game_id, player_of(request), number)
        return Response(status=204)


class OwnTalksView(ApiView):
    @extend_schema(operation_id="my_talks", responses={200: page_of(OwnTalkBody)})
    def get(self, request: Request) -> Response:
        """List the chats of your tables. Only those with messages are listed, unread ones first."""
        player = player_of(request)
        found = talk.talks_of(player)
        games = {game.id: game for game in load_all([one["game"] for one in found])}
        titles = {pk: title_of(game, game.seat_of(player)) for pk, game in games.items()}
        results = [OwnTalkBody(title=titles[one["game"]], **one) for one in found]
        return Response({"results": results, "next": None, "previous": None})


def _bodies(rows: Sequence[TalkMessage], blocked: Collection[UUID] = ()) -> list[TalkMessageBody]:
    return [TalkMessageBody(**one | {"by": SpeakerBody(**one["by"])}) for one in talk.shown(rows, blocked)]


class TalkNews(Struct):
    """The number of unread messages of a table; the stream of its game leaves `game` out."""

    last: int
    unread: int
    game: UUID | UnsetType = UNSET


add_components(components(TalkNews))

urlpatterns = [
    path("games/<uuid:game_id>/talk", TalkView.as_view(), name="talk"),
    path("games/<uuid:game_id>/talk/read", TalkReadView.as_view(), name="talk_read"),
    path("games/<uuid:game_id>/talk/quiet", TalkQuietView.as_view(), name="talk_quiet"),
    path("games/<uuid:game_id>/talk/<int:number>", TalkMessageView.as_view(), name="talk_message"),
    path("games/<uuid:game_id>/talk/<int:number>/report", ReportView.as_view(), name="talk_report"),
    path("games/<uuid:game_id>/talk/<int:number>/hide", HideView.as_view(), name="talk_hide"),
    path("me/talk", OwnTalksView.as_view(), name="my_talks"),
]
