"""Mail (NT3, NT4, NT9, NT11): which notifications share a mail, how many a player gets in an hour, and sending it.

Each notification that goes by mail has its own delivery and errand. When one is due, its mail may carry others that
wait: all turns that are still open or, if there are too many, a count of everything. What a mail carries is recorded
before it is sent (`Delivery.carrier`) and stays the same at each try, as does its Message-ID; when it is sent, its own
notification counts as `sent` and the others as `bundled`.
"""

from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings

from core.accounts import addresses
from core.accounts.models import Player
from core.jobs import services as work
from core.mail import services as mail
from core.notifications import channels, letters, posting, services
from core.notifications.bundling import TURN, WAITING, Desk, Mail
from core.notifications.kinds import ACCOUNT, SECURITY, Kind, the_kind
from core.notifications.models import Channel, Delivery, Notification, State

ERRAND = "notifications.mail"
# The number of mails on their way at once; those to one player are sent one after the other.
LANES = 16


class _Way:
    """The channel: a player's one verified address."""

    def plan(self, told: Sequence[channels.Told], now: datetime) -> list[list[Delivery]]:
        players = {one.player_id for one, _ in told}
        verified = addresses.verified_addresses(players)
        given = addresses.with_addresses(players.difference(verified))
        return [[self._planned(one, kind, now, verified, given)] for one, kind in told]

    @staticmethod
    def _planned(
        one: Notification, kind: Kind, now: datetime, verified: Collection[UUID], given: Collection[UUID]
    ) -> Delivery:
        if one.player_id not in verified:
            why = channels.NOT_VERIFIED if one.player_id in given else channels.NO_ADDRESS
            return channels.skipped(one, Channel.MAIL, why, now)
        grace = timedelta(seconds=settings.TREY_MAIL_GRACE if kind.name == TURN else 0)
        return channels.held(one, Channel.MAIL, now, now + grace)

    def works(self, delivery: Delivery) -> bool:  # noqa: ARG002  the protocol's
        return True

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        work.put_all(
            work.Put(
                ERRAND,
                str(one.pk),
                {"delivery": one.pk},
                due_at=one.until,
                lane=f"mail {one.notification.player_id.int % LANES}",
            )
            for one in deliveries
        )


channels.add(Channel.MAIL, _Way())


def prepare(pieces: Sequence[work.Piece], now: datetime) -> list[Mail | work.Wait | None]:
    """The mails of deliveries, with what they carry; None for one that is pointless by now or goes with another."""
    desk = Desk(pieces, now)
    drafts = [desk.put_together(piece) for piece in pieces]
    mails = [one for one in drafts if isinstance(one, Mail)]
    for one, letter in zip(mails, letters.written(mails, now), strict=True):
        one.message = letter.message()
    return drafts


def send(one: Mail) -> None:
    """Send it. Raises mail.Refused, work.Later."""
    mail.send(one.message)


def settle(done: Sequence[tuple[work.Piece, Mail, None]], now: datetime) -> None:
    """They have arrived, and so has what they carried."""
    own = [one.deliveries[0].pk for _, one, _ in done]
    others = [each.pk for _, one, _ in done for each in one.deliveries[1:]]
    Delivery.objects.filter(pk__in=own).update(state=State.SENT, reason=None, until=None, at=now)
    if others:
        Delivery.objects.filter(pk__in=others).update(state=State.SKIPPED, reason=channels.BUNDLED, until=None, at=now)
        work.drop(ERRAND, [str(one) for one in others])


def failed(piece: work.Piece, error: Exception, again: datetime | None, now: datetime) -> None:
    """It has not arrived. A refused address has to be verified again, and its owner is told (NT9)."""
    lead = Delivery.objects.select_related("notification").filter(pk=piece.data["delivery"]).first()
    if lead is None:
        return
    state = State.FAILED if again is not None else State.GIVEN_UP
    player = lead.notification.player_id
    own = Delivery.objects.filter(carrier=lead, state__in=WAITING)
    own.update(state=state, reason=str(error)[:500], until=again, at=now)
    if isinstance(error, mail.Refused):
        _refused(player, lead, now)


def _refused(player: UUID, lead: Delivery, now: datetime) -> None:
    owner = Player.objects.get(pk=player)
    address = addresses.verified_address(owner)
    if address is not None and addresses.unverify(owner, address):
        services.tell(
            [owner.pk], the_kind(SECURITY, ACCOUNT), f"mail:refused:{lead.pk}", data={"what": "mail_refused"}, now=now
        )


work.errand(
    ERRAND,
    work.Errand(prepare=prepare, send=send, settle=settle, failed=failed, retries=posting.retries),
)
