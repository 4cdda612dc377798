"""What was begun before a log-in, in the session of a browser: it ends with what it was begun by, as sessions do (AC6).

allauth keeps it there: a log-in by password that waits for the second factor, and codes for a log-in or a new password.
"""

from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY as RESET
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.account.models import Login
from django.http import HttpRequest

from core.accounts import addresses
from core.accounts.models import Player

_PASSWORD = "trey_begun"  # noqa: S105  the name of a key


def by_password(request: HttpRequest, player: Player) -> None:
    """Note with which password the log-in began."""
    request.session[_PASSWORD] = player.get_session_auth_hash()


def forget_what_ended(request: HttpRequest) -> None:
    """Forget a log-in whose password or account has ended, and codes to an address that is the account's no more."""
    if LOGIN_SESSION_KEY in request.session and not _may_go_on(request):
        clear_login(request)
    reset = request.session.get(RESET)
    if reset is not None and not _is_of(reset["email"], reset.get("user_id")):
        del request.session[RESET]
