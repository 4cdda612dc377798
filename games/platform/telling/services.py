"""Telling, and what players do with what they were told.

Times are aware UTC datetimes; `now` defaults to the service's clock.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from functools import partial
from typing import Any
from uuid import UUID, uuid4

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection, transaction

from games.platform import clock as service_clock
from games.platform.accounts.models import Player
from games.platform.refusals import Refused
from games.platform.telling import channels, choices
from games.platform.telling.kinds import ACCOUNT, SECURITY, URGENT, Kind, the_kind
from games.platform.telling.models import Inbox, Notification, Seen
from games.platform.telling.signals import told_players

SEEN = "seen"
PLAYED = "played"

# Also makes the row; an account that is gone or being closed has none and is told nothing.
_INBOX = """
INSERT INTO telling_inbox (player_id, last, read_up_to, choices)
SELECT id, 0, 0, '{}' FROM accounts_player WHERE id = %s AND closed_at IS NULL
ON CONFLICT (player_id) DO UPDATE SET last = telling_inbox.last
RETURNING last, choices
"""
_ADD = """
WITH added AS (
    INSERT INTO telling_notification
        (player_id, number, kind, cause, subject, subject_id, version, data, created_at, lost)
    VALUES (%(player)s, %(number)s, %(kind)s, %(cause)s, %(subject)s, %(subject_id)s, %(version)s, %(data)s::jsonb,
        %(now)s, %(lost)s)
    ON CONFLICT (player_id, kind, cause) DO NOTHING
    RETURNING id, number
)
UPDATE telling_inbox SET last = added.number FROM added WHERE player_id = %(player)s RETURNING added.id
"""


# Returns the version of before, null for none.
_LOOKED = """
WITH before AS (
    SELECT version FROM telling_seen WHERE player_id = %(player)s AND subject_id = %(subject)s
)
INSERT INTO telling_seen (player_id, subject_id, version, at)
SELECT id, %(subject)s, %(version)s, %(at)s FROM accounts_player WHERE id = %(player)s
ON CONFLICT (player_id, subject_id) DO UPDATE
SET version = greatest(telling_seen.version, excluded.version), at = greatest(telling_seen.at, excluded.at)
RETURNING (SELECT version FROM before)
"""


def tell(
    players: Iterable[UUID],
    kind: Kind,
    cause: str,
    *,
    subject_id: UUID | None = None,
    version: int | None = None,
    data: Mapping[str, Any] | None = None,
    lost: str | None = None,
    now: datetime | None = None,
) -> list[Notification]:
    """Tell players something, each once: one who was told of the kind and cause before is not told again (NT2).

    `lost` says why it has no point from the start (`seen`: it came of the player's own move): it is listed with that
    reason, and goes out on no channel. `data` is for the kind's sentence and may hold ids, never names. Returns what is
    new. In the caller's transaction; channels follow its commit.
    """
    at = now or service_clock.now()
    # In one order for everybody, so that two transactions never wait for each other's inbox.
    told = [
        one
        for player in sorted(set(players))
        if (
            one := _tell(
                player, kind, cause, subject_id=subject_id, version=version, data=data or {}, lost=lost, now=at
            )
        )
        is not None
    ]
    if told:
        transaction.on_commit(partial(told_players.publish, *(str(one.player_id) for one in told)), robust=True)
    return told


def tell_of_security(player: Player, what: str, now: datetime, **_: object) -> None:
    """Tell the owner of an account what changed in its security: the receiver of `accounts.signals.secured`."""
    tell([player.pk], the_kind(SECURITY, ACCOUNT), f"security:{what}:{uuid4()}", data={"what": what}, now=now)


def _tell(
    player: UUID,
    kind: Kind,
    cause: str,
    *,
    subject_id: UUID | None,
    version: int | None,
    data: Mapping[str, Any],
    lost: str | None,
    now: datetime,
) -> Notification | None:
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute(_INBOX, [player])
        inbox = cursor.fetchone()
        if inbox is None:
            return None
        chosen = choices.Choices.of(inbox[1] if isinstance(inbox[1], dict) else json.loads(inbox[1]))
        lost = lost or _seen_already(player, subject_id, version, always=chosen.always)
        one = Notification(
            player_id=player,
            number=inbox[0] + 1,
            kind=kind.name,
            cause=cause,
            subject=kind.subject,
            subject_id=subject_id,
            version=version,
            data=dict(data),
            created_at=now,
            lost=lost,
        )
        values: dict[str, Any] = {
            "player": player, "number": one.number, "kind": one.kind, "cause": cause, "subject": one.subject,
            "subject_id": subject_id, "version": version, "data": json.dumps(one.data, cls=DjangoJSONEncoder),
            "now": now, "lost": lost,
        }  # fmt: skip
        cursor.execute(_ADD, values)
        added = cursor.fetchone()
        if added is None:
            return None
        one.pk = added[0]
        channels.plan(one, kind, chosen, now)
        return one


def _seen_already(player: UUID, subject_id: UUID | None, version: int | None, *, always: bool) -> str | None:
    """TU2: what the player has said to have seen before it was told."""
    if always or subject_id is None or version is None:
        return None
    seen = Seen.objects.filter(player_id=player, subject_id=subject_id, version__gte=version)
    return SEEN if seen.exists() else None


def saw(player: Player, subject_id: UUID, version: int, *, now: datetime | None = None) -> None:
    """The player has seen this version (TU2): what is about it or an earlier one has lost its point.

    Nothing is lost for a player who wants to be told always (NT4).
    """
    at = now or service_clock.now()
    with transaction.atomic():
        _lock_inbox(player.pk)
        if looked(player.pk, subject_id, version, at) and not choices_of(player.pk).always:
            lose([player.pk], subject_id, SEEN, upto=version)


def looked(player_id: UUID, subject_id: UUID, version: int, at: datetime) -> bool:
    """Write down that the player has this version before their eyes; return whether they had none so new before.

    An older version, or the same again, says that they are still there (LV4).
    """
    with connection.cursor() as cursor:
        cursor.execute(_LOOKED, {"player": player_id, "subject": subject_id, "version": version, "at": at})
        row = cursor.fetchone()
        return row is not None and (row[0] is None or row[0] < version)


def lose(
    players: Collection[UUID] | None,
    subject_id: UUID,
    reason: str,
    *,
    upto: int | None = None,
    kinds: Collection[str] | None = None,
) -> int:
    """Note that what these players (None: all) were told has lost its point, and why; return how much did."""
    rows = Notification.objects.filter(subject_id=subject_id, lost__isnull=True)
    if players is not None:
        rows = rows.filter(player_id__in=players)
    if upto is not None:
        rows = rows.filter(version__lte=upto)
    if kinds is not None:
        rows = rows.filter(kind__in=kinds)
    return rows.update(lost=reason)


def turn_is_over(players: Collection[UUID] | None, subject_id: UUID, reason: str = PLAYED) -> int:
    """What these players (None: all) were told of their turns has lost its point."""
    return lose(players, subject_id, reason, kinds=URGENT)


def read(player: Player, upto: int) -> None:
    """The player has read all notifications up to a number. Raises Refused (no_such_number, 422)."""
    with transaction.atomic():
        inbox = _lock_inbox(player.pk)
        last = inbox.last if inbox is not None else 0
        if not 0 <= upto <= last:
            raise Refused("no_such_number", f"Your newest notification has the number {last}.", field="up_to")
        Inbox.objects.filter(player=player, read_up_to__lt=upto).update(read_up_to=upto)


def choices_of(player_id: UUID) -> choices.Choices:
    """The player's complete choices."""
    stored = Inbox.objects.filter(player_id=player_id).values_list("choices", flat=True).first()
    return choices.Choices.of(stored or {})


def always_told(players: Collection[UUID]) -> set[UUID]:
    """Those of the players who want to be told although they have seen it (NT4)."""
    rows = Inbox.objects.filter(pk__in=players, choices__always=True)
    return set(rows.values_list("pk", flat=True)) if players else set()


def choose(player: Player, wanted: Mapping[str, Any]) -> choices.Choices:
    """Change the player's choices; keys and cells left out stay as they are. Raises Invalid (bad_settings)."""
    with transaction.atomic():
        inbox, _ = Inbox.objects.select_for_update().get_or_create(player=player)
        inbox.choices = choices.changed(inbox.choices, wanted)
        inbox.save(update_fields=["choices"])
    return choices.Choices.of(inbox.choices)


def _lock_inbox(player_id: UUID) -> Inbox | None:
    return Inbox.objects.select_for_update().filter(player_id=player_id).first()
