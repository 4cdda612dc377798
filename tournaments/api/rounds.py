"""Rounds, and a seating before it is published."""

from collections.abc import Mapping, Sequence
from dataclasses import asdict
from typing import Annotated, Any
from uuid import UUID

from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.permissions import IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from core.accounts.login.authentication import player_of
from core.http.bodies import Body, Moment, Nothing, doc, made_from, one_of, schema
from core.http.conditional import Tagged
from core.http.idempotency import KEY, keyed_of, response_of
from core.http.openapi import LOCATION, path_parameter, problems
from core.http.problems import invalid
from core.http.views import ListView, checked
from core.refusals import Forbidden, NotFound
from games.api.bodies import GameBody
from games.api.games import game_answer
from games.projections import Snapshot
from tournaments import access, picture, selectors, services
from tournaments.api.base import (
    GamesNewestFirst,
    RoundsInOrder,
    TournamentApi,
    answer_tournament,
    for_change,
    tournament_of,
)
from tournaments.api.bodies import BY_RULES, NamedEntrantBody, TournamentBody
from tournaments.api.requests import ExchangeRequest, SeasonGameRequest
from tournaments.models import Round, Tournament, TournamentGame

GAME_STATUSES = ("pending", "open", "running", "counted", "voided", "without_result")


BEYOND_SAME_TABLE = (
    "True if the result does not count although the game is `counted`, because the tournament counts only "
    "the first `same_table` games among exactly the same entrants."
)


class AwaitedBody(Body):
    """An entrant for whom a game is waiting."""

    entrant: str
    since: Moment | None
    until: Annotated[Moment | None, doc("The deadline; null if there is none, for example for a bot.")]


class ResultPlayerBody(Body):
    """The outcome of a game for an entrant."""

    entrant: str
    place: Annotated[int, Meta(ge=1)]
    score: int | None
    timeouts: Annotated[int, Meta(ge=0)]
    absent: bool | UnsetType = UNSET


class TournamentGameBody(Body):
    """A game of a tournament. Its `id` is that of GET games/{id}, unless it is a result without a game."""

    id: UUID
    round: int | None
    table: int | None
    number: int | None
    status: Annotated[str, one_of(GAME_STATUSES)]
    beyond_same_table: Annotated[bool, doc(BEYOND_SAME_TABLE)]
    source: Annotated[str, one_of(["game", "table", "ruling"])] | None
    entrants: Sequence[str]
    rounds: Annotated[int | None, doc("The number of scored rounds (Three Thirteen).")]
    players: Sequence[ResultPlayerBody] | None
    absent: Annotated[Sequence[str], doc("The entrants who have been ruled absent.")]
    waits_for: Sequence[AwaitedBody]
    since: Moment
    ended_at: Moment | None
    proposal: Annotated[int | None, doc(BY_RULES)]


class TournamentTableBody(Body):
    """A table of a round."""

    table: int
    status: Annotated[str, one_of(["open", "closed", "not_played"])]
    entrants: Sequence[NamedEntrantBody]
    games: Sequence[TournamentGameBody]


class RoundBody(Body):
    """A round, and whom its tables wait for."""

    stage: int
    round: int
    status: Annotated[str, one_of(["open", "closed"])]
    seated_at: Moment
    deadline_at: Annotated[Moment | None, doc("The deadline. It moves when outages of the service become known.")]
    overdue: bool
    closed_at: Moment | None
    open_tables: int
    proposal: Annotated[int | None, doc(BY_RULES)]
    byes: Sequence[NamedEntrantBody]
    tables: Sequence[TournamentTableBody]


class DraftBody(Body):
    """A seating before it is published, with figures about its quality."""

    stage: Annotated[int, doc("The stage of the round. It begins with the round if it has not begun yet.")]
    round: int
    tables: Sequence[Sequence[str]]
    byes: Sequence[str]
    repeats: Annotated[int | None, doc("Pairs who have sat together before.")]
    cost: Annotated[str, schema({"pattern": r"^-?\d+(/\d+)?$"})] | None
    q: int | None
    bound: int | None


def game_body(game: picture.GameNow) -> TournamentGameBody:
    row = game.row
    result: Mapping[str, Any] = row.state.result or {}
    return made_from(
        TournamentGameBody,
        row.state,
        id=row.game,
        status=game.status,
        beyond_same_table=game.beyond_same_table,
        entrants=game.entrants,
        rounds=result.get("rounds"),
        players=result.get("players"),
        waits_for=[AwaitedBody(one.entrant, one.since, one.until) for one in game.awaited],
    )


def rounds_bodies(row: Tournament, rounds: Sequence[Round]) -> list[RoundBody]:
    names = {key: picture.Name(key, name, None) for key, name in selectors.names_of(row).items()}
    return [_round_body(row, one) for one in picture.rounds_of(row, rounds, names)]


def _round_body(row: Tournament, line: picture.RoundLine) -> RoundBody:
    def named(names: Sequence[picture.Name]) -> list[NamedEntrantBody]:
        return [NamedEntrantBody(name.key, name.text) for name in names]

    return made_from(
        RoundBody,
        line,
        stage=row.state.stage_of(line.number),
        round=line.number,
        status="open" if line.closed_at is None else "closed",
        byes=named(line.byes),
        tables=[
            TournamentTableBody(one.number, one.status, named(one.names), [game_body(game) for game in one.games])
            for one in line.tables
        ],
    )


def draft_body(row: Tournament, draft: Mapping[str, Any]) -> DraftBody:
    figures = {name: draft["figures"].get(name) for name in ("repeats", "cost", "q", "bound")}
    stage = row.state.stage_of(draft["round"]) + (draft.get("staged") is not None)
    return DraftBody(stage, draft["round"], draft["tables"], draft["byes"], **figures)


class RoundsView(TournamentApi, ListView[Round]):
    queryset = Round.objects.none()
    pagination_class = RoundsInOrder

    @extend_schema(operation_id="list_rounds", responses={200: RoundBody})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the rounds. Each has its tables with their games and results."""
        row = tournament_of(request, tournament_id)
        return self.page_of(Round.objects.filter(tournament=row), lambda found: rounds_bodies(row, found))


class RoundView(TournamentApi):
    @extend_schema(operation_id="get_round", parameters=[path_parameter("number", 1)], responses={200: RoundBody})
    def get(self, request: Request, tournament_id: UUID, number: int) -> Response:
        """Get a round.

        It has the tables and their games with results, and says whom each game waits for, since when and until when.
        """
        row = tournament_of(request, tournament_id)
        found = Round.objects.filter(tournament=row, number=number).first()
        if found is None:
            raise NotFound("no_such_round", "This round has not been seated.")
        return Response(rounds_bodies(row, [found])[0])


class DraftView(TournamentApi):
    def get_permissions(self) -> list[Any]:
        return [IsAuthenticated()]

    @extend_schema(operation_id="get_draft", responses={200: DraftBody, **problems(403)})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """Get the draft of the next round. Only organisers see it."""
        row = tournament_of(request, tournament_id)
        if not access.organises(row, player_of(request)):
            raise Forbidden("not_an_organiser", "Only an organiser of the tournament may do this.")
        if row.state.draft is None:
            raise NotFound("no_draft", "No next round has been drafted.")
        return Response(draft_body(row, asdict(row.state.draft)))

    @extend_schema(operation_id="change_draft", request=ExchangeRequest, responses={200: DraftBody})
    def put(self, request: Request, tournament_id: UUID) -> Response:
        """Change the draft of the next round.

        Swap two entrants (`swap`), or give all `tables`. The response has the new figures. This is a ruling, with a
        reason; `dry_run` changes nothing.
        """
        row = for_change(request, tournament_id)
        body = checked(ExchangeRequest, request)
        if ("swap" in body) == ("tables" in body):
            raise invalid([("swap", "Give either two entrants or all tables.")])
        changed = services.exchange(
            tournament_id,
            player_of(request),
            reason=body["reason"],
            swap=body.get("swap"),
            tables=body.get("tables"),
            byes=body.get("byes"),
            dry_run=body["dry_run"],
        )
        return Response(draft_body(row, changed))


class PublishView(TournamentApi):
    @extend_schema(operation_id="publish_draft", request=None, responses={200: TournamentBody})
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Publish the draft. This seats the round as drafted and opens its games."""
        for_change(request, tournament_id)
        checked(Nothing, request)
        services.publish(tournament_id, player_of(request))
        return answer_tournament(request, tournament_id)


class TournamentGamesView(TournamentApi, ListView[TournamentGame]):
    queryset = TournamentGame.objects.none()
    pagination_class = GamesNewestFirst

    @extend_schema(operation_id="list_tournament_games", responses={200: TournamentGameBody})
    def get(self, request: Request, tournament_id: UUID) -> Response:
        """List the games of a tournament, newest first. Each has its result, or says whom it waits for."""
        row = tournament_of(request, tournament_id)
        games = TournamentGame.objects.filter(tournament=row)
        return self.page_of(games, lambda found: [game_body(game) for game in picture.games_now(row, found)])

    @extend_schema(
        operation_id="open_season_game",
        parameters=[KEY, LOCATION],
        request=SeasonGameRequest,
        responses={201: GameBody, **problems(429)},
    )
    def post(self, request: Request, tournament_id: UUID) -> Tagged:
        """Open a season's room and sit down in it. Only entrants can join."""
        row, player = for_change(request, tournament_id), player_of(request)
        body = checked(SeasonGameRequest, request)
        seats = body.get("seats") or row.state.plan.size

        def answer(room: Snapshot) -> services.Answer:
            shown = game_answer(room, player, 201)
            return services.Answer(201, shown.data, {name: shown.headers[name] for name in ("ETag", "Location")})

        keyed = keyed_of(request, answer)
        opened = services.open_game(row.pk, player, seats=seats, bots=body["bots"], keyed=keyed)
        return Tagged(response_of(answer(opened) if keyed is None else opened))
