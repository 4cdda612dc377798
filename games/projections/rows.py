"""The picture in its rows: read, written at an expected version, healed from the log where it is outdated."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db import connection
from django.db.models import Prefetch, QuerySet

from games import log
from games.accounts.models import Player
from games.models import Game, Seat, seat_id, stream_of
from games.projections.picture import Duty, Picture, SeatPicture, fold_all
from games.rules import GAMES

SEATS = Seat.objects.select_related("player").order_by("index")


class LostRace(Exception):  # noqa: N818 (an outcome of the race, not an error)
    """Somebody else's events came first: judge anew on the new state."""


def with_seats(games: QuerySet[Game]) -> QuerySet[Game]:
    """The same games, each with its seats and their players (one query more)."""
    return games.prefetch_related(Prefetch("players", SEATS))


def picture_of(game: Game) -> Picture:
    """The picture in a game's row, whose seats are loaded.

    No query, but where the rules' state is missing or of another schema: then it is made anew from the log (and stored
    with the next move).
    """
    known: Picture | None = game.__dict__.get("_picture")
    if known is None:
        known = game.__dict__["_picture"] = _read(game)
    return known


def picture_at(game_id: UUID, version: int) -> Picture | None:
    """The picture as of a version of the past, from the log; None where there was no such version."""
    picture = fold_all(game_id, log.read(stream_of(game_id), upto=version)) if version > 0 else None
    return picture if picture is not None and picture.version == version else None


def _read(game: Game) -> Picture:
    state = None
    if game.dealt:
        rules = GAMES[game.game]
        if game.state is None or game.state_schema != rules.state_schema:
            healed = picture_at(game.pk, game.version)
            if healed is None:
                raise LookupError(f"game {game.pk}: the log does not reach version {game.version}")
            return healed
        state = rules.load(game.state)
    return Picture(
        players=tuple(_seat_picture(seat) for seat in game.seat_rows()),
        opener=game.opener_id,
        rematch_of=game.rematch_of_id,
        salts=tuple(game.salts) if game.salts is not None else None,
        state=state,
        **{name: getattr(game, name) for name in _AS_THEY_ARE},
    )


_AS_THEY_ARE = (
    "id",
    "game",
    "ruleset",
    "options",
    "asked_options",
    "seats",
    "visibility",
    "rated",
    "clock",
    "invitation",
    "secret",
    "commitment",
    "opened_at",
    "moved_at",
    "version",
    "status",
    "dealer",
    "shuffles",
    "result",
    "cancel_reason",
    "started_at",
    "finished_at",
)


def _seat_picture(seat: Seat) -> SeatPicture:
    duty = None
    if seat.duty is not None and seat.duty_since is not None:
        duty = Duty(seat.duty, seat.duty_since, seat.due_at)
    return SeatPicture(
        seat.player_id,
        seat.bot,
        seat.salt,
        seat.joined_at,
        seat.resigned,
        seat.agrees_to_cancel,
        duty,
        seat.bank,
        seat.misses,
        seat.timeouts,
    )


def _columns(picture: Picture) -> dict[str, Any]:
    """The columns of the game's row but the rules' state."""
    return {
        **{name: getattr(picture, name) for name in _AS_THEY_ARE},
        "opener_id": picture.opener,
        "rematch_of_id": picture.rematch_of,
        "salts": list(picture.salts) if picture.salts is not None else None,
    }


def _state_columns(picture: Picture) -> dict[str, Any]:
    if picture.state is None:
        return {"state": None, "state_schema": None}
    rules = GAMES[picture.game]
    return {"state": rules.dump(picture.state), "state_schema": rules.state_schema}


def _seat_columns(seat: SeatPicture) -> dict[str, Any]:
    duty = seat.duty
    return {
        "player_id": seat.player,
        "bot": seat.bot,
        "salt": seat.salt,
        "joined_at": seat.joined_at,
        "resigned": seat.resigned,
        "agrees_to_cancel": seat.agrees_to_cancel,
        "to_act": duty is not None,
        "duty": duty.key if duty else None,
        "duty_since": duty.since if duty else None,
        "due_at": duty.due if duty else None,
        "bank": seat.bank,
        "misses": seat.misses,
        "timeouts": seat.timeouts,
    }


def unsaved(picture: Picture, people: Mapping[UUID, Player]) -> Game:
    """A `Game` of the picture, seats loaded, not in the database; `people` are the accounts there still are."""
    game = Game(**_columns(picture), **_state_columns(picture))
    _remember(game, picture, people)
    return game


def create(picture: Picture, people: Mapping[UUID, Player]) -> Game:
    """Insert a game and its seats (two queries)."""
    game = unsaved(picture, people)
    game.save(force_insert=True)
    Seat.objects.bulk_create(game.seat_rows())
    return game


def save(game: Game, before: Picture, after: Picture) -> None:
    """Write what changed, if the row is still at the version of `before`; `game` then shows it too.

    Raises LostRace when the row has moved on; nothing is written then.
    """
    old = _columns(before)
    changed = {name: value for name, value in _columns(after).items() if value != old[name]}
    if after.state is not None:
        changed |= _state_columns(after)
    if not Game.objects.filter(pk=game.pk, version=before.version).update(**changed):
        raise LostRace
    for name, value in changed.items():
        setattr(game, name, value)
    people = {row.player_id: row.player for row in game.seat_rows() if row.player_id and row.player}
    _save_seats(game.pk, before.players, after.players)
    _remember(game, after, people)


# By hand, for it is in every move's way: the ORM takes ten times as long to write a statement for several rows.
_UPDATE_SEATS = """
UPDATE games_seat AS seat
SET player_id = new.player_id, bot = new.bot::jsonb, salt = new.salt, joined_at = new.joined_at,
    resigned = new.resigned, agrees_to_cancel = new.agrees_to_cancel, to_act = new.to_act, duty = new.duty,
    duty_since = new.duty_since, due_at = new.due_at, bank = new.bank, misses = new.misses,
    timeouts = new.timeouts
FROM unnest(%(id)s::uuid[], %(player_id)s::uuid[], %(bot)s::text[], %(salt)s::text[], %(joined_at)s::timestamptz[],
            %(resigned)s::boolean[], %(agrees_to_cancel)s::boolean[], %(to_act)s::boolean[], %(duty)s::text[],
            %(duty_since)s::timestamptz[], %(due_at)s::timestamptz[], %(bank)s::integer[], %(misses)s::integer[],
            %(timeouts)s::integer[])
     AS new (id, player_id, bot, salt, joined_at, resigned, agrees_to_cancel, to_act, duty, duty_since, due_at,
             bank, misses, timeouts)
WHERE seat.id = new.id
"""


def _save_seats(game_id: UUID, before: Sequence[SeatPicture], after: Sequence[SeatPicture]) -> None:
    changed = [index for index, (old, new) in enumerate(zip(before, after, strict=False)) if old != new]
    if len(after) < len(before):
        Seat.objects.filter(game_id=game_id, index__gte=len(after)).delete()
    if changed:
        rows = [{"id": seat_id(game_id, index), **_seat_columns(after[index])} for index in changed]
        for row in rows:
            row["bot"] = None if row["bot"] is None else json.dumps(row["bot"])
        with connection.cursor() as cursor:
            cursor.execute(_UPDATE_SEATS, {name: [row[name] for row in rows] for name in rows[0]})
    if len(after) > len(before):
        Seat.objects.bulk_create(
            Seat(id=seat_id(game_id, index), game_id=game_id, index=index, **_seat_columns(after[index]))
            for index in range(len(before), len(after))
        )


def _remember(game: Game, picture: Picture, people: Mapping[UUID, Player]) -> None:
    """Load the picture and its seats into the instance, as if they had been read."""
    rows = []
    for index, seat in enumerate(picture.players):
        row = Seat(id=seat_id(picture.id, index), game=game, index=index, **_seat_columns(seat))
        # Set where the account is gone, too: nobody is asked for again.
        Seat.player.field.set_cached_value(row, people.get(seat.player) if seat.player else None)
        rows.append(row)
    loaded = Seat.objects.all()
    loaded._result_cache = rows  # noqa: SLF001 (what prefetch_related does)
    loaded._prefetch_done = True  # type: ignore[attr-defined]  # noqa: SLF001
    game.__dict__.setdefault("_prefetched_objects_cache", {})["players"] = loaded
    game.__dict__["_picture"] = picture
