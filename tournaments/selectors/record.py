from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cached_property
from itertools import takewhile
from typing import Any, NamedTuple, TypeVar
from uuid import UUID

from core import cache, log
from core.accounts.models import Player
from core.cache import made_of
from core.refusals import Conflict, NotFound
from tournaments.models import Tournament, stream_of
from tournaments.projections import happened
from tournaments.rules import NoStage, Record, cut, read_record
from tournaments.rules.bounds import bounds, cuts
from tournaments.rules.counting import Step, beyond_same_table, counted_games, course
from tournaments.rules.exact import exact_text
from tournaments.rules.lines import Result
from tournaments.rules.standings import all_standings
from tournaments.rules.tally import Game
from tournaments.stream import Plan, lines_of, record_of, rounds
from tournaments.stream.events import Happened

NOBODY = "deleted player"
KEPT_SECONDS = 24 * 3600
A_WEEK = timedelta(days=7)
# What a chart of totals has room for: entrants, and parts of a season.
MOST_LINES, MOST_STEPS = 6, 24
T = TypeVar("T")
_TAKING_PART = ("entered", "replaced")


class Reckoned(NamedTuple):
    """A counted game: where it was played, and each entrant's points (exact) and place (None: absent)."""

    id: str
    round: int | None
    table: int | None
    scored: int | None
    """Rounds, in Three Thirteen."""
    source: str
    """A game of ours, a real table or a ruling."""
    shares: Sequence[tuple[str, str, int | None]]


def events_of(tournament_id: UUID, *, upto: int | None = None) -> list[Happened]:
    return [happened(event) for event in log.read(stream_of(tournament_id), upto=upto)]


def document(
    plan: Plan, seed: str | None, events: Sequence[Happened], names: Mapping[str, str] | None = None
) -> dict[str, Any]:
    """The record (trey-tournament/1) of these events; `names` are the players' names, looked up if not given."""
    known = names_in(events) if names is None else names

    def name(player: str | None, bot: Mapping[str, Any] | None) -> str:
        return known.get(player, NOBODY) if player is not None else bot_name(bot)

    return record_of(plan, seed, list(lines_of(events, name)))


def bot_name(bot: Mapping[str, Any] | None) -> str:
    return f"{bot['level']} bot" if bot is not None else NOBODY


def told_apart(names: Mapping[str, str]) -> dict[str, str]:
    """The names of entrants, followed by the entrant where several have the same name: "steady bot (e7)"."""
    times = Counter(names.values())
    return {key: f"{name} ({key})" if times[name] > 1 else name for key, name in names.items()}


def names_in(events: Iterable[Happened]) -> dict[str, str]:
    """By id, without closed accounts."""
    return _names({event.data["player"] for event in events if event.type in _TAKING_PART and event.data["player"]})


def _names(ids: Iterable[str]) -> dict[str, str]:
    found = Player.objects.filter(pk__in=set(ids)).values_list("pk", "username")
    return {str(pk): name for pk, name in found}


def record_for(tournament_id: UUID) -> dict[str, Any]:
    row = Tournament.objects.get(pk=tournament_id)
    return document(row.state.plan, row.shown_seed, events_of(tournament_id, upto=row.version))


@dataclass(frozen=True, slots=True)
class OfStage:
    """A stage by itself (SG7): its standings, and its counted games."""

    standings: Sequence[Mapping[str, Any]]
    games: Sequence[Reckoned]


@dataclass(frozen=True, slots=True)
class Reckoning:
    """The consequences of a record as of a version."""

    standings: Sequence[Mapping[str, Any]]
    stages: Sequence[OfStage]
    """Those that have begun; the last one is the present stage."""
    beyond_same_table: Collection[str] = ()
    week: tuple[datetime, int] | None = None
    """The beginning of the day a week before the newest result, and the version then; None without a result."""
    leaders: Sequence[str] = ()
    course: Sequence[Step] = ()
    """How the totals of the leaders came about; empty in a knockout."""
    players: Mapping[str, str] = field(default_factory=dict)
    """The player's id by entrant; bots have none."""

    @property
    def games(self) -> Sequence[Reckoned]:
        """Those of the present stage."""
        return self.stages[-1].games


def standings_for(
    tournament_id: UUID, version: int, stage: int | None = None, *, events: Sequence[Happened] | None = None
) -> dict[str, Any]:
    """The standings and bounds as of a version, cached, under the names of now; of a `stage` by itself (SG7).

    `events`: those up to the version, if loaded. Raises NotFound (no_such_stage) for a stage that had not begun.
    """
    as_of = _AsOf(Tournament.objects.get(pk=tournament_id), version, events)
    found = _reckoned(as_of)
    if stage is not None and not 1 <= stage <= len(found.stages):
        raise NotFound("no_such_stage", f"Stage {stage} has not begun.")
    rows = found.standings if stage is None else found.stages[stage - 1].standings
    is_present = stage in (None, len(found.stages))
    return {"standings": _named(found, rows), "bounds": _bounds(as_of) if is_present else {}}


def _named(found: Reckoning, rows: Sequence[Mapping[str, Any]]) -> list[Mapping[str, Any]]:
    """Rows with the names of now; those of bots have theirs."""
    names, players = _names(found.players.values()), found.players
    return [
        {**one, "name": names.get(players[one["entrant"]], NOBODY)} if one["entrant"] in players else one
        for one in rows
    ]


def next_stage_for(row: Tournament) -> dict[str, Any]:
    """Who would go on as it stands, by the seed as it is shown, cached. Raises Conflict (no_next_stage)."""
    found = kept_of_version(row, "next-stage", row.version, lambda: _next_stage(_as_of(row, row.version).record))
    if isinstance(found, str):
        raise Conflict("no_next_stage", found)
    return found


def through_at(row: Tournament, version: int) -> cut.NextStage | None:
    """Who goes on, as the stage that is over stands at a version; None: it is not over, or too few would."""
    record = read_record(document(row.state.plan, row.state.seed, events_of(row.pk, upto=version), {}))
    try:
        return cut.next_stage(record)
    except NoStage:
        return None


def _next_stage(record: Record) -> dict[str, Any] | str:
    """Who would go on, or why nobody would."""
    if record.take is not None and not record.results:
        return "There is no result in this stage yet."
    try:
        return rounds.going_on(cut.next_stage(record, early=True), record.everybody)
    except NoStage as error:
        return str(error)


def reckoning_for(row: Tournament, version: int | None = None) -> Reckoning:
    """Standings and counted games as of a version (None: now), cached. Players have no names in it."""
    return _reckoned(_as_of(row, row.version if version is None else version))


def out_of(row: Tournament) -> set[str]:
    """Those who were knocked out, or are not in the present stage (ST10)."""
    if row.state.stage == 1 and (row.kind != "knockout" or not row.state.seated):
        return set()
    return {one["entrant"] for one in reckoning_for(row).standings if one["status"] == "out"}


def bounds_for(row: Tournament) -> Mapping[str, Any]:
    """The bounds of each entrant as of now, cached. They cost several times as much as the standings."""
    return _bounds(_as_of(row, row.version))


def cuts_for(row: Tournament) -> Mapping[str, str]:
    """Who goes on to the next stage whatever happens, as of now, cached; empty without bounds or a next stage (SG8)."""
    return kept_of_version(row, "cuts", row.version, lambda: cuts(_as_of(row, row.version).record))


@dataclass
class _AsOf:
    row: Tournament
    version: int
    given: Sequence[Happened] | None = None

    @cached_property
    def events(self) -> Sequence[Happened]:
        if self.given is not None:
            return self.given
        read = log.read(stream_of(self.row.pk), upto=self.version)
        known_digests(self.row).update({event.version: event.digest.hex() for event in read})
        return [happened(event) for event in read]

    @cached_property
    def record(self) -> Record:
        return read_record(document(self.row.state.plan, self.row.shown_seed, self.events, {}))


def _as_of(row: Tournament, version: int) -> _AsOf:
    """The tournament as of a version; of one row the log is read and folded once."""
    known: dict[int, _AsOf] = row.__dict__.setdefault("_as_of", {})
    return known.setdefault(version, _AsOf(row, version))


def _reckoned(as_of: _AsOf) -> Reckoning:
    """Return what is cached of a version. It holds no names, since a renamed player makes no new version."""

    def make() -> Reckoning:
        record = as_of.record
        found = all_standings(record)
        whole = [one.as_json() for one in found.whole]
        by_itself = [[one.as_json() for one in rows] for rows in found.stages] if record.left else [whole]
        records = (*record.left, record)
        stages = [
            OfStage(rows, [_game(game, one.results[game.id]) for game in counted_games(one)])
            for one, rows in zip(records, by_itself, strict=True)
        ]
        players = {event.data["entrant"]: event.data["player"] for event in as_of.events if event.type in _TAKING_PART}
        leaders = [row["entrant"] for row in by_itself[-1] if row["games"]][:MOST_LINES]
        return Reckoning(
            whole,
            stages,
            {result for one in records for result in beyond_same_table(one)},
            _week_before(as_of.events),
            leaders,
            course(record, leaders, MOST_STEPS),
            {entrant: player for entrant, player in players.items() if player is not None},
        )

    return kept_of_version(as_of.row, "reckoned", as_of.version, make)


def _bounds(as_of: _AsOf) -> Mapping[str, Any]:
    def make() -> Mapping[str, Any]:
        return {entrant: bound.as_json() for entrant, bound in bounds(as_of.record).items()}

    return kept_of_version(as_of.row, "bounds", as_of.version, make)


def known_digests(row: Tournament) -> dict[int, str]:
    """By version, as far as they were read for this row."""
    found: dict[int, str] = row.__dict__.setdefault("_digests", {})
    return found


def kept_of_version(row: Tournament, what: str, version: int, make: Callable[[], T]) -> T:
    """Return what depends only on the stream up to a version: made once per release and cached for a day."""
    known = known_digests(row)
    if version not in known:
        known[version] = log.digest_at(stream_of(row.pk), version)
    key = f"{what}:{row.pk}:{known[version]}:{row.shown_seed is not None}:{made_of()[:16]}"
    found: T | None = cache.get(key)
    if found is None:
        found = make()
        cache.put(key, found, KEPT_SECONDS)
    return found


def _week_before(events: Sequence[Happened]) -> tuple[datetime, int] | None:
    newest = next((event for event in reversed(events) if event.type == "result"), None)
    if newest is None:
        return None
    since = (newest.recorded_at.astimezone(UTC) - A_WEEK).replace(hour=0, minute=0, second=0, microsecond=0)
    return since, sum(1 for _ in takewhile(lambda event: event.recorded_at < since, events))


def _game(game: Game, result: Result) -> Reckoned:
    shares = [(share.entrant, exact_text(share.points), share.place) for share in game.shares]
    return Reckoned(game.id, result.round, result.table, game.rounds, result.source, shares)


def version_at(tournament_id: UUID, moment: datetime) -> int:
    """The version at a moment, clocks being set back or not (ST11); 0 before it was set up."""
    events = log.read(stream_of(tournament_id))
    return sum(1 for _ in takewhile(lambda event: event.recorded_at <= moment, events))
