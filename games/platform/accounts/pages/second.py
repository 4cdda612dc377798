"""How allauth works with our second factors: passkeys of one host, secrets encrypted."""

from __future__ import annotations

from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings

from games.platform.accounts.models import Player


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """MFA_ADAPTER."""

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The host that passkeys belong to: a fixed one, whatever name a request has."""
        return {"id": settings.TREY_PASSKEY_HOST, "name": "Trey"}

    def _get_user_identifier(self, user: Any) -> str:
        return str(user.username)

    def generate_authenticator_name(self, user: Player, type: Any) -> str:  # noqa: A002
        """What the form for a new passkey proposes."""
        return "Passkey"
