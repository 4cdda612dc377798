"""The addresses of OAuth. Errors of programs are RFC 6749's JSON, those of people are pages."""

import re
from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, cast
from urllib.parse import parse_qsl, urlencode, urlsplit

from allauth.idp.oidc.views import jwks
from django.conf import settings
from django.contrib.auth.views import redirect_to_login
from django.core.cache import cache
from django.core.exceptions import BadRequest, SuspiciousOperation
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse, QueryDict
from django.http.multipartparser import MultiPartParserError
from django.shortcuts import render
from django.urls import path, reverse
from django.views.decorators.cache import never_cache
from django.views.decorators.csrf import csrf_exempt
from django.views.decorators.http import require_http_methods, require_safe
from knox.crypto import hash_token
from oauthlib.oauth2.rfc6749.errors import OAuth2Error
from redis import RedisError
from rest_framework.exceptions import AuthenticationFailed, Throttled

from core.accounts.login import attempts, second_factor, sessions, tokens
from core.accounts.login import client_ids as ids
from core.accounts.login.authentication import token_in
from core.accounts.models import Player, Session
from core.accounts.oauth import devices
from core.accounts.oauth.provider import DEVICE, OFFERED, client_of, in_order, server
from core.http.addresses import with_query
from core.http.exceptions import is_of_the_database

View = Callable[[HttpRequest], HttpResponse]

_CHALLENGE = re.compile(r"[A-Za-z0-9_-]{43}")
_ASKED = (
    "client_id", "redirect_uri", "response_type", "scope", "state", "code_challenge", "code_challenge_method", "nonce",
    "prompt",
)  # fmt: skip
# A part of the query that the log-in goes through.
_LONGEST = 2000
_AWAY = (RedisError, OSError)
RETRY_AFTER = "2"


class _Redirect(HttpResponse):
    """To an app, whose address may have a scheme of its own."""

    status_code = 302

    def __init__(self, to: str) -> None:
        super().__init__(headers={"Location": to})


class Wrong(Exception):  # noqa: N818  what an app did
    """What is wrong with a request of an app, as RFC 6749 calls it."""

    def __init__(self, error: str, why: str, status: int = 400) -> None:
        super().__init__(why)
        self.error, self.why, self.status = error, why, status


class NoApp(Wrong):
    """Nobody knows where to go back to: people get a page."""


def offered(view: View) -> View:
    """Answer 404 where the operator lets no app in."""

    @wraps(view)
    def respond(request: HttpRequest) -> HttpResponse:
        if settings.TREY_APPS == [ids.CLOSED]:
            raise Http404
        return view(request)

    return respond


def _for_programs(view: View) -> View:
    """A call of a program: a form comes in, JSON goes out, and no cache keeps it."""

    @offered
    @wraps(view)
    def respond(request: HttpRequest) -> HttpResponse:
        try:
            if request.method != "POST":
                raise Wrong("invalid_request", "Send a form by POST.", 405)
            response = view(request)
        except Wrong as wrong:
            response = _failed(wrong.error, wrong.why, wrong.status)
            if wrong.status == 405:
                response.headers["Allow"] = "POST"
            if wrong.status == 401:
                response.headers["WWW-Authenticate"] = 'Basic realm="trey"'  # RFC 6749, 5.2
        except (BadRequest, MultiPartParserError, SuspiciousOperation):
            response = _failed("invalid_request", "The form cannot be read.", 400)
        except Throttled as error:
            response = _failed("temporarily_unavailable", "Too many attempts. Try again later.", 429)
            response.headers["Retry-After"] = _wait(error)
        except Exception as error:
            if not isinstance(error, _AWAY) and not is_of_the_database(error):
                raise
            response = _failed(
                "temporarily_unavailable", "Logging in does not work at the moment. Try again soon.", 503
            )
            response.headers["Retry-After"] = RETRY_AFTER
        response.headers["Cache-Control"] = "no-store"
        return response

    return csrf_exempt(respond)


def _for_people(view: View) -> View:
    """A page for a player who is logged in: no guest, and by all that the account demands."""

    @never_cache
    @offered
    @require_http_methods(["GET", "HEAD", "POST"])
    @wraps(view)
    def respond(request: HttpRequest) -> HttpResponse:
        try:
            return view(request)
        except NoApp as wrong:
            return _page(request, "oauth/no_app.html", status=400, why=wrong.why)
        except Throttled as error:
            return HttpResponse(status=429, headers={"Retry-After": _wait(error)})
        except _AWAY:
            return HttpResponse(status=503, headers={"Retry-After": RETRY_AFTER})

    return respond


def _wait(error: Throttled) -> str:
    return str(int(getattr(error, "wait", None) or 1))


def _failed(error: str, why: str, status: int) -> HttpResponse:
    return JsonResponse({"error": error, "error_description": why}, status=status)


def _page(request: HttpRequest, template: str, status: int = 200, **context: Any) -> HttpResponse:
    return render(request, template, {"viewer": request.user, **context}, status=status)


def _parts(given: QueryDict, names: Collection[str]) -> dict[str, str]:
    """The parts that count, each once. Raises Wrong."""
    if twice := [name for name in names if len(given.getlist(name)) > 1]:
        raise Wrong("invalid_request", f"{twice[0]} is there twice.")
    parts = {name: str(given[name]) for name in names if name in given}
    if long := [name for name, text in parts.items() if len(text) > _LONGEST or "\0" in text]:
        raise Wrong("invalid_request", f"{long[0]} is too long, or isn't text.")
    return parts


def _scopes(text: str) -> list[str]:
    """What is asked for, in order; `openid` if nothing is. Raises Wrong (invalid_scope)."""
    asked = text.split() or ["openid"]
    if unknown := [scope for scope in asked if scope not in OFFERED]:
        raise Wrong("invalid_scope", f"Apps cannot have {unknown[0]}. Choose from: {', '.join(OFFERED)}.")
    return in_order(asked)


# Discovery


@offered
@require_safe
def discovery(_: HttpRequest) -> HttpResponse:
    site = settings.TREY_SITE_URL
    return JsonResponse(
        {
            "issuer": site,
            "authorization_endpoint": site + reverse("oauth-authorize"),
            "token_endpoint": site + reverse("oauth-token"),
            "device_authorization_endpoint": site + reverse("oauth-device-code"),
            "revocation_endpoint": site + reverse("oauth-revoke"),
            "userinfo_endpoint": site + reverse("oauth-userinfo"),
            "jwks_uri": site + reverse("oauth-jwks"),
            "scopes_supported": list(OFFERED),
            "response_types_supported": ["code"],
            "grant_types_supported": ["authorization_code", DEVICE],
            "token_endpoint_auth_methods_supported": ["none"],
            "code_challenge_methods_supported": ["S256"],
            "subject_types_supported": ["public"],
            "id_token_signing_alg_values_supported": ["RS256"],
        }
    )


# In the browser of a player


@_for_people
def authorize(request: HttpRequest) -> HttpResponse:
    """What an app asks, and the player's answer. Both are judged from the query, which the form keeps."""
    client_id, back = _where_back(request)
    state = request.GET.get("state")

    def answer(error: str, why: str) -> HttpResponse:
        sent = {"error": error, "error_description": why}
        return _Redirect(with_query(back, sent if state is None else {**sent, "state": state}))

    try:
        scopes, parts = _asked(request.GET)
        prompts = parts.get("prompt", "").split()
        if "none" in prompts:
            logged_in = request.user.is_authenticated
            error = "consent_required" if logged_in else "login_required"
            return answer(error, "Players log in here and are asked for consent each time.")
    except Wrong as wrong:
        return answer(wrong.error, wrong.why)
    cache.get("oauth")  # without Redis nothing begins
    if (first := _not_yet(request, prompts)) is not None:
        return first
    player = cast("Player", request.user)
    if request.method != "POST":
        return _consent(request, client_id, scopes)
    granted = in_order(set(request.POST.getlist("scopes")) & set(scopes))
    if request.POST.get("action") != "allow" or not granted:
        return answer("access_denied", "The player refused.")
    # In the fragment, so that what oauthlib adds can be told from the app's own query, which it would spell anew.
    clean = {**parts, "scope": " ".join(scopes), "response_mode": "fragment"}
    clean.pop("prompt", None)
    by = {"user": player, "session": _session_of(request)}
    headers, _, status = server().create_authorization_response(
        f"{request.path}?{urlencode(clean)}", "GET", "", {}, scopes=granted, credentials=by
    )
    if status != 302:
        return HttpResponse(status=400)
    return _Redirect(with_query(back, dict(parse_qsl(urlsplit(headers["Location"]).fragment))))


def _where_back(request: HttpRequest) -> tuple[str, str]:
    """The app, and the address at which it is answered. Raises NoApp: then there is a page, never a redirect."""
    try:
        parts = _parts(request.GET, ("client_id", "redirect_uri"))
    except Wrong as wrong:
        raise NoApp(wrong.error, wrong.why) from None
    client_id, back = parts.get("client_id", ""), parts.get("redirect_uri", "")
    if not ids.is_client_id(client_id):
        raise NoApp("invalid_client", "Its client id is not the address of an app.")
    if not ids.is_allowed(client_id):
        raise NoApp("invalid_client", "The operator of this server does not allow this app.")
    if not ids.leads_back(client_id, back):
        raise NoApp("invalid_request", "It wants to send you to an address that is not its own.")
    return client_id, back


def _asked(query: QueryDict) -> tuple[list[str], dict[str, str]]:
    """What an app asks of a player: the scopes, and all that counts. Raises Wrong."""
    parts = _parts(query, _ASKED)
    if parts.get("response_type") != "code":
        known = "response_type" not in parts
        raise Wrong("invalid_request" if known else "unsupported_response_type", "response_type must be code.")
    if parts.get("code_challenge_method") != "S256" or not _CHALLENGE.fullmatch(parts.get("code_challenge", "")):
        raise Wrong("invalid_request", "Send a code_challenge (RFC 7636) with code_challenge_method=S256.")
    return _scopes(parts.get("scope", "")), parts


def _not_yet(request: HttpRequest, prompts: Collection[str] = ()) -> HttpResponse | None:
    """What the player has to do before being asked; it leads back here. None: nothing."""
    here = request.get_full_path()
    player = request.user
    if not isinstance(player, Player):
        return redirect_to_login(here)
    if player.is_guest:
        keep = f"{reverse('keep-page')}?{urlencode({'next': here})}"
        return _page(request, "oauth/not_yet.html", status=403, keep=keep)
    if second_factor.is_missing(player):
        return _page(request, "oauth/not_yet.html", status=403, here=here)
    if "login" in prompts and request.method != "POST":
        query = request.GET.copy()
        query["prompt"] = " ".join(one for one in prompts if one != "login")
        return redirect_to_login(f"{request.path}?{query.urlencode()}", reverse("account_reauthenticate"))
    return None


def _session_of(request: HttpRequest) -> str:
    return sessions.name_of(Session(session_key=str(request.session.session_key)))


def _consent(request: HttpRequest, client_id: str, scopes: Collection[str], **context: Any) -> HttpResponse:
    return _page(
        request,
        "oauth/consent.html",
        client_id=client_id,
        host=ids.host_of(client_id),
        boxes=[(scope, OFFERED[scope]) for scope in scopes],
        **context,
    )


@_for_people
def device(request: HttpRequest) -> HttpResponse:
    """AP12: the letters that a program shows, then what it asks. Only the button decides."""
    if (first := _not_yet(request)) is not None:
        return first
    player, letters = cast("Player", request.user), request.GET.get("code", "")
    if not letters:
        cache.get("oauth")  # without Redis nothing begins
        return _page(request, "oauth/device.html")
    attempts.count_proof(player, "device")
    found = devices.find(letters[:40])
    if found is None or not ids.is_allowed(found[1]["client_id"]):
        return _page(request, "oauth/device.html", status=400, wrong=True, letters=letters[:40])
    name, waiting = found
    if request.method != "POST":
        return _consent(request, waiting["client_id"], waiting["scopes"], letters=waiting["user_code"])
    granted = in_order(set(request.POST.getlist("scopes")) & set(waiting["scopes"]))
    allowed = request.POST.get("action") == "allow" and bool(granted)
    decision = devices.Decision(
        player=str(player.pk) if allowed else None,
        scopes=granted if allowed else [],
        standing=tokens.standing(player) if allowed else "",
        session=_session_of(request),
    )
    if not devices.decide(name, decision):
        return _page(request, "oauth/device.html", status=400, wrong=True)
    return _page(request, "oauth/device.html", decided=True, allowed=allowed, host=ids.host_of(waiting["client_id"]))


# Calls of programs


def _app_in(request: HttpRequest, *names: str) -> dict[str, str]:
    """Return the form that an app sent. Raises Wrong if it isn't a form, or has a client secret: no app has one."""
    parts = _parts(request.POST, ("client_id", *names))
    if "client_secret" in request.POST or "Authorization" in request.headers:
        raise Wrong("invalid_client", "Apps have no secrets here: send the client_id alone.", 401)
    if "client_id" not in parts:
        raise Wrong("invalid_request", "Send the client_id.")
    if client_of(parts["client_id"]) is None:
        raise Wrong("invalid_client", "The client_id is not the address of an app that may log in here.", 401)
    return parts


@_for_programs
def token(request: HttpRequest) -> HttpResponse:
    """A token for a code."""
    attempts.count(request)
    parts = _app_in(request, "grant_type", "code", "redirect_uri", "code_verifier", "device_code")
    grant = parts.get("grant_type")
    if grant not in ("authorization_code", DEVICE):
        known = grant is None
        why = f"grant_type must be authorization_code or {DEVICE}."
        raise Wrong("invalid_request" if known else "unsupported_grant_type", why)
    try:
        _, body, status = server().create_token_response(request.path, "POST", urlencode(parts), {})
    except OAuth2Error as error:
        raise Wrong(error.error, error.description or "", error.status_code) from None
    return HttpResponse(body, status=status, content_type="application/json")


@_for_programs
def device_code(request: HttpRequest) -> HttpResponse:
    """AP12: a program that has no browser begins."""
    attempts.count(request, "device_codes")
    parts = _app_in(request, "scope")
    secret, letters = devices.begin(parts["client_id"], _scopes(parts.get("scope", "")))
    page = settings.TREY_SITE_URL + reverse("oauth-device")
    return JsonResponse(
        {
            "device_code": secret,
            "user_code": letters,
            "verification_uri": page,
            "verification_uri_complete": f"{page}?code={letters}",
            "expires_in": devices.LASTS,
            "interval": devices.INTERVAL,
        }
    )


@_for_programs
def revoke(request: HttpRequest) -> HttpResponse:
    """AP14: an app ends a token of its own. The answer is the same whatever it sent (RFC 7009)."""
    client_id = request.POST.get("client_id", "")
    if ids.is_client_id(client_id):
        tokens.revoke_of_app(hash_token(request.POST.get("token", "")), client_id)
    return HttpResponse(status=200)


@offered
@csrf_exempt
@require_http_methods(["GET", "HEAD", "POST"])
def userinfo(request: HttpRequest) -> HttpResponse:
    """AP13: whose token this is."""
    try:
        found = token_in(request.headers.get("Authorization", "").encode())
    except AuthenticationFailed as error:
        return _challenged("invalid_token", str(error.detail), 401)
    if found is None:
        return _challenged("", "Send a token: Authorization: Bearer <token>.", 401)
    if "openid" not in found.scopes:
        return _challenged("insufficient_scope", "This token doesn't have the scope `openid`.", 403, ', scope="openid"')
    body = {"sub": str(found.user.pk), "preferred_username": found.user.username}
    return JsonResponse(body, headers={"Cache-Control": "no-store"})


def _challenged(error: str, why: str, status: int, more: str = "") -> HttpResponse:
    response = _failed(error or "invalid_request", why, status)
    named = f', error="{error}"' if error else ""
    response.headers["WWW-Authenticate"] = f'Bearer realm="trey"{named}{more}'
    response.headers["Cache-Control"] = "no-store"
    return response


urlpatterns = [
    path(".well-known/openid-configuration", discovery, name="oauth-discovery"),
    path(".well-known/oauth-authorization-server", discovery),
    path("oauth/authorize", authorize, name="oauth-authorize"),
    path("oauth/token", token, name="oauth-token"),
    path("oauth/device/code", device_code, name="oauth-device-code"),
    path("oauth/device", device, name="oauth-device"),
    path("oauth/revoke", revoke, name="oauth-revoke"),
    path("oauth/userinfo", userinfo, name="oauth-userinfo"),
    path("oauth/jwks", offered(require_safe(jwks)), name="oauth-jwks"),
]
