"""The form that sets a tournament up. Its fields follow from the settings of a plan, and say what each does."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.forms.utils import ErrorDict
from django.http import QueryDict
from django.utils import timezone

from core.forms import field_of
from core.text import whole_in
from games.rules import GAMES
from games.wording import span
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream.plan import MAX_TITLE, OF_STAGE, SETTINGS, STAGE, merged
from tournaments.stream.reading import GROUPS, HOUR, Setting

KINDS = [
    ("rounds", "Rounds: everyone plays every round"),
    ("season", "Season: entrants open games when they like"),
    ("knockout", "Knockout: the best of each table go on"),
]
STAGES = ("stages", "In stages: rounds or a season first, then a final of the best")
# The fields that an organiser decides first, by kind. The rest has sensible defaults and is folded away.
FIRST: Mapping[str, tuple[str, ...]] = {
    "rounds": ("title", "visibility", "guests", "rounds", "size", "starts_at", "deadline", "per_turn"),
    "season": ("title", "visibility", "guests", "opens_at", "closes_at", "per_turn"),
    "knockout": ("title", "visibility", "guests", "size", "advance", "starts_at", "deadline", "per_turn"),
    "stages": ("title", "visibility", "guests", "starts_at", "per_turn"),
}
FIRST_OF_STAGE = ("kind", "title", "rounds", "size", "advance", "opens_at", "closes_at", "lasts", "deadline", "take")
FIELDS = {setting.of_form: setting for setting in SETTINGS if setting.group is not None}
OWN_OF_STAGE = {name: one for name, one in FIELDS.items() if one.name.partition(".")[0] in OF_STAGE}
BESIDE_STAGES = {name: one for name, one in FIELDS.items() if name not in OWN_OF_STAGE}
ADD, DROP = "add-stage", "drop-stage"


class SpanField(forms.Field):
    """Hours, typed as "36", "36 hours", "3 days" or "1 day 12 hours"."""

    _TYPED = re.compile(r"(?:(\d{1,4}) *d(?:ays?)?)?[ ,]*(?:(\d{1,5}) *(?:h(?:ours?)?)?)?", re.IGNORECASE)

    def __init__(self, *, least: int = 0, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.least, self.most = least, most

    def to_python(self, value: Any) -> int | None:
        if not (typed := str(value or "").strip()):
            return None
        found = self._TYPED.fullmatch(typed)
        if found is None:
            raise forms.ValidationError("Type days and hours, such as 3 days, 36 hours, or 1 day 12 hours.")
        return 24 * int(found[1] or 0) + int(found[2] or 0)

    def validate(self, value: int | None) -> None:
        super().validate(value)
        if value is not None and value < self.least:
            raise forms.ValidationError(f"This must be at least {span(self.least * HOUR)}.")
        if value is not None and self.most is not None and value > self.most:
            raise forms.ValidationError(f"This must be at most {span(self.most * HOUR)}.")

    def prepare_value(self, value: Any) -> Any:
        return span(value * HOUR) if isinstance(value, int) else value


def field_for(setting: Setting) -> forms.Field:
    # What applies if it is left empty stands in the field.
    empty: str | None = setting.empty or str("none" if setting.default is None else setting.default)
    if setting.words is not None:
        default = setting.empty or setting.words.get(setting.default)
        empty = None if setting.name == "visibility" else f"default: {default}" if default else "default"
    elif setting.type in (str, list):
        empty = None
    least, most = -(-(setting.least or 0) // setting.unit), setting.most and setting.most // setting.unit
    field = field_of(replace(setting, least=least, most=most, empty=empty))
    if setting.unit != HOUR:
        return field
    widget, about = forms.TextInput(attrs={"placeholder": empty}), {"label": field.label, "help_text": field.help_text}
    return SpanField(widget=widget, least=least, most=most, required=field.required, **about)


class JSON(forms.JSONField):
    """An empty field is empty, and not null."""

    def prepare_value(self, value: Any) -> Any:
        return "" if value is None else super().prepare_value(value)


class _SettingsForm(forms.Form):
    """Settings, of which empty ones have their defaults; `body` is a part of the body of ``POST tournaments``."""

    more = JSON(
        required=False,
        error_messages={"invalid": "This is not JSON."},
        label="Further settings as JSON",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text='For what has no field here, such as {"settings": {"best": 5}}.',
    )

    def _take_in(self, settings: Mapping[str, Setting]) -> None:
        self.settings = settings
        self.fields.update({name: field_for(setting) for name, setting in settings.items() if name not in self.fields})

    def _require(self, name: str) -> None:
        self.fields[name].required = True
        self.fields[name].widget.attrs["placeholder"] = ""

    def full_clean(self) -> None:
        """Read moments in the time zone of the person who typed them; nothing while only a row comes or goes."""
        if self.changes_rows:
            self._errors, self.cleaned_data = ErrorDict(), {}
            return
        with timezone.override(_zone(self.data.get("zone"))):
            super().full_clean()

    def is_valid(self) -> bool:
        return not self.changes_rows and super().is_valid()

    @property
    def changes_rows(self) -> bool:
        return ADD in self.data or DROP in self.data

    @property
    def _kind(self) -> str:
        kind = str(self["kind"].value() or "rounds")
        return kind if kind in FIRST else "rounds"

    @property
    def paths(self) -> dict[str, str]:
        own = {name: name for name in ("title", "game", "kind") if name in self.fields}
        return own | {name: one.name for name, one in self.settings.items() if name in self.fields}

    def clean_more(self) -> dict[str, Any]:
        found = {} if self.cleaned_data["more"] is None else self.cleaned_data["more"]
        if not isinstance(found, dict):
            raise forms.ValidationError("This must be a JSON object, such as {}.")
        return found

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        """The body. `complete`: empty fields are null, so that a change restores their defaults."""
        body: dict[str, Any] = {}
        for name, path in self.paths.items():
            value = _value(self.settings.get(name), self.cleaned_data.get(name))
            if value is not None or complete:
                _put(body, path, value)
        return merged(body, self.cleaned_data["more"])


class StageForm(_SettingsForm):
    """A stage as a row of the form. What its kind does not have is out of sight, unless something is wrong with it."""

    use_required_attribute = False  # a field that is out of sight would hold up the form
    kind = forms.ChoiceField(choices=KINDS)

    def __init__(self, *args: Any, first: bool, last: bool, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        gone = (("carry", "lasts") if first else ("opens_at", "closes_at")) + (("take", "break") if last else ())
        self._take_in({name: one for name, one in {**STAGE, **OWN_OF_STAGE}.items() if name not in gone})
        for name, one in self.settings.items():
            if len(one.kinds) < len(KINDS):
                self.fields[name].widget.attrs["data-kinds"] = " ".join(one.kinds)
        if self._kind == "knockout":
            self._require("advance")
        if not last:
            self._require("take")
            if self._kind == "rounds":
                self._require("rounds")

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in FIRST_OF_STAGE if name in self.fields]

    def rest(self) -> list[forms.BoundField]:
        return [field for field in self if field.name not in FIRST_OF_STAGE]

    def is_open(self) -> bool:
        return any(field.errors for field in self.rest())


class SetUpForm(_SettingsForm):
    """A tournament to set up, with a row for each of its stages if it has any."""

    # The browser's zone, in which moments are typed; `dashboard/zone.js` fills it in.
    zone = forms.CharField(required=False, initial="UTC", widget=forms.HiddenInput)
    title = forms.CharField(max_length=MAX_TITLE, help_text="What people read everywhere.")
    game = forms.ChoiceField(choices=lambda: [(name, rules.title) for name, rules in GAMES.items()])
    kind = forms.ChoiceField(choices=[*KINDS, STAGES])

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(_without_dropped(data) if data is not None and DROP in data else data, **kwargs)
        self.stages = self._rows() if self._kind == "stages" else []
        self._take_in(BESIDE_STAGES if self.stages else FIELDS)
        if self._kind == "knockout":
            self._require("advance")  # it has no default (KO1)

    def _rows(self) -> list[StageForm]:
        sent = [number for number in range(MOST_STAGES) if f"stage-{number}-kind" in self.data]
        known: list[Any] = [{}] * len(sent) or self.initial.get("stages") or [{"kind": "rounds"}, {"kind": "knockout"}]
        rows = [*known, *([{"kind": "knockout"}] if ADD in self.data else [])][:MOST_STAGES]
        return [
            StageForm(
                self.data if number in sent else None,
                prefix=f"stage-{number}",
                initial=initial,
                first=number == 0,
                last=number + 1 == len(rows),
            )
            for number, initial in enumerate(rows)
        ]

    def is_valid(self) -> bool:
        return super().is_valid() and all(row.is_valid() for row in self.stages)

    def is_refused(self) -> bool:
        return self.is_bound and not self.changes_rows and not self.is_valid()

    def may_add(self) -> bool:
        return len(self.stages) < MOST_STAGES

    def may_drop(self) -> bool:
        return len(self.stages) > 1

    def place_of(self, path: str) -> tuple[forms.Form, str]:
        """The form and the field at which an error is shown: that of a stage in its row."""
        form: _SettingsForm = self
        if path.startswith("stages."):
            _, number, path = path.split(".", 2)
            form = self.stages[int(number)]
        # What is wrong with settings.tables as a whole is said at the first of its fields.
        own = {path: name for name, path in form.paths.items()}
        first = (name for at, name in own.items() if "." in path and at.startswith(f"{path}."))
        return form, own.get(path) or next(first, path)

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in FIRST[self._kind]]

    def groups(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        found = []
        named = {group: [name for name, one in self.settings.items() if one.group == group] for group in GROUPS}
        named[GROUPS[0]][:0] = ["game", "kind"]
        for title, names in {**named, "Anything else": ["more"]}.items():
            fields = [self[name] for name in names if name not in FIRST[self._kind] and self._is_shown(name)]
            if fields:
                found.append((title, fields, any(field.errors for field in fields)))
        return found

    def _is_shown(self, name: str) -> bool:
        """Those that the kind does not have are shown if they were given all the same, with their errors."""
        own = self.stages or name not in self.settings or self._kind in self.settings[name].kinds
        return bool(own or self[name].value() or self[name].errors)

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        body = super().body(complete=complete)
        if self.stages:
            del body["kind"]
            body["stages"] = [row.body() for row in self.stages]
        return body


def _without_dropped(data: QueryDict) -> QueryDict:
    """The fields as they are without the stage that is taken out: those of later ones move up."""
    dropped, kept = whole_in(str(data[DROP]), MOST_STAGES), QueryDict(mutable=True)
    if dropped is None or "stage-1-kind" not in data:
        return data
    for name, values in data.lists():
        found = _OF_STAGE.fullmatch(name)
        number = int(found[1]) if found else -1
        if found and number > dropped:
            kept.setlist(f"stage-{number - 1}-{found[2]}", values)
        elif number != dropped:
            kept.setlist(name, values)
    return kept


_OF_STAGE = re.compile(r"stage-(\d)-(.+)")


def as_last_time(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for a tournament like an earlier one: everything but its dates."""
    initial = initial_of(asked)
    for part in (initial, *initial.get("stages", ())):
        for name, one in FIELDS.items():
            if one.type is datetime:
                part.pop(name, None)
    return initial


def initial_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    rest = json.loads(json.dumps(asked))
    stages = rest.pop("stages", None) or ()
    found = {"rated": True, "plans": True, **_initial(rest, FIELDS)}
    return found | (
        {"kind": STAGES[0], "stages": [_initial(stage, STAGE | OWN_OF_STAGE) for stage in stages]} if stages else {}
    )


def _initial(rest: dict[str, Any], settings: Mapping[str, Setting]) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    for name in ("title", "game", "kind", *settings):
        setting = settings.get(name)
        path = setting.name if setting else name
        value = _take(rest, path)
        if value is None:
            continue
        if setting is not None and setting.type is int:
            if value % setting.unit:
                _put(rest, path, value)  # not a whole number of the form's unit
                continue
            value //= setting.unit
        elif setting is not None and setting.type is datetime:
            value = datetime.fromisoformat(value).astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
        elif setting is not None and setting.type is list:
            value = " ".join(map(str, value))
        initial[name] = value
    rest = _pruned(rest)
    if rest:
        initial["more"] = rest
    return initial


def _value(setting: Setting | None, value: Any) -> Any:
    if setting is not None and setting.type is bool:
        return bool(value)
    if value in (None, ""):
        return None
    if setting is not None and setting.type is int:
        return value * setting.unit
    if setting is not None and setting.type is list:
        return value.replace(",", " ").split()
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def _put(given: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = path.split(".")
    for key in outer:
        given = given.setdefault(key, {})
    given[last] = value


def _take(given: dict[str, Any], path: str) -> Any:
    *outer, last = path.split(".")
    for key in outer:
        found = given.get(key)
        if not isinstance(found, dict):
            return None
        given = found
    return given.pop(last, None)


def _pruned(given: dict[str, Any]) -> dict[str, Any]:
    kept = {key: _pruned(value) if isinstance(value, dict) else value for key, value in given.items()}
    return {key: value for key, value in kept.items() if value not in ({}, None)}


def _zone(name: str | None) -> ZoneInfo:
    return ZoneInfo(name if name in available_timezones() else "UTC")
