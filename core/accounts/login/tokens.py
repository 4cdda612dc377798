"""Bearer tokens: knox makes and hashes them. A token is shown once; only its digest is stored."""

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

import msgspec
from celery import shared_task
from django.db import transaction
from django.db.models import F, QuerySet
from knox.crypto import create_token_string, hash_token
from knox.settings import CONSTANTS, knox_settings

from core import clock as service_clock
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player, Token
from core.http.scopes import ALL, IDENTITY
from core.refusals import NotFound, Refused
from core.rows import array_of, fetch_all, instance_of, row_of

MAX_NAME = 80
MOST_OF_AN_APP = 10
USE_NOTED_EVERY = timedelta(hours=1)

_Token, _Player = row_of(Token), row_of(Player)
_FIND = f"""
SELECT json_build_array({array_of("token", _Token)}, {array_of("player", _Player)})::text
FROM accounts_token token JOIN accounts_player player ON player.id = token.user_id WHERE token.digest = %s
"""  # noqa: S608  the models' columns
_decoder: msgspec.json.Decoder[tuple[Any, Any]] = msgspec.json.Decoder(tuple[_Token, _Player])  # type: ignore[valid-type]


def wrong_credentials() -> Refused:
    headers = {"WWW-Authenticate": 'Bearer realm="trey"'}
    return Refused("wrong_credentials", "Wrong username or password.", status=401, headers=headers)


def new_value() -> str:
    return str(create_token_string())


@transaction.atomic
def issue(
    player: Player,
    *,
    name: str = "",
    scopes: Collection[str] = ALL,
    app: str | None = None,
    value: str | None = None,
) -> tuple[str, datetime]:
    """A new token for the account, and when it expires. Expired ones are deleted, and of an app all but ten.

    Raises Refused (wrong_credentials): since the account was read, its standing has changed or it was locked out.
    """
    # Until the token is stored: what ends all of them waits, and finds this one, too.
    if not same(player).select_for_update(no_key=True).filter(is_active=True).exists():
        raise wrong_credentials()
    now, token = service_clock.now(), value or new_value()
    lifetime: timedelta = knox_settings.TOKEN_TTL
    Token(
        digest=hash_token(token),
        token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH],
        user=player,
        name=name[:MAX_NAME],
        scopes=[scope for scope in (*ALL, *IDENTITY) if scope in scopes],
        app=app,
        created=now,
        last_used_at=now,
        expiry=now + lifetime,
    ).save(force_insert=True)
    _end(Token.objects.filter(user=player, expiry__lte=now))
    if app is not None:
        latest = Token.objects.filter(user=player, app=app).order_by("-last_used_at", "-created", "-id")
        surplus = list(latest.values_list("pk", flat=True)[MOST_OF_AN_APP:])
        Token.objects.filter(pk__in=surplus).delete()
    return token, now + lifetime


def same(player: Player) -> QuerySet[Player]:
    """The account, if it has the standing with which it was read."""
    return Player.objects.filter(pk=player.pk, password=player.password, logged_out=player.logged_out)


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
    """Record, hourly and after each push to its device, that the token was used; it lasts from then."""
    now = service_clock.now()
    if token.unanswered or token.last_used_at <= now - USE_NOTED_EVERY:
        expiry = now + knox_settings.TOKEN_TTL
        Token.objects.filter(pk=token.pk).update(last_used_at=now, expiry=expiry, unanswered=0)


def valid(player: Player) -> QuerySet[Token]:
    return Token.objects.filter(user=player, expiry__gt=service_clock.now())


def revoke(player: Player, token_id: UUID) -> bool:
    return _end(Token.objects.filter(user=player, id=token_id)) > 0


def revoke_of_app(digest: str, app: str) -> None:
    """End a token of an app, as the app itself wants it (RFC 7009), or as its code came twice: nobody else's."""
    _end(Token.objects.filter(digest=digest, app=app))


def revoke_app(player: Player, app: str) -> bool:
    _end_grants(player)
    return _end(Token.objects.filter(user=player, app=app)) > 0


def revoke_all(player: Player, *, keep: Token | None = None) -> int:
    _end_grants(player)
    rows = Token.objects.filter(user=player)
    if keep is not None:
        rows = rows.exclude(pk=keep.pk)
    return _end(rows)


def _end_grants(player: Player) -> None:
    Player.objects.filter(pk=player.pk).update(apps_ended=F("apps_ended") + 1)


@ending.on_the_way_out(Right.PASSWORD, What.GRANTS)
@ending.on_the_way_out(Right.ACCOUNT, What.GRANTS)
@ending.on_the_way_out(Right.APP, What.GRANTS)
def standing(player: Player) -> str:
    """What is another text after all access of apps has ended: a grant of before is worth nothing."""
    return f"{player.get_session_auth_hash()} {player.apps_ended or ''}"


@shared_task(name="accounts.purge_tokens")
def purge() -> None:
    """Delete the tokens that have expired."""
    _end(Token.objects.filter(expiry__lte=service_clock.now()))


def acting() -> QuerySet[Token]:
    """The tokens by which apps act for anybody now."""
    return Token.objects.filter(app__isnull=False, expiry__gt=service_clock.now())


def app_of(player: Player, app: str) -> QuerySet[Token]:
    """The tokens by which an app acts for a player now."""
    return valid(player).filter(app=app)


def check_app(player: Player, app: str) -> None:
    """Hold the account's tokens until the end of the transaction. Raises NotFound: the app has just ended."""
    Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if not app_of(player, app).exists():
        raise NotFound("not_found", "This app may no longer act for you.")


def _end(rows: QuerySet[Token]) -> int:
    """Delete tokens, and with the last one of an app what it has made."""
    apps = set(rows.filter(app__isnull=False).values_list("user", "app"))
    if not apps:
        return int(rows.delete()[0])
    with transaction.atomic():
        # What an app is just making comes before this, or finds no token any more.
        players = Player.objects.filter(pk__in={pk for pk, _ in apps}).order_by("pk").select_for_update(no_key=True)
        held = {player.pk: player for player in players}
        count = int(rows.delete()[0])
        for pk, app in apps:
            if pk in held and not app_of(held[pk], str(app)).exists():
                ending.ended(Right.APP, player=held[pk], app=app)
    return count
