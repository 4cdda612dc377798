"""The shapes of bodies for the OpenAPI document, and what requests may hold."""

from typing import Any

from django.core.validators import RegexValidator
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from games.api.serializers.games import RULESETS, PlayerRefSerializer, RulesetField
from games.bots import BOTS
from games.platform.http.fields import JSONObject, Sorted, Strict, Text, Truth, Whole
from games.platform.http.openapi import example, ref
from games.rules import GAMES
from tournaments.rules.settings import KINDS
from tournaments.services.asked import MAX_NUMBER, MAX_SCORE, MOST_SECONDS, NAMES
from tournaments.stream import Ending, Standing, Status
from tournaments.stream.announcing import MAX_MESSAGE
from tournaments.stream.ballot import VOTES
from tournaments.stream.plan import DAY, GRACE, MAX_ROUNDS, MAX_TITLE, PROPOSALS, RATIFY, YEAR

GAME_NAMES = sorted(GAMES)
STATUSES = [status.value for status in Status]
ENTRY_STATUSES = ["in", "waiting", "invited", "withdrawn", "removed"]
OWN_STATUSES = [*ENTRY_STATUSES, "out"]
ROW_STATUSES = ["in", "withdrawn", "out", "removed"]
GAME_STATUSES = ["pending", "open", "running", "counted", "voided", "without_result"]
FINISH_REASONS = "Why it ended: organiser, rounds, final, no_round, closed; or the reason of a cancellation."
PROPOSAL_STATUSES = [ending.value for ending in Ending]
BY_RULES = "The proposal by whose rules it is played; null: the first rules of the tournament."
assert Standing.GONE not in ENTRY_STATUSES  # noqa: S101  who left before being in has no entry any more


@extend_schema_field({"type": "string", "pattern": r"^-?\d+(/\d+)?$"})
class ExactField(serializers.CharField):
    """An exact number in lowest terms."""


@extend_schema_field(ref("Clock"))
class ClockField(JSONObject):
    """A clock policy."""


@extend_schema_field(ref("ClockChange"))
class ClockChangeField(ClockField):
    """Changes of a clock policy."""


@extend_schema_field({"type": ["string", "null"], "enum": [*RULESETS, None]})
class PlanRulesetField(RulesetField):
    """The name of a ruleset, or null for the game's default."""


@extend_schema_field(ref("TournamentSettings"))
class SettingsField(JSONObject):
    """The settings on which standings and seating depend."""


@extend_schema_field(
    {
        "oneOf": [
            {"type": "string", "pattern": "^-?[0-9]{1,1000}(/0*[1-9][0-9]*)?$"},
            {"type": "integer"},
        ]
    }
)
class PointsField(serializers.CharField):
    """An exact number of points, checked by the service."""


class BotSerializer(serializers.Serializer[Any]):
    """A bot."""

    level = serializers.CharField()


_SEEDS = [
    {"type": "string", "enum": ["lot", "rating"]},
    {"type": "array", "items": {"type": "string", "pattern": "^e[1-9][0-9]{0,6}$"}, "uniqueItems": True},
]


@extend_schema_field({"oneOf": _SEEDS})
class SeedsField(serializers.JSONField):
    """The seeds of a knockout."""


class EntrantField(Text):
    """The name of an entrant: e and a number."""

    def __init__(self, **kwargs: Any) -> None:
        names = RegexValidator(r"\Ae[1-9][0-9]{0,6}\Z", "Must name an entrant, such as e3.")
        super().__init__(validators=[names], max_length=8, **kwargs)


@extend_schema_field({"type": ["string", "null"], "enum": [*sorted(BOTS), None]})
class LevelField(Text):
    """A bot's level, checked by the service."""


def choice(words: list[str], **kwargs: Any) -> Any:
    """One of some words."""
    return serializers.ChoiceField(choices=words, **kwargs)


def seconds(help_text: str, least: int, most: int, **kwargs: Any) -> Any:
    """A span in seconds."""
    return serializers.IntegerField(required=False, min_value=least, max_value=most, help_text=help_text, **kwargs)


def moment(help_text: str) -> Any:
    """A moment, or null."""
    return serializers.DateTimeField(allow_null=True, required=False, help_text=help_text)


class SetUpSerializer(serializers.Serializer[Any]):
    """What is set up of a tournament; spans are whole seconds."""

    title = serializers.CharField(max_length=MAX_TITLE)
    game = choice(GAME_NAMES)
    ruleset = RulesetField(required=False, help_text="Left out: the game's default.")
    options = Sorted(required=False, help_text="Those of the game; GET rulesets has their schema.")
    clock = ClockField(required=False)
    kind = choice(list(KINDS))
    settings = SettingsField(required=False)
    visibility = choice(["public", "private"], required=False, default="public")
    rated = serializers.BooleanField(required=False, default=True)
    plans = serializers.BooleanField(
        required=False, default=True, help_text="Whether players may leave plans for their next turns."
    )
    guests = serializers.BooleanField(
        required=False, default=False, help_text="Whether guests may enter: accounts that are not kept yet."
    )
    entry = choice(
        ["open", "invitation", "organiser"],
        required=False,
        help_text="Who may enter: anybody (the default of public ones), those with the invitation (of private ones), "
        "or those whom an organiser adds.",
    )
    limit = serializers.IntegerField(
        min_value=2,
        allow_null=True,
        required=False,
        help_text="The most entrants. Anybody who comes later goes on the waiting list.",
    )
    check_in = seconds("How long before the start entrants can check in.", 60, 30 * DAY, allow_null=True)
    starts_at = moment("When it starts by itself.")
    opens_at = moment("Season: when games can begin.")
    closes_at = moment("Season: when no game can begin any more.")
    grace = seconds("Season: how long running games may take after that.", 0, YEAR, default=GRACE)
    deadline = seconds("How long a round may take.", 60, YEAR, allow_null=True)
    overdue = choice(["wait", "adjudicate"], required=False, default="wait")
    no_show = choice(["play", "substitute", "absent"], required=False, default="play")
    no_show_after = seconds("Running clock without a move of one's own; by default two turns.", 1, YEAR)
    late = choice(
        ["zero", "bye"], required=False, default="zero", help_text="What a late entrant gets for each round missed."
    )
    late_until = serializers.IntegerField(
        min_value=0,
        max_value=MAX_ROUNDS,
        allow_null=True,
        required=False,
        help_text="The last round during which one may still enter.",
    )
    pace = choice(["auto", "manual"], required=False, default="auto")
    games = choice(
        ["own", "any"], required=False, default="own", help_text="Season: its own games, or any among entrants."
    )
    proposals = choice(
        list(PROPOSALS),
        required=False,
        help_text="Who may propose other rules while it runs: entrants, too (the default of a season), only organisers "
        "(of other kinds), or nobody.",
    )
    ratify = choice(list(RATIFY), required=False, default=RATIFY[0], help_text="How a proposal is decided.")
    seeds = SeedsField(required=False, help_text='Knockout: "lot" (default), "rating", or entrants, the best first.')


@example({"title": "Threes 2026", "game": "threes", "kind": "rounds"})
class PlanSerializer(Strict, SetUpSerializer):
    """A tournament to set up. What is left out, or null, has its default; spans are whole seconds."""

    ruleset = PlanRulesetField(required=False, help_text="Left out: the game's default.")

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for field in fields.values():
            field.allow_null = not field.required
        return fields


@example({"after": "5f0c0f6e-2f7b-4a51-9c5c-0d8f6a0f7c11", "title": "Threes 2027"})
class SuccessorSerializer(PlanSerializer):
    """The successor of a tournament that is over: it takes over whatever is left out, but for moments.

    Objects change key by key; null restores a default.
    """

    after = serializers.UUIDField(help_text="The tournament that it follows.")

    def get_fields(self) -> Any:
        fields = super().get_fields()
        for name, field in fields.items():
            field.required = field.required and name == "after"
            field.allow_null = name != "after"
        return fields


class PlanChangeSerializer(PlanSerializer):
    """What to change in a tournament's plan, key by key; null restores a default (RFC 7396)."""

    clock = ClockChangeField(required=False)


class AskedSerializer(serializers.Serializer[Any]):
    """For whom somebody on the waiting list is asked to stand in."""

    game = serializers.UUIDField(help_text="The game to which the entrant has not come.")
    until = serializers.DateTimeField(help_text="When the next one is asked.")

    def get_fields(self) -> Any:
        """`for` is a word of Python's."""
        return {"for": serializers.CharField(help_text="The entrant."), **super().get_fields()}


class TournamentYouSerializer(serializers.Serializer[Any]):
    """The caller in a tournament."""

    entrant = serializers.CharField(allow_null=True)
    organiser = serializers.BooleanField()
    status = choice(OWN_STATUSES, allow_null=True)
    checked_in = serializers.BooleanField(allow_null=True)
    asked = AskedSerializer(allow_null=True)
    may_organise_from = serializers.DateTimeField(
        allow_null=True, help_text="When the tournament has no organiser any more: from when on you may take it over."
    )


class RulesSerializer(serializers.Serializer[Any]):
    """Rules of a tournament, and since when they hold."""

    proposal = serializers.IntegerField(allow_null=True, help_text="Which one put them in place; null: the first ones.")
    ruleset = serializers.CharField()
    options = serializers.DictField(help_text="Complete, for a table of the wished size.")
    since = serializers.DateTimeField(allow_null=True, help_text="Of the first ones the start; null before it.")


class DealsSerializer(serializers.Serializer[Any]):
    """A secret from which the secrets of a tournament's games follow."""

    commitment = serializers.CharField()
    secret = serializers.CharField(allow_null=True)
    since = serializers.DateTimeField(help_text="When the commitment was published.")
    opened_at = serializers.DateTimeField(allow_null=True)


class NeighbourSerializer(serializers.Serializer[Any]):
    """A tournament that another one follows, or that follows it."""

    id = serializers.UUIDField()
    title = serializers.CharField()
    slug = serializers.CharField()
    status = choice(STATUSES)


class TournamentSerializer(SetUpSerializer):
    """A tournament, as the caller may see it; what was set up is complete."""

    id = serializers.UUIDField()
    slug = serializers.CharField()
    status = choice(STATUSES)
    version = serializers.IntegerField(help_text="How many events its stream has.")
    seed_commitment = serializers.CharField(help_text="SHA-256, in hex, of the seed's 32 bytes.")
    seed = serializers.CharField(
        allow_null=True, help_text="32 random bytes in hex; null before the first seating (season: the finish)."
    )
    deals_commitment = serializers.CharField(
        allow_null=True,
        help_text="The commitment to what the secrets of its games follow from (docs/fairness.md).",
    )
    deals_secret = serializers.CharField(
        allow_null=True,
        help_text="What opens it, in hex; null until all is over and none of its games runs.",
    )
    deals = DealsSerializer(many=True, help_text="All such pairs, the present one last: reopening can draw a new one.")
    entrants = serializers.IntegerField(help_text="How many hold a place.")
    waiting = serializers.IntegerField()
    round = serializers.IntegerField(help_text="The last round that was seated; 0 before the first.")
    rounds = serializers.IntegerField(allow_null=True)
    open_rounds = serializers.ListField(child=serializers.IntegerField())
    draft = serializers.IntegerField(allow_null=True, help_text="For organisers: the round that is drafted.")
    put_off = serializers.BooleanField(help_text="Too few had entered at `starts_at`.")
    rules = RulesSerializer(many=True, help_text="All since the start; `ruleset` and `options` are those that hold.")
    open_proposals = serializers.ListField(child=serializers.IntegerField())
    organisers = PlayerRefSerializer(many=True)
    asked_organisers = PlayerRefSerializer(many=True, help_text="Asked to organise it, and not accepted yet.")
    channels = serializers.ListField(
        child=serializers.CharField(), help_text="The chat services (or `webhook`) that it posts to."
    )
    after = NeighbourSerializer(allow_null=True, help_text="The tournament that it follows.")
    successors = NeighbourSerializer(many=True, help_text="Those that follow it.")
    you = TournamentYouSerializer()
    share_url = serializers.URLField(help_text="The public page.")
    invitation = serializers.CharField(allow_null=True, help_text="For organisers and entrants.")
    set_up_at = serializers.DateTimeField()
    started_at = serializers.DateTimeField(allow_null=True)
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_why = serializers.CharField(allow_null=True, help_text=FINISH_REASONS)


class EntrySerializer(serializers.Serializer[Any]):
    """An entry, and who plays for it."""

    entrant = serializers.CharField(help_text="e and its number, in the order of entry.")
    name = serializers.CharField()
    player = PlayerRefSerializer(allow_null=True)
    bot = BotSerializer(allow_null=True)
    status = choice(ENTRY_STATUSES)
    since = serializers.DateTimeField()
    entered_at = serializers.DateTimeField(allow_null=True)
    checked_in = serializers.BooleanField()
    waiting = serializers.IntegerField(allow_null=True, help_text="The place on the waiting list.")
    absences = serializers.IntegerField()
    asked = AskedSerializer(allow_null=True, help_text="On the waiting list: to stand in for a no-show; accept it.")
    salt = serializers.CharField(allow_null=True, help_text="For its player: what the salts of its games come from.")


@example({"text": "Round 2 begins on Sunday evening."}, ("What it would be", {"text": "See you.", "dry_run": True}))
class MessageSerializer(Strict):
    """A message to all entrants."""

    text = Text(max_length=MAX_MESSAGE, help_text="One paragraph.")
    dry_run = Truth(required=False, default=False, help_text="Only say what would be sent, and to how many.")


class SentSerializer(serializers.Serializer[Any]):
    """A message that was sent, or would be."""

    told = serializers.IntegerField(help_text="How many players are told: who has a place or waits for one.")
    text = serializers.CharField(help_text="As they read it.")
    version = serializers.IntegerField(allow_null=True, help_text="Of its event; null with `dry_run`.")


class GuestLinkSerializer(serializers.Serializer[Any]):
    """Where a guest goes on in another browser."""

    url = serializers.CharField(help_text="Send it to the guest: whoever opens it first is the guest from then on.")
    expires_at = serializers.DateTimeField()


@example({}, ("A player", {"player": "bob"}), ("A bot", {"bot": "steady"}))
class NewEntrySerializer(Strict):
    """Who enters: the caller (`{}`), or by an organiser a player or a bot."""

    invitation = Text(required=False, allow_null=True, max_length=64)
    salt = Text(
        required=False,
        allow_null=True,
        max_length=64,
        trim_whitespace=False,
        help_text="Your part of the shuffles of all games here.",
    )
    player = Text(
        required=False, allow_null=True, max_length=100, help_text="A player's name: invited until it accepts."
    )
    bot = LevelField(required=False, allow_null=True, max_length=32, help_text="A bot's level.")


@example({"resign": False})
class WithdrawSerializer(Strict):
    """How to leave."""

    resign = Truth(required=False, default=False, help_text="Resign the running games, too.")


@example({"player": "bob"})
class OrganiserSerializer(Strict):
    """An organiser, by name."""

    player = Text(max_length=100)


@example({"reason": "A game was scored wrongly.", "dry_run": True})
class ReopeningSerializer(Strict):
    """A ruling: its reason, for all to see. With `dry_run` nothing happens."""

    reason = Text(max_length=500)
    dry_run = Truth(required=False, default=False)


@example({"reason": "Too few came."})
class CancellationSerializer(Strict):
    """A reason, for all to see. It may be left out: to cancel is no ruling."""

    reason = Text(max_length=500, default="An organiser cancelled the tournament.")


class NamedEntrantSerializer(serializers.Serializer[Any]):
    """An entrant and who plays for it."""

    entrant = serializers.CharField()
    name = serializers.CharField(allow_null=True)


class AwaitedSerializer(serializers.Serializer[Any]):
    """Whom a game waits for."""

    entrant = serializers.CharField()
    since = serializers.DateTimeField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True, help_text="At the latest; null: no deadline, as for a bot.")


class ResultPlayerSerializer(serializers.Serializer[Any]):
    """How a game ended for an entrant."""

    entrant = serializers.CharField()
    place = serializers.IntegerField(min_value=1)
    score = serializers.IntegerField(allow_null=True)
    timeouts = serializers.IntegerField(min_value=0)
    absent = serializers.BooleanField(required=False)


class TournamentGameSerializer(serializers.Serializer[Any]):
    """A game of a tournament. Its `id` is that of GET games/{id}, unless it is a result without a game."""

    id = serializers.UUIDField()
    round = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    number = serializers.IntegerField(allow_null=True)
    status = choice(GAME_STATUSES)
    source = choice(["game", "table", "ruling"], allow_null=True)
    entrants = serializers.ListField(child=serializers.CharField())
    rounds = serializers.IntegerField(allow_null=True, help_text="How many were scored (Three Thirteen).")
    players = ResultPlayerSerializer(many=True, allow_null=True)
    absent = serializers.ListField(child=serializers.CharField(), help_text="Who was ruled absent.")
    waits_for = AwaitedSerializer(many=True)
    since = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    proposal = serializers.IntegerField(allow_null=True, help_text=BY_RULES)


class TournamentTableSerializer(serializers.Serializer[Any]):
    """A table of a round."""

    table = serializers.IntegerField()
    status = choice(["open", "closed", "not_played"])
    entrants = NamedEntrantSerializer(many=True)
    games = TournamentGameSerializer(many=True)


class RoundSerializer(serializers.Serializer[Any]):
    """A round, and whom its tables wait for."""

    round = serializers.IntegerField()
    status = choice(["open", "closed"])
    seated_at = serializers.DateTimeField()
    deadline_at = serializers.DateTimeField(allow_null=True, help_text="Outages of the service come on top.")
    overdue = serializers.BooleanField()
    closed_at = serializers.DateTimeField(allow_null=True)
    open_tables = serializers.IntegerField()
    proposal = serializers.IntegerField(allow_null=True, help_text=BY_RULES)
    byes = NamedEntrantSerializer(many=True)
    tables = TournamentTableSerializer(many=True)


class DraftSerializer(serializers.Serializer[Any]):
    """A seating before it is published, and the figures that judge it."""

    round = serializers.IntegerField()
    tables = serializers.ListField(child=serializers.ListField(child=serializers.CharField()))
    byes = serializers.ListField(child=serializers.CharField())
    repeats = serializers.IntegerField(allow_null=True, help_text="Pairs that have sat together before.")
    cost = ExactField(allow_null=True)
    q = serializers.IntegerField(allow_null=True)
    bound = serializers.IntegerField(allow_null=True)


@example({"swap": ["e1", "e2"], "reason": "They share a computer.", "dry_run": True})
class ExchangeSerializer(Strict):
    """A change of the draft: two entrants change places, or all tables are given."""

    swap = serializers.ListField(child=EntrantField(), required=False, min_length=2, max_length=2)
    tables = serializers.ListField(
        child=serializers.ListField(child=EntrantField(), min_length=1), required=False, min_length=1
    )
    byes = serializers.ListField(child=EntrantField(), required=False)
    reason = Text(max_length=500)
    dry_run = Truth(required=False, default=False)


@example({"seats": 2})
class SeasonGameSerializer(Strict):
    """A season's room; the caller sits down in it."""

    seats = Whole(min_value=2, max_value=32, required=False, help_text="By default the wished size.")
    bots = serializers.ListField(
        child=EntrantField(), required=False, default=list, help_text="Entrants that are bots; they sit down, too."
    )


class PlacedSerializer(Strict):
    """How a game ended for an entrant, as an organiser says it."""

    entrant = EntrantField()
    place = Whole(required=False, allow_null=True, min_value=1, help_text="Only somebody absent needs none.")
    score = Whole(required=False, allow_null=True, min_value=-MAX_SCORE, max_value=MAX_SCORE)
    timeouts = Whole(
        required=False, allow_null=True, min_value=0, max_value=MAX_SCORE, help_text="By default those of the game."
    )
    absent = Truth(required=False)


def _count(most: int) -> Any:
    return Whole(required=False, allow_null=True, min_value=1, max_value=most)


@example(
    {"ruling": "adjust", "entrant": "e1", "points": "1", "reason": "A game was scored wrongly.", "dry_run": True},
    ("Void a table's games", {"ruling": "void", "round": 1, "table": 1, "reason": "The cards were seen."}),
    ("More time", {"ruling": "extend", "round": 1, "seconds": 86400, "reason": "The server was down."}),
)
class RulingAskedSerializer(Strict):
    """A ruling. Which other keys it takes is in docs/tournaments-api.md."""

    ruling = choice(list(NAMES))
    reason = serializers.CharField(max_length=500)
    dry_run = serializers.BooleanField(required=False, allow_null=True, default=False)
    game = serializers.UUIDField(required=False, allow_null=True)
    round = _count(MAX_NUMBER)
    table = _count(MAX_NUMBER)
    entrant = EntrantField(required=False, allow_null=True)
    players = PlacedSerializer(many=True, required=False, allow_null=True)
    rounds = _count(100)
    points = PointsField(required=False, allow_null=True, help_text='A whole number, or a fraction such as "-1/2".')
    player = Text(required=False, allow_null=True, max_length=100)
    bot = LevelField(required=False, allow_null=True)
    seconds = _count(MOST_SECONDS)


class RulingSerializer(serializers.Serializer[Any]):
    """A ruling: what was ruled, why, and by whom. Keys that do not belong to it are null."""

    version = serializers.IntegerField(help_text="The version of its event.")
    ruling = choice([*NAMES, "exchange", "reopen", "absent"])
    reason = serializers.CharField(allow_null=True)
    by = PlayerRefSerializer(allow_null=True, help_text="null: the service, by the plan of the tournament.")
    also_plays = serializers.CharField(
        allow_null=True, help_text="The entrant for which who ruled plays at that table."
    )
    at = serializers.DateTimeField()
    game = serializers.UUIDField(allow_null=True)
    round = serializers.IntegerField(allow_null=True)
    table = serializers.IntegerField(allow_null=True)
    entrant = serializers.CharField(allow_null=True)
    entrants = serializers.ListField(child=serializers.CharField(), allow_null=True)
    player = PlayerRefSerializer(allow_null=True)
    bot = BotSerializer(allow_null=True)
    points = serializers.CharField(allow_null=True)
    until = serializers.DateTimeField(allow_null=True)
    players = ResultPlayerSerializer(many=True, allow_null=True)


@extend_schema_field(ref("TournamentStandings"))
class StandingsField(serializers.JSONField):
    """Standings with bounds."""


class RowChangeSerializer(serializers.Serializer[Any]):
    """What a ruling changes for an entrant."""

    entrant = serializers.CharField()
    place = serializers.ListField(child=serializers.IntegerField(allow_null=True), help_text="Before and after.")
    total = serializers.ListField(child=serializers.CharField(allow_null=True), help_text="Before and after.")
    status = serializers.ListField(child=serializers.CharField(allow_null=True), help_text="Before and after.")


class RuledSerializer(serializers.Serializer[Any]):
    """A ruling that was made; with `dry_run` what it would change."""

    ruling = choice([*NAMES, "reopen"])
    reason = serializers.CharField()
    dry_run = serializers.BooleanField()
    version = serializers.IntegerField(allow_null=True, help_text="The version of its event; null for a dry run.")
    before = StandingsField(allow_null=True)
    after = StandingsField(allow_null=True)
    changes = RowChangeSerializer(many=True, allow_null=True)


@example(
    {
        "title": "Shorter games",
        "reason": "They last for weeks.",
        "options": {"stalemate_after": 10},
        "dry_run": True,
    },
    ("Confirm the rules that hold", {"title": "Our rules", "reason": "Let us vote on them.", "confirm": True}),
)
class ProposalAskedSerializer(Strict):
    """A proposal. Rules that are left out, or null, stay; options that are given replace all of them."""

    title = Text(max_length=MAX_TITLE)
    reason = Text(max_length=500)
    ruleset = PlanRulesetField(required=False, allow_null=True)
    options = Sorted(required=False, allow_null=True)
    confirm = Truth(required=False, default=False, help_text="Let it through although it changes nothing.")
    closes_at = serializers.DateTimeField(
        required=False, allow_null=True, help_text="2 to 60 days away; by default after 7 days."
    )
    dry_run = Truth(required=False, default=False)


class OptionChangeSerializer(serializers.Serializer[Any]):
    """An option that a proposal changes, or the ruleset, and what it is about."""

    option = serializers.CharField()
    before = serializers.JSONField(allow_null=True)
    after = serializers.JSONField(allow_null=True)
    description = serializers.CharField()


class CountsSerializer(serializers.Serializer[Any]):
    """The votes that were cast, and how many there can be."""

    yes = serializers.IntegerField()
    no = serializers.IntegerField()
    abstain = serializers.IntegerField()
    electors = serializers.IntegerField()


class OwnVoteSerializer(serializers.Serializer[Any]):
    """The caller's part in a vote."""

    elector = serializers.BooleanField()
    vote = choice(list(VOTES), allow_null=True)


class ProposalSerializer(serializers.Serializer[Any]):
    """Rules that somebody proposes to put in place of a tournament's."""

    n = serializers.IntegerField(help_text="Its number in the tournament.")
    title = serializers.CharField()
    reason = serializers.CharField()
    by = PlayerRefSerializer()
    entrant = serializers.CharField(allow_null=True, help_text="Whom the proposer played for; null: an organiser.")
    ruleset = serializers.CharField()
    options = serializers.DictField(help_text="Complete, for a table of the wished size.")
    changes = OptionChangeSerializer(many=True)
    status = choice(PROPOSAL_STATUSES)
    ratify = choice(list(RATIFY))
    opened_at = serializers.DateTimeField()
    closes_at = serializers.DateTimeField()
    electors = serializers.IntegerField()
    voted = serializers.IntegerField(help_text="How many of them have voted.")
    counts = CountsSerializer(allow_null=True, help_text="null while it is open, but for organisers who decide it.")
    ended_at = serializers.DateTimeField(allow_null=True)
    ended_why = serializers.CharField(allow_null=True, help_text="The reason of an organiser who decided it.")
    you = OwnVoteSerializer()


class ElectorSerializer(serializers.Serializer[Any]):
    """An elector and its vote."""

    entrant = serializers.CharField()
    name = serializers.CharField(allow_null=True)
    voted = serializers.BooleanField()
    vote = choice(list(VOTES), allow_null=True, help_text="null while the proposal is open.")


class ProposalWithVotesSerializer(ProposalSerializer):
    """A proposal with its electors."""

    votes = ElectorSerializer(many=True)


@example({"vote": "yes"})
class VoteSerializer(Strict):
    """A vote."""

    vote = choice(list(VOTES))


@example({"ratified": False, "reason": "Nobody wants it."})
class DecisionSerializer(Strict):
    """An organiser's decision, with its reason, for all to see."""

    ratified = Truth()
    reason = Text(max_length=500)


class TournamentEventSerializer(serializers.Serializer[Any]):
    """What happened in a tournament. Secrets are null."""

    version = serializers.IntegerField()
    type = serializers.CharField()
    data = serializers.DictField()  # type: ignore[assignment]  # DRF takes this name
    by = PlayerRefSerializer(allow_null=True, help_text="null: the service.")
    recorded_at = serializers.DateTimeField()
