"""The stages of a tournament that have begun, and what belongs to which of them (SG3)."""

from dataclasses import dataclass
from datetime import datetime

from tournaments.stream.plan import Plan


@dataclass(frozen=True, slots=True)
class Begun:
    """A stage after the first: who went on, the best seed first, and the last round seated before it (SG3)."""

    seeds: tuple[str, ...]
    seated: int
    since: datetime


class InStages:
    """A tournament by its stages, of which there are none in one of a kind."""

    __slots__ = ()
    plan: Plan
    begun: tuple[Begun, ...]
    seated: int
    break_ends: datetime | None
    reopened: bool

    @property
    def stage(self) -> int:
        """The number of the present stage, counted from 1."""
        return 1 + len(self.begun)

    @property
    def only_organisers_finish(self) -> bool:
        """Whether it was reopened in its last stage; from an earlier one the runner goes on as before."""
        return self.reopened and self.stage >= len(self.plan.stages)

    @property
    def seated_before(self) -> int:
        """The last round that was seated before the present stage."""
        return self.seated_before_stage(self.stage)

    def seated_before_stage(self, stage: int) -> int:
        return self.begun[stage - 2].seated if stage > 1 else 0

    def stage_of(self, number: int) -> int:
        """The stage of a seated round, or of the next one of the present stage."""
        return 1 + sum(number > begun.seated for begun in self.begun)

    def stage_at(self, moment: datetime) -> int:
        """The stage in which a game that started then counts (SN2)."""
        return 1 + sum(begun.since < moment for begun in self.begun)

    def is_in_stage(self, key: str, stage: int | None = None) -> bool:
        """Return whether an entrant who came in is one of a stage that has begun, by default the present one."""
        at = stage or self.stage
        return at == 1 or key in self.begun[at - 2].seeds

    @property
    def awaits_draft(self) -> bool:
        """Whether the present stage is over, and organisers draft the first round of the next one."""
        return self.break_ends is not None and self.next_is_drafted

    @property
    def next_is_drafted(self) -> bool:
        """Whether organisers draft the first round of the next stage, which begins with it."""
        following = self.plan.stages[self.stage]
        return bool(following["kind"] != "season" and following["pace"] == "manual")

    def round_name(self, number: int, *, begins_stage: bool = False) -> str:
        """What people call a round in a sentence: "round 2", in a stage "Final, round 1" or "Stage 1, round 2".

        `begins_stage`: it was drafted as the first of the next stage, which begins with it.
        """
        stage, within = self.stage_of(number), self.in_stage(number)
        if begins_stage and number > self.seated:
            stage, within = self.stage + 1, number - self.seated
        title = self.stage_title(stage)
        return f"round {within}" if title is None else f"{title}, round {within}"

    def in_stage(self, number: int) -> int:
        """The number of a round, counted within its stage."""
        return number - self.seated_before_stage(self.stage_of(number))

    def stage_title(self, stage: int) -> str | None:
        """What people call a stage; None in a tournament of a kind."""
        return self.plan.stage_names[stage - 1] if self.plan.stages else None

    @property
    def reached(self) -> str:
        """The newest round of the present stage, or the stage before its first one, by name."""
        return self.round_name(self.seated) if self.seated > self.seated_before else self.stage_title(self.stage) or ""
