from collections.abc import Callable, Mapping
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_POST

from core.http.throttling import limit
from core.jobs.receipts import Answer, Keyed
from core.refusals import Conflict, Refused
from core.text import MAX_REASON, uuid_in, whole_in
from games import services as games
from games.pages.lobby.forms import OPTION, option_field, options_in
from games.pages.lobby.page import LOG_IN, about_reader, answering, reader_of
from games.selectors import title_by
from games.wording import in_text
from tournaments import selectors, services
from tournaments.access import may_know
from tournaments.models import Tournament
from tournaments.picture import Picture, Viewer
from tournaments.picture.ratifying import changes_as_shown, effect_of, electorate_of, shown_value

Act = Callable[[Viewer, Mapping[str, str]], str]


@require_POST
@answering
def act(request: HttpRequest, slug: str, what: str) -> HttpResponse:
    viewer = _viewer(request, slug)
    if isinstance(viewer, HttpResponse):
        return viewer
    try:
        said = ACTS[what](viewer, request.POST.dict())
    except Refused as error:
        messages.error(request, error.said)
    else:
        if said.startswith("/"):
            return HttpResponseRedirect(said)
        messages.success(request, said)
    return HttpResponseRedirect(_page(viewer))


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def propose(request: HttpRequest, slug: str) -> HttpResponse:
    """Propose rules: show each option as it is now, then what would change, then make the proposal."""
    viewer = _viewer(request, slug)
    if isinstance(viewer, HttpResponse):
        return viewer
    form, foreseen, why_not = ProposalForm(viewer, request.POST or None), None, None
    try:
        services.check_proposer(viewer.state, viewer.player)
    except Refused as error:
        why_not = error.detail
    if why_not is None and request.method == "POST" and form.is_valid():
        sure = "sure" in request.POST
        try:
            done = services.propose(viewer.state.id, viewer.player, {**form.body(), "dry_run": not sure})
        except Refused as error:
            said, of_the_api, _ = error.said.partition(' Send "confirm"')
            form.add_error(None, f"{said} Tick the box below to ratify them as they are." if of_the_api else said)
        else:
            if sure:
                messages.success(request, "Proposed. Everyone who may vote has been notified.")
                return HttpResponseRedirect(f"{_page(viewer)}#rules")
            foreseen = changes_as_shown(selectors.changes_of(done.tournament, done.tournament.proposals[done.n]))
    about = {"picture": viewer.picture, "base": viewer.picture.tournament.get_absolute_url(), "query": _query(viewer)}
    told = {"effect": effect_of(viewer.state), "electorate": electorate_of(viewer.state)}
    context = {"form": form, "foreseen": foreseen, "why_not": why_not, **told, **about, **about_reader(request)}
    return TemplateResponse(request, "tournaments/propose.html", context)


OF_HOUSE_GAME = "The address of the saved house game whose newest rules you want to propose."


class ProposalForm(forms.Form):
    title = forms.CharField(max_length=100, help_text="The name people see in the list.")
    reason = forms.CharField(max_length=MAX_REASON, widget=forms.Textarea(attrs={"rows": 3}))

    def __init__(self, viewer: Viewer, *args: Any) -> None:
        super().__init__(*args)
        state = viewer.state
        game = state.played
        self.holds = game.complete_options(state.plan.size, state.rules.ruleset, state.rules.options)[1]
        self.ruleset, self.sent = state.rules.ruleset, dict(state.rules.options)
        if len(game.rulesets) > 1:
            self.fields["ruleset"] = forms.ChoiceField(
                choices=[(name, name) for name in game.rulesets],
                help_text=" ".join(f"{name}: {text}" for name, text in game.rulesets.items()),
                initial=self.ruleset,
                required=False,
            )
        for name, option in game.options_of(self.ruleset).items():
            if game.digest:  # its rules, a document, are written elsewhere
                self.holds["house_game"] = title_by(game)
                self.fields["house_game"] = forms.CharField(label="House game", help_text=OF_HOUSE_GAME)
                continue
            self.fields[OPTION + name] = option_field(name, option, initial=in_text(self.holds.get(name)))
        self.fields["confirm"] = forms.BooleanField(
            required=False, label="No changes: confirm the current rules", help_text="Only to confirm them."
        )

    @property
    def rules(self) -> list[tuple[forms.BoundField, str, bool]]:
        named = ("ruleset", "house_game")
        fields = [field for field in self if field.name in named or field.name.startswith(OPTION)]
        holds = {
            "ruleset": self.ruleset,
            "house_game": self.holds.get("house_game"),
            **{OPTION + name: value for name, value in self.holds.items()},
        }
        return [
            (field, shown_value(holds.get(field.name)), self.is_bound and field.name in self.changed_data)
            for field in fields
        ]

    @property
    def words(self) -> list[forms.BoundField]:
        return [self["title"], self["reason"], self["confirm"]]

    def body(self) -> dict[str, Any]:
        given = self.cleaned_data
        if "house_game" in given:
            saved = given["house_game"].strip().rstrip("/").rpartition("/")[2].partition("?")[0]
            own = {name: given[name] for name in ("title", "reason", "confirm")}
            return {**own, "house_game": saved}
        changed = {name: value for name, value in options_in(given).items() if value != self.holds.get(name)}
        body = {"title": given["title"], "reason": given["reason"], "options": {**self.sent, **changed}}
        return {**body, "ruleset": given.get("ruleset") or self.ruleset, "confirm": given["confirm"]}


def _viewer(request: HttpRequest, slug: str) -> Viewer | HttpResponse:
    """The tournament for somebody who is logged in; else the way to the log-in. Raises Http404 as the page does."""
    reader = reader_of(request)
    invitation = request.POST.get("invitation") or request.GET.get("invitation")
    row = Tournament.objects.filter(slug=slug).first()
    if row is None or not may_know(row, reader, invitation):
        raise Http404
    if reader is None:
        return HttpResponseRedirect(f"{LOG_IN}?{urlencode({'next': row.get_absolute_url()})}")
    return Viewer(Picture(row), reader, invitation)


def _query(viewer: Viewer) -> str:
    return f"?{urlencode({'invitation': viewer.invitation})}" if viewer.invitation else ""


def _page(viewer: Viewer) -> str:
    return viewer.picture.tournament.get_absolute_url() + _query(viewer)


def _enter(viewer: Viewer, _: Mapping[str, str]) -> str:
    return _came(services.enter(viewer.state.id, viewer.player, invitation=viewer.invitation), "You have entered.")


def _came(done: services.Done, text: str) -> str:
    waits = done.entrant in done.tournament.queue
    return "All places are taken, so you are on the waiting list." if waits else text


def _own(viewer: Viewer) -> str:
    if viewer.entrant is None:
        raise Http404
    return viewer.entrant.key


def _accept(viewer: Viewer, given: Mapping[str, str]) -> str:
    """Accept an invitation, or the question whether to play on for an entrant, which can be declined here, too."""
    accept, entrant = "decline" not in given, given.get("entrant") or _own(viewer)
    done = services.accept(viewer.state.id, viewer.player, entrant, accept=accept)
    return _came(done, "You have accepted.") if accept else "You have declined."


def _check_in(viewer: Viewer, _: Mapping[str, str]) -> str:
    services.check_in(viewer.state.id, viewer.player, _own(viewer))
    return "You are checked in."


def _withdraw(viewer: Viewer, given: Mapping[str, str]) -> str:
    if "sure" not in given:
        return "Nothing has changed. Tick the box if you are sure."
    services.withdraw(viewer.state.id, viewer.player, _own(viewer), resign="resign" in given)
    return "You have declined the invitation." if viewer.is_invited else "You have withdrawn."


def _open_game(viewer: Viewer, given: Mapping[str, str]) -> str:
    state, (least, most) = viewer.state, viewer.seats
    seats = whole_in(given.get("seats"), 99)
    seats, keyed = min(max(state.plan.size if seats is None else seats, least), most), None
    if (key := uuid_in(given.get("key"))) is not None:
        keyed = Keyed(viewer.player.pk, _page(viewer), f"{key} {seats}", seats, lambda room: Answer(302, str(room.id)))
    opened = services.open_game(state.id, viewer.player, seats=seats, keyed=keyed)
    # Bots may have filled it: then the room leads to its table.
    return reverse("room-page", args=[opened.id if keyed is None else opened.body])


def _sit_down(viewer: Viewer, given: Mapping[str, str]) -> str:
    """Sit down in a room of the season; who is invited accepts with it. Twice is once, so the form has no key."""
    if (room := uuid_in(given.get("room"))) is None:
        raise Http404
    if viewer.is_invited:
        services.accept(viewer.state.id, viewer.player, _own(viewer))
    try:
        games.join(room, viewer.player)
    except Conflict as no:
        if no.code != "already_joined":
            raise
    return reverse("room-page", args=[room])


def _vote(viewer: Viewer, given: Mapping[str, str]) -> str:
    choice = given.get("vote", "")
    if choice not in ("yes", "no", "abstain"):
        raise Http404
    services.vote(viewer.state.id, viewer.player, _proposal(given), choice)
    return f"Your vote: {choice}. You can change it until the vote ends."


def _withdraw_proposal(viewer: Viewer, given: Mapping[str, str]) -> str:
    services.withdraw_proposal(viewer.state.id, viewer.player, _proposal(given))
    return "The proposal has been withdrawn."


def _proposal(given: Mapping[str, str]) -> int:
    if (n := whole_in(given.get("proposal"), 999_999)) is None:
        raise Http404
    return n


def _organise(viewer: Viewer, given: Mapping[str, str]) -> str:
    if "decline" in given:
        services.decline_to_organise(viewer.state.id, viewer.player)
        return "You are not an organiser of this tournament."
    services.accept_to_organise(viewer.state.id, viewer.player)
    return "You are now an organiser of this tournament."


def _invite(viewer: Viewer, given: Mapping[str, str]) -> str:
    limit("invite", str(viewer.player.pk))
    name = given.get("who", "")[:40]
    services.invite(viewer.state.id, viewer.player, name)
    return f"{name} has been invited."


ACTS: Mapping[str, Act] = {
    "enter": _enter,
    "accept": _accept,
    "check-in": _check_in,
    "withdraw": _withdraw,
    "open-game": _open_game,
    "sit-down": _sit_down,
    "vote": _vote,
    "withdraw-proposal": _withdraw_proposal,
    "organise": _organise,
    "invite": _invite,
}
