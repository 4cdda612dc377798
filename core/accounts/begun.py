"""What a browser began without being logged in, which allauth keeps in its session: it ends with its cause (AC6)."""

from allauth.account.internal.flows.password_reset_by_code import PASSWORD_RESET_VERIFICATION_SESSION_KEY as RESET
from allauth.account.internal.stagekit import LOGIN_SESSION_KEY, clear_login
from allauth.account.models import Login
from allauth.account.stages import LoginByCodeStage
from django.http import HttpRequest

from core.accounts import addresses
from core.accounts.models import Player

_PASSWORD = "trey_begun"  # noqa: S105  the name of a key


def by_password(request: HttpRequest, player: Player) -> None:
    """Note which password the account has, before the log-in waits for the second factor."""
    request.session[_PASSWORD] = player.get_session_auth_hash()


def forget_what_ended(request: HttpRequest) -> None:
    """Forget a log-in of an account or a password that has ended, and codes to an address that is another's by now."""
    if LOGIN_SESSION_KEY in request.session and not _may_go_on(request):
        clear_login(request)
    reset = request.session.get(RESET)
    if reset is not None and not _is_of(reset["email"], reset.get("user_id")):
        del request.session[RESET]


def _may_go_on(request: HttpRequest) -> bool:
    stored = request.session[LOGIN_SESSION_KEY]
    login = Login.deserialize(stored)
    player = login.user
    if login.state["stages"].get("current") == LoginByCodeStage.key:
        return stored["user_pk"] is None or (player is not None and _is_of(login.email, str(player.pk)))
    return player is not None and player.is_active and request.session.get(_PASSWORD) == player.get_session_auth_hash()


def _is_of(address: str, player: str | None) -> bool:
    """Return whether the address is still the account's; one that nobody had gives nothing away."""
    owner = addresses.owner_of(address) if player is not None else None
    return player is None or (owner is not None and str(owner.pk) == player)
