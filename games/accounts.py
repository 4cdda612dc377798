"""Accounts: signing up, proving who one is, tokens. Nothing here touches a game."""

from collections.abc import Mapping
from datetime import datetime, timedelta

from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction
from knox.models import AuthToken, get_digest_token
from knox.settings import CONSTANTS, knox_settings

from games.clock import now
from games.models import Player


class NameTaken(Exception):  # noqa: N818  it says what happened
    """Another account has this name, in whatever case."""


def sign_up(username: str, password: str) -> Player:
    """A new account; name and password were checked. Raises NameTaken."""
    player = Player(username=username, password=make_password(password), date_joined=now())
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError as error:
        raise NameTaken from error
    return player


def rename(player: Player, username: str) -> None:
    """Gives an account another name. Raises NameTaken."""
    player.username = username
    try:
        with transaction.atomic():
            player.save(update_fields=["username"])
    except IntegrityError as error:
        raise NameTaken from error


def change_preferences(player: Player, wanted: Mapping[str, bool]) -> None:
    """Changes the preferences that are named; the others stay."""
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        row.preferences = {**row.preferences, **wanted}
        row.save(update_fields=["preferences"])
    player.preferences = row.preferences


def recognise(username: str, password: str) -> Player | None:
    """The open account of this name and password. It takes as long when there is no such name."""
    try:
        player = Player.objects.get_by_natural_key(Player.normalize_username(username))
    except Player.DoesNotExist:
        make_password(password)
        return None
    return player if player.check_password(password) and player.is_active else None


def new_token(player: Player) -> tuple[str, datetime]:
    """A token for the account and when it expires. Only its digest is stored."""
    digest, token = get_digest_token()
    lifetime: timedelta = knox_settings.TOKEN_TTL
    expires_at = now() + lifetime
    AuthToken(digest=digest, token_key=token[: CONSTANTS.TOKEN_KEY_LENGTH], user=player, expiry=expires_at).save(
        force_insert=True
    )
    AuthToken.objects.filter(user=player, expiry__lte=now()).delete()
    return token, expires_at
