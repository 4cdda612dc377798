"""Write many notifications at once: new ones, those that have become pointless, and those that were seen.

Each function takes a few statements, however much there is. Times are aware UTC datetimes.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta
from functools import partial
from math import inf
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction

from core.notifications import channels, choices
from core.notifications.kinds import Kind, the_kind
from core.notifications.models import Notification
from core.notifications.signals import told_players

HOUR = timedelta(hours=1)
SEEN = "seen"
PLAYED = "played"

# Also creates the rows; an account that is gone or being closed has none and is told nothing. Always in the same order,
# so that two transactions never wait for each other's inboxes.
_INBOXES = """
INSERT INTO notifications_inbox (player_id, last, read_up_to, choices)
SELECT id, 0, 0, '{}' FROM accounts_player WHERE id = ANY(%s) AND closed_at IS NULL ORDER BY id
ON CONFLICT (player_id) DO UPDATE SET last = notifications_inbox.last
RETURNING player_id, last, choices
"""
_NUMBERS = """
UPDATE notifications_inbox SET last = new.last FROM unnest(%s::uuid[], %s::bigint[]) AS new (player_id, last)
WHERE notifications_inbox.player_id = new.player_id
"""
# The first loss that fits a notification gives the reason.
_LOSE = """
WITH found AS (
    SELECT DISTINCT ON (one.id) one.id, loss.reason
    FROM unnest(%(players)s::uuid[], %(subjects)s::uuid[], %(upto)s::bigint[], %(kinds)s::text[], %(reasons)s::text[])
        WITH ORDINALITY AS loss (player, subject, upto, kinds, reason, nth)
    JOIN notifications_notification one ON one.subject_id = loss.subject AND one.lost IS NULL
        AND (loss.player IS NULL OR one.player_id = loss.player)
        AND (loss.upto IS NULL OR one.version <= loss.upto)
        AND (loss.kinds IS NULL OR one.kind = ANY(string_to_array(loss.kinds, ' ')))
        AND (loss.reason <> 'seen' OR NOT EXISTS (
            SELECT FROM notifications_inbox WHERE player_id = one.player_id AND choices @> '{"always": true}'
        ))
    ORDER BY one.id, loss.nth
)
UPDATE notifications_notification one SET lost = found.reason FROM found WHERE one.id = found.id AND one.lost IS NULL
"""


# Returns the previous versions, null for none.
_LOOKED = """
WITH looks AS (
    SELECT * FROM unnest(%(players)s::uuid[], %(subjects)s::uuid[], %(versions)s::int[], %(at)s::timestamptz[])
        AS look (player, subject, version, at)
), before AS (
    SELECT seen.player_id, seen.subject_id, seen.version FROM notifications_seen seen
    JOIN looks ON looks.player = seen.player_id AND looks.subject = seen.subject_id
), added AS (
    INSERT INTO notifications_seen (player_id, subject_id, version, at)
    SELECT player, subject, looks.version, looks.at FROM looks JOIN accounts_player ON id = player
    ON CONFLICT (player_id, subject_id) DO UPDATE
    SET version = greatest(notifications_seen.version, excluded.version),
        at = greatest(notifications_seen.at, excluded.at)
    RETURNING player_id, subject_id
)
SELECT before.version FROM added LEFT JOIN before USING (player_id, subject_id)
"""


@dataclass(frozen=True, slots=True)
class News:
    """Something that one player is told.

    `by` is the player whose act it is, if such acts are limited (NT17); `as_one`: all with this cause count as one.
    `lost` says why it is pointless from the start (`seen`: the player's own move caused it): it is listed with that
    reason, and goes out on no channel. `data` is for the kind's sentence and may hold ids, never names.
    """

    player: UUID
    kind: Kind
    cause: str
    subject_id: UUID | None = None
    version: int | None = None
    data: Mapping[str, Any] = field(default_factory=dict)
    lost: str | None = None
    by: UUID | None = None
    as_one: bool = False


@dataclass(frozen=True, slots=True)
class Loss:
    """Notifications to a player (None: to all) about a subject have become pointless, up to a version (None: any).

    What was `seen` has not for players who always want to be told (NT4).
    `kinds`: only notifications of these kinds.
    """

    player: UUID | None
    subject_id: UUID
    reason: str
    upto: int | None = None
    kinds: Sequence[str] | None = None


@dataclass(frozen=True, slots=True)
class Look:
    """A player is looking at this version of a subject."""

    player: UUID
    subject_id: UUID
    version: int
    at: datetime


def tell_all(news: Sequence[News], now: datetime) -> list[Notification]:
    """Tell players things, once each: players who were told of a kind and cause before are not told again (NT2).

    Returns what is new. In the caller's transaction; channels follow its commit.
    """
    if not news:
        return []
    with transaction.atomic(), connection.cursor() as cursor:
        for by in sorted({str(one.by) for one in news if one.by is not None}):
            # Whoever acts from many connections is counted, too.
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('trey tells'), hashtext(%s))", [by])
        cursor.execute(_INBOXES, [sorted({one.player for one in news})])
        inboxes = {player: (last, _read(chosen)) for player, last, chosen in cursor.fetchall()}
        last = {player: number for player, (number, _) in inboxes.items()}
        fresh = _not_told([one for one in news if one.player in inboxes])
        told = [_notification(one, now) for one in fresh]
        too_many = _too_many(fresh, told, now)
        already = channels.seen(dict(enumerate(told)))
        for place, one in enumerate(told):
            last[one.player_id] += 1
            one.number = last[one.player_id]
            if one.lost is None and place in already and not inboxes[one.player_id][1].always:
                one.lost = SEEN
        Notification.objects.bulk_create(told)
        changed = {one.player_id: last[one.player_id] for one in told}
        cursor.execute(_NUMBERS, [list(changed), list(changed.values())])
        planned = [(one, the_kind(one.kind, one.subject), inboxes[one.player_id][1]) for one in told]
        channels.plan(planned, now, too_many={told[place].pk for place in too_many})
    if told:
        transaction.on_commit(partial(told_players.publish, *{str(one.player_id) for one in told}), robust=True)
    return told


def lose(losses: Sequence[Loss]) -> int:
    """Note that notifications have become pointless, and why; return how many. One statement."""
    if not losses:
        return 0
    values: dict[str, Any] = {
        "players": [one.player for one in losses],
        "subjects": [one.subject_id for one in losses],
        "upto": [one.upto for one in losses],
        "kinds": [" ".join(one.kinds) if one.kinds is not None else None for one in losses],
        "reasons": [one.reason for one in losses],
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOSE, values)
        return int(cursor.rowcount)


def look_all(looks: Iterable[Look]) -> list[int | None]:
    """Record which versions players are looking at; return the previous ones. One statement."""
    newest: dict[tuple[UUID, UUID], Look] = {}
    for one in looks:
        known = newest.setdefault((one.player, one.subject_id), one)
        if one.version > known.version:
            newest[one.player, one.subject_id] = one
    rows = list(newest.values())
    if not rows:
        return []
    values: dict[str, Any] = {
        "players": [one.player for one in rows],
        "subjects": [one.subject_id for one in rows],
        "versions": [one.version for one in rows],
        "at": [one.at for one in rows],
    }
    with connection.cursor() as cursor:
        cursor.execute(_LOOKED, values)
        return [version for (version,) in cursor.fetchall()]


def _not_told(news: Iterable[News]) -> list[News]:
    """The news of which their players were not told before, once each (NT2)."""
    fresh: dict[tuple[UUID, str, str], News] = {}
    for one in news:
        fresh.setdefault((one.player, one.kind.name, one.cause), one)
    if fresh:
        players, _, causes = zip(*fresh, strict=True)
        known = Notification.objects.filter(player__in=set(players), cause__in=set(causes))
        for key in known.values_list("player", "kind", "cause"):
            fresh.pop(key, None)
    return list(fresh.values())


def _too_many(news: Sequence[News], told: Sequence[Notification], now: datetime) -> set[int]:
    """NT17: the places of those that go to no channel, since acts of their player caused enough within the hour."""
    limit, acts = settings.TREY_TELLS or inf, dict[tuple[UUID, str | int], list[int]]()
    for place, one in enumerate(news):
        if one.by is not None and settings.TREY_TELLS is not None:
            acts.setdefault((one.by, one.cause if one.as_one else place), []).append(place)
    sent = {by: Notification.objects.filter(by=by, created_at__gt=now - HOUR).count() for by, _ in acts}
    found: set[int] = set()
    for (by, _), places in acts.items():
        if sent[by] >= limit:
            found.update(places)
        else:
            sent[by] += 1
            told[places[0]].by = by
    return found


def _notification(one: News, now: datetime) -> Notification:
    return Notification(
        player_id=one.player,
        kind=one.kind.name,
        cause=one.cause,
        subject=one.kind.subject,
        subject_id=one.subject_id,
        version=one.version,
        data=json.loads(json.dumps(dict(one.data), cls=DjangoJSONEncoder)),
        created_at=now,
        lost=one.lost,
    )


def _read(chosen: Any) -> choices.Choices:
    return choices.Choices.of(chosen if isinstance(chosen, dict) else json.loads(chosen))
