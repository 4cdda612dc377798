"""Tables without an opener: opened and started at once for given players and bots."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.accounts.models import Player
from core.refusals import Invalid
from games.projections import GAME, Snapshot
from games.services.commands import decided, evolved, existing, wake_server
from games.services.opening import opened
from games.services.seating import bot_joined, deal, player_joined
from games.services.terms import Terms


@dataclass(frozen=True, slots=True)
class Entry:
    """A player who sits down, or a bot of a level, with a given or a random salt."""

    player: Player | None = None
    bot: str | None = None
    salt: str | None = None


def open_table(
    game_id: UUID,
    entries: Sequence[Entry],
    *,
    actor: log.Actor,
    belongs_to: Mapping[str, Any] | None = None,
    secret: bytes | None = None,
    reason: str | None = None,
    now: datetime | None = None,
    **of_game: Any,
) -> Snapshot:
    """Open and start a game under a given id, with these entries in the order of their seats; `of_game`: its `Terms`.

    It has no opener. Safe to repeat: a caller that was killed and tries again gets the game it opened, in its present
    state. `belongs_to` is `{"tournament": id, "round", "table", "number"}`; players cannot call such a game off. A
    table with a bot or a guest is not rated. Its shuffles come from `secret`, or from one that is drawn.

    Raises:
        Invalid: bad game, ruleset, options, number of entries, visibility, rated, plans, clock or salt, or the same
            player twice; `field` names it.
        Conflict: too_few_players.
    """
    at = now or service_clock.now()
    terms = Terms(seats=len(entries), **of_game)
    people = [entry.player for entry in entries if entry.player is not None]
    counts = terms.rated and len(people) == len(entries) and not any(player.is_guest for player in people)
    if len({player.pk for player in people}) != len(people):
        raise Invalid("bad_entries", "A player sits down once.", field="entries")

    def decide(snapshot: Snapshot | None) -> log.Decided[None]:
        if snapshot is not None:
            return log.Decided((), None)
        events = [opened(terms, opener=None, belongs_to=belongs_to, secret=secret)]
        events += [_joined(entry, seat, rated=counts) for seat, entry in enumerate(entries)]
        events += deal(evolved(game_id, None, events, at))
        return decided(game_id, None, events, None, actor=actor, now=at, accounts=people)

    executed = log.execute(GAME, game_id, decide, actor=actor, now=at, reason=reason)
    wake_server(executed)
    return existing(executed.after)


def _joined(entry: Entry, seat: int, *, rated: bool) -> log.NewEvent:
    if (entry.player is None) == (entry.bot is None):
        raise Invalid("bad_entries", "An entry is either a player or a bot.", field="entries")
    if entry.player is not None:
        return player_joined(entry.player, seat, entry.salt, rated=rated)
    return bot_joined(entry.bot, seat, entry.salt)
