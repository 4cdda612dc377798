"""A season's rooms: entrants open them whenever they like (SN1)."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.receipts import Keyed
from core.refusals import Forbidden, Invalid
from games import services as games
from games.notifications.services import invite_all
from games.selectors import last_number
from tournaments.services import queue
from tournaments.services.commands import decide_what_is_due, loaded
from tournaments.services.tables import belongs_to, terms_of
from tournaments.stream import Entrant, Tournament
from tournaments.stream.agenda import Kind, Work
from tournaments.stream.facts import check_season
from tournaments.stream.state import room_id, salt_for


def open_game(
    tournament_id: UUID,
    player: Player,
    *,
    seats: int,
    bots: Sequence[str] = (),
    keyed: Keyed | None = None,
) -> Any:
    """Open a room of a season; only entrants can join it. `bots` are entrants that are bots, and sit down at once.

    Returns its `Snapshot` (`keyed`: an `Answer`). Raises Forbidden (not_an_entrant), Invalid (seats, bots), Conflict
    (as `check_season`; room_limit).
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
            raise Forbidden("not_an_entrant", "Only entrants of the season open its games.")
        # Rooms that are not recorded yet count, too.
        number = 1 + max(t.rooms, last_number(t.id))
        key = UUID(room_id(t.id, number))
        playing = [_bot(t, name) for name in _once(bots)]
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
            # Nobody else can find it (PLAY BT5).
            invite_all(room, player, [one.player for one in t.playing() if one.player is not None], now=at)
        answer = room if keyed is None else keyed.keep(room)
    work.do(piece.kind.value, queue.key_of(t.id, piece.key), now=at)
    return answer


def _bot(t: Tournament, key: str) -> Entrant:
    entrant = t.entrants.get(key)
    if entrant is None or entrant.bot is None or not entrant.is_in or not t.is_in_stage(key):
        raise Invalid("invalid", f"{key} is not a bot that plays in this season.", field="bots")
    return entrant


def _once(bots: Sequence[str]) -> Sequence[str]:
    if len(set(bots)) < len(bots):
        raise Invalid("invalid", "Names an entrant twice.", field="bots")
    return bots
