"""The bodies of responses. Only what is named here is sent."""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Annotated, Any, NamedTuple
from uuid import UUID

from msgspec import Meta

from core.accounts.models import Player
from core.cache import made_of
from core.http.addresses import live_url
from core.http.bodies import AnyObject, Body, Moment, doc, one_of, schema
from core.http.conditional import etag_of
from core.http.openapi import ref
from games import selectors
from games.clocks import clock_schema
from games.models import Game
from games.projections import Snapshot, load_all
from games.rules import PLAYED, options
from games.rules.game import Game as Rules
from games.rules.plans import schema_of
from games.selectors import belonging
from games.selectors.access import may_know, may_watch
from games.services import Played

CLOCK_KEYS = tuple(clock_schema()["properties"])

GAME_NAMES = sorted(PLAYED)
Clock = Annotated[Any, schema(ref("Clock", nullable=True)), doc("null in a practice game.")]


class PlayerRefBody(Body):
    """A player, as others see them."""

    id: UUID
    username: Annotated[str | None, doc("null if the account was closed.")]


class PersonBody(Body):
    """Somebody you have played with."""

    id: UUID
    username: str
    games: Annotated[int, doc("The number of games you finished together.")]
    last_at: Annotated[Moment, doc("When you last finished a game together.")]


class PeopleBody(Body):
    """The people you have played with, the most recent first."""

    results: Sequence[PersonBody]


class SeatBody(Body):
    """A seat with its player, its bot, or a player for whom a bot plays."""

    seat: Annotated[int, Meta(ge=0)]
    player: PlayerRefBody | None
    bot: Annotated[dict[str, Any], schema(ref("Bot"))] | None


class TournamentRefBody(Body):
    """The tournament that a game belongs to."""

    id: UUID
    title: str
    stage: Annotated[int, doc("Counted from 1.")]
    round: Annotated[int | None, doc("null for a game of a season.")]
    table: int | None
    number: Annotated[int, doc("The number of the game at the table, or of the room in the season.")]


class GameBody(Body):
    """A room or a game, as the caller can see it."""

    id: UUID
    game: Annotated[str, one_of(GAME_NAMES)]
    title: Annotated[str, doc("What people call the game; a house game has a title of its own.")]
    ruleset: str
    options: Annotated[AnyObject, doc("All options, defaults included. GET rulesets has their schema.")]
    visibility: Annotated[str, one_of(Game.Visibility.values)]
    status: Annotated[str, one_of(Game.Status.values)]
    seats: Annotated[int, doc("The number of seats; after the start, the number of players.")]
    players: Sequence[SeatBody]
    your_seat: Annotated[int | None, doc("null if the caller is not playing.")]
    opener: Annotated[int | None, doc("The seat of the opener, who starts the game.")]
    version: Annotated[int, doc("The number of the game's events, including those before the start.")]
    to_act: Annotated[Sequence[int], doc("The seats that can move now.")]
    deadlines: Annotated[
        Mapping[str, Moment], doc("The deadline of each seat, by seat number. GET games/{id}/clock explains them.")
    ]
    deadline_at: Annotated[Moment | None, doc("The earliest of the deadlines.")]
    timeouts: Annotated[
        Mapping[str, Annotated[int, Meta(ge=1)]], doc("The number of missed turns of each seat, by seat number.")
    ]
    rated: bool
    plans: Annotated[bool, doc("Whether players can leave plans for their next turns.")]
    clock: Clock
    start: Annotated[
        Annotated[str, one_of(Game.Start.values)] | None,
        doc("What starts the game: a full table, or the opener; null if nobody opened it."),
    ]
    talk: Annotated[str, one_of(Game.Talk.values)]
    live_url: Annotated[str, doc("The game's live stream: a URL, or a path if it is at the API's own address.")]
    invitation: Annotated[str | None, doc("The code of a private room, for its players.")]
    channels: Annotated[Sequence[str], doc("The chat services (or `webhook`) that the room posts to.")]
    rematch_of: UUID | None
    tournament: TournamentRefBody | None
    opened_at: Moment
    moved_at: Annotated[Moment, doc("When the last event was recorded.")]
    started_at: Moment | None
    finished_at: Annotated[Moment | None, doc("When the game was finished or cancelled.")]
    view: Annotated[Any, schema(ref("View", nullable=True))]


class EventBody(Body):
    """An event. Parts that the caller cannot see are null."""

    version: int
    type: str
    seat: int | None
    data: AnyObject
    recorded_at: Moment
    said: Annotated[str, doc('The event in a sentence, in which the caller is "You".')]


class PlayedBody(Body):
    """A move that was applied: its events and the game after it."""

    version: int
    events: Sequence[EventBody]
    game: GameBody


class ReasonBody(Body):
    """The reason why there is no legal move."""

    code: Annotated[str, schema(ref("ProblemCode"))]
    detail: str


class LegalMovesBody(Body):
    """The caller's legal moves."""

    version: int
    moves: Sequence[Annotated[dict[str, Any], schema(ref("LegalMove"))]]
    reason: ReasonBody | None


class LayOutBody(Body):
    """The caller's hand, arranged into sets and runs at the least penalty."""

    penalty: Annotated[int, doc("The penalty for the cards left over.")]
    melds: Annotated[Sequence[Sequence[str]], doc("Sets and runs, with wild cards in their places.")]
    left: Sequence[str]


class RulesetBody(Body):
    """A ruleset and its options."""

    name: str
    description: str
    options: Annotated[AnyObject, doc("A JSON Schema (2020-12) with ranges, defaults and descriptions.")]


class GameRulesBody(Body):
    """One of the games, its rulesets and their options."""

    game: Annotated[str, doc("The name of the game in this API.")]
    title: str
    summary: Annotated[str, doc("The game in one sentence.")]
    min_seats: int
    max_seats: int
    default_ruleset: str
    rulesets: Sequence[RulesetBody]
    interrupts: Annotated[bool, doc("Whether a seat may play out of turn (CA9).")]
    plan: Annotated[AnyObject, doc("The JSON Schema (2020-12) of a plan, with examples for most turns.")]


class FairnessBody(Body):
    """What a game's shuffles were made from. docs/build/fairness.md says how to check them."""

    scheme: Annotated[str, doc("trey-fairness/1.")]
    commitment: Annotated[str, doc("SHA-256 over the secret, published when the room was opened (hex).")]
    salts: Annotated[Sequence[str] | None, doc("The players' parts, in seat order; null before the start.")]
    dealer: int | None
    shuffles: Annotated[int, doc("The number of shuffles so far.")]
    secret: Annotated[str | None, doc("The secret that opens the commitment (hex); null until the game is finished.")]


class GameClockBody(Body):
    """The deadlines of a game, to the second."""

    version: int
    at: Annotated[Moment, doc("The server's time at which this was computed.")]
    clock: Clock
    seats: Annotated[
        Mapping[str, Annotated[dict[str, Any], schema(ref("TurnClock"))]],
        doc("By seat number, for each seat that has a deadline."),
    ]


class Changeable(NamedTuple):
    """The parts of a game's body that can change while its version stays: names, outages, the owner, the title."""

    version: int
    players: Sequence[SeatBody]
    deadlines: Mapping[str, datetime]
    live_url: str
    tournament: TournamentRefBody | None
    title: str


def rules_body(rules: Rules) -> GameRulesBody:
    """One of the games, from which a client can draw the forms for a room and for a plan."""
    return GameRulesBody(
        game=rules.name,
        title=rules.title,
        summary=rules.summary,
        min_seats=rules.min_seats,
        max_seats=rules.max_seats,
        default_ruleset=rules.default_ruleset,
        rulesets=[
            RulesetBody(name, text, options.schema(rules.options_of(name))) for name, text in rules.rulesets.items()
        ],
        interrupts=rules.interrupts,
        plan=schema_of(rules),
    )


def game_body(game: Snapshot, player: Player | None, parts: Changeable | None = None) -> GameBody:
    """A room or a game, as the player (None: anybody) may see it; `parts` is what is `changeable`."""
    parts = changeable(game) if parts is None else parts
    seats, your_seat = list(enumerate(game.players)), game.seat_of(player)
    opener = (index for index, seat in seats if game.opener is not None and seat.player == game.opener)
    return GameBody(
        id=game.id,
        game=game.game,
        title=parts.title,
        ruleset=game.ruleset,
        # The database returns keys in its own order, and a strong ETag promises equal bytes.
        options=dict(sorted(game.options.items())),
        visibility=game.visibility,
        status=game.status,
        seats=game.seats,
        players=parts.players,
        your_seat=your_seat,
        opener=next(opener, None),
        version=game.version,
        to_act=[index for index, seat in seats if seat.duty is not None],
        deadlines=parts.deadlines,
        deadline_at=min(parts.deadlines.values(), default=None),
        timeouts={str(index): seat.timeouts for index, seat in seats if seat.timeouts},
        rated=game.rated,
        plans=game.plans,
        clock=clock_of(game),
        start=game.start if game.opener is not None else None,
        talk=game.may_be_said,
        live_url=parts.live_url,
        invitation=game.invitation if your_seat is not None else None,
        channels=[channel["service"] for channel in game.channels],
        rematch_of=game.rematch_of,
        tournament=parts.tournament,
        opened_at=game.opened_at,
        moved_at=game.moved_at,
        started_at=game.started_at,
        finished_at=game.finished_at,
        view=selectors.view_of(game, player),
    )


def game_bodies(listed: Sequence[Game], player: Player) -> list[GameBody]:
    """The same for the games of several rows."""
    games = load_all([row.id for row in listed])
    # Since the list was read, a game without spectators may have been dealt, or the player may have left a private
    # room.
    return bodies_of([game for game in games if may_know(game, player) and may_watch(game, player)], player)


def bodies_of(games: Sequence[Snapshot], player: Player) -> list[GameBody]:
    """The same for games that the player may see. The owner of tournaments is asked once for all."""
    tournaments = belonging.described(games)
    return [game_body(game, player, _changeable(game, tournaments.get(game.id))) for game in games]


def played_body(played: Played, player: Player) -> PlayedBody:
    events = [EventBody(**event) for event in selectors.redacted(player, played.game, played.events)]
    return PlayedBody(played.version, events, game_body(played.game, player))


def legal_body(legal: selectors.Legal) -> LegalMovesBody:
    reason = ReasonBody(**legal.reason) if legal.reason is not None else None
    return LegalMovesBody(legal.version, legal.moves, reason)


def clock_of(game: Snapshot) -> dict[str, Any] | None:
    return None if game.is_practice else {key: game.clock[key] for key in CLOCK_KEYS}


def changeable(game: Snapshot) -> Changeable:
    return _changeable(game, belonging.described([game]).get(game.id))


def game_etag(game: GameBody | Changeable, player: Player) -> str:
    """The strong ETag of a game's body for a player, `"v17-<digest>"`.

    `game` is the body, or what is `changeable` of it. The rest of a body follows from these parts, from the player and
    from the code: an upgrade ends all tags.
    """
    parts: dict[str, Any] = {key: getattr(game, key) for key in Changeable._fields}
    return etag_of(parts["version"], {**parts, "viewer": player.pk, "code": made_of()})


def _changeable(game: Snapshot, tournament: Mapping[str, Any] | None) -> Changeable:
    deadlines = {str(seat): due for seat, due in selectors.deadlines(game).items()}
    players = [_seat(game, index) for index in range(len(game.players))]
    shown = TournamentRefBody(**tournament) if tournament is not None else None
    title = selectors.game_title(game)
    return Changeable(game.version, players, deadlines, live_url(f"games/{game.id}/live"), shown, title)


def _seat(game: Snapshot, index: int) -> SeatBody:
    seat, player = game.players[index], None
    if seat.player is not None:
        account = game.account_of(seat)
        player = PlayerRefBody(seat.player, account.username if account is not None else None)
    return SeatBody(index, player, {"level": seat.bot["level"]} if seat.bot is not None else None)
