"""The state of a tournament: a small head, and its entrants, rounds, tables and games as rows by key (`Part`)."""

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from enum import StrEnum
from typing import Any
from uuid import UUID, uuid5

from games.rules import Game, game_of
from games.rules.fairness import secret_of_game
from tournaments.stream.ballot import Elector, Proposal, Rules
from tournaments.stream.parts import Part
from tournaments.stream.plan import Plan
from tournaments.stream.stages import Begun, InStages

# Namespace of game ids, each derived from tournament, round, table and number: opening a table's game is repeatable.
GAMES = UUID("7d1a3f62-5f0e-5b4c-8b56-3c1f0f8d9a41")


class Status(StrEnum):
    DRAFT = "draft"
    REGISTRATION = "registration"
    RUNNING = "running"
    FINISHED = "finished"
    CANCELLED = "cancelled"


UNFINISHED = (Status.DRAFT, Status.REGISTRATION, Status.RUNNING)


class Standing(StrEnum):
    INVITED = "invited"
    """Added by an organiser, and not accepted yet."""
    WAITING = "waiting"
    REGISTERED = "registered"
    """Has a place, and is in once checked in."""
    IN = "in"
    WITHDRAWN = "withdrawn"
    REMOVED = "removed"
    GONE = "gone"
    """Left before having been in, or took over another entrant."""


HOLDS_A_PLACE = (Standing.REGISTERED, Standing.IN)
TAKES_PART = (*HOLDS_A_PLACE, Standing.WAITING)
"""Who has not accepted an invitation does not."""


@dataclass(frozen=True, slots=True)
class Playing:
    """Who plays for an entrant, a player or a bot, and their part of the shuffles. A `guest` has no votes (RT2)."""

    player: UUID | None
    bot: Mapping[str, Any] | None
    salt: str
    guest: bool = False

    def for_entrant(self, key: str) -> dict[str, Any]:
        return {"entrant": key, "player": self.player, "bot": self.bot, "salt": self.salt}


@dataclass(frozen=True, slots=True)
class Entrant:
    """A place in the tournament. The player behind it can change; the entrant stays."""

    key: str
    player: UUID | None
    bot: Mapping[str, Any] | None
    salt: str
    standing: Standing
    since: datetime
    entered_at: datetime | None = None
    """When it first came in, which the record has as its `entered`."""
    checked_in: bool = False
    missed: bool = False
    """Missed the check-in, and waits last until it checks in."""
    withdrew: bool = False
    """Its own last act was to withdraw: then reinstating it leaves it withdrawn."""
    resigns: bool = False
    absences: int = 0
    asked: tuple[str, ...] = ()
    """Those on the waiting list who were asked to stand in for it; the last one may still be asked (LI4)."""
    asked_for: str | None = None
    """The no-show for whom it is asked to stand in, from the waiting list."""
    asked_game: str | None = None
    asked_until: datetime | None = None
    former: tuple[UUID, ...] = ()
    """The players who played for it before: what they began in a season still counts for it."""

    @property
    def number(self) -> int:
        return int(self.key[1:])

    @property
    def playing(self) -> Playing:
        return Playing(self.player, self.bot, self.salt)

    @property
    def is_in(self) -> bool:
        return self.standing is Standing.IN

    @property
    def entered(self) -> bool:
        return self.entered_at is not None


@dataclass(frozen=True, slots=True)
class Round:
    """A seated round; open as long as one of its tables is."""

    number: int
    byes: tuple[str, ...]
    tables: int
    open_tables: int
    seated_at: datetime
    deadline_at: datetime | None = None
    overdue: bool = False
    closed_at: datetime | None = None
    proposal: int | None = None
    """The proposal whose rules it is played by; None: the first rules (RT4)."""


@dataclass(frozen=True, slots=True)
class Table:
    round: int
    number: int
    entrants: tuple[str, ...]
    games: tuple[str, ...]


class Outcome(StrEnum):
    OPEN = "open"
    RESULT = "result"
    VOID = "void"
    """Has a result that was voided and does not count."""
    NONE = "none"
    """Will have no result: it was voided before it had one, or called off."""


@dataclass(frozen=True, slots=True)
class TournamentGame:
    id: str
    round: int | None
    table: int | None
    number: int | None
    entrants: tuple[str, ...]
    outcome: Outcome = Outcome.OPEN
    source: str | None = None
    result: Mapping[str, Any] | None = None
    """`rounds` and `players` as the record has them."""
    absent: tuple[str, ...] = ()
    since: datetime | None = None
    ended_at: datetime | None = None
    proposal: int | None = None

    @property
    def game(self) -> str:
        """What its row calls the id."""
        return self.id

    @property
    def is_open(self) -> bool:
        return self.outcome is Outcome.OPEN

    @property
    def counts(self) -> bool:
        return self.outcome is Outcome.RESULT


@dataclass(frozen=True, slots=True)
class Seating:
    """A round that is drafted, or about to be seated."""

    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...] = ()
    figures: Mapping[str, Any] = field(default_factory=dict)
    staged: Mapping[str, Any] | None = None
    """The data of the `staged` that is published with it, if it is the first round of the next stage."""


@dataclass(frozen=True, slots=True)
class Deals:
    """A secret from which the secrets of the tournament's games follow, and what is published of it (LI9)."""

    secret: str
    commitment: str
    since: datetime
    opened_at: datetime | None = None


@dataclass(frozen=True, slots=True)
class Tournament(InStages):
    id: UUID
    version: int
    plan: Plan
    asked: Mapping[str, Any]
    slug: str
    seed: str
    commitment: str
    invitation: str
    organisers: tuple[UUID, ...]
    set_up_by: UUID
    set_up_at: datetime
    status: Status = Status.DRAFT
    after: UUID | None = None
    asked_organisers: tuple[UUID, ...] = ()
    offers: tuple[Mapping[str, Any], ...] = ()
    """People who are asked to play on for an entrant (LI7): the data of `replacement_asked`, the last for each."""
    numbers: int = 0
    bots: int = 0
    places: int = 0
    queue: tuple[str, ...] = ()
    seated: int = 0
    open_rounds: tuple[int, ...] = ()
    draft: Seating | None = None
    begun: tuple[Begun, ...] = ()
    break_ends: datetime | None = None
    """When the next stage begins, if the current one is over."""
    seeds: tuple[str, ...] | None = None
    seed_shown: bool = False
    deals: tuple[Deals, ...] = ()
    """The last one is in force."""
    rooms: int = 0
    unorganised_at: datetime | None = None
    """Since when it has no organiser (LI3)."""
    reopened: bool = False
    put_off: bool = False
    """It did not start at `starts_at`: too few had entered (LI1)."""
    opened_at: datetime | None = None
    """When people could first enter: before, it is a draft, which only its organisers know of."""
    started_at: datetime | None = None
    ended_at: datetime | None = None
    ended_why: str | None = None
    proposed: int = 0
    open_proposals: tuple[int, ...] = ()
    ratified: tuple[Rules, ...] = ()
    channels: tuple[Mapping[str, str], ...] = ()
    """What it posts to: the id and the service of each."""
    messages: tuple[datetime, ...] = ()
    entrants: Part[str, Entrant] = field(default_factory=Part)
    players: Part[UUID, str] = field(default_factory=Part)
    formers: Part[UUID, str] = field(default_factory=Part)
    rounds: Part[int, Round] = field(default_factory=Part)
    tables: Part[tuple[int, int], Table] = field(default_factory=Part)
    games: Part[str, TournamentGame] = field(default_factory=Part)
    proposals: Part[int, Proposal] = field(default_factory=Part)
    electors: Part[tuple[int, str], Elector] = field(default_factory=Part)

    @property
    def is_over(self) -> bool:
        return self.status in (Status.FINISHED, Status.CANCELLED)

    @property
    def take(self) -> int | None:
        """How many go on to the next stage; None: there is none."""
        take: int | None = self.plan.all_stages[self.stage - 1]["take"]
        return take

    @property
    def open_in_stage(self) -> tuple[int, ...]:
        """Of a stage that was ended early, rounds may still be open (SG5); these are the present one's."""
        return tuple(number for number in self.open_rounds if number > self.seated_before)

    def plan_of(self, stage: int) -> Plan:
        """The plan as it is, or was, in a stage that has begun."""
        if stage == self.stage:
            return self.plan
        return self.plan.at_stage(stage, self.begun[stage - 2].since if stage > 1 else None)

    def playing(self) -> list[Entrant]:
        """Those of the present stage who are in. Reads all entrants."""
        return [entrant for entrant in self.those_in() if self.is_in_stage(entrant.key)]

    @property
    def all_rules(self) -> tuple[Rules, ...]:
        return (Rules(self.plan.ruleset, self.plan.options, self.started_at), *self.ratified)

    @property
    def rules(self) -> Rules:
        return self.all_rules[-1]

    @property
    def played(self) -> Game:
        """The game by the rules that hold."""
        return game_of(self.plan.game, self.rules.options)

    def rules_of(self, proposal: int | None) -> Rules:
        return next(rules for rules in self.all_rules if rules.proposal == proposal)

    def rules_at(self, moment: datetime) -> Rules:
        first, *rest = self.all_rules
        return next((rules for rules in reversed(rest) if rules.since is not None and rules.since <= moment), first)

    @property
    def deals_are_secret(self) -> bool:
        return self.deals[-1].opened_at is None

    def secret_of(self, name: str) -> bytes:
        """LI9: the secret of the game with this name, such as "2/1/1"."""
        return secret_of_game(bytes.fromhex(self.deals[-1].secret), f"{self.id}/{name}")

    def entrant_of(self, player: UUID | None) -> Entrant | None:
        key = self.players.get(player) if player is not None else None
        return self.entrants[key] if key else None

    def played_for(self, player: UUID) -> str | None:
        return self.players.get(player) or self.formers.get(player)

    def offer(self, key: str, player: UUID | None) -> Mapping[str, Any] | None:
        return next((one for one in self.offers if (one["entrant"], one["player"]) == (key, str(player))), None)

    def those_in(self) -> list[Entrant]:
        """The entrants who are in, in the order of entry. Reads all entrants."""
        found = [entrant for entrant in self.entrants.values() if entrant.is_in]
        return sorted(found, key=lambda entrant: entrant.number)

    def tables_of(self, number: int) -> Iterator[Table]:
        return self.tables.several((number, table) for table in range(1, self.rounds[number].tables + 1))

    def games_of(self, table: Table) -> list[TournamentGame]:
        return list(self.games.several(table.games))


def game_id(tournament: UUID, round_number: int, table: int, number: int) -> str:
    return str(uuid5(GAMES, f"{tournament}/{round_number}/{table}/{number}"))


def room_id(tournament: UUID, number: int) -> str:
    """The id of a season's room. Salts follow from it, so nobody may choose it (LI9)."""
    return str(uuid5(GAMES, f"{tournament}/{number}"))


def salt_for(salt: str, game: UUID | str) -> str:
    """LI1: an entrant's salt in one of its games: the first 32 digits of the SHA-256, in hex, of ``SALT/GAME``."""
    return hashlib.sha256(f"{salt}/{game}".encode()).hexdigest()[:32]


def entrants_by_seat(
    players: Sequence[UUID | None], bots: Sequence[str], entrant_of: Callable[[UUID], str | None]
) -> list[str | None]:
    """The entrant in each seat of a season's game, or None; `bots` are in the order of seats."""
    left = list(bots)
    return [(left.pop(0) if left else None) if player is None else entrant_of(player) for player in players]
