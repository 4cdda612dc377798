"""The plan of a tournament: everything set up before the start, checked and completed with defaults.

`settings` are the record's, which standings and seating depend on; `tournaments.rules` reads them. The rest says who
may enter, when, and what the runner does.
"""

from collections.abc import Mapping
from dataclasses import dataclass, fields
from datetime import datetime
from fractions import Fraction
from typing import Any, Literal

from core.refusals import errors_in
from games import clocks
from games.rules import GAMES, SetupError, seat_limits
from tournaments.rules import BadSetting, Settings, read_settings
from tournaments.rules.points import SCHEMES
from tournaments.rules.settings import DEFAULT_SIZE, KINDS
from tournaments.stream.kinds import check_kind
from tournaments.stream.reading import TOO_LONG, Reader, is_short

DAY = 86_400
YEAR = 366 * DAY
GRACE = 14 * DAY
SEASON_SAME_TABLE = 6
"""PT5: how many games of exactly the same entrants count in a season whose plan leaves this out."""
MAX_TITLE = 100
MAX_ROUNDS = 100
MAX_GAMES_PER_TABLE = 20
MAX_TABLE = 32

PROPOSALS = ("entrants", "organisers", "none")
RATIFY = ("majority", "two_thirds", "unanimous", "organiser")

Entry = Literal["open", "invitation", "organiser"]


@dataclass(frozen=True, slots=True)
class Plan:
    """A complete plan. Spans are whole seconds, moments aware datetimes.

    `options` are as sent, since the defaults may depend on the number of players; `clock` and `settings` are complete.
    """

    title: str
    game: str
    ruleset: str
    options: Mapping[str, Any]
    clock: Mapping[str, Any]
    kind: str
    settings: Mapping[str, Any]
    visibility: str
    rated: bool
    plans: bool
    """True if players may leave plans for their next turns (PL10)."""
    guests: bool
    """True if guests may enter (PLAY AC2). Their games are unrated."""
    entry: str
    """The way to enter: `open` to anybody, with the invitation, or added by an organiser (LI1)."""
    limit: int | None
    check_in: int | None
    """The time before the start in which entrants can check in; None if nobody has to."""
    starts_at: datetime | None
    opens_at: datetime | None
    closes_at: datetime | None
    grace: int
    """The time after `closes_at` in which a running game of a season may still end and count (SN2)."""
    deadline: int | None
    """The time that a round may take (LI2)."""
    overdue: str
    no_show: str
    no_show_after: int
    late: str
    late_until: int | None
    """The last round during which entrants may still come in; None: as long as there is a next round (LI3)."""
    pace: str
    games: str
    """The games that count for a season: those opened for it (`own`), or `any` among entrants (SN1)."""
    proposals: str
    """Those who may propose other rules while it runs: `entrants` and organisers, `organisers`, or nobody (RT1)."""
    ratify: str
    """The way in which a proposal is decided (RT3)."""
    seeds: str | tuple[str, ...]
    """A knockout's seeds: by `lot`, by `rating`, or in the organiser's order, followed by the rest by lot (KO2)."""

    @property
    def rules(self) -> Settings:
        """The record's settings, read."""
        return read_settings(self.game, self.kind, self.settings)  # type: ignore[arg-type]

    @property
    def size(self) -> int:
        """The wished size of a table."""
        return int(self.settings["tables"]["size"])

    @property
    def per_table(self) -> int:
        """The number of games that each table plays."""
        return int(self.settings["games_per_table"])

    @property
    def rounds(self) -> int | None:
        """The number of rounds, or None if it is not set."""
        rounds: int | None = self.settings["rounds"]
        return rounds

    @property
    def bye_worth(self) -> Fraction:
        """The worth of one bye (PT3)."""
        rules = self.rules
        return SCHEMES[rules.scheme].average(rules.tables.size, rules.list) if rules.bye is None else rules.bye

    @property
    def at_once(self) -> int:
        """The number of rounds that may be open at a time (LI2)."""
        if self.kind == "rounds" and self.settings["seating"] == "even":
            return int(self.settings["parallel"])
        return 1

    def complete_options(self) -> Mapping[str, Any]:
        """The options of a game at a table of the wished size, defaults included."""
        return GAMES[self.game].complete_options(self.size, self.ruleset, self.options)[1]

    def as_json(self) -> dict[str, Any]:
        """The plan as plain JSON."""
        return {field.name: _plain(getattr(self, field.name)) for field in fields(self)}

    @classmethod
    def from_json(cls, stored: Mapping[str, Any]) -> "Plan":
        """The plan that `as_json` wrote."""
        given = {field.name: stored[field.name] for field in fields(cls)}
        for name in ("starts_at", "opens_at", "closes_at"):
            given[name] = datetime.fromisoformat(given[name]) if given[name] else None
        if isinstance(given["seeds"], list):
            given["seeds"] = tuple(given["seeds"])
        return cls(**given)


KEYS = tuple(field.name for field in fields(Plan))


def default_proposals(kind: str) -> str:
    """Return who proposes rules unless the plan says otherwise (RT1)."""
    return "entrants" if kind == "season" else "organisers"


def merged(asked: Mapping[str, Any], changes: Mapping[str, Any]) -> dict[str, Any]:
    """The request merged with changes, key by key; null restores the default (RFC 7396).

    For `same_table` alone null is a value, which means no limit, because a season's default is a limit (PT5).
    """
    result = dict(asked)
    for key, value in changes.items():
        if value is None and key != "same_table":
            result.pop(key, None)
        elif isinstance(value, Mapping):
            before = result.get(key)
            result[key] = merged(before if isinstance(before, Mapping) else {}, value)
        else:
            result[key] = value
    return result


def read_plan(raw: Mapping[str, Any], *, now: datetime, minimum_per_turn: int = 30, most_entrants: int = 5000) -> Plan:
    """Check a request to set up a tournament, and complete it.

    Raises Invalid, whose `errors` name every field at fault (`settings.tables.max`).
    """
    read = Reader(raw, KEYS)
    kind = read.choice("kind", KINDS, required=True)
    game = read.choice("game", tuple(GAMES), required=True)
    ruleset, options, most = _rules_of_the_game(read, game)
    settings = _settings(read, game, kind, most)
    clock = _clock(read, minimum_per_turn)
    visibility = read.choice("visibility", ("public", "private"), "public")
    given: dict[str, Any] = {
        "title": read.text("title", MAX_TITLE, required=True),
        "visibility": visibility,
        "rated": read.flag("rated", default=True),
        "plans": read.flag("plans", default=True),
        "guests": read.flag("guests", default=False),
        "entry": read.choice(
            "entry", ("open", "invitation", "organiser"), "open" if visibility == "public" else "invitation"
        ),
        "limit": read.whole("limit", 2, most_entrants),
        "check_in": read.whole("check_in", 60, 30 * DAY),
        "starts_at": read.moment("starts_at"),
        "opens_at": read.moment("opens_at"),
        "closes_at": read.moment("closes_at"),
        "grace": read.whole("grace", 0, YEAR, GRACE),
        "deadline": read.whole("deadline", 60, YEAR),
        "overdue": read.choice("overdue", ("wait", "adjudicate"), "wait"),
        "no_show": read.choice("no_show", ("play", "substitute", "absent"), "play"),
        "no_show_after": read.whole("no_show_after", 1, YEAR, 2 * clock["per_turn"]),
        "late": read.choice("late", ("zero", "bye"), "zero"),
        "late_until": read.whole("late_until", 0, MAX_ROUNDS),
        "pace": read.choice("pace", ("auto", "manual"), "auto"),
        "games": read.choice("games", ("own", "any"), "own"),
        "proposals": read.choice("proposals", PROPOSALS, default_proposals(kind)),
        "ratify": read.choice("ratify", RATIFY, RATIFY[0]),
        "seeds": read.lot_or_names("seeds"),
    }
    if settings is None:
        read.check()
        raise AssertionError("settings that cannot be read are refused")
    plan = Plan(
        game=game, kind=kind, ruleset=ruleset, options=options, clock=clock, settings=settings.as_json(), **given
    )
    check_kind(plan, read)
    _check_entries(plan, read)
    _check_times(plan, read, now)
    read.check()
    return plan


def _rules_of_the_game(read: Reader, game: str) -> tuple[str, Mapping[str, Any], int]:
    """The ruleset, the options as sent, and the most players they allow."""
    name, options = read.text("ruleset", 32), read.object("options")
    if not game:
        return name, options, MAX_TABLE
    rules = GAMES[game]
    ruleset = name or rules.default_ruleset
    try:
        return ruleset, options, seat_limits(rules, ruleset, options)[1]
    except SetupError:
        for field, detail in errors_in(options, lambda part: seat_limits(rules, ruleset, part), SetupError):
            read.refuse(field, detail)
        return ruleset, options, rules.max_seats


def _settings(read: Reader, game: str, kind: Any, most: int) -> Settings | None:
    """The record's settings; some options require tables smaller than the game allows."""
    given = {**({"same_table": SEASON_SAME_TABLE} if kind == "season" else {}), **read.object("settings")}
    if not game or not kind:
        return None
    _refuse_unknown(read, given, read_settings(game, "rounds", {}).as_json())
    tables = given.get("tables")
    if tables is None or isinstance(tables, Mapping):
        tables = {key: value for key, value in (tables or {}).items() if value is not None}
        size = tables.setdefault("size", min(DEFAULT_SIZE, most))
        if type(size) is int and size <= most:
            tables.setdefault("max", min(size + 1, most))
        given["tables"] = tables
    try:
        settings = read_settings(game, kind, given)
    except BadSetting:
        for field, detail in errors_in(given, lambda part: read_settings(game, kind, part), BadSetting):
            read.refuse(f"settings.{field}", detail)
        return None
    for name in ("size", "max"):
        if getattr(settings.tables, name) > most:
            read.refuse(f"settings.tables.{name}", f"With these options at most {most} can play.")
    for name, value, highest in (
        ("rounds", settings.rounds or 1, MAX_ROUNDS),
        ("parallel", settings.parallel, MAX_ROUNDS),
        ("games_per_table", settings.games_per_table, MAX_GAMES_PER_TABLE),
    ):
        if value > highest:
            read.refuse(f"settings.{name}", f"Must be at most {highest}.")
    _check_exact(read, given, settings)
    return settings


def _check_exact(read: Reader, given: Mapping[str, Any], settings: Settings) -> None:
    """Exact numbers have few enough digits to count with; a record may have longer ones."""
    numbers = [("prior", given.get("prior")), ("bye", given.get("bye"))]
    if settings.list:
        numbers += [("points.list", number) for number in given["points"]["list"]]
    for name, number in numbers:
        if number is not None and not is_short(number):
            read.refuse(f"settings.{name}", TOO_LONG)


def _refuse_unknown(read: Reader, given: Mapping[str, Any], known: Mapping[str, Any]) -> None:
    """Records may have keys that nobody knows yet; in a request such a key is a slip."""
    for within, names in (("", known), ("points", ("scheme", "list")), ("tables", known["tables"])):
        part = given.get(within) if within else given
        for name in part if isinstance(part, Mapping) else ():
            if name not in names:
                field = ".".join(filter(None, ("settings", within, str(name)[:80])))
                read.refuse(field, f"Unknown key. Known here: {', '.join(names)}.")


def _clock(read: Reader, minimum_per_turn: int) -> Mapping[str, Any]:
    def complete(raw: Mapping[str, Any]) -> dict[str, Any]:
        return clocks.complete_clock(raw, minimum_per_turn=minimum_per_turn)

    raw = read.object("clock")
    for field, detail in errors_in(raw, complete, clocks.ClockError):
        read.refuse(field, detail)
    try:
        return complete(raw)
    except clocks.ClockError:
        return complete({})


def _check_entries(plan: Plan, read: Reader) -> None:
    if plan.visibility == "private" and plan.entry == "open":
        read.refuse("entry", "A private tournament is entered by invitation, or through its organisers.")
    needed = {"season": 2, "knockout": 2, "rounds": plan.settings["tables"]["min"]}[plan.kind]
    if plan.limit is not None and plan.limit < needed:
        read.refuse("limit", f"It takes at least {needed} entrants.")


def _check_times(plan: Plan, read: Reader, now: datetime) -> None:
    if plan.closes_at is None:
        return
    if plan.closes_at <= now:
        read.refuse("closes_at", "This moment has passed.")
    for name in ("opens_at", "starts_at"):
        begins = getattr(plan, name)
        if begins is not None and begins >= plan.closes_at:
            read.refuse("closes_at", f"Must be later than {name}.")


def _plain(value: Any) -> Any:
    if isinstance(value, datetime):
        return clocks.moment_text(value)
    if isinstance(value, tuple):
        return list(value)
    return dict(value) if isinstance(value, Mapping) else value
