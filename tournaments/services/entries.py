import logging
from collections.abc import Sequence, Set
from contextlib import suppress
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import Q, QuerySet

from core import log
from core.accounts import auditing, ending
from core.accounts.ending import Right, What
from core.accounts.login import guests
from core.accounts.models import Player, Token
from core.jobs import services as work
from core.refusals import Conflict, Invalid, Refused
from games.bots import levels_of
from games.rules import PLAYED
from tournaments import models
from tournaments.models import stream_of
from tournaments.projections import PREFIX
from tournaments.services.commands import Done, as_player, by_of, loaded, of_player
from tournaments.services.no_shows import REASON, why_needless
from tournaments.services.setting_up import invited_player, new_salt
from tournaments.stream import By, Fact, Limits, Standing, Status, Tournament, check_organiser, entries, life, rulings
from tournaments.stream.no_shows import take_over
from tournaments.stream.state import TAKES_PART, UNFINISHED

MAX_SALT = 64
# The events of coming, one of which is to take an entrant over as a substitute, and of leaving.
_CAME = ("entered", "registered", "queued", "returned", "replaced")
_LEFT = ("withdrew", "left")


def enter(
    tournament_id: UUID,
    player: Player,
    *,
    invitation: str | None = None,
    salt: str | None = None,
) -> Done:
    """Enter. `salt` is the player's part of all shuffles. Raises Invalid (salt)."""
    own = read_salt(salt)
    return as_player(
        tournament_id,
        player,
        lambda t, by, at: entries.enter(t, by, salt=own, invitation=invitation, now=at, limits=_limits()),
    )


def invite(tournament_id: UUID, player: Player, username: str) -> Done:
    """Add a player as an organiser, who accepts. Raises as `invited_player`."""
    other, salt = invited_player(player.pk, username), new_salt()
    return of_player(
        tournament_id,
        player,
        lambda t, by, at: entries.invite(t, by, other.pk, salt=salt, now=at, limits=_limits()),
    )


def add_bot(tournament_id: UUID, player: Player, level: str) -> Done:
    """Enter a bot as an organiser. Raises Invalid (bot)."""

    def decide(t: Tournament, by: By, at: datetime) -> Sequence[Fact]:
        check_level(t.plan.game, level)
        return entries.add_bot(t, by, level, now=at, limits=_limits())

    return of_player(tournament_id, player, decide)


def accept(tournament_id: UUID, player: Player, entrant: str, *, accept: bool = True) -> Done:
    """Answer an invitation, or whether to stand in from the waiting list (LI4) or play on for `entrant` (LI7)."""

    def decide(t: Tournament, by: By, at: datetime) -> Sequence[Fact]:
        if (offer := t.offer(entrant, by.player)) is not None:
            return rulings.answer_replacement(t, by, offer, accept=accept, salt=new_salt(), now=at)
        if not accept:
            return entries.withdraw(t, by, entries.own(t, by, entrant).key, resign=False, now=at)
        found = entries.own(t, by, entrant)
        if found.standing is not Standing.WAITING or found.asked_for is None or found.asked_game is None:
            return entries.accept(t, by, entrant, now=at)
        needless = why_needless(t, found.asked_for, UUID(found.asked_game))
        return take_over(t, entrant, REASON, needless=needless, now=at, guest=by.guest)

    return as_player(tournament_id, player, decide)


def withdraw(
    tournament_id: UUID,
    player: Player,
    entrant: str,
    *,
    resign: bool = False,
    why: str = "player",
) -> Done:
    """Withdraw, or as an organiser withdraw an entrant who asked for it. `resign` also resigns the running games."""
    return as_player(
        tournament_id, player, lambda t, by, at: entries.withdraw(t, by, entrant, resign=resign, now=at, why=why)
    )


def check_in(tournament_id: UUID, player: Player, entrant: str) -> Done:
    return as_player(tournament_id, player, lambda t, by, at: entries.check_in(t, by, entrant, now=at))


def new_guest_link(
    tournament_id: UUID, player: Player, entrant: str, *, session: str | None = None, token: Token | None = None
) -> tuple[str, datetime]:
    """A link for a guest who lost the browser: its secret, and when it expires.

    Whoever has it is the guest, so it is only for guests who came by themselves. Raises NotFound (no_such_entrant),
    Forbidden (not_an_organiser), Conflict (no_guest, not_entered).
    """
    t = loaded(tournament_id)
    check_organiser(t, by_of(player))
    found = entries.entrant_named(t, entrant)
    guest = Player.objects.filter(pk__in=[found.player], guest_seen_at__isnull=False, closed_at__isnull=True).first()
    if guest is None:
        raise Conflict("no_guest", "The player of this entrant is not a guest.")
    if found.standing not in TAKES_PART or not _came_by_themselves(tournament_id, guest):
        raise Conflict("not_entered", "Links are only for guests who have entered by themselves.")
    with transaction.atomic():
        link = guests.new_link(guest, by=player, session=session, token=token)
        auditing.write(player, auditing.Action.GUEST_LINK, f"player {guest.pk}", reason=f"Tournament {t.plan.title}")
    return link


def _came_by_themselves(tournament_id: UUID, guest: Player) -> bool:
    types = [f"{PREFIX}{name}" for name in (*_CAME, *_LEFT)]
    events = log.read(stream_of(tournament_id), types=types)
    own = [event.type for event in events if event.actor is not None and event.actor.id == str(guest.pk)]
    return bool(own) and own[-1].removeprefix(PREFIX) in _CAME


def read_salt(salt: object) -> str:
    """The player's salt, or a random one. Raises Invalid."""
    if salt is None:
        return new_salt()
    if not isinstance(salt, str) or not 1 <= len(salt) <= MAX_SALT or not salt.isprintable():
        raise Invalid("invalid", f"salt must be 1 to {MAX_SALT} printable characters.", field="salt")
    return salt


def check_level(game: str, level: object) -> None:
    """Raises Invalid for an unknown level."""
    levels = levels_of(PLAYED[game])
    if not isinstance(level, str) or level not in levels:
        raise Invalid("invalid", f"bot must be one of {', '.join(levels)}.", field="bot")


def _limits() -> Limits:
    return Limits(settings.TREY_LIMITS["tournament_entrants"], settings.TREY_LIMITS["tournament_bots"])


CLOSED = "account closed"
LEAVE_QUEUE = "tournaments.leave_queue"

logger = logging.getLogger(__name__)


def guests_in_tournaments(*, players: Set[UUID], **_: Any) -> set[UUID]:
    entries = models.Entrant.objects.filter(player__in=players, tournament__status__in=UNFINISHED).exclude(
        standing__in=(Standing.GONE, Standing.WITHDRAWN, Standing.REMOVED)
    )
    return {player for player in entries.values_list("player_id", flat=True) if player is not None}


def leave_tournaments(*, player: Player, **_: Any) -> None:
    """The account is closing: its entrants withdraw with `resign`, and it organises nothing any more (LI3).

    A tournament that cannot be read because its log is damaged does not keep the account open; it is logged.
    """
    for entrant in list(_entries_of(player)):
        try:
            withdraw(entrant.tournament_id, player, entrant.key, resign=True, why=CLOSED)
        except Refused:
            continue  # it had left before, or the tournament has ended
        except (log.LogError, LookupError, ValueError):
            logger.exception("tournament %s cannot be left by %s", entrant.tournament_id, player.pk)
    named = Q(organisers__contains=[player.pk]) | Q(asked_organisers__contains=[player.pk])
    organised = models.Tournament.objects.filter(named)
    for tournament_id in organised.values_list("pk", flat=True):
        try:
            of_player(tournament_id, player, lambda t, *_: life.lose_organiser(t, player.pk))
        except (log.LogError, LookupError, ValueError):
            logger.exception("tournament %s cannot be left by its organiser %s", tournament_id, player.pk)


def _entries_of(player: Player) -> QuerySet[models.Entrant]:
    unfinished = (Status.REGISTRATION, Status.RUNNING)
    return models.Entrant.objects.filter(player=player, tournament__status__in=unfinished).only("number", "tournament")


@ending.at_once(Right.ACCOUNT, What.PLACES)
def leave_queues(*, player: Player, **_: Any) -> None:
    """Whoever is suspended is on no waiting list, each of which is left in a transaction of its own."""
    for entrant in _entries_of(player).filter(standing=Standing.WAITING):
        what = {"tournament": entrant.tournament_id, "player": player.pk, "entrant": entrant.key}
        work.put(LEAVE_QUEUE, str(entrant.pk), what)


@work.local(LEAVE_QUEUE)
def _leave_queue(job: work.Job, now: datetime) -> None:  # noqa: ARG001
    if (player := Player.objects.filter(pk=job.data["player"]).first()) is None:
        return  # closing the account saw to it
    with suppress(Refused):  # they have left in the meantime
        withdraw(UUID(job.data["tournament"]), player, job.data["entrant"])
