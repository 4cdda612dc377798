"""The adapter between allauth and our accounts: names, passwords, clients' addresses, mails."""

from typing import Any

from allauth.account.adapter import DefaultAccountAdapter
from django.core.exceptions import ValidationError
from django.forms import BaseForm
from django.http import HttpRequest

from core.accounts import guests, mails, names, services
from core.accounts.models import Player
from core.http.throttling import address_of
from core.refusals import Conflict

LONGEST_PASSWORD = 256
#: allauth's templates of mails, and ours.
_LETTERS = {
    "account/email/login_code": "login",
    "account/email/password_reset_code": "reset",
    "account/email/email_confirmation": "verify",
    "account/email/email_confirmation_signup": "verify",
    "account/email/account_already_exists": "taken",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    """ACCOUNT_ADAPTER."""

    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": "The name or the password is wrong.",
        "email_password_mismatch": "The address or the password is wrong.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your password.",
        "incorrect_code": "This is not the code that was sent last.",
        "duplicate_email": "This is your address already.",
        "same_as_current": "This is your address already.",
    }

    def clean_username(self, username: str, shallow: bool = False) -> str:
        """The name as it is stored. Raises ValidationError: no such names, or one that is taken."""
        name = str(Player.normalize_username(username))
        for validator in Player._meta.get_field("username").validators:  # noqa: SLF001  Django's public way
            validator(name)
        if not shallow and names.is_taken(Player, name):
            raise ValidationError(guests.taken_said(name), "username_taken")
        return name

    def clean_password(self, password: str, user: Any = None) -> str:
        """Raises ValidationError for one that is too long, or that AUTH_PASSWORD_VALIDATORS refuse."""
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(f"A password has {LONGEST_PASSWORD} characters at most.", "too_long")
        return str(super().clean_password(password, user))

    def save_user(self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True) -> Player:
        """Sign up. Raises ValidationError if somebody else was faster."""
        try:
            return services.sign_up(form.cleaned_data["username"], form.cleaned_data["password1"])
        except Conflict as error:
            raise ValidationError(error.detail, error.code) from None

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Player | None:
        """The account of a name, or of a verified address, with this password. Raises Busy."""
        name, address = credentials.get("username"), credentials.get("email")
        return services.authenticate(name or "", credentials["password"], address=address or name or "")

    def reauthenticate(self, user: Any, password: str) -> bool:
        """Return whether this is the password of the account that is logged in. Raises Busy."""
        return services.is_password(user, password)

    def set_password(self, user: Any, password: str) -> None:
        """Set the password; other sessions and all tokens end with the change. Raises Busy."""
        services.change_password(user, password)

    def get_login_stages(self) -> list[str]:
        """Leave out the stage that demands an address: nobody needs one to log in."""
        stages: list[str] = super().get_login_stages()
        return [stage for stage in stages if not stage.endswith("EmailVerificationStage")]

    def get_client_ip(self, request: HttpRequest) -> str:
        """The client's address, as all limits determine it."""
        return address_of(request).partition("/")[0] or "::"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        """Queue a mail. Raises KeyError for one that Trey does not send."""
        mails.send(_LETTERS[template_prefix], email, context.get("code", ""))
