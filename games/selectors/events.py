"""The log of a game, as one viewer may see it."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from django.db.models import QuerySet

from core import log
from core.accounts.models import Player
from core.refusals import Conflict
from games.models import Game as GameRow
from games.models import stream_of
from games.projections import Snapshot
from games.projections.vocabulary import PLANNED, facts_of, is_of_rules, name_of, rules_event
from games.rules import PLAYED
from games.rules.events import EVENTS, Viewer, clause, whole
from games.rules.record import record_of as record_of_events
from games.selectors.table import viewer_of
from games.wording import isolated


def events_for(
    player: Player | None, game: Snapshot, *, after: int = 0, limit: int | None = None
) -> list[dict[str, Any]]:
    """The game's events from version `after` + 1 on, as the API shows them to the player.

    At most `limit`, none newer than `game` itself; `recorded_at` is a datetime. One query.
    """
    upto = game.version if limit is None else min(game.version, after + limit)
    return redacted(player, game, log.read(game.stream, after=after, upto=upto))


def redacted(player: Player | None, game: Snapshot, events: Iterable[log.Happened]) -> list[dict[str, Any]]:
    """The events as the player may see them, each with its sentence, in which the player is "You"."""
    kept, words = list(events), Words(game, game.seat_of(player), viewer_of(game, player))
    seen = events_seen(kept, words.viewer)
    for event, shown in zip(kept, seen, strict=True):
        shown["said"] = whole(words.clause(event, shown), words.names)
    return seen


class Words:
    """What happened in a game as its table, the history, mails and the first page tell a reader, who is "You".

    `own` is the reader's seat, `viewer` as whom they see the events.
    """

    def __init__(self, game: Snapshot, own: int | None, viewer: Viewer) -> None:
        self.own, self.viewer = own, viewer
        self.names = [_name(game, at, own) for at in range(len(game.players))]
        self._people = [seat.player is not None for seat in game.players]
        # In the lobby seats change hands: its events name the player.
        self._by_id = {str(seat.player): name for seat, name in zip(game.players, self.names, strict=True)}

    def clause(self, event: log.Happened, shown: Mapping[str, Any] | None = None) -> str:
        """The event without a capital and a dot; `shown`: as the viewer sees it, if that is known."""
        shown = shown or events_seen([event], self.viewer)[0]
        mover = shown["data"].get("player")
        who = None if mover is None else self._by_id.get(mover, "Somebody")
        return clause(shown, self.names, who=who, for_them=self._was_for_them(event))

    def _was_for_them(self, event: log.Happened) -> bool:
        """Whether the service moved for a player: that it was forced is told to that player alone."""
        actor, seat = event.actor if isinstance(event, log.Event) else None, event.seat
        if actor is None or seat is None or seat >= len(self._people) or not self._people[seat]:
            return False
        return actor.kind in ("clock", "bot") or (actor.kind == "forced" and seat == self.own)


def _name(game: Snapshot, at: int, own: int | None) -> str:
    seat = game.players[at]
    account = game.account_of(seat)
    if at == own or account is None:
        return "You" if at == own else f"{'bot' if seat.player is None else 'player'} {at + 1}"
    return isolated(account.username)


def events_seen(events: Iterable[log.Happened], viewer: Viewer) -> list[dict[str, Any]]:
    """Events as a viewer (a seat, "public", or None: everything) may see them."""
    return [
        {
            "version": event.version,
            "type": name_of(event),
            "seat": event.seat,
            "data": _seen(event, viewer),
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
        raise Conflict("not_finished", "The record of a game is available after the game has finished.")
    events = [rules_event(event) for event in log.read(game.stream) if is_of_rules(event)]
    return record_of_events(game.rules, events)


def records_of(games: QuerySet[GameRow], *, people: bool = False) -> Iterator[dict[str, Any]]:
    """Yield the records of these games, which are finished; `people`: only those in which people made all moves.

    They name no player.
    """
    for row in games.only("game").iterator():
        events = log.read(stream_of(row.pk))
        if not people or all(map(_is_of_people, events)):
            yield record_of_events(PLAYED[row.game], map(rules_event, filter(is_of_rules, events)))


def _is_of_people(event: log.Event) -> bool:
    """Return whether neither a bot nor the clock had a part in it."""
    by = None if event.actor is None else event.actor.kind
    return by not in ("bot", "clock") and not event.data.get("bot")


def _seen(event: log.Happened, viewer: Viewer) -> dict[str, Any]:
    """Return what a viewer may see of an event.

    That a plan made a move is shown only to the seat; others do not even get a null.
    """
    seen = EVENTS[event.type](facts_of(event)).seen(event.seat, viewer)
    planned = PLANNED in event.data and viewer in (None, event.seat)
    return {**seen, PLANNED: True} if planned else seen
