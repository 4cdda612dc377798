"""Tournaments in the dashboard: the list, and the pages on which an organiser looks at one."""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict, replace
from typing import Any
from uuid import UUID

from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import path
from django.views.decorators.http import require_POST, require_safe

from core.dashboard import BigList, filter_by
from games.admin import rights
from games.admin.games import GameFilter
from games.admin.rights import ReadOnly
from games.admin.site import site
from games.selectors import title_by
from tournaments import selectors, services
from tournaments.admin.actions import ACTIONS, DRAFT_AGAIN, Actions, comes_next, offers
from tournaments.admin.people import MessageForm, People, beside_messages, send
from tournaments.admin.ruling_form import restorable
from tournaments.admin.ruling_pages import Rulings
from tournaments.admin.setting_up import SettingUp, meaning
from tournaments.admin.shared import left_to_others, marked, share, url_of
from tournaments.models import Tournament, TournamentGame
from tournaments.picture import Picture, texts_of
from tournaments.picture.ratifying import ratifying_of
from tournaments.picture.standings import standings_file
from tournaments.picture.wording import exact
from tournaments.picture.words import STATUSES
from tournaments.stream import Seating
from tournaments.stream import Tournament as State

MOST_ROOMS = 50


@admin.register(Tournament, site=site)
class TournamentAdmin(SettingUp, Actions, People, Rulings, ReadOnly, BigList):
    list_display = ("title", "status_now", "entered", "round", "played", "kind", "set_up_at")
    list_filter = (GameFilter, filter_by("status", lambda: list(STATUSES.items())))
    search_fields = ("title",)
    search_help_text = "Part of the title"
    ordering = ("-set_up_at", "-id")

    def has_view_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        return rights.may_enter(request) if obj is None else rights.may_run(request, obj.pk)

    def has_module_permission(self, request: HttpRequest) -> bool:
        return rights.may_enter(request)

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Return whether the account may set one up; the services know whether only staff may on this server."""
        return rights.may_set_up(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        rows = super().get_queryset(request).defer("invitation")
        return rows if rights.is_staff(request) else rows.filter(organisers__contains=[rights.user_of(request).pk])

    @admin.display(description="Status")
    def status_now(self, t: Tournament) -> str:
        return STATUSES[t.status]

    @admin.display(description="Game")
    def played(self, t: Tournament) -> str:
        return title_by(t.state.played)

    @admin.display(description="Entrants")
    def entered(self, t: Tournament) -> int:
        return t.state.places

    @admin.display(description="Round")
    def round(self, t: Tournament) -> str:
        return t.state.reached if t.state.plan.stages else str(t.state.seated or "")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Tournament], search_term: str
    ) -> tuple[QuerySet[Tournament], bool]:
        term = search_term.strip()
        return (queryset.filter(title__icontains=term) if term else queryset), False

    def get_urls(self) -> list[Any]:
        wrap = self.admin_site.admin_view
        pages: Sequence[tuple[str, Callable[..., HttpResponse]]] = (
            ("standings", require_safe(self.standings)),
            ("entrants", require_safe(self.entrants)),
            ("draft", self.draft),
            ("rulings", require_safe(self.rulings)),
            ("settings", self.settings),
            ("messages", self.messages),
        )
        return [
            path("add/", self.first_step, name="tournaments_tournament_add"),
            *(path(f"<uuid:pk>/{name}/", wrap(view), name=f"tournament_{name}") for name, view in pages),
            path("<uuid:pk>/standings.csv", wrap(require_safe(self.standings_csv)), name="tournament_standings_csv"),
            path("<uuid:pk>/rulings/<str:ruling>/", wrap(self.rule), name="tournament_rule"),
            path("<uuid:pk>/invitation/", wrap(require_POST(self.invitation)), name="tournament_invitation"),
            path("<uuid:pk>/proposals/<int:n>/", wrap(require_POST(self.decide)), name="tournament_decide"),
            path("<uuid:pk>/successor/", wrap(require_POST(self.successor)), name="tournament_successor"),
            path("<uuid:pk>/action/<str:name>/", wrap(require_POST(self.take_action)), name="tournament_action"),
            path("<uuid:pk>/people/<str:what>/", wrap(require_POST(self.people)), name="tournament_people"),
            *super().get_urls(),
        ]

    # Looking.

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        t = self.tournament_of(request, object_id)
        picture = Picture(t)
        main, comes = comes_next(t, round_is_open=any(not row.closed_at for row in picture.rounds))
        left = left_to_others(t, rights.user_of(request))
        newest = TournamentGame.objects.filter(tournament=t, round=None).order_by("-since", "-id")
        return self.page(
            request,
            t,
            "overview",
            picture=picture,
            rounds=[replace(one, tables=marked(one.tables, left)) for one in picture.rounds],
            free=marked(picture.rooms_of(list(newest[:MOST_ROOMS])), left) if t.kind == "season" else [],
            progress=picture.progress,
            ratifying=ratifying_of(t, picture.texts, organiser=True),
            actions=[
                (name, DRAFT_AGAIN if name == "next" and t.state.draft else action.button, action.needs_reason)
                for name, action in ACTIONS.items()
                if offers(t, name, main=main)
            ],
            main=main,
            comes=comes,
            meaning=meaning(t),
            no_shows=picture.no_shows,
            restorable=restorable(t, picture.games) if t.status == "running" else (),
            may_propose=t.status == "running" and t.state.plan.proposals != "none",
            **share(request, t),
        )

    def standings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        return self.page(request, t, "standings", picture=Picture(t))

    def standings_csv(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        return standings_file(t, selectors.standings_for(t.pk, t.version)["standings"])

    # Doing.

    def messages(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        form, sent = MessageForm(request.POST or None), None
        if request.method == "POST" and form.is_valid():
            sent = send(request, t, form)
            if sent is not None and sent.version is not None:
                return HttpResponseRedirect(url_of(t.pk, "messages"))
        return self.page(request, t, "messages", form=form, sent=sent, **beside_messages(request, t))

    def draft(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        tried, swap = None, (request.POST.get("one", ""), request.POST.get("other", "") or other_table(t.state.draft))
        if request.method == "POST":
            seen = as_drafted(request.POST.get("drafted", ""))
            if "publish" in request.POST:
                if self.tried(request, lambda: services.publish(t.pk, user, if_match=seen), "The round is seated."):
                    return HttpResponseRedirect(url_of(t.pk))
            else:
                reason = request.POST.get("reason", "").strip()
                dry = "try" in request.POST

                def exchange() -> Any:
                    about = reason or "tried"
                    return services.exchange(t.pk, user, reason=about, swap=swap, dry_run=dry, if_match=seen)

                if not dry and not reason:
                    messages.error(request, "Please say why you swap the entrants. Everyone can read the reason.")
                else:
                    tried = self.tried(request, exchange, "" if dry else "The entrants have been swapped.")
                    if tried and not dry:
                        return HttpResponseRedirect(url_of(t.pk, "draft"))
            t = self.tournament_of(request, pk)
        names = texts_of(t)
        draft = asdict(t.state.draft) if t.state.draft else {}
        seated = [key for table in draft.get("tables", ()) for key in table] + list(draft.get("byes", ()))
        return self.page(
            request,
            t,
            "draft",
            draft=named(draft, names) if draft else None,
            tried=named(tried, names) if tried else None,
            seated=[(key, names[key]) for key in seated],
            drafted=mark_of(draft.get("round"), draft.get("tables", ()), draft.get("byes", ())),
            swap=swap,
            reason=request.POST.get("reason", ""),
            no_shows=Picture(t).no_shows if draft else [],
        )


def as_drafted(mark: str) -> Callable[[State], bool]:
    return lambda t: t.draft is not None and mark_of(t.draft.round, t.draft.tables, t.draft.byes) == mark


def mark_of(number: int | None, tables: Sequence[Sequence[str]], byes: Sequence[str]) -> str:
    drafted = json.dumps([number, [list(table) for table in tables], list(byes)])
    return hashlib.sha256(drafted.encode()).hexdigest()[:16]


def other_table(draft: Seating | None) -> str:
    """The first entrant of the second table, whom the form of an exchange begins with, or ""."""
    tables: Sequence[Sequence[str]] = draft.tables if draft else ()
    return tables[1][0] if len(tables) > 1 else ""


def named(seating: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    figures = seating["figures"]
    return {
        "tables": [[names[key] for key in table] for table in seating["tables"]],
        "byes": [names[key] for key in seating["byes"]],
        "figures": {name: figures.get(name) for name in ("repeats", "q", "bound")}
        | {"cost": None if figures.get("cost") is None else exact(figures["cost"])},
    }
