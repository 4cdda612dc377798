"""Telling players things, and what they do with notifications.

Times are aware UTC datetimes; `now` defaults to the service's clock.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID, uuid4

from django.db import transaction

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications import channels, choices, endpoints
from core.notifications.kinds import ACCOUNT, SECURITY, Kind, the_kind
from core.notifications.models import Inbox, Notification
from core.notifications.writing import SEEN, Look, Loss, News, look_all, lose, tell_all
from core.refusals import Refused


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
    """Tell players something, once each: players who were told of the kind and cause before are not told again (NT2).

    `lost` and `data` are those of `writing.News`. Returns what is new. In the caller's transaction; channels follow
    its commit.
    """
    news = [News(player, kind, cause, subject_id, version, data or {}, lost) for player in set(players)]
    return tell_all(news, now or service_clock.now())


def tell_of_security(player: Player, what: str, now: datetime, *, host: str | None = None, **_: object) -> None:
    """Tell the owner of an account what changed in its security: the receiver of `accounts.signals.secured`."""
    data: dict[str, Any] = {"what": what, **({"host": host} if host is not None else {})}
    if what == "password":
        data["endpoints"] = [str(one) for one in endpoints.of(player)]
    tell([player.pk], the_kind(SECURITY, ACCOUNT), f"security:{what}:{uuid4()}", data=data, now=now)


def saw(player: Player, subject_id: UUID, version: int, *, now: datetime | None = None) -> None:
    """The player has seen this version (TU2): notifications about it or earlier ones become pointless."""
    at = now or service_clock.now()
    with transaction.atomic():
        _lock_inbox(player.pk)
        if looked(player.pk, subject_id, version, at):
            lose([Loss(player.pk, subject_id, SEEN, upto=version)])


def looked(player_id: UUID, subject_id: UUID, version: int, at: datetime) -> bool:
    """Record that the player is looking at this version; return whether it is newer than any before.

    An older version, or the same again, says that they are still there (LV4).
    """
    before = look_all([Look(player_id, subject_id, version, at)])
    return any(known is None or known < version for known in before)


def lose_pointless(
    subject_id: UUID, kind: Kind, *, players: Collection[UUID] | None = None, now: datetime | None = None
) -> None:
    """What has become pointless of what these players (None: all) were told about a subject counts as read (NT8)."""
    rows = Notification.objects.filter(subject_id=subject_id, kind=kind.name, lost__isnull=True)
    told = list(rows if players is None else rows.filter(player__in=players))
    lost = channels.no_points(told, now or service_clock.now())
    for one in told:
        one.lost = lost.get(one.pk)
    Notification.objects.bulk_update([one for one in told if one.lost is not None], ["lost"])


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


def choices_of_all(players: Collection[UUID]) -> dict[UUID, choices.Choices]:
    """The complete choices of players. One query."""
    stored = dict(Inbox.objects.filter(pk__in=players).values_list("pk", "choices"))
    return {player: choices.Choices.of(stored.get(player, {})) for player in players}


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
