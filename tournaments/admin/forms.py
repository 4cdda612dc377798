"""The form that sets a tournament up. Its fields follow from the settings of a plan, and say what each does."""

import re
from collections.abc import Iterable, Mapping
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
from games.pages.lobby.forms import OPTION, fields_of_rules, options_in
from games.rules import GAMES, PLAYED
from games.rules.words import ordinal
from games.wording import in_text, span
from tournaments.picture.changes import SettingChange
from tournaments.rules.settings import MOST_STAGES
from tournaments.stream.plan import MAX_TITLE, OF_STAGE, SETTINGS, STAGE
from tournaments.stream.reading import DAY, GROUPS, HOUR, Setting, is_entrant

KINDS = [
    ("rounds", "Rounds: everyone plays every round"),
    ("season", "Season: entrants open games whenever they like"),
    ("knockout", "Knockout: the best at each table go through"),
]
STAGES = ("stages", "Stages: rounds or a season first, then a final of the best")
# The fields that an organiser decides first, by kind. The rest has sensible defaults and is folded away.
FIRST: Mapping[str, tuple[str, ...]] = {
    "rounds": ("title", "visibility", "guests", "rounds", "size", "starts_at", "deadline", "per_turn"),
    "season": ("title", "visibility", "guests", "opens_at", "closes_at", "per_turn"),
    "knockout": ("title", "visibility", "guests", "size", "advance", "starts_at", "deadline", "per_turn"),
    "stages": ("title", "visibility", "guests", "starts_at", "per_turn"),
}
FIRST_OF_STAGE = ("kind", "title", "rounds", "size", "advance", "opens_at", "closes_at", "lasts", "deadline", "take")
FIELDS = {setting.of_form: setting for setting in SETTINGS if setting.group is not None}
OPTIONS = {name for game in GAMES.values() for ruleset in game.rulesets for name in game.options_of(ruleset)}
OWN_OF_STAGE = {name: one for name, one in FIELDS.items() if one.name.partition(".")[0] in OF_STAGE}
BESIDE_STAGES = {name: one for name, one in FIELDS.items() if name not in OWN_OF_STAGE}
ADD, DROP, GAME = "add-stage", "drop-stage", "other-game"
NOTHING = "-"


class SpanField(forms.Field):
    """Seconds, typed as "36 hours", "3 days" or "1 day 12 hours"; a number alone is in its `unit`."""

    _TYPED = re.compile(
        "[ ,]*".join(
            rf"(?:(\d{{1,8}}) *{word[0]}(?:{word[1:]})?)?" for word in ("days?", "hours?", "minutes?", "seconds?")
        ),
        re.IGNORECASE,
    )

    def __init__(self, *, unit: int = HOUR, least: int = 0, most: int | None = None, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.unit, self.least, self.most = unit, least, most

    def to_python(self, value: Any) -> int | None:
        if not (typed := str(value or "").strip()):
            return None
        if re.fullmatch(r"[0-9]{1,8}", typed):
            return int(typed) * self.unit
        found = self._TYPED.fullmatch(typed)
        if found is None:
            raise forms.ValidationError("Type days and hours, such as 3 days, 36 hours, or 1 day 12 hours.")
        return sum(int(count or 0) * unit for count, unit in zip(found.groups(), (DAY, HOUR, 60, 1), strict=True))

    def validate(self, value: int | None) -> None:
        super().validate(value)
        if value is not None and value < self.least:
            raise forms.ValidationError(f"This must be at least {span(self.least)}.")
        if value is not None and self.most is not None and value > self.most:
            raise forms.ValidationError(f"This must be at most {span(self.most)}.")

    def prepare_value(self, value: Any) -> Any:
        return span(value) if isinstance(value, int) else value


class _Order(forms.MultiWidget):
    """As many choices as there are words, one below the other."""

    def decompress(self, value: Any) -> list[Any]:
        return list(value or ([] if value is None else [NOTHING]))

    def id_for_label(self, id_: str, index: str = "0") -> str:
        return f"{id_}_{index}"


class OrderField(forms.MultiValueField):
    """Words in an order; None if nothing is chosen. NOTHING ends it."""

    def __init__(self, words: Mapping[str, str], **about: Any) -> None:
        choices = {"": "", **words, NOTHING: "nothing more: they share a place"}
        first = {**choices, "": "default", NOTHING: "nothing: they share a place"}
        parts = [
            forms.ChoiceField(
                required=False,
                choices=(choices if number else first).items(),
                widget=forms.Select(attrs={"aria-label": f"{about['label']}, {ordinal(number + 1)}"}),
            )
            for number in range(len(words))
        ]
        super().__init__(parts, widget=_Order([part.widget for part in parts]), require_all_fields=False, **about)

    def compress(self, chosen: list[str]) -> list[str] | None:
        named = [word for word in chosen if word]
        until = named.index(NOTHING) if NOTHING in named else len(named)
        return list(dict.fromkeys(named[:until])) if named else None


def field_for(setting: Setting) -> forms.Field:
    # What applies if it is left empty stands in the field.
    empty: str | None = setting.empty or str("none" if setting.default is None else setting.default)
    if setting.type is list and setting.words is not None:
        return OrderField(setting.words, required=False, label=setting.label, help_text=setting.help)
    if setting.words is not None:
        default = setting.empty or setting.words.get(setting.default)
        empty = None if setting.name == "visibility" else f"default: {default}" if default else "default"
    elif setting.type in (str, list):
        empty = setting.empty
    least = 0 if setting.nullable else setting.least or 0
    if setting.unit == 1:
        return field_of(replace(setting, least=least, empty=empty))
    about = {"label": setting.label, "help_text": setting.help, "widget": forms.TextInput(attrs={"placeholder": empty})}
    return SpanField(unit=setting.unit, least=least, most=setting.most, required=False, **about)


class _SettingsForm(forms.Form):
    """Settings, of which empty ones have their defaults; `body` is a part of the body of ``POST tournaments``."""

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
        return bool({ADD, DROP, GAME} & self.data.keys())

    @property
    def _kind(self) -> str:
        kind = str(self["kind"].value() or "rounds")
        return kind if kind in FIRST else "rounds"

    @property
    def paths(self) -> dict[str, str]:
        """Where in the body the fields of settings are."""
        own = {name: name for name in ("title", "game", "kind") if name in self.fields}
        return own | {name: one.name for name, one in self.settings.items() if name in self.fields}

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        """The body. `complete`: empty fields are null, so that a change restores their defaults."""
        body: dict[str, Any] = {}
        for name, path in self.paths.items():
            setting = self.settings.get(name)
            value = _value(setting, self.cleaned_data.get(name))
            if setting is not None and setting.nullable and (complete or value is not None):
                # Here null is a value, and no way back to the default.
                _put(body, path, setting.default_after({"kind": self._kind}) if value is None else value or None)
            elif value is not None or complete:
                _put(body, path, value)
        return body


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
        return any(map(_is_to_be_seen, self.rest()))


class SetUpForm(_SettingsForm):
    """A tournament to set up, with a row for each of its stages if it has any."""

    # The browser's zone, in which moments are typed; `dashboard/zone.js` fills it in.
    zone = forms.CharField(required=False, initial="UTC", widget=forms.HiddenInput)
    title = forms.CharField(max_length=MAX_TITLE, help_text="The name people see everywhere.")
    game = forms.ChoiceField(choices=lambda: [(name, rules.title) for name, rules in GAMES.items()])
    kind = forms.ChoiceField(choices=[*KINDS, STAGES])

    def __init__(self, data: QueryDict | None = None, **kwargs: Any) -> None:
        super().__init__(_without_dropped(data) if data is not None and DROP in data else data, **kwargs)
        self.others: list[tuple[SettingChange, forms.BoundField | None, bool]] = []
        """What others have changed meanwhile, its field, and whether it was changed here, too."""
        self.stages = self._rows() if self._kind == "stages" else []
        if (fixed := self.initial.get("game")) in PLAYED and fixed not in GAMES:
            # The rules of a house game are written elsewhere: it stays.
            self.fields["game"] = forms.ChoiceField(choices=[(fixed, PLAYED[fixed].title)])
        game = str(self["game"].value())
        self.rules = fields_of_rules(PLAYED.get(game) or next(iter(GAMES.values())))
        self.fields.update(self.rules)
        self._take_in(BESIDE_STAGES if self.stages else FIELDS)
        for name, one in self.settings.items():
            if one.type is bool:
                self.initial.setdefault(
                    name, one.default_after({"game": game if game in PLAYED else next(iter(GAMES))})
                )
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

    @classmethod
    def merged(
        cls, sent: QueryDict, before: Mapping[str, Any], saved: Mapping[str, Any], changes: Iterable[SettingChange]
    ) -> "SetUpForm":
        """What was sent from a page that showed `before`, with what others have changed since (initial values).

        A field that was left alone takes what is saved. One that was changed as well keeps what was sent, and says what
        is saved.
        """
        forms_of = cls(sent), cls(initial=before), cls(initial=saved)
        zone = _zone(sent.get("zone"))
        mine, then, theirs = (_meant(form, zone) for form in forms_of)
        differ = {name for name in {**mine, **then, **theirs} if mine.get(name) != theirs.get(name)}
        typed = {name for name in differ if mine.get(name) != then.get(name)}
        rows = {name for name in differ if name.startswith("stage-")}
        # If stages came or went, all of them are as one field.
        if typed & rows and len({len(form.stages) for form in forms_of}) > 1:
            typed |= rows
        # What the saved kind or game does not have stays with those that have it.
        if typed - theirs.keys():
            typed |= differ & {"kind", "game"}
        data = sent.copy()
        for name in mine.keys() - theirs.keys() - typed:
            data.pop(name, None)
        for name, field in _each(forms_of[2]).items():
            if name not in typed:
                _send(data, field, zone)
        form = cls(data, initial=dict(saved))
        for change in changes:
            at = form.field_at(change.path)
            # What has no field here would be there in another kind, game or number of stages.
            both = bool(typed & ({"kind", "game", *rows} if at is None else {at.html_name}))
            if at is not None and both:
                at.field.change = change  # type: ignore[attr-defined]
            form.others.append((change, at, both))
        return form

    def field_at(self, path: str) -> forms.BoundField | None:
        """The field of a path in the body."""
        if path.startswith("stages.") and int(path.split(".")[1]) >= len(self.stages):
            return None
        form, name = self.place_of(path)
        return form[name] if name in form.fields else None

    @property
    def is_in_conflict(self) -> bool:
        return any(both for _, _, both in self.others)

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
        own |= {path.replace(OPTION, "options."): path for path in self.rules}
        first = (name for at, name in own.items() if "." in path and at.startswith(f"{path}."))
        return form, own.get(path) or next(first, path)

    def first(self) -> list[forms.BoundField]:
        return [self[name] for name in FIRST[self._kind]]

    def groups(self) -> list[tuple[str, list[forms.BoundField], bool]]:
        found = []
        named = {group: [name for name, one in self.settings.items() if one.group == group] for group in GROUPS}
        named[GROUPS[0]][:0] = ["kind", "game", *self.rules]
        for title, names in named.items():
            fields = [self[name] for name in names if name not in FIRST[self._kind] and self._is_shown(name)]
            if fields:
                found.append((title, fields, any(map(_is_to_be_seen, fields))))
        return found

    def _is_shown(self, name: str) -> bool:
        """Those that the kind does not have are shown if they were given all the same, with their errors."""
        own = self.stages or name not in self.settings or self._kind in self.settings[name].kinds
        return bool(own or self[name].value() or self[name].errors)

    def body(self, *, complete: bool = False) -> dict[str, Any]:
        body = super().body(complete=complete)
        options = options_in(self.cleaned_data)
        if options or complete:
            body["options"] = {**(dict.fromkeys(OPTIONS) if complete else {}), **options}
        if (ruleset := self.cleaned_data.get("ruleset") or None) or complete:
            body["ruleset"] = ruleset
        if self.stages:
            del body["kind"]
            body["stages"] = [row.body() for row in self.stages]
        return body


def _is_to_be_seen(field: forms.BoundField) -> bool:
    return bool(field.errors or getattr(field.field, "change", None))


def _each(form: SetUpForm) -> dict[str, forms.BoundField]:
    """All fields by the names under which they are sent."""
    return {field.html_name: field for part in (form, *form.stages) for field in part if field.name != "zone"}


def _meant(form: SetUpForm, zone: ZoneInfo) -> dict[str, Any]:
    """What each field says as it was sent, or would say if the page that shows it was sent as it is."""
    with timezone.override(zone if form.is_bound else UTC):
        return {
            name: _cleaned(field, field.data if form.is_bound else _initially(field))
            for name, field in _each(form).items()
        }


def _cleaned(field: forms.BoundField, raw: Any) -> Any:
    try:
        found = field.field.clean(raw)
    except forms.ValidationError:
        found = raw
    return None if found == "" else found


def _initially(field: forms.BoundField) -> Any:
    widget = field.field.widget
    if isinstance(widget, _Order):
        parts = widget.decompress(field.initial)
        return [*parts, *[""] * (len(widget.widgets) - len(parts))]
    return field.field.prepare_value(field.initial)


def _send(data: QueryDict, field: forms.BoundField, zone: ZoneInfo) -> None:
    """Put the initial value in the place of what was sent."""
    value, name = _initially(field), field.html_name
    if isinstance(value, list):
        for number, part in enumerate(value):
            data[f"{name}_{number}"] = part
        return
    data.pop(name, None)
    if value and isinstance(field.field, forms.DateTimeField):
        value = f"{datetime.fromisoformat(value).replace(tzinfo=UTC).astimezone(zone):%Y-%m-%dT%H:%M}"
    if value not in (None, "", False):
        data[name] = "on" if value is True else str(value)


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
    if initial.get("game") not in GAMES:
        del initial["game"]
    for part in (initial, *initial.get("stages", ())):
        for name, one in FIELDS.items():
            if one.type is datetime:
                part.pop(name, None)
    return initial


def initial_of(asked: Mapping[str, Any]) -> dict[str, Any]:
    stages = asked.get("stages") or ()
    found = _initial(asked, FIELDS)
    found |= {OPTION + name: in_text(value) for name, value in (asked.get("options") or {}).items() if name in OPTIONS}
    found |= {"ruleset": asked["ruleset"]} if asked.get("ruleset") else {}
    return found | (
        {"kind": STAGES[0], "stages": [_initial(stage, STAGE | OWN_OF_STAGE) for stage in stages]} if stages else {}
    )


def _initial(asked: Mapping[str, Any], settings: Mapping[str, Setting]) -> dict[str, Any]:
    initial: dict[str, Any] = {}
    for name in ("title", "game", "kind", *settings):
        setting = settings.get(name)
        path = setting.name if setting else name
        value = _found(asked, path)
        if setting is not None and setting.nullable and name in (asked.get("settings") or {}):
            value = None if value == setting.default_after({"kind": asked.get("kind")}) else value or 0
        if value is None:
            continue
        if setting is not None and setting.type is datetime:
            value = datetime.fromisoformat(value).astimezone(UTC).strftime("%Y-%m-%dT%H:%M")
        elif isinstance(value, list) and not (setting and setting.words):
            value = " ".join(map(str, value))
        initial[name] = value
    return initial


def _value(setting: Setting | None, value: Any) -> Any:
    if setting is not None and setting.type is bool:
        return bool(value)
    if value in (None, ""):
        return None
    if setting is not None and isinstance(value, str) and setting.type in (list, object):
        words = value.replace(",", " ").split()
        return words if setting.type is list or is_entrant("".join(words[:1])) else value
    return value.astimezone(UTC).isoformat().replace("+00:00", "Z") if isinstance(value, datetime) else value


def _put(given: dict[str, Any], path: str, value: Any) -> None:
    *outer, last = path.split(".")
    for key in outer:
        given = given.setdefault(key, {})
    given[last] = value


def _found(given: Mapping[str, Any], path: str) -> Any:
    found: Any = given
    for key in path.split("."):
        found = found.get(key) if isinstance(found, Mapping) else None
    return found


def _zone(name: str | None) -> ZoneInfo:
    return ZoneInfo(name if name in available_timezones() else "UTC")
