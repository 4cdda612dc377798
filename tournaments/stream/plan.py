"""The plan of a tournament: everything set up before the start, checked and completed with defaults."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, fields, replace
from datetime import datetime, timedelta
from functools import partial
from typing import Annotated, Any

import msgspec

from core.refusals import errors_in
from core.text import line
from core.values import Faults, Value, values_of
from games import clocks
from games.rules import GAMES, SetupError, seat_limits
from games.rules import PLAYED as KNOWN
from games.wording import span
from tournaments.rules import BadSetting, Settings, read_settings
from tournaments.rules.errors import BadStage
from tournaments.rules.points import SCHEMES
from tournaments.rules.settings import DEFAULT_SIZE, KINDS, MOST_STAGES, SEATINGS, read_stages
from tournaments.rules.tie_breaks import TIE_BREAKS
from tournaments.stream.reading import (
    DAY,
    ENTRANT,
    GROUPS,
    HOUR,
    TOO_LONG,
    WITH_TABLES,
    YEAR,
    Setting,
    is_short,
    lot_or_names,
    setting,
)

GRACE = 14 * DAY
SEASON_SAME_TABLE = 6
"""PT5: how many games of exactly the same entrants count in a season whose plan leaves this out."""
MAX_TITLE = 100
MAX_ROUNDS = 100
MAX_GAMES_PER_TABLE = 20
MAX_TABLE = 32
PLAYED, ENTERING, ROUNDS, GOING_ON, CHANGING, COUNTED = GROUPS

WHAT_COUNTS = {
    "opponents_beaten": "share of opponents beaten",
    "wins": "1 for a win",
    "places": "a number for each place",
    "score": "penalty points (Three Thirteen), fewest first",
}
assert set(WHAT_COUNTS) == set(SCHEMES)  # noqa: S101  a new scheme needs its words here
TIES = {
    "opponents_strength": "opponents' strength",
    "wins": "wins",
    "head_to_head": "head to head",
    "countback": "countback",
    "timeouts": "missed turns",
    "lot": "lot",
}
assert set(TIES) == set(TIE_BREAKS)  # noqa: S101  a new tie-break needs its words here


def _empty(_: object) -> Mapping[str, Any]:
    return {}


@dataclass(frozen=True, slots=True)
class Plan:
    """Spans are whole seconds, moments aware datetimes; `clock` and `settings` (the record's) are complete.

    `options` are as sent, since defaults may depend on the number of players. Of stages it is the present one.
    """

    title: Annotated[str, line(MAX_TITLE)]
    game: Annotated[str, Value(words=KNOWN)]
    ruleset: Annotated[str, Value(default="", most=32)]
    options: Annotated[Mapping[str, Any], Value(default=_empty)]
    clock: Annotated[Mapping[str, Any], Value(default=_empty)]
    kind: Annotated[str, Value(words=KINDS)]
    settings: Annotated[Mapping[str, Any], Value(default=_empty)]
    visibility: str = setting(
        default="public",
        words={"public": "public", "private": "private"},
        group=ENTERING,
        help="Only people with the invitation can see a private tournament.",
    )
    rated: bool = setting(
        default=lambda before: before["game"] in GAMES,
        group=PLAYED,
        help="Games count towards ratings, except house games and games with a bot.",
    )
    plans: bool = setting(default=True, group=PLAYED, help="Players can leave plans for their next turns.")
    talk: str = setting(
        default="all",
        words={"all": "text and signs", "signs": "signs only", "off": "nothing"},
        group=PLAYED,
        label="Table chat",
        help="Only the players at a table and the organisers can read it.",
    )
    """TK3"""
    guests: bool = setting(
        default=False,
        group=ENTERING,
        label="Guests may enter",
        help="Guests are people without an account. Their games are unrated.",
    )
    entry: str = setting(
        default=lambda before: "open" if before["visibility"] == "public" else "invitation",
        words={"open": "anyone", "invitation": "with the invitation", "organiser": "added by organisers"},
        group=ENTERING,
        empty="anyone; in a private tournament, anyone with the invitation",
        help="Who may enter: anyone (the default for public tournaments), players with the invitation (the default "
        "for private ones), or only players added by an organiser.",
    )
    limit: int | None = setting(
        least=2,
        group=ENTERING,
        help="The most entrants. Anyone else joins the waiting list and moves up automatically.",
    )
    check_in: int | None = setting(
        least=60,
        most=30 * DAY,
        kinds=WITH_TABLES,
        lenient=True,
        about="How long before the start check-in opens.",
        group=ENTERING,
        label="Check-in",
        help="How long before the start check-in opens. Entrants who don't check in go to the end of the waiting "
        "list. Leave empty for no check-in.",
        unit=HOUR,
    )
    starts_at: datetime | None = setting(
        group=ENTERING,
        label="Starts at (UTC)",
        help="The tournament starts automatically. With too few entrants, the start is postponed and you are notified.",
    )
    opens_at: datetime | None = setting(
        kinds=("season",), about="When the games of a season can begin.", group=GOING_ON, label="Season opens at (UTC)"
    )
    closes_at: datetime | None = setting(
        kinds=("season",),
        group=GOING_ON,
        label="Season closes at (UTC)",
        help="After this, no new games can begin. Without it, you finish the season yourself.",
    )
    grace: int = setting(
        default=GRACE,
        least=0,
        most=YEAR,
        kinds=("season",),
        lenient=True,
        about="How long running games may go on after a season closes.",
        group=GOING_ON,
        label="Time for running games",
        help="Games that began before the season closes still count if they end within this time.",
        empty="14 days",
        unit=DAY,
    )
    deadline: int | None = setting(
        least=60,
        most=YEAR,
        kinds=WITH_TABLES,
        about="How long a round may take.",
        group=GOING_ON,
        label="Deadline of a round",
        help="Outages of the service extend it. Without a deadline, a round takes as long as its slowest table.",
        unit=DAY,
        term="Pace",
        said=lambda plan: f"{span(plan.deadline)} per round" if plan.deadline is not None else None,
    )
    overdue: str = setting(
        default="wait",
        words={"wait": "tell the organisers", "adjudicate": "rule open tables as they stand"},
        kinds=WITH_TABLES,
        lenient=True,
        group=GOING_ON,
        label="After the deadline",
    )
    no_show: str = setting(
        default="play",
        words={
            "play": "leave it to the clock",
            "substitute": "replace them with the first on the waiting list who accepts",
            "absent": "mark them absent: a bot plays on, and the game counts 0",
        },
        kinds=WITH_TABLES,
        lenient=True,
        group=GOING_ON,
        label="No-shows",
    )
    no_show_after: int = setting(
        default=lambda before: 2 * before["clock"]["per_turn"],
        most=YEAR,
        kinds=WITH_TABLES,
        lenient=True,
        about="How long a player's clock may run without a move before the player is a no-show. Default: two turns.",
        group=GOING_ON,
        label="No-show after",
        help="Time on a player's clock without a move. Default: two turns.",
        empty="two turns",
        unit=HOUR,
    )
    late: str = setting(
        default="zero",
        words={"zero": "count 0", "bye": "count as a bye"},
        kinds=("rounds",),
        about="What late entrants get for each round they missed.",
        group=ENTERING,
        label="Missed rounds of late entrants",
        help="Default: 0 points. A bye is worth what a player gets on average.",
    )
    late_until: int | None = setting(
        least=0,
        most=MAX_ROUNDS,
        kinds=WITH_TABLES,
        group=ENTERING,
        help="The last round during which people can still enter. Default: always.",
        empty="always",
    )
    """LI3"""
    pace: str = setting(
        default="auto",
        words={"auto": "automatically", "manual": "when an organiser says so"},
        kinds=WITH_TABLES,
        lenient=True,
        group=GOING_ON,
        help="Automatically: the next round is seated as soon as possible. Otherwise it is drafted first, and you can "
        "swap entrants before you publish it.",
    )
    games: str = setting(
        kinds=("season",),
        default="own",
        words={"own": "those opened for the season", "any": "any among entrants"},
        about="Which games of a season count: those opened for it, or any among entrants.",
        group=GOING_ON,
        label="Games that count",
    )
    """SN1"""
    proposals: str = setting(
        default=lambda before: "entrants" if before["kind"] == "season" else "organisers",
        words={"entrants": "every entrant", "organisers": "organisers", "none": "nobody"},
        group=CHANGING,
        label="Who may propose other rules",
        empty="organisers; in a season, every entrant",
        help="Who may propose other rules while the tournament is running: entrants too (the default in a season), "
        "only organisers (the default otherwise), or nobody.",
    )
    """RT1"""
    ratify: str = setting(
        default="majority",
        words={
            "majority": "by more yes than no",
            "two_thirds": "by two thirds",
            "unanimous": "by everyone",
            "organiser": "by an organiser, with votes as advice",
        },
        group=CHANGING,
        label="How rules are ratified",
        help="How proposals are decided. A majority is more yes than no, and yes from a quarter of the electors.",
    )
    """RT3"""
    seeds: str | tuple[str, ...] = setting(
        default="lot",
        kinds=("knockout",),
        read=lot_or_names,
        about='Knockout: "lot" (default), "rating", or entrants, the best first.',
        schema={
            "oneOf": [
                {"type": "string", "enum": ["lot", "rating"]},
                {
                    "type": "array",
                    "items": {"type": "string", "pattern": f"^{ENTRANT.pattern}$"},
                    "uniqueItems": True,
                },
            ]
        },
        group=ROUNDS,
        help='Type "rating" to seed by rating, or list entrants, the best first, such as e3 e1. The others follow by '
        "lot.",
        empty="by lot",
    )
    """The named ones are followed by the rest by lot (KO2)."""
    stages: tuple[Mapping[str, Any], ...] = ()
    """Each stage with all its keys, moments as text; empty in a tournament of a kind."""

    @property
    def rules(self) -> Settings:
        return read_settings(self.game, self.kind, self.settings)  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        return int(self.settings["tables"]["size"])

    @property
    def per_table(self) -> int:
        return int(self.settings["games_per_table"])

    @property
    def rounds(self) -> int | None:
        rounds: int | None = self.settings["rounds"]
        return rounds

    @property
    def at_once(self) -> int:
        """The number of rounds that may be open at a time (LI2)."""
        if self.kind == "rounds" and self.settings["seating"] == "even":
            return int(self.settings["parallel"])
        return 1

    @property
    def all_stages(self) -> tuple[Mapping[str, Any], ...]:
        """The stages; a tournament of a kind is one."""
        return self.stages or (_stage_of(self, {name: one.default for name, one in STAGE.items()}),)

    @property
    def stage_names(self) -> tuple[str, ...]:
        """What people call each stage wherever it is named: its title or number; empty in a tournament of a kind."""
        titles = [stage["title"] for stage in self.stages]
        # "Rounds, round 2" says nothing, and of two finals nobody knows which.
        return tuple(
            f"Stage {number}" if title == TITLES["rounds"] or titles.count(title) > 1 else title
            for number, title in enumerate(titles, 1)
        )

    def at_stage(self, number: int, began: datetime | None) -> "Plan":
        """In a stage that began then (None: the first, or one to come); a season opens when it begins (SN2)."""
        stage = self.stages[number - 1]
        opens, closes = (
            datetime.fromisoformat(stage[name]) if stage[name] else None for name in ("opens_at", "closes_at")
        )
        if began is not None and stage["kind"] == "season":
            opens = began
            closes = began + timedelta(seconds=stage["lasts"]) if stage["lasts"] is not None else None
        return replace(self, **{**{name: stage[name] for name in OF_STAGE}, "opens_at": opens, "closes_at": closes})

    def as_json(self) -> dict[str, Any]:
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Plan":
        """A setting that was not known when the plan was stored has its default, also that of a stage."""
        found = {**{name: OWN[name].default_after(stored) for name in OWN.keys() - stored.keys()}, **stored}
        of_stage = {name: one.default for name, one in STAGE.items()}
        return msgspec.convert({**found, "stages": [{**of_stage, **one} for one in stored.get("stages", ())]}, cls)


KEYS = tuple(field.name for field in fields(Plan))
OWN = {name: one for name, one in values_of(Plan).items() if isinstance(one, Setting)}
OF_STAGE = ("kind", "settings", "deadline", "overdue", "pace", "games", "opens_at", "closes_at", "grace")
"""What each stage has of its own: beside `stages`, none of these may be given."""
_SHARED = ("title", "game", "ruleset", "options", "clock")
TITLES = {"season": "Season", "rounds": "Rounds", "knockout": "Knockout"}
BREAK = DAY
STAGE = {
    one.name: one
    for one in (
        Setting(name="title", type=str, default="", most=MAX_TITLE, help="The name people see, such as Final."),
        Setting(name="take", least=2, label="How many go through", about="How many go through to the next stage."),
        Setting(
            name="carry",
            type=bool,
            default=False,
            kinds=("rounds",),
            label="Carry points over",
            help="Rounds after rounds: results of the stage before still count for those who are through.",
        ),
        Setting(
            name="lasts",
            least=60,
            most=YEAR,
            kinds=("season",),
            empty="until you end it",
            unit=HOUR,
            help="How long a season after another stage stays open. Default: until an organiser ends it.",
        ),
        Setting(
            name="break",
            least=0,
            most=YEAR,
            label="Break afterwards",
            empty="1 day",
            unit=HOUR,
            help="The time before the next stage, when entrants can still withdraw. Default: a day.",
        ),
    )
}
"""What a stage has beside."""
_EXACT = {
    "oneOf": [{"type": "string", "pattern": r"^-?[0-9]+(/[0-9]+)?$"}, {"type": "integer"}],
    "description": "An exact number.",
}


def _counted(name: str, one: str, several: str, **more: Any) -> Setting:
    def said(plan: Plan) -> str | None:
        count = plan.settings[name]
        return (one if count == 1 else several.format(count)) if count else None

    return Setting(name=f"settings.{name}", term="Points", said=said, **more)


def _grouped(group: str, *settings: Setting) -> Iterator[Setting]:
    return (replace(one, group=group) for one in settings)


INNER = (
    Setting(
        name="settings.points.scheme",
        type=str,
        default="opponents_beaten",
        words=WHAT_COUNTS,
        group=COUNTED,
        label="Points",
        help="Default: the share of opponents beaten, so that tables of any size count the same.",
    ),
    Setting(
        name="settings.points.list",
        type=list,
        about="For `places`: the points for first, second and so on.",
        schema={"type": "array", "items": _EXACT},
        group=COUNTED,
        shown_as="places",
        label="Points for places",
        help='For example "5 3 2 1".',
    ),
    *_grouped(
        COUNTED,
        Setting(
            name="settings.total",
            type=str,
            words={"sum": "the sum", "mean": "the mean"},
            label="Total of several games",
            empty="the sum; in a season, the mean",
        ),
        Setting(
            name="settings.prior",
            type=str,
            schema=_EXACT,
            label="Average games to begin with",
            help="For a mean: everyone starts with this many average games, so that one lucky game is not enough to "
            "lead.",
            empty="none; in a season, 6",
        ),
        _counted(
            "best",
            "the best game counts",
            "the best {} games count",
            label="Best games that count",
            help="For each entrant.",
            empty="all",
        ),
        _counted(
            "same_table",
            "of games among the same entrants, only the first counts",
            "of games among the same entrants, only the first {} count",
            default=lambda before: SEASON_SAME_TABLE if before["kind"] == "season" else None,
            nullable=True,
            label="Games among the same people that count",
            about="Only this many games among exactly the same entrants count, starting with the first; null: all.",
            help="Only this many games among exactly the same entrants count, starting with the first. 0: all count.",
            empty=f"all; in a season, {SEASON_SAME_TABLE}",
        ),
        _counted(
            "min_games",
            "you need 1 game for a place",
            "you need {} games for a place",
            least=0,
            default=0,
            label="Games needed for a place",
            help="For a mean: entrants with fewer games are listed below the others, without a place.",
        ),
        Setting(
            name="settings.bye",
            type=str,
            schema=_EXACT,
            kinds=WITH_TABLES,
            lenient=True,
            label="Points for a bye",
            help="A number such as 1 or 1/2.",
            empty="what a player gets on average",
        ),
        Setting(
            name="settings.tie_breaks",
            type=list,
            words=TIES,
            schema={"type": "array", "items": {"type": "string", "enum": list(TIE_BREAKS)}},
            label="Tie-breaks",
            help="What separates entrants who are level, the most important first.",
        ),
    ),
    *_grouped(
        ROUNDS,
        Setting(
            name="settings.rounds",
            kinds=("rounds",),
            help="The number of rounds. With four at a table, everyone can meet everyone in about a third as many "
            "rounds as there are entrants.",
            empty="until you end it",
        ),
        Setting(
            name="settings.tables.size",
            least=2,
            kinds=WITH_TABLES,
            lenient=True,
            label="Preferred table size",
            empty="4",
        ),
        *(
            Setting(
                name=f"settings.tables.{name}",
                least=2,
                kinds=WITH_TABLES,
                lenient=True,
                shown_as=field,
                label=f"{label} table",
                empty=empty,
            )
            for name, field, label, empty in (
                ("min", "smallest", "Smallest", "one less"),
                ("max", "largest", "Largest", "one more"),
            )
        ),
        Setting(
            name="settings.games_per_table",
            default=1,
            kinds=WITH_TABLES,
            help="In each round.",
        ),
        Setting(
            name="settings.seating",
            type=str,
            default="standing",
            words=dict(zip(SEATINGS, ("like with like", "everyone meets everyone as evenly as possible"), strict=True)),
            kinds=("rounds",),
            help="Like with like: entrants with similar points meet, and few meet twice.",
        ),
        Setting(
            name="settings.parallel",
            default=1,
            kinds=("rounds",),
            label="Rounds at once",
            help="Only with even seating.",
        ),
        Setting(
            name="settings.advance",
            kinds=("knockout",),
            label="Go through per table",
            help="Knockout: how many go through from each table. At most half of them.",
        ),
    ),
    *_grouped(
        COUNTED,
        Setting(
            name="clock.per_turn",
            most=30 * DAY,
            label="Time per turn",
            help="For example 12 hours or 3 days. Default: 1 day.",
            empty="1 day",
            unit=HOUR,
            term="Pace",
            said=lambda plan: f"{span(plan.clock['per_turn'])} per turn",
        ),
        Setting(
            name="clock.weekend_pause",
            type=bool,
            default=False,
            help="Clocks pause on Saturdays and Sundays.",
        ),
        Setting(
            name="clock.on_timeout",
            type=str,
            words={"play": "a move is made", "bot": "a bot takes over", "resign": "the player resigns"},
            label="Out of time",
            empty="a move is made",
        ),
        Setting(
            name="clock.bank",
            least=0,
            most=90 * DAY,
            label="Reserve",
            help="Extra time for each player in a game, used when a turn's own time runs out.",
            empty="none",
            unit=HOUR,
        ),
        Setting(
            name="clock.strikes",
            most=100,
            label="Missed turns",
            help="After this many in a row, a bot takes the seat. After as many again, the player resigns.",
            empty="3",
        ),
        Setting(
            name="clock.quiet_hours",
            type=bool,
            default=True,
            help="Clocks pause during the daily quiet hours of the player to move.",
        ),
        Setting(
            name="clock.vacation",
            type=bool,
            default=True,
            help="Clocks pause on the vacation days of the player to move.",
        ),
        Setting(
            name="clock.time_zone",
            type=str,
            help="For the weekend pause, such as Europe/Berlin.",
            empty="UTC",
        ),
    ),
)
"""What the form has of the record's settings and the clock, which are read elsewhere."""
SETTINGS = (*INNER, *OWN.values())


def merged(asked: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The request merged with changes, key by key; null restores the default (RFC 7396), but for `same_table` (PT5).

    Stages take the place of what each of them has, and a kind that of stages.
    """
    gone = OF_STAGE if changes.get("stages") is not None else ("stages",) if changes.get("kind") is not None else ()
    result = {key: value for key, value in asked.items() if key not in gone}
    for key, value in changes.items():
        if value is None and key != "same_table":
            result.pop(key, None)
        elif isinstance(value, Mapping) and key != "rules":  # those of a house game are one value
            before = result.get(key)
            result[key] = merged(before if isinstance(before, Mapping) else {}, value)
        else:
            result[key] = value
    return result


@dataclass(frozen=True, slots=True, kw_only=True)
class Allowed:
    now: datetime
    minimum_per_turn: int = 30
    most_entrants: int = 5000


def read_plan(raw: Mapping[str, Any], *, now: datetime, minimum_per_turn: int = 30, most_entrants: int = 5000) -> Plan:
    """Complete a request to set up a tournament. Raises Invalid, whose `errors` name every field at fault."""
    within = Allowed(now=now, minimum_per_turn=minimum_per_turn, most_entrants=most_entrants)
    if raw.get("stages") is not None:
        return _read_staged(raw, within)
    faults = Faults()
    plan = _read(raw, within, faults)
    faults.check()
    assert plan is not None  # noqa: S101  what cannot be read is refused
    return plan


def _read_staged(raw: Mapping[str, Any], within: Allowed) -> Plan:
    """The plan at its first stage. A field of a stage is named as in `stages.0.settings.best`."""
    faults, given = Faults(null_is_nothing=True), raw["stages"]
    faults.refuse_unknown(raw, KEYS)
    beside = [name for name in OF_STAGE if raw.get(name) is not None]
    if beside:
        faults.refuse("stages", f"Each stage has its own {beside[0]}. Give it with the stages, not beside them.")
    if not (isinstance(given, list) and 1 <= len(given) <= MOST_STAGES and all(isinstance(one, dict) for one in given)):
        faults.refuse("stages", f"Must be a list of one to {MOST_STAGES} stages, each an object.")
        given = []
    if beside or not given:
        # What else is wrong is said at once.
        others = {key: value for key, value in raw.items() if key != "stages" and value is not None}
        _read({"kind": "rounds", **others}, within, faults)
    outer = {key: value for key, value in raw.items() if key not in (*OF_STAGE, "stages")}
    plans: list[Plan | None] = [None]
    stages = []
    for at, stage in enumerate(given):
        own = Faults(null_is_nothing=True)
        own.refuse_unknown(stage, (*OF_STAGE, *STAGE))
        values = {name: one.take(stage, own) for name, one in STAGE.items()}
        _check_count(own, "take", values["take"], within.most_entrants)
        _check_stage(own, stage, first=at == 0, last=at + 1 == len(given))
        faults.take_in(own, f"stages.{at}.")
        plan = _read(_by_itself(outer, stage, plans[-1], first=at == 0), within, faults, f"stages.{at}.")
        plans.append(plan)
        if plan is not None:
            pause = BREAK if values["break"] is None else values["break"]
            stages.append(_stage_of(plan, {**values, "break": pause if at + 1 < len(given) else None}))
    _check_order(faults, outer.get("game"), given)
    faults.check()
    _, first, *_ = plans
    assert first is not None  # noqa: S101  what cannot be read is refused
    return replace(first, stages=tuple(stages))


def _by_itself(
    outer: Mapping[str, Any], stage: Mapping[str, Any], before: Plan | None, *, first: bool
) -> dict[str, Any]:
    """The request for a stage as if it were a tournament of its own."""
    part = {key: value for key, value in outer.items() if first or key in _SHARED}
    part |= {key: stage[key] for key in OF_STAGE if key in stage}
    settings = stage.get("settings")
    carries = stage.get("carry") is True and before is not None and before.kind == stage.get("kind") == "rounds"
    if carries and before is not None and isinstance(settings or {}, Mapping):
        named = {key: value for key, value in (settings or {}).items() if value is not None}
        part["settings"] = {**before.settings, **named}
    return part


def _check_stage(faults: Faults, stage: Mapping[str, Any], *, first: bool, last: bool) -> None:
    season = stage.get("kind") == "season"
    if last and stage.get("break") is not None:
        faults.refuse("break", "The last stage cannot have a break, because no stage follows it.")
    if stage.get("lasts") is not None and (first or not season):
        faults.refuse("lasts", "Leave this out: only a season after another stage can have it.")
    for name in ("opens_at", "closes_at"):
        if season and not first and stage.get(name) is not None:
            faults.refuse(
                name, "Leave this out: a season after another stage opens when the stage begins. Use `lasts` instead."
            )


def _check_order(faults: Faults, game: object, given: Sequence[Mapping[str, Any]]) -> None:
    """What the rules say of stages one after the other (SG1, SG6)."""
    known = ("kind", "settings", "take", "carry")
    if not given or not isinstance(game, str) or game not in KNOWN:
        return
    try:
        read_stages(game, [{name: stage.get(name) for name in known} for stage in given])
    except BadStage as error:
        name, _, detail = str(error.error).partition(": ")
        faults.refuse(f"stages.{error.number - 1}.{name}", detail[:1].upper() + detail[1:])


def _stage_of(plan: Plan, values: Mapping[str, Any]) -> dict[str, Any]:
    """A stage with all its keys, as JSON: those of the plan, and `values` of those that only stages have."""
    own = {name: _plain(getattr(plan, name)) for name in OF_STAGE}
    return {**values, "title": values["title"] or TITLES[plan.kind], **own}


def _read(raw: Mapping[str, Any], within: Allowed, whole: Faults, prefix: str = "") -> Plan | None:
    """The plan of a tournament of a kind; None if something is wrong, which is noted in `whole`."""
    faults = Faults(null_is_nothing=True)
    faults.refuse_unknown(raw, KEYS)
    plan = _plan(raw, faults, within)
    whole.take_in(faults, prefix, own=OF_STAGE)
    return None if faults else plan


def _plan(raw: Mapping[str, Any], faults: Faults, within: Allowed) -> Plan | None:
    found = {name: one.take(raw, faults) for name, one in values_of(Plan).items() if name not in OWN}
    found["ruleset"], found["options"], *limits = _rules_of_the_game(faults, found)
    settings = _settings(faults, found, *limits)
    found["clock"] = _clock(faults, found["clock"], within.minimum_per_turn)
    for name, one in OWN.items():
        found[name] = one.take(raw, faults, found)
    _check_count(faults, "limit", found["limit"], within.most_entrants)
    if settings is None:
        return None
    plan = Plan(**{**found, "settings": settings.as_json()})
    for one in SETTINGS:
        one.check(plan, faults)
    if plan.late == "bye" and plan.settings["total"] != "sum":
        faults.refuse("late", "Missed rounds can count as byes only if the total is the sum.")
    if plan.rated and plan.game not in GAMES:
        faults.refuse("rated", "House games are not rated.")
    _check_entries(plan, faults)
    _check_times(plan, faults, within.now)
    return plan


def _rules_of_the_game(faults: Faults, found: Mapping[str, Any]) -> tuple[str, Mapping[str, Any], int, int]:
    """The ruleset, the options, and how many can play, at least and at most. Those of a house game are complete."""
    options = found["options"]
    if not found["game"]:
        return found["ruleset"], options, 2, MAX_TABLE
    rules = KNOWN[found["game"]]
    ruleset = found["ruleset"] or rules.default_ruleset
    try:
        least, most = seat_limits(rules, ruleset, options)
        if rules.name not in GAMES:
            options = rules.complete_options(least, ruleset, options)[1]
        return ruleset, options, least, most
    except SetupError:
        for field, detail in errors_in(options, lambda part: seat_limits(rules, ruleset, part), SetupError):
            faults.refuse(field, detail)
        return ruleset, options, rules.min_seats, rules.max_seats


def _settings(faults: Faults, found: Mapping[str, Any], least: int, most: int) -> Settings | None:
    game, kind = found["game"], found["kind"]
    given = {**({"same_table": SEASON_SAME_TABLE} if kind == "season" else {}), **found["settings"]}
    if not game or not kind:
        return None
    _refuse_unknown(faults, given, read_settings(game, "rounds", {}).as_json())
    tables = given.get("tables")
    if tables is None or isinstance(tables, Mapping):
        tables = {key: value for key, value in (tables or {}).items() if value is not None}
        size = tables.setdefault("size", min(DEFAULT_SIZE, most))
        if type(size) is int and size <= most:
            tables.setdefault("max", min(size + 1, most))
            tables.setdefault("min", max(size - 1, least))
        given["tables"] = tables
    try:
        settings = read_settings(game, kind, given)
    except BadSetting:
        for field, detail in errors_in(given, lambda part: read_settings(game, kind, part), BadSetting):
            faults.refuse(f"settings.{field}", detail)
        return None
    for name in ("size", "max"):
        if getattr(settings.tables, name) > most:
            faults.refuse(f"settings.tables.{name}", f"With these options, at most {most} can play.")
    if settings.tables.min < least:
        faults.refuse("settings.tables.min", f"These rules need at least {least} players.")
    for name, value, highest in (
        ("rounds", settings.rounds or 1, MAX_ROUNDS),
        ("parallel", settings.parallel, MAX_ROUNDS),
        ("games_per_table", settings.games_per_table, MAX_GAMES_PER_TABLE),
    ):
        _check_count(faults, f"settings.{name}", value, highest)
    _check_exact(faults, given, settings)
    return settings


def _check_count(faults: Faults, path: str, count: int | None, most: int) -> None:
    if count is not None and count > most:
        faults.refuse(path, f"Must be at most {most}.")


def _check_exact(faults: Faults, given: Mapping[str, Any], settings: Settings) -> None:
    """Exact numbers have few enough digits to count with; a record may have longer ones."""
    numbers = [("prior", given.get("prior")), ("bye", given.get("bye"))]
    if settings.list:
        numbers += [("points.list", number) for number in given["points"]["list"]]
    for name, number in numbers:
        if number is not None and not is_short(number):
            faults.refuse(f"settings.{name}", TOO_LONG)


def _refuse_unknown(faults: Faults, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Records may have keys that nobody knows yet; in a request such a key is a slip."""
    for within, names in (("", known), ("points", ("scheme", "list")), ("tables", known["tables"])):
        part = given.get(within) if within else given
        for name in part if isinstance(part, Mapping) else ():
            if name not in names:
                field = ".".join(filter(None, ("settings", within, str(name)[:80])))
                faults.refuse(field, f"Unknown key. Choose from: {', '.join(names)}.")


def _clock(faults: Faults, raw: Mapping[str, Any], minimum_per_turn: int) -> Mapping[str, Any]:
    complete = partial(clocks.complete_clock, minimum_per_turn=minimum_per_turn)
    try:
        return complete(raw)
    except clocks.ClockError:
        for field, detail in errors_in(raw, complete, clocks.ClockError):
            faults.refuse(field, detail)
        return complete({})


def _check_entries(plan: Plan, faults: Faults) -> None:
    if plan.visibility == "private" and plan.entry == "open":
        faults.refuse("entry", "Nobody can enter a private tournament without an invitation. Choose another value.")
    needed = {"season": 2, "knockout": 2, "rounds": plan.settings["tables"]["min"]}[plan.kind]
    if plan.limit is not None and plan.limit < needed:
        faults.refuse("limit", f"Must be at least {needed}.")


def _check_times(plan: Plan, faults: Faults, now: datetime) -> None:
    if plan.closes_at is None:
        return
    if plan.closes_at <= now:
        faults.refuse("closes_at", "This time has passed. Choose a later one.")
    for name in ("opens_at", "starts_at"):
        begins = getattr(plan, name)
        if begins is not None and begins >= plan.closes_at:
            faults.refuse("closes_at", f"Must be later than {name}.")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return clocks.moment_text(value)
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
