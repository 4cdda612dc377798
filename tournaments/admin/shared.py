"""The common parts of an organiser's pages: finding the tournament, drawing a page with tabs, explaining a refusal."""

from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import cache
from typing import Any
from uuid import UUID

import segno
from django import forms
from django.contrib import messages
from django.contrib.admin import AdminSite
from django.http import Http404, HttpRequest, HttpResponse
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils.safestring import mark_safe
from django.utils.text import capfirst

from core.accounts.models import Player
from core.refusals import Refused, Stale
from core.text import uuid_in
from games.admin import rights
from games.rules.words import listed
from tournaments import selectors
from tournaments.models import Tournament
from tournaments.picture.tables import TableLine
from tournaments.projections import state_of
from tournaments.stream.facts import By
from tournaments.stream.outcomes import left_to


class Shared:
    admin_site: AdminSite
    opts: Any

    def tournament_of(self, request: HttpRequest, pk: object) -> Tournament:
        key = uuid_in(pk)
        found = Tournament.objects.filter(pk=key).first() if key else None
        if found is None or not rights.may_run(request, found.pk):
            raise Http404
        return found

    def page(
        self, request: HttpRequest, t: Tournament, page: str, *, template: str | None = None, **more: Any
    ) -> HttpResponse:
        """Draw a page with its tabs; `template` if it is not named after the page."""
        tabs = [("Overview", url_of(t.pk), page == "overview")]
        named = [
            "standings",
            "entrants",
            *(["draft"] if t.state.draft or page == "draft" else []),
            "rulings",
            "messages",
            "settings",
        ]
        tabs += [(name.capitalize(), url_of(t.pk, name), page == name) for name in named]
        context = {
            **self.admin_site.each_context(request),
            "opts": self.opts,
            "t": t,
            "tabs": tabs,
            "title": t.title,
            "is_staff": rights.is_staff(request),
            **more,
        }
        return TemplateResponse(request, f"dashboard/tournament/{template or page}.html", context)

    def tried(self, request: HttpRequest, act: Callable[[], Any], done: str = "") -> Any:
        """What the act returns, or True; None if it is refused. The caller is told either."""
        try:
            result = act() or True
        except Stale:
            messages.error(request, "Something has changed since you saw this page. Please check it again.")
            return None
        except Refused as error:
            messages.error(request, error.said)
            return None
        if done:
            messages.success(request, done)
        return result


def left_to_others(t: Tournament, user: Player) -> Callable[[Sequence[str]], str]:
    """Who has to rule on a table of these entrants, since the user plays there; empty if the user may (LI5)."""
    state, by = state_of(t), By(user.pk)

    @cache
    def said(organisers: tuple[UUID, ...]) -> str:
        return listed(sorted(selectors.usernames(organisers).values())) if organisers else ""

    return lambda entrants: said(left_to(state, by, entrants))


def marked(tables: Sequence[TableLine], left: Callable[[Sequence[str]], str]) -> list[TableLine]:
    return [replace(table, left_to=left([name.key for name in table.names])) for table in tables]


def share(request: HttpRequest, t: Tournament) -> dict[str, Any]:
    """Return what an organiser sends to people, so that they find the tournament and get in."""
    public = request.build_absolute_uri(t.shared_url)
    invites = takes_invitation(t) or t.state.plan.guests
    door = (
        request.build_absolute_uri(reverse("join-page", args=[t.invitation]))
        if invites and t.status in ("registration", "running")
        else ""
    )
    # An SVG that segno has made out of the address alone.
    qr = mark_safe(segno.make(door or public, error="m").svg_inline(omitsize=True, border=4, dark="#000", light="#fff"))  # noqa: S308
    return {"public": public, "door": door, "qr": qr, "takes_invitation": takes_invitation(t)}


def refuse(form: forms.Form, error: Refused, place_of: Callable[[str], tuple[forms.Form, str]] | None = None) -> None:
    """Show why a form is refused, at the fields at fault; `place_of` finds those not called like their paths."""
    for path, detail in error.errors or (("", error.detail),):
        found, name = place_of(path) if place_of else (form, path)
        at_field = name in found.fields
        found.add_error(name if at_field else None, capfirst(detail) if at_field or not name else f"{name}: {detail}")


def takes_invitation(t: Tournament) -> bool:
    return bool(t.visibility == "private" or t.state.plan.entry == "invitation")


def url_of(pk: UUID, page: str | None = None) -> str:
    return reverse(f"admin:tournament_{page}" if page else "admin:tournaments_tournament_change", args=[pk])
