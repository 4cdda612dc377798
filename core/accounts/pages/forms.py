"""allauth's forms, where ours differ."""

from typing import Any

from allauth.account import forms
from allauth.mfa.webauthn.forms import AddWebAuthnForm, EditWebAuthnForm
from django import forms as django_forms
from django.core.exceptions import ValidationError

from core.accounts import addresses, mails, names, services


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
        # Without an address, the form cannot reveal whose it is (AC3).
        del self.fields["email"]
        self.fields["username"].label = "Name"
        self.fields["username"].help_text = "What others see. 2 to 40 letters, digits, dots, dashes, underscores."
        self.fields["username"].widget.attrs.update(autocapitalize="none", spellcheck="false")


class ChangePasswordForm(forms.ChangePasswordForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["oldpassword"].label = "Your present password"
        self.fields["oldpassword"].help_text = ""
        self.fields["password1"].label = "New password"
        self.fields["password2"].label = "New password, again"

    def clean_oldpassword(self) -> str:
        password = str(self.cleaned_data.get("oldpassword", ""))
        if not services.is_password(self.user, password):
            raise ValidationError("This is not your password.", "wrong_password")
        return password


class ReauthenticateForm(forms.ReauthenticateForm):  # type: ignore[misc]
    """The password once more; the page has its own link for whoever forgot it."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["password"].help_text = ""


class RequestLoginCodeForm(_WithAddress, forms.RequestLoginCodeForm):  # type: ignore[misc]
    """An address. The form does not reveal whether it has an account, not even by the time it takes (AC3)."""

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


class AddPasskeyForm(AddWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].label = "What you call it"
        self.fields["name"].validators.append(names.readable)
        if "passwordless" in self.fields:
            self.fields["passwordless"].label = "It logs me in on its own, without the password"
            self.fields["passwordless"].initial = True
            self.fields["passwordless"].help_text = ""


class EditPasskeyForm(EditWebAuthnForm):  # type: ignore[misc]
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields["name"].validators.append(names.readable)
