"""The pages of a tournament are kept by a digest of all that they show, and made again only when it changes.

What they show depends on the tournament's stream, represented by the digest of its last event, on the accounts that are
named, and on whom the running games wait for; deadlines move with outages of the service, and votes end. Whatever else
a page shows must go into `digests_of`. A page is drawn with marks instead of names, and is kept in that form, too: when
only a name has changed, the drawn page is filled with the new name.
"""

import hashlib
from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from threading import Lock
from typing import Any
from uuid import UUID

from django.db import connection, transaction

from core import cache, log
from core import clock as service_clock
from games.selectors import outages_in
from games.selectors.clocks import UPTIME
from tournaments.models import Entrant, Proposal, Tournament, stream_of
from tournaments.picture.names import EntrantLine, entrants_of, filled
from tournaments.picture.ratifying import time_left
from tournaments.picture.rulings import people_in_rulings
from tournaments.selectors import code
from tournaments.selectors.record import known_digests

KEPT_SECONDS = 3600
AT_HAND = 64
"""The number of values that a process keeps at hand: pages of up to 150 kB, and lists of accounts."""
_LOCKS = tuple(Lock() for _ in range(64))

_SHOWN = f"""
SELECT
    (SELECT encode(digest, 'hex') FROM log_event
        WHERE bucket = %(bucket)s AND stream_id = %(stream)s AND version = %(version)s),
    accounts.digest,
    accounts.names,
    (SELECT md5(string_agg(ROW(id, title, slug, status, visibility)::text, ',' ORDER BY id))
        FROM tournaments_tournament WHERE after = %(tournament)s OR id = %(after)s),
    awaited.digest,
    {UPTIME}
FROM (
    SELECT
        md5(string_agg(ROW(
            game.id, game.status, seat.index, seat.player_id, seat.bot IS NULL, seat.to_act,
            seat.duty_since, seat.duty_extra, seat.due_at, seat.bank
        )::text, ',' ORDER BY game.id, seat.index)) AS digest,
        min(seat.duty_since) FILTER (WHERE seat.due_at IS NOT NULL AND seat.bot IS NULL) AS since
    FROM tournaments_tournamentgame played
    JOIN games_game game ON game.id = played.game
    LEFT JOIN games_seat seat ON seat.game_id = game.id
    WHERE played.tournament_id = %(tournament)s AND played.outcome = 'open'
) AS awaited, (
    SELECT
        md5(string_agg(ROW(
            id, closed_at, preferences -> 'unlisted', quiet_hours, vacation
        )::text, ',' ORDER BY id)) AS digest,
        json_object_agg(id, username ORDER BY id) AS names
    FROM accounts_player WHERE id = ANY(%(people)s)
) AS accounts
"""  # noqa: S608  no text from outside


class AtHand:
    """What this process has lately found in Redis, so that pages in demand need not be fetched each time.

    The key of a page is the digest of all that it shows; lists of accounts are kept beside the digest of the stream.
    """

    def __init__(self) -> None:
        self._found: OrderedDict[str, Any] = OrderedDict()
        self._lock = Lock()

    def get(self, key: str) -> Any:
        """What is at hand under a key, or None."""
        with self._lock:
            if key in self._found:
                self._found.move_to_end(key)
            return self._found.get(key)

    def put(self, key: str, value: Any) -> None:
        """Keep a value at hand; the least recently used one has to go."""
        with self._lock:
            self._found[key] = value
            self._found.move_to_end(key)
            if len(self._found) > AT_HAND:
                self._found.popitem(last=False)


at_hand = AtHand()


@dataclass(frozen=True, slots=True)
class Digests:
    """Digests of what the pages of a tournament show: without the names of accounts, and of everything."""

    drawn: str
    whole: str
    names: Mapping[str, str]
    """The names of accounts by id, of the same moment."""


def digests_of(tournament: Tournament) -> Digests:
    """The digests as of the tournament's row. One statement, or a few more."""
    key = f"page-people:{tournament.pk}"
    known: tuple[str, list[UUID]] | None = at_hand.get(key) or cache.get(key)
    found = _shown(tournament, known[1]) if known is not None else None
    if known is None or found is None or found[0] != known[0]:
        people = _people(tournament)
        found = _shown(tournament, people)
        known = found[0], people
        cache.put(key, known, KEPT_SECONDS)
    at_hand.put(key, known)
    upto, accounts, names, neighbours, awaited, uptime = found
    if upto is not None:
        known_digests(tournament)[tournament.version] = upto
    shown = [accounts, neighbours, awaited, *_outages(uptime), *_time_left(tournament)]
    drawn = _digest(code.made_of(), tournament.pk, upto, *shown)
    return Digests(drawn, _digest(drawn, names), names or {})


def _digest(*parts: object) -> str:
    return hashlib.sha256("\n".join(map(str, parts)).encode()).hexdigest()


def _shown(tournament: Tournament, people: list[UUID]) -> tuple[Any, ...]:
    """The digest of the stream up to the version of the row, and what else is shown."""
    stream = stream_of(tournament.pk)
    about: dict[str, Any] = {
        "bucket": log.bucket_of(stream),
        "stream": stream,
        "version": tournament.version,
        "people": people,
        "tournament": tournament.pk,
        "after": tournament.after,
    }
    with connection.cursor() as cursor:
        cursor.execute(_SHOWN, about)
        found: tuple[Any, ...] = cursor.fetchone()
        return found


def body_for(
    tournament: Tournament, part: str, digests: Digests, draw: Callable[[Tournament], str]
) -> tuple[Digests, bytes]:
    """Return the body of a page and the digests it was made at. If none is kept, `draw` makes it, with marks for names.

    If several ask this process at once, one of them makes it.
    """
    key = _key(part, digests.whole)
    found = at_hand.get(key) or cache.get(key)
    if found is not None:
        at_hand.put(key, found)
        return digests, found
    with _LOCKS[int(digests.whole[:8], 16) % len(_LOCKS)]:
        found = cache.get(_key(part, digests.whole))
        if found is not None:
            return digests, found
        drawn: tuple[str, list[EntrantLine]] | None = cache.get(_key(part, digests.drawn))
        if drawn is None:
            with _one_moment():
                now = Tournament.objects.get(pk=tournament.pk)
                digests = digests_of(now)
                drawn = draw(now), entrants_of(now)
            cache.put(_key(part, digests.drawn), drawn, KEPT_SECONDS)
        body = filled(*drawn, digests.names).encode()
        cache.put(_key(part, digests.whole), body, KEPT_SECONDS)
        return digests, body


def _key(part: str, digest: str) -> str:
    return f"page:{digest}:{part}"


def _people(tournament: Tournament) -> list[UUID]:
    """The accounts that the pages name: entrants, organisers, and whoever ruled, was replaced or made a proposal."""
    entrants = Entrant.objects.filter(tournament=tournament, player__isnull=False).values_list("player", flat=True)
    others = {UUID(one) for one in people_in_rulings(tournament)}
    others |= set(Proposal.objects.filter(tournament=tournament).values_list("by", flat=True))
    return sorted({*(pk for pk in entrants if pk is not None), *tournament.organisers, *others})


def _outages(uptime: Any) -> Iterable[str]:
    """The outages that move a deadline, to the minute, as a page shows one that still goes on."""
    outages = outages_in(uptime, service_clock.now())
    return (f"{began:%Y-%m-%d %H:%M}/{ended:%Y-%m-%d %H:%M}" for began, ended in outages)


def _time_left(tournament: Tournament) -> list[str]:
    """Return how long the open votes last, in the words of the page."""
    if not tournament.open_proposals:
        return []
    still_open = Proposal.objects.filter(tournament=tournament, n__in=tournament.open_proposals).order_by("n")
    return [time_left(closes_at) for closes_at in still_open.values_list("closes_at", flat=True)]


@contextmanager
def _one_moment() -> Iterator[None]:
    """Have all reads see the database as of one moment."""
    if connection.in_atomic_block:
        yield
        return
    with transaction.atomic():
        with connection.cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        yield
