"""The events of a tournament, a class for each: its facts, and how it changes the tournament. They decide nothing."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, ClassVar, NamedTuple
from uuid import UUID

import msgspec
from msgspec import UNSET, Struct, UnsetType

from tournaments.stream.ballot import Counts, Elector, Ending, Proposal, Rules
from tournaments.stream.plan import Plan
from tournaments.stream.stages import Begun
from tournaments.stream.state import (
    HOLDS_A_PLACE,
    Deals,
    Entrant,
    Outcome,
    Round,
    Seating,
    Standing,
    Status,
    Table,
    Tournament,
    TournamentGame,
)

MOST_MESSAGES = 5
"""In any day, to all entrants."""
EVENTS: dict[str, type["Fact"]] = {}
"""By type, without prefix (`entered`)."""
Json = dict[str, Any]


class Ruled(NamedTuple):
    """An event as a ruling: its name, unless its `source` says which; what all read, and those concerned are told."""

    name: str
    said: str
    told: str = ""


class Fact(Struct):
    """What is decided, and then happens. Its fields are the event's data; a class whose name begins with _ is no event.

    A field with a default was not there in the first release, or is not there if there is nothing to say.
    """

    type: ClassVar[str]
    ruled: ClassVar[Ruled | None] = None

    def __init_subclass__(cls) -> None:
        super().__init_subclass__()
        if not cls.__name__.startswith("_"):
            cls.type = re.sub(r"(?<!^)(?=[A-Z])", "_", cls.__name__).lower()
            EVENTS[cls.type] = cls

    @property
    def data(self) -> Json:
        """As it is stored."""
        data: Json = msgspec.json.decode(msgspec.json.encode(self))
        return data

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        raise NotImplementedError


def rulings() -> dict[str, Ruled]:
    """The events that are rulings, by type."""
    return {name: kind.ruled for name, kind in EVENTS.items() if kind.ruled}


@dataclass(frozen=True, slots=True)
class Happened:
    """An event of the log: its type has no prefix (`entered`)."""

    type: str
    data: Any
    version: int
    recorded_at: datetime


def fact_of(event: Happened) -> Fact:
    """Raises ValueError if nobody knows its type."""
    kind = EVENTS.get(event.type)
    if kind is None:
        raise ValueError(f"event {event.version}: nobody knows {event.type!r}")
    return msgspec.convert(event.data, kind)


def foreseen(t: Tournament, facts: Iterable[Fact], now: datetime) -> list[Happened]:
    return [Happened(fact.type, fact.data, version, now) for version, fact in enumerate(facts, t.version + 1)]


def folded(t: Tournament, facts: Iterable[Fact], now: datetime) -> Tournament:
    for fact in facts:
        t = replace(fact.apply(t, now), version=t.version + 1)
    return t


def fold_all(tournament_id: UUID, events: Iterable[Happened]) -> Tournament | None:
    t: Tournament | None = None
    for event in events:
        t = evolve(tournament_id, t, event)
    return t


def evolve(tournament_id: UUID, t: Tournament | None, event: Happened) -> Tournament:
    """The tournament after one more event. Raises ValueError for one that does not follow: the log is damaged."""
    if event.version != (t.version if t else 0) + 1:
        raise ValueError(f"tournament {tournament_id}: event {event.version} does not follow")
    fact = fact_of(event)
    if t is not None:
        return replace(fact.apply(t, event.recorded_at), version=event.version)
    if not isinstance(fact, SetUp):
        raise ValueError(f"tournament {tournament_id}: the stream begins with {event.type!r}")
    return fact.begin(tournament_id, event.recorded_at)


# Its life


class _Dealt(Fact):
    deals_secret: str | None
    deals_commitment: str | None

    def drawn(self, at: datetime) -> tuple[Deals, ...]:
        """The secret of the deals, if this event publishes the commitment to it."""
        if self.deals_secret is None or self.deals_commitment is None:
            return ()
        return (Deals(self.deals_secret, self.deals_commitment, at),)


class SetUp(_Dealt):
    plan: Json
    asked: Json
    slug: str
    seed: str
    commitment: str
    invitation: str
    organisers: tuple[UUID, ...]

    def begin(self, tournament_id: UUID, at: datetime) -> Tournament:
        own: Json = {
            name: getattr(self, name) for name in ("asked", "slug", "seed", "commitment", "invitation", "organisers")
        }
        begun: Json = {"version": 1, "plan": Plan.from_json(self.plan), "deals": self.drawn(at), "set_up_at": at}
        return Tournament(id=tournament_id, set_up_by=self.organisers[0], **own, **begun)


class Changed(Fact):
    plan: Json
    asked: Json

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, plan=Plan.from_json(self.plan), asked=self.asked, put_off=False)


class Follows(Fact):
    tournament: UUID

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, after=self.tournament)


class OrganiserAsked(Fact):
    player: UUID

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, asked_organisers=(*t.asked_organisers, self.player))


class OrganiserAdded(Fact):
    player: UUID

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        asked = tuple(one for one in t.asked_organisers if one != self.player)
        return replace(t, organisers=(*t.organisers, self.player), asked_organisers=asked, unorganised_at=None)


class OrganiserRemoved(Fact):
    player: UUID

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        rest = tuple(player for player in t.organisers if player != self.player)
        asked = tuple(player for player in t.asked_organisers if player != self.player)
        since = None if rest else t.unorganised_at or at
        return replace(t, organisers=rest, asked_organisers=asked, unorganised_at=since)


class InvitationRenewed(Fact):
    invitation: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, invitation=self.invitation)


class ChannelsChanged(Fact):
    channels: tuple[Json, ...]
    added: str | None
    removed: str | None

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, channels=self.channels)


class MessageSent(Fact):
    text: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, messages=(*t.messages, at)[-MOST_MESSAGES:])


class Opened(Fact):
    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, status=Status.REGISTRATION, opened_at=at)


class PutOff(Fact):
    entrants: int
    needed: int

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, put_off=True)


class CheckInMissed(Fact):
    entrants: tuple[str, ...]

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        rows = {key: t.entrants[key] for key in self.entrants}
        held = sum(one.standing in HOLDS_A_PLACE for one in rows.values())
        changes = {key: replace(one, standing=Standing.WAITING, missed=True) for key, one in rows.items()}
        queue = (*(key for key in t.queue if key not in changes), *self.entrants)
        return replace(t, entrants=t.entrants.put(changes), places=t.places - held, queue=queue)


class Started(Fact):
    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, status=Status.RUNNING, started_at=at, put_off=False)


class Finished(Fact):
    why: str
    seed: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return _over(t, Status.FINISHED, self.why, at)


class Cancelled(Fact):
    ruled = Ruled("cancel", "The tournament is called off")
    reason: str
    seed: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return _over(t, Status.CANCELLED, self.reason, at)


def _over(t: Tournament, status: Status, why: str, at: datetime) -> Tournament:
    return replace(t, status=status, ended_at=at, ended_why=why, draft=None, break_ends=None, seed_shown=True)


class Reopened(_Dealt):
    ruled = Ruled("reopen", "The tournament is open again")
    reason: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        deals = (*t.deals, *self.drawn(at))
        return replace(t, status=Status.RUNNING, ended_at=None, ended_why=None, reopened=True, deals=deals)


class DealsOpened(Fact):
    deals_secret: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, deals=(*t.deals[:-1], replace(t.deals[-1], opened_at=at)))


# Entrants


class _OfEntrant(Fact):
    entrant: str


class _Playing(_OfEntrant):
    player: UUID | None
    bot: Json | None
    salt: str


class _Named(_Playing):
    standing: ClassVar[Standing]

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant = t.entrants.get(self.entrant)
        if entrant is None:
            entrant = Entrant(self.entrant, self.player, self.bot, self.salt, self.standing, at)
            t = replace(t, numbers=max(t.numbers, entrant.number), bots=t.bots + (entrant.bot is not None))
            if self.player is not None:
                t = replace(t, players=t.players.put({self.player: self.entrant}))
        withdrew = entrant.withdrew and entrant.entered
        return stands(t, entrant, self.standing, salt=self.salt, since=at, withdrew=withdrew)


class Invited(_Named):
    standing = Standing.INVITED


class Queued(_Named):
    standing = Standing.WAITING


class Registered(_Named):
    standing = Standing.REGISTERED


class Entered(_Named):
    standing = Standing.IN


class CheckedIn(_OfEntrant):
    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return with_entrant(t, self.entrant, checked_in=True, missed=False)


class Left(_OfEntrant):
    why: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant = t.entrants[self.entrant]
        removed = entrant.standing is Standing.REMOVED
        standing = Standing.REMOVED if removed else Standing.GONE
        return stands(t, entrant, standing, since=at, checked_in=False, withdrew=removed)


class Withdrew(_OfEntrant):
    resign: bool
    why: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant = t.entrants[self.entrant]
        # A removed entrant stays removed.
        standing = entrant.standing if entrant.standing is Standing.REMOVED else Standing.WITHDRAWN
        t = lose_votes(t, entrant.key, at)
        return stands(t, entrant, standing, since=at, withdrew=True, resigns=self.resign)


class Returned(_OfEntrant):
    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return stands(t, t.entrants[self.entrant], Standing.IN, since=at, withdrew=False, resigns=False)


class Adjusted(_OfEntrant, kw_only=True):
    ruled = Ruled("adjust", "{entrant}: {points}", "Your points were changed")
    points: str
    reason: str
    also_plays: str | UnsetType | None = UNSET
    stage: int | UnsetType = UNSET

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return undrafted(t)


class Absent(_OfEntrant):
    ruled = Ruled("absent", "{entrant} did not show up", "You were ruled absent from a game")
    game: str
    reason: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant, game = t.entrants[self.entrant], t.games[self.game]
        t = with_entrant(t, entrant.key, absences=entrant.absences + 1)
        return _with_game(t, replace(game, absent=(*game.absent, entrant.key)))


class SubstituteAsked(_OfEntrant):
    game: str
    substitute: str
    until: datetime
    reason: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = with_entrant(t, self.entrant, asked=(*t.entrants[self.entrant].asked, self.substitute))
        return with_entrant(t, self.substitute, asked_for=self.entrant, asked_game=self.game, asked_until=self.until)


class SubstituteLetGo(_OfEntrant):
    substitute: str
    why: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        if self.why != "late":
            t = with_entrant(t, self.entrant, asked=())
        return with_entrant(t, self.substitute, **_NOT_ASKED)


# Stages and rounds


class Seeded(Fact):
    order: tuple[str, ...]
    seed: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, seeds=self.order, seed_shown=True)


class _GoingOn(Fact):
    stage: int
    seeds: tuple[str, ...]
    decided_by: str | None
    passed: tuple[Json, ...]


class StageOver(_GoingOn):
    until: datetime

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, break_ends=self.until)


class Staged(_GoingOn):
    ruled = Ruled("end_stage", "{stage} begins early")
    reason: str | None
    also_plays: str | None
    seed: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        begun = (*t.begun, Begun(self.seeds, t.seated, at))
        plan = t.plan.at_stage(self.stage, at)
        return replace(t, plan=plan, begun=begun, break_ends=None, draft=None, reopened=False, seed_shown=True)


class _Seating(Fact):
    round: int
    tables: tuple[tuple[str, ...], ...]
    byes: tuple[str, ...]
    figures: Json


class Drafted(_Seating, kw_only=True):
    staged: Json | UnsetType = UNSET

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return replace(t, draft=Seating(self.round, self.tables, self.byes, self.figures, self.staged or None))


class Exchanged(Drafted, kw_only=True):
    ruled = Ruled("exchange", "Two entrants were swapped in the draft of {round}")
    entrants: tuple[str, ...]
    reason: str


class Seated(_Seating):
    games: tuple[tuple[str, ...], ...]
    deadline_at: datetime | None
    proposal: int | None
    seed: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        number = self.round
        tables: dict[tuple[int, int], Table] = {}
        games: dict[str, TournamentGame] = {}
        for place, (entrants, ids) in enumerate(zip(self.tables, self.games, strict=True), 1):
            tables[number, place] = Table(number, place, entrants, ids)
            for count, key in enumerate(ids, 1):
                games[key] = TournamentGame(key, number, place, count, entrants, since=at, proposal=self.proposal)
        open_tables = sum(1 for ids in self.games if ids)
        known: Json = {"deadline_at": self.deadline_at, "proposal": self.proposal}
        return replace(
            t,
            seated=number,
            open_rounds=(*t.open_rounds, number),
            draft=None,
            seed_shown=True,
            rounds=t.rounds.put({number: Round(number, self.byes, len(tables), open_tables, at, **known)}),
            tables=t.tables.put(tables),
            games=t.games.put(games),
        )


class RoundClosed(Fact):
    round: int

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        rest = tuple(other for other in t.open_rounds if other != self.round)
        return replace(with_round(t, self.round, closed_at=at), open_rounds=rest)


class RoundReopened(Fact):
    round: int

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        # A stage in which somebody plays again is not over.
        ends = None if self.round > t.seated_before else t.break_ends
        t = with_round(t, self.round, closed_at=None)
        return replace(t, open_rounds=(*t.open_rounds, self.round), break_ends=ends)


class Overdue(Fact):
    round: int
    tables: tuple[int, ...]

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return with_round(t, self.round, overdue=True)


# Games


class RoomOpened(Fact):
    game: str
    number: int
    proposal: int | None

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = replace(t, rooms=max(t.rooms, self.number))
        room = TournamentGame(self.game, None, None, self.number, (), since=at, proposal=self.proposal)
        return _with_game(t, room)


class Result(Fact, kw_only=True):
    ruled = Ruled("enter_result", "{game}: {result}", "An organiser entered the result of one of your games")
    id: str
    round: int | None
    table: int | None
    number: int | None
    source: str
    proposal: int | None
    rounds: int | None
    players: tuple[Json, ...]
    reason: str | None
    also_plays: str | None
    stage: int | UnsetType = UNSET
    instead_of: str | UnsetType = UNSET
    """The id of the result that it corrects, which is voided with it."""

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = undrafted(t)
        entrants = tuple(player["entrant"] for player in self.players)
        result = {"rounds": self.rounds, "players": list(self.players)}
        game = t.games.get(self.id)
        if game is None:
            place = self.round, self.table, self.number
            game = TournamentGame(self.id, *place, entrants, since=at, proposal=self.proposal)
        # The result of a season's room says who played.
        known: Json = {"entrants": game.entrants or entrants, "source": self.source, "result": result}
        return _with_game(t, replace(game, outcome=Outcome.RESULT, ended_at=at, **known))


class Voided(Fact, kw_only=True):
    ruled = Ruled("void", "{game} is void", "One of your results no longer counts")
    id: str
    round: int | None
    table: int | None
    had_result: bool
    reason: str
    again: Json | None
    """The id and number of the game that replaces it."""
    also_plays: str | None

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = undrafted(t)
        game = t.games[self.id]
        had_result = game.outcome is Outcome.RESULT
        outcome = Outcome.VOID if had_result else Outcome.NONE
        t = _with_game(t, replace(game, outcome=outcome, ended_at=game.ended_at if had_result else at))
        if self.again is None:
            return t
        place = game.round, game.table, self.again["number"]
        return _with_game(t, TournamentGame(self.again["id"], *place, game.entrants, since=at, proposal=game.proposal))


class Restored(Fact, kw_only=True):
    ruled = Ruled("restore", "{game} counts again", "One of your results counts again")
    id: str
    reason: str
    instead_of: str | None
    also_plays: str | None

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = undrafted(t)
        t = _with_game(t, replace(t.games[self.id], outcome=Outcome.RESULT))
        if self.instead_of is not None:
            t = _with_game(t, replace(t.games[self.instead_of], outcome=Outcome.NONE, ended_at=at))
        return t


# Proposals and votes


class Proposed(Fact, kw_only=True):
    proposal: int
    player: UUID
    entrant: str | None
    title: str
    reason: str
    ruleset: str
    options: Json
    first_day_ends: datetime
    closes_at: datetime
    electors: tuple[str, ...]

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        n, own = self.proposal, ("entrant", "title", "reason", "ruleset", "options", "first_day_ends", "closes_at")
        known = {name: getattr(self, name) for name in own} | {"counts": Counts(electors=len(self.electors))}
        return replace(
            t,
            proposed=n,
            open_proposals=(*t.open_proposals, n),
            proposals=t.proposals.put({n: Proposal(n, self.player, opened_at=at, changed_at=at, **known)}),
            electors=t.electors.put({(n, key): Elector(n, key) for key in self.electors}),
        )


class Voted(Fact):
    proposal: int
    entrant: str
    vote: str

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        elector = t.electors[self.proposal, self.entrant]
        return _with_vote(t, replace(elector, vote=self.vote), at)


class _Ended(Fact):
    proposal: int
    counts: Counts
    how: ClassVar[Ending]

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        why = getattr(self, "reason", None)
        over = replace(t.proposals[self.proposal], status=self.how, ended_at=at, ended_why=why)
        still_open = tuple(n for n in t.open_proposals if n != over.n)
        return replace(t, open_proposals=still_open, proposals=t.proposals.put({over.n: over}))


class ProposalWithdrawn(_Ended):
    how = Ending.WITHDRAWN


class ProposalClosed(_Ended):
    how = Ending.CLOSED
    reason: str


class Rejected(_Ended):
    how = Ending.REJECTED
    reason: str | None


class Overtaken(_Ended):
    how = Ending.OVERTAKEN
    by_proposal: int | None


class Ratified(_Ended):
    how = Ending.RATIFIED
    reason: str | None
    ruleset: str
    options: Json

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        rules = Rules(self.ruleset, self.options, at, self.proposal)
        return replace(_Ended.apply(self, t, at), ratified=(*t.ratified, rules))


def lose_votes(t: Tournament, key: str, at: datetime) -> Tournament:
    """RT2: the entrant is no longer an elector of any open proposal."""
    for n in t.open_proposals:
        elector = t.electors.get((n, key))
        if elector is not None and not elector.lost:
            t = _with_vote(t, replace(elector, vote=None, lost=True), at)
    return t


def _with_vote(t: Tournament, elector: Elector, at: datetime) -> Tournament:
    before, proposal = t.electors[elector.proposal, elector.entrant], t.proposals[elector.proposal]
    counts = proposal.counts.moved(before.vote, elector.vote)
    counts = replace(counts, electors=counts.electors - (elector.lost and not before.lost))
    counted = replace(proposal, counts=counts, changed_at=at)
    return replace(
        t,
        proposals=t.proposals.put({counted.n: counted}),
        electors=t.electors.put({(elector.proposal, elector.entrant): elector}),
    )


def without_offer(t: Tournament, key: str) -> Tournament:
    return replace(t, offers=tuple(one for one in t.offers if one["entrant"] != key))


_NOT_ASKED: Mapping[str, Any] = {"asked_for": None, "asked_game": None, "asked_until": None}


def asked_no_longer(t: Tournament, entrant: Entrant) -> Tournament:
    other = t.entrants[entrant.asked[-1]] if entrant.asked else None
    return t if other is None or other.asked_for != entrant.key else with_entrant(t, other.key, **_NOT_ASKED)


def with_entrant(t: Tournament, key: str, **changes: Any) -> Tournament:
    return replace(t, entrants=t.entrants.put({key: replace(t.entrants[key], **changes)}))


def with_round(t: Tournament, number: int, **changes: Any) -> Tournament:
    return replace(t, rounds=t.rounds.put({number: replace(t.rounds[number], **changes)}))


def stands(t: Tournament, entrant: Entrant, standing: Standing, **changes: Any) -> Tournament:
    """Change an entrant, its standing, and the counts of places and of the waiting list."""
    entrant = replace(entrant, **changes)
    before = t.entrants.get(entrant.key)
    if t.draft is not None and t.draft.staged is not None:
        t = undrafted(t)
    held = before is not None and before.standing in HOLDS_A_PLACE
    queue = tuple(key for key in t.queue if key != entrant.key)
    if standing is Standing.WAITING:
        queue = (*queue, entrant.key)
    if standing is Standing.IN and not entrant.entered:
        entrant = replace(entrant, entered_at=entrant.since)
    if standing is not Standing.WAITING:
        entrant = replace(entrant, **_NOT_ASKED)
    if standing is not Standing.IN:
        t = without_offer(asked_no_longer(t, entrant), entrant.key)
        entrant = replace(entrant, asked=())
    places = t.places + (standing in HOLDS_A_PLACE) - held
    entrants = t.entrants.put({entrant.key: replace(entrant, standing=standing)})
    return replace(t, places=places, queue=queue, entrants=entrants)


def _with_game(t: Tournament, game: TournamentGame) -> Tournament:
    """Replace a game, and update the counts of its table and round."""
    before = t.games.get(game.id)
    games = t.games.put({game.id: game})
    if game.round is None or game.table is None:
        return replace(t, games=games)
    place = (game.round, game.table)
    table = t.tables[place]
    was_open = any(t.games[key].is_open for key in table.games)
    if before is None:
        table = replace(table, games=(*table.games, game.id))
    is_open = any(games[key].is_open for key in table.games)
    if table != t.tables[place]:
        t = replace(t, tables=t.tables.put({place: table}))
    if is_open != was_open:
        t = with_round(t, game.round, open_tables=t.rounds[game.round].open_tables + is_open - was_open)
    return replace(t, games=games)


def undrafted(t: Tournament) -> Tournament:
    """A draft is outdated once somebody else may advance in a knockout, or go on to the next stage."""
    if t.draft is None or (t.plan.kind != "knockout" and t.draft.staged is None):
        return t
    return replace(t, draft=None)
