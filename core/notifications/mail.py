"""Mail: which notifications share a mail, how many a player gets in an hour, what it says.

Each has its own delivery and job. When one is due, its mail may carry others that wait: all open turns, all games in
which the clock played or, if there are too many, a count of everything. What it carries is recorded before it is sent
(`Delivery.carrier`), so that each try is the same mail; then its own notification is `sent` and the others are
`bundled`.
"""

from collections import Counter, defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from uuid import UUID

from django.conf import settings
from django.core.mail import EmailMultiAlternatives
from django.db.models import Q
from django.utils.text import get_text_list

from core import mail
from core.accounts import addresses
from core.accounts.models import Player
from core.chatting import Message
from core.jobs import services as work
from core.mail import Block, Letter, Link
from core.notifications import channels, selectors, services
from core.notifications.kinds import ACCOUNT, AFTER_A_GRACE, SECURITY, TOGETHER, WORDS, kind_of, the_kind
from core.notifications.models import Channel, Delivery, Inbox, Notification, State
from core.notifications.posting import retries
from core.notifications.preferences import Preferences, stop_headers, stop_path

JOB = "notifications.mail"
# The number of mails on their way at once; those to one player are sent one after the other.
LANES = 16
HOUR = timedelta(hours=1)
SOON = timedelta(seconds=5)
# More mails than this in any hour become one.
MOST_AN_HOUR = 20
# Servers cut off headers longer than 100 kB.
MOST_CAUSES = 200
WAITING = (State.HELD, State.FAILED, State.GIVEN_UP)


class Sender:
    def plan(self, told: Sequence[Notification], now: datetime) -> list[channels.Planned]:
        players = {one.player_id for one in told}
        verified = addresses.verified_addresses(players)
        given = addresses.with_addresses(players.difference(verified))
        return [self._planned(one, verified, given, now) for one in told]

    @staticmethod
    def _planned(
        one: Notification, verified: Container[UUID], given: Container[UUID], now: datetime
    ) -> channels.Planned:
        if one.player_id not in verified:
            return channels.NOT_VERIFIED if one.player_id in given else channels.NO_ADDRESS
        grace = timedelta(seconds=settings.TREY_MAIL_GRACE if one.kind in AFTER_A_GRACE else 0)
        return [channels.held(one, Channel.MAIL, now, now + grace)]

    def works(self, delivery: Delivery) -> bool:  # noqa: ARG002  the protocol's
        return True

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        work.put_all(
            work.Job(
                kind=JOB,
                key=str(one.pk),
                data={"delivery": one.pk},
                due_at=one.until or one.at,
                lane=f"mail {one.notification.player_id.int % LANES}",
            )
            for one in deliveries
        )


def settle(done: Sequence[tuple[work.Job, EmailMultiAlternatives, None]], now: datetime) -> None:
    rows = Delivery.objects.filter(carrier__in=[_lead(job) for job, *_ in done], state__in=WAITING)
    carried: dict[int | None, list[int]] = defaultdict(list)
    for lead, key in rows.order_by("notification__number").values_list("carrier", "pk"):
        carried[lead].append(key)
    # Its own may have lost its point since the mail was put together.
    own = {lead if lead in keys else keys[0] for lead, keys in carried.items()}
    others = [key for keys in carried.values() for key in keys if key not in own]
    Delivery.objects.filter(pk__in=own).update(state=State.SENT, reason=None, until=None, at=now)
    if others:
        Delivery.objects.filter(pk__in=others).update(state=State.SKIPPED, reason=channels.BUNDLED, until=None, at=now)
        work.drop(JOB, [str(one) for one in others])


def failed(job: work.Job, error: Exception, again: datetime | None, now: datetime) -> None:
    """It has not arrived. A refused address has to be verified again, and its owner is told."""
    lead = Delivery.objects.select_related("notification").filter(pk=_lead(job)).first()
    if lead is None:
        return
    state = State.FAILED if again is not None else State.GIVEN_UP
    own = Delivery.objects.filter(carrier=lead, state__in=WAITING)
    own.update(state=state, reason=str(error)[:500], until=again, at=now)
    if isinstance(error, mail.Refused):
        owner = Player.objects.get(pk=lead.notification.player_id)
        address = addresses.verified_address(owner)
        if address is not None and addresses.unverify(owner, address):
            security = the_kind(SECURITY, ACCOUNT)
            services.tell([owner.pk], security, f"mail:refused:{lead.pk}", data={"what": "mail_refused"}, now=now)


class _Bundling:
    """Puts the mails of several players together in a transaction, while their inboxes are locked."""

    def __init__(self, jobs: Sequence[work.Job], now: datetime) -> None:
        self.jobs, self.now = jobs, now
        leads = Delivery.objects.select_related("notification__player").filter(pk__in=[_lead(one) for one in jobs])
        self._owners = {one.notification.player_id: one.notification.player for one in leads if one.state in WAITING}
        # In the same order in all transactions, so that two never wait for each other.
        inboxes = Inbox.objects.select_for_update().filter(pk__in=self._owners).order_by("pk")
        self._preferences = {inbox.pk: Preferences.of(inbox.choices) for inbox in inboxes}
        self._mails: dict[UUID, list[Delivery]] = defaultdict(list)
        self._by_key: dict[int, Delivery] = {}
        for one in _mails_of(self._owners.values(), [lead.pk for lead in leads], now):
            self._mails[one.notification.player_id].append(one)
            self._by_key[one.pk] = one
        waiting = [one.notification for one in self._by_key.values() if one.state in WAITING]
        self._lost = channels.no_points(waiting, now)
        self._addresses = addresses.verified_addresses(self._owners)

    def mails(self) -> list[EmailMultiAlternatives | work.Wait | None]:
        """The mails of the jobs; None for one that is pointless by now or goes with another."""
        found = [self._carried_by(job) for job in self.jobs]
        bundles = [[one.notification for one in carried] for carried in found if isinstance(carried, list)]
        told = [one for bundle in bundles if not _is_counted(bundle) for one in bundle]
        said = selectors.messages([(self._owners[one.player_id], one) for one in told], self.now, in_full=True)
        return [
            self._letter(_lead(job), carried, said).message() if isinstance(carried, list) else carried
            for job, carried in zip(self.jobs, found, strict=True)
        ]

    def _letter(self, lead: int, carried: Sequence[Delivery], said: Mapping[int, Message]) -> Letter:
        told = [one.notification for one in carried]
        owner = self._owners[told[0].player_id]
        number, address = self._by_key[lead].notification_id, self._addresses[owner.pk]
        return letter(owner, address, number, told, said)

    def _carried_by(self, job: work.Job) -> list[Delivery] | work.Wait | None:
        """What the mail of a job carries, its own first; None if it is pointless or goes with another. Notes it."""
        lead = self._by_key.get(_lead(job))
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
        if not closed:
            carried = _carried(lead, mails, self.now)
            if isinstance(carried, datetime):
                return self._hold(standing, carried)
            standing += self._standing(carried)
            for one in standing:
                one.carrier = lead
            Delivery.objects.filter(pk__in=[one.pk for one in standing]).update(carrier=lead)
        if owner.pk not in self._addresses:
            self._note(standing, State.SKIPPED, reason=channels.NOT_VERIFIED)
            return None
        return standing

    def _standing(self, deliveries: Iterable[Delivery]) -> list[Delivery]:
        """Those that still have a point and are wanted; the others are noted as skipped."""
        stand = []
        for delivery in deliveries:
            one = delivery.notification
            wanted = self._preferences[one.player_id].matrix[one.kind][Channel.MAIL] is not False
            reason = self._lost.get(one.pk)
            if reason is None and not (wanted and self._owners[one.player_id].is_active):
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


def _lead(job: work.Job) -> int:
    return int(job.data["delivery"])


def _mails_of(owners: Iterable[Player], leads: Sequence[int], now: datetime) -> list[Delivery]:
    recent = Q(state=State.HELD) | Q(state=State.SENT, at__gt=now - HOUR)
    rows = Delivery.objects.filter(recent | Q(pk__in=leads) | Q(carrier__in=leads))
    rows = rows.filter(notification__player__in=owners, channel=Channel.MAIL)
    return list(rows.select_related("notification").order_by("notification__number"))


def _carried(lead: Delivery, mails: Sequence[Delivery], now: datetime) -> list[Delivery] | datetime:
    if lead.notification.kind == SECURITY:
        return []
    ours = [one for one in mails if one.notification.kind != SECURITY]
    held = [one for one in ours if one.state == State.HELD]
    waiting = [one for one in held if one.carrier_id is None and one.notification.lost is None and one.pk != lead.pk]
    kind = lead.notification.kind
    alike = [one for one in waiting if one.notification.kind == kind in TOGETHER]
    under_way = sum(one.carrier_id == one.pk for one in held)
    sent = sorted(one.at for one in ours if one.state == State.SENT and one.at > now - HOUR)
    if len(sent) + under_way >= MOST_AN_HOUR:
        return max(sent[max(0, len(sent) - MOST_AN_HOUR)] + HOUR, now + SOON) if sent else now + SOON
    others = [one for one in waiting if one.until is not None and one.until <= now and one not in alike]
    kinds = [one.notification.kind for one in others]
    # All turns go into one, and all in which the clock played.
    of_them = sum(kind not in TOGETHER for kind in kinds) + len(TOGETHER.keys() & kinds)
    if len(sent) + under_way + 1 + of_them > MOST_AN_HOUR:
        return [*alike, *others]
    return alike


def letter(
    player: Player, address: str, number: int, told: Sequence[Notification], said: Mapping[int, Message]
) -> Letter:
    """The mail about these; `number` identifies it in its Message-ID."""
    kinds = sorted({each.kind for each in told})
    blocks = [_counts(told)] if _is_counted(told) else [_block(each, said[each.pk]) for each in told]
    return Letter(
        to=address,
        id=f"notification-{number}",
        subject=blocks[0].heading.removesuffix(".") if len(blocks) == 1 else TOGETHER[kinds[0]].format(len(told)),
        blocks=tuple(blocks),
        footer=_footer(player, kinds),
        headers={"X-Trey-Kind": ", ".join(kinds), **_thread(told), **stop_headers(player, kinds)},
        causes=tuple(each.cause for each in told[:MOST_CAUSES]),
    )


def _is_counted(told: Sequence[Notification]) -> bool:
    """Whether a mail only says how many there are: different kinds share one only if there are too many."""
    return len(told) > 1 and (told[0].kind not in TOGETHER or len({one.kind for one in told}) > 1)


def _block(one: Notification, said: Message) -> Block:
    button = Link(kind_of(one).button, said.link) if said.link is not None else None
    return Block(said.text, said.story, link=button)


def _counts(told: Sequence[Notification]) -> Block:
    counts = Counter(one.kind for one in told)
    lines = [f"{WORDS[kind].mails}: {count}" for kind, count in counts.most_common()]
    return Block(
        f"{len(told)} notifications are waiting for you.",
        ("So much happened within an hour that this email only gives the number.", *lines),
        link=Link("Open Trey", "/"),
    )


def _thread(told: Sequence[Notification]) -> dict[str, str]:
    about = {(one.subject, one.subject_id) for one in told}
    [(subject, subject_id)] = about if len(about) == 1 else [("", None)]
    if subject_id is None:
        return {}
    root = mail.message_id(f"{subject}-{subject_id}")
    return {"References": root, "In-Reply-To": root}


def _footer(player: Player, kinds: Sequence[str]) -> tuple[str | Link, ...]:
    if SECURITY in kinds:
        return (f"This email is about the security of your account {player.username}, and cannot be turned off.",)
    what = get_text_list([WORDS[kind].mails.lower() for kind in kinds], "and")
    return (
        f"You get this email as {player.username}, because you have turned on emails about {what}.",
        Link("Stop these emails", stop_path(player, kinds)),
    )


channels.add(Channel.MAIL, Sender())
work.outbound(
    JOB,
    work.Outbound(
        prepare=lambda jobs, now: _Bundling(jobs, now).mails(),
        send=mail.send,
        settle=settle,
        failed=failed,
        retries=retries,
    ),
)
