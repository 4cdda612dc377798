"""Webhooks that are signed, and pages that log players in: what needs no call."""

import base64
import binascii
import hashlib
import hmac
import json
import secrets as lots
import time
from collections.abc import Mapping, Sequence
from typing import Any
from urllib.parse import urlencode

from .call import Caller


def verify(secrets: str | Sequence[str], headers: Mapping[str, str], body: bytes | str) -> Any:
    """Return what a webhook posted, if it is signed with one of the secrets and at most five minutes old.

    By Standard Webhooks, over the body as it came. Raises ValueError.
    """
    named = {name.lower(): value for name, value in headers.items()}
    try:
        number, sent, signed = (named[f"webhook-{name}"] for name in ("id", "timestamp", "signature"))
        is_recent = abs(time.time() - int(sent)) <= 300
    except (KeyError, ValueError):
        raise ValueError("The headers of a signed webhook are not there.") from None
    if not is_recent:
        raise ValueError("The webhook was signed more than five minutes ago, or is from the future.")
    raw = body.encode() if isinstance(body, str) else body
    given = [each.removeprefix("v1,") for each in signed.split() if each.startswith("v1,")]
    for secret in [secrets] if isinstance(secrets, str) else secrets:
        try:
            key = base64.b64decode(secret.removeprefix("whsec_"), validate=True)
        except binascii.Error:
            raise ValueError("A webhook's secret is `whsec_` and base64.") from None
        made = base64.b64encode(hmac.digest(key, f"{number}.{sent}.".encode() + raw, "sha256"))
        if any(hmac.compare_digest(made, each.encode()) for each in given):
            return json.loads(raw)
    raise ValueError("The webhook is not signed with this secret.")


def authorize_url(caller: Caller, /, client_id: str, redirect_uri: str, scopes: Sequence[str]) -> dict[str, str]:
    """The `url` to which a page sends a player who logs in (AP9), with a fresh `state` and `verifier` to keep."""
    state, verifier = lots.token_urlsafe(32), lots.token_urlsafe(32)
    challenge = base64.urlsafe_b64encode(hashlib.sha256(verifier.encode()).digest()).decode().rstrip("=")
    asked = {
        "response_type": "code", "client_id": client_id, "redirect_uri": redirect_uri, "scope": " ".join(scopes),
        "state": state, "code_challenge": challenge, "code_challenge_method": "S256",
    }  # fmt: skip
    return {"url": f"{caller.url}/oauth/authorize?{urlencode(asked)}", "state": state, "verifier": verifier}
