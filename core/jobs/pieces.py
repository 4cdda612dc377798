"""A piece of work as its handler gets it, and what a handler may raise."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

if TYPE_CHECKING:
    from core.jobs.models import Work


@dataclass(frozen=True, slots=True)
class Piece:
    """One piece of work. `tries` counts the tries that failed before this one."""

    id: int
    kind: str
    key: str
    lane: str
    data: Mapping[str, Any]
    due_at: datetime
    queued_at: datetime
    tries: int
    failing_since: datetime | None
    holder: UUID | None

    @classmethod
    def of(cls, row: "Work") -> "Piece":
        """The piece of a row."""
        return cls(
            id=row.pk,
            kind=row.kind,
            key=row.key,
            lane=row.lane,
            data=row.data,
            due_at=row.due_at,
            queued_at=row.queued_at,
            tries=row.tries,
            failing_since=row.failing_since,
            holder=row.holder,
        )


@dataclass(frozen=True, slots=True)
class Wait:
    """The value that an errand's `prepare` returns for a piece that may not go out before `until`."""

    until: datetime


class Later(Exception):  # noqa: N818  it may be no error at all
    """This try failed. `after`: the seconds for which the receiver asks to be left alone (`Retry-After`)."""

    def __init__(self, why: str, *, after: float | None = None) -> None:
        super().__init__(why)
        self.after = after


class Stale(Exception):  # noqa: N818  no error
    """A piece that has waited for too long: it is prepared again at once."""


class GaveUp(Exception):  # noqa: N818  a decision
    """The piece will never succeed: it is not tried again, and the row stays for people to see."""
