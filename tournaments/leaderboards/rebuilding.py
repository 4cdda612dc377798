"""Making the boards again from the league's stream while results keep coming in.

The results are folded first. Then the league is locked, what came meanwhile is counted, and all its rows are written
in the place of those before: readers see the old boards until that is committed.
"""

import json
from collections.abc import Callable, Iterable
from typing import Any
from uuid import UUID

from django.db import transaction

from core import clock, lasting, log
from core.rows import as_of_one_moment
from tournaments.leaderboards.models import Count, League
from tournaments.leaderboards.projection import held
from tournaments.leaderboards.store import ROWS, Store, columns_of
from tournaments.leaderboards.stream import RESULT, VOIDED, read_batches, result_in

Report = Callable[[int, int], None]
"""Told how many events are counted, and how many there are."""


def _silent(*_: int) -> None:
    pass


def rebuild(game: str, *, wait: bool = True, report: Report = _silent) -> int:
    """Rebuild a league's ratings and boards without the voided games; return how many events were read.

    It may be interrupted anywhere and started again. If somebody else is at it, a call waits, or without `wait` does
    nothing: a game that is voided meanwhile leads to another rebuild by whoever is at it. Raises League.DoesNotExist
    for a game without a league.
    """
    with lasting.lock(f"leagues rebuild {game}", wait=wait) as ours:
        if not ours:
            return 0
        done = _rebuild(game, report)
        while League.objects.get(pk=game).recompute is not None:
            done += _rebuild(game, report)
    return done


def differences(game: str) -> list[str]:
    """Compare a league's ratings and boards with its stream, and leave them as they are: a line for each difference.

    Results may keep coming in: everything is read as of one moment. Raises League.DoesNotExist for a game without a
    league.
    """
    with as_of_one_moment():
        made = _folded(game, League.objects.get(pk=game).counted).made(clock.now())
        counts = [
            Count(game=game, period=period, board=board, bucket=bucket, entries=entries)
            for (period, board, bucket), entries in made.counts.items()
        ]
        found = []
        all_rows: list[list[Any]] = [made.tallies, made.entries, counts, made.points]
        for model, rows in zip(ROWS, all_rows, strict=True):
            columns = columns_of(model)
            # Buckets that became empty stay as they are; a rebuild has none.
            has = {_line(row) for row in model.objects.filter(game=game).values(*columns) if row.get("entries") != 0}
            lacks = {_line({name: getattr(row, name) for name in columns}) for row in rows}
            for verb, lines in (("has", has - lacks), ("lacks", lacks - has)):
                found += [f"{model.__name__.lower()}: {verb} {line}" for line in sorted(lines)]
    return found


def _line(row: dict[str, Any]) -> str:
    return json.dumps(row, default=str, sort_keys=True)


def _rebuild(game: str, report: Report) -> int:
    known = League.objects.get(pk=game).counted
    store = _folded(game, known, report)
    with transaction.atomic():
        league = held(game)
        for events in read_batches(game, known, league.counted):
            _add(store, events, frozenset())
        store.flush(clock.now())
        if league.recompute is not None and league.recompute <= known:
            league.recompute = None  # a game voided since then was counted: start over
        league.save(update_fields=["recompute"])
    report(league.counted, league.counted)
    return league.counted


def _folded(game: str, upto: int, report: Report = _silent) -> Store:
    voided = _voided(event for batch in read_batches(game, 0, upto) for event in batch)
    store = Store(game, from_scratch=True)
    for events in read_batches(game, 0, upto):
        _add(store, events, voided)
        report(events[-1].version, upto)
    return store


def _voided(events: Iterable[log.Event]) -> frozenset[UUID]:
    found: set[UUID] = set()
    for event in events:
        if event.type == VOIDED:
            found.add(UUID(event.data["game_id"]))
        elif event.type != RESULT:
            found.discard(UUID(event.data["game_id"]))
    return frozenset(found)


def _add(store: Store, events: Iterable[log.Event], voided: frozenset[UUID]) -> None:
    results = (result_in(event) for event in events if event.type == RESULT)
    store.add(result for result in results if result.game_id not in voided)
