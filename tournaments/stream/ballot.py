"""Proposals, the votes for them and how votes are counted (RT2, RT3)."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID

VOTES = ("yes", "no", "abstain")
QUORUM = 4
"""At least one in this many electors must have voted yes."""


class Ending(StrEnum):
    OPEN = "open"
    RATIFIED = "ratified"
    REJECTED = "rejected"
    OVERTAKEN = "overtaken"
    """Another one was ratified, or the tournament ended."""
    WITHDRAWN = "withdrawn"
    CLOSED = "closed"
    """By an organiser, with a reason."""


@dataclass(frozen=True, slots=True)
class Rules:
    """Rules of the tournament: the first ones (`proposal` is None), or those that a proposal replaced them with."""

    ruleset: str
    options: Mapping[str, Any]
    since: datetime | None
    """When they were ratified; of the first ones, when the tournament started."""
    proposal: int | None = None


@dataclass(frozen=True, slots=True)
class Counts:
    yes: int = 0
    no: int = 0
    abstain: int = 0
    electors: int = 0

    @property
    def missing(self) -> int:
        return self.electors - self.yes - self.no - self.abstain

    def as_json(self) -> dict[str, int]:
        return {name: getattr(self, name) for name in (*VOTES, "electors")}

    def moved(self, before: str | None, after: str | None) -> "Counts":
        """The counts after an elector changes a vote; None stands for a vote not cast."""
        counts = {name: getattr(self, name) + (name == after) - (name == before) for name in VOTES}
        return replace(self, **counts)


@dataclass(frozen=True, slots=True)
class Proposal:
    n: int
    by: UUID
    entrant: str | None
    title: str
    reason: str
    ruleset: str
    options: Mapping[str, Any]
    opened_at: datetime
    first_day_ends: datetime
    """The votes decide nothing before this time."""
    closes_at: datetime
    changed_at: datetime
    """The time at which a vote was last cast, changed or lost."""
    counts: Counts
    status: Ending = Ending.OPEN
    ended_at: datetime | None = None
    ended_why: str | None = None

    @property
    def is_open(self) -> bool:
        return self.status is Ending.OPEN

    @property
    def rules(self) -> Rules:
        return Rules(self.ruleset, self.options, None, self.n)


@dataclass(frozen=True, slots=True)
class Elector:
    proposal: int
    entrant: str
    vote: str | None = None
    lost: bool = False
    """It withdrew, was removed or is played by a bot: it cannot vote any more, also after returning."""


def carried(by: str, counts: Counts) -> bool:
    """RT3: whether a proposal is ratified by these votes; `by` is `ratify` of the plan."""
    yes, no = counts.yes, counts.no
    if not counts.electors or by == "organiser":
        return False
    if by == "unanimous":
        return yes == counts.electors
    enough = yes > no if by == "majority" else 3 * yes >= 2 * (yes + no)
    return enough and QUORUM * yes >= counts.electors


def is_settled(by: str, counts: Counts) -> bool:
    """RT3: whether no vote that is still missing can change the outcome."""
    if by == "organiser":
        return False
    missing = counts.missing
    best, worst = replace(counts, yes=counts.yes + missing), replace(counts, no=counts.no + missing)
    return carried(by, best) == carried(by, worst)


def due_at(by: str, proposal: Proposal) -> datetime:
    """RT3: when an open proposal is decided by the clock, unless votes change."""
    if is_settled(by, proposal.counts):
        return min(max(proposal.first_day_ends, proposal.changed_at), proposal.closes_at)
    return proposal.closes_at
