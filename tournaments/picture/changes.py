"""What has changed in a tournament's settings, in the words of their form."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.utils.text import capfirst

from games.rules import PLAYED
from games.wording import in_text, in_words, label_of, span
from tournaments.stream import Plan
from tournaments.stream.plan import OF_STAGE, SETTINGS, STAGE, TITLES
from tournaments.stream.reading import Setting

MOST_SAID = 4
_OF_FORM = [one for one in SETTINGS if one.group is not None]
_OWN_OF_STAGE = [one for one in _OF_FORM if one.name.partition(".")[0] in OF_STAGE]


@dataclass(frozen=True, slots=True)
class SettingChange:
    """`path`: as in the body of ``PATCH tournaments/{id}``."""

    path: str
    label: str
    was: str
    now: str

    def __str__(self) -> str:
        return f"{self.label}: {self.was}, now {self.now}"


def settings_changed(before: Plan, after: Plan) -> list[SettingChange]:
    """Each setting that differs, in the order of the form."""
    old, new = dict(_settings(before)), dict(_settings(after))
    found = []
    for path in {**new, **old}:
        was, now = old.get(path), new.get(path)
        if was is None or now is None or was[1] != now[1]:
            none = "as the rules say" if path.startswith("options.") else "none"
            label = (now or was or ("",))[0]
            found.append(SettingChange(path, label, was[2] if was else none, now[2] if now else none))
    return found


def in_short(changes: Collection[SettingChange]) -> list[str]:
    said = [f"{change}." for change in list(changes)[:MOST_SAID]]
    return said if len(said) == len(changes) else [*said, f"And {len(changes) - len(said)} more."]


def _settings(plan: Plan) -> Iterator[tuple[str, tuple[str, Any, str]]]:
    """Each setting by its path: its label, its value, and that in words."""
    given = plan.as_json()
    yield "title", ("Title", plan.title, plan.title)
    yield "game", ("Game", plan.game, PLAYED[plan.game].title)
    yield "kind", ("Kind", plan.kind, "in stages" if plan.stages else TITLES[plan.kind].lower())
    yield "ruleset", ("Ruleset", plan.ruleset, plan.ruleset)
    for name, value in plan.options.items():
        # The rules of a house game are sentences of their own.
        yield (
            f"options.{name}",
            (label_of(name), value, "those saved" if isinstance(value, Mapping) else in_words(value)),
        )
    for one in _OF_FORM:
        if not plan.stages or one not in _OWN_OF_STAGE:
            yield one.name, _setting(one, given)
    for number, stage in enumerate(given["stages"]):
        yield f"stages.{number}.kind", (f"Stage {number + 1}, kind", stage["kind"], TITLES[stage["kind"]].lower())
        for one in (*STAGE.values(), *_OWN_OF_STAGE):
            label, value, words = _setting(one, stage)
            yield f"stages.{number}.{one.name}", (f"Stage {number + 1}, {label[:1].lower()}{label[1:]}", value, words)


def _setting(one: Setting, given: Mapping[str, Any]) -> tuple[str, Any, str]:
    value: Any = given
    for key in one.name.split("."):
        value = value.get(key) if isinstance(value, Mapping) else None
    label = one.label or capfirst(one.of_form.replace("_", " "))
    return label.removesuffix(" (UTC)"), value, _said(one, value)


def _said(one: Setting, value: Any) -> str:
    words = one.words or {}
    if value is None or value == []:
        return "none" if one.nullable else one.empty or "none"
    if one.type is datetime:
        return f"{datetime.fromisoformat(value):%d %B %Y, %H:%M} UTC".lstrip("0")
    if isinstance(value, list):
        return ", ".join(str(words.get(each, each)) for each in value)
    if one.unit != 1:
        return span(value)
    return str(words.get(value) or in_text(value))
