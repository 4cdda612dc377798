"""The pages of an account that allauth lacks: an overview, sessions one by one, tokens, closing."""

from typing import Any, cast
from urllib.parse import urlsplit
from uuid import UUID

from allauth.account.decorators import reauthentication_required
from allauth.account.forms import SetPasswordForm
from allauth.mfa.models import Authenticator
from allauth.usersessions.models import UserSession
from django import forms
from django.conf import settings
from django.contrib import auth, messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import include, path
from django.views.decorators.http import require_http_methods, require_POST
from django.views.generic import RedirectView

from core import clock
from core.accounts import addresses, blocking, names, services, signals
from core.accounts.login import client_ids as ids
from core.accounts.login import second_factor, sessions, tokens, way_in
from core.accounts.models import Player, Session, Token
from core.accounts.pages.limits import ROOT
from core.http.scopes import IDENTITY, SCOPES
from core.refusals import NotFound, Refused

BLOCKED_ON_A_PAGE = 100


class TokenForm(forms.Form):
    name = forms.CharField(
        label="What the token is for",
        max_length=tokens.MAX_NAME,
        help_text="For example: my bot.",
        validators=[names.readable],
    )
    scopes = forms.MultipleChoiceField(
        label="What it can do",
        choices=[(scope, f"{scope}: {words}") for scope, words in SCOPES.items()],
        initial=["read", "play"],
        widget=forms.CheckboxSelectMultiple(),
    )


def _shown(request: HttpRequest, template: str, **context: Any) -> HttpResponse:
    return render(request, template, {"viewer": request.user, **context})


def _player(request: HttpRequest) -> Player:
    return cast("Player", request.user)


@login_required
def overview(request: HttpRequest) -> HttpResponse:
    player = _player(request)
    kinds = list(Authenticator.objects.filter(user=player).values_list("type", flat=True))
    return _shown(
        request,
        "account/overview.html",
        address=addresses.address_of(player),
        passkeys=kinds.count(Authenticator.Type.WEBAUTHN),
        app=Authenticator.Type.TOTP in kinds,
        sessions=sessions.valid(player).count(),
        tokens=tokens.valid(player).count(),
        demanded=second_factor.is_missing(player),
        passkey_host=settings.TREY_PASSKEY_HOST,
    )


@login_required
def list_sessions(request: HttpRequest) -> HttpResponse:
    listed = [_about(row, known, request) for row, known in sessions.browsers(_player(request))]
    listed.sort(key=lambda one: not one["current"])
    return _shown(request, "account/sessions.html", sessions=listed)


def _about(row: Session, known: UserSession | None, request: HttpRequest) -> dict[str, Any]:
    return {
        "name": sessions.name_of(row),
        "browser": browser_of(known.user_agent if known is not None else ""),
        "ip": known.ip if known is not None else None,
        "since": known.created_at if known is not None else None,
        "current": row.pk == request.session.session_key,
    }


_BROWSERS = (("Edg", "Edge"), ("OPR", "Opera"), ("Firefox", "Firefox"), ("Chrome", "Chrome"), ("Safari", "Safari"))
_SYSTEMS = (("Android", "Android"), ("iPhone", "an iPhone"), ("iPad", "an iPad"), ("Mac OS", "a Mac"))
_OTHERS = (("Windows", "Windows"), ("Linux", "Linux"))


def browser_of(user_agent: str) -> str:
    browser = next((name for mark, name in _BROWSERS if f"{mark}/" in user_agent), "A browser")
    system = next((name for mark, name in (*_SYSTEMS, *_OTHERS) if mark in user_agent), "")
    return f"{browser} on {system}" if system else browser


@require_POST
@login_required
def end_session(request: HttpRequest) -> HttpResponse:
    player = _player(request)
    if name := request.POST.get("session", ""):
        if sessions.revoke(player, name):
            messages.success(request, "That browser has been logged out.")
    else:
        services.log_out_others(player, request.session)
        messages.success(request, "All other browsers are logged out.")
    return redirect("account-sessions")


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def list_tokens(request: HttpRequest) -> HttpResponse:
    player, made = _player(request), None
    form = TokenForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        made, _ = tokens.issue(player, name=form.cleaned_data["name"], scopes=form.cleaned_data["scopes"])
        signals.secured.send(sender=Player, player=player, what="token", now=clock.now())
        form = TokenForm()
    rows = list(tokens.valid(player).order_by("-last_used_at", "-id"))
    apps = [_of_app(app, [row for row in rows if row.app == app]) for app in dict.fromkeys(row.app for row in rows)]
    own = [row for row in rows if row.app is None]
    shown = {"tokens": own, "apps": [app for app in apps if app is not None], "form": form, "made": made}
    return _shown(request, "account/tokens.html", **shown)


def _of_app(app: str | None, rows: list[Token]) -> dict[str, Any] | None:
    """What an app may do by all of its tokens, the last used first."""
    if app is None:
        return None
    scopes = {scope for row in rows for scope in row.scopes}
    return {
        "id": app,
        "host": ids.host_of(app),
        "scopes": [scope for scope in (*IDENTITY, *SCOPES) if scope in scopes],
        "tokens": len(rows),
        "since": min(row.created for row in rows),
        "used": rows[0].last_used_at,
    }


@require_POST
@login_required
def revoke_token(request: HttpRequest) -> HttpResponse:
    player, wanted = _player(request), request.POST.get("token", "")
    if app := request.POST.get("app", ""):
        if ids.is_client_id(app) and tokens.revoke_app(player, app):
            messages.success(request, f"{ids.host_of(app)} can no longer act for you.")
        return redirect("account-tokens")
    if not wanted:
        tokens.revoke_all(player)
        messages.success(request, "All tokens have been revoked.")
        return redirect("account-tokens")
    try:
        token_id = UUID(wanted)
    except ValueError:
        return HttpResponse(status=400)
    if tokens.revoke(player, token_id):
        messages.success(request, "The token has been revoked.")
    return redirect("account-tokens")


class BlockForm(forms.Form):
    username = forms.CharField(
        label="Player to block",
        max_length=40,
        widget=forms.TextInput(attrs={"autocomplete": "off", "autocapitalize": "none", "spellcheck": "false"}),
    )


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def list_blocked(request: HttpRequest) -> HttpResponse:
    player = _player(request)
    name = request.POST.get("unblock", "")
    form = BlockForm(request.POST if request.method == "POST" and not name else None)
    try:
        if name:
            blocking.unblock(player, name[:40])
            messages.success(request, "Unblocked.")
            return redirect("account-blocked")
        if request.method == "POST" and form.is_valid():
            blocking.block(player, form.cleaned_data["username"])
            messages.success(request, "Blocked.")
            return redirect("account-blocked")
    except Refused as no:
        if name:  # they are gone by now, and so is the block
            return redirect("account-blocked")
        form.add_error("username", no.detail)
    rows = Paginator(blocking.blocked_by(player), BLOCKED_ON_A_PAGE).get_page(request.GET.get("page"))
    return _shown(request, "account/blocked.html", form=form, rows=rows)


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
@reauthentication_required  # type: ignore[untyped-decorator]
def close(request: HttpRequest) -> HttpResponse:
    player = _player(request)
    if request.method == "POST":
        if request.POST.get("username", "").strip().casefold() == player.username.casefold():
            auth.logout(request)
            services.close(player)
            messages.success(request, "Your account is closed.")
            return redirect("account_login")
        return _shown(request, "account/close.html", wrong=True)
    return _shown(request, "account/close.html")


@require_http_methods(["GET", "HEAD", "POST"])
def new_password(request: HttpRequest, secret: str) -> HttpResponse:
    """Where an operator's link leads: a member sets a new password, and then logs in as ever."""
    try:
        player = way_in.player_of(secret)
        form = SetPasswordForm(player, request.POST if request.method == "POST" else None)
        if request.method == "POST" and form.is_valid():
            way_in.use(player, form.cleaned_data["password1"])
            messages.success(request, "Your password is set. Log in with it.")
            return redirect("account_login")
    except NotFound as no:
        return render(request, "account/new_password.html", {"gone": no.detail}, status=404)
    return _shown(request, "account/new_password.html", form=form, player=player)


def account(request: HttpRequest) -> dict[str, Any]:
    """Context processor: on pages of accounts, who is logged in and whether passkeys work there."""
    if not request.path.startswith(ROOT):
        return {}
    # Not `.port`, which fails for a number that no port has.
    host, (_, colon, port) = settings.TREY_PASSKEY_HOST, request.get_host().rpartition(":")
    return {
        "viewer": request.user,
        "passkey_host": f"{host}:{port}" if colon and port.isdecimal() else host,
        "passkey_works": works_for(request.get_host(), host),
    }


def works_for(host: str, passkey_host: str) -> bool:
    """Return whether a page at `host` (a Host header) may use passkeys of `passkey_host`: itself or a parent."""
    name = urlsplit(f"//{host}").hostname or ""
    return name == passkey_host or name.endswith(f".{passkey_host}")


urlpatterns = [
    path("", overview, name="account-page"),
    path("sessions/", list_sessions, name="account-sessions"),
    path("sessions/end/", end_session, name="account-sessions-end"),
    path("tokens/", list_tokens, name="account-tokens"),
    path("tokens/revoke/", revoke_token, name="account-tokens-revoke"),
    path("blocked/", list_blocked, name="account-blocked"),
    path("close/", close, name="account-close"),
    path("new-password/<str:secret>/", new_password, name="account-new-password"),
    # The targets of allauth's own links.
    path("usersessions/", RedirectView.as_view(pattern_name="account-sessions"), name="usersessions_list"),
    path("", include("allauth.account.urls")),
    path("2fa/", include("allauth.mfa.urls")),
]
