"""The adapter between allauth and our second factors: passkeys of one host, secrets encrypted."""

import logging
from typing import Any

from allauth.mfa.adapter import DefaultMFAAdapter
from django.conf import settings
from django.core.exceptions import ValidationError

from core import vault
from core.accounts.models import Player

logger = logging.getLogger(__name__)
_CANNOT_CHECK = "Codes cannot be checked at the moment. The operator of this server has to set a missing key."


class MfaAdapter(DefaultMFAAdapter):  # type: ignore[misc]
    """MFA_ADAPTER."""

    def get_public_key_credential_rp_entity(self) -> dict[str, str]:
        """The host that passkeys belong to: the same for all requests, whatever their host name."""
        return {"id": settings.TREY_PASSKEY_HOST, "name": "Trey"}

    def encrypt(self, text: str) -> str:
        """A secret as it is stored."""
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
        """Return the name that the form for a new passkey proposes."""
        return "Passkey"
