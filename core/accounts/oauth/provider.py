"""allauth's provider, fenced: an app is no row but its address, tokens are ours.

Nothing is ever granted in silence. Codes that wait for their app are in Redis, as with allauth.
"""

from collections.abc import Collection
from typing import Any

from allauth.idp.oidc.adapter import DefaultOIDCAdapter
from allauth.idp.oidc.internal.oauthlib import authorization_codes
from allauth.idp.oidc.internal.oauthlib.request_validator import OAuthLibRequestValidator
from allauth.idp.oidc.models import Client, PrivateKey
from django.conf import settings
from django.core.cache import cache
from django.db import transaction
from knox.crypto import hash_token
from knox.settings import knox_settings
from oauthlib.common import Request
from oauthlib.oauth2.rfc6749 import errors
from oauthlib.openid import Server
from oauthlib.openid.connect.core.grant_types import AuthorizationCodeGrant
from oauthlib.openid.connect.core.grant_types.base import GrantTypeBase

from core import clock, vault
from core.accounts import signals
from core.accounts.login import client_ids as ids
from core.accounts.login import sessions, tokens
from core.accounts.models import Player, SigningKey
from core.accounts.oauth import devices
from core.http.scopes import IDENTITY, SCOPES

REMEMBERED = 600  # seconds for which a code that comes again ends what it gave
DEVICE = "urn:ietf:params:oauth:grant-type:device_code"
OFFERED = {**IDENTITY, **{scope: words for scope, words in SCOPES.items() if scope != "account"}}
"""What an app may ask for, in words and in this order: never `account`."""


def in_order(scopes: Collection[str]) -> list[str]:
    return [scope for scope in OFFERED if scope in scopes]


def client_of(client_id: str) -> Client | None:
    """Return allauth's client for an app, without a row; None for an invalid id, or one that the operator keeps out."""
    if not ids.is_client_id(client_id) or not ids.is_allowed(client_id):
        return None
    return Client(
        id=client_id,
        name=ids.host_of(client_id),
        secret="",
        type=Client.Type.PUBLIC,
        scopes="\n".join(OFFERED),
        default_scopes="openid",
        grant_types=f"authorization_code\n{DEVICE}",
        response_types="code",
        redirect_uris=client_id,
    )


class Adapter(DefaultOIDCAdapter):  # type: ignore[misc]
    def get_issuer(self) -> str:
        return str(settings.TREY_SITE_URL)

    def get_user_sub(self, client: Client, user: Any) -> str:  # noqa: ARG002  allauth's signature
        return str(user.pk)

    def get_claims(self, purpose: Any, user: Player, *_: Any, **__: Any) -> dict[str, Any]:  # noqa: ARG002
        """AP13: no more than these two, whatever the scopes; never an address."""
        return {"sub": str(user.pk), "preferred_username": user.username}

    def list_private_keys(self, **_: Any) -> list[PrivateKey]:
        return [PrivateKey(pem=vault.unseal(_key().private))]


def _key() -> SigningKey:
    """The key that signs `id_token`s. It is made at the first call."""
    known = SigningKey.objects.first()
    if known is not None:
        return known
    from cryptography.hazmat.primitives import serialization
    from cryptography.hazmat.primitives.asymmetric import rsa

    pem = rsa.generate_private_key(public_exponent=65537, key_size=2048).private_bytes(
        serialization.Encoding.PEM, serialization.PrivateFormat.PKCS8, serialization.NoEncryption()
    )
    row = SigningKey(private=vault.seal(pem.decode()), created_at=clock.now())
    # If two processes come at the same time, one of them makes it.
    SigningKey.objects.bulk_create([row], ignore_conflicts=True)
    return SigningKey.objects.get()


class Validator(OAuthLibRequestValidator):  # type: ignore[misc]
    def _lookup_client(self, _: Request, client_id: str) -> Client | None:
        return client_of(client_id)

    def validate_redirect_uri(self, client_id: str, redirect_uri: str, *_: Any, **__: Any) -> bool:
        return ids.leads_back(client_id, redirect_uri)

    def validate_silent_authorization(self, _: Request) -> bool:
        """Never: allauth would add up what all apps of the player were granted."""
        return False

    def save_authorization_code(self, client_id: str, code: dict[str, Any], request: Request, *_: Any) -> None:
        grant = {"standing": tokens.standing(request.user), "session": request.session}
        super().save_authorization_code(client_id, code | grant, request)

    def validate_code(self, client_id: str, code: str, client: Client, request: Request, *_: Any) -> bool:
        """Also of the redirect: oauthlib calls another one an `invalid_request`."""
        if spent := cache.get(_spent(client_id, code)):
            tokens.revoke_of_app(spent, client_id)  # somebody else has the code (RFC 6749, 4.1.2)
        kept = self._lookup_authorization_code(request, client_id, code)
        if not kept or kept["redirect_uri"] != request.redirect_uri:
            return False
        request.standing, request.session = kept["code"].get("standing"), kept["code"].get("session")
        return bool(super().validate_code(client_id, code, client, request))

    def validate_device_code(self, client_id: str, device_code: str, request: Request) -> str | None:
        status, decision = devices.ask(client_id, device_code)
        if decision is not None:
            request.user = Player.objects.filter(pk=str(decision["player"])).first()
            request.scopes = decision["scopes"]
            request.standing, request.session = decision.get("standing"), decision.get("session")
            if request.user is None:
                return None
        return status

    def save_bearer_token(self, token: dict[str, Any], request: Request, *_: Any, **__: Any) -> None:
        """Store the token as one of ours; the code is used up by it. Raises InvalidGrantError.

        The account is held while it is judged whether what was granted still holds. What the database ends leaves the
        code as it was.
        """
        token.pop("refresh_token", None)
        if request.grant_type == DEVICE and "openid" in request.scopes:
            # oauthlib adds one after codes only. Signing takes its time, so not in the transaction.
            GrantTypeBase.add_id_token(AuthorizationCodeGrant(self), token, None, request)
        host = ids.host_of(request.client_id)
        with transaction.atomic():
            player = Player.objects.select_for_update(no_key=True).filter(pk=request.user.pk, is_active=True).first()
            if player is None or tokens.standing(player) != request.standing:
                raise errors.InvalidGrantError(request=request)
            if not sessions.runs(player, request.session):
                raise errors.InvalidGrantError(request=request)
            tokens.issue(player, name=host, scopes=request.scopes, app=request.client_id, value=token["access_token"])
            signals.secured.send(sender=Player, player=player, what="grant", now=clock.now(), host=host)
            if not _use(request):
                raise errors.InvalidGrantError(request=request)
            if request.grant_type != DEVICE:
                cache.set(_spent(request.client_id, request.code), hash_token(token["access_token"]), REMEMBERED)


def _use(request: Request) -> bool:
    """Use the code of a request up; False if somebody was faster."""
    if request.grant_type == DEVICE:
        return devices.use(request.device_code)
    return bool(cache.delete(authorization_codes.cache_key(request.client_id, request.code)))


def _spent(client_id: str, code: str) -> str:
    return f"oauth.spent.{hash_token(f'{client_id} {code}')}"


def server() -> Any:
    return Server(
        Validator(),
        token_generator=lambda _: tokens.new_value(),
        token_expires_in=int(knox_settings.TOKEN_TTL.total_seconds()),
    )
