"""A player's preferences: which kinds go to which channels, and when to be reminded.

`Inbox.choices` holds what differs from the defaults: `{"matrix": {kind: {channel: value}}, "always": bool,
"reminders": [...]}`. A value is true, false, or "fallback": only if no other channel reaches the player.

The link that stops mails of a kind (RFC 8058) holds the player and the kinds, signed, and needs no log-in.
"""

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.db import transaction
from django.urls import reverse

from core import clock as service_clock
from core.accounts.models import Player
from core.notifications.kinds import MAILED_LAST, NAMES, SECURITY, TALK, subjects
from core.notifications.models import Channel, Inbox
from core.refusals import check_seen, invalid

FALLBACK = "fallback"
# Webhooks have their subscriptions instead.
CHANNELS = (Channel.LIVE.value, Channel.PUSH.value, Channel.MAIL.value, Channel.CHAT.value)
MOST_REMINDERS = 5
DEFAULT_REMINDERS = ("20%",)
_SPAN = re.compile(r"([1-9][0-9]{0,4})(m|h|d)")
_SHARE = re.compile(r"([1-9][0-9]?)%")
_UNITS = {"m": timedelta(minutes=1), "h": timedelta(hours=1), "d": timedelta(days=1)}
LONGEST_MARK = timedelta(days=60)
_SALT = "notifications.stopping"


def default(kind: str, channel: str) -> bool | str:
    if kind == TALK:
        return channel not in (Channel.MAIL, Channel.CHAT)
    return FALLBACK if channel == Channel.MAIL and kind in MAILED_LAST else True


@dataclass(frozen=True, slots=True)
class Preferences:
    matrix: Mapping[str, Mapping[str, bool | str]]
    always: bool
    reminders: tuple[str, ...]

    @classmethod
    def of(cls, stored: Mapping[str, Any]) -> "Preferences":
        chosen = stored.get("matrix", {})
        matrix = {
            kind: {channel: chosen.get(kind, {}).get(channel, default(kind, channel)) for channel in CHANNELS}
            for kind in NAMES
        }
        return cls(matrix, stored.get("always", False), tuple(stored.get("reminders", DEFAULT_REMINDERS)))

    def as_json(self) -> dict[str, Any]:
        return {"matrix": self.matrix, "always": self.always, "reminders": list(self.reminders)}


def preferences_of(player_id: UUID) -> Preferences:
    return preferences_of_all([player_id])[player_id]


def preferences_of_all(players: Collection[UUID]) -> dict[UUID, Preferences]:
    stored = dict(Inbox.objects.filter(pk__in=players).values_list("pk", "choices"))
    return {player: Preferences.of(stored.get(player, {})) for player in players}


def prefer(
    player: Player, wanted: Mapping[str, Any], *, if_match: Callable[[Player], bool] | None = None
) -> Preferences:
    """Change preferences; keys and cells left out stay as they are. Raises Stale (if_match), Invalid (bad_settings)."""
    with transaction.atomic():
        inbox, _ = Inbox.objects.select_for_update().get_or_create(player=player)
        check_seen(player, if_match)
        inbox.choices = _changed(inbox.choices, wanted)
        inbox.save(update_fields=["choices"])
    if "reminders" in wanted:
        # Whoever reminds locks the inbox last.
        for subject in subjects():
            subject.remind_anew(player, service_clock.now())
    return Preferences.of(inbox.choices)


def stop_path(player: Player, kinds: Sequence[str]) -> str:
    return reverse("stop-mails", args=[signing.dumps([player.pk.hex, *kinds], salt=_SALT)])


def stop_headers(player: Player, kinds: Sequence[str]) -> dict[str, str]:
    """List-Unsubscribe with one click; none for `security`, which cannot be switched off."""
    if SECURITY in kinds:
        return {}
    return {
        "List-Unsubscribe": f"<{settings.TREY_SITE_URL}{stop_path(player, kinds)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def read_stop(token: str) -> tuple[Player | None, list[str]]:
    """The player (None: the link was not made here, or the account is gone) and the kinds of mails that it stops."""
    try:
        player_id, *kinds = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        return None, []
    return Player.objects.filter(pk=player_id, closed_at=None).first(), [kind for kind in kinds if kind in NAMES]


def stop_mails(player: Player, kinds: Sequence[str]) -> None:
    prefer(player, {"matrix": {kind: {Channel.MAIL.value: False} for kind in kinds}})


def _changed(stored: Mapping[str, Any], wanted: Mapping[str, Any]) -> dict[str, Any]:
    errors: list[tuple[str, str]] = []
    after = {**stored}
    if "matrix" in wanted:
        after["matrix"] = _matrix(stored.get("matrix", {}), wanted["matrix"], errors)
    if "always" in wanted:
        after["always"] = wanted["always"]
        if type(wanted["always"]) is not bool:
            errors.append(("always", "Must be true or false."))
    if "reminders" in wanted:
        after["reminders"] = _reminders(wanted["reminders"], errors)
    if errors:
        raise invalid("bad_settings", errors)
    return after


def mark(text: str) -> timedelta | float:
    """A reminder's mark: a span before the deadline, or the share of the time that is left. Raises ValueError."""
    if found := _SHARE.fullmatch(text):
        return int(found[1]) / 100
    if (found := _SPAN.fullmatch(text)) and (span := int(found[1]) * _UNITS[found[2]]) <= LONGEST_MARK:
        return span
    raise ValueError(text)


def _matrix(stored: Mapping[str, Any], wanted: object, errors: list[tuple[str, str]]) -> dict[str, Any]:
    after = {kind: dict(cells) for kind, cells in stored.items()}
    if not isinstance(wanted, Mapping):
        errors.append(("matrix", "Must be an object that gives each kind of notification its channels, true or false."))
        return after
    for kind, cells in wanted.items():
        if kind not in NAMES:
            errors.append((f"matrix.{kind}"[:80], f"Unknown kind. Known: {', '.join(NAMES)}."))
        elif not isinstance(cells, Mapping):
            errors.append((f"matrix.{kind}", "Must be an object that gives each channel true or false."))
        else:
            for channel, value in cells.items():
                _cell(after, kind, str(channel), value, errors)
    return after


def _cell(after: dict[str, Any], kind: str, channel: str, value: object, errors: list[tuple[str, str]]) -> None:
    field = f"matrix.{kind}.{channel}"[:80]
    if channel == Channel.WEBHOOK:
        errors.append((field, "Webhooks have subscriptions of their own."))
    elif channel not in CHANNELS:
        errors.append((field, f"Unknown channel. Known: {', '.join(CHANNELS)}."))
    elif not (type(value) is bool or (value == FALLBACK and channel == Channel.MAIL)):
        errors.append((field, 'Must be true or false; for `mail` also "fallback".'))
    elif kind == SECURITY and channel == Channel.MAIL and value is not True:
        errors.append((field, "Emails about the security of your account cannot be turned off."))
    else:
        after.setdefault(kind, {})[channel] = value


def _reminders(wanted: object, errors: list[tuple[str, str]]) -> list[str]:
    if not isinstance(wanted, Sequence) or isinstance(wanted, str) or len(wanted) > MOST_REMINDERS:
        errors.append(("reminders", f'Must be a list of at most {MOST_REMINDERS} times, such as "20%" or "4h".'))
        return []
    marks: list[str] = []
    for number, one in enumerate(wanted):
        try:
            mark(one if isinstance(one, str) else "")
        except ValueError:
            errors.append(
                (
                    f"reminders.{number}",
                    'Must be a share of the time left ("20%") or a time before the end ("90m", "4h", "2d").',
                )
            )
            continue
        if one not in marks:
            marks.append(one)
    return marks
