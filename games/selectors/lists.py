"""Lists of games: rows to filter and to page by, whose games are then read with `load_all`; and those of an export.

The second half is for those to whom games belong, or who follow them: tournaments and leagues only read these rows.
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from functools import cache
from typing import Any, TypeAlias
from uuid import UUID

from django.db.models import Count, Exists, IntegerField, Max, OuterRef, Prefetch, Q, QuerySet
from django.db.models.fields.json import KeyTextTransform
from django.db.models.functions import Cast

from core import log
from core.accounts.models import Player
from games.hooks import PLANNERS
from games.models import Game, Seat, stream_of
from games.projections import Snapshot, load_all, load_listed
from games.rules import PLAYED
from games.selectors.access import may_know, may_watch

LOOKED_AT = 50
"""How many of a player's tables are looked at at once, and in all for what they play."""
NEVER = datetime(9999, 1, 1, tzinfo=UTC)


def games_for(player: Player) -> QuerySet[Game]:
    """All games that the player may list (public ones and its own), unordered.

    Filter further with `status`, `game`; ``mine(queryset, player)`` keeps the player's own.
    """
    hidden = [name for name, rules in PLAYED.items() if not rules.spectators]
    unseen = Q(visibility=Game.Visibility.PRIVATE) | Q(game__in=hidden, started_at__isnull=False)
    return Game.objects.filter(~unseen | Exists(_own_seat(player))).only("opened_at")


def open_rooms() -> QuerySet[Game]:
    waiting = Game.objects.filter(
        game__in=list(PLAYED), status=Game.Status.OPEN, visibility=Game.Visibility.PUBLIC, tournament__isnull=True
    )
    return waiting.order_by("-opened_at", "-id").only("opened_at")


def rooms_without(player: Player) -> QuerySet[Game]:
    return Game.objects.filter(~Exists(_own_seat(player)), status=Game.Status.OPEN)


def free_room_of(tournament: UUID, player: Player) -> UUID | None:
    """The oldest room of a tournament that waits for players, and in which this one does not sit. Two queries."""
    rows = rooms_without(player).filter(tournament=tournament).order_by("opened_at", "id")
    rooms = load_all(list(rows.values_list("pk", flat=True)[:LOOKED_AT]))
    return next((room.id for room in rooms if not room.is_full), None)


def invited_by(code: str) -> UUID | None:
    """The room to which an invitation leads; its letters may be upper or lower case."""
    rooms = Game.objects.filter(invitation=code.strip().upper())
    return rooms.values_list("pk", flat=True).first()


def mine(games: QuerySet[Game], player: Player) -> QuerySet[Game]:
    return games.filter(Exists(_own_seat(player)))


@dataclass(frozen=True, slots=True)
class Turn:
    game: Snapshot
    due_at: str
    waits_since: str

    @property
    def id(self) -> UUID:
        return self.game.id


@dataclass(frozen=True, slots=True)
class Turns:
    """The games that wait for a player, most urgent first: by the player's deadline, then the longest waiting.

    It has the methods of a queryset that pages use. Its statement is handwritten, since players ask for this more often
    than for anything else, and the ORM would take as long to write it as all the rest.
    """

    player: Player
    backwards: bool = False
    place: Sequence[str] = ()

    def order_by(self, *ordering: str) -> "Turns":
        """The same games in the order of `due_at`, `waits_since`, `id`, or backwards if the first is `-due_at`."""
        return replace(self, backwards=ordering[0].startswith("-"))

    def beyond(self, place: Sequence[str]) -> "Turns":
        return replace(self, place=place)

    def __getitem__(self, some: slice) -> list[Turn]:
        """The first so many. One query."""
        statement = _turns(backwards=self.backwards, beyond=bool(self.place))
        listed = load_listed(statement, [self.player.pk, *self.place, some.stop])
        return [Turn(game, *place) for game, place in listed]


@cache
def _turns(*, backwards: bool, beyond: bool) -> str:
    way, sign = ("DESC", "<") if backwards else ("ASC", ">")
    due_at = f"coalesce(seat.due_at, '{NEVER.isoformat()}'::timestamptz)"
    order = f"ORDER BY {due_at} {way}, seat.duty_since {way}, seat.game_id {way}"
    place = f"({due_at}, seat.duty_since, seat.game_id)"
    return f"""
    SELECT seat.game_id, ARRAY[{due_at}::text, seat.duty_since::text] AS place, row_number() OVER ({order}) AS number
    FROM games_seat seat WHERE seat.player_id = %s AND seat.to_act AND seat.bot IS NULL
    {f"AND {place} {sign} (%s::timestamptz, %s::timestamptz, %s::uuid)" if beyond else ""} {order} LIMIT %s
    """  # noqa: S608  no text of others


def _own_seat(player: Player) -> QuerySet[Seat]:
    return Seat.objects.filter(game=OuterRef("pk"), player=player)


def seats_of(player: Player) -> Iterator[dict[str, Any]]:
    """Every room and game in which the player has a seat, oldest first, with what is stored about the player there.

    Cards are not in it: `GET games/{id}/record` has those of a finished game.
    """
    plans = {game: plan for one in PLANNERS for game, plan in one.plans_of(player).items()}
    ids = list(Seat.objects.filter(player=player.pk).order_by("joined_at", "id").values_list("game", flat=True))
    for start in range(0, len(ids), LOOKED_AT):
        for game in load_all(ids[start : start + LOOKED_AT]):
            index = game.seat_of(player) or 0
            seat, placements = game.players[index], (game.result or {}).get("placements", ())
            own = next((one for one in placements if one["seat"] == index), None)
            yield {
                "id": game.id,
                "game": game.game,
                "ruleset": game.ruleset,
                "status": game.status,
                "visibility": game.visibility,
                "rated": game.rated,
                "tournament": game.tournament,
                "opened_by_you": game.opener == player.pk,
                "seat": index,
                "joined_at": seat.joined_at,
                "started_at": game.started_at,
                "finished_at": game.finished_at,
                "place": own["place"] if own else None,
                "score": own["score"] if own else None,
                "resigned": seat.resigned,
                "timeouts": seat.timeouts,
                "lost_on_time": seat.lost_on_time,
                "played_by_bot": seat.bot is not None,
                "agrees_to_cancel": seat.agrees_to_cancel,
                "plan": plans.get(game.id),
            }


GameRow: TypeAlias = Game
SeatRow: TypeAlias = Seat

UNFINISHED = ("open", "setup", "playing")
# States are large, and nobody who reads rows needs the secrets.
_LARGE_OR_SECRET = ("state", "invitation")
_AWAITED_SEAT = (
    "game_id",
    "index",
    "player_id",
    "bot",
    "to_act",
    "duty_since",
    "duty_extra",
    "due_at",
    "bank",
    "resigned",
    "player__quiet_hours",
    "player__vacation",
)


def row_of(game_id: UUID, statuses: Collection[str] | None = None) -> Game | None:
    """The row of a game with its seats, if it has one of these statuses (None: any). Two queries."""
    rows = rows_of([game_id]) if statuses is None else rows_of([game_id]).filter(status__in=statuses)
    return rows.prefetch_related("players").first()


def rows_of(game_ids: Iterable[UUID]) -> QuerySet[Game]:
    return Game.objects.filter(pk__in=game_ids)


def games_of(tournament: UUID) -> QuerySet[Game]:
    return Game.objects.filter(tournament=tournament)


def last_number(tournament: UUID) -> int:
    number = Cast(KeyTextTransform("number", "belongs_to"), IntegerField())
    newest: int | None = games_of(tournament).aggregate(number=Max(number))["number"]
    return newest or 0


def games_among(players: QuerySet[Any], game: str, rulesets: Collection[str]) -> QuerySet[Game]:
    """The games of no tournament in which only these players (a query of ids) sit, by one of the rulesets."""
    strangers = Seat.objects.filter(game=OuterRef("pk")).exclude(player__in=players)
    return Game.objects.filter(Q(tournament__isnull=True, game=game, ruleset__in=rulesets) & ~Exists(strangers))


def unfinished_of(player: Player, tournament: UUID) -> QuerySet[Game]:
    seats = Seat.objects.filter(player=player, game__tournament=tournament)
    return Game.objects.filter(pk__in=seats.values("game"), status__in=UNFINISHED)


def ended(game_ids: Sequence[UUID], player: Player | None) -> list[Snapshot]:
    """Those of these games that the player (None: anybody) may look at. One query."""
    return [game for game in load_all(game_ids) if may_know(game, player) and may_watch(game, player)]


def with_people(rows: QuerySet[Game]) -> QuerySet[Game]:
    return rows.defer(*_LARGE_OR_SECRET).prefetch_related("players__player")


def awaited(game_ids: Iterable[UUID]) -> QuerySet[Game]:
    seats = Seat.objects.select_related("player").only(*_AWAITED_SEAT)
    rows = rows_of(game_ids).only("status", "clock", "belongs_to", "started_at")
    return rows.prefetch_related(Prefetch("players", seats))


def newest_ended(player: Player, most: int) -> list[Game]:
    """The player's newest public games that are finished. Three queries."""
    own = Seat.objects.filter(player=player, game__visibility="public", game__status="finished")
    ids = list(own.order_by("-game__finished_at", "-game").values_list("game", flat=True)[:most])
    return sorted(with_people(rows_of(ids)), key=lambda game: ids.index(game.pk))


def unrated_with_people(player: Player, *, private: bool) -> dict[str, int]:
    """Count the player's finished unrated games in which another person sat, by game. One query."""
    others = Seat.objects.filter(game=OuterRef("game"), player__isnull=False).exclude(player=player)
    own = Seat.objects.filter(Exists(others), player=player, game__status="finished", game__rated=False)
    rows = (own if private else own.filter(game__visibility="public")).order_by().values_list("game__game")
    return dict(rows.annotate(count=Count("pk")))


def played_before(player: Player, game: str, most: int) -> list[Snapshot]:
    """The newest of the player's tables of a game with each set of rules, clock and size, newest first."""
    found: dict[str, Snapshot] = {}
    rows = Game.objects.filter(game=game, tournament__isnull=True, players__player=player)
    for one in load_all(list(rows.order_by("-opened_at", "-id").values_list("pk", flat=True)[:LOOKED_AT])):
        terms = [one.ruleset, one.asked_options, one.seats, one.clock if one.named_clock else None]
        found.setdefault(log.canonical(terms), one)
    return list(found.values())[:most]


def seats_at(game_ids: Any) -> QuerySet[Seat]:
    return Seat.objects.filter(game__in=game_ids)


def seats_with_games(seats: QuerySet[Seat]) -> QuerySet[Seat]:
    return seats.select_related("game").defer(*(f"game__{name}" for name in _LARGE_OR_SECRET))


def seats_taken_by(player: Player) -> QuerySet[Seat]:
    return seats_with_games(Seat.objects.filter(player=player))


def stored_events(game_id: UUID, *, after: int = 0) -> list[log.Event]:
    return log.read(stream_of(game_id), after=after)
