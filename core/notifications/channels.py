"""Choose a notification's channels when it is told and, when it is due, decide whether it may go out.

Besides the live stream, which is the notification itself, each channel has a `Sender`, registered by `add`. When
something is told, `plan` asks the sender of each channel that the player has not switched off for deliveries, and
queues them. When one is due, its sender asks `no_points` (NT4) and `quiet_until` (NT5) again, since both may have
changed, and notes what happened to it.
"""

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Protocol
from uuid import UUID

from django.db.models import Exists, OuterRef

from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.calendars.calendar import load_calendar
from core.calendars.pauses import quiet_hours
from core.notifications.kinds import REMINDER, SECURITY, kind_of, subject_of
from core.notifications.models import Channel, Delivery, Inbox, Notification, Posting, Seen, State
from core.notifications.preferences import FALLBACK, Preferences, preferences_of
from core.rows import execute

SWITCHED_OFF = "switched off"
NO_ADDRESS = "no address"
NOT_VERIFIED = "not verified"
NOT_THEIRS = "no longer yours"
BUNDLED = "bundled"
TOO_MANY = "too many"
# A mail for those whom nothing else reaches: "told by push", "told by chat", "told by webhook" (NT3).
TOLD_BY = "told by "

# NT5: channels that make a noise. A program that gets webhooks, or an open page, does not sleep.
QUIET = (Channel.PUSH, Channel.MAIL, Channel.CHAT)
# Mail comes last: for some kinds it is only for players whom nothing else reaches (NT3).
_IN_ORDER = (Channel.PUSH, Channel.CHAT, Channel.WEBHOOK, Channel.MAIL)

# Each turn has several of these rows, and most go out nowhere: as model instances they would be half of what telling
# a turn costs.
_WRITE = """
INSERT INTO notifications_delivery (notification_id, channel, state, reason, at)
SELECT notification, channel, state, reason, %s
FROM unnest(%s::bigint[], %s::text[], %s::text[], %s::text[]) AS new (notification, channel, state, reason)
"""

Planned = Sequence[Delivery] | str


class Sender(Protocol):
    """Whatever sends over a channel. It is asked in transactions of others, and sends later."""

    def plan(self, told: Sequence[Notification], now: datetime) -> Sequence[Planned]:
        """For each notification, the unsaved deliveries by which it goes out (`held`), or why it does not."""

    def works(self, delivery: Delivery) -> bool:
        """Return whether the address of a delivery has worked so far, so that no mail is needed as well (NT3)."""

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        """Have saved deliveries sent, each when it is due."""


_senders: dict[str, Sender] = {}


def add(channel: Channel, sender: Sender) -> None:
    _senders[channel] = sender


def plan(
    told: Sequence[Notification],
    preferences: Mapping[UUID, Preferences],
    now: datetime,
    *,
    too_many: Collection[int] = (),
) -> None:
    """Record what happens to new notifications on each channel, and queue what goes out.

    `too_many` are those that go to none (NT17), by primary key.
    """
    why = {one.pk: TOO_MANY if one.pk in too_many else one.lost for one in told}
    fates: list[tuple[int, str, State, str | None]] = [
        (one.pk, channel, State.SKIPPED, reason)
        for one in told
        if (reason := why[one.pk])
        for channel in Channel.values
    ]
    going = [one for one in told if why[one.pk] is None]
    for one in going:
        live = preferences[one.player_id].matrix[one.kind][Channel.LIVE]
        outcome = (State.SENT, None) if live else (State.SKIPPED, SWITCHED_OFF)
        fates.append((one.pk, Channel.LIVE, *outcome))
    reached: dict[int, Channel] = {}
    deliveries: list[Delivery] = []
    for channel in _IN_ORDER:
        for one, planned in _planned(channel, going, preferences, reached, now):
            if isinstance(planned, str):
                fates.append((one.pk, channel, State.SKIPPED, planned))
                continue
            if any(map(_senders[channel].works, planned)):
                reached.setdefault(one.pk, channel)
            deliveries += planned
    _hold_in_quiet_hours(deliveries, now)
    if fates:
        execute(_WRITE, [now, *map(list, zip(*fates, strict=True))])
    Delivery.objects.bulk_create(deliveries)
    for channel in _IN_ORDER:
        if held := [one for one in deliveries if one.channel == channel]:
            _senders[channel].queue(held)


def _planned(
    channel: Channel,
    told: Sequence[Notification],
    preferences: Mapping[UUID, Preferences],
    reached: Mapping[int, Channel],
    now: datetime,
) -> Iterator[tuple[Notification, Planned]]:
    going: list[Notification] = []
    for one in told:
        # Webhooks are not in the matrix: they have their subscriptions.
        cell = preferences[one.player_id].matrix[one.kind].get(channel, True)
        if cell is False:
            yield one, SWITCHED_OFF
        elif cell == FALLBACK and one.pk in reached:
            yield one, f"{TOLD_BY}{reached[one.pk]}"
        else:
            going.append(one)
    if going:
        yield from zip(going, _senders[channel].plan(going, now), strict=True)


def _hold_in_quiet_hours(deliveries: Iterable[Delivery], now: datetime) -> None:
    # Most players have no channel that waits, so their calendars need not be read.
    waiting = [one for one in deliveries if one.channel in QUIET]
    if not waiting:
        return
    players = Player.objects.only("quiet_hours", "vacation").in_bulk({one.notification.player_id for one in waiting})
    for one in waiting:
        until = quiet_until(one.notification, now, players[one.notification.player_id])
        if until is not None:
            one.until = max(one.until or now, until)


def quiet_until(one: Notification, now: datetime, player: Player) -> datetime | None:
    """NT5: until when a notification is held back by its player's quiet hours; None: it may go out."""
    hours = load_calendar(player.calendar).hours_at(now)
    if one.kind == SECURITY or hours is None or hours.quiet is None:
        return None
    for span in quiet_hours(hours.zone, *hours.quiet, now):
        if span.start > now:
            return None
        if now < span.end:
            return span.end
    return None


def no_points(told: Sequence[Notification], now: datetime) -> dict[int, str]:
    """Why some must not go out any more (NT4), by what is stored and by the present state; by primary key."""
    lost = {one.pk: one.lost for one in told if one.lost is not None}
    by_subject: dict[str, list[Notification]] = defaultdict(list)
    for one in told:
        if one.lost is None:
            by_subject[one.subject].append(one)
    for some in by_subject.values():
        lost |= {**_not_theirs(some), **subject_of(some[0]).lost(some, now)}
    return lost


@ending.on_the_way_out(Right.ROOM, What.DELIVERIES)
@ending.on_the_way_out(Right.TOURNAMENT, What.DELIVERIES)
def _not_theirs(told: Sequence[Notification]) -> dict[int, str]:
    """Those about a subject to which their player has no right any more (AC6). Turns end with the seat anyway."""
    kinds = {one.pk: kind_of(one) for one in told}
    about = [one for one in told if not (kinds[one.pk].parting or kinds[one.pk].urgent)]
    ids = {(one.player_id, one.subject_id) for one in about if one.subject_id is not None}
    if not ids:
        return {}
    players = Player.objects.in_bulk({player for player, _ in ids})
    hidden = subject_of(about[0]).hidden([(players[player], subject) for player, subject in ids])
    return {one.pk: NOT_THEIRS for one in about if (one.player_id, one.subject_id) in hidden}


def seen(told: Mapping[int, Notification]) -> set[int]:
    """The keys of those whose players have already seen what they are about (TU2), if that ends it for them (NT4).

    Reminders never count: they are for players who have seen the turn and not played it (NT4, NT6).
    """
    about = {
        key: (one.player_id, one.subject_id, one.version)
        for key, one in told.items()
        if one.version is not None and one.subject_id is not None and one.kind != REMINDER
    }
    if not about:
        return set()
    subjects = {subject for _, subject, _ in about.values()}
    always = Inbox.objects.filter(pk=OuterRef("player_id"), choices__always=True)
    players = {player for player, *_ in about.values()}
    rows = Seen.objects.filter(~Exists(always), player__in=players, subject_id__in=subjects)
    known = {(row.player_id, row.subject_id): row.version for row in rows}
    return {key for key, (player, subject, version) in about.items() if known.get((player, subject), 0) >= version}


def held(one: Notification, channel: Channel, now: datetime, until: datetime | None = None) -> Delivery:
    return Delivery(notification=one, channel=channel, state=State.HELD, until=until or now, at=now)


def note(
    row: Delivery | Posting, state: State, now: datetime, *, reason: str | None = None, until: datetime | None = None
) -> None:
    """Record what happened to a delivery (NT8): `held` and `failed` until a time, other states for good.

    If it failed, and nothing else reaches the player either, the fallback mail goes out (NT3).
    """
    type(row).objects.filter(pk=row.pk).update(state=state, reason=reason, until=until, at=now)
    fails = state in (State.FAILED, State.GIVEN_UP) or reason in (NO_ADDRESS, SWITCHED_OFF)
    if fails and isinstance(row, Delivery) and row.channel in _INSTEAD_OF_MAIL:
        _fall_back(row, now)


_INSTEAD_OF_MAIL = (Channel.PUSH, Channel.CHAT, Channel.WEBHOOK)


def _fall_back(failed: Delivery, now: datetime) -> None:
    one = failed.notification
    own = Delivery.objects.filter(notification=one)
    if preferences_of(one.player_id).matrix[one.kind][Channel.MAIL] != FALLBACK:
        return
    if own.filter(channel__in=_INSTEAD_OF_MAIL, state__in=(State.SENT, State.HELD)).exclude(pk=failed.pk).exists():
        return
    mail = own.filter(channel=Channel.MAIL, state=State.SKIPPED, reason__startswith=TOLD_BY).first()
    if mail is None:
        return
    # As if the other channels had not existed: its grace period began when it was told.
    [planned] = _senders[Channel.MAIL].plan([one], one.created_at)
    if isinstance(planned, str):
        mail.reason, mail.at = planned, now
    else:
        mail.state, mail.reason, mail.until, mail.at = State.HELD, None, planned[0].until, now
    mail.save(update_fields=["state", "reason", "until", "at"])
    if mail.state == State.HELD:
        _senders[Channel.MAIL].queue([mail])
