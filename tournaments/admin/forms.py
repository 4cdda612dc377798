"""The form that sets a tournament up. Its fields follow from the settings of a plan, and say what each does."""

import json
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo, available_timezones

from django import forms
from django.utils import timezone

from games.rules import GAMES
from games.wording import span
from tournaments.stream.plan import MAX_TITLE, SETTINGS, merged
from tournaments.stream.reading import GROUPS, HOUR, Setting

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
FIELDS = {setting.name: setting for setting in SETTINGS if setting.group is not None}
PATHS = {"title": "title", "game": "game", "kind": "kind", **{name: one.path for name, one in FIELDS.items()}}


class SpanField(forms.Field):
    """Hours, typed as "36", "36 hours", "3 days" or "1 day 12 hours"."""

    _TYPED = re.compile(r"(?:(\d{1,4}) *d(?:ays?)?)?[ ,]*(?:(\d{1,5}) *(?:h(?:ours?)?)?)?", re.IGNORECASE)

    def to_python(self, value: Any) -> int | None:
        if not (typed := str(value or "").strip()):
            return None
        found = self._TYPED.fullmatch(typed)
        if found is None:
            raise forms.ValidationError("Type days and hours, such as 3 days, 36 hours, or 1 day 12 hours.")
        return 24 * int(found[1] or 0) + int(found[2] or 0)

    def prepare_value(self, value: Any) -> Any:
        return span(value * HOUR) if isinstance(value, int) else value


def _field(setting: Setting) -> forms.Field:
    about: dict[str, Any] = {"required": False, "label": setting.label, "help_text": setting.help}
    if setting.words is not None:
        default = setting.empty or setting.words.get(setting.default)
        nothing = [] if setting.path == "visibility" else [("", f"default: {default}" if default else "default")]
        return forms.ChoiceField(choices=[*nothing, *setting.words.items()], **about)
    if setting.type is bool:
        return forms.BooleanField(initial=setting.default, **about)
    if setting.type is datetime:
        return forms.DateTimeField(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}), **about)
    if setting.type is list:
        return forms.CharField(**about)
    # What applies if it is left empty stands in the field.
    empty = setting.empty or ("none" if setting.default is None else setting.default)
    if setting.unit == HOUR:
        return SpanField(widget=forms.TextInput(attrs={"placeholder": empty}), **about)
    shown = forms.NumberInput(attrs={"placeholder": empty})
    return forms.IntegerField(widget=shown, min_value=-(-setting.least // setting.unit), **about)


class SetUpForm(forms.Form):
    """A tournament to set up. `body` is the body of ``POST tournaments``; empty fields have their defaults."""

    # The browser's zone, in which moments are typed; `dashboard/zone.js` fills it in.
    zone = forms.CharField(required=False, initial="UTC", widget=forms.HiddenInput)
    title = forms.CharField(max_length=MAX_TITLE, help_text="What people read everywhere.")
    game = forms.ChoiceField(choices=lambda: [(name, rules.title) for name, rules in GAMES.items()])
    kind = forms.ChoiceField(choices=KINDS)
    more = forms.JSONField(
        required=False,
        error_messages={"invalid": "This is not JSON."},
        label="Further settings as JSON",
        widget=forms.Textarea(attrs={"rows": 3}),
        help_text='For what has no field here, such as {"settings": {"best": 5}, "ruleset": "2023"}.',
    )

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.fields.update({name: _field(setting) for name, setting in FIELDS.items()})
        # A knockout has no default for it (KO1).
        self.fields["advance"].required = self._kind == "knockout"
        self.fields["advance"].widget.attrs["placeholder"] = ""

    def full_clean(self) -> None:
        """Read moments in the time zone of the person who typed them."""
        with timezone.override(_zone(self.data.get("zone"))):
            super().full_clean()

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in FIRST[self._kind]]

    def groups(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        found = []
        named = {group: [name for name, one in FIELDS.items() if one.group == group] for group in GROUPS}
        named[GROUPS[0]][:0] = ["game", "kind"]
        for title, names in {**named, "Anything else": ["more"]}.items():
            fields = [self[name] for name in names if name not in FIRST[self._kind] and self._is_shown(name)]
            if fields:
                found.append((title, fields, any(field.errors for field in fields)))
        return found

    @property
    def _kind(self) -> str:
        kind = str(self["kind"].value() or "rounds")
        return kind if kind in FIRST else "rounds"

    def _is_shown(self, name: str) -> bool:
        """Those that the kind does not have are shown if they were given all the same, with their errors."""
        own = name not in FIELDS or self._kind in FIELDS[name].kinds
        return own or bool(self[name].value()) or bool(self[name].errors)

    def clean_more(self) -> dict[str, Any]:
        found = {} if self.cleaned_data["more"] is None else self.cleaned_data["more"]
        if not isinstance(found, dict):
            raise forms.ValidationError("This must be a JSON object, such as {}.")
        return found

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        """The body. `complete`: empty fields are null, so that a change restores their defaults."""
        body: dict[str, Any] = {}
        for name, path in PATHS.items():
            value = _value(FIELDS.get(name), self.cleaned_data.get(name))
            if value is not None or complete:
                _put(body, path, value)
        return merged(body, self.cleaned_data["more"])


def as_last_time(asked: Mapping[str, Any]) -> dict[str, Any]:
    """Return the form's initial values for a tournament like an earlier one: everything but its dates."""
    dates = [name for name, one in FIELDS.items() if one.type is datetime]
    return {name: value for name, value in initial_of(asked).items() if name not in dates}


def initial_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    rest = json.loads(json.dumps(asked))
    for name, path in PATHS.items():
        value = _take(rest, path)
        if value is None:
            continue
        setting = FIELDS.get(name)
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
    return {"rated": True, "plans": True, **initial}


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
