"""The form that sets a tournament up. It says what each setting does."""

import json
from collections.abc import Mapping
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

from core.refusals import Refused
from games.rules import GAMES
from tournaments.admin.form_body import PATHS, body_of
from tournaments.rules.points import SCHEMES

KINDS = [
    ("rounds", "Rounds: everybody plays every round"),
    ("season", "Season: entrants open games when they like"),
    ("knockout", "Knockout: the best of each table go on"),
]
# The fields that an organiser decides first, by kind. The rest has sensible defaults and is folded away.
FIRST: Mapping[str, tuple[str, ...]] = {
    "rounds": ("title", "visibility", "guests", "rounds", "size", "starts_at", "deadline", "per_turn"),
    "season": ("title", "visibility", "guests", "opens_at", "closes_at", "per_turn"),
    "knockout": ("title", "visibility", "guests", "size", "advance", "starts_at", "deadline", "per_turn"),
}
GROUPS = (
    ("What is played", ("game", "kind", "rated", "plans")),
    ("Who may enter, and until when", ("entry", "guests", "limit", "starts_at", "check_in", "late", "late_until")),
    (
        "Rounds and tables",
        ("rounds", "size", "smallest", "largest", "games_per_table", "seating", "parallel", "advance"),
    ),
    ("How it goes on", ("pace", "deadline", "overdue", "no_show", "no_show_after", "opens_at", "closes_at")),
    ("Who may change the rules", ("proposals", "ratify")),
    ("Points and clock", ("scheme", "places", "per_turn", "weekend_pause", "on_timeout")),
    ("Anything else", ("more",)),
)
# Fields that a kind does not have are shown only if they were given all the same, with their errors.
FOREIGN: Mapping[str, frozenset[str]] = {
    "rounds": frozenset({"advance", "opens_at", "closes_at"}),
    "season": frozenset(
        {"late", "late_until", "rounds", "size", "smallest", "largest", "games_per_table", "seating", "parallel"}
        | {"advance", "pace", "deadline", "overdue", "no_show", "no_show_after", "check_in"}
    ),
    "knockout": frozenset({"rounds", "parallel", "seating", "late", "late_until", "opens_at", "closes_at"}),
}


def _words(*pairs: tuple[str, str]) -> list[tuple[str, str]]:
    return [("", "default"), *pairs]


def _default(said: str) -> forms.NumberInput:
    """A field for a number that shows which value applies if it is left empty."""
    return forms.NumberInput(attrs={"placeholder": said})


class SetUpForm(forms.Form):
    """A tournament to set up. `body` is the body of ``POST tournaments``; empty fields have their defaults."""

    # The browser's zone, in which moments are typed; `dashboard/zone.js` fills it in.
    zone = forms.CharField(required=False, initial="UTC", widget=forms.HiddenInput)
    title = forms.CharField(max_length=100, help_text="What people read everywhere.")
    game = forms.ChoiceField(choices=[(name, rules.title) for name, rules in GAMES.items()])
    kind = forms.ChoiceField(choices=KINDS)
    visibility = forms.ChoiceField(
        choices=[("public", "public"), ("private", "private")],
        help_text="A private tournament is hidden from everybody without its invitation.",
    )
    rated = forms.BooleanField(
        required=False, initial=True, help_text="Games count for the ratings. A game with a bot never does."
    )
    plans = forms.BooleanField(required=False, initial=True, help_text="Players may leave plans for their next turns.")
    guests = forms.BooleanField(
        required=False,
        label="Guests may enter",
        help_text="People without an account of their own. Their games are unrated.",
    )
    entry = forms.ChoiceField(
        required=False,
        choices=_words(
            ("open", "anybody"), ("invitation", "with the invitation"), ("organiser", "added by organisers")
        ),
        help_text="Default: anybody in a public tournament, with the invitation in a private one.",
    )
    limit = forms.IntegerField(
        widget=_default("none"),
        required=False,
        min_value=2,
        help_text="Most entrants. Later ones wait, and move up automatically.",
    )
    starts_at = forms.DateTimeField(
        required=False,
        label="Starts at (UTC)",
        help_text="It starts by itself then. With too few entrants it is put off, and the home page says so.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    check_in = forms.IntegerField(
        widget=_default("none"),
        required=False,
        min_value=1,
        label="Check-in (hours)",
        help_text="Entrants have to check in within the last hours before the start; those who do not are moved "
        "to the end of the waiting list. Empty: nobody has to.",
    )
    late = forms.ChoiceField(
        required=False,
        label="Missed rounds of late entrants",
        choices=_words(("zero", "count 0"), ("bye", "count as a bye")),
        help_text="Default: 0 points. A bye is worth what a player gets on average.",
    )
    late_until = forms.IntegerField(
        widget=_default("always"),
        required=False,
        min_value=0,
        help_text="The last round during which people may still enter. Empty: always.",
    )
    rounds = forms.IntegerField(
        widget=_default("no end"),
        required=False,
        min_value=1,
        help_text="How many rounds. Empty: the organiser ends the tournament. With four at a table, everybody can meet "
        "everybody in about a third as many rounds as there are entrants.",
    )
    size = forms.IntegerField(widget=_default("4"), required=False, min_value=2, label="Wished table size")
    smallest = forms.IntegerField(widget=_default("one less"), required=False, min_value=2, label="Smallest table")
    largest = forms.IntegerField(widget=_default("one more"), required=False, min_value=2, label="Largest table")
    games_per_table = forms.IntegerField(widget=_default("1"), required=False, min_value=1, help_text="In each round.")
    seating = forms.ChoiceField(
        required=False,
        choices=_words(("standing", "like with like"), ("even", "everybody meets everybody as evenly as possible")),
        help_text="Default: like with like, so that those level on points meet, and few meet twice.",
    )
    parallel = forms.IntegerField(
        widget=_default("1"),
        required=False,
        min_value=1,
        label="Rounds at once",
        help_text="Only with even seating. Default: 1.",
    )
    advance = forms.IntegerField(
        widget=_default("half a table"),
        required=False,
        min_value=1,
        help_text="Knockout only: how many of each table go on. At most half a table.",
    )
    pace = forms.ChoiceField(
        required=False,
        choices=_words(("auto", "by itself"), ("manual", "when the organiser says so")),
        help_text="By itself: the next round is seated as soon as it can be. Otherwise it is drafted first, and "
        "entrants can change places before it is published.",
    )
    deadline = forms.IntegerField(
        widget=_default("none"),
        required=False,
        min_value=1,
        label="Deadline of a round (days)",
        help_text="Outages of the service are added. Empty: none, and a round takes as long as its slowest table.",
    )
    overdue = forms.ChoiceField(
        required=False,
        label="After the deadline",
        choices=_words(("wait", "tell the organisers"), ("adjudicate", "rule open tables as they stand")),
    )
    no_show = forms.ChoiceField(
        required=False,
        label="Who never moves",
        choices=_words(
            ("play", "is left to the clock"),
            ("substitute", "is replaced by the first on the waiting list who accepts"),
            ("absent", "is absent: a bot plays on, and the game counts 0"),
        ),
    )
    no_show_after = forms.IntegerField(
        widget=_default("two turns"),
        required=False,
        min_value=1,
        label="No-show after (hours)",
        help_text="Of running clock. Default: two turns.",
    )
    opens_at = forms.DateTimeField(
        required=False,
        label="Season opens at (UTC)",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    closes_at = forms.DateTimeField(
        required=False,
        label="Season closes at (UTC)",
        help_text="Games that began before it count if they end within two weeks. Empty: you finish the season.",
        widget=forms.DateTimeInput(attrs={"type": "datetime-local"}),
    )
    scheme = forms.ChoiceField(
        required=False,
        label="Points",
        choices=_words(
            ("opponents_beaten", "share of opponents beaten"),
            ("wins", "1 for a win"),
            ("places", "a number for each place"),
            ("score", "penalty points (Three Thirteen), fewest first"),
        ),
        help_text="Default: the share of opponents beaten, so that tables of any size weigh the same.",
    )
    places = forms.CharField(required=False, label="Points for places", help_text='For example "5 3 2 1".')
    per_turn = forms.IntegerField(
        widget=_default("24"),
        required=False,
        min_value=1,
        label="Time per turn (hours)",
        help_text="Default: 24 hours.",
    )
    proposals = forms.ChoiceField(
        required=False,
        label="Who may propose other rules",
        choices=_words(("entrants", "every entrant"), ("organisers", "organisers"), ("none", "nobody")),
        help_text="Default: every entrant in a season, else organisers.",
    )
    ratify = forms.ChoiceField(
        required=False,
        label="How rules are ratified",
        choices=_words(
            ("majority", "by more yes than no"),
            ("two_thirds", "by two thirds"),
            ("unanimous", "by everybody"),
            ("organiser", "by an organiser, with votes as advice"),
        ),
        help_text="Default: by more yes than no, with a yes from a quarter of those who may vote.",
    )
    weekend_pause = forms.BooleanField(required=False, help_text="The clocks stand still on Saturdays and Sundays.")
    on_timeout = forms.ChoiceField(
        required=False,
        label="Out of time",
        choices=_words(("play", "a move is made"), ("bot", "a bot takes over"), ("resign", "the player resigns")),
    )
    more = forms.CharField(
        required=False,
        label="Further settings as JSON",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text='For what has no field here, such as {"settings": {"best": 5}, "ruleset": "2023"}.',
    )

    def full_clean(self) -> None:
        """Read moments in the time zone of the person who typed them."""
        with timezone.override(_zone(self.data.get("zone"))):
            super().full_clean()

    def first(self) -> list[forms.BoundField]:
        """The fields that are decided first."""
        return [self[name] for name in self._first]

    def groups(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        """The other fields under their headings, and whether one of them needs a look."""
        found = []
        for title, names in GROUPS:
            fields = [self[name] for name in names if name not in self._first and self._is_shown(name)]
            if fields:
                found.append((title, fields, any(field.errors for field in fields)))
        return found

    @property
    def _kind(self) -> str:
        kind = str(self["kind"].value() or "rounds")
        return kind if kind in FIRST else "rounds"

    @property
    def _first(self) -> tuple[str, ...]:
        return FIRST[self._kind]

    def _is_shown(self, name: str) -> bool:
        return name not in FOREIGN[self._kind] or bool(self[name].value()) or bool(self[name].errors)

    def clean_more(self) -> dict[str, Any]:
        """A JSON object, or nothing."""
        text = self.cleaned_data["more"].strip()
        try:
            found = json.loads(text) if text else {}
        except ValueError as error:
            raise forms.ValidationError(f"This is not JSON: {error}.") from None
        if not isinstance(found, dict):
            raise forms.ValidationError("This must be a JSON object, such as {}.")
        return found

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        """The body. `complete`: empty fields are null, so that a change restores their defaults."""
        return body_of(self.cleaned_data, complete=complete)

    def refuse(self, error: Refused) -> None:
        """Show the errors beside the fields at fault."""
        fields = {path: name for name, path in PATHS.items()}
        shown = error.errors or ((None, error.detail),)
        for path, detail in shown:
            name = fields.get(path or "")
            self.add_error(name if name in self.fields else None, detail if name or not path else f"{path}: {detail}")


def _zone(name: str | None) -> ZoneInfo:
    """The zone of that name, or UTC if there is none."""
    return ZoneInfo(name if name in available_timezones() else "UTC")


assert {"opponents_beaten", "wins", "places", "score"} == set(SCHEMES)  # noqa: S101  a new scheme needs its words here
