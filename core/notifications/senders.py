"""The senders of the channels whose addresses people gave; `push` has one more.

A `Poster` is one kind of endpoint. An address that has failed for three days, or says that it is gone, is switched off,
and its owner is told over the other channels.
"""

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import Any
from uuid import UUID

from django.conf import settings
from django.db.models import QuerySet

from core import vault
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.login import client_ids
from core.chatting import Message
from core.http import outgoing
from core.http.throttling import limit
from core.jobs import services as work
from core.notifications import channels, selectors, services
from core.notifications.kinds import ACCOUNT, SECURITY, kind_of, the_kind
from core.notifications.models import Channel, Chat, Delivery, Hook, Notification, State
from core.notifications.posting import (
    GONE,
    Gone,
    Request,
    about,
    absolute,
    busy_until,
    keep_busy,
    post,
    retries,
    written,
)
from core.notifications.preferences import preferences_of_all

TEST = "notifications.test"
TEST_TEXT = "This is a test: Trey can post here."


def _may_stay(endpoint: Any) -> bool:
    """Return whether the app that made an address, if one did, is still let in."""
    app = getattr(endpoint, "app", None)
    return app is None or client_ids.is_allowed(app)


class Poster:
    """One kind of endpoint. Its jobs have {"delivery": the row's primary key}, with "again" for a replay.

    name: what people call it. rows: the model that records the outcome of each request; `column` is its foreign key to
    the endpoint. gone: the statuses of an address that is gone; with `forget` it is deleted, not switched off. ours:
    those that are our fault, whose words are kept.
    """

    job: str
    name: str
    channel: Channel | None = None
    model: type[Any]
    rows: type[Any] = Delivery
    column: str
    gone: Collection[int] = (GONE,)
    forget = False
    ours: Collection[int] = ()

    def __init__(self) -> None:
        steps = work.Outbound(
            prepare=self.prepare, send=self.send, settle=self.settle, failed=self.failed, retries=retries
        )
        work.outbound(self.job, steps)

    def write(self, going: Sequence[tuple[Any, Any]], now: datetime) -> Sequence[Request]:
        raise NotImplementedError

    def no_points(self, rows: Sequence[Any], now: datetime) -> Mapping[int, str]:
        """NT4: the rows that have become pointless, by primary key, with the reason."""
        raise NotImplementedError

    def quiet_until(self, row: Any, now: datetime) -> datetime | None:
        """NT5: until when a row is held back; None: it may go out. Groups do not sleep."""
        if self.channel not in channels.QUIET:
            return None
        return channels.quiet_until(row.notification, now, row.notification.player)

    def sent(self, to: Collection[Any]) -> None:
        """These endpoints got something."""

    def queue(self, rows: Sequence[Any], *, again: bool = False) -> None:
        """Have rows sent when they are due; `again`: even if they were sent before or are pointless."""
        work.put_all(
            work.Job(
                kind=self.job,
                key=str(row.pk),
                data={"delivery": row.pk, **({"again": True} if again else {})},
                due_at=row.until or row.at,
                lane=f"{self.name} {getattr(row, f'{self.column}_id')}",
            )
            for row in rows
        )

    @ending.on_the_way_out(Right.ACCOUNT, What.TEXTS, What.DELIVERIES, What.CHANNELS, What.ADDRESSES)
    def prepare(self, jobs: Sequence[work.Job], now: datetime) -> list[Request | work.Wait | None]:
        """The requests, or None for one that is pointless by now or whose address is gone or switched off."""
        found = self._found(jobs)
        once = [found[job.pk][0] for job in jobs if job.pk in found and not job.data.get("again")]
        lost = self.no_points(once, now) if once else {}
        answers: dict[int, Request | work.Wait] = {}
        going = {}
        for job_id, (row, endpoint) in found.items():
            reason = lost.get(row.pk)
            if endpoint is None:
                reason = reason or channels.NO_ADDRESS
            elif endpoint.off_since is not None or not endpoint.player.is_active or not _may_stay(endpoint):
                reason = channels.SWITCHED_OFF
            if reason is not None:
                channels.note(row, State.SKIPPED, now, reason=reason)
            else:
                going[job_id] = row, endpoint
        busy = busy_until([endpoint for _, endpoint in going.values()], now)
        for job_id, (row, endpoint) in list(going.items()):
            if (until := busy.get(endpoint.pk) or self.quiet_until(row, now)) is not None:
                channels.note(row, State.HELD, now, until=until)
                answers[job_id] = work.Wait(until)
                del going[job_id]
        answers |= zip(going, self.write(list(going.values()), now), strict=True)
        return [answers.get(job.pk) for job in jobs]

    def send(self, request: Request) -> outgoing.Reply:
        return post(request, self.gone, forget=self.forget, ours=self.ours)

    def settle(self, done: Sequence[tuple[work.Job, Request, outgoing.Reply]], now: datetime) -> None:
        found = self._found([job for job, *_ in done])
        arrived: dict[int, Any] = {}
        for job, _, reply in done:
            row, endpoint = found.get(job.pk, (None, None))
            if row is None or endpoint is None:
                continue
            if reply.status in self.gone:
                channels.note(row, State.GIVEN_UP, now, reason=str(Gone(reply.status)))
                endpoint.delete()
                continue
            arrived[row.pk] = endpoint
            if endpoint.failing_since is not None:
                self.model.objects.filter(pk=endpoint.pk).update(failing_since=None, error=None)
        self.rows.objects.filter(pk__in=arrived).update(state=State.SENT, reason=None, until=None, at=now)
        self.sent(arrived.values())

    def failed(self, job: work.Job, error: Exception, again: datetime | None, now: datetime) -> None:
        row = self.rows.objects.filter(pk=job.data["delivery"]).first()
        if row is None:
            return
        channels.note(row, State.FAILED if again is not None else State.GIVEN_UP, now, reason=str(error), until=again)
        endpoint = self.model.objects.select_for_update().filter(pk=getattr(row, f"{self.column}_id")).first()
        if endpoint is None:
            return
        _heed(endpoint, error, now)
        endpoint.error = str(error)[:500]
        endpoint.failing_since = endpoint.failing_since or now
        give_up = retries().give_up
        why = None
        if isinstance(error, Gone):
            why = "gone"
        elif again is None or (give_up is not None and now - endpoint.failing_since >= give_up):
            why = "failing"
        goes_off = why is not None and endpoint.off_since is None
        if goes_off:
            endpoint.off_since, endpoint.off_because = now, why
        endpoint.save(update_fields=["error", "failing_since", "off_since", "off_because"])
        if goes_off:
            # Only the other channels can tell its owner.
            cause = f"{self.name}:{endpoint.pk}:off:{int(now.timestamp())}"
            data = {"what": "hook_off", "host": endpoint.host, "why": why, "road": self.name}
            services.tell([endpoint.player_id], the_kind(SECURITY, ACCOUNT), cause, data=data, now=now)

    def _found(self, jobs: Sequence[work.Job]) -> dict[int, tuple[Any, Any]]:
        also = ("notification__player",) if self.rows is Delivery else ()
        rows = self.rows.objects.select_related(f"{self.column}__player", *also)
        found = rows.in_bulk([one.data["delivery"] for one in jobs])
        both = ((one.pk, found.get(one.data["delivery"])) for one in jobs)
        return {job_id: (row, getattr(row, self.column)) for job_id, row in both if row is not None}


class Sender(Poster):
    """A channel to players, over endpoints of their own: a delivery for each."""

    channel: Channel
    with_story = True

    def __init__(self) -> None:
        super().__init__()
        channels.add(self.channel, self)

    def of(self, players: Collection[UUID]) -> QuerySet[Any]:
        rows: QuerySet[Any] = self.model.objects.filter(player__in=players, off_since__isnull=True)
        return rows

    def wants(self, endpoint: Any, one: Notification) -> bool:  # noqa: ARG002  webhooks choose
        return True

    def due(self, one: Notification, now: datetime) -> datetime:  # noqa: ARG002  pushes wait
        return now

    def answers(self, endpoint: Any) -> bool:  # noqa: ARG002  browsers may not
        """Whether somebody is there."""
        return True

    def write(self, going: Sequence[tuple[Delivery, Any]], now: datetime) -> list[Request]:
        told = [(one.player, one) for one in (delivery.notification for delivery, _ in going)]
        said = selectors.messages(told, now if self.with_story else None)
        return [self.request(one, to, said[one.pk], now) for (_, one), (_, to) in zip(told, going, strict=True)]

    def request(self, one: Notification, to: Any, said: Message, now: datetime) -> Request:  # noqa: ARG002  pushes end
        facts = {"number": one.number, "kind": one.kind, "cause": one.cause, **about(one)}
        return written(to, f"msg_{one.pk}", said, one.created_at, facts)

    def no_points(self, rows: Sequence[Any], now: datetime) -> Mapping[int, str]:
        told = [one.notification for one in rows]
        chosen = preferences_of_all({one.player_id for one in told})
        off = {one.pk for one in told if chosen[one.player_id].matrix[one.kind].get(self.channel) is False}
        lost = {**dict.fromkeys(off, channels.SWITCHED_OFF), **channels.no_points(told, now)}
        return {one.pk: lost[one.notification_id] for one in rows if one.notification_id in lost}

    def plan(self, told: Sequence[Notification], now: datetime) -> list[channels.Planned]:
        own: dict[UUID, list[Any]] = defaultdict(list)
        for endpoint in self.of({one.player_id for one in told}):
            own[endpoint.player_id].append(endpoint)
        return [self._planned(one, own[one.player_id], now) for one in told]

    def _planned(self, one: Notification, own: Sequence[Any], now: datetime) -> channels.Planned:
        to = [endpoint for endpoint in own if self.wants(endpoint, one)]
        if not to:
            return channels.NO_ADDRESS
        due = self.due(one, now)
        return [channels.held(one, self.channel, now, due, **{self.column: endpoint}) for endpoint in to]

    def works(self, delivery: Delivery) -> bool:
        endpoint = getattr(delivery, self.column)
        return endpoint is not None and endpoint.failing_since is None and self.answers(endpoint)


class Webhooks(Sender):
    """Standard Webhooks: https://github.com/standard-webhooks/standard-webhooks."""

    job, name, channel = "notifications.webhook", "webhook", Channel.WEBHOOK
    model, column, with_story = Hook, "hook", False

    def wants(self, endpoint: Hook, one: Notification) -> bool:
        kind = kind_of(one)
        return kind.hook in endpoint.types and kind.hooked(one.data)


class Chats(Sender):
    job, name, channel = "notifications.chat", "chat", Channel.CHAT
    model, column = Chat, "chat"

    def of(self, players: Collection[UUID]) -> QuerySet[Chat]:
        return super().of(players).filter(service__in=settings.TREY_CHAT_SERVICES)


WEBHOOKS, CHATS = Webhooks(), Chats()


#: The endpoints that can be tested, by the name of their poster.
TESTED: dict[str, type[Any]] = {CHATS.name: Chat}


def put_test(endpoint: Any) -> None:
    """Have an endpoint tested. If a test is waiting already, there is only one. Raises Throttled."""
    limit("test", str(endpoint.player_id))
    name = next(name for name, model in TESTED.items() if isinstance(endpoint, model))
    what = {"address": name, "id": str(endpoint.pk)}
    work.put(TEST, f"{name}:{endpoint.pk}", what, lane=f"test {endpoint.pk}")


def _prepare_test(job: work.Job, now: datetime) -> Request | None:
    endpoint = _tested(job).first()
    if endpoint is None:
        return None
    if until := busy_until([endpoint], now).get(endpoint.pk):
        _note_test(job, f"It asked us to wait until {until:%Y-%m-%d %H:%M} UTC.", now)
        return None
    return written(endpoint, f"msg_test_{endpoint.pk}", Message((TEST_TEXT,), absolute("/")), now, {})


def _send_test(request: Request) -> Exception | None:
    try:
        post(request)
    except (work.Later, work.GaveUp) as error:
        return error
    return None


def _settle_tests(done: Sequence[tuple[work.Job, Request, Exception | None]], now: datetime) -> None:
    for job, _, error in done:
        if (endpoint := _note_test(job, str(error) if error is not None else None, now)) is not None:
            _heed(endpoint, error, now)


def _test_failed(job: work.Job, error: Exception, _: datetime | None, now: datetime) -> None:
    if isinstance(error, vault.Unreadable):
        _note_test(job, str(error), now)


def _tested(job: work.Job) -> QuerySet[Any]:
    rows: QuerySet[Any] = TESTED[job.data["address"]].objects.filter(pk=job.data["id"])
    return rows


def _note_test(job: work.Job, error: str | None, now: datetime) -> Any:
    rows = _tested(job)
    rows.update(tested_at=now, error=error)
    if error is None:
        rows.update(failing_since=None)
    return rows.first()


def _heed(endpoint: Any, error: Exception | None, now: datetime) -> None:
    if isinstance(error, work.Later) and error.after is not None:
        keep_busy(endpoint, error.after, now, retries().longest)


work.outbound(
    TEST,
    work.Outbound(
        prepare=lambda jobs, now: [_prepare_test(job, now) for job in jobs],
        send=_send_test,
        settle=_settle_tests,
        failed=_test_failed,
        retries=retries,
    ),
)
