"""Setting a tournament up, changing the settings before the start, and what it will be like, in words."""

from collections.abc import Callable, Mapping, Sequence
from math import ceil
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from core.refusals import Refused
from core.text import uuid_in, whole_in
from games.admin import rights
from games.rules import GAMES
from games.wording import counted
from tournaments import services
from tournaments.admin.forms import KINDS, SetUpForm, as_last_time, initial_of
from tournaments.admin.shared import Shared, url_of
from tournaments.models import Tournament
from tournaments.rules.seating.sizes import table_sizes
from tournaments.rules.settings import Tables

# The number of entrants that is assumed while it is not known.
FOR_EXAMPLE = 12


class SettingUp(Shared):
    add_text = "Set up a tournament"

    def first_step(self, request: HttpRequest) -> HttpResponse:
        """Set a tournament up; also for players who have not organised anything yet and cannot enter the dashboard."""
        if rights.may_enter(request) or not rights.may_set_up(request):
            return self.admin_site.admin_view(self.add_view)(request)
        return never_cache(csrf_protect(self.add_view))(request)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Set a tournament up: first its kind and game, or an earlier one to repeat; then the rest."""
        if not rights.may_set_up(request):
            raise PermissionDenied
        user = rights.user_of(request)
        mine = Tournament.objects.filter(organisers__contains=[user.pk]).order_by("-set_up_at")
        like = uuid_in(request.GET.get("like"))
        before = mine.filter(pk=like).first() if like else None
        if request.method != "POST" and before is None and "kind" not in request.GET:
            context = {
                "kinds": KINDS,
                "games": [(name, rules.title) for name, rules in GAMES.items()],
                "mine": mine[:5],
            }
            return self._set_up(request, "choose", context)
        form = SetUpForm(request.POST or None, initial=as_last_time(before.asked) if before else request.GET.dict())
        done, told = _sent(request, form, lambda: services.set_up(user, form.body()))
        if done is not None:
            messages.success(request, "It is set up. Open the registration when everything is as you want it.")
            return HttpResponseRedirect(url_of(done.tournament.id))
        return self._set_up(request, "set_up", {"form": form, "told": told, "changeable": True})

    def settings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        changeable = t.status in ("draft", "registration")
        form = SetUpForm(request.POST or None, initial=initial_of(t.asked))
        told: Sequence[str] = ()
        if changeable:
            user = rights.user_of(request)
            done, told = _sent(request, form, lambda: services.change(t.pk, user, form.body(complete=True)))
            if done is not None:
                messages.success(request, "The settings are changed.")
                # From a draft, the next page is the overview, where its registration is opened.
                return HttpResponseRedirect(url_of(t.pk, *["settings"] * (t.status != "draft")))
        else:
            for field in form.fields.values():
                field.disabled = True
        return self.page(request, t, "settings", form=form, changeable=changeable, told=told)

    def _set_up(self, request: HttpRequest, page: str, context: Mapping[str, Any]) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "title": self.add_text}
        return render(request, f"dashboard/tournament/{page}.html", {**shared, **context})


def meaning(t: Tournament) -> Sequence[str]:
    """Before the start, describe the tournament with those who are in, or with as many as may enter."""
    if t.status not in ("draft", "registration"):
        return ()
    count = max(t.places, t.plan["limit"] or 0)
    if count < 2:
        return [f"With {FOR_EXAMPLE} entrants, for example:", *meaning_of(FOR_EXAMPLE, t.asked)]
    return meaning_of(count, t.asked)


def _sent(request: HttpRequest, form: SetUpForm, act: Callable[[], Any]) -> tuple[Any, Sequence[str]]:
    """What the act returned, or None with what the tournament would be like, if that is asked for."""
    if request.method != "POST" or not form.is_valid():
        return None, ()
    if "estimate" in request.POST:
        count = whole_in(request.POST.get("entrants"), 5000) or 0
        return None, meaning_of(count, form.body()) if count >= 2 else ["Say for how many entrants: 2 to 5000."]
    try:
        return act(), ()
    except Refused as error:
        form.refuse(error)
        return None, ()


DAY = 86_400
WEEKS_FROM = 21


def meaning_of(entrants: int, asked: Mapping[str, Any]) -> list[str]:
    """Describe a tournament of this many entrants in sentences; `asked` is the body of ``POST tournaments``."""
    if entrants < 2:
        return []
    days = days_of_a_game(asked)
    if asked["kind"] == "season":
        return [
            f"Any of the {entrants} can open a game at any time, and play several at once.",
            *([] if days is None else [f"A game among four takes {_length(days)}."]),
        ]
    settings = asked.get("settings") or {}
    tables = _tables(asked["game"], settings.get("tables") or {})
    if not tables.min <= tables.size <= tables.max:
        return ["The smallest table is not above the wished size, and the largest not below it."]
    sizes = table_sizes(entrants, tables)
    if not sizes:
        return [f"With {entrants} entrants there is no table."]
    byes = entrants - sum(sizes)
    told = [
        f"A round of {entrants}: {counted(len(sizes), 'table')} of {' + '.join(map(str, sizes))}"
        + (f", and {byes} with a bye." if byes else ".")
    ]
    if asked["kind"] == "knockout":
        rounds: int | None = _rounds_of_a_knockout(entrants, tables.size, settings.get("advance"))
        told.append(f"About {counted(rounds or 0, 'round')} until the final is played.")
    else:
        rounds = settings.get("rounds")
        told.append(_meetings(entrants, sizes, rounds))
    return [*told, *_duration(rounds, settings.get("parallel") or 1, days, asked.get("deadline"))]


def days_of_a_game(asked: Mapping[str, Any]) -> float | None:
    """About how long a game among four takes: the time people take to look, or less if the clock is quicker."""
    pace = GAMES[asked["game"]].pace
    if pace is None:
        return None
    turns, days = pace
    per_turn = (asked.get("clock") or {}).get("per_turn") or DAY
    return min(days, turns * float(per_turn) / DAY)


def _tables(game: str, given: Mapping[str, Any]) -> Tables:
    rules = GAMES[game]
    size = min(given.get("size") or 4, rules.max_seats)
    least = given.get("min") or max(size - 1, rules.min_seats)
    return Tables(size=size, min=least, max=given.get("max") or min(size + 1, rules.max_seats))


def _rounds_of_a_knockout(entrants: int, size: int, advance: int | None) -> int:
    rounds, left = 1, entrants
    while left > size:
        left, rounds = ceil(left / size) * min(advance or size // 2, size // 2), rounds + 1
    return rounds


def _meetings(entrants: int, sizes: Sequence[int], rounds: int | None) -> str:
    pairs = entrants * (entrants - 1) / 2
    met = sum(size * (size - 1) / 2 for size in sizes)
    enough = ceil(pairs / met)
    if rounds is None:
        return f"It takes at least {counted(enough, 'round')} until everybody can have met everybody."
    if rounds < enough:
        share = round(100 * rounds * met / pairs)
        return (
            f"In {counted(rounds, 'round')} at most {share} % of all pairs meet; all can in {enough} at the earliest."
        )
    least, most = int(rounds * met / pairs), ceil(rounds * met / pairs)
    times = _times(least) if least == most else f"{_times(least)} or {_times(most)}"
    return f"In {counted(rounds, 'round')} each pair meets {times} where seating is even."


def _duration(rounds: int | None, at_once: int, days: float | None, deadline: int | None) -> list[str]:
    limit = deadline / DAY if deadline else None
    known = [one for one in (days, limit) if one is not None]
    if not known:
        return []
    each = min(known)
    told = [f"A round takes {_length(each)} at this clock, and as long as its slowest table."]
    if limit is not None:
        told = [f"A round takes {_length(each)} at this clock, and its deadline is after {_span(limit)}."]
    if rounds is None:
        return [*told, "Without a number of rounds it goes on until you end it."]
    in_turn = ceil(rounds / at_once)
    if each == limit:
        return [*told, f"All of it takes at most {_span(in_turn * limit)}."]
    most = f", and at most {_span(in_turn * limit)}" if limit is not None else ""
    return [*told, f"All of it takes {_length(in_turn * each)}{most}."]


def _length(days: float) -> str:
    return f"about {_span(days)}"


def _span(days: float) -> str:
    if days >= WEEKS_FROM and (days % 7 == 0 or days >= 2 * WEEKS_FROM):
        return f"{round(days / 7)} weeks"
    if days >= 1:
        return counted(round(days), "day")
    return counted(max(1, round(days * 24)), "hour")


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
