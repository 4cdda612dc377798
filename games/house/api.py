"""Saved house games: checking, saving, listing, reading, changing, reporting them."""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Annotated, Any, cast
from uuid import UUID

from django.db.models import QuerySet
from django.urls import path
from django_filters import rest_framework as filters
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, UnsetType
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.accounts.models import Player
from core.http.bodies import AnyObject, Body, Moment, Nothing, RequestBody, doc, made_from, one_of, schema
from core.http.conditional import IF_MATCH, IfMatch, Tagged, etag_of, if_match, tagged
from core.http.fields import TruthFilter
from core.http.idempotency import once
from core.http.openapi import LOCATION, add_components, example, problems, ref
from core.http.pagination import CursorPages, whole_number
from core.http.throttling import limit
from core.http.views import ApiView, ListView, QueryParameter, checked
from core.values import LEFT_OUT, value
from games.house import moderation, services
from games.house.models import HouseGame
from games.house.services import MOST_VERSIONS, Saved
from games.rules.shedding.sentences import sentences

VISIBILITIES = HouseGame.Visibility.values
add_components({"HouseVisibility": {"type": "string", "enum": VISIBILITIES, "description": "Who can find it."}})
Visibility = Annotated[str, schema(ref("HouseVisibility"))]
_VISIBILITY = ref("HouseVisibility")
_RULES = {"title": "Castle with skips", "powers": {"2": ["wild", "may_again"], "8": ["skips"], "T": ["wild", "closes"]}}
_DIGEST = "SHA-256 of the canonical rules, in hexadecimal."


class AuthorBody(Body):
    """Who wrote a house game."""

    id: UUID
    username: str


class OriginBody(Body):
    """What a house game was made from."""

    game: Annotated[str | None, doc("A game of GET rulesets; null: another house game.")]
    house_game: UUID | None
    version: int | None
    title: Annotated[str | None, doc("null if the caller may not see it.")]


class HouseGameEntryBody(Body):
    """A house game in a list."""

    id: UUID
    title: str
    about: str
    visibility: Visibility
    version: Annotated[int, doc("The number of the latest version.")]
    author: Annotated[AuthorBody | None, doc("null: the account is closed.")]
    played: Annotated[int, doc("How many games have been dealt with its versions.")]
    created_at: Moment
    changed_at: Moment


class VersionBody(Body):
    """A version of a house game. It never changes."""

    number: int
    digest: Annotated[str, doc(_DIGEST)]
    at: Moment
    changes: Annotated[Sequence[str], doc("What the rules say now that they did not say in the version before.")]


class HouseGameBody(HouseGameEntryBody):
    """A house game at one of its versions."""

    digest: Annotated[str, doc(_DIGEST)]
    rules: AnyObject
    sentences: Annotated[Sequence[str], doc("The rules for people.")]
    made_from: OriginBody | None
    hidden: Annotated[str | None, doc("Why staff have hidden it; then only its author can see it.")]
    versions: Annotated[Sequence[VersionBody], doc("The latest first.")]


class RulesErrorBody(Body):
    """What is wrong with rules."""

    path: Annotated[str, doc('Keys joined by dots; "" means all of it.')]
    detail: str


class CheckedRulesBody(Body):
    """What is wrong with the rules; or what they say, and the complete rules."""

    errors: Sequence[RulesErrorBody] | UnsetType = UNSET
    sentences: Sequence[str] | UnsetType = UNSET
    rules: AnyObject | UnsetType = UNSET


class HouseReportBody(Body):
    """A report. It waits for staff."""

    why: Annotated[str, one_of(moderation.WHY)]
    text: str
    at: Moment


@example({"rules": _RULES})
class CheckRulesRequest(RequestBody):
    """The rules of a house game."""

    rules: dict[str, Any] = value(schema={"type": "object", "additionalProperties": {}})


@example({"rules": _RULES, "made_from": "castle"})
class SaveHouseGameRequest(CheckRulesRequest):
    """A house game to save."""

    visibility: str = value(
        "link", words=VISIBILITIES, schema=_VISIBILITY, help="`public` ones are listed. Guests cannot list theirs."
    )
    made_from: str = value(LEFT_OUT, most=40, help="The house game or built-in game that it was copied from.")


@example({"rules": _RULES})
class ChangeHouseGameRequest(CheckRulesRequest):
    """The next version of a house game."""

    visibility: str = value(
        LEFT_OUT, words=VISIBILITIES, schema=_VISIBILITY, help="If you leave it out, it stays as it is."
    )


@example({"why": "insult"})
class HouseReportRequest(RequestBody):
    """Why a house game is reported."""

    why: str = value(words=moderation.WHY)
    text: str | None = value(LEFT_OUT, least=0, most=5000, exact=True)


class HouseGameFilters(filters.FilterSet):
    mine = TruthFilter(method="only_mine", help_text="Only your own, including those that are not listed.")

    def only_mine(self, games: QuerySet[HouseGame], name: str, value: bool) -> QuerySet[HouseGame]:
        return services.mine(cast("Player", self.request.user)) if value and self.request else games


class MostPlayedFirst(CursorPages):
    ordering = ("-played", "-id")


class HouseGamesView(ListView[HouseGame]):
    queryset = HouseGame.objects.none()
    pagination_class = MostPlayedFirst
    filterset_class = HouseGameFilters

    @extend_schema(operation_id="list_house_games", responses={200: HouseGameEntryBody})
    def get(self, request: Request) -> Response:
        """List the public house games, or your own.

        The most played come first.
        """
        rows = services.listed().select_related("author")
        return self.page_of(rows, lambda page: [_entry(saved) for saved in services.latest(page)])

    @extend_schema(
        operation_id="save_house_game",
        parameters=[LOCATION],
        request=SaveHouseGameRequest,
        responses={201: HouseGameBody, **problems(403, 409, 429)},
    )
    @once()
    def post(self, request: Request) -> Tagged:
        """Save a house game. Its rules are its first version."""
        player, asked = player_of(request), checked(SaveHouseGameRequest, request)
        saved = services.save(player, **asked, count=_counting("house_save", player))
        answer = _answer(request, saved, player, status=201)
        answer["Location"] = f"/api/v1/house-games/{saved.row.pk}"
        return answer


class CheckRulesView(ApiView):
    @extend_schema(
        operation_id="check_rules",
        request=CheckRulesRequest,
        responses={200: CheckedRulesBody, **problems(429)},
    )
    def post(self, request: Request) -> Response:
        """Check the rules of a house game. Nothing is stored."""
        limit("house_check", str(player_of(request).pk))
        rules, faults = services.checked(checked(CheckRulesRequest, request)["rules"])
        if faults:
            return Response(CheckedRulesBody(errors=[RulesErrorBody(*fault) for fault in faults.items()]))
        return Response(CheckedRulesBody(sentences=sentences(rules), rules=rules))


def _version(request: Request) -> int | None:
    return whole_number(request, "version", 1, MOST_VERSIONS, 0) or None


_VERSION = QueryParameter(
    "version",
    {"type": "integer", "minimum": 1, "maximum": MOST_VERSIONS},
    read=_version,
    description="The number of a version. Default: the latest.",
)


class HouseGameView(ApiView):
    query = (_VERSION,)

    @extend_schema(operation_id="get_house_game", responses={200: HouseGameBody})
    def get(self, request: Request, house_game_id: UUID) -> Tagged:
        """Get a house game. Anyone who has its id can read it."""
        player = player_of(request)
        return _answer(request, services.house_game(player, house_game_id, _version(request)), player)

    @extend_schema(
        operation_id="change_house_game",
        parameters=[IF_MATCH],
        request=ChangeHouseGameRequest,
        responses={200: HouseGameBody, **problems(403, 409, 429)},
    )
    def put(self, request: Request, house_game_id: UUID) -> Tagged:
        """Save the next version of your house game. If the rules are the same, no version is added."""
        player, asked = player_of(request), checked(ChangeHouseGameRequest, request)
        counting = _counting("house_save", player)
        saved = services.change(player, house_game_id, **asked, holds=_condition(if_match(request)), count=counting)
        return _answer(request, saved, player)

    @extend_schema(
        operation_id="delete_house_game",
        request=None,
        responses={204: None, **problems(403)},
    )
    def delete(self, request: Request, house_game_id: UUID) -> Response:
        """Delete your house game. Games that use it go on."""
        checked(Nothing, request)
        services.drop(player_of(request), house_game_id)
        return Response(status=204)


class HouseReportView(ApiView):
    @extend_schema(
        operation_id="report_house_game",
        request=HouseReportRequest,
        responses={201: HouseReportBody, **problems(403, 409, 429)},
    )
    @once()
    def post(self, request: Request, house_game_id: UUID) -> Response:
        """Report a public house game to staff."""
        player, asked = player_of(request), checked(HouseReportRequest, request)
        made = moderation.report(
            player, house_game_id, asked["why"], asked.get("text"), count=_counting("house_report", player)
        )
        return Response(made_from(HouseReportBody, made), status=201)


def _counting(name: str, player: Player) -> Callable[[], None]:
    return partial(limit, name, str(player.pk))


def _condition(sent: IfMatch | None) -> Callable[[HouseGame], bool]:
    """Whether it is still at the version of an ETag: how often it was played is no condition."""
    tags = () if sent is None else sent.tags
    return lambda row: sent is None or f"v{row.version}" in {tag.partition("-")[0] for tag in tags}


def _answer(request: Request, saved: Saved, player: Player, *, status: int = 200) -> Tagged:
    body = body_of(saved, player)
    return tagged(request, etag_of(saved.row.version, body), lambda: body, status=status)


def _entry(saved: Saved) -> HouseGameEntryBody:
    return made_from(HouseGameEntryBody, saved.row, **_shared(saved))


def body_of(saved: Saved, player: Player) -> HouseGameBody:
    row = saved.row
    return made_from(
        HouseGameBody,
        row,
        **_shared(saved),
        digest=saved.version.digest,
        rules=saved.rules,
        sentences=sentences(saved.rules),
        made_from=_origin(row, player),
        hidden=row.hidden_why if row.hidden_at else None,
        versions=[made_from(VersionBody, one, changes=changes) for one, changes in services.history(saved)],
    )


def _shared(saved: Saved) -> Mapping[str, Any]:
    author = saved.row.author and made_from(AuthorBody, saved.row.author)
    return {"title": saved.title, "about": saved.rules["about"], "author": author}


def _origin(row: HouseGame, player: Player) -> OriginBody | None:
    if row.made_from_game:
        return OriginBody(row.made_from_game, None, None, services.BUILT_IN[row.made_from_game].title)
    if (made := services.origin_of(player, row)) is None:
        return None
    title = made.rules["title"] if services.may_see(player, made.game) else None
    return OriginBody(None, made.game_id, made.number, title)


_ONE = "house-games/<uuid:house_game_id>"
urlpatterns = [
    path("house-games", HouseGamesView.as_view(), name="house_games"),
    path("house-games/check", CheckRulesView.as_view(), name="check_rules"),
    path(_ONE, HouseGameView.as_view(), name="house_game"),
    path(f"{_ONE}/report", HouseReportView.as_view(), name="house_game_report"),
]
