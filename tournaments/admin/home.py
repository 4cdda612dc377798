"""The home page's part about tournaments: what needs an organiser comes first."""

from collections import Counter
from collections.abc import Sequence
from datetime import timedelta
from typing import Any
from uuid import UUID

from django.db.models import Q
from django.http import HttpRequest
from django.utils.html import format_html
from django.utils.text import capfirst

from core import clock as service_clock
from core.dashboard import moment
from games.admin import rights
from games.admin.site import site
from games.rules.words import counted, listed
from games.selectors import SeatRow, seats_at, seats_with_games
from tournaments import services
from tournaments.admin.shared import url_of
from tournaments.models import Entrant, Round, Tournament, TournamentGame
from tournaments.picture import no_shows
from tournaments.picture.words import STATUSES
from tournaments.picture.words import put_off as why_put_off
from tournaments.stream.entries import check_in_opens
from tournaments.stream.state import UNFINISHED

MOST = 20
# The number of running tournaments that are searched, and of their newest games.
MOST_RUNNING = 500
MOST_GAMES = 1000
# A player who has not moved for this long holds up the table even if nothing is overdue.
SLOW = timedelta(days=3)


Item = dict[str, str]


def tournaments(request: HttpRequest) -> dict[str, Any]:
    shown = Tournament.objects.filter(status__in=UNFINISHED)
    if not rights.is_staff(request):
        shown = shown.filter(organisers__contains=[rights.user_of(request).pk])
    shown = shown.defer("invitation").order_by("-set_up_at")
    # In one statement: the newest of all, and the newest running ones, which newer drafts must not hide.
    running_ones = shown.filter(status="running")[:MOST_RUNNING]
    found = list(shown.filter(Q(pk__in=shown.values("pk")[: 5 * MOST]) | Q(pk__in=running_ones.values("pk"))))
    newest = found[: 5 * MOST]
    running = [t for t in found if t.status == "running"]
    waiting = [t for t in newest if t.status == "registration"]
    items = [
        *_overdue(running),
        *_slow(running),
        *_no_shows(running),
        *_can_go_on(running),
        *_reopened(running),
        *_starts(waiting),
        *_failing(running),
    ]
    own = [(t, ", ".join(filter(None, (STATUSES[t.status], t.state.reached)))) for t in newest[:MOST]]
    return {"attention": items[: 2 * MOST], "own": own}


def _overdue(running: Sequence[Tournament]) -> list[Item]:
    by_id = {t.pk: t for t in running}
    rounds = Round.objects.filter(tournament__in=by_id, overdue=True, closed_at=None).order_by("deadline_at")[:MOST]
    found = []
    for one in rounds:
        t, still_open = by_id[one.tournament_id], counted(one.state.open_tables, "table is", "tables are")
        found.append(_item(t, f"{capfirst(t.state.round_name(one.number))} is overdue: {still_open} still open."))
    return found


def _slow(running: Sequence[Tournament]) -> list[Item]:
    by_id = {t.pk: t for t in running}
    games = TournamentGame.objects.filter(tournament__in=by_id, outcome="open").order_by("since")[:1000]
    seats = seats_with_games(seats_at(games.values("game"))).select_related("game", "player")
    slow = seats.filter(to_act=True, bot__isnull=True, duty_since__lt=service_clock.now() - SLOW)
    waiting: dict[UUID, list[SeatRow]] = {}
    for seat in slow.order_by("duty_since")[: 4 * MOST]:
        waiting.setdefault(seat.game_id, []).append(seat)
    found = []
    for awaited in list(waiting.values())[:MOST]:
        at = awaited[0].game.belongs_to or {}
        t = by_id[UUID(at["tournament"])]
        where = f"Table {at['table']} of {t.state.round_name(at['round'])}" if at.get("round") else "A game"
        names = listed([seat.player.username if seat.player else "a deleted player" for seat in awaited])
        since = awaited[0].duty_since
        assert since is not None  # noqa: S101  they were found by it
        text = format_html("{} has been waiting for {} since {}.", where, names, moment(since))
        found.append(_item(t, text))
    return found


def _no_shows(running: Sequence[Tournament]) -> list[Item]:
    by_id = {t.pk: t for t in running}
    games = TournamentGame.objects.filter(tournament__in=by_id, outcome__in=("open", "result")).exclude(round=None)
    found = no_shows(running, games.order_by("-since")[:MOST_GAMES])
    together: dict[tuple[UUID, str], list[str]] = {}
    for one in found:
        together.setdefault((one.entrant.tournament_id, one.happened), []).append(one.who)
    return [
        _item(by_id[pk], f"{listed(names)} {happened}, and {'is' if len(names) == 1 else 'are'} still in.", "entrants")
        for (pk, happened), names in list(together.items())[:MOST]
    ]


def _can_go_on(running: Sequence[Tournament]) -> list[Item]:
    by_hand = [t for t in running if t.kind != "season" and t.state.plan.pace == "manual"]
    manual = [t for t in running if t.state.awaits_draft or (t in by_hand and not t.state.open_rounds)]
    drafted = [
        _item(t, f"{capfirst(t.drafted)} has been drafted and can be published.", "draft") for t in manual if t.drafted
    ]
    return drafted + [
        _item(t, "All rounds are closed, so the next one can be drafted.") for t in manual if not t.drafted
    ]


def _reopened(running: Sequence[Tournament]) -> list[Item]:
    reopened = [t for t in running if t.state.only_organisers_finish]
    return [_item(t, "The tournament was reopened, and will end only when you finish it.") for t in reopened]


def _starts(waiting: Sequence[Tournament]) -> list[Item]:
    plans, now = {t.pk: t.state.plan for t in waiting}, service_clock.now()
    put_off = [_item(t, f"The start was postponed: {why_put_off(plans[t.pk])}.") for t in waiting if t.state.put_off]
    with_one = [t for t in waiting if plans[t.pk].check_in is not None]
    checking = [t for t in with_one if (check_in_opens(plans[t.pk]) or now) <= now]
    missing = Q(tournament__in=checking, standing="registered", state__checked_in=False)
    counts = Counter(Entrant.objects.filter(missing).values_list("tournament", flat=True)[:5000] if checking else ())
    missed = {pk: counted(count, "entrant has", "entrants have") for pk, count in counts.items()}
    checks = [_item(t, f"{missed[t.pk]} not checked in.", "entrants") for t in checking if t.pk in missed]
    return [*put_off, *checks]


def _failing(running: Sequence[Tournament]) -> list[Item]:
    by_id = {t.pk: t for t in running}
    return [
        _item(by_id[tournament], f"The next step failed ({kind}). It will be retried automatically.")
        for tournament, kind in services.failing(by_id, MOST)
    ]


def _item(t: Tournament, text: str, page: str | None = None) -> Item:
    return {"tournament": t.title, "text": text, "url": url_of(t.pk, page)}


site.add_panel(tournaments, "dashboard/home_tournaments.html", first=True)
