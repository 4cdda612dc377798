"""News: what a player was told, gathered so that one look is enough, and where each went."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, date
from typing import Any, NamedTuple
from uuid import UUID

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.views.decorators.http import require_http_methods
from msgspec.structs import asdict

from core import clock as service_clock
from core.accounts.models import Player
from core.chatting import Message
from core.notifications import selectors
from core.notifications import services as telling
from core.notifications.bodies import NotificationBody, NotificationFateBody
from core.notifications.kinds import TOGETHER
from core.notifications.models import Notification
from core.text import whole_in
from games import selectors as games
from games.notifications.kinds import INVITED
from games.pages.lobby.page import logged_in, player_of, shown
from games.pages.lobby.preferences import CHANNEL_NAMES

AT_ONCE = 30
# What is told of so many tables is one entry.
ALIKE = 3
# So much that is new of one kind stands in sight: a round's end, and the next one's beginning.
IN_SIGHT = 2
NEW = "New"
Line = Mapping[str, Any]
Key = tuple[str, str] | UUID | int
"""What an entry is about: a table or tournament, a kind of news of a day, or one thing by its number."""


class Entry(NamedTuple):
    """What is told of one table or tournament, the unread first, or one thing of several tables, which is `said`."""

    when: str
    lines: Sequence[Line]
    said: str

    @property
    def in_sight(self) -> Sequence[Line]:
        if self.said:
            return []
        first = self.lines[0]
        alike = [line for line in self.lines[1:IN_SIGHT] if not line["read"] and line["kind"] == first["kind"]]
        return [first, *alike]

    @property
    def more(self) -> Sequence[Line]:
        return self.lines[len(self.in_sight) :]


@require_http_methods(["GET", "HEAD", "POST"])
@logged_in
def notifications(request: HttpRequest) -> HttpResponse:
    """Show what the player was told: what is new, then day by day; POST marks all as read."""
    player = player_of(request)
    if request.method == "POST":
        telling.read(player, whole_in(request.POST.get("up_to")) or 0)
        return redirect("notifications-page")
    before = whole_in(request.GET.get("before"))
    rows = selectors.notifications_of(player).order_by("-number")
    found = list((rows if before is None else rows.filter(number__lt=before))[: AT_ONCE + 1])
    here, has_older = found[:AT_ONCE], len(found) > AT_ONCE
    told, unread = selectors.bodies(player, here), selectors.unread(rows, player)
    older = here[-1].number if has_older else None
    if has_older and before is None:
        # What is unread comes first, however old it is; its own page shows it again.
        room = sum(one.read for one in told)
        here += (more := list(unread.filter(number__lt=older)[:room]))
        told += selectors.bodies(player, more)
    context = {
        "news": _gathered(zip(here, told, strict=True), player),
        "newest_unread": unread.values_list("number", flat=True).first(),
        "older": older,
    }
    return shown(request, "lobby/notifications.html", context)


def invitations(player: Player, at_most: int) -> list[Message]:
    rows = selectors.notifications_of(player).filter(
        kind=INVITED.name, subject=INVITED.subject, subject_id__in=games.rooms_without(player).values("pk")
    )
    return list(selectors.messages([(player, one) for one in rows.order_by("-number")[:at_most]]).values())


def _gathered(told: Iterable[tuple[Notification, NotificationBody]], player: Player) -> list[Entry]:
    """The entries of what was told, which comes newest first: the new ones, then those of each day."""
    zone = player.zone or UTC
    today = service_clock.now().astimezone(zone).date()
    lines = [
        (row, _day(one.created_at.astimezone(zone).date(), today) if one.read else NEW, _line(one)) for row, one in told
    ]
    tables: dict[Key, set[UUID | None]] = defaultdict(set)
    for row, when, _ in lines:
        if row.kind in TOGETHER:
            tables[when, row.kind].add(row.subject_id)
    entries: dict[Key, list[tuple[str, Line]]] = defaultdict(list)
    for row, when, line in lines:
        is_alike = len(tables.get((when, row.kind), ())) >= ALIKE
        # What is told of the account is about one thing each.
        entries[(when, row.kind) if is_alike else row.subject_id or row.number].append((when, line))
    gathered = []
    for key, some in entries.items():
        some.sort(key=lambda one: one[1]["read"])
        said = TOGETHER[key[1]].format(len(tables[key])) if isinstance(key, tuple) else ""
        gathered.append(Entry(some[0][0], [line for _, line in some], said))
    return sorted(gathered, key=lambda entry: (entry.lines[0]["read"], -entry.lines[0]["number"]))


def _day(day: date, today: date) -> str:
    days = (today - day).days
    return {0: "Today", 1: "Yesterday"}.get(days) or (f"{day:%A}" if days < 7 else f"{day:%-d %B}")


def _line(told: NotificationBody) -> Line:
    alike: dict[object, tuple[list[str], NotificationFateBody]] = {}
    for name, fate in told.channels.each():
        names, _ = alike.setdefault((fate.state, fate.reason, fate.until, fate.error), ([], fate))
        names.append(CHANNEL_NAMES.get(name, name.capitalize()))
    fates = [(", ".join(dict.fromkeys(names)), fate) for names, fate in alike.values()]
    return {**asdict(told), "fates": fates}
