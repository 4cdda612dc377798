"""The form of a room, drawn from the values that `GET rulesets` publishes: ranges, words and defaults."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from django import forms
from django.http import QueryDict
from django.utils.text import capfirst

from core.forms import field_of
from core.values import Value, values_of
from games.bots import levels_of
from games.clocks import Clock
from games.rules import GAMES, Game
from games.wording import hint_of, in_text, in_words, label_of, span

OPTION, CLOCK = "option_", "clock_"
CLOCK_VALUES = values_of(Clock)
FIRST = ("name", "seats", "bots", "visibility", "per_turn", "starts_full")
KEPT: tuple[str, ...] = ("seats", "visibility", "rated", "plans")
TURNS = (300, 3_600, 8 * 3_600, 86_400, 2 * 86_400, 3 * 86_400, 7 * 86_400)
RESERVES = (0, 3_600, 8 * 3_600, 86_400, 3 * 86_400, 7 * 86_400)
AS_THE_RULES, AS_USUAL = "as the rules say", "as usual"
#: How the bots play.
LEVELS = {
    "steady": "plays well",
    "random": "plays any legal card",
    "plain": "plays its lowest cards first",
    "easy": "plays like that, but makes mistakes",
}
#: The number of seats at a table if nobody said how large it is.
USUAL_SEATS = 4
MOST_BOTS = 7


class RoomForm(forms.Form):
    name = forms.CharField(
        label="Your name", min_length=2, max_length=40, widget=forms.TextInput(attrs={"autocomplete": "nickname"})
    )
    seats = forms.TypedChoiceField(label="Number of players", coerce=int)
    bots = forms.TypedChoiceField(label="Bots", coerce=int, required=False, help_text="A game with a bot is unrated.")
    visibility = forms.ChoiceField(
        label="Who can join",
        choices=[
            ("private", "Only people I send the link to"),
            ("public", "Anyone: the table is listed, and people can watch"),
        ],
    )
    per_turn = forms.TypedChoiceField(label="Time per turn", coerce=int, required=False, empty_value=None)
    starts_full = forms.BooleanField(label="Start when the table is full", required=False, initial=True)
    talk = forms.ChoiceField(
        label="Table chat",
        required=False,
        choices=[
            ("", "as usual: text and signs, or only signs at public tables"),
            ("all", "text and signs"),
            ("signs", "signs only"),
            ("off", "nothing"),
        ],
    )
    rated = forms.BooleanField(
        required=False, initial=True, help_text="The game counts for the leaderboards, unless a guest or a bot plays."
    )
    plans = forms.BooleanField(required=False, initial=True, help_text="Players can leave plans for their next turns.")
    people = forms.MultipleChoiceField(required=False, widget=forms.CheckboxSelectMultiple)

    def __init__(
        self,
        rules: Game,
        *args: Any,
        change: bool = False,
        nameless: bool = False,
        people: Sequence[str] = (),
        **kwargs: Any,
    ) -> None:
        """`people` are those whom the opener can invite with it, by name."""
        super().__init__(*args, **kwargs)
        self._offer("people", [(name, name) for name in people])
        self.rules = rules
        self.others: list[str] = []
        """What was changed elsewhere meanwhile, and stays so."""
        self._seats()
        if not nameless:
            del self.fields["name"]
        if change:
            for name in ("bots", "rated", "plans"):
                del self.fields[name]
        if rules.name not in GAMES:
            self.fields.pop("rated", None)
        self.fields.update(fields_of_rules(rules))
        for name, part in CLOCK_VALUES.items():
            if name != "per_turn":
                self.fields[CLOCK + name] = option_field(name, part, AS_USUAL)
        self._reserve()

    def _offer(self, name: str, choices: list[tuple[Any, str]], initial: Any = None) -> None:
        field = cast("forms.ChoiceField", self.fields[name])
        field.choices, field.initial = choices, initial

    def _seats(self) -> None:
        most = self.rules.max_seats
        # A room that has other options may have more.
        counts = sorted({*range(self.rules.min_seats, most + 1), self.initial.get("seats", most)})
        self._offer("seats", [(count, str(count)) for count in counts], min(USUAL_SEATS, most))
        bots = min(MOST_BOTS, most - 1)
        self._offer("bots", [(count, str(count) if count else "none") for count in range(bots + 1)], 0)
        turns = sorted({*TURNS, self.initial.get("per_turn") or TURNS[0]})
        usual = f"{span(CLOCK_VALUES['per_turn'].default)}, and no limit against bots alone"
        self._offer("per_turn", [("", usual), *((seconds, span(seconds)) for seconds in turns)])

    def _reserve(self) -> None:
        """Offer spans that people think in, as for a turn, instead of a number of seconds."""
        spans = sorted({*RESERVES, self.initial.get(CLOCK + "bank") or 0})
        self.fields[CLOCK + "bank"] = forms.TypedChoiceField(
            label="Reserve",
            coerce=int,
            required=False,
            empty_value=None,
            choices=[(seconds, span(seconds) if seconds else "none") for seconds in spans],
            initial=0,
            help_text="Extra time for each player in a game, used when a turn's own time runs out.",
        )

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in FIRST if name in self.fields]

    def rest(self) -> list[tuple[str, list[forms.BoundField]]]:
        clock = [name for name in self.fields if name.startswith(CLOCK)]
        kind: list[str] = [name for name in ("rated", "plans", "talk") if name in self.fields]
        rules = [name for name in self.fields if name == "ruleset" or name.startswith(OPTION)]
        groups: list[tuple[str, list[str]]] = [("Rules", rules), ("Clock", clock), ("Table", kind)]
        return [(title, [self[name] for name in names]) for title, names in groups if names]

    def is_open_below(self) -> bool:
        return any(field.errors or hasattr(field, "saved") for _, group in self.rest() for field in group)

    def wanted(self) -> dict[str, Any]:
        """Return what was chosen, in the services' form, without what was left unchanged."""
        data = self.cleaned_data
        body: dict[str, Any] = {name: data[name] for name in KEPT if name in self.fields}
        body["start"] = "full" if data["starts_full"] else "opener"
        body["talk"] = data["talk"] or None
        if data.get("ruleset"):
            body["ruleset"] = data["ruleset"]
        if any(name.startswith(OPTION) for name in self.fields):
            body["options"] = options_in(data)
        turn = {} if data["per_turn"] is None else {"per_turn": data["per_turn"]}
        # A practice game has no clock unless somebody chose one.
        body["clock"] = {**turn, **options_in(data, CLOCK)}
        return body

    @classmethod
    def merged(
        cls, rules: Game, sent: QueryDict, before: Mapping[str, Any] | None, saved: Mapping[str, Any]
    ) -> "RoomForm":
        """What was sent from a page that showed `before`, with what was changed elsewhere since (initial values).

        A field that was left alone takes what is saved. One that was changed as well keeps what was sent, and shows
        what is saved; so does each that differs if nobody knows what the page showed.
        """
        typed, differ = (
            set(cls(rules, sent, change=True, initial=dict(shown)).changed_data) for shown in (before or saved, saved)
        )
        data = sent.copy()
        for name in differ - typed:
            data[name] = saved.get(name) or ""
        form = cls(rules, data, change=True, initial=dict(saved))
        for name in form.fields:
            if before is None or before.get(name) != saved.get(name):
                field: Any = form[name]
                words = saved_in_words(field.initial, dict(getattr(field.field, "choices", ())))
                if name in typed & differ:
                    field.saved = words
                elif before is not None:
                    form.others.append(f"{field.label}: {words}")
        return form

    @property
    def is_in_conflict(self) -> bool:
        return any(hasattr(field, "saved") for field in self)

    def refuse(self, errors: Mapping[str, str]) -> None:
        for path, detail in errors.items():
            head, _, tail = path.partition(".")
            name = {"options": OPTION, "clock": CLOCK}.get(head, "") + (tail or head)
            name = {"username": "name", "start": "starts_full", CLOCK + "per_turn": "per_turn"}.get(name, name)
            if name in self.fields:
                # The label says what it is about.
                self.add_error(name, capfirst(detail.removeprefix(f"{tail or head} ")))
            else:
                self.add_error(None, detail)


class BotForm(forms.Form):
    def __init__(self, rules: Game) -> None:
        super().__init__()
        choices = [(level, f"{level}: {LEVELS[level]}") for level in reversed(levels_of(rules))]
        self.fields["level"] = forms.ChoiceField(choices=choices)


def saved_in_words(value: Any, choices: Mapping[Any, str]) -> str:
    """What a field's value is called on the page."""
    if isinstance(value, bool):
        return "on" if value else "off"
    named = {str(choice): words for choice, words in choices.items()}
    text = "" if value is None else str(value)
    return named.get(text, text) or "empty"


def initial_of(terms: Mapping[str, Any]) -> dict[str, Any]:
    clock = terms["clock"]
    return {
        "seats": terms["seats"],
        "visibility": terms["visibility"],
        "ruleset": terms["ruleset"],
        "per_turn": clock["per_turn"] if terms["named_clock"] else None,
        "starts_full": terms["start"] == "full",
        "talk": terms["talk"],
        **{OPTION + name: in_text(value) for name, value in terms["options"].items()},
        **{CLOCK + name: in_text(clock[name]) for name, part in CLOCK_VALUES.items() if clock[name] != part.default},
    }


def options_in(data: Mapping[str, Any], prefix: str = OPTION) -> dict[str, Any]:
    """The options that were chosen in fields of `option_field`, as the services take them."""
    words = {"yes": True, "no": False}
    return {
        name.removeprefix(prefix): words.get(value, value) if isinstance(value, str) else value
        for name, value in data.items()
        if name.startswith(prefix) and value not in (None, "")
    }


def fields_of_rules(rules: Game) -> dict[str, forms.Field]:
    """The ruleset, if there are several, and a field for each option; `options_in` reads these."""
    fields: dict[str, forms.Field] = {}
    if len(rules.rulesets) > 1:
        about = " ".join(f"{name}: {text}" for name, text in rules.rulesets.items())
        choices = [(name, name) for name in rules.rulesets]
        fields["ruleset"] = forms.ChoiceField(required=False, help_text=about, choices=choices)
    each = [rules.options_of(ruleset) for ruleset in rules.rulesets]
    for name, option in rules.options_of(rules.default_ruleset).items():
        if option.type is dict:
            continue  # the rules of a house game, which has a form of their own
        # Where the default depends on the ruleset, which one it will be is not known here.
        same = all(one[name].default == option.default for one in each)
        fields[OPTION + name] = option_field(name, option if same else replace(option, default=None), AS_THE_RULES)
    return fields


def option_field(name: str, option: Value, unset: str | None = None, *, initial: object = None) -> forms.Field:
    """A field for an option or a part of a clock; left empty it has its default, which is said after `unset`.

    Without `unset`, choices have no empty one.
    """
    hint, default = hint_of(name, option.help, option.words or ()), option.default
    empty = None if unset is None else unset if default is None else f"{unset}: {in_words(default)}"
    if option.type is bool:
        option = replace(option, words=("yes", "no"))
    elif option.words is not None:
        option = replace(option, words={word: in_words(word) for word in option.words})
    else:
        empty = "" if default is None else str(default)
    return field_of(replace(option, empty=empty, label=label_of(name), help=hint), required=False, initial=initial)
