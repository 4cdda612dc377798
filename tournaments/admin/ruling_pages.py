"""The pages of rulings: what was ruled, and a form for each with what it would change."""

from collections.abc import Callable, Collection, Mapping
from hashlib import sha256
from typing import Any
from urllib.parse import urlencode
from uuid import UUID

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from core import log
from core.accounts.models import Player
from core.http.idempotency import keyed_form
from core.jobs.receipts import Answer, Keyed, Promised
from core.refusals import Refused, Stale
from games.admin import rights
from tournaments import services
from tournaments.admin.ruling_form import (
    RulingForm,
    compared,
    restorable,
    table_choice,
    tables_lacking_a_result,
)
from tournaments.admin.shared import Shared, left_to_others, refuse, takes_invitation, url_of
from tournaments.models import Tournament
from tournaments.picture import Picture
from tournaments.picture.ruled import RulingLine
from tournaments.stream.ruling import RULINGS

STILL_KNOWN = "The player you removed may still know the invitation. You can renew it on the overview page."


class Rulings(Shared):
    def rulings(self, request: HttpRequest, pk: UUID) -> HttpResponse:
        t = self.tournament_of(request, pk)
        forms = [
            (name, one.occasion, f"{one.title}. {one.explained()}", RULINGS[one.counter].title if one.counter else None)
            for name, one in RULINGS.items()
            if one.fits(t.state)
        ]
        return self.page(request, t, "rulings", made=with_counters(Picture(t), rights.user_of(request)), forms=forms)

    def rule(self, request: HttpRequest, pk: UUID, ruling: str) -> HttpResponse:
        t, user = self.tournament_of(request, pk), rights.user_of(request)
        if ruling not in RULINGS or not RULINGS[ruling].fits(t.state):
            raise Http404
        made = RULINGS[ruling]
        asked_for = {**request.GET.dict(), "who": request.GET.getlist("who")}
        if _was_ruled(request):
            return self._ruled(request, t, ruling)
        form = RulingForm(ruling, t, user, request.POST or None, initial=asked_for)
        shown = changes = seen = None
        effects: list[str] = []
        if request.method == "POST" and form.is_valid():
            body = form.body()
            try:
                if "confirm" in request.POST:
                    if _rule_as_seen(request, t, body):
                        return self._ruled(request, t, ruling)
                    messages.error(request, "Something has changed since this preview. Please check it again.")
                    t = self.tournament_of(request, pk)
                shown = services.rule(t.pk, user, {**body, "dry_run": True}, if_match=_at(t.version))
                changes, seen = compared(shown, form.names), _seen(t, body)
                effects = services.effects_of(t.pk, user, body, shown, form.names)
            except Refused as error:
                changes = None
                refuse(form, error, form.place_of)
        return self.page(
            request,
            t,
            "rulings",
            template="rule",
            form=form,
            ruling=ruling,
            heading=made.title,
            explained=made.explained(),
            counter=(made.counter, RULINGS[made.counter].title) if made.counter else None,
            seen=seen,
            effects=effects,
            changes=changes,
            others_stay=shown is not None and not shown.changes_all,
        )

    @staticmethod
    def _ruled(request: HttpRequest, t: Tournament, ruling: str) -> HttpResponse:
        messages.success(request, f"Ruled: {RULINGS[ruling].title.lower()}.")
        # A private tournament's is renewed by the removal.
        if ruling == "remove" and takes_invitation(t) and t.visibility == "public":
            messages.warning(request, STILL_KNOWN)
        return HttpResponseRedirect(url_of(t.pk, "rulings"))


def _keyed(request: HttpRequest) -> Keyed | None:
    return keyed_form(request, "key", lambda _: Answer(302, None))


def _was_ruled(request: HttpRequest) -> bool:
    keyed = _keyed(request)
    try:
        return keyed is not None and keyed.known() is not None
    except Promised:
        return True


def _rule_as_seen(request: HttpRequest, t: Tournament, body: Mapping[str, Any]) -> bool:
    """Rule, unless the tournament or the form has changed since the organiser saw it. Raises Refused."""
    if request.POST.get("seen") != _seen(t, body):
        return False
    try:
        services.rule(t.pk, rights.user_of(request), body, if_match=_at(t.version), keyed=_keyed(request))
    except Stale:
        return False
    return True


def _seen(t: Tournament, body: Mapping[str, Any]) -> str:
    """Return a mark of what was shown: the tournament's version and the ruling. Its reason may still change."""
    ruling = log.canonical({key: value for key, value in body.items() if key != "reason"})
    return f"{t.version}-{sha256(ruling.encode()).hexdigest()}"


def _at(version: int) -> Callable[[Any], bool]:
    return lambda t: bool(t.version == version)


Counter = tuple[str, str]
"""A way to undo a ruling: the text of its link, and the address of the form, which begins with the values."""


def with_counters(picture: Picture, user: Player) -> list[tuple[RulingLine, Counter | None]]:
    t = picture.tournament
    if t.status != "running":
        return [(line, None) for line in picture.rulings]
    outcomes = {str(row.game): row.outcome for row in picture.games}
    standings = {one.key: one.standing for one in picture.entrant_rows}
    off = any(outcomes.get(str(line.data.get("id"))) == "none" for line in picture.rulings)
    lacking = tables_lacking_a_result(t) if off else []
    outcomes |= dict.fromkeys(map(str, restorable(t, picture.games)), "restorable")
    left = left_to_others(t, user)
    outcomes |= {str(row.game): "left to others" for row in picture.games if left(row.state.entrants)}
    places = {(row.round, row.number) for row in lacking if not left(row.entrants)}
    return [(line, _counter_of(line, t, outcomes, standings, places)) for line in picture.rulings]


def _counter_of(
    line: RulingLine,
    t: Tournament,
    outcomes: Mapping[str, str],
    standings: Mapping[str, str],
    lacking: Collection[tuple[int | None, int | None]],
) -> Counter | None:
    data = line.data
    if line.type in ("voided", "restored", "result"):
        game = str(data["id"])
        if outcomes.get(game) == "restorable":
            return _back(t, "restore", {"game": game}) if line.type == "voided" else None
        if outcomes.get(game) == "result":
            counter = "correct" if data.get("instead_of") and line.type == "result" else "void"
            return _back(t, counter, {"game": game}) if line.type != "voided" else None
        # A game that was called off is not resumed (LI5), but its table can still be ruled.
        place = (data.get("round"), data.get("table"))
        return _link(t, "Rule the table", "rule_table", {"game": table_choice(*place)}) if place in lacking else None
    if line.type == "adjusted":
        points = str(data["points"])
        begins = {"entrant": data["entrant"], "points": points[1:] if points[0] == "-" else f"-{points}"}
        stage = {"stage": str(data.get("stage") or t.state.stage_at(line.at))} if t.state.begun else {}
        return _back(t, "adjust", begins | stage)
    standing = standings.get(data.get("entrant", ""))
    if line.type == "removed" and standing == "removed":
        return _back(t, "reinstate", {"entrant": data["entrant"]})
    if line.type == "reinstated" and standing not in (None, "removed", "gone"):
        return _back(t, "remove", {"entrant": data["entrant"]})
    if line.type == "replaced" and standing == "in" and line.was is not None:
        was = {"player": line.was.player} if line.was.player else {"bot": line.was.bot} if line.was.bot else {}
        return _back(t, "replace", {"entrant": data["entrant"], **{key: value for key, value in was.items() if value}})
    return None


def _back(t: Tournament, ruling: str, begins: Mapping[str, str]) -> Counter:
    return _link(t, f"Undo: {RULINGS[ruling].title.lower()}", ruling, begins)


def _link(t: Tournament, text: str, ruling: str, begins: Mapping[str, str]) -> Counter:
    return text, f"{reverse('admin:tournament_rule', args=[t.pk, ruling])}?{urlencode(begins)}"
