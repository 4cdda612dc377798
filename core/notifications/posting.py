"""Posting letters to addresses that people gave, in one way for webhooks, pushes, chat and groups (NT9).

A `Road` is one kind of address. Registering it creates its errand, which writes each letter when it is due, posts it by
`outgoing` (with its rule on addresses), and notes the outcome. An address that has failed for three days, or says that
it is gone, is switched off, and its owner is told over the other channels.
"""

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Any
from uuid import UUID

import httpx
from django.conf import settings
from django.utils.crypto import salted_hmac

from core import vault
from core.accounts import ending
from core.accounts.ending import Right, What
from core.jobs import services as work
from core.notifications import channels, outgoing, services
from core.notifications.kinds import ACCOUNT, SECURITY, Kind, the_kind
from core.notifications.models import BusyAddress, Channel, Delivery, Endpoint, Notification, Posting, State

GONE = 410
# Characters of what a receiver says, where it is kept.
MOST_WORDS = 300
Row = Delivery | Posting


@dataclass(frozen=True, slots=True)
class Letter:
    """A letter to post. Its address, headers and secrets are shown to nobody: they may hold tokens."""

    url: str = field(repr=False)
    id: str
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """The secrets that sign it by Standard Webhooks; empty if it is signed otherwise or not at all."""


class Gone(work.GaveUp):
    """The receiver said that the address is gone."""

    def __init__(self, status: int) -> None:
        super().__init__(f"It answered {status}: it is gone.")


@dataclass(frozen=True, slots=True)
class Road:
    """One kind of address.

    errand: the name of its errand; a piece's data is {"delivery": the row's primary key}, with "again" for a replay.
    name: what people call it, used in sentences and lanes. rows: the model that records the outcome of each letter;
    `column` is its foreign key to the address. write: the letters of rows with their addresses, composed now.
    no_points: the rows that have become pointless (NT4), by primary key, with the reason. quiet_until: until when a
    letter is held back (NT5); None: it may go out. gone: the statuses that say that the address is gone; with `forget`
    it is then deleted, not switched off. ours: the statuses that are our fault, whose words are kept. sent: is told
    which addresses got something.
    """

    errand: str
    name: str
    rows: type[Delivery] | type[Posting]
    column: str
    write: Callable[[Sequence[tuple[Any, Any]], datetime], Sequence[Letter]]
    no_points: Callable[[Sequence[Any], datetime], Mapping[int, str]]
    quiet_until: Callable[[Any, datetime], datetime | None] = lambda *_: None
    gone: frozenset[int] = frozenset((GONE,))
    forget: bool = False
    ours: frozenset[int] = frozenset()
    sent: Callable[[Collection[Any]], None] = lambda _: None

    def queue(self, rows: Sequence[Row], *, again: bool = False) -> None:
        """Have the letters of rows sent when they are due; `again`: even if they were sent before or are pointless."""
        work.put_all(
            work.Put(
                self.errand,
                str(row.pk),
                {"delivery": row.pk, **({"again": True} if again else {})},
                due_at=row.until,
                lane=f"{self.name} {getattr(row, f'{self.column}_id')}",
                sooner=again,
            )
            for row in rows
        )

    def register(self) -> "Road":
        """Register the errand."""
        steps = work.Errand(
            prepare=self.prepare, send=self.send, settle=self.settle, failed=self.failed, retries=retries
        )
        work.errand(self.errand, steps)
        return self

    @ending.on_the_way_out(Right.ACCOUNT, What.TEXTS, What.DELIVERIES, What.CHANNELS, What.ADDRESSES)
    def prepare(self, pieces: Sequence[work.Piece], now: datetime) -> list[Letter | work.Wait | None]:
        """Return the letters, or None for one that is pointless by now or whose address is gone or switched off."""
        found = self._found(pieces)
        once = [found[piece.id][0] for piece in pieces if piece.id in found and not piece.data.get("again")]
        lost = self.no_points(once, now) if once else {}
        answers: dict[int, Letter | work.Wait] = {}
        going = {}
        for piece_id, (row, address) in found.items():
            reason = lost.get(row.pk)
            if address is None:
                reason = reason or channels.NO_ADDRESS
            elif address.off_since is not None or not address.player.is_active:
                reason = channels.SWITCHED_OFF
            if reason is not None:
                channels.note(row, State.SKIPPED, now, reason=reason)
            else:
                going[piece_id] = row, address
        busy = busy_until([address for _, address in going.values()], now)
        for piece_id, (row, address) in list(going.items()):
            if (until := busy.get(address.pk) or self.quiet_until(row, now)) is not None:
                channels.note(row, State.HELD, now, until=until)
                answers[piece_id] = work.Wait(until)
                del going[piece_id]
        answers |= zip(going, self.write(list(going.values()), now), strict=True)
        return [answers.get(piece.id) for piece in pieces]

    def send(self, letter: Letter) -> outgoing.Reply:
        """Post it. Raises Later for failures that may pass, Gone."""
        return send(letter, self.gone, forget=self.forget, ours=self.ours)

    def settle(self, done: Sequence[tuple[work.Piece, Letter, outgoing.Reply]], now: datetime) -> None:
        """Note that letters have arrived, or never will."""
        found = self._found([piece for piece, *_ in done])
        arrived: dict[int, Any] = {}
        for piece, _, reply in done:
            row, address = found.get(piece.id, (None, None))
            if row is None or address is None:
                continue
            if reply.status in self.gone:
                channels.note(row, State.GIVEN_UP, now, reason=str(Gone(reply.status)))
                address.delete()
                continue
            arrived[row.pk] = address
            if address.failing_since is not None:
                type(address).objects.filter(pk=address.pk).update(failing_since=None, error=None)
        self.rows.objects.filter(pk__in=arrived).update(state=State.SENT, reason=None, until=None, at=now)
        self.sent(arrived.values())

    def failed(self, piece: work.Piece, error: Exception, again: datetime | None, now: datetime) -> None:
        """Note that a letter has not arrived."""
        row = self.rows.objects.filter(pk=piece.data["delivery"]).first()
        if row is None:
            return
        channels.note(row, State.FAILED if again is not None else State.GIVEN_UP, now, reason=str(error), until=again)
        model: Any = self.rows._meta.get_field(self.column).related_model  # noqa: SLF001  effectively public
        address = model.objects.select_for_update().filter(pk=getattr(row, f"{self.column}_id")).first()
        if address is None:
            return
        address.error = str(error)[:500]
        heed(address, error, now)
        address.failing_since = address.failing_since or now
        give_up = retries().give_up
        why = None
        if isinstance(error, Gone):
            why = "gone"
        elif again is None or (give_up is not None and now - address.failing_since >= give_up):
            why = "failing"
        goes_off = why is not None and address.off_since is None
        if goes_off:
            address.off_since, address.off_because = now, why
        address.save(update_fields=["error", "failing_since", "off_since", "off_because"])
        if goes_off:
            self._tell_its_owner(address, now)

    def _found(self, pieces: Sequence[work.Piece]) -> dict[int, tuple[Any, Any]]:
        """The rows of pieces that still exist, with their addresses (None: it is gone), by the piece's id."""
        also = ("notification__player",) if self.rows is Delivery else ()
        rows = self.rows.objects.select_related(f"{self.column}__player", *also)
        found = rows.in_bulk([one.data["delivery"] for one in pieces])
        both = ((one.id, found.get(one.data["delivery"])) for one in pieces)
        return {piece_id: (row, getattr(row, self.column)) for piece_id, row in both if row is not None}

    def _tell_its_owner(self, address: Any, now: datetime) -> None:
        """Tell its owner, which only the other channels can do: this address is off."""
        cause = f"{self.name}:{address.pk}:off:{int(now.timestamp())}"
        data = {"what": "hook_off", "host": address.host, "why": address.off_because, "road": self.name}
        services.tell([address.player_id], the_kind(SECURITY, ACCOUNT), cause, data=data, now=now)


def heed(endpoint: Endpoint, error: Exception | None, now: datetime) -> None:
    """NT9: what asks to be left alone (`Retry-After`) is left alone, by whatever goes to that address."""
    if isinstance(error, work.Later) and error.after is not None:
        until = now + min(timedelta(seconds=max(0.0, error.after)), retries().longest)
        BusyAddress.objects.update_or_create({"until": until}, digest=_digest(endpoint))


def busy_until(endpoints: Collection[Endpoint], now: datetime) -> dict[UUID, datetime]:
    """Until when the addresses of endpoints ask to be left alone, by the endpoints' ids; one query if there are any."""
    digests = {one.pk: _digest(one) for one in endpoints}
    rows = BusyAddress.objects.filter(until__gt=now).in_bulk(set(digests.values())) if digests else {}
    return {pk: rows[digest].until for pk, digest in digests.items() if digest in rows}


def _digest(endpoint: Endpoint) -> str:
    """The same for all who give the same address, however they write its host and port. Raises vault.Unreadable."""
    address = httpx.URL(vault.unseal(endpoint.url)).copy_with(fragment=None)
    return salted_hmac("core.notifications.posting", str(address), algorithm="sha256").hexdigest()


def no_points(deliveries: Sequence[Delivery], now: datetime) -> dict[int, str]:
    """NT4 for notifications."""
    lost = channels.no_points([one.notification for one in deliveries], now)
    return {one.pk: lost[one.notification_id] for one in deliveries if one.notification_id in lost}


def quiet_until(delivery: Delivery, now: datetime) -> datetime | None:
    """NT5 for a notification."""
    return channels.quiet_until(delivery.notification, now, delivery.notification.player)


@dataclass(frozen=True, slots=True)
class Addresses:
    """The way to a player over a road: a delivery for each address.

    of: returns the players' addresses that work. wanted: returns whether an address wants the notification. due:
    returns when it goes out. answered: returns whether somebody is there (NT3).
    """

    channel: Channel
    road: Road
    of: Callable[[Collection[UUID]], Iterable[Any]]
    wanted: Callable[[Any, Notification, Kind], bool] = lambda *_: True
    due: Callable[[Notification, datetime], datetime] = lambda _, now: now
    answered: Callable[[Any], bool] = lambda _: True

    def plan(self, told: Sequence[channels.Told], now: datetime) -> list[list[Delivery]]:
        """A delivery for each address."""
        own: dict[UUID, list[Any]] = defaultdict(list)
        for address in self.of({one.player_id for one, _ in told}):
            own[address.player_id].append(address)
        return [self._planned(one, kind, own[one.player_id], now) for one, kind in told]

    def _planned(self, one: Notification, kind: Kind, own: Sequence[Any], now: datetime) -> list[Delivery]:
        to = [address for address in own if self.wanted(address, one, kind)]
        if not to:
            return [channels.skipped(one, self.channel, channels.NO_ADDRESS, now)]
        due = self.due(one, now)
        deliveries = [channels.held(one, self.channel, now, due) for _ in to]
        for delivery, address in zip(deliveries, to, strict=True):
            setattr(delivery, self.road.column, address)
        return deliveries

    def works(self, delivery: Delivery) -> bool:
        """Return whether the address has not failed since it last worked."""
        address = getattr(delivery, self.road.column)
        return address is not None and address.failing_since is None and self.answered(address)

    def queue(self, deliveries: Sequence[Delivery]) -> None:
        """Have them sent."""
        self.road.queue(deliveries)


def send(
    letter: Letter,
    gone: frozenset[int] = frozenset((GONE,)),
    *,
    forget: bool = False,
    ours: frozenset[int] = frozenset(),
) -> outgoing.Reply:
    """Post a letter.

    Raises Later for failures that may pass, Gone for an address that says it is gone; with `forget` that counts as a
    success. What comes with a status of `ours` is part of the error.
    """
    # By the real clock, by which the receiver checks signatures.
    stamp = datetime.now(UTC)
    try:
        reply = outgoing.post(letter.url, letter.body, {**letter.headers, **_signed(letter, stamp)})
    except outgoing.BadAddress as error:
        raise work.Later(str(error)) from None
    except outgoing.Unreachable as error:
        raise work.Later(f"It cannot be reached: {error}") from None
    if reply.status in gone:
        if forget:
            return reply
        raise Gone(reply.status)
    if not 200 <= reply.status < 300:
        words = " ".join(reply.body.decode(errors="replace").split())[:MOST_WORDS] if reply.status in ours else ""
        said = f"It answered {reply.status}: {words}" if words else f"It answered {reply.status}."
        raise work.Later(said, after=_seconds(reply.retry_after, stamp))
    return reply


def retries() -> work.Retries:
    """NT9's pauses, as settings.TREY_RETRIES has them (seconds: the first, the longest, in all)."""
    return work.Retries(*(timedelta(seconds=one) for one in settings.TREY_RETRIES))


def switch_on(address: Endpoint) -> None:
    """Have an address tried again. The caller saves it."""
    address.off_since, address.off_because, address.failing_since, address.error = None, None, None, None


def checked_host(url: str, errors: list[tuple[str, str]]) -> str:
    """The host of an address that may be posted to, as far as that is known without a look-up."""
    try:
        return outgoing.check_url(url)
    except outgoing.BadAddress as error:
        errors.append(("url", str(error)))
        return ""


def _signed(letter: Letter, stamp: datetime) -> dict[str, str]:
    """The headers of Standard Webhooks: an id for dropping duplicates, and signatures if there are secrets."""
    if not letter.secrets:
        return {}
    from standardwebhooks import Webhook

    text = letter.body.decode()
    # sign() takes any time for UTC.
    signatures = [Webhook(secret).sign(letter.id, stamp, text) for secret in letter.secrets]
    return {
        "webhook-id": letter.id,
        "webhook-timestamp": str(int(stamp.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _seconds(wish: str | None, now: datetime) -> float | None:
    """A Retry-After (RFC 9110, 10.2.3): seconds, or a date."""
    if wish is None:
        return None
    if wish.strip().isdecimal():
        return float(wish.strip()[:10])
    try:
        at = parsedate_to_datetime(wish)
    except (ValueError, OverflowError):
        return None
    return (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()
