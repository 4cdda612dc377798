"""Web Push: notifications for browsers without an open page.

What is sent is a declarative push message (https://www.w3.org/TR/push-api/#declarative-push-message), encrypted for the
browser by RFC 8291, under a key of this server that is made once and kept (VAPID, RFC 8292).
"""

import json
from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as NotBase64
from collections.abc import Collection, Mapping, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from time import time
from typing import Any
from urllib.parse import urljoin, urlsplit
from uuid import UUID

from django.conf import settings
from django.db import transaction
from django.db.models import F, Q, QuerySet

from core import clock as service_clock
from core import vault
from core.accounts import ending, signals
from core.accounts.ending import Right, What
from core.accounts.models import Player, Session, Token
from core.chatting import Message
from core.notifications import kinds
from core.notifications.kinds import URGENT
from core.notifications.models import Channel, EndedSubscription, Notification, PushKey, Subscription
from core.notifications.posting import Errors, Request, about, checked_host
from core.notifications.senders import Sender
from core.refusals import NotFound, invalid

# The most browsers of one player; a new one replaces the oldest.
MOST = 10
MOST_ENDED = 100
LONGEST = timedelta(days=28)
# The time that a push waits for a player who is at the table and may see it there.
AT_THE_TABLE = timedelta(seconds=10)
# What is said is read at the table meanwhile, or it is pushed.
TALK_GRACE = timedelta(minutes=2)
PRESENT = "present"
# Seconds that a signature of ours holds; a push service refuses more than a day.
SIGNED_FOR = 12 * 3600
# A record has 4096 bytes, 103 of them its own (RFC 8291, 4).
MOST_BYTES = 3993
# Three quarters of fewer characters and an ellipsis are as many.
SHORTEST = 5
# Pushes without a request of their session or token.
MOST_UNANSWERED = 5


def public_key() -> str:
    """Return the public key as browsers subscribe with it (`applicationServerKey`). It is made at the first call."""
    return _key().public


def subscribe(
    player: Player, endpoint: str, p256dh: str, auth: str, *, session: str | None = None, token: Token | None = None
) -> tuple[Subscription, bool]:
    """A browser's subscription, renewed or new, and whether it is new. It ends with the session or the token.

    Raises Invalid (bad_subscription), naming the fields.
    """
    at = service_clock.now()
    errors: Errors = []
    host = checked_host(endpoint, errors)
    errors = [("endpoint", detail) for _, detail in errors]
    if not _is_point(p256dh):
        errors.append(("keys.p256dh", "Must be a public key of P-256: 65 bytes in base64url."))
    if len(_decoded(auth)) != 16:
        errors.append(("keys.auth", "Must be 16 bytes in base64url."))
    if errors:
        raise invalid("bad_subscription", errors)
    digest = sha256(endpoint.encode()).hexdigest()
    with transaction.atomic():
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        wanted = {
            "player": player, "session_id": session, "token": token, "url": vault.seal(endpoint), "host": host,
            "p256dh": p256dh, "auth": vault.seal(auth), "created_at": at,
        }  # fmt: skip
        rows = Subscription.objects.select_for_update()
        one, new = rows.get_or_create(digest=digest, defaults=wanted)
        if not new:
            new = one.player_id != player.pk
            del wanted["created_at"]
            for name, value in wanted.items():
                setattr(one, name, value)
            one.switch_on()
            one.save()
        EndedSubscription.objects.filter(player=player, digest=digest).delete()
        if new:
            signals.secured.send(sender=Player, player=player, what="browser", now=at, host=host)
        kept = subscriptions_of(player).order_by("-created_at", "-pk").values_list("pk", flat=True)[:MOST]
        subscriptions_of(player).exclude(pk__in=[*kept, one.pk]).delete()
    return one, new


def subscriptions_of(player: Player) -> QuerySet[Subscription]:
    return Subscription.objects.filter(player=player)


def unsubscribe(player: Player, subscription_id: UUID) -> None:
    """Raises NotFound."""
    with transaction.atomic():
        one = subscriptions_of(player).select_for_update().filter(pk=subscription_id).first()
        if one is None:
            raise NotFound("not_found", "You have no such browser.")
        one.delete()
        own = EndedSubscription.objects.filter(player=player)
        own.update_or_create({"at": service_clock.now()}, player=player, digest=one.digest)
        own.exclude(pk__in=own.order_by("-at").values("pk")[:MOST_ENDED]).delete()


def ended(player: Player) -> list[str]:
    """The digests of the browsers whose pushes the player ended since they were last begun there."""
    return list(EndedSubscription.objects.filter(player=player).order_by("-at").values_list("digest", flat=True))


def message(one: Notification, said: Message) -> bytes:
    link = said.link or "/"
    shown = {
        "title": said.text,
        "body": " ".join(said.story),
        "navigate": urljoin(settings.TREY_SITE_URL, link),
        "lang": "en",
        "dir": "ltr",
        "tag": one.subject_id.hex if one.subject_id is not None else one.cause,
        "data": {
            "number": one.number,
            "kind": one.kind,
            "cause": one.cause,
            "link": link,
            **about(one),
        },
    }
    body = {"web_push": 8030, "app_badge": kinds.badge_of(one.player_id), "notification": shown}
    while len(text := _json(body)) > MOST_BYTES:
        # Only a reason that somebody wrote, or an account of what happened, can be that long.
        longest = max(("title", "body"), key=lambda name: len(str(shown[name])))
        if len(str(shown[longest])) < SHORTEST:
            break
        shown[longest] = f"{str(shown[longest])[: len(str(shown[longest])) * 3 // 4]}…"
    return text


def written(to: Subscription, message_id: str, content: bytes, headers: dict[str, str]) -> Request:
    from core.notifications.webpush import encrypt

    endpoint = vault.unseal(to.url)
    encrypted = encrypt(content, _decoded(to.p256dh), _decoded(vault.unseal(to.auth)))
    return Request(
        endpoint,
        message_id,
        encrypted,
        {
            "Content-Type": "application/octet-stream",
            "Content-Encoding": "aes128gcm",
            "Authorization": _authorization(endpoint),
            **headers,
        },
    )


def _authorization(endpoint: str) -> str:
    """Return the header that says who we are (RFC 8292), by the real clock: the push service checks it by its own."""
    from py_vapid import Vapid02

    parts = urlsplit(endpoint)
    claims = {
        "aud": f"{parts.scheme}://{parts.netloc}",
        "sub": f"https://{urlsplit(settings.TREY_SITE_URL).hostname}",
        "exp": int(time()) + SIGNED_FOR,
    }
    vapid = Vapid02.from_pem(vault.unseal(_key().private).encode())
    # Its own check of `sub` refuses host names of one word, as in a home network.
    vapid.conf["no-strict"] = True
    return str(vapid.sign(claims)["Authorization"])


def _key() -> PushKey:
    known = PushKey.objects.first()
    if known is not None:
        return known
    from cryptography.hazmat.primitives import serialization
    from py_vapid import Vapid02

    made = Vapid02()
    made.generate_keys()
    form = serialization.Encoding.X962, serialization.PublicFormat.UncompressedPoint
    public = urlsafe_b64encode(made.public_key.public_bytes(*form)).decode().rstrip("=")
    row = PushKey(private=vault.seal(made.private_pem().decode()), public=public, created_at=service_clock.now())
    # If two processes come at the same time, one of them makes it.
    PushKey.objects.bulk_create([row], ignore_conflicts=True)
    return PushKey.objects.get()


def _is_point(text: str) -> bool:
    from cryptography.hazmat.primitives.asymmetric import ec

    raw = _decoded(text)
    if len(raw) != 65:
        return False
    try:
        ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), raw)
    except ValueError:
        return False
    return True


def _decoded(text: str) -> bytes:
    try:
        return urlsafe_b64decode(text + "=" * (-len(text) % 4))
    except (NotBase64, ValueError):
        return b""


def _json(body: object) -> bytes:
    return json.dumps(body, ensure_ascii=False, separators=(",", ":"), default=str).encode()


class Pushes(Sender):
    job, name, channel = "notifications.push", "push", Channel.PUSH
    model, column = Subscription, "subscription"
    # RFC 8030, 7.3.
    gone, forget = frozenset((404, 410)), True
    # RFC 8292, 4.2: our key or our signature is refused, which is our fault.
    ours = frozenset((401, 403))

    @ending.on_the_way_out(Right.SESSION, What.PUSHES)
    @ending.on_the_way_out(Right.TOKEN, What.PUSHES)
    @ending.on_the_way_out(Right.APP, What.PUSHES)
    @ending.on_the_way_out(Right.ACCOUNT, What.PUSHES)
    def of(self, players: Collection[UUID]) -> QuerySet[Subscription]:
        now = service_clock.now()
        lasting = Q(session__expire_date__gt=now) | Q(token__expiry__gt=now)
        return super().of(players).filter(lasting).select_related("session", "token")

    def due(self, one: Notification, now: datetime) -> datetime:
        if one.kind == kinds.TALK:
            return now + TALK_GRACE
        return now + AT_THE_TABLE if kinds.subject_of(one).is_present(one, now) else now

    def no_points(self, rows: Sequence[Any], now: datetime) -> Mapping[int, str]:
        """TK7: of a talk nothing is pushed to somebody at the table."""
        talks = [row for row in rows if row.notification.kind == kinds.TALK]
        there = {
            row.pk: PRESENT for row in talks if kinds.subject_of(row.notification).is_present(row.notification, now)
        }
        return {**super().no_points(rows, now), **there}

    def answers(self, endpoint: Subscription) -> bool:
        """NT3: it does not work if nobody has come back after so many pushes."""
        owners = (owner for owner in (endpoint.session, endpoint.token) if owner is not None)
        return max(owner.unanswered for owner in owners) < MOST_UNANSWERED

    def sent(self, to: Collection[Subscription]) -> None:
        for model, ids in ((Session, {one.session_id for one in to}), (Token, {one.token_id for one in to})):
            model.objects.filter(pk__in=ids - {None}).update(unanswered=F("unanswered") + 1)

    def request(self, one: Notification, to: Subscription, said: Message, now: datetime) -> Request:
        due = kinds.subject_of(one).deadline(one)
        left = min(due - now, LONGEST) if due is not None else LONGEST
        headers = {
            "TTL": str(max(0, int(left.total_seconds()))),
            "Urgency": "high" if one.kind in URGENT else "normal",
            **({"Topic": one.subject_id.hex} if one.subject_id is not None else {}),
        }
        return written(to, f"msg_{one.pk}", message(one, said), headers)


PUSHES = Pushes()
