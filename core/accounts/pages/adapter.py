"""Between allauth and our accounts: what allauth asks of us, its forms where ours differ, and what its pages change.

When a log-in, a password or an address has changed, other sessions and tokens end, and the owner is told.
"""

import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, cast

from allauth.account import forms
from allauth.account import signals as account
from allauth.account.adapter import DefaultAccountAdapter
from allauth.account.internal.flows.login import record_authentication
from allauth.account.models import EmailAddress
from allauth.core.internal.cryptokit import normalize_user_code
from allauth.mfa import app_settings as totp
from allauth.mfa import signals as mfa
from allauth.mfa.adapter import DefaultMFAAdapter
from allauth.mfa.base.forms import AuthenticateForm
from allauth.mfa.base.forms import ReauthenticateForm as MfaReauthenticateForm
from allauth.mfa.models import Authenticator
from allauth.mfa.totp.forms import ActivateTOTPForm
from allauth.mfa.webauthn.forms import (
    AddWebAuthnForm,
    AuthenticateWebAuthnForm,
    EditWebAuthnForm,
    LoginWebAuthnForm,
    ReauthenticateWebAuthnForm,
)
from allauth.usersessions.models import UserSession
from django import forms as django_forms
from django import template
from django.conf import settings
from django.contrib.auth.signals import user_logged_in
from django.core.cache import cache
from django.core.exceptions import ValidationError
from django.dispatch import receiver
from django.forms import BaseForm, BoundField
from django.http import HttpRequest

from core import clock, vault
from core.accounts import addresses, mails, names, services, signals
from core.accounts.login import attempts, begun, guests
from core.accounts.models import Player
from core.http.throttling import address_of
from core.refusals import Conflict

register = template.Library()


@register.filter
def plainly(field: BoundField) -> BoundField:
    """The field without a placeholder: the label above it says the same, and stays visible."""
    field.field.widget.attrs.pop("placeholder", None)
    return field


class AddressField(django_forms.EmailField):
    def to_python(self, value: Any) -> str:
        text = str(super().to_python(value) or "")
        return names.address(text) if text else text


class _WithAddress:
    fields: dict[str, django_forms.Field]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        field = self.fields["email"]
        self.fields["email"] = AddressField(label=field.label, widget=field.widget, required=field.required)


class AddEmailForm(_WithAddress, forms.AddEmailForm):  # type: ignore[misc]
    """An address for the account."""


class LoginForm(forms.LoginForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["login"].label = "Name or address"
        self.fields["login"].max_length = 254
        self.fields["login"].widget.attrs.update(autocomplete="username", autocapitalize="none", spellcheck="false")
        self.fields["password"].help_text = ""


class SignupForm(forms.SignupForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        # Without an address, the form cannot reveal whose it is.
        del self.fields["email"]
        self.fields["username"].label = "Name"
        self.fields["username"].help_text = "Others see this name. 2 to 40 letters, digits, dots, dashes, underscores."
        self.fields["username"].widget.attrs.update(autocapitalize="none", spellcheck="false")


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = "Current password"
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].label = "New password"
        self.fields["password2"].label = "New password, again"

    def clean_oldpassword(self) -> str:
        password = str(self.cleaned_data.get("oldpassword", ""))
        if not self.user.check_password(password):
            raise ValidationError("This is not your password.", "wrong_password")
        return password


class ReauthenticateForm(forms.ReauthenticateForm):  # type: ignore[misc]
    """The password once more; the page has its own link for whoever forgot it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class RequestLoginCodeForm(_WithAddress, forms.RequestLoginCodeForm):  # type: ignore[misc]
    """An address. The form does not reveal whether it has an account, not even by the time it takes."""

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        self._user = addresses.owner_of(email)
        if self._user is None:
            mails.send_to_nobody()
        return email


class ResetPasswordForm(_WithAddress, forms.ResetPasswordForm):  # type: ignore[misc]
    """An address, treated in the same way."""

    def clean_email(self) -> str:
        email = str(self.cleaned_data["email"])
        owner = addresses.owner_of(email)
        self.users = [] if owner is None else [owner]
        if owner is None:
            mails.send_to_nobody()
        return email


@contextmanager
def _as_incorrect() -> Iterator[None]:
    """What is no answer of a passkey at all is refused like a wrong one: the library fails on it."""
    try:
        yield
    except (KeyError, TypeError, ValueError):
        raise MfaAdapter().validation_error("incorrect_code") from None


class _ByPasskey:
    def clean_credential(self) -> Authenticator:
        with _as_incorrect():
            return cast("Authenticator", super().clean_credential())  # type: ignore[misc]  # the form's


class PasskeyLoginForm(_ByPasskey, LoginWebAuthnForm):  # type: ignore[misc]
    """A log-in by a passkey alone."""


class PasskeySecondForm(_ByPasskey, AuthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey as the second factor."""


class PasskeyAgainForm(_ByPasskey, ReauthenticateWebAuthnForm):  # type: ignore[misc]
    """A passkey once more."""


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "Name of the passkey"
        self.fields["name"].validators.append(names.readable)
        if "passwordless" in self.fields:
            self.fields["passwordless"].label = "Log in with this passkey alone, without the password"
            self.fields["passwordless"].initial = True
            self.fields["passwordless"].help_text = ""

    def clean(self) -> Any:
        with _as_incorrect():
            return super().clean()


class _CodeOnce:
    """A code is taken once, whichever form takes it; allauth forgets it after half a minute, or never looked."""

    user: Player

    def clean_code(self) -> str:
        code = str(super().clean_code())  # type: ignore[misc]  # the form's
        seconds = totp.TOTP_PERIOD * (1 + 2 * totp.TOTP_TOLERANCE)
        if not cache.add(f"second_factor.used.{self.user.pk}.{normalize_user_code(code)}", "", seconds):
            attempts.second_failed(self.user)
            raise MfaAdapter().validation_error("incorrect_code")
        return code


class ActivateAppForm(_CodeOnce, ActivateTOTPForm):  # type: ignore[misc]
    """The first code of a new app."""


class SecondFactorForm(_CodeOnce, AuthenticateForm):  # type: ignore[misc]
    """The code of an app, or a recovery code, to log in."""


class SecondFactorAgainForm(_CodeOnce, MfaReauthenticateForm):  # type: ignore[misc]
    """The same, once more."""


class EditPasskeyForm(EditWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(names.readable)


logger = logging.getLogger(__name__)
LONGEST_PASSWORD = 256
_CANNOT_CHECK = "Codes cannot be checked at the moment. The operator of this server has to set a missing key."
_ADDED = {Authenticator.Type.WEBAUTHN: "passkey", Authenticator.Type.TOTP: "app"}
#: allauth's templates of mails, and ours.
_LETTERS = {
    "account/email/login_code": "login",
    "account/email/password_reset_code": "reset",
    "account/email/email_confirmation": "verify",
    "account/email/email_confirmation_signup": "verify",
    "account/email/account_already_exists": "taken",
}


class AccountAdapter(DefaultAccountAdapter):  # type: ignore[misc]
    error_messages = {
        **DefaultAccountAdapter.error_messages,
        "username_password_mismatch": "The name or the password is wrong.",
        "email_password_mismatch": "The address or the password is wrong.",
        "incorrect_password": "This is not your password.",
        "enter_current_password": "This is not your password.",
        "incorrect_code": "This is not the latest code we sent.",
        "duplicate_email": "This is already your address.",
        "same_as_current": "This is already your address.",
    }

    def is_safe_url(self, url: str | None) -> bool:
        try:
            return bool(super().is_safe_url(url))
        except ValueError:  # "https://[::1" is no address
            return False

    def clean_username(self, username: str, shallow: bool = False) -> str:
        name = str(Player.normalize_username(username))
        for validator in Player._meta.get_field("username").validators:  # noqa: SLF001  Django's public way
            validator(name)
        if not shallow and names.is_taken(Player, name):
            raise ValidationError(guests.taken_said(name), "username_taken")
        return name

    def clean_password(self, password: str, user: Any = None) -> str:
        if len(password) > LONGEST_PASSWORD:
            raise ValidationError(f"A password can have at most {LONGEST_PASSWORD} characters.", "too_long")
        return str(super().clean_password(password, user))

    def save_user(self, request: HttpRequest, user: Any, form: BaseForm, commit: bool = True) -> Player:
        try:
            return services.sign_up(form.cleaned_data["username"], form.cleaned_data["password1"])
        except Conflict as error:
            raise ValidationError(error.detail, error.code) from None

    def authenticate(self, request: HttpRequest, **credentials: Any) -> Player | None:
        name, address = credentials.get("username"), credentials.get("email")
        return services.authenticate(name or "", credentials["password"], address=address or name or "")

    def pre_login(self, request: HttpRequest, user: Any, **kwargs: Any) -> Any:
        begun.by_password(request, user)
        return super().pre_login(request, user, **kwargs)

    def reauthenticate(self, user: Any, password: str) -> bool:
        return bool(user.check_password(password))

    def login(self, request: HttpRequest, user: Any) -> None:
        begun.check(request, user)
        super().login(request, user)

    def set_password(self, user: Any, password: str) -> None:
        begun.check(self.request, user)
        services.change_password(user, password)

    def get_login_stages(self) -> list[str]:
        stages: list[str] = super().get_login_stages()
        return [stage for stage in stages if not stage.endswith("EmailVerificationStage")]

    def get_client_ip(self, request: HttpRequest) -> str:
        return address_of(request).partition("/")[0] or "::"

    def send_mail(self, template_prefix: str, email: str, context: dict[str, Any]) -> None:
        mails.send(_LETTERS[template_prefix], email, context.get("code", ""))


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The host that passkeys belong to: the same for all requests, whatever their host name."""
        return {"id": settings.TREY_PASSKEY_HOST, "name": "Trey"}

    def encrypt(self, text: str) -> str:
        return vault.seal(text)

    def decrypt(self, encrypted_text: str) -> str:
        """A stored secret. Raises ValidationError, which a form shows, if the key that encrypted it is gone."""
        try:
            return vault.unseal(encrypted_text)
        except vault.Unreadable:
            logger.exception("A second factor cannot be checked")
            raise ValidationError(_CANNOT_CHECK, "unreadable") from None

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.username)

    def generate_authenticator_name(self, user: Player, type: Any) -> str:  # noqa: A002
        return "Passkey"


@receiver(user_logged_in)
def _logged_in(request: HttpRequest, user: Any, **_: object) -> None:
    if not isinstance(user, Player) or not request.META.get("REMOTE_ADDR") or not hasattr(request, "user"):
        return
    UserSession.objects.create_from_request(request)
    attempts.name_browser(request)
    attempts.logged_in(request, user)
    request.trey_logged_in = True  # type: ignore[attr-defined]


@receiver([account.password_changed, account.password_set])
def _password_changed(request: HttpRequest, user: Player, **_: object) -> None:
    services.password_changed(user, session=request.session.session_key)


@receiver(account.password_reset)
def _password_reset(user: Player, **_: object) -> None:
    services.password_changed(user)


@receiver(account.email_confirmed)
def _address_verified(email_address: Any, **_: object) -> None:
    player = email_address.user
    player.keep()
    others = EmailAddress.objects.filter(user=player, verified=True).exclude(pk=email_address.pk)
    _tell(player, "address" if others.exists() else "first_address")


@receiver(account.email_changed)
def _address_changed(from_email_address: Any, to_email_address: Any, **_: object) -> None:
    if from_email_address is not None and from_email_address.email != to_email_address.email:
        mails.send("address_changed", from_email_address.email)


@receiver(account.email_removed)
def _address_removed(user: Player, email_address: Any, **_: object) -> None:
    if email_address.verified:
        mails.send("address_removed", email_address.email)
    _tell(user, "address")


@receiver(mfa.authenticator_added)
def _added(request: HttpRequest, user: Player, authenticator: Authenticator, **_: object) -> None:
    if authenticator.type == Authenticator.Type.WEBAUTHN and user.is_guest:
        user.keep()
        # They have just proved that the account is theirs, so the page of recovery codes, which comes next, does not
        # ask again.
        record_authentication(request, user, method="mfa", type=authenticator.type, reauthenticated=True)
    if what := _ADDED.get(authenticator.type):
        _tell(user, what)


@receiver(mfa.authenticator_removed)
def _removed(user: Player, authenticator: Authenticator, **_: object) -> None:
    if what := _ADDED.get(authenticator.type):
        _tell(user, f"{what}_removed")


@receiver(mfa.authentication_failed)
def _guessed(user: Player, **_: object) -> None:
    attempts.second_failed(user)


def _tell(player: Player, what: str) -> None:
    signals.secured.send(sender=Player, player=player, what=what, now=clock.now())
