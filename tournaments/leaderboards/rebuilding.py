"""Rebuilding the boards from the league's stream while results keep coming in.

The next generation is filled beside the live one. When it has caught up, the league is locked briefly, the rest is
counted, and the new generation goes live; readers never see half of it. The one before stays until the next sweep, for
those who had begun to read it.
"""

from collections.abc import Callable, Iterable
from uuid import UUID

from django.db import connection, transaction

from core import clock, lasting, log
from core.rows import execute, fetch_all
from tournaments.leaderboards.models import League
from tournaments.leaderboards.projection import held
from tournaments.leaderboards.store import Store, drop
from tournaments.leaderboards.stream import RESULT, VOIDED, read_batches, result_in
from tournaments.leaderboards.tally import ALL

# The numbers of tallies and of points kept in memory before they are written.
MOST_TALLIES, MOST_POINTS = 200_000, 100_000
# The number of results that may still be missing when the league is locked.
NEAR = 200

Report = Callable[[int, int], None]
"""Told how many events are counted, and how many there are."""

_ROWS = ("leaderboards_playertally", "leaderboards_entry", "leaderboards_count", "leaderboards_point")
# Buckets that became empty stay as they are; a rebuild has none.
_DIFFERENT = """
WITH live AS (
    SELECT (to_jsonb(t) - 'generation')::text AS line FROM {table} t
    WHERE game = %(game)s AND generation = %(live)s AND (to_jsonb(t) ->> 'entries') IS DISTINCT FROM '0'
), made AS (
    SELECT (to_jsonb(t) - 'generation')::text AS line FROM {table} t
    WHERE game = %(game)s AND generation = %(live)s + 1 AND (to_jsonb(t) ->> 'entries') IS DISTINCT FROM '0'
)
(SELECT 'has', line FROM live EXCEPT SELECT 'has', line FROM made)
UNION ALL (SELECT 'lacks', line FROM made EXCEPT SELECT 'lacks', line FROM live)
ORDER BY 2
"""


# The tallies of players who are listed though they closed the account or asked to be left out, or the other way round:
# they did so after their rows were written. The board of games has everybody who is listed.
_RELISTED = """
WITH relisted AS (
    SELECT tally.player FROM leaderboards_playertally tally
    LEFT JOIN accounts_player player ON player.id = tally.player AND player.closed_at IS NULL
        AND NOT player.preferences @> '{"unlisted": true}'
    LEFT JOIN leaderboards_entry entry ON entry.game = tally.game AND entry.generation = tally.generation
        AND entry.period = tally.period AND entry.board = 'games' AND entry.player = tally.player
    WHERE tally.game = %(game)s AND tally.generation = %(generation)s AND tally.period = %(all)s
        AND (player.id IS NULL) <> (entry.player IS NULL)
)
SELECT tally.period, tally.player FROM leaderboards_playertally tally JOIN relisted USING (player)
WHERE tally.game = %(game)s AND tally.generation = %(generation)s
"""


def rebuild(game: str, *, wait: bool = True, report: Report = lambda *_: None) -> int:
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
    within = connection.in_atomic_block
    with lasting.lock(f"leagues rebuild {game}"), transaction.atomic():
        if not within:
            execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ")
        league = League.objects.get(pk=game)
        store = Store(game, league.generation + 1)
        voided = _voided(event for batch in read_batches(game, 0, league.counted) for event in batch)
        for events in read_batches(game, 0, league.counted):
            _add(store, events, voided)
        store.flush(clock.now())
        found = []
        for table in _ROWS:
            rows = fetch_all(_DIFFERENT.format(table=table), {"game": game, "live": league.generation})
            found += [f"{table.removeprefix('leaderboards_')}: {verb} {row}" for verb, row in rows]
        transaction.set_rollback(True)
    return found


def _rebuild(game: str, report: Report) -> int:
    league = League.objects.get(pk=game)
    drop(game, generation__gt=league.generation)  # what an interrupted rebuild left
    known = league.counted
    voided = _voided(event for batch in read_batches(game, 0, known) for event in batch)
    store, counted = Store(game, league.generation + 1), 0
    while league.counted - counted > NEAR:
        for events in read_batches(game, counted, league.counted):
            _add(store, events, voided)
            counted = events[-1].version
            report(counted, league.counted)
        league.refresh_from_db()
    # Nearly everything is written before the league is locked: while it is, results and those who follow them wait.
    with transaction.atomic():
        store.flush(clock.now())
    with transaction.atomic():
        league = held(game)
        for events in read_batches(game, counted, league.counted):
            _add(store, events, voided)
        relisted = fetch_all(_RELISTED, {"game": game, "generation": store.generation, "all": ALL})
        store.refresh([(period, player) for period, player in relisted])
        store.flush(clock.now())
        league.generation = store.generation
        if league.recompute is not None and league.recompute <= known:
            league.recompute = None  # a game voided since then was counted: start over
        league.save(update_fields=["generation", "recompute"])
    report(league.counted, league.counted)
    return league.counted


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
    if len(store.tallies) > MOST_TALLIES or len(store.points) > MOST_POINTS:
        with transaction.atomic():
            store.flush(clock.now())
        store.tallies.clear()
