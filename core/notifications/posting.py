"""What is posted to the addresses that people gave, by `core.http.outgoing`, in one way for all channels."""

import json
from collections.abc import Collection, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from math import isnan
from typing import Any
from urllib.parse import urljoin
from uuid import UUID

import httpx
from django.conf import settings
from django.core.serializers.json import DjangoJSONEncoder
from django.utils.crypto import salted_hmac

from core import clock as service_clock
from core import vault
from core.chatting import SERVICES, Message, retry_after
from core.http import outgoing
from core.jobs import services as work
from core.notifications.models import BusyAddress, Endpoint

GONE = 410
# Characters of what a receiver says, where it is kept.
MOST_WORDS = 300
# Seconds; what is heeded of it is said elsewhere (`Retries.longest`).
LONGEST_WISH = 10**9


@dataclass(frozen=True, slots=True)
class Request:
    """What is posted. Its address, headers and secrets are shown to nobody: they may hold tokens."""

    url: str = field(repr=False)
    id: str
    body: bytes = field(repr=False)
    headers: Mapping[str, str] = field(repr=False)
    secrets: tuple[str, ...] = field(default=(), repr=False)
    """The secrets that sign it by Standard Webhooks; empty if it is signed otherwise or not at all."""
    service: str | None = None
    """The chat service that gets it."""


Errors = list[tuple[str, str]]


def checked_host(url: str, errors: Errors) -> str:
    """The host of an address that may be posted to, as far as that is known without a look-up."""
    try:
        return outgoing.check_url(url)
    except outgoing.BadAddress as error:
        errors.append(("url", str(error)))
        return ""


def absolute(link: str | None) -> str | None:
    return urljoin(settings.TREY_SITE_URL, link) if link is not None else None


def written(to: Any, message_id: str, said: Message, at: datetime, facts: Mapping[str, Any]) -> Request:
    """What an address gets: a webhook a signed event with the facts, a chat the message in its service's own form."""
    url, secrets = vault.unseal(to.url), tuple(map(vault.unseal, to.signing(service_clock.now())))
    if secrets:
        data = {**facts, "text": said.text, "link": said.link}
        event = json.dumps(
            {"type": said.type, "timestamp": at, "data": data},
            cls=DjangoJSONEncoder,
            ensure_ascii=False,
            separators=(",", ":"),
        )
        return Request(url, message_id, event.encode(), {"Content-Type": "application/json"}, secrets)
    parts = ("\n".join([said.text, *said.story]),) if said.story else said.parts
    url, body = SERVICES[to.service].post(url, Message(parts, absolute(said.link)))
    # No service knows the header; a bridge or bot of the player's own can use it to drop duplicates.
    headers = {"Content-Type": "application/json; charset=utf-8", "Idempotency-Key": message_id}
    text = json.dumps(body, ensure_ascii=False, separators=(",", ":"))
    return Request(url, message_id, text.encode(), headers, service=to.service)


def about(row: Any) -> dict[str, Any]:
    return {row.subject: row.subject_id, "version": row.version} if row.subject_id is not None else {}


class Gone(work.GaveUp):
    def __init__(self, status: int) -> None:
        super().__init__(f"It answered {status}: it is gone.")


def post(
    request: Request, gone: Collection[int] = (GONE,), *, forget: bool = False, ours: Collection[int] = ()
) -> outgoing.Reply:
    """Post it. Raises Later for failures that may pass, and Gone; the rest is as a `Poster` has it."""
    # By the real clock, by which the receiver checks signatures.
    stamp = datetime.now(UTC)
    try:
        reply = outgoing.post(request.url, request.body, {**request.headers, **_signed(request, stamp)})
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
        raise work.Later(said, after=_seconds(_asked(request, reply), stamp))
    return reply


def keep_busy(one: Endpoint, seconds: float, now: datetime, longest: timedelta) -> None:
    """NT9: an address that asks to be left alone (`Retry-After`) is left alone, by whatever goes there."""
    until = now + min(timedelta(seconds=max(0.0, seconds)), longest)
    BusyAddress.objects.update_or_create({"until": until}, digest=_digest(one))


def busy_until(endpoints: Collection[Endpoint], now: datetime) -> dict[UUID, datetime]:
    """Until when the addresses of endpoints ask to be left alone, by the endpoints' ids; one query if there are any."""
    digests = {one.pk: _digest(one) for one in endpoints}
    rows = BusyAddress.objects.filter(until__gt=now).in_bulk(set(digests.values())) if digests else {}
    return {pk: rows[digest].until for pk, digest in digests.items() if digest in rows}


def _digest(one: Endpoint) -> str:
    """The same for all who give the same address, however they write its host and port. Raises vault.Unreadable."""
    address = httpx.URL(vault.unseal(one.url)).copy_with(fragment=None)
    return salted_hmac("core.notifications.posting", str(address), algorithm="sha256").hexdigest()


def _signed(request: Request, stamp: datetime) -> dict[str, str]:
    """The headers of Standard Webhooks: an id for dropping duplicates, and signatures if there are secrets."""
    if not request.secrets:
        return {}
    from standardwebhooks import Webhook

    text = request.body.decode()
    # sign() takes any time for UTC.
    signatures = [Webhook(secret).sign(request.id, stamp, text) for secret in request.secrets]
    return {
        "webhook-id": request.id,
        "webhook-timestamp": str(int(stamp.timestamp())),
        "webhook-signature": " ".join(signatures),
    }


def _asked(request: Request, reply: outgoing.Reply) -> object:
    """For how long a receiver asks to be left alone, in the way of its service."""
    try:
        said = json.loads(reply.body)
    except (ValueError, RecursionError):
        said = None
    asks = SERVICES[request.service].asks if request.service is not None else retry_after
    return asks(request.url, reply.headers, said if isinstance(said, dict) else {})


def _seconds(wish: object, now: datetime) -> float | None:
    """What was asked for as a number of seconds, perhaps with a fraction, or as a date of HTTP; None: it is neither."""
    if isinstance(wish, str):
        wish = _number_in(wish, now)
    if isinstance(wish, bool) or not isinstance(wish, int | float) or isnan(min(wish, LONGEST_WISH)):
        return None
    return float(min(max(wish, 0), LONGEST_WISH))


def _number_in(text: str, now: datetime) -> float | None:
    with suppress(ValueError):
        return float(text)
    try:
        at = parsedate_to_datetime(text)
    except (ValueError, OverflowError):
        return None
    return (at.replace(tzinfo=at.tzinfo or UTC) - now).total_seconds()


def retries() -> work.Retries:
    """NT9's pauses, as settings.TREY_RETRIES has them (seconds: the first, the longest, in all)."""
    return work.Retries(*(timedelta(seconds=one) for one in settings.TREY_RETRIES))
