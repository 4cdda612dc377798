"""Entrants, whom organisers invite, check in or withdraw; organisers; and messages to all."""

import re
from collections.abc import Callable
from typing import Any
from uuid import UUID

from django import forms
from django.contrib import messages
from django.db.models import Value
from django.db.models.functions import Lower, StrIndex
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from core.accounts.models import Player
from core.refusals import Refused
from core.text import whole_in
from games.admin import rights
from games.bots import levels_of
from games.rules.words import counted
from tournaments import selectors, services
from tournaments.admin.shared import Shared, refuse, share, url_of
from tournaments.hooks import BESIDE_MESSAGES
from tournaments.models import Entrant, Tournament
from tournaments.picture import Picture, Viewer, texts_of
from tournaments.stream import Standing, Status
from tournaments.stream.life import MAX_MESSAGE
from tournaments.stream.ruling import RULINGS

# What can be ruled beside an entrant's name.
BESIDE_ENTRANTS = {"reinstate": "reinstate", "replace": "replace", "remove": "remove", "adjust": "adjust points"}
MOST_INVITED = 200
MOST_FOUND = 8
# At once.
MOST_BOTS = 16
ENTRANTS = ("invite", "bot", "check_in", "withdraw", "organiser", "no_organiser")
_DONE = {
    "check_in": "{who} has been checked in.",
    "withdraw": "{who} has been withdrawn.",
    "organiser": "{who} has been invited, and will be an organiser after accepting.",
    "no_organiser": "{who} is no longer an organiser.",
}


class People(Shared):
    def entrants(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        picture = Picture(t)
        rows = [row for row in picture.entrant_rows if row.standing != Standing.GONE]
        found = Player.objects.in_bulk([*t.organisers, *t.asked_organisers])
        organisers = [
            (found[pk], pk in t.asked_organisers) for pk in (*t.organisers, *t.asked_organisers) if pk in found
        ]
        search = request.GET.get("q", "").strip()[:40]
        out = selectors.out_of(t)
        return self.page(
            request,
            t,
            "entrants",
            entrants=[
                (row, picture.texts[row.key], "out" if row.key in out else row.standing, _rulings_on(t, row))
                for row in rows
            ],
            closed=picture.closed,
            search=search,
            found=_players(t, search) if search else [],
            my_people=Viewer(picture, rights.user_of(request)).my_people,
            organisers=organisers,
            only=t.organisers[0] if len(t.organisers) == 1 else None,
            no_shows=picture.no_shows,
            bots=levels_of(t.state.played)[::-1],
            most_bots=MOST_BOTS,
            **share(request, t),
            checks_in=t.state.plan.check_in is not None and t.status == "registration",
        )

    def people(self, request: HttpRequest, pk: UUID, what: str) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        who = request.POST.get("who", "").strip()
        if what not in ENTRANTS:
            raise Http404
        if what in ("invite", "bot"):
            self._invite(request, t, who) if what == "invite" else self._add_bots(request, t, who)
            return HttpResponseRedirect(url_of(t.pk, "entrants"))
        acts: dict[str, Callable[[], Any]] = {
            "check_in": lambda: services.check_in(t.pk, user, who),
            "withdraw": lambda: services.withdraw(t.pk, user, who, resign="resign" in request.POST),
            "organiser": lambda: services.add_organiser(t.pk, user, who),
            "no_organiser": lambda: services.remove_organiser(t.pk, user, who),
        }
        names = texts_of(t) if what in ("check_in", "withdraw") else {who: who}
        done = None
        if who not in names:
            messages.error(request, "There is no such entrant.")
        else:
            done = self.tried(request, acts[what], _DONE[what].format(who=names[who]))
        steps_down = done and what == "no_organiser" and who.casefold() == user.username.casefold()
        if steps_down and not rights.is_staff(request):
            return HttpResponseRedirect(reverse("admin:tournaments_tournament_changelist"))
        return HttpResponseRedirect(url_of(t.pk, "entrants"))

    def _add_bots(self, request: HttpRequest, t: Tournament, level: str) -> None:
        wanted, entered = whole_in(request.POST.get("count", "1"), MOST_BOTS) or 0, 0
        if not wanted:
            messages.error(request, f"Enter the number of bots: 1 to {MOST_BOTS}.")
        while entered < wanted and self.tried(request, lambda: services.add_bot(t.pk, rights.user_of(request), level)):
            entered += 1
        if entered:
            messages.success(request, f"{counted(entered, f'{level} bot')} entered.")

    def _invite(self, request: HttpRequest, t: Tournament, who: str) -> None:
        names = list(dict.fromkeys(name.strip() for name in re.split(r"[\n,;]", who) if name.strip()))
        invited = []
        for name in names[:MOST_INVITED]:
            try:
                services.invite(t.pk, rights.user_of(request), name)
                invited.append(name)
            except Refused as error:
                messages.error(request, f"{name}: {error.detail}")
        if invited:
            messages.success(request, f"Invited: {', '.join(invited)}.")
        if not names:
            messages.error(request, "Enter at least one player.")
        if len(names) > MOST_INVITED:
            messages.error(
                request,
                f"Only {MOST_INVITED} players can be added at once. Not added: {', '.join(names[MOST_INVITED:])}.",
            )


def _rulings_on(t: Tournament, entrant: Entrant) -> list[tuple[str, str]]:
    """Those that can be made of an entrant as it stands, with their words."""
    if t.status != Status.RUNNING:
        return []
    made = [(name, words, RULINGS[name]) for name, words in BESIDE_ENTRANTS.items()]
    return [(name, words) for name, words, one in made if one.fits(t.state) and entrant.standing in one.standings]


def _players(t: Tournament, part: str) -> list[str]:
    """Those who could be invited and have this in their names, first those whose names begin with it."""
    known = Entrant.objects.filter(tournament=t, player__isnull=False).values("player")
    people = Player.objects.filter(closed_at=None, is_active=True, guest_seen_at=None).exclude(pk__in=known)
    named = people.exclude(preferences__contains={"unlisted": True}).alias(lowered=Lower("username"))
    found = named.filter(lowered__contains=part.lower()).order_by(StrIndex("lowered", Value(part.lower())), "lowered")
    return list(found.values_list("username", flat=True)[:MOST_FOUND])


class MessageForm(forms.Form):
    text = forms.CharField(
        label="Message",
        max_length=MAX_MESSAGE,
        widget=forms.Textarea(attrs={"rows": 4}),
        help_text="Everyone who has a place, or is waiting for one, gets it on this site and by push, email or "
        "chat, as they have chosen. One paragraph; at most five messages a day.",
    )

    def clean_text(self) -> str:
        return " ".join(str(self.cleaned_data["text"]).split())


def beside_messages(request: HttpRequest, t: Tournament) -> dict[str, Any]:
    """What features show on the page of messages."""
    shown: dict[str, Any] = {"sections": [template for template, _ in BESIDE_MESSAGES]}
    for _, context in BESIDE_MESSAGES:
        shown |= context(request, t)
    return shown


def send(request: HttpRequest, t: Tournament, form: MessageForm) -> services.Sent | None:
    """Send the form's message, or show how it would read, depending on the button. Return None if it is refused."""
    dry_run = "send" not in request.POST
    try:
        sent = services.send_message(t.pk, rights.user_of(request), form.cleaned_data["text"], dry_run=dry_run)
    except Refused as error:
        refuse(form, error)
        return None
    if not dry_run:
        messages.success(request, f"Sent to {counted(sent.told, 'player')}.")
    return sent
