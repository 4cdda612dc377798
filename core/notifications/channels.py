"""Choose a notification's channels when it is told and, when it is due, decide whether it may go out.

`plan` asks the sender of each channel that the player has not switched off for deliveries, which `queue` queues. When
one is due, its sender asks `no_points` and `quiet_until` again, and notes what happened to it.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any, Protocol
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q

from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.calendars.calendar import load_calendar
from core.calendars.pauses import quiet_hours
from core.notifications.kinds import REMINDER, SECURITY, URGENT, kind_of, subject_of
from core.notifications.models import Channel, Delivery, Endpoint, Inbox, Notification, Seen, State
from core.notifications.preferences import FALLBACK, Preferences, preferences_of

SWITCHED_OFF = "switched off"
NO_ADDRESS = "no address"
NOT_VERIFIED = "not verified"
NOT_THEIRS = "no longer yours"
BUNDLED = "bundled"
TOO_MANY = "too many"
# A mail for those whom nothing else reaches: "told by push", "told by chat", "told by webhook".
TOLD_BY = "told by "

# Channels that make a noise. A program that gets webhooks, or an open page, does not sleep.
QUIET = (Channel.PUSH, Channel.MAIL, Channel.CHAT)
# Mail comes last: for some kinds it is only for players whom nothing else reaches.
_IN_ORDER = (Channel.LIVE, Channel.PUSH, Channel.CHAT, Channel.WEBHOOK, Channel.MAIL)


# Unsaved deliveries, or the reason why the channel is skipped.
Planned = list[Delivery] | str


class Sender(Protocol):
    """Whatever sends over a channel. It is asked in transactions of others, and sends later."""

    def plan(self, told: Sequence[Notification], now: datetime) -> Sequence[Planned]:
        """For each notification, which need not be saved, the deliveries by which it goes out (`held`), or why not."""

    def works(self, delivery: Delivery) -> bool:
        """Return whether the address of a delivery has worked so far, so that no mail is needed as well."""

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        """Have saved deliveries sent, each when it is due."""


class _Live:
    def plan(self, told: Sequence[Notification], now: datetime) -> list[Planned]:
        return [[Delivery(notification=one, channel=Channel.LIVE, state=State.SENT, at=now)] for one in told]

    def works(self, delivery: Delivery) -> bool:  # noqa: ARG002  the protocol's
        return False

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        """Nothing is to be sent."""


_senders: dict[str, Sender] = {Channel.LIVE: _Live()}


def add(channel: Channel, sender: Sender) -> None:
    _senders[channel] = sender


def plan(
    told: Sequence[Notification],
    preferences: Mapping[UUID, Preferences],
    now: datetime,
    *,
    too_many: Collection[int] = (),
) -> list[Delivery]:
    """The deliveries of notifications that are about to be saved, for `queue`; notes which channels each skips.

    `too_many` are the places of those that go to no channel.
    """
    rows: list[Delivery] = []
    going: dict[int, Notification] = {}
    for place, one in enumerate(told):
        reason = TOO_MANY if place in too_many else one.lost
        one.skipped = dict.fromkeys(Channel.values, reason) if reason else {}
        if not reason:
            going[place] = one
    reached: dict[int, Channel] = {}
    for channel in _IN_ORDER:
        wanted: dict[int, Notification] = {}
        for place, one in going.items():
            # Webhooks are not in the matrix: they have their subscriptions.
            cell = preferences[one.player_id].matrix[one.kind].get(channel, True)
            if cell is True or (cell == FALLBACK and place not in reached):
                wanted[place] = one
            elif cell == FALLBACK:
                # It may go out yet (`_fall_back`), so it has a row.
                reason = f"{TOLD_BY}{reached[place]}"
                rows.append(Delivery(notification=one, channel=channel, state=State.SKIPPED, reason=reason, at=now))
            else:
                one.skipped[channel] = SWITCHED_OFF
        sender = _senders[channel]
        for (place, one), planned in zip(wanted.items(), sender.plan(list(wanted.values()), now), strict=True):
            if isinstance(planned, str):
                one.skipped[channel] = planned
                continue
            rows += planned
            if any(map(sender.works, planned)):
                reached.setdefault(place, channel)
    _hold([one for one in rows if one.state == State.HELD], now)
    return rows


def queue(planned: Sequence[Delivery]) -> None:
    """Save planned deliveries, whose notifications have been saved, and have them sent."""
    Delivery.objects.bulk_create(planned)
    for channel in _IN_ORDER:
        if due := [one for one in planned if one.channel == channel and one.state == State.HELD]:
            _senders[channel].queue(due)


def told_since(since: datetime, player: Player, kind: str, subject_id: UUID) -> dict[str, datetime]:
    """When a player was last told something of this kind about a subject since then, by channel."""
    rows = Delivery.objects.filter(notification__player=player, notification__kind=kind, state=State.SENT, at__gt=since)
    return dict(rows.filter(notification__subject_id=subject_id).values_list("channel").annotate(Max("at")))


def missed(one: Notification) -> set[str]:
    """The channels on which it has gone out to nobody, and is not about to."""
    waiting = (State.HELD, State.FAILED) if one.lost is None else ()
    carried = Q(state__in=(State.SENT, *waiting)) | Q(reason=BUNDLED) | Q(reason__startswith=TOLD_BY)
    rows = Delivery.objects.filter(notification=one)
    return {*rows.values_list("channel", flat=True)} - {*rows.filter(carried).values_list("channel", flat=True)}


def send_again(one: Notification, skipped: Collection[str], now: datetime) -> None:
    """Have it go out on channels that skipped it: there is more to say by now."""
    for channel in skipped:
        [planned] = _senders[channel].plan([one], now)
        if not isinstance(planned, str):
            Delivery.objects.filter(notification=one, channel=channel).delete()
            _hold(planned, now)
            queue(planned)


def _hold(deliveries: Sequence[Delivery], now: datetime) -> None:
    """Have deliveries wait for what their notification says, and for the end of quiet hours."""
    for one in deliveries:
        one.until = max(one.until or now, one.notification.after.get(one.channel, now))
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
    """Why some must not go out any more, by what is stored and by the present state; by primary key."""
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
    """Those about a subject to which their player has no right any more. Turns end with the seat anyway."""
    about = [one for one in told if one.kind not in URGENT and not kind_of(one).parting]
    ids = {(one.player_id, one.subject_id) for one in about if one.subject_id is not None}
    if not ids:
        return {}
    players = Player.objects.in_bulk({player for player, _ in ids})
    hidden = subject_of(about[0]).hidden([(players[player], subject) for player, subject in ids])
    return {one.pk: NOT_THEIRS for one in about if (one.player_id, one.subject_id) in hidden}


def seen(told: Mapping[int, Notification]) -> set[int]:
    """The keys of those whose players have seen what they are about; reminders never count."""
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


def held(one: Notification, channel: Channel, now: datetime, until: datetime, **to: Endpoint) -> Delivery:
    return Delivery(notification=one, channel=channel, state=State.HELD, until=until, at=now, **to)


def note(row: Any, state: State, now: datetime, *, reason: str | None = None, until: datetime | None = None) -> None:
    """Record what happened to a delivery; if nothing reaches the player, the fallback mail goes out."""
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
        mail.reason = planned
    else:
        mail.state, mail.reason, mail.until = State.HELD, None, planned[0].until
    mail.at = now
    mail.save(update_fields=["state", "reason", "until", "at"])
    if mail.state == State.HELD:
        _senders[Channel.MAIL].queue([mail])
