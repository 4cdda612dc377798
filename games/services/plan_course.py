"""The course of a plan, worked out from the events since it was last followed (PL3).

A turn begins with the append after which the seat must act, and ends with the first append after which it need not
(TU1). The last event of an append has the clocks after it, so it shows both.
"""

from collections.abc import Iterable
from dataclasses import dataclass, replace

from core import log
from games.models import Plan
from games.projections import Snapshot, Timing
from games.projections import vocabulary as stored
from games.projections.timing import TIMING

OVER = frozenset({stored.FINISHED, stored.CALLED_OFF})
CHANGES_HANDS = frozenset({stored.BOT_SEATED, stored.PLAYER_RETURNED, stored.PLAYER_REPLACED})


@dataclass(frozen=True, slots=True)
class Course:
    """A plan's place in its game: followed up to `version`; `begun` turns of the seat have begun since it was kept."""

    seat: int
    turns: int
    version: int
    in_turn: bool
    begun: int
    is_over: bool = False

    @property
    def turns_left(self) -> int:
        """The number of turns that are still to begin."""
        return self.turns - self.begun

    def after(self, events: Iterable[log.Happened]) -> "Course":
        """The course after these events."""
        course = self
        for event in events:
            course = course._next(event)
        return course

    def _next(self, event: log.Happened) -> "Course":
        name = stored.name_of(event)
        own = event.seat == self.seat
        if event.type in OVER or name == "dealt" or (own and (event.type in CHANGES_HANDS or name == "resigned")):
            return replace(self, version=event.version, is_over=True)
        must_act, begun, is_over = self.in_turn, self.begun, self.is_over
        if TIMING in event.data:
            must_act = self.seat in Timing.from_json(event.data[TIMING]).duties
            begun += must_act and not self.in_turn
            is_over = is_over or (self.in_turn and not must_act and begun == self.turns)
        return replace(self, version=event.version, in_turn=must_act, begun=begun, is_over=is_over)


def course_of(plan: Plan, snapshot: Snapshot) -> Course:
    """Return where a plan stands in its game. One query, unless nothing happened since it was last followed."""
    turns = plan.plan["turns"]
    course = Course(plan.seat, turns, plan.version, plan.in_turn, plan.begun)
    if plan.version < snapshot.version:
        course = course.after(log.read(snapshot.stream, after=plan.version, upto=snapshot.version))
    return course
