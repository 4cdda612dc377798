"""Bearer tokens: knox makes and hashes them. A token is shown once; only its digest is stored."""

from datetime import datetime, timedelta
from uuid import UUID

from django.db.models import QuerySet
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS, knox_settings

from core import clock as service_clock
from core.accounts.kept import kept
from core.accounts.models import Player, Token

MAX_NAME = 80
USE_NOTED_EVERY = timedelta(hours=1)


def issue(player: Player, *, name: str = "", now: datetime | None = None) -> tuple[str, datetime]:
    """A new token for the account, and when it expires. Expired ones are deleted."""
    now = now or service_clock.now()
    lifetime: timedelta = knox_settings.TOKEN_TTL
    digest, token = get_digest_token()
    Token(
        digest=digest,
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        user=player,
        name=name[:MAX_NAME],
        created=now,
        last_used_at=now,
        expiry=now + lifetime,
    ).save(force_insert=True)
    Token.objects.filter(user=player, expiry__lte=now).delete()
    return token, now + lifetime


def find(token: str, *, fresh: bool = False) -> Token | None:
    """The stored token, with its player. One query, or none in a web process that has read it within the last second.

    `fresh`: ask the database in any case.
    """
    if not token.isascii() or not token.isalnum():
        return None
    return kept.find(hash_token(token), fresh=fresh)


def note_use(token: Token, *, now: datetime | None = None) -> None:
    """Record that the token was used: at most once an hour, and after each push to its device (NT3)."""
    now = now or service_clock.now()
    if token.unanswered or token.last_used_at <= now - USE_NOTED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now, unanswered=0)
        kept.forget(token.user_id)


def valid(player: Player, *, now: datetime | None = None) -> QuerySet[Token]:
    """The player's tokens that have not expired."""
    return Token.objects.filter(user=player, expiry__gt=now or service_clock.now())


def revoke(player: Player, token_id: UUID) -> bool:
    """Delete one of the player's tokens; False if there is no such token."""
    return _revoke(player, Token.objects.filter(user=player, id=token_id)) > 0


def revoke_all(player: Player, *, keep: Token | None = None) -> int:
    """Delete the player's tokens, except the one to keep; returns how many."""
    rows = Token.objects.filter(user=player)
    if keep is not None:
        rows = rows.exclude(pk=keep.pk)
    return _revoke(player, rows)


def _revoke(player: Player, rows: QuerySet[Token]) -> int:
    deleted = rows.delete()[0]
    kept.forget(player.pk)
    return deleted
