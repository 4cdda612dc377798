"""Tournaments in the dashboard: the list, setting up, and the pages on which an organiser runs one."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode
from uuid import UUID

import segno
from django.contrib import admin, messages
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.urls import path, reverse
from django.utils.safestring import mark_safe
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_protect
from django.views.decorators.http import require_POST, require_safe

from games.admin import rights
from games.admin.games import GameFilter
from games.admin.rights import ReadOnly
from games.admin.site import site
from games.bots import BOTS
from games.platform.accounts.admin.csv import csv_file
from games.platform.accounts.admin.lists import BigList
from games.platform.accounts.models import Player
from games.platform.refusals import Refused, Stale
from games.rules import GAMES
from tournaments import selectors, services
from tournaments.admin import announcing
from tournaments.admin.counters import with_counters
from tournaments.admin.drafts import as_drafted, mark_of, named
from tournaments.admin.forms import KINDS, SetUpForm, as_last_time, initial_of
from tournaments.admin.meaning import meaning_of
from tournaments.admin.rulings import (
    COUNTER,
    EXPLAINED,
    OCCASIONS,
    TITLES,
    RulingForm,
    compared,
    is_id,
    reachable,
)
from tournaments.models import Entrant, Tournament, TournamentGame
from tournaments.picture import Picture, progress, texts_of
from tournaments.picture.ratifying import ratifying_of
from tournaments.stream.reading import MAX_REASON

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with another look.
    Pages = admin.ModelAdmin[Tournament]
else:
    from unfold.admin import ModelAdmin as Pages

# What an organiser can do to the tournament as a whole: what it is called, in which stages, and whether it needs a
# reason; cancelling cannot be taken back, and so asks twice.
STAGES: Mapping[str, tuple[str, tuple[str, ...], bool]] = {
    "open": ("Open the registration", ("draft",), False),
    "start": ("Start", ("registration",), False),
    "next": ("Next round", ("running",), False),
    "manual": ("From now on, seat rounds when I say so", ("running",), False),
    "auto": ("From now on, seat rounds automatically", ("running",), False),
    "finish": ("Finish", ("running",), False),
    "reopen": ("Reopen", ("finished",), True),
    "cancel": ("Cancel the tournament", ("draft", "registration", "running"), True),
}
STILL_KNOWN = "Whoever was removed may still know the invitation. You can renew it on the overview."
MOST_ROOMS = 50
MOST_INVITED = 200
ENTRANTS = ("invite", "bot", "check_in", "withdraw", "organiser", "no_organiser")


@admin.register(Tournament, site=site)
class TournamentAdmin(BigList, ReadOnly, Pages):
    """Tournaments: an organiser's own, and all for staff."""

    list_display = ("title", "played", "kind", "status", "entered", "round", "set_up_at")
    list_filter = (GameFilter, "status")
    search_fields = ("title",)
    search_help_text = "The beginning of a title"
    add_text = "Set up a tournament"
    ordering = ("-set_up_at", "-id")

    def has_view_permission(self, request: HttpRequest, obj: Tournament | None = None) -> bool:
        """Staff all; organisers their own."""
        return rights.may_enter(request) if obj is None else rights.may_run(request, obj.pk)

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Whoever may enter."""
        return rights.may_enter(request)

    def has_add_permission(self, request: HttpRequest, *_: Any) -> bool:
        """Whoever may set one up; the services say whether the server keeps it to staff."""
        return rights.may_set_up(request)

    def get_queryset(self, request: HttpRequest) -> QuerySet[Tournament]:
        """Without what is secret."""
        rows = super().get_queryset(request).defer("seed", "invitation", "plan", "asked", "queue", "draft", "seeds")
        return rows if rights.is_staff(request) else rows.filter(organisers__contains=[rights.user_of(request).pk])

    @admin.display(description="Game")
    def played(self, t: Tournament) -> str:
        """What people call the game."""
        return GAMES[t.game].title

    @admin.display(description="Entrants")
    def entered(self, t: Tournament) -> int:
        """How many hold a place."""
        return t.places

    @admin.display(description="Round")
    def round(self, t: Tournament) -> str:
        """The last round that was seated."""
        return str(t.seated or "")

    def get_search_results(
        self, request: HttpRequest, queryset: QuerySet[Tournament], search_term: str
    ) -> tuple[QuerySet[Tournament], bool]:
        """By the beginning of the title or slug."""
        term = search_term.strip()
        return (queryset.filter(title__istartswith=term) if term else queryset), False

    def get_urls(self) -> list[Any]:
        """The pages of one tournament."""
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
            path("<uuid:pk>/invitation/", wrap(self.invitation), name="tournament_invitation"),
            path("<uuid:pk>/proposals/<int:n>/", wrap(self.decide), name="tournament_decide"),
            path("<uuid:pk>/channels/<str:what>/", wrap(self.channel), name="tournament_channel"),
            path("<uuid:pk>/successor/", wrap(self.successor), name="tournament_successor"),
            path("<uuid:pk>/stage/<str:stage>/", wrap(self.stage), name="tournament_stage"),
            path("<uuid:pk>/people/<str:what>/", wrap(self.people), name="tournament_people"),
            *super().get_urls(),
        ]

    # Looking.

    def change_view(
        self, request: HttpRequest, object_id: str, form_url: str = "", extra_context: Any = None
    ) -> HttpResponse:
        """The overview: stages, progress, and the tables of the rounds with whom they wait for."""
        if request.method not in ("GET", "HEAD"):
            raise PermissionDenied
        t = self._tournament(request, object_id)
        picture = Picture(t)
        newest = TournamentGame.objects.filter(tournament=t, round=None).order_by("-since", "-id")
        return self._page(
            request,
            t,
            "overview",
            picture=picture,
            rounds=picture.rounds,
            free=picture.rooms_of(list(newest[:MOST_ROOMS])) if t.kind == "season" else [],
            progress=progress(picture),
            ratifying=ratifying_of(t, {key: name.text for key, name in picture.names.items()}, organiser=True),
            stages=[(name, text, reason) for name, (text, when, reason) in STAGES.items() if _offers(t, name, when)],
            meaning=_meaning(t),
            no_shows=picture.no_shows,
            may_propose=t.status == "running" and t.plan["proposals"] != "none",
            **_share(request, t),
        )

    def standings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Standings with what decided each row, the crosstable, points by round."""
        t = self._tournament(request, pk)
        picture = Picture(t)
        return self._page(request, t, "standings", picture=picture, chart=picture.chart)

    def standings_csv(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """The standings as a file."""
        t = self._tournament(request, pk)
        rows = selectors.standings_for(t.pk, t.version)["standings"]
        header = ("place", "entrant", "name", "total", "games", "byes", "adjusted", "decided_by", "status")
        return csv_file(f"{t.slug}-standings", header, ([row[name] for name in header] for row in rows))

    def entrants(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Entrants, the waiting list, organisers."""
        t = self._tournament(request, pk)
        rows = Entrant.objects.filter(tournament=t).exclude(standing="gone").select_related("player").order_by("number")
        organisers = Player.objects.filter(pk__in=t.organisers).order_by("username")
        return self._page(
            request,
            t,
            "entrants",
            entrants=rows,
            organisers=organisers,
            no_shows=Picture(t).no_shows,
            bots=sorted(BOTS),
            **_share(request, t),
            checks_in=t.plan["check_in"] is not None and t.status == "registration",
        )

    def rulings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """All rulings, and the forms for new ones."""
        t = self._tournament(request, pk)
        forms = [
            (name, OCCASIONS[name], f"{title}. {EXPLAINED[name]}", TITLES.get(COUNTER.get(name, "")))
            for name, title in TITLES.items()
            if reachable(name, t.kind)
        ]
        made = [
            (
                line,
                back
                and (
                    back.text,
                    f"{reverse('admin:tournament_rule', args=[t.pk, back.ruling])}?{urlencode(back.begins)}",
                ),
            )
            for line, back in with_counters(Picture(t))
        ]
        return self._page(request, t, "rulings", made=made, forms=forms)

    # Doing.

    def first_step(self, request: HttpRequest) -> HttpResponse:
        """Setting one up: also for a player who has organised nothing yet, and cannot enter the dashboard before."""
        if rights.may_enter(request) or not rights.may_set_up(request):
            return self.admin_site.admin_view(self.add_view)(request)
        return never_cache(csrf_protect(self.add_view))(request)

    def add_view(self, request: HttpRequest, form_url: str = "", extra_context: Any = None) -> HttpResponse:
        """Set a tournament up: first its kind and game, or one like before; then what it is to be."""
        if not self.has_add_permission(request):
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
                    done = services.set_up(user, form.asked())
                except Refused as error:
                    form.refuse(error)
                else:
                    assert done.tournament is not None  # noqa: S101  without a key nothing is replayed
                    messages.success(request, "It is set up. Open the registration when all is as you want it.")
                    return HttpResponseRedirect(_url(done.tournament.id))
        return self._set_up(request, "set_up", {"form": form, "told": told, "changeable": True})

    def settings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """What was set up; before the start it can be changed."""
        t = self._tournament(request, pk)
        changeable = t.status in ("draft", "registration")
        form = SetUpForm(request.POST or None, initial=initial_of(t.asked))
        told: list[str] = []
        if request.method == "POST" and changeable and form.is_valid():
            if "estimate" in request.POST:
                told = _estimated(request, form)
            else:
                try:
                    services.change(t.pk, rights.user_of(request), form.asked(complete=True))
                except Refused as error:
                    form.refuse(error)
                else:
                    messages.success(request, "The settings are changed.")
                    return HttpResponseRedirect(_url(t.pk, "settings"))
        if not changeable:
            for field in form.fields.values():
                field.disabled = True
        return self._page(request, t, "settings", form=form, changeable=changeable, told=told)

    def stage(self, request: HttpRequest, pk: UUID, stage: str) -> HttpResponse:
        """One stage on: a button of the overview."""
        return require_POST(self._stage)(request, pk, stage)

    def _stage(self, request: HttpRequest, pk: UUID, stage: str) -> HttpResponse:
        t, user = self._tournament(request, pk), rights.user_of(request)
        if stage not in STAGES:
            raise Http404
        reason = request.POST.get("reason", "").strip()
        title, _, needs_reason = STAGES[stage]
        if needs_reason and not reason:
            messages.error(request, f"{title}: say why. Everybody can read the reason on the public page.")
        elif stage == "cancel" and "sure" not in request.POST:
            messages.error(request, "Cancelling cannot be taken back. Tick the box if you are sure.")
        elif "sure" not in request.POST and (doubts := _doubts(stage, t)):
            return self._page(request, t, "overview", template="stage", stage=stage, button=title, doubts=doubts)
        elif self._try(request, lambda: _go(stage, t.pk, user, reason)):
            messages.success(request, f"Done: {title.lower()}.")
            if stage == "next" and t.plan["pace"] == "manual":
                return HttpResponseRedirect(_url(t.pk, "draft"))
        return HttpResponseRedirect(_url(t.pk))

    def messages(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Write to all entrants, and the channels that are told."""
        t = self._tournament(request, pk)
        form, sent = announcing.MessageForm(request.POST or None), None
        if request.method == "POST" and form.is_valid():
            sent = announcing.send(request, t, form)
            if sent is not None and sent.version is not None:
                return HttpResponseRedirect(_url(t.pk, "messages"))
        return self._page(request, t, "messages", form=form, sent=sent, **announcing.page(request, t))

    def channel(self, request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
        """Add, test or remove a channel."""
        return require_POST(self._channel)(request, pk, what)

    def _channel(self, request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
        t = self._tournament(request, pk)
        announcing.change_channel(request, t, what)
        return HttpResponseRedirect(f"{_url(t.pk, 'messages')}#channels")

    def successor(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Set up a tournament after this one (RT7)."""
        return require_POST(self._successor)(request, pk)

    def _successor(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t, user = self._tournament(request, pk), rights.user_of(request)
        done = self._try(request, lambda: services.set_up(user, {"after": str(t.pk)}))
        if not done:
            return HttpResponseRedirect(_url(t.pk))
        messages.success(request, "It is set up as last time, and the entrants will be invited when you open it.")
        return HttpResponseRedirect(_url(done.tournament.id, "settings"))

    def invitation(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """Renew the invitation."""
        return require_POST(self._renew)(request, pk)

    def _renew(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t, user = self._tournament(request, pk), rights.user_of(request)
        if self._try(request, lambda: services.renew_invitation(t.pk, user)):
            messages.success(request, "The invitation is renewed. The one before lets nobody in any more.")
        return HttpResponseRedirect(f"{_url(t.pk)}#public")

    def decide(self, request: HttpRequest, pk: UUID, n: int) -> HttpResponse:
        """Decide a proposal, or close it where the electors decide (RT1, RT3)."""
        return require_POST(self._decide)(request, pk, n)

    def _decide(self, request: HttpRequest, pk: UUID, n: int) -> HttpResponse:
        t, user = self._tournament(request, pk), rights.user_of(request)
        reason, ratified = request.POST.get("reason", "").strip(), "ratify" in request.POST
        if not 1 <= len(reason) <= MAX_REASON or not reason.isprintable():
            messages.error(request, f"A reason of 1 to {MAX_REASON} printable characters is needed.")
        elif self._try(request, lambda: services.decide_proposal(t.pk, user, n, reason, ratified=ratified)):
            messages.success(request, "These rules hold from now on." if ratified else f"Proposal {n} has ended.")
        return HttpResponseRedirect(f"{_url(t.pk)}#rules")

    def people(self, request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
        """Add, check in or withdraw an entrant; name organisers."""
        return require_POST(self._people)(request, pk, what)

    def _people(self, request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
        t, user = self._tournament(request, pk), rights.user_of(request)
        who = request.POST.get("who", "").strip()
        if what not in ENTRANTS:
            raise Http404
        if what == "invite":
            self._invite(request, t, who)
            return HttpResponseRedirect(_url(t.pk, "entrants"))
        acts: dict[str, Callable[[], Any]] = {
            "bot": lambda: services.add_bot(t.pk, user, who),
            "check_in": lambda: services.check_in(t.pk, user, who),
            "withdraw": lambda: services.withdraw(t.pk, user, who, resign="resign" in request.POST),
            "organiser": lambda: services.add_organiser(t.pk, user, who),
            "no_organiser": lambda: services.remove_organiser(t.pk, user, who),
        }
        if what in ("check_in", "withdraw") and who not in texts_of(t):
            messages.error(request, "There is no such entrant.")
        elif self._try(request, acts[what]):
            messages.success(request, f"Done: {what.replace('_', ' ')} {who}.")
        if what == "no_organiser" and not rights.is_staff(request) and who.casefold() == user.username.casefold():
            return HttpResponseRedirect(reverse("admin:tournaments_tournament_changelist"))
        return HttpResponseRedirect(_url(t.pk, "entrants"))

    def _invite(self, request: HttpRequest, t: Tournament, who: str) -> None:
        """Invite everybody of a list as it may be pasted: a name a line, or names between commas."""
        names = list(dict.fromkeys(name.strip() for name in re.split(r"[\n,;]", who) if name.strip()))
        invited = []
        for name in names[:MOST_INVITED]:
            try:
                services.invite(t.pk, rights.user_of(request), name)
                invited.append(name)
            except Refused as error:
                messages.error(request, f"{name}: {error.detail}")
        if invited:
            messages.success(request, f"Done: invite {', '.join(invited)}.")
        if not names:
            messages.error(request, "Name at least one player.")
        if len(names) > MOST_INVITED:
            messages.error(request, f"Not looked at, beyond {MOST_INVITED} at once: {', '.join(names[MOST_INVITED:])}.")

    def draft(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        """The next round as it is drafted: exchange entrants with the cost shown, publish."""
        t, user = self._tournament(request, pk), rights.user_of(request)
        tried, swap = None, (request.POST.get("one", ""), request.POST.get("other", ""))
        if request.method == "POST" and t.draft is not None:
            seen = as_drafted(request.POST.get("drafted", ""))
            if "publish" in request.POST:
                if self._try(request, lambda: services.publish(t.pk, user, if_match=seen)):
                    messages.success(request, "The round is seated.")
                    return HttpResponseRedirect(_url(t.pk))
            else:
                reason = request.POST.get("reason", "").strip()
                dry = "try" in request.POST

                def exchange() -> Any:
                    about = reason or "tried"
                    return services.exchange(t.pk, user, reason=about, swap=swap, dry_run=dry, if_match=seen)

                if not dry and not reason:
                    messages.error(request, "Say why the entrants change places: everybody can read it.")
                else:
                    tried = self._try(request, exchange)
                    if tried and not dry:
                        messages.success(request, "The entrants have changed places.")
                        return HttpResponseRedirect(_url(t.pk, "draft"))
            t = self._tournament(request, pk)
        names = texts_of(t)
        draft = t.draft or {}
        seated = [key for table in draft.get("tables", ()) for key in table] + list(draft.get("byes", ()))
        return self._page(
            request,
            t,
            "draft",
            draft=named(draft, draft.get("figures", {}), names) if draft else None,
            tried=named(tried, tried, names) if tried else None,
            seated=[(key, names[key]) for key in seated],
            drafted=mark_of(draft.get("round"), draft.get("tables", ()), draft.get("byes", ())),
            swap=swap,
            reason=request.POST.get("reason", ""),
            no_shows=Picture(t).no_shows if draft else [],
        )

    def rule(self, request: HttpRequest, pk: UUID, ruling: str) -> HttpResponse:
        """A ruling: its form, the standings before and after, and then the ruling itself."""
        t, user = self._tournament(request, pk), rights.user_of(request)
        if ruling not in TITLES or not reachable(ruling, t.kind):
            raise Http404
        form = RulingForm(ruling, t, request.POST or None, initial=request.GET.dict())
        preview = None
        if request.method == "POST" and form.is_valid():
            asked = form.asked()
            try:
                if "confirm" in request.POST:
                    if _rule_as_seen(request, t, asked):
                        messages.success(request, f"Ruled: {TITLES[ruling].lower()}.")
                        if ruling == "remove" and _takes_invitation(t):
                            messages.warning(request, STILL_KNOWN)
                        return HttpResponseRedirect(_url(t.pk, "rulings"))
                    messages.error(request, "The tournament has changed meanwhile. Look at the standings again.")
                    t = self._tournament(request, pk)
                shown = services.rule(t.pk, user, {**asked, "dry_run": True}, if_match=_at(t.version))
                preview = compared(shown.before, shown.after)
            except Refused as error:
                preview = None
                form.add_error(None, "; ".join(f"{name}: {text}" for name, text in error.errors) or error.detail)
        counter = COUNTER.get(ruling)
        return self._page(
            request,
            t,
            "rulings",
            template="rule",
            form=form,
            ruling=ruling,
            heading=TITLES[ruling],
            explained=EXPLAINED[ruling],
            counter=(counter, TITLES[counter]) if counter else None,
            preview=preview,
            effects=form.effects() if preview is not None else [],
            changes=[row for row in preview or () if row["changed"]],
        )

    # What the pages share.

    def _tournament(self, request: HttpRequest, pk: object) -> Tournament:
        """The tournament, if the caller runs it; for everybody else it is not there."""
        try:
            key = pk if isinstance(pk, UUID) else UUID(str(pk))
        except ValueError:
            raise Http404 from None
        found = Tournament.objects.filter(pk=key).first()
        if found is None or not rights.may_run(request, found.pk):
            raise Http404
        return found

    def _page(
        self, request: HttpRequest, t: Tournament, page: str, *, template: str | None = None, **more: Any
    ) -> HttpResponse:
        tabs = [("Overview", _url(t.pk), page == "overview")]
        named = [
            "standings",
            "entrants",
            *(["draft"] if t.draft or page == "draft" else []),
            "rulings",
            "messages",
            "settings",
        ]
        tabs += [(name.capitalize(), _url(t.pk, name), page == name) for name in named]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "t": t,
            "tabs": tabs,
            "title": t.title,
            "is_staff": rights.is_staff(request),
            **more,
        }
        return render(request, f"dashboard/tournament/{template or page}.html", context)

    def _set_up(self, request: HttpRequest, page: str, context: Mapping[str, Any]) -> HttpResponse:
        shared = {**self.admin_site.each_context(request), "opts": self.opts, "title": self.add_text}
        return render(request, f"dashboard/tournament/{page}.html", {**shared, **context})

    def _try(self, request: HttpRequest, act: Callable[[], Any]) -> Any:
        """Return what the act returns. If it is refused, show why and return None."""
        try:
            return act() or True
        except Refused as error:
            messages.error(request, error.detail)
            return None


def _offers(t: Tournament, stage: str, when: Sequence[str]) -> bool:
    """Whether the overview has a button for it: in this stage, and only where the tournament has such a thing."""
    if stage in ("next", "manual", "auto") and t.kind == "season":
        return False
    return t.status in when and t.plan["pace"] != stage


def _rule_as_seen(request: HttpRequest, t: Tournament, asked: Mapping[str, Any]) -> bool:
    """Rule, unless the tournament is not as the organiser saw it any more. Raises Refused."""
    seen = request.POST.get("version", "")
    if seen != str(t.version):
        return False
    try:
        services.rule(t.pk, rights.user_of(request), asked, if_match=_at(t.version))
    except Stale:
        return False
    return True


def _at(version: int) -> Callable[[Any], bool]:
    return lambda t: bool(t.version == version)


def _doubts(stage: str, t: Tournament) -> list[str]:
    """What an organiser may have overlooked, in sentences; empty where nothing speaks against going on."""
    if stage == "start":
        names = texts_of(t)
        keys = [row.key for row in Entrant.objects.filter(tournament=t, standing="invited").order_by("number")]
        if not keys:
            return []
        who = ", ".join(names[key] for key in keys)
        return [f"Not accepted yet: {who}.", "Who has not accepted at the start does not play, unless they enter late."]
    if stage == "finish":
        open_games = TournamentGame.objects.filter(tournament=t, outcome="open").count()
        if not open_games:
            return []
        still = "1 game is still open: it is" if open_games == 1 else f"{open_games} games are still open: they are"
        return [f"{still} played on, but without counting for the tournament."]
    return []


def _share(request: HttpRequest, t: Tournament) -> dict[str, Any]:
    """What people are sent, so that they find the tournament and get in."""
    public = request.build_absolute_uri(f"/t/{t.slug}")
    if t.visibility == "private":
        public += f"?invitation={t.invitation}"
    # An SVG that segno has made out of the address alone.
    qr = mark_safe(segno.make(public, error="m").svg_inline(scale=4, border=4, dark="#000", light="#fff"))  # noqa: S308
    return {"public": public, "qr": qr, "takes_invitation": _takes_invitation(t)}


def _meaning(t: Tournament) -> Sequence[str]:
    """What the tournament comes to with those who are in, or with all that may be; before it starts."""
    if t.status not in ("draft", "registration"):
        return ()
    return meaning_of(max(t.places, t.plan["limit"] or 0), t.asked)


def _takes_invitation(t: Tournament) -> bool:
    return bool(t.visibility == "private" or t.plan["entry"] == "invitation")


def _go(stage: str, pk: UUID, user: Player, reason: str) -> None:
    acts: dict[str, Callable[[], Any]] = {
        "open": lambda: services.open_registration(pk, user),
        "start": lambda: services.start(pk, user),
        "next": lambda: services.next_round(pk, user),
        "manual": lambda: services.change(pk, user, {"pace": "manual"}),
        "auto": lambda: services.change(pk, user, {"pace": "auto"}),
        "finish": lambda: services.finish(pk, user),
        "reopen": lambda: services.reopen(pk, user, reason),
        "cancel": lambda: services.cancel(pk, user, reason),
    }
    acts[stage]()


def _url(pk: UUID, page: str | None = None) -> str:
    return reverse(f"admin:tournament_{page}" if page else "admin:tournaments_tournament_change", args=[pk])


def _estimated(request: HttpRequest, form: SetUpForm) -> list[str]:
    count = request.POST.get("entrants", "")
    if not count.isascii() or not count.isdigit() or not 2 <= int(count[:6]) <= 5000:
        return ["Say for how many entrants: 2 to 5000."]
    return meaning_of(int(count), form.asked())
