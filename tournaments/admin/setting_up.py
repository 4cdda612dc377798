"""Setting a tournament up, changing the settings before the start, and what it will be like, in words."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from functools import partial
from math import ceil
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.utils.functional import SimpleLazyObject
from django.utils.text import capfirst
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from core import clock as service_clock
from core.refusals import Refused, Stale
from core.text import uuid_in, whole_in
from games.admin import rights
from games.rules import GAMES, PLAYED
from games.rules.words import counted
from games.wording import length, span
from tournaments import selectors, services
from tournaments.admin.forms import KINDS, STAGES, SetUpForm, as_last_time, initial_of
from tournaments.admin.shared import Shared, refuse, url_of
from tournaments.models import Tournament
from tournaments.picture.changes import settings_changed
from tournaments.picture.words import course_of, kind_of
from tournaments.rules.seating.sizes import table_sizes
from tournaments.stream import Plan

# The number of entrants that is assumed while it is not known.
FOR_EXAMPLE = 12
JUST_CHANGED = "Another organiser has just changed the settings. Save yours again."


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
                "kinds": [*KINDS, STAGES],
                "games": [(name, rules.title) for name, rules in GAMES.items()],
                "mine": [(one, kind_of(one)) for one in mine[:5]],
            }
            return self._set_up(request, "choose", context)
        begins = as_last_time(before.state.asked) if before else request.GET.dict()
        form = SetUpForm(request.POST or None, initial=begins)
        done, told = _sent(request, form, lambda: services.set_up(user, form.body()))
        if done is not None:
            messages.success(
                request, "The tournament is set up. Open it for entries when everything is as you want it."
            )
            return HttpResponseRedirect(url_of(done.tournament.id))
        return self._set_up(request, "set_up", {"form": form, "told": told, "changeable": True})

    def settings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        changeable = t.status in ("draft", "registration")
        form, seen = _as_sent(t, changeable and request.POST)
        told: Sequence[str] = ()
        if changeable:
            user = rights.user_of(request)

            def change() -> Any:
                if form.is_in_conflict:
                    return None  # until it was seen
                body = form.body(complete=True)
                return services.change(t.pk, user, body, if_match=lambda now: now.asked == t.state.asked)

            done, told = _sent(request, form, change)
            if done is not None:
                messages.success(request, "The settings have been changed.")
                if form.others:
                    said = " ".join(f"{change}." for change, _, _ in form.others)
                    messages.info(request, f"Another organiser has also changed these settings, which are kept. {said}")
                # From a draft, the next page is the overview, where it is opened for entries.
                return HttpResponseRedirect(url_of(t.pk, *["settings"] * (t.status != "draft")))
        else:
            for part in (form, *form.stages):
                for field in part.fields.values():
                    field.disabled = True
        return self.page(request, t, "settings", form=form, changeable=changeable, told=told, seen=seen)

    def _set_up(self, request: HttpRequest, page: str, context: Mapping[str, Any]) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "title": self.add_text}
        return TemplateResponse(request, f"dashboard/tournament/{page}.html", {**shared, **context})


def _as_sent(t: Tournament, sent: Any) -> tuple[SetUpForm, int]:
    """The form, merged with what others have changed since the page was drawn, and the version that it shows."""
    saved, seen = initial_of(t.state.asked), whole_in(sent.get("seen"), t.version) if sent else None
    form = SetUpForm(sent or None, initial=saved)
    if not seen:
        return form, t.version
    if form.changes_rows:
        return form, seen
    plan, asked = selectors.settings_at(t.pk, seen)
    if asked != t.state.asked:
        form = SetUpForm.merged(sent, initial_of(asked), saved, settings_changed(plan, t.state.plan))
    return form, t.version


def meaning(t: Tournament) -> Sequence[str]:
    """Before the start, describe the tournament with those who are in, or with as many as may enter."""
    if t.status not in ("draft", "registration"):
        return ()
    count, plan = max(t.state.places, t.state.plan.limit or 0), t.state.plan
    if count < 2:
        return [f"With {FOR_EXAMPLE} entrants, for example:", *meaning_of(FOR_EXAMPLE, plan)]
    return meaning_of(count, plan)


def _sent(request: HttpRequest, form: SetUpForm, act: Callable[[], Any]) -> tuple[Any, Sequence[str]]:
    """What the act returned, or None with what the tournament would be like, if that is asked for."""
    if request.method != "POST" or not form.is_valid():
        return None, ()
    try:
        if "estimate" not in request.POST:
            return act(), ()
        count = whole_in(request.POST.get("entrants"), 5000) or 0
        if count < 2:
            return None, ["Enter the number of entrants: 2 to 5000."]
        # Worked out as the page is drawn: the form's own transaction waits for nothing slow.
        told: Any = SimpleLazyObject(partial(meaning_of, count, services.plan_of(form.body())))
        return None, told
    except Stale:
        form.add_error(None, JUST_CHANGED)
        return None, ()
    except Refused as error:
        refuse(form, error, form.place_of)
        return None, ()


def meaning_of(entrants: int, plan: Plan) -> list[str]:
    takes = _length_of_a_game(plan)
    if not (course := course_of(plan)):
        told, rounds = _stage(entrants, plan, takes)
        return [*told, *(_duration(plan, rounds, takes) if rounds or plan.kind == "rounds" else ())]
    said, times = [], []
    for number, stage in enumerate(plan.stages, 1):
        own = plan.at_stage(number, None)
        told, rounds = _stage(entrants, own, takes, stage["take"])
        said.append(f"{plan.stage_names[number - 1]}: {' '.join(told)}")
        times += [_time(own, rounds, takes, stage["lasts"]), timedelta(seconds=stage["break"] or 0)]
        entrants = min(entrants, stage["take"] or entrants)
    known = [time for time in times if time is not None]
    whole = f": {_about(sum(known, timedelta()))}" if len(known) == len(times) else ""
    return [f"{capfirst(course)}{whole}.", *said]


def _stage(entrants: int, plan: Plan, takes: timedelta | None, goal: int | None = None) -> tuple[list[str], int | None]:
    """What a stage is like until `goal` are left, and the number of its rounds."""
    if plan.kind == "season":
        how_long = [] if takes is None else [f"A game among four takes about {length(takes)}."]
        return [f"Any of the {entrants} can open a game at any time, and play several at once.", *how_long], None
    rules = plan.rules
    sizes = table_sizes(entrants, rules.tables)
    if not sizes:
        return [f"{entrants} entrants are too few for a table."], 0
    byes = f", and {entrants - sum(sizes)} with a bye." if sum(sizes) < entrants else "."
    told = [f"A round of {entrants}: {counted(len(sizes), 'table')} of {' + '.join(map(str, sizes))}{byes}"]
    if plan.kind != "knockout":
        return [*told, _meetings(entrants, sizes, rules.rounds)], rules.rounds
    rounds = _rounds_of_a_knockout(entrants, rules.tables.size, rules.advance or 1, goal)
    until = "the final is played" if goal is None else f"{goal} are left"
    return [*told, f"About {counted(rounds, 'round')} until {until}."], rounds


def _time(plan: Plan, rounds: int | None, takes: timedelta | None, lasts: int | None) -> timedelta | None:
    """About how long a stage takes; None if that is open."""
    if plan.kind == "season":
        if lasts is not None:
            return timedelta(seconds=lasts)
        opens = plan.opens_at or plan.starts_at or service_clock.now()
        return plan.closes_at - opens if plan.closes_at is not None else None
    each = _each(plan, takes)
    return ceil(rounds / plan.at_once) * each if rounds is not None and each is not None else None


def _each(plan: Plan, takes: timedelta | None) -> timedelta | None:
    """About how long a round takes."""
    deadline = timedelta(seconds=plan.deadline) if plan.deadline is not None else None
    return min((one for one in (takes, deadline) if one is not None), default=None)


def _about(time: timedelta) -> str:
    weeks = round(time / timedelta(weeks=1))
    return f"about {counted(weeks, 'week') if weeks > 2 else length(time)}"


def _length_of_a_game(plan: Plan) -> timedelta | None:
    """About how long a game among four takes: the time people take to look, or less if the clock is quicker."""
    pace = PLAYED[plan.game].pace
    if pace is None:
        return None
    turns, days = pace
    return min(timedelta(days=days), turns * timedelta(seconds=plan.clock["per_turn"]))


def _rounds_of_a_knockout(entrants: int, size: int, advance: int, goal: int | None) -> int:
    rounds, left = 0, entrants
    while left > (goal or 1):
        left, rounds = ceil(left / size) * advance if left > size else 1, rounds + 1
    return rounds


def _meetings(entrants: int, sizes: Sequence[int], rounds: int | None) -> str:
    pairs = entrants * (entrants - 1) / 2
    met = sum(size * (size - 1) / 2 for size in sizes)
    enough = ceil(pairs / met)
    if rounds is None:
        return f"At least {counted(enough, 'round')} are needed for everyone to meet everyone."
    if rounds < enough:
        share = round(100 * rounds * met / pairs)
        return (
            f"In {counted(rounds, 'round')}, at most {share} % of all pairs meet. For all of them, you need at "
            f"least {enough}."
        )
    least, most = int(rounds * met / pairs), ceil(rounds * met / pairs)
    times = _times(least) if least == most else f"{_times(least)} or {_times(most)}"
    return f"With even seating, each pair meets {times} in {counted(rounds, 'round')}."


def _duration(plan: Plan, rounds: int | None, takes: timedelta | None) -> list[str]:
    each, ends = _each(plan, takes), "as long as its slowest table"
    if each is None:
        return []
    if plan.deadline is not None:
        ends = f"its deadline is after {span(plan.deadline)}"
    told = [f"A round takes about {length(each)} with this clock, and {ends}."]
    if rounds is None:
        return [*told, "Without a number of rounds, the tournament runs until you end it."]
    in_turn = ceil(rounds / plan.at_once)
    said = [_about(in_turn * each)] if each != timedelta(seconds=plan.deadline or 0) else []
    said += [f"at most {span(in_turn * plan.deadline)}"] if plan.deadline is not None else []
    return [*told, f"In total, it takes {', and '.join(said)}."]


def _times(count: int) -> str:
    return {0: "never", 1: "once", 2: "twice"}.get(count, f"{count} times")
