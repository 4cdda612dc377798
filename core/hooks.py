"""How a feature joins in: a host declares a hook and asks it, and a feature adds its answer when its app is ready.

A feature is an app whose folder can be deleted, with its line in `FEATURES` in the settings. Nothing outside its folder
imports it. What it can hook into stands in `hooks.py` of the host, and others link to its pages by `address`. Its
`AppConfig` names its URLs (`api`, `pages`: modules with `urlpatterns`), what beat sends (`sweeps`: the seconds
between two runs, by task) and what people may do how often (`limits`: the usual rate and what it counts, by name).
"""

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from typing import Any, Generic, TypeVar
from uuid import UUID

from django.db.migrations import RunPython
from django.urls import NoReverseMatch, reverse

Answer = TypeVar("Answer")


class Hook(Generic[Answer]):
    """What features answer, in the order of their apps; a host does without any answer."""

    def __init__(self) -> None:
        self._answers: list[Answer] = []

    def add(self, answer: Answer) -> Answer:
        """Add an answer once; it can be a decorator."""
        if answer not in self._answers:
            self._answers.append(answer)
        return answer

    def __iter__(self) -> Iterator[Answer]:
        return iter(self._answers)


ANNOUNCED: Hook[Callable[..., None]] = Hook()
"""Called in a transaction with what a room or a tournament may say to its group: `(holder_id, topic, cause, *, subject,
subject_id, version, **data)`. A topic is a turn, a result, a round or standings."""
DROPPED: Hook[Callable[[UUID, Sequence[Mapping[str, str]], Collection[UUID]], list[dict[str, Any]]]] = Hook()
"""Of a room or tournament and the channels that its events name: the data of the `channels_changed` by which those go
that these players gave, who have no right to it any more."""

DUE: dict[str, Callable[[], object]] = {}
"""By the name of a task that beat sends every few seconds: whether it would find anything to do now. A look is a query,
and a task costs ten times that (config/beat.py)."""


def address(name: str, *args: Any) -> str | None:
    """The address of a feature's page; None if it is not there. In a template: `{% url name as address %}`."""
    try:
        return reverse(name, args=args)
    except NoReverseMatch:
        return None


def moved_from(app: str, to: str, *models: str) -> RunPython:
    """An operation for models that another app declares now: their tables, and the rights to them, stay."""

    def rename(apps: Any, _: Any) -> None:
        kinds = apps.get_model("contenttypes", "ContentType").objects
        kinds.filter(app_label=app, model__in=[name.lower() for name in models]).update(app_label=to)

    return RunPython(rename, RunPython.noop)
