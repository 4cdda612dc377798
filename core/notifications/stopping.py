"""Stopping mails of a kind from within a mail, without logging in (NT11, RFC 8058).

A link holds the player and the kinds, signed. Anybody who has the mail can stop them, and can do nothing else with it.
"""

from collections.abc import Sequence
from uuid import UUID

from django.conf import settings
from django.core import signing
from django.urls import reverse

from core.accounts.models import Player
from core.notifications import services
from core.notifications.kinds import NAMES, SECURITY
from core.notifications.models import Channel

_SALT = "notifications.stopping"


class NoSuchLink(Exception):  # noqa: N818  a verdict
    """A link that was not made here, or whose account is gone."""


def path(player: Player, kinds: Sequence[str]) -> str:
    """The path of the page that stops mails of these kinds."""
    token = signing.dumps([player.pk.hex, *kinds], salt=_SALT)
    return reverse("stop-mails", args=[token])


def headers(player: Player, kinds: Sequence[str]) -> dict[str, str]:
    """List-Unsubscribe with one click; none for `security`, which cannot be switched off."""
    if SECURITY in kinds:
        return {}
    return {
        "List-Unsubscribe": f"<{settings.TREY_SITE_URL}{path(player, kinds)}>",
        "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
    }


def read(token: str) -> tuple[Player, list[str]]:
    """Return the player and the kinds of mails that a link stops. Raises NoSuchLink."""
    try:
        player_id, *kinds = signing.loads(token, salt=_SALT)
    except signing.BadSignature:
        raise NoSuchLink from None
    player = Player.objects.filter(pk=UUID(player_id), closed_at=None).first()
    if player is None:
        raise NoSuchLink
    return player, [kind for kind in kinds if kind in NAMES]


def stop(player: Player, kinds: Sequence[str]) -> None:
    """Stop mails of these kinds for this player."""
    services.choose(player, {"matrix": {kind: {Channel.MAIL.value: False} for kind in kinds}})
