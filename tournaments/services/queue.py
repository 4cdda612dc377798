"""The runner's work in the platform's queue: put there in the transaction that causes it, each piece once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from games.platform import log
from games.platform.work import services as work
from games.platform.work.models import Work as Row
from tournaments.stream.agenda import Kind, Work

# Their key is the game that they are about.
_KNOWN_BY_GAME = {Kind.OPEN, Kind.OUTCOME, Kind.CALL_OFF, Kind.WATCH, Kind.ROOM}


def put(tournament_id: UUID, pieces: Iterable[Work], *, due_at: datetime) -> None:
    """Queue work for the runner. Work already queued stays as it is."""
    about = {"tournament": str(tournament_id)}
    work.put_all(
        work.Put(one.kind.value, key_of(tournament_id, one.key), {**about, **one.data}, due_at) for one in pieces
    )


def key_of(tournament_id: UUID, key: str) -> str:
    """The key of a piece in the queue, where its kind has the pieces of all tournaments."""
    return f"{tournament_id}/{key}"


def kinds() -> list[str]:
    """The kinds of the runner's work."""
    return [kind.value for kind in Kind]


def failing(tournaments: Collection[UUID], most: int) -> list[tuple[UUID, str]]:
    """The tournament and the kind of work that fails and is tried again, those due first, `most` of them."""
    rows = Row.objects.filter(
        kind__in=kinds(), tries__gt=0, data__tournament__in=[str(tournament) for tournament in tournaments]
    )
    found = rows.order_by("due_at").values_list("data__tournament", "kind")[:most]
    return [(UUID(tournament), kind.partition(".")[2]) for tournament, kind in found]


class RunnersWork:
    """The runner's work as an export of the log carries it (`games.platform.log.Companion`)."""

    name = "tournament-tasks"

    def dump(self) -> Any:
        """All that is to be done, also what waits for its time."""
        return [
            {"kind": row.kind, "key": row.key, "data": row.data, "due_at": log.time_text(row.due_at)}
            for row in Row.objects.filter(kind__in=kinds()).order_by("kind", "key")
        ]

    def check(self, value: Any) -> None:
        """Raise KeyError, TypeError or ValueError for what cannot be queued."""
        _pieces(value)

    def load(self, value: Any) -> None:
        """Queue it."""
        for kind, key, data, due_at in _pieces(value):
            work.put(kind, key, data, due_at=due_at)


def _pieces(value: Any) -> list[tuple[str, str, dict[str, Any], datetime]]:
    return [
        (*(_named(one) if "key" in one else _named_of_old(one)), datetime.fromisoformat(one["due_at"])) for one in value
    ]


def _named(one: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    return Kind(one["kind"]).value, str(one["key"]), dict(one["data"])


def _named_of_old(one: Mapping[str, Any]) -> tuple[str, str, dict[str, Any]]:
    """A piece as it was exported while tournaments had a list of their own: without its key."""
    kind, data, tournament = Kind(f"tournament.{one['kind']}"), dict(one["data"]), UUID(one["tournament"])
    key = data["game"] if kind in _KNOWN_BY_GAME else str(UUID(one["id"]))
    return kind.value, key_of(tournament, key), {"tournament": str(tournament), **data}
