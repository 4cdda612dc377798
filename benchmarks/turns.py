"""Many games in which a turn begins at once: copies of one that services played, by SQL."""

from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from benchmarks.filling import columns, run

# What the log has of a game before the move that begins the turn, and all rows as of after it.
_COPIES = """
CREATE UNLOGGED TABLE burst AS
SELECT n, id, 'game-' || id AS stream_id, get_byte(sha256(convert_to('game-' || id, 'UTF8')), 1) AS bucket,
       (%(players)s::uuid[])[2 * n - 1] AS one, (%(players)s::uuid[])[2 * n] AS two
FROM (SELECT n, gen_random_uuid() AS id FROM generate_series(1, %(games)s) n) numbered;

INSERT INTO games_game (id, {game}) SELECT burst.id, {one_game} FROM burst, games_game one WHERE one.id = %(model)s;

INSERT INTO games_seat (id, game_id, player_id, {seat})
SELECT gen_random_uuid(), burst.id, CASE one.index WHEN 0 THEN burst.one ELSE burst.two END, {one_seat}
FROM burst, games_seat one WHERE one.game_id = %(model)s;

INSERT INTO log_stream (bucket, stream_id, {stream})
SELECT burst.bucket, burst.stream_id, {one_stream}
FROM burst, log_stream one WHERE one.stream_id = 'game-' || %(model)s::text;
"""
_EVENTS = """
INSERT INTO log_event (bucket, stream_id, position, recorded_at, data, meta, {event})
SELECT burst.bucket, burst.stream_id,
       counter.head + row_number() OVER (PARTITION BY burst.bucket ORDER BY burst.n, one.version), %(at)s,
       replace(replace(one.data::text, %(first)s, burst.one::text), %(second)s, burst.two::text)::json,
       replace(replace(one.meta::text, %(first)s, burst.one::text), %(second)s, burst.two::text)::json, {one_event}
FROM burst JOIN log_event one ON one.stream_id = 'game-' || %(model)s::text
     JOIN log_counter counter ON counter.bucket = burst.bucket
WHERE burst.n > %(from)s AND burst.n <= %(upto)s AND one.version > %(after)s AND one.version <= %(last)s;

UPDATE log_counter SET head = last.position
FROM (SELECT bucket, max(position) AS position FROM log_event GROUP BY bucket) last
WHERE last.bucket = log_counter.bucket AND last.position > log_counter.head;
"""

# What came before is told to nobody.
_PASSED = """
UPDATE log_checkpoint SET position = counter.head FROM log_counter counter WHERE counter.bucket = log_checkpoint.bucket;
"""


class Burst:
    """So many games of two players each; `begin` has the turn of `awaited` begin in some of them, with `version`."""

    def __init__(self, players: list[UUID]) -> None:
        from core.accounts.models import Player
        from core.log.models import StoredEvent, StreamHead
        from games.models import Game, Seat

        pair = [Player.objects.create_user(f"model-{uuid4().hex[:8]}") for _ in range(2)]
        self._model, self._before, self.version, waits = _played(pair)
        self.awaited = players[waits::2]
        own = {"game": (Game, {"id"}), "seat": (Seat, {"id", "game_id", "player_id"})} | {
            "stream": (StreamHead, {"bucket", "stream_id"}),
            "event": (StoredEvent, {"bucket", "stream_id", "position", "recorded_at", "data", "meta"}),
        }
        self._columns = {name: columns(model, without=without) for name, (model, without) in own.items()}
        self._columns |= {
            f"one_{name}": columns(model, without=without, alias="one") for name, (model, without) in own.items()
        }
        games = len(players) // 2
        self._values: dict[str, Any] = {"model": self._model, "first": str(pair[0].pk), "second": str(pair[1].pk)}
        run(_COPIES.format(**self._columns), {**self._values, "players": players, "games": games})
        self._append(0, games, after=0, last=self._before, and_then=_PASSED)

    def begin(self, start: int, upto: int) -> datetime:
        """The moves that begin the turns in the games after `start` up to `upto`; returns when."""
        return self._append(start, upto, after=self._before, last=self.version)

    def _append(self, start: int, upto: int, *, after: int, last: int, and_then: str = "") -> datetime:
        from django.db import transaction

        at = datetime.now(UTC)
        with transaction.atomic():
            run(
                "SELECT head FROM log_counter ORDER BY bucket FOR UPDATE;\n"
                + _EVENTS.format(**self._columns)
                + and_then,
                {**self._values, "at": at, "from": start, "upto": upto, "after": after, "last": last},
            )
        return at


def _played(pair: list[Any]) -> tuple[UUID, int, int, int]:
    """A game whose last move began a turn: its id, its versions before and after, and the seat that waits."""
    from core import log
    from games import selectors, services
    from games.projections import load

    entries = [services.Entry(player=player) for player in pair]
    game = services.open_table(
        uuid4(), entries, game="three_card", actor=log.Actor("service"), clock={"per_turn": 86_400}
    )
    while True:
        waiting = _waiting(game)
        mover = pair[waiting[0]]
        legal = selectors.legal_moves(mover, game)
        move = next(each["send"] for each in legal.moves if each["send"]["move"] != "resign")
        services.play(game.id, mover, move)
        before, after = game.version, load(game.id)
        assert after is not None
        assert after.is_running
        if len(waiting) == 1 and _waiting(after) == [1 - waiting[0]]:
            return game.id, before, after.version, 1 - waiting[0]
        game = after


def _waiting(game: Any) -> list[int]:
    return [seat for seat, place in enumerate(game.players) if place.duty is not None]
