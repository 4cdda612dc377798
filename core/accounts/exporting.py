"""What the service holds about a player, to take away (apps `add_part`); and the accounts in an export of the log."""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import datetime
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django.core.serializers.json import DjangoJSONEncoder
from django.db.models import Model, QuerySet

from core import calendars
from core.accounts.login import sessions, tokens
from core.accounts.models import Audit, Block, LoginPlace, Player, Session, Token

FORMAT = "trey-account/1"

Part = Callable[[Player], Iterable[dict[str, Any]]]

_parts: dict[str, Part] = {}
told: set[type[Model]] = set()
"""The models of whose rows some part tells."""


def add_part(name: str, part: Part, *models: type[Model]) -> None:
    """Add a list to every export: objects of JSON values, times and ids. Called in `AppConfig.ready`.

    `models` are those with a key to the player of which it tells.
    """
    _parts[name] = part
    told.update(models)


def named() -> Iterable[str]:
    return _parts


def document(player: Player, now: datetime) -> Iterator[str]:
    before = "{"
    for name, part in parts_of(player, now):
        yield f"{before}{_text(name)}: "
        before = ",\n"
        if isinstance(part, Iterator):
            yield from _array(part)
        else:
            yield _text(part)
    yield "}\n"


def _array(items: Iterator[Any]) -> Iterator[str]:
    before = "["
    for item in items:
        yield f"{before}\n{_text(item)}"
        before = ","
    yield "[]" if before == "[" else "]"


def _text(value: Any) -> str:
    return json.dumps(value, cls=DjangoJSONEncoder, ensure_ascii=False)


def parts_of(player: Player, now: datetime) -> Iterator[tuple[str, Any]]:
    """The keys of an export with their values; lists are iterators, so that an export need not fit into memory."""
    yield "format", FORMAT
    yield "exported_at", now
    yield "account", _account(player)
    for name, part in _parts.items():
        yield name, iter(part(player))


def _rows(rows: QuerySet[Any], *columns: str, **renamed: str) -> Iterator[dict[str, Any]]:
    names = {column: column for column in columns} | renamed
    for values in rows.values_list(*names.values()):
        yield dict(zip(names, values, strict=True))


def _account(player: Player) -> dict[str, Any]:
    return {
        "id": player.pk,
        "username": player.username,
        "email": player.email or None,
        "addresses": [
            {"address": one.email, "verified": one.verified} for one in EmailAddress.objects.filter(user=player)
        ],
        "guest": player.is_guest,
        "joined_at": player.date_joined,
        "last_login": player.last_login,
        "is_staff": player.is_staff,
        "is_superuser": player.is_superuser,
        "preferences": player.preferences,
        "handles": player.handles,
        "calendar": calendars.shown(player.calendar),
        "calendar_history": {"quiet_hours": player.quiet_hours, "vacation": player.vacation},
    }


def _tokens(player: Player) -> Iterator[dict[str, Any]]:
    issued = tokens.valid(player).order_by("-created", "-id")
    about = ("id", "name", "app", "scopes", "last_used_at")
    return _rows(issued, *about, created_at="created", expires_at="expiry")


def _blocked(player: Player) -> Iterator[dict[str, Any]]:
    return _rows(Block.objects.filter(player=player).order_by("pk"), "at", id="blocked_id")


def _factors(player: Player) -> Iterator[dict[str, Any]]:
    factors = Authenticator.objects.filter(user=player).order_by("pk")
    return _rows(factors, "last_used_at", kind="type", added_at="created_at")


def _places(player: Player) -> Iterator[dict[str, Any]]:
    places = LoginPlace.objects.filter(player=player).order_by("-last_at", "-id")
    return _rows(places, "digest", "first_at", "last_at")


def _sessions(player: Player) -> Iterator[dict[str, Any]]:
    for row, about in sessions.browsers(player):
        yield {
            "expires_at": row.expire_date,
            "began_at": None if about is None else about.created_at,
            "address": None if about is None else about.ip,
            "browser": None if about is None else about.user_agent,
        }


def _audit(player: Player) -> Iterator[dict[str, Any]]:
    about = f"player {player.pk}"
    for entry in Audit.objects.filter(by=player.pk).union(Audit.objects.filter(subject=about)).order_by("id"):
        yield {
            "at": entry.at,
            "by_you": entry.by == player.pk,
            "action": entry.action,
            "subject": entry.subject,
            "reason": entry.reason,
        }


add_part("tokens", _tokens, Token)
add_part("sessions", _sessions, Session, UserSession)
add_part("blocked", _blocked, Block)
add_part("second_factors", _factors, Authenticator)
add_part("login_places", _places, LoginPlace)
add_part("audit", _audit, Audit)
told.add(EmailAddress)  # part of the account
