"""Telling players things, and what they do with notifications: a few statements each, however much there is."""

import json
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cache, partial
from math import inf
from typing import Any
from uuid import UUID, uuid4

from celery import shared_task
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction
from django.db.models import Exists, OuterRef

from core import clock as service_clock
from core import log
from core.accounts.login import tokens
from core.accounts.models import Player
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications import channels
from core.notifications.kinds import ACCOUNT, SECURITY, Kind, kind_of, the_kind, the_subject
from core.notifications.models import LASTING, BusyAddress, Gathering, Inbox, Notification, Seen
from core.notifications.preferences import Preferences
from core.refusals import Refused
from core.rows import execute
from core.wakeups import Channel

HOUR = timedelta(hours=1)
SEEN = "seen"
PLAYED = "played"
KEPT = timedelta(days=90)
CHANGES = "notifications.changed"
CHANGED = "changed"
# What follows a change of a room or a tournament within this time is told together at its end.
TOGETHER = timedelta(minutes=1)
PEOPLE = ("player", "organiser", "staff")

#: Wakes whoever holds the streams of a player, whose id it carries.
told_players = Channel("notifications", lost="no wake-up signal for live streams, they poll meanwhile")

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
_LOOKED = """
INSERT INTO notifications_seen (player_id, subject_id, version, at)
SELECT player, subject, version, at
FROM unnest(%(players)s::uuid[], %(subjects)s::uuid[], %(versions)s::int[], %(at)s::timestamptz[])
    AS look (player, subject, version, at)
JOIN accounts_player ON id = player
ON CONFLICT (player_id, subject_id) DO UPDATE
SET version = greatest(notifications_seen.version, excluded.version), at = greatest(notifications_seen.at, excluded.at)
"""


@dataclass(frozen=True, slots=True)
class Loss:
    """Notifications to a player (None: all) about a subject are pointless, up to a version, of these kinds (None: any).

    What was `seen` has not for players who always want to be told.
    """

    player: UUID | None
    subject_id: UUID
    reason: str
    upto: int | None = None
    kinds: Sequence[str] | None = None


def news(
    player: UUID,
    kind: Kind,
    cause: str,
    subject_id: UUID | None = None,
    version: int | None = None,
    *,
    data: Mapping[str, Any] | None = None,
    lost: str | None = None,
    by: UUID | None = None,
) -> Notification:
    """A notification for `tell_all`. `data` may hold ids, never names.

    `lost` says why it is pointless from the start: it is listed, and goes out on no channel. `by` is the player whose
    act it is, if such acts are limited.
    """
    return Notification(
        player_id=player,
        kind=kind.name,
        cause=cause,
        subject=kind.subject,
        subject_id=subject_id,
        version=version,
        data=json.loads(json.dumps(dict(data or {}), cls=DjangoJSONEncoder)),
        lost=lost,
        by=by,
    )


def tell(
    players: Iterable[UUID], kind: Kind, cause: str, *, now: datetime | None = None, **about: Any
) -> list[Notification]:
    """The rest is as `news` has it."""
    return tell_all([news(player, kind, cause, **about) for player in set(players)], now or service_clock.now())


def tell_all(told: Sequence[Notification], now: datetime) -> list[Notification]:
    """Tell players things, once for each kind and cause; return what is new. In the caller's transaction."""
    if not told:
        return []
    with transaction.atomic(savepoint=False), connection.cursor() as cursor:
        for by in sorted({str(one.by) for one in told if one.by is not None}):
            # Whoever acts from many connections is counted, too.
            cursor.execute("SELECT pg_advisory_xact_lock(hashtext('trey tells'), hashtext(%s))", [by])
        cursor.execute(_INBOXES, [sorted({one.player_id for one in told})])
        inboxes = {player: (last, Preferences.of(json.loads(chosen))) for player, last, chosen in cursor.fetchall()}
        last = {player: number for player, (number, _) in inboxes.items()}
        preferences = {player: chosen for player, (_, chosen) in inboxes.items()}
        fresh = _not_told([one for one in told if one.player_id in inboxes])
        too_many = _too_many(fresh, now)
        already = channels.seen(dict(enumerate(fresh)))
        for place, one in enumerate(fresh):
            last[one.player_id] += 1
            one.number, one.created_at = last[one.player_id], now
            if one.lost is None and place in already:
                one.lost = SEEN
        deliveries = channels.plan(fresh, preferences, now, too_many=too_many)
        Notification.objects.bulk_create(fresh)
        changed = {one.player_id: last[one.player_id] for one in fresh}
        cursor.execute(_NUMBERS, [list(changed), list(changed.values())])
        channels.queue(deliveries)
    if fresh:
        transaction.on_commit(partial(told_players.publish, *{str(one.player_id) for one in fresh}), robust=True)
    return fresh


def tell_of_security(player: Player, what: str, now: datetime, *, host: str | None = None, **_: object) -> None:
    """Tell the owner of an account what changed in its security: the receiver of `accounts.signals.secured`."""
    data: dict[str, Any] = {"what": what, **({"host": host} if host is not None else {})}
    if what in ("password", "everywhere"):
        rows = (model.objects.filter(player=player).order_by("created_at") for model in LASTING)
        data["endpoints"] = [str(one) for of_model in rows for one in of_model]
    tell([player.pk], the_kind(SECURITY, ACCOUNT), f"security:{what}:{uuid4()}", data=data, now=now)


def lose(losses: Sequence[Loss]) -> int:
    if not losses:
        return 0
    values: dict[str, Any] = {
        "players": [one.player for one in losses],
        "subjects": [one.subject_id for one in losses],
        "upto": [one.upto for one in losses],
        "kinds": [" ".join(one.kinds) if one.kinds is not None else None for one in losses],
        "reasons": [one.reason for one in losses],
    }
    return execute(_LOSE, values)


def lose_pointless(
    subject_id: UUID, kind: Kind, *, players: Collection[UUID] | None = None, now: datetime | None = None
) -> None:
    """What has become pointless of what these players (None: all) were told about a subject counts as read."""
    rows = Notification.objects.filter(subject_id=subject_id, kind=kind.name, lost__isnull=True)
    told = list(rows if players is None else rows.filter(player__in=players))
    lost = channels.no_points(told, now or service_clock.now())
    for one in told:
        one.lost = lost.get(one.pk)
    Notification.objects.bulk_update([one for one in told if one.lost is not None], ["lost"])


def look_all(looks: Iterable[Seen]) -> None:
    newest = {(one.player_id, one.subject_id): one for one in sorted(looks, key=lambda one: one.version)}
    if newest:
        names = {"players": "player_id", "subjects": "subject_id", "versions": "version", "at": "at"}
        rows = newest.values()
        execute(_LOOKED, {key: [getattr(one, name) for one in rows] for key, name in names.items()})


def saw(player: Player, subject_id: UUID, version: int) -> None:
    """The player has seen, or still sees, this version: notifications up to it become pointless."""
    at = service_clock.now()
    with transaction.atomic():
        _lock_inbox(player.pk)
        look_all([Seen(player_id=player.pk, subject_id=subject_id, version=version, at=at)])
        lose([Loss(player.pk, subject_id, SEEN, upto=version)])


def read(player: Player, upto: int) -> None:
    """The player has read all notifications up to a number. Raises Refused (no_such_number, 422)."""
    with transaction.atomic():
        inbox = _lock_inbox(player.pk)
        last = inbox.last if inbox is not None else 0
        if not 0 <= upto <= last:
            raise Refused("no_such_number", f"Your newest notification has the number {last}.", field="up_to")
        Inbox.objects.filter(player=player, read_up_to__lt=upto).update(read_up_to=upto)


def put_change(event: log.Event) -> None:
    """Have those whom a change concerns told, in the caller's transaction."""
    subject = event.stream.partition("-")[0]
    what = {"subject": subject, "id": event.stream_key, "version": event.version}
    work.put(CHANGES, f"{event.stream}:{event.version}", what, due_at=event.recorded_at)


@work.local(CHANGES)
def tell_changes(job: work.Job, now: datetime) -> datetime | None:
    """Tell everybody what others have changed since they were told last, unless that was within a minute."""
    subject, subject_id, version = job.data["subject"], UUID(job.data["id"]), job.data["version"]
    last = Notification.objects.filter(subject_id=subject_id, kind=CHANGED).order_by("-version").first()
    since = version - 1
    if last is not None:
        since = last.version or 0
        if since >= version:
            return None
        if last.created_at + TOGETHER > now:
            return last.created_at + TOGETHER
    types = [f"{subject}.{CHANGED}", f"{subject}.channels_changed"]
    events = list(log.read(f"{subject}-{subject_id}", after=since, types=types))
    told, about = [], the_subject(subject)
    changes = cache(lambda *versions: about.changes([event for event in events if event.version in versions]))
    for player in about.concerned(subject_id):
        theirs = [event for event in events if event.actor is None or event.actor.id != str(player)]
        if any((data := _together(theirs)).values()):
            data["changes"] = list(changes(*(event.version for event in theirs)))
            cause = f"{subject}:{subject_id}:{CHANGED}:{theirs[-1].version}"
            kind, by = the_kind(CHANGED, subject), person(theirs[-1])
            upto = events[-1].version
            told.append(news(player, kind, cause, subject_id, upto, data=data, by=by))
    tell_all(told, now)
    return None


def person(event: log.Event) -> UUID | None:
    actor = event.actor
    return UUID(actor.id) if actor is not None and actor.id is not None and actor.kind in PEOPLE else None


@shared_task(name="notifications.purge")
def purge() -> int:
    """Delete what is older than 90 days, and what apps left behind; return the number of notifications."""
    before = service_clock.now() - KEPT
    # What apps made that act no longer: their tokens expired, or it was just being made when they ended.
    acting = tokens.acting().filter(user=OuterRef("player"), app=OuterRef("app"))
    for model in LASTING:
        model.objects.filter(~Exists(acting), app__isnull=False).delete()
    Seen.objects.filter(at__lt=before).delete()
    BusyAddress.objects.filter(until__lt=before).delete()
    Gathering.objects.filter(at__lt=before).delete()
    # These pieces of work have nothing left to send.
    Work.objects.filter(kind__startswith="notifications.", given_up_at__lt=before).delete()
    deleted = Notification.objects.filter(created_at__lt=before).delete()[1]
    return deleted.get("notifications.Notification", 0)


def _lock_inbox(player_id: UUID) -> Inbox | None:
    return Inbox.objects.select_for_update().filter(player_id=player_id).first()


def _not_told(told: Iterable[Notification]) -> list[Notification]:
    fresh: dict[tuple[UUID, str, str], Notification] = {}
    for one in told:
        fresh.setdefault((one.player_id, one.kind, one.cause), one)
    if fresh:
        players, _, causes = zip(*fresh, strict=True)
        known = Notification.objects.filter(player__in=set(players), cause__in=set(causes))
        for key in known.values_list("player", "kind", "cause"):
            fresh.pop(key, None)
    return list(fresh.values())


def _too_many(told: Sequence[Notification], now: datetime) -> set[int]:
    """NT17: the places of those that go to no channel. `by` stays where it counts."""
    limit, acts = settings.TREY_LIMITS["tells"] or inf, dict[tuple[UUID, str | int], list[int]]()
    for place, one in enumerate(told):
        by, one.by = one.by, None
        if by is not None and settings.TREY_LIMITS["tells"] is not None:
            acts.setdefault((by, one.cause if kind_of(one).as_one else place), []).append(place)
    sent = {by: Notification.objects.filter(by=by, created_at__gt=now - HOUR).count() for by, _ in acts}
    found: set[int] = set()
    for (by, _), places in acts.items():
        if sent[by] >= limit:
            found.update(places)
        else:
            sent[by] += 1
            told[places[0]].by = by
    return found


def _together(events: Sequence[log.Event]) -> dict[str, Any]:
    added: list[str] = []
    removed: list[str] = []
    for event in events:
        for service, here, there in (
            (event.data.get("added"), added, removed),
            (event.data.get("removed"), removed, added),
        ):
            if service in there:
                there.remove(service)
            elif service is not None:
                here.append(service)
    rules = any(event.type.endswith(f".{CHANGED}") for event in events)
    return {"rules": rules, "added": added, "removed": removed}
