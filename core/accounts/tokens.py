"""Bearer tokens: knox makes and hashes them. A token is shown once; only its digest is stored."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from django.db.models import QuerySet
from knox.crypto import hash_token
from knox.models import get_digest_token
from knox.settings import CONSTANTS, knox_settings

from core import clock as service_clock
from core.accounts.models import Player, Token
from core.http.scopes import ALL
from core.rows import array_of, fetch_all, instance_of, row_of

MAX_NAME = 80
USE_NOTED_EVERY = timedelta(hours=1)

_Token, _Player = row_of(Token), row_of(Player)
_FIND = f"""
SELECT json_build_array({array_of("token", _Token)}, {array_of("player", _Player)})::text
FROM accounts_token token JOIN accounts_player player ON player.id = token.user_id WHERE token.digest = %s
"""  # noqa: S608  the models' columns
_decoder: msgspec.json.Decoder[tuple[Any, Any]] = msgspec.json.Decoder(tuple[_Token, _Player])  # type: ignore[valid-type]


def issue(player: Player, *, name: str = "", scopes: Collection[str] = ALL) -> tuple[str, datetime]:
    """A new token for the account, and when it expires. Expired ones are deleted."""
    now = service_clock.now()
    lifetime: timedelta = knox_settings.TOKEN_TTL
    digest, token = get_digest_token()
    Token(
        digest=digest,
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        user=player,
        name=name[:MAX_NAME],
        scopes=[scope for scope in ALL if scope in scopes],
        created=now,
        last_used_at=now,
        expiry=now + lifetime,
    ).save(force_insert=True)
    Token.objects.filter(user=player, expiry__lte=now).delete()
    return token, now + lifetime


def find(token: str) -> Token | None:
    if not token.isascii() or not token.isalnum():
        return None
    for (found,) in fetch_all(_FIND, [hash_token(token)]):
        row, player = _decoder.decode(found)
        stored = instance_of(Token, row)
        stored.user = instance_of(Player, player)
        return stored
    return None


def note_use(token: Token) -> None:
    """Record that the token was used: at most once an hour, and after each push to its device (NT3)."""
    now = service_clock.now()
    if token.unanswered or token.last_used_at <= now - USE_NOTED_EVERY:
        Token.objects.filter(pk=token.pk).update(last_used_at=now, unanswered=0)


def valid(player: Player, *, now: datetime | None = None) -> QuerySet[Token]:
    return Token.objects.filter(user=player, expiry__gt=now or service_clock.now())


def revoke(player: Player, token_id: UUID) -> bool:
    return Token.objects.filter(user=player, id=token_id).delete()[0] > 0


def revoke_all(player: Player, *, keep: Token | None = None) -> int:
    rows = Token.objects.filter(user=player)
    if keep is not None:
        rows = rows.exclude(pk=keep.pk)
    return rows.delete()[0]
