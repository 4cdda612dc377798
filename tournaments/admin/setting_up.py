"""Setting a tournament up, and changing the settings before the start."""

from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect

from core.refusals import Refused
from games.admin import rights
from games.rules import GAMES
from tournaments import services
from tournaments.admin.forms import KINDS, SetUpForm, as_last_time, initial_of
from tournaments.admin.meaning import meaning_of
from tournaments.admin.rulings import is_id
from tournaments.admin.shared import Shared, url_of
from tournaments.models import Tournament

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
        like = request.GET.get("like", "")
        before = mine.filter(pk=like).first() if is_id(like) else None
        if request.method != "POST" and before is None and "kind" not in request.GET:
            context = {
                "kinds": KINDS,
                "games": [(name, rules.title) for name, rules in GAMES.items()],
                "mine": mine[:5],
            }
            return self._set_up(request, "choose", context)
        form = SetUpForm(request.POST or None, initial=as_last_time(before.asked) if before else request.GET.dict())
        told: list[str] = []
        if request.method == "POST" and form.is_valid():
            if "estimate" in request.POST:
                told = _estimated(request, form)
            else:
                try:
                    done = services.set_up(user, form.body())
                except Refused as error:
                    form.refuse(error)
                else:
                    assert done.tournament is not None  # noqa: S101  without a key nothing is replayed
                    messages.success(request, "It is set up. Open the registration when everything is as you want it.")
                    return HttpResponseRedirect(url_of(done.tournament.id))
        return self._set_up(request, "set_up", {"form": form, "told": told, "changeable": True})

    def settings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Show the settings; they can be changed before the start."""
        t = self.tournament_of(request, pk)
        changeable = t.status in ("draft", "registration")
        form = SetUpForm(request.POST or None, initial=initial_of(t.asked))
        told: list[str] = []
        if request.method == "POST" and changeable and form.is_valid():
            if "estimate" in request.POST:
                told = _estimated(request, form)
            else:
                try:
                    services.change(t.pk, rights.user_of(request), form.body(complete=True))
                except Refused as error:
                    form.refuse(error)
                else:
                    messages.success(request, "The settings are changed.")
                    # From a draft, the next page is the overview, where its registration is opened.
                    return HttpResponseRedirect(url_of(t.pk, *["settings"] * (t.status != "draft")))
        if not changeable:
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


def _estimated(request: HttpRequest, form: SetUpForm) -> list[str]:
    count = request.POST.get("entrants", "")
    if not count.isascii() or not count.isdigit() or not 2 <= int(count[:6]) <= 5000:
        return ["Say for how many entrants: 2 to 5000."]
    return meaning_of(int(count), form.body())
