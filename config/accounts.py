"""The settings of django-allauth: accounts in the browser (AC1), apps (AP7). Its own limits fail with Redis: off."""

from typing import Any

# Six unmistakable letters (RFC 8628, section 6.1), ten minutes, five tries (AC4).
CODE_SECONDS = 600
CODE_TRIES = 5

SETTINGS: dict[str, Any] = {
    "AUTHENTICATION_BACKENDS": ["allauth.account.auth_backends.AuthenticationBackend"],
    "LOGIN_URL": "account_login",
    "LOGIN_REDIRECT_URL": "/",
    "ACCOUNT_LOGOUT_REDIRECT_URL": "account_login",
    "ALLAUTH_USER_CODE_FORMAT": {"length": 6, "dashed": False, "numeric": False},
    "ACCOUNT_ADAPTER": "core.accounts.pages.adapter.AccountAdapter",
    "ACCOUNT_FORMS": {
        "add_email": "core.accounts.pages.forms.AddEmailForm",
        "login": "core.accounts.pages.forms.LoginForm",
        "signup": "core.accounts.pages.forms.SignupForm",
        "change_password": "core.accounts.pages.forms.ChangePasswordForm",
        "reauthenticate": "core.accounts.pages.forms.ReauthenticateForm",
        "request_login_code": "core.accounts.pages.forms.RequestLoginCodeForm",
        "reset_password": "core.accounts.pages.forms.ResetPasswordForm",
    },
    "ACCOUNT_LOGIN_METHODS": {"username", "email"},
    # allauth asks for an address if codes verify it; pages.forms removes that field: a name is enough.
    "ACCOUNT_SIGNUP_FIELDS": ["username*", "email*", "password1*"],
    "ACCOUNT_EMAIL_VERIFICATION": "mandatory",
    "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_ENABLED": True,
    "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_TIMEOUT": CODE_SECONDS,
    "ACCOUNT_EMAIL_VERIFICATION_BY_CODE_MAX_ATTEMPTS": CODE_TRIES,
    "ACCOUNT_LOGIN_BY_CODE_ENABLED": True,
    "ACCOUNT_LOGIN_BY_CODE_TIMEOUT": CODE_SECONDS,
    "ACCOUNT_LOGIN_BY_CODE_MAX_ATTEMPTS": CODE_TRIES,
    "ACCOUNT_PASSWORD_RESET_BY_CODE_ENABLED": True,
    "ACCOUNT_PASSWORD_RESET_BY_CODE_TIMEOUT": CODE_SECONDS,
    "ACCOUNT_PASSWORD_RESET_BY_CODE_MAX_ATTEMPTS": CODE_TRIES,
    "ACCOUNT_PREVENT_ENUMERATION": True,
    "ACCOUNT_EMAIL_UNKNOWN_ACCOUNTS": False,
    "ACCOUNT_CHANGE_EMAIL": True,
    "ACCOUNT_REAUTHENTICATION_REQUIRED": True,
    "ACCOUNT_REAUTHENTICATION_TIMEOUT": 900,
    "ACCOUNT_SESSION_REMEMBER": True,
    "ACCOUNT_RATE_LIMITS": False,
    "MFA_ADAPTER": "core.accounts.pages.adapter.MfaAdapter",
    "MFA_FORMS": {
        "add_webauthn": "core.accounts.pages.forms.AddPasskeyForm",
        "edit_webauthn": "core.accounts.pages.forms.EditPasskeyForm",
    },
    "MFA_SUPPORTED_TYPES": ["webauthn", "totp", "recovery_codes"],
    "MFA_PASSKEY_LOGIN_ENABLED": True,
    "MFA_ALLOW_UNVERIFIED_EMAIL": True,
    "MFA_TOTP_ISSUER": "Trey",
    # A code is also valid in the half minute before and after its own, since the clocks of phones differ.
    "MFA_TOTP_TOLERANCE": 1,
    "MFA_RATE_LIMITS": False,
    "IDP_OIDC_ADAPTER": "core.accounts.oauth.provider.Adapter",
    "IDP_OIDC_AUTH_METHODS": ["none"],
    "IDP_OIDC_AUTHORIZATION_CODE_EXPIRES_IN": 60,
    "IDP_OIDC_ID_TOKEN_EXPIRES_IN": 300,
    "IDP_OIDC_RATE_LIMITS": False,
}
