"""Deciding outcomes: results of games, rulings on tables, games voided and restored (LI5, LI6)."""

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from msgspec import UNSET, UnsetType

from core.refusals import Conflict, Forbidden, Invalid
from tournaments.stream.events import (
    Fact,
    Restored,
    Result,
    RoomOpened,
    RoundClosed,
    RoundReopened,
    Voided,
)
from tournaments.stream.facts import (
    By,
    begun_stage,
    check_can_have_results,
    check_organiser,
    check_running,
    named,
    said_of_stage,
)
from tournaments.stream.plan import Plan
from tournaments.stream.state import Outcome, Standing, Table, Tournament, TournamentGame, game_id


@dataclass(frozen=True, slots=True)
class Scored:
    """The end of a game for one entrant: the turns missed (None: unknown), and whether it made a move of its own."""

    entrant: str
    place: int
    score: int | None = None
    timeouts: int | None = None
    moved: bool = True
    absent: bool = False


@dataclass(frozen=True, slots=True)
class Ended:
    """The end of a game. `source`: game, table (a real one) or ruling; `rounds` that were scored (Three Thirteen)."""

    source: str
    players: Sequence[Scored]
    rounds: int | None = None
    reason: str | None = None
    also_plays: str | None = None


def take_in(t: Tournament, key: str, ended: Ended, *, ruled: bool = False) -> list[Fact]:
    """Record a result, unless the game has an outcome; a tournament that is over takes only ruled ones (LI3)."""
    game = t.games.get(key)
    if game is None or not game.is_open or (t.is_over and not ruled):
        return []
    return [_result(game, ended), *_closing(t, game)]


def take_in_season(
    t: Tournament,
    key: str,
    ended: Ended,
    *,
    stage: int = 1,
    started_at: datetime,
    ended_at: datetime,
    own: bool,
    proposal: int | None = None,
) -> list[Fact]:
    """Record a season's result, played in `stage` by the rules of `proposal`, once, if it counts (SN1, SN2)."""
    game, plan = t.games.get(key), t.plan_of(stage)
    if plan.kind != "season" or t.is_over or t.started_at is None or (game is not None and not game.is_open):
        return []
    if not own and plan.games != "any":
        return []
    if not _in_season(plan, t.started_at, started_at, ended_at):
        return []
    for player in ended.players:
        entrant = t.entrants.get(player.entrant)
        if entrant is None or entrant.entered_at is None or (not own and entrant.entered_at > started_at):
            return []
        if not t.is_in_stage(entrant.key, stage):
            return []
        if not entrant.is_in and entrant.since < started_at:
            return []  # withdrawn or removed before the game began
    game = game or TournamentGame(key, None, None, None, (), proposal=proposal)
    return [_result(game, ended, said_of_stage(t, stage))]


def called_off(t: Tournament, key: str, reason: str) -> list[Fact]:
    game = t.games.get(key)
    if game is None or not game.is_open or t.is_over:
        return []
    return _void_open(t, game, reason, None)


def open_room(t: Tournament, key: str, number: int, proposal: int | None = None) -> list[Fact]:
    """Record a season's room and its number; `proposal`: whose rules it is played by."""
    if t.plan.kind != "season" or t.is_over or key in t.games:
        return []
    return [RoomOpened(key, number, proposal)]


def void(t: Tournament, by: By, key: str, reason: str) -> list[Fact]:
    """A knockout plays it again (KO3).

    Raises Forbidden, NotFound (no_such_game), Conflict (not_started, tournament_over, already_void).
    """
    check_organiser(t, by)
    check_running(t)
    game = known_game(t, key)
    if game.outcome in (Outcome.VOID, Outcome.NONE):
        raise Conflict("already_void", "This game is already void.")
    beside = also_plays(t, by, game.entrants)
    if game.is_open:
        return _void_open(t, game, reason, beside)
    again = _again(t, game)
    reopens = again is not None and game.round is not None and game.round not in t.open_rounds
    return [_voided(game, reason, again, beside), *([RoundReopened(game.round or 0)] if reopens else [])]


def restore(t: Tournament, by: By, key: str, reason: str) -> list[Fact]:
    """A game to be played in its place is called off.

    Raises Forbidden, NotFound (no_such_game), Conflict (not_started, tournament_over, not_void, too_many_results).
    """
    check_organiser(t, by)
    check_running(t)
    game = known_game(t, key)
    if game.outcome is not Outcome.VOID:
        raise Conflict("not_void", "Only a voided result can be restored.")
    again: TournamentGame | None = None
    if game.round is not None and game.table is not None:
        again = played_again(t.games_of(t.tables[game.round, game.table]), _per_table(t, game.round))
    beside = also_plays(t, by, game.entrants)
    restored = Restored(id=key, reason=reason, instead_of=again.id if again else None, also_plays=beside)
    return [restored, *(_closing(t, again) if again else ())]


def played_again(games: Sequence[TournamentGame], per_table: int) -> TournamentGame | None:
    """Of a table's games the one that is called off if a voided one is restored, or None where there is room for both.

    Raises Conflict (too_many_results).
    """
    if _taken(games) < per_table:
        return None
    found = [game for game in games if game.is_open and (game.number or 0) > per_table]
    if not found or _taken(games) > per_table:
        raise _too_many(per_table)
    return found[-1]


def rule(t: Tournament, by: By, table: Table | None, key: str, ended: Ended, *, stage: int | None = None) -> list[Fact]:
    """Rule a result: of a table's open or missing game, or among entrants of a season; `key` is its id, or a new one.

    `stage`: which one the season is, by default the present one. Raises Forbidden, NotFound (no_such_stage), Conflict
    (not_started, tournament_over, too_many_results), Invalid (players).
    """
    check_organiser(t, by)
    check_can_have_results(t)
    within = begun_stage(t, stage) if table is None else t.stage_of(table.round)
    _check_players(t, None if table is None else table.entrants, ended, within)
    game = t.games.get(key)
    if table is None:
        if game is not None:
            raise Conflict("too_many_results", "This game already has an outcome.")
        by_itself = TournamentGame(key, None, None, None, (), proposal=t.rules.proposal)
        return [_result(by_itself, ended, said_of_stage(t, within))]
    if game is None:
        if not table.games:
            raise Conflict(
                "table_not_played", "Everyone at this table advances automatically; there is no game to score."
            )
        if _taken(t.games_of(table)) >= _per_table(t, table.round):
            raise _too_many(_per_table(t, table.round))
        by_rules = t.rounds[table.round].proposal
        number = len(table.games) + 1
        game = TournamentGame(key, table.round, table.number, number, table.entrants, proposal=by_rules)
        return [_result(game, ended)]
    if not game.is_open:
        raise Conflict("too_many_results", "This game already has an outcome. Void it first.")
    return [_result(game, ended), *_closing(t, game)]


def correct(t: Tournament, by: By, key: str, new: str, ended: Ended, *, stage: int | None = None) -> list[Fact]:
    """Void a result and rule another one of the same entrants, with the id `new`. What is left out is as it was.

    `stage`: of a result that belongs to no table. Raises Forbidden, NotFound (no_such_game), Conflict (not_started,
    tournament_over, not_finished, already_void), Invalid (players).
    """
    check_organiser(t, by)
    check_running(t)
    game = known_game(t, key)
    if game.is_open:
        raise Conflict("not_finished", "This game has no result to correct yet. Rule its table instead.")
    if not game.counts or game.result is None:
        raise Conflict("already_void", "This game does not count, so it has no result to correct.")
    missed = {player["entrant"]: player["timeouts"] for player in game.result["players"]}
    players = [
        replace(one, timeouts=missed.get(one.entrant) if one.timeouts is None else one.timeouts)
        for one in ended.players
    ]
    # The result of a real table stays one.
    source = "table" if game.source == "table" else "ruling"
    ended = replace(ended, source=source, players=players, rounds=ended.rounds or game.result["rounds"])
    number, within, said = None, begun_stage(t, stage), said_of_stage(t, stage)
    if game.round is not None and game.table is not None:
        within, said = t.stage_of(game.round), UNSET
        number = len(t.tables[game.round, game.table].games) + 1
    _check_players(t, game.entrants, ended, within)
    instead = TournamentGame(new, game.round, game.table, number, game.entrants, proposal=game.proposal)
    return [_voided(game, ended.reason or "", None, ended.also_plays), _result(instead, ended, said, game.id)]


def counts_instead(key: str, events: Iterable[Any], counts: Callable[[str], bool]) -> str | None:
    """The id of the result that counts in place of this one, after any number of corrections; None if there is none."""
    instead_of = {event.data["id"]: event.data.get("instead_of") for event in events if event.type == Result.type}

    def first(one: str) -> str:
        while before := instead_of.get(one):
            one = before
        return one

    others = (one for one in (*instead_of, first(key)) if one != key and first(one) == first(key))
    return next(filter(counts, others), None)


def known_game(t: Tournament, key: str) -> TournamentGame:
    """Raises NotFound (no_such_game)."""
    return named(t.games, key, "no_such_game", "This game is not part of the tournament.")


def known_table(t: Tournament, round_number: int, number: int) -> Table:
    """Raises NotFound (no_such_table)."""
    return named(t.tables, (round_number, number), "no_such_table", "This round has no such table.")


def check_not_own(t: Tournament, by: By, entrants: Sequence[str]) -> None:
    """Organisers may rule on their own table only if all organisers sit at it (LI5). Raises Forbidden (own_table)."""
    if left_to(t, by, entrants):
        raise Forbidden("own_table", "You play at this table, so another organiser has to rule on it.")


def left_to(t: Tournament, by: By, entrants: Sequence[str]) -> tuple[UUID, ...]:
    """The organisers who have to rule on this table, since `by` plays there and they do not."""
    others = [one for one in t.organisers if one != by.player]
    if not others or also_plays(t, by, entrants) is None:
        return ()
    return tuple(one for one in others if t.players.get(one) not in entrants)


def also_plays(t: Tournament, by: By, entrants: Sequence[str]) -> str | None:
    """The entrant that the ruling organiser plays for at this table, or None (LI5)."""
    own = t.entrant_of(by.player)
    return own.key if own is not None and own.key in entrants else None


def _taken(games: Sequence[TournamentGame]) -> int:
    return sum(game.counts or game.is_open for game in games)


def _per_table(t: Tournament, round_number: int) -> int:
    return t.plan_of(t.stage_of(round_number)).per_table


def _too_many(per_table: int) -> Conflict:
    detail = f"The table has results or open games for all {per_table} of its games. Void one first."
    return Conflict("too_many_results", detail)


def _result(
    game: TournamentGame, ended: Ended, stage: int | UnsetType = UNSET, instead_of: str | UnsetType = UNSET
) -> Fact:
    players = []
    for player in ended.players:
        absent = player.absent or (player.entrant in game.absent and not player.moved)
        known = {"entrant": player.entrant, "place": player.place, "score": player.score}
        players.append({**known, "timeouts": player.timeouts or 0, **({"absent": True} if absent else {})})
    of_game = {name: getattr(game, name) for name in ("id", "round", "table", "number", "proposal")}
    of_end = {name: getattr(ended, name) for name in ("source", "rounds", "reason", "also_plays")}
    return Result(**of_game, **of_end, players=tuple(players), stage=stage, instead_of=instead_of)


def _void_open(t: Tournament, game: TournamentGame, reason: str, beside: str | None) -> list[Fact]:
    again = _again(t, game)
    voided = _voided(game, reason, again, beside)
    return [voided] if again is not None else [voided, *_closing(t, game)]


def _voided(game: TournamentGame, reason: str, again: dict[str, Any] | None, beside: str | None) -> Fact:
    known: dict[str, Any] = {"id": game.id, "round": game.round, "table": game.table, "had_result": game.counts}
    return Voided(**known, reason=reason, again=again, also_plays=beside)


def _again(t: Tournament, game: TournamentGame) -> dict[str, Any] | None:
    """KO3: the game that replaces a voided one, as long as no later round is seated, and no stage has begun (SG9)."""
    if t.plan.kind != "knockout" or game.round is None or game.table is None or game.round != t.seated:
        return None
    if t.seated == t.seated_before:
        return None
    number = len(t.tables[game.round, game.table].games) + 1
    return {"id": game_id(t.id, game.round, game.table, number), "number": number}


def _closing(t: Tournament, game: TournamentGame) -> list[Fact]:
    if game.round is None or game.table is None or game.round not in t.open_rounds:
        return []
    if t.rounds[game.round].open_tables > 1:
        return []
    table = t.tables[game.round, game.table]
    if any(other.is_open for other in t.games_of(table) if other.id != game.id):
        return []
    return [RoundClosed(game.round)]


def _in_season(plan: Plan, began: datetime, started_at: datetime, ended_at: datetime) -> bool:
    if started_at < (plan.opens_at or began):
        return False
    if plan.closes_at is None:
        return True
    return started_at < plan.closes_at and ended_at <= plan.closes_at + timedelta(seconds=plan.grace)


def _check_players(t: Tournament, seated: Sequence[str] | None, ended: Ended, stage: int) -> None:
    keys = [player.entrant for player in ended.players]
    if len(set(keys)) < len(keys):
        raise Invalid("invalid", "An entrant is listed twice.", field="players")
    if seated is not None:
        if set(keys) != set(seated):
            detail = f"Give the places of everyone at the table: {', '.join(seated)}."
            raise Invalid("invalid", detail, field="players")
    else:
        for key in keys:
            entrant = t.entrants.get(key)
            can = entrant is not None and entrant.entered and t.is_in_stage(key, stage)
            if entrant is None or not can or entrant.standing is Standing.REMOVED:
                raise Invalid("invalid", f"{key} is not an entrant who can have a result.", field="players")
        rules = t.played
        if not rules.min_seats <= len(keys) <= rules.max_seats:
            detail = f"This game is for {rules.min_seats} to {rules.max_seats} players."
            raise Invalid("invalid", detail, field="players")
    check_places([player.place for player in ended.players])
    if t.plan_of(stage).rules.less_is_better:
        if any(player.score is None for player in ended.players):
            raise Invalid(
                "invalid", "Give each player a score, because penalty points count in this tournament.", field="players"
            )
        if ended.rounds is None:
            raise Invalid(
                "invalid", "Say how many rounds were scored, because penalty points count per round.", field="rounds"
            )


NO_PLACES = "Each place must be 1 plus the number of better places, as in 1, 2, 2, 4."


def check_places(places: Sequence[int]) -> None:
    """Raises Invalid (players)."""
    if not are_places(places):
        raise Invalid("invalid", NO_PLACES, field="players")


def are_places(places: Sequence[int]) -> bool:
    return all(place == 1 + sum(other < place for other in places) for place in places)
