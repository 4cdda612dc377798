"""The addresses that people give for posting to: their webhooks and chats, and channels of rooms and tournaments.

An address may hold a token, so it is encrypted, and only its host is ever shown. To a group's channels (NT7) a room or
a tournament posts for everybody who reads there; each app says who may add one and when (`Holder.change`).
"""

import logging
import secrets as lots
from base64 import b64encode
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from enum import Enum
from functools import partial
from typing import Any, TypeVar
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core import log, vault
from core.accounts import ending, signals
from core.accounts.ending import Right, What
from core.accounts.login import tokens
from core.accounts.models import Player
from core.chatting import SERVICES, Mention
from core.jobs import services as work
from core.notifications.kinds import HOOK_TYPES
from core.notifications.models import LASTING, Calendar, Chat, Delivery, GroupChannel, Hook, Posting, State
from core.notifications.posting import Errors, checked_host
from core.notifications.senders import GROUPS, WEBHOOKS, put_test
from core.refusals import Forbidden, NotFound, Refused, TooMany, invalid

MOST_CHANNELS = 5
SECRET_BYTES = 24
# The time for which the old secret of a webhook signs beside the new one.
BOTH = timedelta(hours=24)
WEBHOOK = "webhook"
DROP = "notifications.drop_channel"
TURN, RESULT, ROUND, STANDINGS = "turn", "result", "round", "standings"

logger = logging.getLogger(__name__)

Own = TypeVar("Own", Hook, Chat)

Named = Sequence[Mapping[str, str]]
"""The channels of a group as its events name them: `[{"id", "service"}]`."""

Decide = Callable[[Named], Sequence[Mapping[str, Any]]]
"""The data of the events that change the present channels."""


def offered() -> list[str]:
    return list(settings.TREY_CHAT_SERVICES)


def create_webhook(
    player: Player, url: str, types: Sequence[str] | None = None, *, app: str | None = None
) -> tuple[Hook, str]:
    """A new webhook and its secret; one that an app makes ends with the app (AP14). Raises Invalid, TooMany."""
    host, secret = _checked("bad_webhook", WEBHOOK, url, (WEBHOOK,), types), new_secret()
    chosen = sorted(set(types)) if types is not None else list(HOOK_TYPES)
    hook = Hook(player=player, secret=vault.seal(secret), types=chosen, created_at=service_clock.now(), app=app)
    return _add(hook, url, host), secret


def create_chat(player: Player, service: str, url: str, *, app: str | None = None) -> Chat:
    """A chat address; one that an app makes ends with the app (AP14). Raises Invalid (bad_chat), TooMany."""
    host = _checked("bad_chat", service, url, offered())
    return _add(Chat(player=player, service=service, created_at=service_clock.now(), app=app), url, host)


def change(
    model: type[Own],
    player: Player,
    endpoint_id: UUID,
    *,
    url: str | None = None,
    types: Sequence[str] | None = None,
    active: bool | None = None,
    app: str | None = None,
) -> Own:
    """Change what is given; another address is switched on, told as a new one is, and of the app that gives it (AP14).

    Raises NotFound, Invalid (bad_webhook, bad_chat), naming the fields.
    """
    with transaction.atomic():
        one = find(model, player, endpoint_id, lock=True)
        host = _checked(f"bad_{one.WORD}", one.service, url, offered() if one.service != WEBHOOK else (WEBHOOK,), types)
        if isinstance(one, Hook) and types is not None:
            one.types = sorted(set(types))
        if url is not None:
            if app is not None:
                tokens.check_app(player, app)
            # An app may know the secret of what it made, which so stays its own.
            one.url, one.host, one.app = vault.seal(url), host, app or one.app
        if active is True or (url is not None and active is None):
            one.switch_on()
        elif active is False and one.off_since is None:
            one.off_since, one.off_because = service_clock.now(), "by you"
        one.save()
        if url is not None:
            signals.secured.send(sender=Player, player=player, what=one.WORD, now=service_clock.now(), host=host)
    return one


def rotate(player: Player, hook_id: UUID, *, app: str | None = None) -> tuple[Hook, str]:
    """A new secret, shown only this once. For a day both secrets sign.

    Raises NotFound; Forbidden (forbidden): an app would know the secret of a webhook that outlives it (AC6).
    """
    secret = new_secret()
    with transaction.atomic():
        hook = find(Hook, player, hook_id, lock=True)
        if app not in (None, hook.app):
            raise Forbidden("forbidden", "This app did not make this webhook. Only you can renew its secret.")
        hook.old_secret, hook.old_secret_until = hook.secret, service_clock.now() + BOTH
        hook.secret = vault.seal(secret)
        hook.save(update_fields=["secret", "old_secret", "old_secret_until"])
    return hook, secret


def replay(player: Player, hook_id: UUID, since: datetime) -> int:
    """Resend all that the webhook should have got since then, with the same ids; return how much. Raises NotFound."""
    at = service_clock.now()
    with transaction.atomic():
        hook = find(Hook, player, hook_id, lock=True)
        again = Delivery.objects.filter(hook=hook, notification__created_at__gte=since).order_by("notification")
        work.drop(WEBHOOKS.job, list(map(str, again.values_list("pk", flat=True))))
        again.update(state=State.HELD, reason=None, until=at, at=at)
        rows = list(again)
        WEBHOOKS.queue(rows, again=True)
    return len(rows)


def find(model: type[Own], player: Player, endpoint_id: UUID, *, lock: bool = False) -> Own:
    """One of the player's own. Raises NotFound."""
    rows = model.objects.select_for_update() if lock else model.objects
    one = rows.filter(player=player, pk=endpoint_id).first()
    if one is None:
        raise NotFound("not_found", f"There is no such {model._meta.verbose_name} of yours.")  # noqa: SLF001
    return one


def of(player: Player, *models: type[Hook] | type[Chat] | type[Calendar]) -> list[Hook | Chat | Calendar]:
    return [
        one for model in models or LASTING for one in model.objects.filter(player=player).order_by("created_at", "pk")
    ]


@ending.at_once(Right.APP, What.ADDRESSES)
def end_of_app(*, player: Player, app: str, **_: Any) -> None:
    for model in LASTING:
        model.objects.filter(player=player, app=app).delete()


@ending.at_once(Right.PASSWORD, What.ADDRESSES)
def ask_about(*, player: Player, **_: Any) -> None:
    """After a new password: have the owner asked whether they stay."""
    for model in LASTING:
        model.objects.filter(player=player).update(in_question=True)


def decide(player: Player, *, stay: bool) -> None:
    for model in LASTING:
        rows = model.objects.filter(player=player, in_question=True)
        if stay:
            rows.update(in_question=False)
        else:
            rows.delete()


def end(player: Player, endpoint_id: str) -> None:
    for one in of(player):
        if str(one.pk) == endpoint_id:
            one.delete()


def _checked(
    code: str, service: str, url: str | None, known: Collection[str], types: Sequence[str] | None = None
) -> str:
    errors: Errors = []
    if url is not None and service not in known:
        errors.append(("service", f"There is no such service here. There are: {', '.join(known) or 'none'}."))
    host = checked_host(url, errors) if url is not None else ""
    if not errors and url is not None and service != WEBHOOK and (wrong := SERVICES[service].wrong(url)) is not None:
        errors.append(("url", f"{wrong} It looks like {SERVICES[service].address}"))
    if unknown := [one for one in types or () if one not in HOOK_TYPES]:
        errors.append(("types", f"There is no type {unknown[0]!r}. There are: {', '.join(HOOK_TYPES)}."))
    elif types is not None and not types:
        errors.append(("types", "Name at least one type."))
    if errors:
        raise invalid(code, errors)
    return host


def _add(one: Own, url: str, host: str) -> Own:
    """Save a new endpoint, and tell its owner of it. Raises TooMany (webhook_limit, chat_limit)."""
    with transaction.atomic():
        if one.app is None:
            Player.objects.select_for_update(no_key=True).get(pk=one.player_id)
        else:
            tokens.check_app(one.player, one.app)
        if type(one).objects.filter(player=one.player_id).count() >= one.MOST:
            name = {"webhook": "webhooks", "chat": "chat addresses"}[one.WORD]
            raise TooMany(f"{one.WORD}_limit", f"You have {one.MOST} {name}, which is the limit.")
        one.url, one.host = vault.seal(url), host
        one.save(force_insert=True)
        signals.secured.send(sender=Player, player=one.player, what=one.WORD, now=one.created_at, host=host)
    return one


def new_secret() -> str:
    return f"whsec_{b64encode(lots.token_bytes(SECRET_BYTES)).decode()}"


class Act(Enum):
    """What somebody does to a group's channels; their own they may remove whoever they are."""

    ADD = "add"
    REMOVE = "remove"
    REMOVE_OWN = "remove one's own"
    CLOSE = "close an account, or lose a right to it"


_holders: dict[str, "Holder"] = {}


class Holder:
    """Whatever holds channels: rooms, tournaments. Which services they are is in its log; the addresses are not."""

    subject: str

    def __init__(self) -> None:
        _holders[self.subject] = self

    def runs(self, one: Any, player: Player | None) -> bool:
        """Whether the player runs a room or tournament, and so sees whose each channel is."""
        raise NotImplementedError

    def change(self, holder_id: UUID, player: Player, decide: Decide, act: Act, now: datetime) -> None:
        """Append the events that `decide` finds. Raises NotFound, and whatever forbids the act."""
        raise NotImplementedError

    def add(
        self, holder_id: UUID, player: Player, service: str, url: str, *, app: str | None = None
    ) -> tuple[GroupChannel, str | None]:
        """Add a channel; whoever it concerns is told. Also returns a webhook's secret, which is shown only this once.

        An app's ends with it. Raises Invalid (bad_chat), TooMany (channel_limit), what `change` raises.
        """
        at, host = service_clock.now(), _checked("bad_chat", service, url, (*offered(), WEBHOOK))
        secret = new_secret() if service == WEBHOOK else None
        with transaction.atomic():
            if app is not None:
                tokens.check_app(player, app)
            row = GroupChannel.objects.create(
                player=player,
                app=app,
                subject=self.subject,
                subject_id=holder_id,
                service=service,
                url=vault.seal(url),
                host=host,
                secret=vault.seal(secret) if secret is not None else None,
                created_at=at,
            )
            self.change(holder_id, player, lambda channels: [_with(channels, row)], Act.ADD, at)
        return row, secret

    def remove(self, holder_id: UUID, player: Player, channel_id: UUID) -> None:
        """Remove a channel, as whoever runs it or gave it. Raises NotFound; what `change` raises."""
        row = self._one(holder_id, channel_id)
        act = Act.REMOVE_OWN if row.player_id == player.pk else Act.REMOVE
        with transaction.atomic():
            GroupChannel.objects.filter(pk=row.pk).delete()
            self.change(holder_id, player, lambda channels: gone(channels, [row]), act, service_clock.now())

    def test(self, holder_id: UUID, player: Player, channel_id: UUID) -> GroupChannel:
        row = self._one(holder_id, channel_id)
        if row.player_id != player.pk:
            raise NotFound("not_found", "There is no such channel of yours.")
        put_test(row)
        return row

    def shown(self, one: Any, player: Player | None) -> list[dict[str, Any]]:
        """The channels, for people who may know of it; `own` for the giver alone, `given_by` for who runs it."""
        rows = GroupChannel.objects.filter(subject=self.subject, subject_id=one.id).select_related("player")
        found = {str(row.pk): row for row in rows}
        runs = self.runs(one, player)
        return [
            {
                "id": named["id"],
                "service": named["service"],
                "own": _own(found.get(named["id"]), player),
                "given_by": found[named["id"]].player.username if runs and named["id"] in found else None,
            }
            for named in one.channels
        ]

    def given_by(self, player: Player) -> dict[UUID, list[GroupChannel]]:
        found: dict[UUID, list[GroupChannel]] = {}
        for row in GroupChannel.objects.filter(subject=self.subject, player=player):
            found.setdefault(row.subject_id, []).append(row)
        return found

    def drop_given(self, *, player: Player, now: datetime, **_: Any) -> None:
        """An account is being closed: its channels are removed, and nothing names them any more."""
        self.drop(player, self.given_by(player), now)

    def drop(self, player: Player, given: Mapping[UUID, Sequence[GroupChannel]], now: datetime) -> None:
        """Remove these channels. What is gone, or has a damaged log, keeps no account open; it is logged."""
        for holder_id, rows in given.items():
            GroupChannel.objects.filter(pk__in=[row.pk for row in rows]).delete()
            try:
                self.change(holder_id, player, partial(gone, rows=rows), Act.CLOSE, now)
            except (Refused, log.LogError, LookupError, ValueError):
                logger.exception("%s %s still names the channels of %s", self.subject, holder_id, player.pk)

    def _one(self, holder_id: UUID, channel_id: UUID) -> GroupChannel:
        row = GroupChannel.objects.filter(subject=self.subject, subject_id=holder_id, pk=channel_id).first()
        if row is None:
            raise NotFound("not_found", "There is no such channel.")
        return row


@ending.at_once(Right.APP, What.CHANNELS)
def end_channels_of_app(*, player: Player, app: str, **_: Any) -> None:
    """They post nothing any more at once; what they were added to names them until the job is done."""
    rows = GroupChannel.objects.filter(player=player, app=app)
    for row in rows:
        what = {"subject": row.subject, "id": row.subject_id, "player": player.pk, "service": row.service}
        work.put(DROP, str(row.pk), what)
    rows.delete()


@work.local(DROP)
def drop_channel(job: work.Job, now: datetime) -> None:
    player = Player.objects.filter(pk=job.data["player"]).first()
    if player is not None:  # otherwise closing the account saw to it
        row = GroupChannel(pk=UUID(job.key), service=job.data["service"])
        _holders[job.data["subject"]].drop(player, {UUID(job.data["id"]): [row]}, now)


def gone(channels: Named, rows: Iterable[GroupChannel]) -> list[dict[str, Any]]:
    """The data of the events by which these channels go, one after the other; none for those not among them."""
    changes, left = [], list(channels)
    for row in rows:
        after = [one for one in left if one["id"] != str(row.pk)]
        if len(after) < len(left):
            changes.append({"channels": after, "added": None, "removed": row.service})
        left = after
    return changes


def _with(channels: Named, row: GroupChannel) -> dict[str, Any]:
    """The data of the event by which a channel comes. Raises TooMany (channel_limit)."""
    if len(channels) >= MOST_CHANNELS:
        raise TooMany("channel_limit", f"There are {MOST_CHANNELS} channels, which is the limit.")
    after = [*channels, {"id": str(row.pk), "service": row.service}]
    return {"channels": after, "added": row.service, "removed": None}


def _own(row: GroupChannel | None, player: Player | None) -> GroupChannel | None:
    return row if row is not None and player is not None and row.player_id == player.pk else None


def given_at(subject_id: UUID, players: Iterable[UUID]) -> QuerySet[GroupChannel]:
    return GroupChannel.objects.filter(subject_id=subject_id, player__in=players)


@ending.at_once(Right.ROOM, What.CHANNELS)
@ending.at_once(Right.TOURNAMENT, What.CHANNELS)
def forget(*, subject_id: UUID, players: Iterable[UUID], **_: Any) -> None:
    """The players have no right to the subject any more: the channels that they gave it go, and what waits for them."""
    given_at(subject_id, players).delete()


def post(
    holder_id: UUID,
    topic: str,
    cause: str,
    *,
    subject: str,
    subject_id: UUID,
    version: int,
    **data: Any,
) -> None:
    """Post something to a group's channels, once for its cause in each, in the caller's transaction."""
    at = service_clock.now()
    what = {"topic": topic, "subject": subject, "subject_id": subject_id, "version": version, "data": data}
    state = {"created_at": at, "state": State.HELD, "until": at, "at": at}
    channels = GroupChannel.objects.filter(subject_id=holder_id, off_since__isnull=True)
    for channel in channels.filter(service__in=(*offered(), WEBHOOK)).order_by("created_at", "pk"):
        one, new = Posting.objects.get_or_create({**what, **state}, channel=channel, cause=cause)
        if new:
            GROUPS.queue([one])


def mention(player: Player | None, service: str) -> Mention:
    """How a player is named in a service: mentioned only if they consented."""
    if player is None:
        return Mention("Somebody")
    return Mention(player.username, player.handles.get(service))
