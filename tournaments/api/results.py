"""Results: what ended, in one numbered list for everybody, and one's own with the records."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Annotated, Any, Literal
from uuid import UUID

from django.http import StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from msgspec import Meta, Struct
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.utils.urls import replace_query_param

from core.accounts.login.authentication import player_of
from core.http.bodies import AnyObject, Body, Moment, Url, components, doc, one_of, schema
from core.http.media import encode
from core.http.openapi import problems, ref, stream_of
from core.http.pagination import MAX_VERSION, number_parameter
from core.http.problems import invalid
from core.http.throttling import limit
from core.http.views import ApiView, QueryParameter
from games.api.bodies import GAME_NAMES, PlayerRefBody
from games.api.history import RESUMED, RESUMED_AFTER, elsewhere
from tournaments import selectors
from tournaments.models import Result

MAX_RESULTS = 500
# Line breaks to some readers of text, though not to JSON.
_BREAKS = {one: f"\\u{ord(one):04x}".encode() for one in "\u0085\u2028\u2029"}


class EndedPlayer(Struct):
    """A seat of a game that ended."""

    seat: Annotated[int, Meta(ge=0)]
    player: Annotated[
        PlayerRefBody | None, doc("null: nobody, or somebody who closed the account or is not shown on public pages.")
    ]
    bot: Annotated[dict[str, Any], schema(ref("Bot"))] | None
    place: int | None
    score: int | None


class EndedInTournament(Struct):
    """The tournament of a game that ended."""

    id: UUID
    title: str
    round: Annotated[int | None, doc("null: a free game of a season.")]
    table: int | None


class EndedStanding(Struct):
    """One row of final standings."""

    entrant: str
    name: Annotated[str | None, doc("null if the player has closed the account or is not shown on public pages.")]
    place: int | None
    total: Annotated[str, doc("An exact number.")]


class _Ended(Struct, tag_field="type"):
    n: Annotated[
        int, Meta(ge=1), doc("Increases with each entry. Of several entries with the same `id`, the last one counts.")
    ]
    id: UUID
    at: Annotated[Moment, doc("When the game or tournament ended, or was voided or restored.")]
    game: Annotated[str, one_of(GAME_NAMES)]
    url: Annotated[
        str,
        doc(
            "The address of the game or tournament on this server: `/api/v1/games/{id}` or `/api/v1/tournaments/{id}`."
        ),
    ]


class EndedGame(_Ended, tag="game"):
    """A game that ended."""

    ruleset: str
    options: Annotated[AnyObject, doc("All options, defaults included.")]
    rated: bool
    voided: bool
    ended_by: Literal["out", "stalemate", "agreed", "rounds", "resignation", "limit", "ruling"]
    players: list[EndedPlayer]
    tournament: EndedInTournament | None


class EndedTournament(_Ended, tag="tournament"):
    """A tournament that was finished."""

    title: str
    kind: str
    entrants: Annotated[int, doc("How many entrants hold a place.")]
    standings: Annotated[list[EndedStanding], Meta(max_length=selectors.MOST_STANDINGS), doc("The first of them.")]


COMPONENTS = components(ResultEntry=("A game or a tournament that ended.", (EndedGame, EndedTournament)))


class ResultsBody(Body):
    """A page of results, oldest first."""

    results: Sequence[Annotated[dict[str, Any], schema(ref("ResultEntry"))]]
    next: Url | None
    previous: Url | None


def _choice(name: str, words: Sequence[str]) -> QueryParameter:
    def read(request: Request) -> str | None:
        found = request.query_params.get(name)
        if found is not None and found not in words:
            raise invalid([(name, f"Must be one of: {', '.join(words)}.")])
        return found

    return QueryParameter(name, enum=words, read=read)


_LIMIT = number_parameter("limit", 1, MAX_RESULTS, 50)
_AFTER = number_parameter("after", 0, MAX_VERSION, 0, "Only entries with a greater `n`.")
_TYPE, _GAME = _choice("type", Result.Kind.values), _choice("game", GAME_NAMES)


class ResultsView(ApiView):
    query = (_AFTER, _TYPE, _GAME, _LIMIT)

    @extend_schema(operation_id="list_results", tags=["results"], responses={200: ResultsBody})
    def get(self, request: Request) -> Response:
        """List the public games and tournaments that ended, oldest first.

        The list is the same for everyone. A game or tournament that is voided, restored, or reopened and finished
        again gets a new entry with a greater `n`; all its entries show the current state.
        """
        asked = {one.name: one.read(request) for one in (_TYPE, _GAME)}
        only = {key: value for key, value in asked.items() if value is not None}
        entries, more = selectors.public_results(_AFTER.read(request), _LIMIT.read(request), **only)
        url = request.build_absolute_uri()
        return Response(ResultsBody(entries, None if more is None else replace_query_param(url, "after", more), None))


class OwnResultsView(ApiView):
    query = (_AFTER,)

    @extend_schema(
        operation_id="export_my_results",
        tags=["results"],
        responses={(200, "application/x-ndjson"): OpenApiTypes.STR, **problems(429)},
    )
    def get(self, request: Request) -> StreamingHttpResponse:
        """Export your results.

        You get your finished games and tournaments, including private ones, as lines of JSON, oldest first. Each line
        is an entry as in `GET results`, with its `record`. If the connection breaks, or the last line has no line
        feed, continue after the `n` of the last whole line.
        """
        player = player_of(request)
        limit("exports", str(player.pk))
        return StreamingHttpResponse(
            lines(selectors.own_results(player, _AFTER.read(request))),
            content_type="application/x-ndjson",
            headers={"Cache-Control": "no-store", "Content-Disposition": 'attachment; filename="trey-results.ndjson"'},
        )


def lines(entries: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    """Each as a line of JSON, which is one line to every reader of text.

    A line ends when the next one is ready, or all are: if a record fails, the last line is not whole, and the answer
    cannot be taken for a complete one.
    """
    end = b""
    for entry in entries:
        line = encode(entry)
        for one, escaped in _BREAKS.items():
            line = line.replace(one.encode(), escaped)
        yield end + line
        end = b"\n"
    yield end


class ResultsLiveView(ApiView):
    query = (RESUMED_AFTER,)

    @extend_schema(
        operation_id="watch_results",
        tags=["results"],
        parameters=RESUMED,
        responses={**stream_of("LiveOfResults", {"result": ref("ResultEntry")}, {}), **problems(421, 429)},
    )
    def get(self, request: Request) -> Response:
        """Watch the public results.

        Server-sent events: a `result` for each entry of `GET results`, its `n` as `id`.
        """
        raise elsewhere("results/live")
