"""Limits on the rooms, games and bots that one player may have at once.

Rooms and running games count for their opener. Tables opened by a tournament's runner have no opener and are not
limited (LI6).
"""

from django.conf import settings
from django.db import connection
from django.db.models import QuerySet

from core.accounts.models import Player
from core.refusals import TooMany
from games.models import Game, Seat

RETRY_AFTER = 60


def check_games(player: Player) -> None:
    """Raises TooMany (game_limit) unless the player may open one more. Call it in the transaction that opens it."""
    limit = settings.TREY_GAMES_PER_PLAYER
    if limit is None:
        return
    _one_at_a_time(player)
    if _unfinished(player).count() >= limit:
        detail = f"You have {limit} open rooms and running games, which is the limit. Finish or cancel one first."
        raise TooMany("game_limit", detail, retry_after=RETRY_AFTER)


def check_bots(player: Player, more: int = 1) -> None:
    """Raises TooMany (bot_limit) unless that many more bots may sit. Call it in the transaction that seats them."""
    limit = settings.TREY_BOTS_PER_PLAYER
    if limit is None or more == 0:
        return
    _one_at_a_time(player)
    playing = Seat.objects.filter(game__in=_unfinished(player), player__isnull=True, bot__isnull=False).count()
    if playing + more > limit:
        detail = f"At most {limit} bots may sit in your unfinished games at once; {playing} do."
        raise TooMany("bot_limit", detail, retry_after=RETRY_AFTER)


def _unfinished(player: Player) -> QuerySet[Game]:
    # Through the seats, which have an index by player.
    games = Game.objects.filter(players__player=player, opener=player)
    return games.exclude(status__in=(Game.Status.FINISHED, Game.Status.CANCELLED))


def _one_at_a_time(player: Player) -> None:
    with connection.cursor() as cursor:
        # Of two concurrent calls, the second waits and counts what the first opened.
        cursor.execute("SELECT pg_advisory_xact_lock(hashtext('trey player'), hashtext(%s))", [str(player.pk)])
