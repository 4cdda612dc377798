"""Mail (NT3, NT4, NT9, NT11): which notifications share a mail, how many one gets in an hour, and carrying it there.

Each notification that goes by mail has a delivery and an errand of its own. When one is due, its mail may carry others
that wait: all turns that are still open, or, where there are too many, everything, counted. What a mail carries is
written down before it is sent (`Delivery.carrier`) and the same at each try, as is its Message-ID; when it is sent,
its own notification counts as `sent` and the others as `bundled`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q, QuerySet

from games.platform.accounts import addresses
from games.platform.accounts.models import Player
from games.platform.mail import services as mail
from games.platform.telling import channels, letters, posting, services
from games.platform.telling.choices import Choices
from games.platform.telling.kinds import ACCOUNT, SECURITY, Kind, the_kind
from games.platform.telling.models import Channel, Delivery, Inbox, Notification, State
from games.platform.work import services as work

ERRAND = "telling.mail"
TURN = "turn"
HOUR = timedelta(hours=1)
SOON = timedelta(seconds=5)
# NT4: more mails than this in any hour become one.
MOST_AN_HOUR = 20
# How many mails are on their way at once; those to one player are sent one after the other.
LANES = 16
_WAITING = (State.HELD, State.FAILED, State.GIVEN_UP)


@dataclass(frozen=True, slots=True)
class Post:
    """A mail on its way: the message, to whom, and the deliveries that it carries, its own first."""

    message: EmailMultiAlternatives
    address: str
    deliveries: tuple[int, ...]


class _Mail:
    """The channel: a player's one verified address."""

    def plan(self, one: Notification, kind: Kind, now: datetime) -> Sequence[Delivery]:
        if addresses.verified_address(one.player_id) is None:
            return [channels.skipped(one, Channel.MAIL, _no_address(one), now)]
        grace = timedelta(seconds=settings.TREY_MAIL_GRACE if kind.name == TURN else 0)
        return [channels.held(one, Channel.MAIL, now, now + grace)]

    def works(self, delivery: Delivery) -> bool:  # noqa: ARG002  the protocol's
        return True

    def queue(self, delivery: Delivery, due_at: datetime) -> None:
        lane = f"mail {delivery.notification.player_id.int % LANES}"
        work.put(ERRAND, str(delivery.pk), {"delivery": delivery.pk}, due_at=due_at, lane=lane)


channels.add(Channel.MAIL, _Mail())


def prepare(piece: work.Piece, now: datetime) -> Post | work.Wait | None:
    """The mail of a delivery, with what it carries; None for what lost its point, or goes out with another one."""
    found = Delivery.objects.select_related("notification__player").filter(pk=piece.data["delivery"]).first()
    if found is None or found.state not in _WAITING:
        return None
    owner = found.notification.player
    # One mail to a player at a time is put together, whoever does it.
    inbox = Inbox.objects.select_for_update().get(pk=owner.pk)
    chosen = Choices.of(inbox.choices)
    mails = _mails_of(owner, found, now)
    lead = next((one for one in mails if one.pk == found.pk), None)
    if lead is None or lead.state not in _WAITING or lead.carrier_id not in (None, lead.pk):
        return None
    # What is tried once more is sent as it was.
    closed = lead.carrier_id == lead.pk
    standing = _standing([one for one in mails if one.carrier_id == lead.pk] if closed else [lead], chosen, now)
    if not standing:
        return None
    if (until := channels.quiet_until(lead.notification, now, owner)) is not None:
        return _hold(standing, until, now)
    counted = bool(piece.data.get("counted"))
    if not closed:
        carried = _carried(lead, mails, now)
        if isinstance(carried, datetime):
            return _hold(standing, carried, now)
        others, counted = carried
        standing += _standing(others, chosen, now)
        Delivery.objects.filter(pk__in=[one.pk for one in standing]).update(carrier=lead)
        if counted:
            work.remember(piece, counted=True)
    address = addresses.verified_address(owner.pk)
    if address is None:
        _skip(standing, channels.NOT_VERIFIED, now)
        return None
    told = [one.notification for one in standing]
    letter = letters.letter(owner, address, lead.notification_id, told, now, counted=counted)
    return Post(letter.message(), address, tuple(one.pk for one in standing))


def send(post: Post) -> None:
    """Send it. Raises mail.Refused, work.Later."""
    mail.send(post.message)


def settle(piece: work.Piece, post: Post, _: None, now: datetime) -> None:  # noqa: ARG001  the queue's
    """It has arrived: what it carried has, too."""
    own, *others = post.deliveries
    Delivery.objects.filter(pk=own).update(state=State.SENT, reason=None, until=None, at=now)
    Delivery.objects.filter(pk__in=others).update(state=State.SKIPPED, reason=channels.BUNDLED, until=None, at=now)
    work.drop(ERRAND, [str(one) for one in others])


def failed(piece: work.Piece, error: Exception, again: datetime | None, now: datetime) -> None:
    """It has not. An address that was refused has to be verified again, and its owner is told (NT9)."""
    lead = Delivery.objects.select_related("notification").filter(pk=piece.data["delivery"]).first()
    if lead is None:
        return
    state = State.FAILED if again is not None else State.GIVEN_UP
    player = lead.notification.player_id
    for one in _of(player).filter(carrier=lead, state__in=_WAITING):
        channels.note(one, state, now, reason=str(error)[:500], until=again)
    if isinstance(error, mail.Refused):
        _refused(player, lead, now)


def take_out(one: Notification) -> Delivery | None:
    """The mail of a notification that was just told, out of the queue, for `send_now`; None: there is none."""
    delivery = Delivery.objects.filter(notification=one, channel=Channel.MAIL, state=State.HELD).first()
    if delivery is not None:
        work.drop(ERRAND, [str(delivery.pk)])
    return delivery


def send_now(delivery: Delivery, now: datetime) -> str | None:
    """Send a mail that `take_out` gave here and now, once; return why it failed, or None."""
    one = delivery.notification
    owner = Player.objects.get(pk=one.player_id)
    address = addresses.verified_address(owner)
    if address is None:
        return channels.NOT_VERIFIED
    try:
        mail.send(letters.letter(owner, address, one.pk, [one], now).message())
    except (work.GaveUp, work.Later) as error:
        channels.note(delivery, State.GIVEN_UP, now, reason=str(error))
        if isinstance(error, mail.Refused):
            _refused(owner.pk, delivery, now)
        return str(error)
    channels.note(delivery, State.SENT, now)
    return None


def _refused(player: UUID, lead: Delivery, now: datetime) -> None:
    owner = Player.objects.get(pk=player)
    address = addresses.verified_address(owner)
    if address is not None and addresses.unverify(owner, address):
        services.tell(
            [owner.pk], the_kind(SECURITY, ACCOUNT), f"mail:refused:{lead.pk}", data={"what": "mail_refused"}, now=now
        )


def _of(player: UUID) -> QuerySet[Delivery]:
    """The player's deliveries by mail."""
    rows = Delivery.objects.filter(notification__player=player, channel=Channel.MAIL)
    return rows.select_related("notification").order_by("notification__number")


def _mails_of(owner: Player, lead: Delivery, now: datetime) -> list[Delivery]:
    """In one statement, what a mail is put together by: those that wait or went out within the hour, and its own."""
    recent = Q(state=State.HELD) | Q(state=State.SENT, at__gt=now - HOUR)
    return list(_of(owner.pk).filter(recent | Q(pk=lead.pk) | Q(carrier=lead)))


def _standing(deliveries: Iterable[Delivery], chosen: Choices, now: datetime) -> list[Delivery]:
    """Those that still have a point and are wanted; the others are noted as skipped (NT4)."""
    stand = []
    for delivery in deliveries:
        one = delivery.notification
        reason = channels.no_point(one, now)
        if reason is None and chosen.matrix[one.kind][Channel.MAIL] is False:
            reason = channels.SWITCHED_OFF
        if reason is None:
            stand.append(delivery)
        else:
            _skip([delivery], reason, now)
    return stand


def _carried(lead: Delivery, mails: Sequence[Delivery], now: datetime) -> tuple[list[Delivery], bool] | datetime:
    """What else goes with a mail, and whether all of it is only counted; or until when there are no more mails."""
    if lead.notification.kind == SECURITY:
        return [], False
    ours = [one for one in mails if one.notification.kind != SECURITY]
    held = [one for one in ours if one.state == State.HELD]
    waiting = [one for one in held if one.carrier_id is None and one.notification.lost is None and one.pk != lead.pk]
    turns = [one for one in waiting if one.notification.kind == TURN == lead.notification.kind]
    under_way = sum(one.carrier_id == one.pk for one in held)
    sent = sorted(one.at for one in ours if one.state == State.SENT and one.at > now - HOUR)
    if len(sent) + under_way >= MOST_AN_HOUR:
        return max(sent[max(0, len(sent) - MOST_AN_HOUR)] + HOUR, now + SOON) if sent else now + SOON
    others = [one for one in waiting if one.until is not None and one.until <= now and one not in turns]
    if len(sent) + under_way + 1 + _mails(others) > MOST_AN_HOUR:
        return [*turns, *others], True
    return turns, False


def _mails(waiting: Sequence[Delivery]) -> int:
    """How many mails they would become: all turns are one."""
    turns = sum(one.notification.kind == TURN for one in waiting)
    return len(waiting) - turns + min(turns, 1)


def _hold(deliveries: Sequence[Delivery], until: datetime, now: datetime) -> work.Wait:
    for delivery in deliveries:
        channels.note(delivery, State.HELD, now, until=until)
    return work.Wait(until)


def _skip(deliveries: Sequence[Delivery], reason: str, now: datetime) -> None:
    for delivery in deliveries:
        channels.note(delivery, State.SKIPPED, now, reason=reason)


def _no_address(one: Notification) -> str:
    return channels.NOT_VERIFIED if addresses.has_address(one.player_id) else channels.NO_ADDRESS


work.errand(ERRAND, work.Errand(prepare=prepare, send=send, settle=settle, failed=failed, retries=posting.retries))
