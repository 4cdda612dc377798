"""Rulings (LI5), a class for each, from which requests, forms and previews follow (`ruling` says how).

What a ruling changes, its sentence and what those whom it concerns are told is said by its event, like what other
events change.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Annotated, Any
from uuid import UUID

import msgspec
from msgspec import UNSET, UnsetType

from core.refusals import Conflict, Invalid, NotFound
from core.values import Faults, Value, value
from games.bots import LEVELS
from games.clocks import since
from games.rules.words import listed
from tournaments.rules import NoStage, cut
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream import outcomes, rounds
from tournaments.stream.entries import entrant_named, move_up
from tournaments.stream.events import (
    Adjusted,
    CheckInMissed,
    Fact,
    Happened,
    Json,
    Ruled,
    asked_no_longer,
    fold_all,
    folded,
    lose_votes,
    stands,
    with_entrant,
    with_round,
    without_offer,
)
from tournaments.stream.facts import (
    ANSWER_WITHIN,
    By,
    begun_stage,
    check_not_over,
    check_organiser,
    check_running,
    named,
    said_of_stage,
)
from tournaments.stream.outcomes import Ended, Scored, also_plays
from tournaments.stream.reading import WITH_TABLES
from tournaments.stream.ruling import (
    MOST_SECONDS,
    POINTS,
    Case,
    EntrantKey,
    Number,
    Ruling,
    Turn,
    read_players,
    read_points,
)
from tournaments.stream.state import Entrant, Playing, Standing, Status, Table, Tournament


class _OfEntrant(Fact):
    entrant: str


class _Ruled(_OfEntrant, kw_only=True):
    reason: str
    also_plays: str | None = None


_Stage = Annotated[int | None, Value(least=1, most=MOST_STAGES, help="Default: the current one.")]


class _OfTable(Ruling):
    """Of a game: named, or the one of a table."""

    game: UUID | None = None
    round: Number | None = None
    table: Number | None = None

    def table_named(self, t: Tournament) -> Table:
        """Raises NotFound, Invalid."""
        if self.game is not None:
            game = outcomes.known_game(t, str(self.game))
            if game.round is None or game.table is None:
                raise Invalid("invalid", "This game belongs to no table.", field="game")
            return t.tables[game.round, game.table]
        if self.round is None:
            raise Invalid("invalid", "Name the round.", field="round")
        if self.table is None:
            raise Invalid("invalid", "Name the table.", field="table")
        return outcomes.known_table(t, self.round, self.table)


class Void(_OfTable):
    """The game does not count. A game that still runs is called off, and has no result."""

    title = "Void a game"
    occasion = "A game should not count"
    nothing = "No game is running or has a result."
    counter = "restore"
    games = ("open", "result")

    def decide(self, case: Case) -> list[Fact]:
        return outcomes.void(case.t, case.by, self.ends(case), self.reason)

    def ends(self, case: Case) -> str:
        if self.game is not None:
            key = str(self.game)
            if key in case.t.games or case.has_game(key):
                return key
            raise NotFound("no_such_game", "The tournament has no such game.")
        games = case.t.games_of(self.table_named(case.t))
        found = [game.id for game in games if game.is_open] or [game.id for game in games if game.counts]
        if len(found) > 1:
            raise Invalid("invalid", "The table has several games: name one by its id.", field="game")
        if not found:
            raise Conflict("already_void", "The table has no game that could be voided.")
        return found[0]

    def at_table(self, case: Case) -> Sequence[str | None]:
        game = case.t.games.get(self.ends(case))
        return () if game is None else case.seated(game)


class Restore(Ruling):
    """A game that was voided counts again."""

    title = "Restore a game"
    occasion = "A voided game should count after all"
    nothing = "There is no voided game to restore."
    counter = "void"
    games = ("void",)
    game: UUID

    def decide(self, case: Case) -> list[Fact]:
        """Raises as `outcomes.restore`, and Conflict (too_many_results) while what stands in its place counts."""
        key, games = str(self.game), case.t.games
        facts = outcomes.restore(case.t, case.by, key, self.reason)
        if outcomes.counts_instead(key, case.events(), lambda other: games[other].counts):
            raise Conflict("too_many_results", "This result was corrected. Void the one that counts first.")
        return facts

    def at_table(self, case: Case) -> Sequence[str | None]:
        game = case.t.games.get(str(self.game))
        return () if game is None else case.seated(game)


class _Places(_OfTable):
    players: Sequence[Scored] = value(lambda _: [], sent=list, read=read_players)
    rounds: Annotated[int | None, Value(least=1, most=100)] = None


class Correct(_Places):
    """A result is voided, and the places that you give count instead of it."""

    title = "Correct a result"
    occasion = "A result has the wrong places"
    nothing = "No game has a result."
    counter = "correct"
    games = ("result",)

    def decide(self, case: Case) -> list[Fact]:
        """Void it and rule another one, at once. Raises as `outcomes.correct`."""
        t, key = case.t, self.corrected(case.t)
        beside = also_plays(t, case.by, [one.entrant for one in self.players])
        ended = Ended("ruling", self.players, rounds=self.rounds, reason=self.reason, also_plays=beside)
        return outcomes.correct(t, case.by, key, case.new_id(), ended, stage=self._stage(case, key))

    def corrected(self, t: Tournament) -> str:
        """The id of the game. Raises Conflict, Invalid, NotFound."""
        if self.game is not None:
            return str(self.game)
        games = t.games_of(self.table_named(t))
        found = [game.id for game in games if game.counts]
        if len(found) > 1:
            raise Invalid("invalid", "The table has several games: name one by its id.", field="game")
        if not games:
            raise Conflict("already_void", "The table has no result that could be corrected.")
        return found[0] if found else games[-1].id

    def at_table(self, case: Case) -> Sequence[str | None]:
        game = case.t.games.get(self.corrected(case.t))
        return () if game is None else game.entrants

    def effects(self, case: Case, _: Mapping[str, str]) -> list[str]:
        number = case.t.games[self.corrected(case.t)].round
        is_later = number is not None and number < case.t.seated
        return ["The tables of later rounds stay as they are."] if is_later else []

    @staticmethod
    def _stage(case: Case, key: str) -> int | None:
        """The stage of a result that belongs to no table."""
        game = case.t.games.get(key)
        if game is None or game.result is None or game.round is not None or not case.t.begun:
            return None
        result = next(one for one in case.events() if one.type == "result" and one.data["id"] == key)
        return result.data.get("stage") or case.t.stage_at(result.recorded_at)


class _Result(_Places):
    nothing = "All tables have a result."
    counter = "void"
    games = ("open",)

    def decide(self, case: Case) -> list[Fact]:
        beside = also_plays(case.t, case.by, [one.entrant for one in self.players])
        ended = replace(self.result(), also_plays=beside)
        stage, key = self.of_season(case.t), self.ends(case) or case.new_id()
        table = None if stage else self.table_named(case.t)
        return outcomes.rule(case.t, case.by, table, key, ended, stage=stage)

    def result(self) -> Ended:
        return Ended(self.source or "", self.players, rounds=self.rounds, reason=self.reason)

    def of_season(self, _: Tournament, /) -> int | None:
        """The stage of a result that belongs to no table; None: it belongs to one. Raises NotFound (no_such_stage)."""
        return None

    def at_table(self, case: Case) -> Sequence[str | None]:
        if self.of_season(case.t):
            return [one.entrant for one in self.players if one.entrant in case.t.entrants]
        return self.table_named(case.t).entrants

    def ends(self, case: Case) -> str | None:
        if self.of_season(case.t):
            return None
        table = self.table_named(case.t)
        if self.game is not None:
            return str(self.game)
        return next((game.id for game in case.t.games_of(table) if game.is_open), None)


class RuleTable(_Result):
    """You give the places of a game that has no result. If it still runs, it is called off."""

    title = "Rule a table"
    occasion = "A game cannot be finished, for example because somebody stopped playing"
    kinds = WITH_TABLES
    source = "ruling"


class EnterResult(_Result):
    """A game that was played with real cards, with the places of everyone at the table."""

    title = "Enter a result from a real table"
    occasion = "A game was played with real cards"
    source = "table"
    stage: _Stage = None

    def of_season(self, t: Tournament) -> int | None:
        if self.round is not None or self.game is not None:
            return None
        stage = begun_stage(t, self.stage)
        return stage if t.plan_of(stage).kind == "season" else None

    def table_named(self, t: Tournament) -> Table:
        table = super().table_named(t)
        if self.game is None and self.stage not in (None, t.stage_of(table.round)):
            raise Invalid("invalid", f"Round {table.round} is not in that stage.", field="stage")
        return table


class Adjust(Ruling):
    """Points are added to an entrant's total, or taken away with a minus."""

    title = "Adjust points"
    occasion = "Somebody deserves a penalty or extra points"
    nothing = "Nobody has taken part yet."
    counter = "adjust"
    kinds = ("season", "rounds")
    standings = ("in", "withdrawn", "removed")
    entrant: EntrantKey
    points: Fraction = value(
        sent=object, read=read_points, schema=POINTS, help='A whole number, or a fraction such as "-1/2".'
    )
    stage: _Stage = None

    def decide(self, case: Case) -> list[Fact]:
        """In a stage that has begun. Raises NotFound (no_such_entrant, no_such_stage), Conflict."""
        t = case.t
        check_running(t)
        entrant = entrant_named(t, self.entrant)
        within = begun_stage(t, self.stage)
        if t.plan_of(within).kind == "knockout":
            raise Conflict("not_in_a_knockout", "Points cannot be adjusted in a knockout.")
        if not entrant.entered or not t.is_in_stage(entrant.key, within):
            raise Conflict("not_entered", "This entrant has never taken part.")
        known: dict[str, Any] = {
            "also_plays": also_plays(t, case.by, [entrant.key]),
            "stage": said_of_stage(t, within),
        }
        return [Adjusted(entrant.key, points=str(self.points), reason=self.reason, **known)]


class ReplacementAsked(_Ruled, kw_only=True):
    ruled = Ruled("replace", "{player} is asked to play on for {entrant}")
    player: UUID
    until: datetime

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        t = without_offer(t, self.entrant)
        return replace(t, offers=(*t.offers, self.data))


class ReplacementDeclined(_OfEntrant):
    player: UUID

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return without_offer(t, self.entrant)


class Replaced(_OfEntrant, kw_only=True):
    ruled = Ruled("replace", "{new} plays on for {was}", "Somebody else now plays for you")
    player: UUID | None
    bot: Json | None
    salt: str
    guest: bool
    instead_of: str | None = msgspec.field(name="from")
    """The entry that the new player gives up."""
    reason: str
    also_plays: str | None

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant = t.entrants[self.entrant]
        players: dict[UUID, str] = {}
        former = entrant.former
        if entrant.player is not None:
            players[entrant.player] = ""
            former = (*former, entrant.player)
            t = replace(t, formers=t.formers.put({entrant.player: entrant.key}))
        if self.instead_of is not None:
            # It leaves the waiting list.
            t = stands(t, t.entrants[self.instead_of], Standing.GONE, since=at, player=None)
        if self.player is not None:
            players[self.player] = entrant.key
        t = replace(t, players=t.players.put(players))
        t = without_offer(asked_no_longer(t, entrant), entrant.key)
        if self.player is None or self.guest:
            t = lose_votes(t, entrant.key, at)
        plays: Json = {"player": self.player, "bot": self.bot, "salt": self.salt}
        return with_entrant(t, entrant.key, **plays, absences=0, former=former, asked=())


class Replace(Ruling):
    """Somebody else plays for the entrant from now on, in running games too; those become unrated.

    A person is asked first, and has 12 hours to accept.
    """

    title = "Replace an entrant"
    occasion = "Somebody else should play for an entrant"
    nothing = "Nobody is taking part."
    counter = "replace"
    standings = ("in",)
    entrant: EntrantKey
    player: str | None = value(None, most=100, help="The name of the replacement. Or name a bot.")
    bot: str | None = value(None, words={level: level for level in sorted(LEVELS)}, empty="no bot")

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        if (given.get("player") is None) == (given.get("bot") is None):
            faults.refuse("player", "Give either a player or a bot.")

    def decide(self, case: Case) -> list[Fact]:
        """By a bot, in running games too, or ask a person (LI7). Raises NotFound, Conflict (as `replaced`)."""
        new, beside = self._new(case), also_plays(case.t, case.by, [self.entrant])
        facts = replaced(case.t, self.entrant, new, self.reason, beside=beside)
        if new.player in (None, case.by.player):
            return facts
        until = case.now + ANSWER_WITHIN
        known: dict[str, Any] = {"reason": self.reason, "also_plays": beside}
        return [ReplacementAsked(self.entrant, player=new.player, until=until, **known)]

    def _new(self, case: Case) -> Playing:
        if self.player is not None:
            return case.player(self.player)
        return Playing(None, {"level": self.bot}, self.entrant)

    def effects(self, case: Case, names: Mapping[str, str]) -> list[str]:
        whom, new = f"{names[self.entrant]} ({self.entrant})", self._new(case).player
        if new is None:
            return [f"From now on, a {self.bot} bot plays for {whom}, also in running games."]
        if new == case.by.player:
            return [f"From now on, you play for {whom}, also in running games."]
        return [f"{self.player} is asked. After accepting, they play for {whom}, also in running games."]


def answer_replacement(
    t: Tournament, by: By, offer: Mapping[str, Any], *, accept: bool, salt: str, now: datetime
) -> list[Fact]:
    """A person answers who was asked to play on. Raises Conflict (not_asked: too late; as `replaced`)."""
    if not accept:
        return [ReplacementDeclined(offer["entrant"], UUID(offer["player"]))]
    if datetime.fromisoformat(offer["until"]) <= now:
        raise Conflict("not_asked", "It is too late to accept. You are no longer being asked.")
    new = Playing(by.player, None, salt, by.guest)
    return replaced(t, offer["entrant"], new, offer["reason"], beside=offer["also_plays"])


def replaced(t: Tournament, key: str, new: Playing, reason: str, *, beside: str | None = None) -> list[Fact]:
    """Somebody else plays for an entrant from now on. `beside`: the entrant of the organiser who ruled it.

    Raises NotFound (no_such_entrant), Conflict (not_started, tournament_over, not_entered, already_entered).
    """
    check_running(t)
    entrant = entrant_named(t, key)
    if entrant.standing is not Standing.IN:
        raise Conflict("not_entered", "Only an entrant who is in can be replaced.")
    gives_up = check_replacement(t, entrant, new.player)
    known: dict[str, Any] = {"guest": new.guest, "instead_of": gives_up, "reason": reason, "also_plays": beside}
    return [Replaced(**new.for_entrant(key), **known)]


def check_replacement(t: Tournament, entrant: Entrant, player: UUID | None) -> str | None:
    """The entry that the replacement gives up. Raises Conflict (already_entered)."""
    other = t.entrant_of(player)
    if other is None:
        return None
    if other.key == entrant.key or other.standing not in (Standing.WAITING, Standing.INVITED, Standing.GONE):
        raise Conflict("already_entered", "This player is already in the tournament.")
    return other.key


class Removed(_Ruled):
    ruled = Ruled("remove", "{entrant} is removed", "You were removed")

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        return stands(lose_votes(t, self.entrant, at), t.entrants[self.entrant], Standing.REMOVED, since=at)


class Remove(Ruling):
    """The entrant is removed from the tournament and no longer seated. Results count for the opponents."""

    title = "Remove an entrant"
    occasion = "Somebody should not play any more"
    nothing = "Nobody is taking part."
    counter = "reinstate"
    standings = ("in", "withdrawn", "registered", "waiting", "invited")
    entrant: EntrantKey

    def decide(self, case: Case) -> list[Fact]:
        """Raises NotFound (no_such_entrant), Conflict (tournament_over, already_removed)."""
        check_not_over(case.t)
        entrant = entrant_named(case.t, self.entrant)
        if entrant.standing is Standing.REMOVED:
            raise Conflict("already_removed", "This entrant has been removed already.")
        beside = also_plays(case.t, case.by, [entrant.key])
        removed = Removed(entrant.key, reason=self.reason, also_plays=beside)
        return [removed, *move_up(case.t, case.now, gone=entrant)]


class Reinstated(_Ruled):
    ruled = Ruled("reinstate", "{entrant} is back in", "You are back in")
    standing: Standing | UnsetType = UNSET
    """Not there until 0.1.0."""
    ahead: int = 0

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        entrant, others = t.entrants[self.entrant], t.queue
        before = Standing.WITHDRAWN if entrant.withdrew else Standing.IN if entrant.entered else Standing.GONE
        t = stands(t, entrant, self.standing or before, since=at, absences=0)
        queue = (*others[: self.ahead], entrant.key, *others[self.ahead :])
        return replace(t, queue=queue) if self.standing and t.queue != others else t


class Reinstate(Ruling):
    """A removal is taken back."""

    title = "Reinstate an entrant"
    occasion = "Somebody who was removed should be back in"
    nothing = "Nobody has been removed."
    counter = "remove"
    standings = ("removed",)
    entrant: EntrantKey

    def decide(self, case: Case) -> list[Fact]:
        """Give the standing back that there was before; who left meanwhile has left.

        Raises NotFound (no_such_entrant), Conflict (tournament_over, not_removed).
        """
        t, key = case.t, self.entrant
        check_not_over(t)
        entrant = entrant_named(t, key)
        if entrant.standing is not Standing.REMOVED:
            raise Conflict("not_removed", "This entrant has not been removed.")
        then = _before_removal(t, key, case.events())
        was, standing = then.entrants[key], then.entrants[key].standing
        if entrant.withdrew and not was.withdrew:
            standing = Standing.WITHDRAWN if entrant.entered else Standing.GONE
        ahead = 0
        if standing is Standing.WAITING:
            ahead = len(set(t.queue).intersection(then.queue[: then.queue.index(key)]))
        beside = also_plays(t, case.by, [key])
        facts: list[Fact] = [Reinstated(key, reason=self.reason, also_plays=beside, standing=standing, ahead=ahead)]
        if standing is Standing.REGISTERED and t.status is Status.RUNNING:
            facts.append(CheckInMissed((key,)))
        return [*facts, *move_up(folded(t, facts, case.now), case.now)]


def _before_removal(t: Tournament, key: str, events: Sequence[Happened]) -> Tournament:
    removals = [event.version for event in events if event.type == "removed" and event.data["entrant"] == key]
    then = fold_all(t.id, events[: removals[-1] - 1])
    assert then is not None  # noqa: S101  a stream begins with `set_up`
    return then


class Extended(Fact, kw_only=True):
    """More time for a round, or for the turn of one entrant in one game. `until` is what was told."""

    ruled = Ruled("extend", "{extended}", "You have more time for a round")
    round: int | None = None
    game: str | None = None
    entrant: str | None = None
    also_plays: str | None = None
    until: datetime
    reason: str
    deadline_at: datetime | UnsetType = UNSET
    """Deadlines are kept without outages, which readers add (`rounds.ends_at`)."""

    def apply(self, t: Tournament, at: datetime) -> Tournament:
        if self.round is None:
            return t
        return with_round(t, self.round, deadline_at=self.deadline_at or self.until, overdue=False)


class Extend(Ruling):
    """A round's deadline, or the turn of one entrant in one game, gets more time."""

    title = "Give more time"
    occasion = "Somebody needs more time"
    nothing = "No game is running."
    games = ("open",)
    standings = ("in", "withdrawn")
    round: Number | None = None
    game: UUID | None = None
    entrant: EntrantKey | None = None
    seconds: Annotated[int, Value(least=1, most=MOST_SECONDS)]

    @staticmethod
    def check(given: Mapping[str, Any], faults: Faults) -> None:
        if (given.get("round") is None) == (given.get("game") is None):
            faults.refuse("round", "Name either a round or a game.")

    def decide(self, case: Case) -> list[Fact]:
        """Of a round; from now on, if it is overdue (LI2). Nothing for a turn, of which the game decides.

        Raises NotFound (no_such_round), Conflict (no_deadline, round_closed).
        """
        t, number = case.t, self.round
        if number is None:
            return []
        check_running(t)
        played = named(t.rounds, number, "no_such_round", "This round has not been seated.")
        if number not in t.open_rounds:
            raise Conflict("round_closed", "This round is closed.")
        outages = case.outages(played.seated_at)
        ends = rounds.ends_at(played, outages)
        if ends is None:
            raise Conflict("no_deadline", "This round has no deadline.")
        until = max(case.now, ends) + timedelta(seconds=self.seconds)
        lost = sum((back - out for out, back in since(outages, played.seated_at)), timedelta())
        extended = Extended(round=number, until=until, reason=self.reason, deadline_at=until - lost)
        return [*(rounds.overdue(t, number) if ends <= case.now else ()), extended]

    def at_table(self, case: Case) -> Sequence[str | None]:
        game = case.t.games.get(str(self.game))
        return () if game is None else case.seated(game)

    def turn(self, case: Case) -> Turn | None:
        if self.game is None:
            return None
        game = outcomes.known_game(case.t, str(self.game))
        entrants = case.seated(game)
        if self.entrant is not None:
            if self.entrant not in entrants:
                raise NotFound("no_such_entrant", "This entrant does not play in that game.")
            return Turn(game.id, entrants.index(self.entrant), self.entrant, self.seconds)
        due = case.to_move(game.id)
        if len(due) != 1:
            raise Invalid("invalid", "Name the entrant whose turn you want to extend.", field="entrant")
        return Turn(game.id, due[0], entrants[due[0]], self.seconds)

    def effects(self, case: Case, _: Mapping[str, str]) -> list[str]:
        if self.round is None:
            return [f"The turn is extended by {self.seconds // 3600} hours."]
        played, until = case.t.rounds[self.round], self.decide(case)[-1].data["until"]
        ends = rounds.ends_at(played, case.outages(played.seated_at))
        named = case.t.round_name(self.round)
        moments = f"{datetime.fromisoformat(until):{_MOMENT}} UTC instead of {ends:{_MOMENT}} UTC"
        return [f"{named[:1].upper()}{named[1:]} ends on {moments}."]


_MOMENT = "%d %b %Y, %H:%M"


def extend_turn(t: Tournament, by: By, game: str, key: str, *, until: datetime, reason: str) -> list[Fact]:
    """Record the time added to a turn of a running game; the game's own event has decided it."""
    check_organiser(t, by)
    check_not_over(t)
    return [Extended(game=game, entrant=key, also_plays=also_plays(t, by, [key]), until=until, reason=reason)]


class EndStage(Ruling):
    """The next stage begins at once, with those who go on as it stands.

    Games that run are played on, and count in the stage that was left.
    """

    title = "End the stage"
    occasion = "The current stage should end now"

    @classmethod
    def fits(cls, t: Tournament) -> bool:
        return t.stage < len(t.plan.all_stages)

    def decide(self, case: Case) -> list[Fact]:
        """Open games play on, and count in it. Raises Conflict (not_started, tournament_over, no_next_stage)."""
        check_running(case.t)
        record = case.record()
        try:
            going_on = rounds.going_on(cut.next_stage(record, early=True), record.everybody)
        except NoStage as error:
            raise Conflict("no_next_stage", str(error)) from None
        beside = also_plays(case.t, case.by, [one.key for one in case.t.playing()])
        return rounds.begin_stage(case.t, going_on, reason=self.reason, beside=beside)

    def onward(self, t: Tournament, going_on: Mapping[str, Any], names: Mapping[str, str]) -> list[str]:
        stage = t.stage_title(going_on["stage"])
        return [f"Through to {stage}, best first: {listed([names.get(key, key) for key in going_on['seeds']])}."]
