"""The log of a game, as one viewer may see it."""

from collections.abc import Iterable, Iterator
from typing import Any

from django.db.models import QuerySet

from core import log
from core.accounts.models import Player
from core.refusals import Conflict
from games.models import Game as GameRow
from games.models import stream_of
from games.projections import Snapshot
from games.projections.vocabulary import PLANNED, facts_of, is_of_rules, name_of, rules_event
from games.rules import GAMES
from games.rules.game import Game, Viewer
from games.rules.record import record_of as record_of_events
from games.selectors.table import viewer_of

# The public fields of the service's own events. All others are null until the game is over.
_OVER = {"game", "ruleset", "options", "rated", "rounds", "started_at", "belongs_to", "seats"}
_ROOM = {"ruleset", "options", "asked_options", "seats", "clock", "visibility", "start", "talk"}
SEEN_BY_ALL = {
    "opened": {"game", "rated", "plans", "opener", "rematch_of", "belongs_to", "commitment"} | _ROOM,
    "joined": {"player", "bot", "salt", "rated"},
    "left": {"player", "opener"},
    "kicked": {"player", "opener"},
    "changed": {"changes"} | _ROOM,
    "channels_changed": {"channels", "added", "removed"},
    "started": {"seats", "options", "dealer", "salts"},
    "bot_seated": {"bot", "reason", "lost_on_time"},
    "player_returned": set[str](),
    "player_replaced": {"player", "bot", "was", "reason", "rated", "bank"},
    "timed_out": {"deadline_at", "action", "misses", "timeouts"},
    "deadline_moved": {"deadline_at"},
    "turn_extended": {"deadline_at", "seconds", "extra", "reason"},
    "cancel_agreed": set[str](),
    "called_off": {"reason", "placements"} | _OVER,
    "finished": {"result"} | _OVER,
    "voided": {"reason"},
    "restored": {"reason"},
}
# Never leaves the log: it lets people into a private room.
NEVER = {name: {"invitation"} for name in ("opened", "changed", "kicked")}


def events_for(
    player: Player | None, game: Snapshot, *, after: int = 0, limit: int | None = None
) -> list[dict[str, Any]]:
    """The game's events from version `after` + 1 on, as CONTRACT's events in the player's view.

    At most `limit`, none newer than `game` itself; `recorded_at` is a datetime. One query.
    """
    upto = game.version if limit is None else min(game.version, after + limit)
    return redacted(player, game, log.read(game.stream, after=after, upto=upto))


def redacted(player: Player | None, game: Snapshot, events: Iterable[log.Happened]) -> list[dict[str, Any]]:
    return events_seen(game.game, events, viewer_of(game, player))


def events_seen(game: str, events: Iterable[log.Happened], viewer: Viewer) -> list[dict[str, Any]]:
    """Events as a viewer (a seat, "public", or None: everything) may see them."""
    rules = GAMES[game]
    return [
        {
            "version": event.version,
            "type": name_of(event),
            "seat": event.seat,
            "data": _of_rules(rules, event, viewer) if is_of_rules(event) else _seen(event, viewer),
            "recorded_at": event.recorded_at,
        }
        for event in events
    ]


def fairness_of(game: Snapshot) -> dict[str, Any]:
    return {
        "scheme": "trey-fairness/1",
        "commitment": game.commitment,
        "salts": game.salts,
        "dealer": game.dealer,
        "shuffles": game.shuffles,
        "secret": game.secret if game.status == GameRow.Status.FINISHED else None,
    }


def record_of(game: Snapshot) -> dict[str, Any]:
    if game.status != GameRow.Status.FINISHED:
        raise Conflict("not_finished", "The record of a game is there once the game is finished.")
    events = [rules_event(event) for event in log.read(game.stream) if is_of_rules(event)]
    return record_of_events(GAMES[game.game], events)


def records_of(games: QuerySet[GameRow], *, people: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the records of these games, which are finished; `people`: only those in which people made all moves (LB12).

    They name no player.
    """
    for row in games.only("game").iterator():
        events = log.read(stream_of(row.pk))
        if not people or all(map(_is_of_people, events)):
            yield record_of_events(GAMES[row.game], map(rules_event, filter(is_of_rules, events)))


def _is_of_people(event: log.Event) -> bool:
    """Return whether neither a bot nor the clock had a part in it."""
    by = None if event.actor is None else event.actor.kind
    return by not in ("bot", "clock") and not event.data.get("bot")


def _of_rules(rules: Game, event: log.Happened, viewer: Viewer) -> dict[str, Any]:
    """Return what a viewer may see of a move.

    That a plan made it is shown only to the seat (PL7); others do not even get a null.
    """
    seen: dict[str, Any] = rules.redact(rules_event(event), viewer)["data"]
    planned = PLANNED in event.data and viewer in (None, event.seat)
    return {**seen, PLANNED: True} if planned else seen


def _seen(event: log.Happened, viewer: Viewer) -> dict[str, Any]:
    name, facts = name_of(event), facts_of(event)
    if viewer is None:
        hidden = NEVER.get(name, set())
        return {key: None if key in hidden else value for key, value in facts.items()}
    return {key: value if key in SEEN_BY_ALL[name] else None for key, value in facts.items()}
