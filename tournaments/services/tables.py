"""The games of tables and a season's rooms. Each acts on the current state, with the tournament locked."""

import logging
from collections.abc import Iterable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.receipts import Keyed
from core.refusals import Conflict, Forbidden, Illegal, Invalid, NotFound
from games import services as games
from games.notifications.services import invite_all
from games.projections import Snapshot
from games.selectors import last_number, row_of, unfinished_of
from tournaments import models
from tournaments.services import queue
from tournaments.services.commands import RUNNER, decide_what_is_due, loaded
from tournaments.stream import Entrant, Standing, Tournament, TournamentGame
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.ballot import Rules
from tournaments.stream.facts import check_season
from tournaments.stream.state import room_id, salt_for

RESIGN = {"move": "resign"}
RUNNING = ("setup", "playing")
OUT = (Standing.WITHDRAWN, Standing.REMOVED)
WITHDREW = "Withdrew from the tournament."
OVERDUE = "Time for the round has run out, so the game is ruled as it stands."
NOBODY = "Nobody is playing at this table any more, so the game is ruled as it stands."

logger = logging.getLogger(__name__)


def open_table(tournament_id: UUID, game_id: UUID, *, now: datetime) -> Snapshot | None:
    """Open and start a table's game, once. Do nothing if it has an outcome or the tournament is over."""
    with transaction.atomic():
        # Locked until the game exists, so that no ruling comes in between.
        t = loaded(tournament_id, log.Lock.WAIT)
        game = t.games.get(str(game_id))
        if t.is_over or game is None or not game.is_open:
            return None
        entrants = list(t.entrants.several(game.entrants))
        queue.put(tournament_id, _afterwards(t, game, entrants), due_at=now)
        return games.open_table(
            game_id,
            [entry_of(t.plan.game, entrant, game_id) for entrant in entrants],
            terms_of(t, len(entrants), t.rules_of(game.proposal)),
            belongs_to=belongs_to(t, game.round, game.table, game.number),
            secret=t.secret_of(f"{game.round}/{game.table}/{game.number}"),
            actor=RUNNER,
            now=now,
        )


def terms_of(t: Tournament, seats: int, rules: Rules) -> games.Terms:
    plan = t.plan
    return games.Terms(
        plan.game,
        seats,
        rules.ruleset,
        rules.options,
        plan.visibility,
        rated=plan.rated,
        clock=plan.clock,
        plans=plan.plans,
        talk=plan.talk,
    )


def entry_of(game: str, entrant: Entrant, game_id: UUID) -> games.Entry:
    """Return who sits down for an entrant: a bot for one who was removed or whose account is closed."""
    salt = salt_for(entrant.salt, game_id)
    if entrant.bot is not None:
        return games.Entry(bot=entrant.bot["level"], salt=salt)
    account = None
    if entrant.player is not None and entrant.standing is not Standing.REMOVED:
        account = Player.objects.filter(pk=entrant.player, closed_at__isnull=True).first()
    if account is not None:
        return games.Entry(player=account, salt=salt)
    return games.Entry(bot=games.usual_level(game), salt=salt)


def belongs_to(t: Tournament, round_number: int | None, table: int | None, number: int | None) -> dict[str, Any]:
    stage = t.stage if round_number is None else t.stage_of(round_number)
    return {"tournament": str(t.id), "stage": stage, "round": round_number, "table": table, "number": number}


def call_off(tournament_id: UUID, game_id: UUID, reason: str, *, now: datetime) -> None:
    with transaction.atomic():
        # Wait for a worker that is just opening it.
        loaded(tournament_id, log.Lock.WAIT)
        try:
            games.call_off(game_id, actor=RUNNER, reason=reason, now=now)
        except (NotFound, Conflict):
            return  # never opened, or already over


@transaction.atomic
def adjudicate(tournament_id: UUID, game_id: UUID, *, now: datetime) -> None:
    """End a game as it stands: an overdue one (LI2), or one at which nobody plays any more (LI4)."""
    t = loaded(tournament_id, log.Lock.WAIT)
    game = t.games.get(str(game_id))
    if t.is_over or game is None or not game.is_open or game.round is None:
        return
    if nobody_plays(t, game):
        as_it_stands(game_id, NOBODY, now=now)
    elif t.plan_of(t.stage_of(game.round)).overdue == "adjudicate" and t.rounds[game.round].overdue:
        # Rated, so that a loser cannot stall the loss away (RA1).
        as_it_stands(game_id, OVERDUE, rated=True, now=now)


def nobody_plays(t: Tournament, game: TournamentGame) -> bool:
    return all(one.key in game.absent or one.standing is Standing.REMOVED for one in t.entrants.several(game.entrants))


def as_it_stands(game_id: UUID, reason: str, *, rated: bool = False, now: datetime) -> None:
    try:
        games.call_off(game_id, actor=RUNNER, reason=reason, placements="as_it_stands", rated=rated, now=now)
    except Conflict as error:
        if error.code not in ("game_over", "game_cancelled"):
            games.call_off(game_id, actor=RUNNER, reason=reason, now=now)


@transaction.atomic
def resign(tournament_id: UUID, entrant_key: str, game_id: UUID | None = None, *, now: datetime) -> None:
    """Leave the open room of an entrant who is out, or resign its running game if it withdrew with `resign`.

    Without a game, queue all of them.
    """
    t = loaded(tournament_id, log.Lock.WAIT)
    entrant = t.entrants[entrant_key]
    if entrant.player is None or not (entrant.resigns or entrant.standing in OUT):
        return  # the player has come back and plays on
    player = Player.objects.filter(pk=entrant.player).first()
    if player is None:
        return  # closing the account resigned its games
    if game_id is None:
        found = unfinished_of(player, tournament_id)
        if not entrant.resigns:
            found = found.filter(status="open")
        _queue_each(t, Kind.RESIGN, entrant_key, found.values_list("pk", flat=True), now)
        return
    try:
        try:
            games.leave(game_id, player, now=now)
        except Conflict:
            if entrant.resigns:
                games.play(game_id, player, RESIGN, reason=WITHDREW, now=now)
    except (Conflict, Forbidden, Illegal, NotFound):
        return  # the game is over, or the player resigned before


@transaction.atomic
def sync_seats(tournament_id: UUID, entrant_key: str, game_id: UUID | None = None, *, now: datetime) -> None:
    """Seat whoever plays for the entrant now at an open table, not in a season; without a game, queue all its games."""
    t = loaded(tournament_id, log.Lock.WAIT)
    entrant = t.entrants[entrant_key]
    if game_id is None:
        still_open = models.TournamentGame.objects.filter(tournament=tournament_id, outcome="open")
        found = still_open.filter(state__entrants__contains=[entrant_key])
        _queue_each(t, Kind.SEATS, entrant_key, found.values_list("game", flat=True), now)
        return
    game = t.games[str(game_id)]
    if nobody_plays(t, game):
        end = Work(Kind.ADJUDICATE, f"{game.id}/{t.version}", {"game": game.id})
        queue.put(tournament_id, [end], due_at=now)
    else:
        _sync_seat(game_id, game.entrants.index(entrant_key), entrant, now)


def _queue_each(t: Tournament, kind: Kind, key: str, games_: Iterable[UUID], now: datetime) -> None:
    """The same work for each game of an entrant."""
    work = [Work(kind, f"{key}/{t.version}/{game}", {"entrant": key, "game": str(game)}) for game in games_]
    queue.put(t.id, work, due_at=now)


def _sync_seat(game_id: UUID, seat: int, entrant: Entrant, now: datetime) -> None:
    game = row_of(game_id, RUNNING)
    if game is None:
        return
    sits, entry = game.seat_rows()[seat], entry_of(game.game, entrant, game_id)
    if sits.resigned or sits.player_id == (entry.player.pk if entry.player is not None else None):
        return
    try:
        games.replace_player(
            game_id,
            seat,
            player=entry.player,
            bot=entry.bot,
            actor=RUNNER,
            reason="The tournament has changed who plays here.",
            now=now,
        )
    except (Conflict, NotFound) as error:
        logger.info("game %s, seat %s stays as it is: %s", game_id, seat, error)


def _afterwards(t: Tournament, game: TournamentGame, entrants: list[Entrant]) -> list[Work]:
    work = [
        Work(Kind.RESIGN, f"{entrant.key}/{game.id}", {"entrant": entrant.key, "game": game.id})
        for entrant in entrants
        if entrant.standing is Standing.WITHDRAWN and entrant.resigns
    ]
    if t.plan.no_show != "play":
        work.append(Work(Kind.WATCH, game.id, {"game": game.id}))
    return work


def open_game(
    tournament_id: UUID,
    player: Player,
    *,
    seats: int,
    bots: Sequence[str] = (),
    keyed: Keyed | None = None,
) -> Any:
    """Open a room of a season for entrants; `bots` among them sit down at once. Returns its `Snapshot` or an `Answer`.

    Raises Forbidden (not_an_entrant), Invalid (seats, bots), Conflict (as `check_season`; room_limit).
    """
    at = service_clock.now()
    decide_what_is_due(tournament_id, now=at)
    with transaction.atomic():
        if keyed is not None and (earlier := keyed.claim()) is not None:
            return earlier
        # Locked until the room exists: nobody else gets its number, and no other rules are ratified in between (RT4).
        t = loaded(tournament_id, log.Lock.WAIT)
        check_season(t, at)
        entrant = t.entrant_of(player.pk)
        if entrant is None or not entrant.is_in or not t.is_in_stage(entrant.key):
            raise Forbidden("not_an_entrant", "Only entrants of the season can open its games.")
        # Rooms that are not recorded yet count, too.
        number = 1 + max(t.rooms, last_number(t.id))
        key = UUID(room_id(t.id, number))
        if len(set(bots)) < len(bots):
            raise Invalid("invalid", "An entrant is listed twice.", field="bots")
        playing = [_bot(t, name) for name in bots]
        room = games.open_room(
            player,
            replace(terms_of(t, seats, t.rules), start="full"),
            bots=[str(bot.bot["level"]) for bot in playing if bot.bot is not None],
            bot_salts=[salt_for(bot.salt, key) for bot in playing],
            belongs_to=belongs_to(t, None, None, number) | {"bots": list(bots), "proposal": t.rules.proposal},
            game_id=key,
            secret=t.secret_of(str(number)),
            now=at,
        )
        piece = Work(Kind.ROOM, str(room.id), {"game": str(room.id), "proposal": t.rules.proposal})
        queue.put(t.id, [piece], due_at=at)
        if t.plan.visibility == "private":
            # Nobody else can find it.
            invite_all(room, player, [one.player for one in t.playing() if one.player is not None], now=at)
        answer = room if keyed is None else keyed.keep(room)
    work.do(piece.kind.value, queue.key_of(t.id, piece.key), now=at)
    return answer


def _bot(t: Tournament, key: str) -> Entrant:
    entrant = t.entrants.get(key)
    if entrant is None or entrant.bot is None or not entrant.is_in or not t.is_in_stage(key):
        raise Invalid("invalid", f"{key} is not a bot that plays in this season.", field="bots")
    return entrant
