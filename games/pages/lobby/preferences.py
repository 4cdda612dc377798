"""Settings: the name, play, the calendar, which notifications go where."""

import re
from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods

from core.accounts import names, services
from core.accounts.login import guests
from core.accounts.models import Player
from core.calendars.zones import zone_names
from core.chatting import SERVICES
from core.http.conditional import as_seen, mark_of
from core.http.throttling import limit
from core.notifications import endpoints, senders
from core.notifications.kinds import NAMES, SECURITY, WORDS
from core.notifications.models import Chat
from core.notifications.preferences import CHANNELS, FALLBACK, MOST_REMINDERS, mark, prefer, preferences_of
from core.refusals import Invalid, NotFound, Refused, Stale
from core.text import uuid_in
from games import clocks
from games.pages.lobby.forms import saved_in_words
from games.pages.lobby.page import logged_in, player_of, shown

HERE = "/me/settings"
CHANNEL_NAMES = {"live": "On this site", "push": "Push", "mail": "Email", "chat": "Chat"}
DAY = re.compile(r"\d{4}-\d\d-\d\d", re.ASCII)
#: The fields of a calendar as the page calls them.
CALENDAR_WORDS = {"quiet_hours": "Quiet hours", "time_zone": "The time zone"}
TALK = {"all": "Text and signs", "signs": "Signs only", "off": "Nothing"}
PRESENCE = {"private": "At private tables", "always": "At every table", "never": "Never"}
CHOICES: Mapping[str, Mapping[str, str]] = {"talk": TALK, "presence": PRESENCE}
#: The box that nobody can change, which browsers do not send.
FIXED = f"{SECURITY}.mail"
Condition = Callable[[Player], bool]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def settings_page(request: HttpRequest) -> HttpResponse:
    """All settings on one page, each part folded behind a line that says how it is set. A refused one stays open."""
    player = player_of(request)
    refused, status, is_stale = "", 200, False
    if request.method == "POST":
        name = request.POST.get("part", "")
        if name not in PARTS:
            raise Http404
        part = PARTS[name]
        try:
            part.save(player, request.POST, as_seen(request.POST, part.held))
        except Refused as no:
            messages.warning(request, no.detail)
            refused, status, is_stale = name, no.status, isinstance(no, Stale)
            player.refresh_from_db()
        else:
            said = "A test is on its way. Reload this page to see how it went."
            messages.success(request, said if "test" in request.POST else "Saved.")
            return redirect(HERE)
    held = {name: part.held(player) for name, part in PARTS.items()}
    typed = {field: value for fields in held.values() for field, value in fields.items()}
    saved = {}
    for field, value in held.get(refused, {}).items():
        typed[field] = (
            field in request.POST if isinstance(value, bool) else request.POST.get(field, "").replace("\r", "")
        )
        if is_stale and typed[field] != value and field != FIXED:
            saved[field] = saved_in_words(value, CHOICES.get(field, {}))
    context = {
        "player": player,
        "refused": refused,
        "typed": typed,
        "saved": saved,
        "seen": {name: mark_of(fields) for name, fields in held.items()},
        "calendar": clocks.shown(player.calendar),
        "zones": sorted(zone_names()),
        "channels": [CHANNEL_NAMES.get(name, name.capitalize()) for name in CHANNELS],
        "matrix": _matrix(preferences_of(player.pk).matrix, typed, saved),
        "presences": PRESENCE.items(),
        "talks": TALK.items(),
        "chats": endpoints.of(player, Chat),
        "chat_services": [(name, SERVICES[name].address) for name in endpoints.offered()],
        "handles": [(name, words, typed[name], saved.get(name)) for name, (_, words) in names.HANDLES.items()],
    }
    return shown(request, "lobby/settings.html", context, status=status)


def _matrix(
    chosen: Mapping[str, Mapping[str, bool | str]], typed: Mapping[str, bool | str], saved: Mapping[str, str]
) -> dict[str, list[dict[str, Any]]]:
    """The table, ticked as `typed`, with what is `saved` now beside a box that differs."""
    rows: dict[str, list[dict[str, Any]]] = {}
    for kind, words in WORDS.items():
        cells = [
            {
                "name": (name := f"{kind}.{channel}"),
                "words": f"{words.about}, {words.name}: {CHANNEL_NAMES.get(channel, channel)}",
                "on": typed[name] or name == FIXED,
                "saved": saved.get(name),
                "fallback": chosen[kind][channel] == FALLBACK,
                "fixed": name == FIXED,
            }
            for channel in CHANNELS
        ]
        rows.setdefault(words.about, []).append({"words": words.name, "cells": cells})
    return rows


def _name(player: Player, sent: Mapping[str, str], if_match: Condition) -> None:
    name = guests.checked_name(sent.get("username", ""))
    services.change_profile(player, username=name, if_match=if_match)


def _play_held(player: Player) -> dict[str, str | bool]:
    return {
        "forced_moves": bool(player.preferences.get("forced_moves")),
        "unlisted": bool(player.preferences.get("unlisted")),
        "not_in_people": bool(player.preferences.get("not_in_people")),
        "presence": player.preferences.get("presence", "private"),
        "talk": player.preferences.get("talk", "all"),
    }


def _play(player: Player, sent: Mapping[str, str], if_match: Condition) -> None:
    wanted: dict[str, bool | str] = {name: name in sent for name in ("forced_moves", "unlisted", "not_in_people")}
    for name, values in (("presence", PRESENCE), ("talk", TALK)):
        if sent.get(name) in values:
            wanted[name] = sent[name]
    services.change_profile(player, preferences=wanted, if_match=if_match)


def _chat(player: Player, sent: Mapping[str, str], _: Condition) -> None:
    if chat_id := sent.get("test") or sent.get("remove"):
        if (key := uuid_in(chat_id)) is None:
            raise NotFound("not_found", "You have no such chat address.")
        one = endpoints.find(Chat, player, key)
        if "remove" in sent:
            one.delete()
            return
        senders.put_test(one)
        return
    endpoints.create_chat(player, sent.get("service", ""), sent.get("url", "").strip())


def _handles(player: Player, sent: Mapping[str, str], if_match: Condition) -> None:
    handles = {name: sent.get(name, "").strip() or None for name in names.HANDLES}
    services.change_profile(player, handles=handles, if_match=if_match)


def _calendar_held(player: Player) -> dict[str, str | bool]:
    calendar = clocks.shown(player.calendar)
    quiet_from, quiet_to = calendar["quiet_hours"] or ("", "")
    vacation = "\n".join(f"{first} {last}" for first, last in calendar["vacation"])
    zone = calendar["time_zone"]
    return {"time_zone": zone, "quiet_from": quiet_from, "quiet_to": quiet_to, "vacation": vacation}


def _calendar(player: Player, sent: Mapping[str, str], if_match: Condition) -> None:
    limit("calendar", str(player.pk))
    quiet = [sent.get("quiet_from", "").strip()[:5], sent.get("quiet_to", "").strip()[:5]]
    spans = [line.replace(" to ", " ").split() for line in sent.get("vacation", "").splitlines() if line.strip()]
    wanted = {
        "time_zone": sent.get("time_zone", "").strip(),
        "quiet_hours": quiet if any(quiet) else None,
        "vacation": [span * 2 if len(span) == 1 else span for span in spans],
    }
    if any(quiet) and not all(quiet):
        raise Invalid("invalid", "Enter both a start and an end for your quiet hours.")
    if not all(len(span) in (1, 2) and all(DAY.fullmatch(day) for day in span) for span in spans):
        raise Invalid("invalid", "Enter the first and last day on one line, such as 2026-12-24 2027-01-02.")
    try:
        services.change_profile(player, calendar=wanted, if_match=if_match)
    except Invalid as no:
        detail = no.detail
        for name, words in CALENDAR_WORDS.items():
            detail = detail.replace(name, words)
        raise Invalid(no.code, detail) from no


def _told_held(player: Player) -> dict[str, str | bool]:
    chosen = preferences_of(player.pk)
    boxes = {f"{kind}.{channel}": chosen.matrix[kind][channel] is not False for kind in NAMES for channel in CHANNELS}
    return {**boxes, "always": chosen.always, "reminders": " ".join(chosen.reminders)}


def _told(player: Player, sent: Mapping[str, str], if_match: Condition) -> None:
    """The matrix: a box that stands for "where nothing else reaches me" stays so until it is changed."""
    now = preferences_of(player.pk).matrix
    matrix: dict[str, dict[str, bool | str]] = {}
    for kind in NAMES:
        for channel in CHANNELS:
            value = f"{kind}.{channel}" in sent
            if value != (now[kind][channel] is not False) and f"{kind}.{channel}" != FIXED:
                matrix.setdefault(kind, {})[channel] = value
    reminders = sent.get("reminders", "").replace(",", " ").split()
    if len(reminders) > MOST_REMINDERS:
        raise Invalid("bad_settings", "You can have at most five reminders.")
    for one in reminders:
        try:
            mark(one)
        except ValueError:
            detail = (
                f"A reminder must be a share of the time left (20%) or a time before the end (90m, 4h, 2d), not {one}."
            )
            raise Invalid("bad_settings", detail) from None
    wanted = {"matrix": matrix, "always": "always" in sent, "reminders": reminders}
    prefer(player, wanted, if_match=if_match)


class Part(NamedTuple):
    """A form of the page: what its fields hold (boxes a bool), and how it is saved if that is as it was seen."""

    held: Callable[[Player], dict[str, str | bool]]
    save: Callable[[Player, Mapping[str, str], Condition], None]


PARTS = {
    "name": Part(lambda player: {"username": player.username}, _name),
    "play": Part(_play_held, _play),
    "calendar": Part(_calendar_held, _calendar),
    "told": Part(_told_held, _told),
    "chat": Part(lambda _: {"service": "", "url": ""}, _chat),
    "handles": Part(lambda player: {name: player.handles.get(name, "") for name in names.HANDLES}, _handles),
}
