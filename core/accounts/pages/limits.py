"""Our limits on allauth's forms: each is counted before its view, with the attempts over the API."""

from collections.abc import Callable
from contextlib import ExitStack, suppress

from allauth.account.stages import LoginStageController
from allauth.mfa.internal.constants import LoginStageKey
from django.conf import settings
from django.core.exceptions import ValidationError
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import Resolver404, resolve
from django.utils.cache import add_never_cache_headers
from rest_framework.exceptions import Throttled

from core.accounts import names
from core.accounts.login import attempts, begun
from core.accounts.models import Player, Session
from core.http.throttling import limit
from core.refusals import Refused

View = Callable[[HttpRequest], HttpResponseBase]
Count = Callable[[HttpRequest], None]
ROOT = "/accounts/"


def _by_name(field: str) -> Count:
    # Without the white space around it, as the form reads it.
    return lambda request: attempts.count_name(request, request.POST.get(field, "").strip())


def _proof(request: HttpRequest) -> None:
    if isinstance(request.user, Player):
        attempts.count_proof(request.user, f"session {request.session.session_key}")


def _mails(request: HttpRequest) -> None:
    if isinstance(request.user, Player):
        limit("code", str(request.user.pk))
    # The address may be anybody's.
    if request.POST.get("email"):
        _mails_to(request)


def _mails_to(request: HttpRequest) -> None:
    # The form refuses what is no address.
    with suppress(ValidationError):
        address = names.address(request.POST.get("email", ""))
        attempts.count_code(request, address)
        begun.code_asked(request, address)


def _second(request: HttpRequest) -> None:
    stage = LoginStageController.enter(request, LoginStageKey.MFA_AUTHENTICATE.value)
    player = stage.login.user if stage is not None else request.user
    if isinstance(player, Player):
        attempts.count_second(request, player)


#: The attempts that a form counts besides log-ins from its address, by the URL's name.
COUNTED: dict[str, Count] = {
    "account_login": _by_name("login"),
    "account_signup": lambda request: attempts.count(request, "sign_ups"),
    "account_request_login_code": _mails_to,
    "account_reset_password": _mails_to,
    "account_email": _mails,
    "account_email_verification_sent": _proof,
    "account_reauthenticate": _proof,
    "account_change_password": _proof,
    "mfa_reauthenticate": _second,
    "mfa_reauthenticate_webauthn": _proof,
    "mfa_authenticate": _second,
}


#: Where a code is typed whose tries allauth counts in the session.
CODES = {"account_confirm_login_code", "account_confirm_password_reset_code", "account_email_verification_sent"}


class AccountPages:
    """Middleware: counts posts to an account's page, and turns refusals that views raise into pages."""

    def __init__(self, get_response: View) -> None:
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        """The response, of an account's page never kept; who has logged in gets the secret that names the browser."""
        with ExitStack() as held:
            if request.method == "POST" and request.path.startswith(ROOT) and _name_of(request.path) in CODES:
                held.enter_context(transaction.atomic())
                key = request.COOKIES.get(settings.SESSION_COOKIE_NAME)
                Session.objects.select_for_update().filter(pk=key).first()
                request.trey_held = held  # type: ignore[attr-defined]
            response = self.get_response(request)
        if getattr(request, "trey_logged_in", False) and isinstance(response, HttpResponse):
            attempts.send_browser(request, response, "/")
        if request.path.startswith(ROOT):
            add_never_cache_headers(response)
        return response

    def process_template_response(self, request: HttpRequest, response: TemplateResponse) -> TemplateResponse:
        """The page is drawn after the transaction: the try is counted by then."""
        if (held := getattr(request, "trey_held", None)) is not None:
            if request.session.modified:
                request.session.save()
                # Saved once more after the lock, it would take back a try that another request has counted meanwhile.
                request.session.modified = False
            held.close()
        return response

    def process_view(self, request: HttpRequest, *_: object) -> HttpResponse | None:
        if not request.path.startswith(ROOT) or request.resolver_match is None:
            return None
        begun.forget_what_ended(request)
        if request.method != "POST":
            return None
        count = COUNTED.get(request.resolver_match.url_name or "")
        try:
            attempts.count(request)
            if count is not None:
                count(request)
        except Throttled as error:
            return HttpResponse(status=429, headers={"Retry-After": str(int(getattr(error, "wait", None) or 1))})
        return None

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponse | None:
        if not isinstance(error, Refused) or not request.path.startswith(ROOT):
            return None
        return HttpResponse(status=error.status, headers=error.headers)


def _name_of(path: str) -> str | None:
    try:
        return resolve(path).url_name
    except Resolver404:
        return None
