"""Choose the notifications that share a mail and, when it is due, decide whether it may go out (NT4, NT5)."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

from django.core.mail import EmailMultiAlternatives
from django.db.models import Q

from core.accounts import addresses
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import channels
from core.notifications.choices import Choices
from core.notifications.kinds import SECURITY
from core.notifications.models import Channel, Delivery, Inbox, Notification, State

TURN = "turn"
HOUR = timedelta(hours=1)
SOON = timedelta(seconds=5)
# NT4: more mails than this in any hour become one.
MOST_AN_HOUR = 20
WAITING = (State.HELD, State.FAILED, State.GIVEN_UP)


@dataclass(slots=True)
class Mail:
    """A mail that is to go out: its player, and the notifications it carries, its own first.

    `number` identifies it in its Message-ID. `counted`: it only says how many there are.
    """

    player: Player
    address: str
    number: int
    deliveries: Sequence[Delivery]
    counted: bool = False
    message: EmailMultiAlternatives = field(init=False, repr=False)

    @property
    def told(self) -> list[Notification]:
        """The notifications that it carries."""
        return [one.notification for one in self.deliveries]


class Desk:
    """Puts the mails of several players together, one after the other, in a transaction with a few statements.

    The players' inboxes are locked, so that only one mail to a player is put together at a time.
    """

    def __init__(self, pieces: Sequence[work.Piece], now: datetime) -> None:
        self.now = now
        leads = Delivery.objects.select_related("notification__player").filter(pk__in=[_lead(one) for one in pieces])
        self._owners = {one.notification.player_id: one.notification.player for one in leads if one.state in WAITING}
        # In the same order in all transactions, so that two never wait for each other.
        inboxes = Inbox.objects.select_for_update().filter(pk__in=self._owners).order_by("pk")
        self._chosen = {inbox.pk: Choices.of(inbox.choices) for inbox in inboxes}
        self._mails = defaultdict(list)
        self._by_key: dict[int, Delivery] = {}
        for one in _mails_of(self._owners.values(), [lead.pk for lead in leads], now):
            self._mails[one.notification.player_id].append(one)
            self._by_key[one.pk] = one
        waiting = [one.notification for one in self._by_key.values() if one.state in WAITING]
        self._lost = channels.no_points(waiting, now)
        self._addresses = addresses.verified_addresses(self._owners)

    def put_together(self, piece: work.Piece) -> Mail | work.Wait | None:
        """The mail of a piece; None if it is pointless by now, or goes with another one. Notes what happens to it."""
        lead = self._by_key.get(_lead(piece))
        if lead is None or lead.state not in WAITING or lead.carrier_id not in (None, lead.pk):
            return None
        owner, mails = self._owners[lead.notification.player_id], self._mails[lead.notification.player_id]
        # A mail that is tried again is sent unchanged.
        closed = lead.carrier_id == lead.pk
        others = [one for one in mails if one.carrier_id == lead.pk and one is not lead] if closed else []
        standing = self._standing([lead, *others])
        if not standing:
            return None
        if (until := channels.quiet_until(lead.notification, self.now, owner)) is not None:
            return self._hold(standing, until)
        counted = bool(piece.data.get("counted"))
        if not closed:
            carried = _carried(lead, mails, self.now)
            if isinstance(carried, datetime):
                return self._hold(standing, carried)
            others, counted = carried
            standing += self._standing(others)
            for one in standing:
                one.carrier = lead
            if counted:
                work.remember(piece, counted=True)
            Delivery.objects.filter(pk__in=[one.pk for one in standing]).update(carrier=lead)
        address = self._addresses.get(owner.pk)
        if address is None:
            self._note(standing, State.SKIPPED, reason=channels.NOT_VERIFIED)
            return None
        return Mail(owner, address, lead.notification_id, standing, counted)

    def _standing(self, deliveries: Iterable[Delivery]) -> list[Delivery]:
        """Those that still have a point and are wanted; the others are noted as skipped (NT4)."""
        stand = []
        for delivery in deliveries:
            one = delivery.notification
            reason = self._lost.get(one.pk)
            owner = self._owners[one.player_id]
            if reason is None and (
                not owner.is_active or self._chosen[one.player_id].matrix[one.kind][Channel.MAIL] is False
            ):
                reason = channels.SWITCHED_OFF
            if reason is None:
                stand.append(delivery)
            else:
                self._note([delivery], State.SKIPPED, reason=reason)
        return stand

    def _hold(self, deliveries: Sequence[Delivery], until: datetime) -> work.Wait:
        self._note(deliveries, State.HELD, until=until)
        return work.Wait(until)

    def _note(
        self, deliveries: Sequence[Delivery], state: State, *, reason: str | None = None, until: datetime | None = None
    ) -> None:
        for one in deliveries:
            one.state, one.reason, one.until, one.at = state, reason, until, self.now
        rows = Delivery.objects.filter(pk__in=[one.pk for one in deliveries])
        rows.update(state=state, reason=reason, until=until, at=self.now)


def _lead(piece: work.Piece) -> int:
    key: int = piece.data["delivery"]
    return key


def _mails_of(owners: Iterable[Player], leads: Sequence[int], now: datetime) -> list[Delivery]:
    """Return the mails that wait or went out within the hour, and the lead of each mail."""
    recent = Q(state=State.HELD) | Q(state=State.SENT, at__gt=now - HOUR)
    rows = Delivery.objects.filter(recent | Q(pk__in=leads) | Q(carrier__in=leads))
    rows = rows.filter(notification__player__in=owners, channel=Channel.MAIL)
    return list(rows.select_related("notification").order_by("notification__number"))


def _carried(lead: Delivery, mails: Sequence[Delivery], now: datetime) -> tuple[list[Delivery], bool] | datetime:
    """Return what else a mail carries and whether it is only counted, or until when no more mails go out."""
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
    if len(sent) + under_way + 1 + _count(others) > MOST_AN_HOUR:
        return [*turns, *others], True
    return turns, False


def _count(waiting: Sequence[Delivery]) -> int:
    """Return how many mails these would become: all turns go into one."""
    turns = sum(one.notification.kind == TURN for one in waiting)
    return len(waiting) - turns + min(turns, 1)
