"""One's calendar: what waits for a player and when, as iCalendar (RFC 5545), at an address with a secret."""

import hashlib
import secrets as lots
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime, timedelta
from urllib.parse import urlsplit

from django.conf import settings
from django.db import transaction

from core import clock as service_clock
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.login import client_ids, tokens
from core.accounts.models import Player
from core.notifications.kinds import Dated, subjects
from core.notifications.models import Calendar
from core.notifications.posting import absolute

# Hexadecimal digits, which are taken out of log lines wherever they stand (config.ops.logs).
_SECRET_BYTES = 32
# How often it is noted that somebody has read it.
_READ_NOTED_EVERY = timedelta(minutes=1)
_LINE = 75
_ESCAPED = str.maketrans({"\\": "\\\\", ";": "\\;", ",": "\\,", "\n": "\\n"})


def make(player: Player, *, app: str | None = None) -> str:
    """A new address, in place of the one before; it ends with the app that makes it. Raises NotFound."""
    secret, now = lots.token_hex(_SECRET_BYTES), service_clock.now()
    fresh = {"digest": _digest(secret), "created_at": now, "read_at": None, "in_question": False, "app": app}
    with transaction.atomic():
        if app is not None:
            tokens.check_app(player, app)
        Calendar.objects.update_or_create(player=player, defaults=fresh)
    return f"{settings.TREY_SITE_URL}/ics/{secret}.ics"


def of(player: Player) -> Calendar | None:
    return Calendar.objects.filter(player=player).first()


def drop(player: Player) -> None:
    Calendar.objects.filter(player=player).delete()


@ending.on_the_way_out(Right.ACCOUNT, What.ADDRESSES)
def reader_of(secret: str, now: datetime) -> Player | None:
    """The player whose calendar is there (None: nobody's, or not any more); it is noted that it was read."""
    row = Calendar.objects.filter(digest=_digest(secret), player__is_active=True).select_related("player").first()
    if row is None or (row.app is not None and not client_ids.is_allowed(row.app)):
        return None
    if row.read_at is None or row.read_at <= now - _READ_NOTED_EVERY:
        Calendar.objects.filter(pk=row.pk, digest=row.digest).update(read_at=now)
    return row.player


def calendar_of(player: Player, now: datetime) -> bytes:
    """What is to come for the player, the earliest first. The same bytes as long as nothing changes."""
    dated = [one for subject in subjects() for one in subject.dates(player, now)]
    return written(sorted(dated, key=lambda one: (one.at, one.uid)))


def written(dated: Iterable[Dated]) -> bytes:
    return "".join(f"{folded(line)}\r\n" for line in _lines(dated)).encode()


def _lines(dated: Iterable[Dated]) -> Iterator[str]:
    yield "BEGIN:VCALENDAR"
    yield "VERSION:2.0"
    yield "PRODID:-//Trey//Trey//EN"
    yield "CALSCALE:GREGORIAN"
    yield "X-WR-CALNAME:Trey"
    yield "REFRESH-INTERVAL;VALUE=DURATION:PT1H"
    yield "X-PUBLISHED-TTL:PT1H"
    host = urlsplit(settings.TREY_SITE_URL).hostname
    for one in dated:
        yield "BEGIN:VEVENT"
        yield f"UID:{one.uid}@{host}"
        yield f"DTSTAMP:{_time(one.since)}"
        yield f"DTSTART:{_time(one.at)}"
        yield f"SEQUENCE:{one.sequence}"
        yield f"SUMMARY:{one.summary.translate(_ESCAPED)}"
        if (url := absolute(one.link)) is not None:
            yield f"URL:{url}"
        yield "TRANSP:TRANSPARENT"
        yield "END:VEVENT"
    yield "END:VCALENDAR"


def folded(line: str) -> str:
    """The line in parts of 75 octets at most, never within a character (RFC 5545, 3.1)."""
    parts, part, size = [], "", 0
    for character in line:
        octets = len(character.encode())
        if size + octets > _LINE:
            parts.append(part)
            part, size = " ", 1
        part, size = part + character, size + octets
    return "\r\n".join([*parts, part])


def _time(moment: datetime) -> str:
    return f"{moment.astimezone(UTC):%Y%m%dT%H%M%SZ}"


def _digest(secret: str) -> str:
    return hashlib.sha256(secret.encode()).hexdigest()
