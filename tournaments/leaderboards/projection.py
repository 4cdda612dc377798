"""The boards follow their leagues: results are counted as they come, a void leads to a rebuild from the stream."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime
from functools import partial
from itertools import groupby
from typing import Any
from uuid import UUID

from celery import current_app
from django.db import transaction
from django.dispatch import receiver

from core import clock, log
from core.accounts import signals
from core.accounts.models import Player
from tournaments.leaderboards.models import Entry, League, PlayerTally
from tournaments.leaderboards.store import Key, Store
from tournaments.leaderboards.stream import LEAGUE, RESULT, TYPES, result_in
from tournaments.leaderboards.tally import ALL


@log.projection("boards", kinds=["league"], types=TYPES)
def update_boards(events: Sequence[log.Event]) -> None:
    # In the order in which everybody locks leagues.
    for stream, group in groupby(sorted(events, key=lambda event: event.stream), key=lambda event: event.stream):
        _count(stream.removeprefix(f"{LEAGUE.name}-"), list(group))


def _count(game: str, events: list[log.Event]) -> None:
    league = held(game)
    # A rebuild that has just ended may have counted some of them.
    events = [event for event in events if event.version > league.counted]
    if not events:
        return
    store = Store(game)
    store.add(result_in(event) for event in events if event.type == RESULT)
    store.flush(clock.now())
    league.counted, league.as_of = events[-1].version, events[-1].recorded_at
    if voids := [event.version for event in events if event.type != RESULT]:
        league.recompute = voids[-1]
        transaction.on_commit(partial(current_app.send_task, "leagues.rebuild", [game]), robust=True)
    league.save(update_fields=["counted", "as_of", "recompute"])


def refresh(game: str, keys: Sequence[Key]) -> None:
    with transaction.atomic():
        held(game)
        store = Store(game)
        store.refresh(keys)
        store.flush(clock.now())


def held(game: str) -> League:
    """The league's row, locked; whoever writes its boards takes this lock first."""
    return League.objects.select_for_update(no_key=True).get(pk=game)


def drop_inactive(now: datetime) -> int:
    """Take inactive players off the boards of ratings of all times; return how many, at most 1000."""
    expired = Entry.objects.filter(expires_at__lt=now).order_by("expires_at")
    found: dict[str, list[UUID]] = defaultdict(list)
    for game, player in expired.values_list("game", "player")[:1000]:
        found[game].append(player)
    for game, players in found.items():
        refresh(game, [(ALL, player) for player in players])
    return sum(map(len, found.values()))


@receiver(signals.closing)
@receiver(signals.preferences_changed)
def look_again(player: Player, **_: Any) -> None:
    """Who closes the account or opts out leaves the boards at once; who takes that back is on them again."""
    keys: dict[str, list[Key]] = defaultdict(list)
    for game, period in PlayerTally.objects.filter(player=player.pk).values_list("game", "period"):
        keys[game].append((period, player.pk))
    for game, found in sorted(keys.items()):
        refresh(game, found)
