"""A game for the dashboard: the table as the caller may see it, and its log as sentences."""

from collections.abc import Iterable, Mapping
from typing import Any

from django.http import HttpRequest

from core import log
from core.accounts.models import Player
from games import notation, selectors
from games.admin import rights
from games.projections import Snapshot
from games.rules import GAMES


def picture(request: HttpRequest, game: Snapshot, shown: Snapshot, *, hidden: bool) -> dict[str, Any]:
    """Return what <trey-table> draws: `shown` is the game, now or at a past version.

    `hidden`: with all cards of a running game, for those with the right to see them.
    """
    user = rights.user_of(request)
    viewer = None if hidden else selectors.viewer_of(shown, user)
    return {
        "version": shown.version,
        "last": game.version,
        "title": GAMES[game.game].title,
        "names": names_in(shown),
        "seat": shown.seat_of(user),
        "view": selectors.view_as(shown, viewer),
        "anyCardOpens": GAMES[game.game].any_card_opens,
        "hidden": hidden,
    }


def names_of(seats: Iterable[tuple[Player | None, Mapping[str, Any] | None]]) -> list[str]:
    """The names of the players and bots in seat order; bots with the same name are followed by their seat."""
    names = [
        player.username if player else f"{bot['level']} bot" if bot else f"seat {index}"
        for index, (player, bot) in enumerate(seats)
    ]
    return [f"{name} ({seat})" if names.count(name) > 1 else name for seat, name in enumerate(names)]


def names_in(game: Snapshot) -> list[str]:
    return names_of((game.account_of(seat), seat.bot) for seat in game.players)


def sentences(
    request: HttpRequest, game: Snapshot, *, before: int | None, most: int
) -> tuple[list[dict[str, Any]], int | None]:
    """The newest events (before a version) as sentences, newest last, and where the earlier ones begin."""
    upto = game.version if before is None else min(before - 1, game.version)
    after = max(0, upto - most)
    events = log.read(game.stream, after=after, upto=upto) if upto > 0 else []
    seen = selectors.events_seen(game.game, events, selectors.viewer_of(game, rights.user_of(request)))
    names = names_in(game)
    people = _people(seen)
    told = [
        {"version": event["version"], "at": event["recorded_at"], "text": _sentence(event, names, people)}
        for event in seen
    ]
    return told, (after + 1 if after else None)


def _sentence(event: dict[str, Any], names: list[str], people: dict[str, str]) -> str:
    # In the lobby seats change hands: its events name the player.
    line = notation.event(event, names, who=people.get(str(event["data"].get("player"))))
    return line.strip().partition(" ")[2].strip()


def _people(events: list[dict[str, Any]]) -> dict[str, str]:
    ids = {event["data"]["player"] for event in events if event["data"].get("player")}
    if not ids:
        return {}
    return {str(pk): name for pk, name in Player.objects.filter(pk__in=ids).values_list("pk", "username")}
