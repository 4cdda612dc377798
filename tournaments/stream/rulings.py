"""Rulings (LI5): each is one value, from which requests, forms, sentences and notifications follow.

What a ruling changes is said by its event, like what other events change.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID

from core.calendars.calendar import Interval
from core.refusals import Conflict
from core.values import REQUIRED, Faults, Value
from games.clocks import since
from tournaments.rules.settings import KINDS
from tournaments.stream import outcomes
from tournaments.stream.asked import ASKED, MOST_SECONDS, Asked
from tournaments.stream.entries import entrant_named, move_up
from tournaments.stream.events import (
    Adjusted,
    CheckInMissed,
    Extended,
    Fact,
    Happened,
    Reinstated,
    Removed,
    Replaced,
    ReplacementAsked,
    ReplacementDeclined,
    fold_all,
    folded,
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
from tournaments.stream.outcomes import also_plays
from tournaments.stream.reading import NO_ENTRANT, WITH_TABLES
from tournaments.stream.rounds import ends_at, overdue
from tournaments.stream.state import Entrant, Playing, Standing, Status, Tournament


def adjust(t: Tournament, by: By, key: str, points: Fraction, reason: str, *, stage: int | None = None) -> list[Fact]:
    """In a stage that has begun, by default the present one.

    Raises Forbidden, NotFound (no_such_entrant, no_such_stage), Conflict (not_in_a_knockout, not_entered).
    """
    check_organiser(t, by)
    check_running(t)
    entrant = entrant_named(t, key)
    within = begun_stage(t, stage)
    if t.plan_of(within).kind == "knockout":
        raise Conflict("not_in_a_knockout", "In a knockout no points can be adjusted.")
    if not entrant.entered or not t.is_in_stage(key, within):
        raise Conflict("not_entered", "This entrant has never been in.")
    known: dict[str, Any] = {"also_plays": also_plays(t, by, [key]), "stage": said_of_stage(t, within)}
    return [Adjusted(key, points=str(points), reason=reason, **known)]


def replace(t: Tournament, by: By, key: str, new: Playing, reason: str, *, now: datetime) -> list[Fact]:
    """By a bot, in running games too, or ask a person (LI7). Raises Forbidden, NotFound, Conflict (as `replaced`)."""
    check_organiser(t, by)
    beside = also_plays(t, by, [key])
    facts = replaced(t, key, new, reason, beside=beside)
    if new.player in (None, by.player):
        return facts
    return [ReplacementAsked(key, player=new.player, until=now + ANSWER_WITHIN, reason=reason, also_plays=beside)]


def answer_replacement(
    t: Tournament, by: By, offer: Mapping[str, Any], *, accept: bool, salt: str, now: datetime
) -> list[Fact]:
    """A person answers who was asked to play on. Raises Conflict (not_asked: too late; as `replaced`)."""
    if not accept:
        return [ReplacementDeclined(offer["entrant"], UUID(offer["player"]))]
    if datetime.fromisoformat(offer["until"]) <= now:
        raise Conflict("not_asked", "You are not asked any more: it is too late.")
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
        raise Conflict("already_entered", "This player plays in the tournament already.")
    return other.key


def remove(t: Tournament, by: By, key: str, reason: str, *, now: datetime) -> list[Fact]:
    """Raises Forbidden, NotFound (no_such_entrant), Conflict (tournament_over, already_removed)."""
    check_organiser(t, by)
    check_not_over(t)
    entrant = entrant_named(t, key)
    if entrant.standing is Standing.REMOVED:
        raise Conflict("already_removed", "This entrant has been removed already.")
    removed = Removed(key, reason=reason, also_plays=also_plays(t, by, [key]))
    return [removed, *move_up(t, now, gone=entrant)]


def reinstate(
    t: Tournament, by: By, key: str, reason: str, *, events: Callable[[], Sequence[Happened]], now: datetime
) -> list[Fact]:
    """Give an entrant the standing back that it had before; who left meanwhile has left. `events`: the whole stream.

    Raises Forbidden, NotFound (no_such_entrant), Conflict (not_removed).
    """
    check_organiser(t, by)
    check_not_over(t)
    entrant = entrant_named(t, key)
    if entrant.standing is not Standing.REMOVED:
        raise Conflict("not_removed", "This entrant has not been removed.")
    then = _before_removal(t, key, events())
    was, standing = then.entrants[key], then.entrants[key].standing
    if entrant.withdrew and not was.withdrew:
        standing = Standing.WITHDRAWN if entrant.entered else Standing.GONE
    ahead = 0
    if standing is Standing.WAITING:
        ahead = len(set(t.queue).intersection(then.queue[: then.queue.index(key)]))
    beside = also_plays(t, by, [key])
    facts: list[Fact] = [Reinstated(key, reason=reason, also_plays=beside, standing=standing, ahead=ahead)]
    if standing is Standing.REGISTERED and t.status is Status.RUNNING:
        facts.append(CheckInMissed((key,)))
    return [*facts, *move_up(folded(t, facts, now), now)]


def _before_removal(t: Tournament, key: str, events: Sequence[Happened]) -> Tournament:
    removals = [event.version for event in events if event.type == "removed" and event.data["entrant"] == key]
    then = fold_all(t.id, events[: removals[-1] - 1])
    assert then is not None  # noqa: S101  a stream begins with `set_up`
    return then


def extend_round(
    t: Tournament, by: By, number: int, seconds: int, reason: str, *, outages: Sequence[Interval] = (), now: datetime
) -> list[Fact]:
    """Give a round more time; from now on, if it is overdue. `outages`: those known since it was seated (LI2).

    Raises Forbidden, NotFound (no_such_round), Conflict (no_deadline, round_closed).
    """
    check_organiser(t, by)
    check_running(t)
    played = named(t.rounds, number, "no_such_round", "This round has not been seated.")
    if number not in t.open_rounds:
        raise Conflict("round_closed", "This round is closed.")
    ends = ends_at(played, outages)
    if ends is None:
        raise Conflict("no_deadline", "This round has no deadline.")
    until = max(now, ends) + timedelta(seconds=seconds)
    lost = sum((back - out for out, back in since(outages, played.seated_at)), timedelta())
    extended = Extended(round=number, until=until, reason=reason, deadline_at=until - lost)
    return [*(overdue(t, number) if ends <= now else ()), extended]


def extend_turn(t: Tournament, by: By, game: str, key: str, *, until: datetime, reason: str) -> list[Fact]:
    """Record the time added to a turn of a running game; the game's own event has decided it."""
    check_organiser(t, by)
    check_not_over(t)
    return [Extended(game=game, entrant=key, also_plays=also_plays(t, by, [key]), until=until, reason=reason)]


def _names_an_entrant(asked: Asked, faults: Faults) -> None:
    if asked.entrant is None:
        faults.refuse("entrant", NO_ENTRANT)


def _names_a_game(asked: Asked, faults: Faults) -> None:
    if asked.game is None:
        faults.refuse("game", "Name the game.")


def _names_who_plays(asked: Asked, faults: Faults) -> None:
    _names_an_entrant(asked, faults)
    if (asked.player is None) == (asked.bot is None):
        faults.refuse("player", "Name either a player or a bot.")


def _names_a_round_or_game(asked: Asked, faults: Faults) -> None:
    if not asked.seconds:
        faults.refuse("seconds", f"Must be a whole number from 1 to {MOST_SECONDS}.")
    if (asked.round is None) == (asked.game is None):
        faults.refuse("round", "Name either a round or a game.")


@dataclass(frozen=True, slots=True, kw_only=True)
class Ruling:
    """One ruling.

    name: of the API. said: its events, each with what everybody reads. keys: of the request, beside those that all
    have; None: it is made elsewhere. check: notes what is wrong with the request. decide: its facts; None: the service
    decides it. kinds: of tournaments that can have it. told: what those whom it concerns are told. counter: what takes
    it back.

    Of the form: title, occasion (in everyday words), explained, nothing (to choose from), games (the outcomes that it
    is about), standings (of entrants).
    """

    name: str
    said: Mapping[str, str]
    keys: tuple[str, ...] | None = None
    check: Callable[[Asked, Faults], None] = lambda asked, faults: None  # noqa: ARG005
    decide: Callable[[Tournament, By, Asked, datetime], list[Fact]] | None = None
    kinds: tuple[str, ...] = KINDS
    told: str = ""
    counter: str | None = None
    title: str = ""
    occasion: str = ""
    explained: str = ""
    nothing: str = ""
    games: tuple[str, ...] = ()
    standings: tuple[str, ...] = ()


_TABLE = ("game", "round", "table", "players", "rounds")
_RESULT = {"result": "{game}: {result}"}
_RESULT_TOLD = "The result of a game of yours was ruled"

ALL = (
    Ruling(
        name="void",
        said={"voided": "{game} is void"},
        keys=("game", "round", "table"),
        told="A result of yours does not count any more",
        counter="restore",
        title="Void a game",
        occasion="The result is wrong: a game must not count",
        explained="The game does not count. A game that still runs is called off, and has no result.",
        nothing="No game goes on or has a result.",
        games=("open", "result"),
    ),
    Ruling(
        name="restore",
        said={"restored": "{game} counts again"},
        keys=("game",),
        check=_names_a_game,
        decide=lambda t, by, asked, _: outcomes.restore(t, by, str(asked.game), asked.reason),
        told="A result of yours counts again",
        counter="void",
        title="Restore a game",
        occasion="A voided game is to count after all",
        explained="A game that was voided counts again.",
        nothing="No game has been voided.",
        games=("void",),
    ),
    Ruling(
        name="rule_table",
        said=_RESULT,
        keys=_TABLE,
        kinds=WITH_TABLES,
        told=_RESULT_TOLD,
        counter="void",
        title="Rule a table",
        occasion="Somebody stopped playing, and a table does not come to an end",
        explained="You give the places of a game that has no result. If it still runs, it is called off.",
        nothing="No table lacks a result.",
        games=("open",),
    ),
    Ruling(
        name="enter_result",
        said=_RESULT,
        keys=(*_TABLE, "stage"),
        told=_RESULT_TOLD,
        counter="void",
        title="Enter a result from a real table",
        occasion="A game was played with real cards",
        explained="A game that was played with real cards, with the places of everybody at the table.",
        nothing="No table lacks a result.",
        games=("open",),
    ),
    Ruling(
        name="adjust",
        said={"adjusted": "{entrant}: {points}"},
        keys=("entrant", "points", "stage"),
        check=_names_an_entrant,
        decide=lambda t, by, asked, _: adjust(t, by, asked.of_entrant, asked.points, asked.reason, stage=asked.stage),
        kinds=("season", "rounds"),
        told="Your points were changed",
        counter="adjust",
        title="Adjust points",
        occasion="Somebody gets a penalty, or points",
        explained="Points are added to an entrant's total, or taken away with a minus.",
        nothing="Nobody has been in yet.",
        standings=("in", "withdrawn", "removed"),
    ),
    Ruling(
        name="replace",
        said={
            "replacement_asked": "{player} is asked to play on for {entrant}",
            "replaced": "{new} plays on for {was}",
        },
        keys=("entrant", "player", "bot"),
        check=_names_who_plays,
        told="Somebody else plays for you now",
        counter="replace",
        title="Replace an entrant",
        occasion="Somebody plays for an entrant from now on",
        explained="Somebody else plays for the entrant from now on, in running games too; those become unrated. A "
        "person is asked first, and has 12 hours to accept.",
        nothing="Nobody is in.",
        standings=("in",),
    ),
    Ruling(
        name="remove",
        said={"removed": "{entrant} is removed"},
        keys=("entrant",),
        check=_names_an_entrant,
        decide=lambda t, by, asked, now: remove(t, by, asked.of_entrant, asked.reason, now=now),
        told="You were taken out",
        counter="reinstate",
        title="Remove an entrant",
        occasion="Somebody is out",
        explained="The entrant is removed from the tournament and no longer seated. Results count for the opponents.",
        nothing="Nobody is in.",
        standings=("in", "withdrawn", "registered", "waiting", "invited"),
    ),
    Ruling(
        name="reinstate",
        said={"reinstated": "{entrant} is back in"},
        keys=("entrant",),
        check=_names_an_entrant,
        told="You are back in",
        counter="remove",
        title="Reinstate an entrant",
        occasion="Somebody who was put out is let back",
        explained="A removal is taken back.",
        nothing="Nobody has been removed.",
        standings=("removed",),
    ),
    Ruling(
        name="extend",
        said={"extended": "{extended}"},
        keys=("round", "game", "entrant", "seconds"),
        check=_names_a_round_or_game,
        told="There is more time for a round",
        title="Give more time",
        occasion="Somebody needs more time",
        explained="A round's deadline, or the turn of one entrant in one game, gets more time.",
        nothing="No game goes on.",
        games=("open",),
        standings=("in", "withdrawn"),
    ),
    Ruling(
        name="end_stage",
        said={"staged": "{stage} begins early"},
        keys=(),
        title="End the stage",
        occasion="The present stage is to end now",
        explained="The next stage begins at once, with those who go on as it stands. Games that run are played on, and "
        "count in the stage that was left.",
    ),
    Ruling(name="absent", said={"absent": "{entrant} did not turn up"}, told="You were ruled absent from a game"),
    Ruling(name="exchange", said={"exchanged": "Entrants of {round}'s draft change places"}),
    Ruling(name="reopen", said={"reopened": "The tournament is open again"}),
    Ruling(name="cancel", said={"cancelled": "The tournament is called off"}),
)
RULINGS = {ruling.name: ruling for ruling in ALL if ruling.keys is not None}
"""Those that organisers make by `POST tournaments/{id}/rulings`, by name."""
BY_EVENT = {event: ruling for ruling in ALL for event in ruling.said}
"""By the type of the event; a result that was ruled is `enter_result` or `rule_table`."""
NAMES = tuple(RULINGS)
_ALL_KEYS = frozenset(key for one in RULINGS.values() for key in one.keys or ())
_KEYS = ("ruling", "reason", "dry_run")
_NAME = Value(name="ruling", type=str, default=REQUIRED, words=NAMES)


def read_ruling(body: Mapping[str, Any]) -> Asked:
    """The body of ``POST tournaments/{id}/rulings``. Raises Invalid, naming the fields at fault."""
    ruling = RULINGS.get(body["ruling"]) if isinstance(body.get("ruling"), str) else None
    # The keys of an unknown ruling are read, too, so that all errors are reported at once.
    own = sorted(_ALL_KEYS & set(body)) if ruling is None else ruling.keys or ()
    faults, others = Faults(null_is_nothing=True), Faults(null_is_nothing=True)
    faults.refuse_unknown(body, (*_KEYS, *(sorted(_ALL_KEYS) if ruling is None else own)))
    given = {name: one.take(body, faults) for name, one in ASKED.items() if name in (*_KEYS, *own)}
    given |= {name: one.take({}, others) for name, one in ASKED.items() if name not in given}
    asked = Asked(**given, name=_NAME.take(body, faults))
    if ruling is not None:
        ruling.check(asked, faults)
    faults.check()
    return asked
