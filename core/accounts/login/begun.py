"""What a browser began without being logged in, which allauth keeps in its session: it ends with its cause."""

from datetime import datetime

from allauth.account.internal.flows.email_verification_by_code import EMAIL_VERIFICATION_CODE_SESSION_KEY as VERIFY
from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY as RESET
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.account.models import Login
from allauth.account.stages import LoginByCodeStage
from django.http import HttpRequest

from core import clock
from core.accounts import addresses, ending, mails
from core.accounts.ending import Right, What
from core.accounts.login import codes
from core.accounts.models import Player

_STANDING, _ASKED = "trey_begun", "trey_code_asked"
_FINISHED_AT = {"account_confirm_login_code", "account_complete_password_reset", "mfa_authenticate"}


def by_password(request: HttpRequest, player: Player) -> None:
    """Note the account's standing, before the log-in waits for the second factor."""
    request.session[_STANDING] = player.get_session_auth_hash()


def code_asked(request: HttpRequest, address: str) -> None:
    """Note when, and the standing that the account has."""
    request.session[_ASKED] = clock.now().isoformat()
    request.session[_STANDING] = codes.standing_of(addresses.owner_of(address))


def check(request: HttpRequest, player: Player) -> None:
    """Raises Forbidden (wrong_code): what is being finished has ended since `forget_what_ended` looked."""
    if getattr(request, _STANDING, player.get_session_auth_hash()) != player.get_session_auth_hash():
        raise codes.wrong()


@ending.on_the_way_out(Right.PASSWORD, What.BEGUN)
def forget_what_ended(request: HttpRequest) -> None:
    """Forget a log-in of an account or a password that has ended, and codes to an address that is another's by now.

    Codes also end by the clock of the service: allauth has another one.
    """
    asked = request.session.get(_ASKED)
    if asked is not None and clock.now() - datetime.fromisoformat(asked) > mails.CODE_LASTS:
        _forget_codes(request)
    if LOGIN_SESSION_KEY in request.session and not _may_go_on(request):
        clear_login(request)
    reset = request.session.get(RESET)
    if reset is not None and not _is_of(request, reset["email"], reset.get("user_id")):
        del request.session[RESET]
    if request.resolver_match is not None and request.resolver_match.url_name in _FINISHED_AT:
        setattr(request, _STANDING, request.session.get(_STANDING))


def _forget_codes(request: HttpRequest) -> None:
    del request.session[_ASKED]
    request.session.pop(VERIFY, None)
    if LOGIN_SESSION_KEY in request.session and _waits_for_code(Login.deserialize(request.session[LOGIN_SESSION_KEY])):
        clear_login(request)
    # After the code there is time to choose a password.
    if not request.session.get(RESET, {}).get("code_confirmed"):
        request.session.pop(RESET, None)


def _waits_for_code(login: Login) -> bool:
    return bool(login.state["stages"].get("current") == LoginByCodeStage.key)


def _may_go_on(request: HttpRequest) -> bool:
    stored = request.session[LOGIN_SESSION_KEY]
    login = Login.deserialize(stored)
    player = login.user
    if _waits_for_code(login):
        return stored["user_pk"] is None or (player is not None and _is_of(request, login.email, str(player.pk)))
    return player is not None and player.is_active and request.session.get(_STANDING) == player.get_session_auth_hash()


def _is_of(request: HttpRequest, address: str, player: str | None) -> bool:
    """Whether the address is still the account's, which stands as it did; one that nobody had gives nothing away."""
    owner = addresses.owner_of(address) if player is not None else None
    same = owner is not None and request.session.get(_STANDING) == owner.get_session_auth_hash()
    return player is None or (owner is not None and same and str(owner.pk) == player)
