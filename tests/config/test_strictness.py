"""The OpenAPI document is as strict as the server: what it forbids is refused, and what it allows is not malformed."""

import re
from collections import Counter
from collections.abc import Iterator
from contextlib import nullcontext
from functools import cache
from typing import Any

import pytest
import requests
from django.urls import resolve
from jsonschema_rs import Draft202012Validator
from schemathesis import GenerationMode
from schemathesis.core.parameters import ParameterLocation
from schemathesis.generation.drivers import CoverageGenerator
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.generation.overrides import Override

from tests.config.rights.rights_scene import EVERYBODY, Scene, taken_back
from tests.config.rights.test_rights import rows
from tests.games.api.client import Answer
from tests.openapi import DOCUMENT, OPERATIONS, SCHEMA

CONDITIONS = ("Authorization", "Idempotency-Key", "If-Match", "If-None-Match")
ORIGIN = "http://testserver"
IDS = dict.fromkeys(
    ("game_id", "tournament_id", "token_id", "webhook_id", "subscription_id", "chat_id", "channel_id", "house_game_id"),
    "00000000-0000-0000-0000-000000000000",
)
PARAMETERS = {
    **IDS, "version": "3", "number": "1", "n": "1", "entrant": "e1", "game": "threes", "username": "player",
    "other": "opener",
}  # fmt: skip

#: What a JSON Schema cannot say: parts of requests that it allows and the server may refuse, by what says more of them.
BEYOND_SCHEMA = {
    "the rules of the game": (
        "rated",
        "ruleset",
        "rules",
        "house_game",
        "made_from",
        "options",
        "seats",
        "bots",
        "board",
        "lines",
        "level",
    ),
    "the kind of tournament": (
        "stages",
        "settings",
        "opens_at",
        "closes_at",
        "deadline",
        "late",
        "late_until",
        "games",
        "seeds",
        "limit",
    ),
    "times and their zones": ("calendar", "clock.time_zone", "starts_at", "check_in", "reminders"),
    "kinds and channels": ("matrix",),
    "addresses": ("url", "address", "endpoint"),
    "what an operator lists": ("service",),
    "forms of other services": ("handles",),
    "keys of a browser": ("keys",),
    "who is there": ("seat", "tables", "swap", "byes", "entrant", "player", "bot", "players", "rounds"),
    "the ruling": ("game", "round", "table", "points", "seconds", "stage"),
    "lists of bad passwords": ("password", "new_password"),
    "what excludes each other": ("around", "body"),
    "Unicode": ("username", "title", "reason", "token_name", "text"),
}
#: What the server reads only where it matters: the points of *places* (PT1). And null for a key that may be left out.
#: And rules that are checked: what is wrong with them is the answer.
LENIENT = (
    "settings -> points -> list",
    "after: Incorrect type",
    "from_game: Incorrect type",
    "stages: Incorrect type",
    "kind: Incorrect type",
    "confirm: Incorrect type",
    "dry_run: Incorrect type",
    "rules: Incorrect type",
)
UNSAYABLE = {name for names in BEYOND_SCHEMA.values() for name in names}


def cases(operation: Any) -> Iterator[Any]:
    """Requests that keep and break every bound, type, choice and key of an operation, one at a time."""
    nothing = Override(query={}, headers={}, cookies={}, path_parameters={}, body={})
    alike: Counter[tuple[Any, str | None]] = Counter()
    for case in CoverageGenerator(
        operation=operation,
        generation_modes=[GenerationMode.POSITIVE, GenerationMode.NEGATIVE],
        generation_config=SCHEMA.config.generation,
        auth_storage=None,
        override=nothing,
        feedback=NO_FEEDBACK,
    ):
        kind = (case.meta.generation.mode, case.meta.phase.data.description)
        alike[kind] += 1
        # Of two alternatives with the same fields each is generated; there are six types of JSON.
        if alike[kind] <= 6:
            yield case


def who_succeeds() -> dict[tuple[str, str], tuple[str, str]]:
    """For each call, as (method, name of the URL), somebody with whom it succeeds, and on what."""
    found: dict[tuple[str, str], tuple[str, str]] = {}
    for method, name, about, _, statuses in rows():
        for who, status in zip(EVERYBODY, statuses.split(), strict=True):
            if status < "300" and who != "nobody":
                found.setdefault((method, name), (who, about))
    return found


def send(scene: Scene, case: Any, who: str, about: str, *, broken: bool) -> Answer:
    """The request of a case, whose changes are taken back. A broken one is to make none."""
    known = PARAMETERS | (dict.fromkeys(IDS, str(scene.ids[about])) if about else {})
    if case.path_parameters and case.meta.phase.data.parameter_location is not ParameterLocation.PATH:
        case.path_parameters = {name: known[name] for name in case.path_parameters}
    # A condition or a key that was made up would be refused before the body is read.
    case.headers = {name: value for name, value in (case.headers or {}).items() if name not in CONDITIONS}
    kwargs = case.as_transport_kwargs(base_url=ORIGIN)
    asked = requests.Request(**{name: value for name, value in kwargs.items() if name != "cookies"}).prepare()
    headers = {
        str(name): value.decode("latin-1") if isinstance(value, bytes) else str(value)
        for name, value in asked.headers.items()
        if name != "Content-Length"
    }
    body = asked.body.encode() if isinstance(asked.body, str) else asked.body
    with nullcontext() if broken else taken_back():
        return scene.cast[who].call(asked.method or "", str(asked.url).removeprefix(ORIGIN), None, body, **headers)


def is_forbidden(case: Any) -> bool:
    """Whether the document forbids a broken case. What breaks one of two alternatives may be the other one."""
    data = case.meta.phase.data
    if (data.description or "").startswith(LENIENT):
        return False
    if data.parameter_location is not ParameterLocation.BODY or case.media_type is None:
        return True
    return not body_of(case.operation.path, case.operation.method).is_valid(case.body)


@cache
def body_of(path: str, method: str) -> Draft202012Validator:
    schema = DOCUMENT["paths"][path][method]["requestBody"]["content"]["application/json"]["schema"]
    return Draft202012Validator({**DOCUMENT, **schema})


def is_refused_for(answer: Answer, case: Any) -> bool:
    """Whether what was broken is refused, and where it is in the body, by its name."""
    data = case.meta.phase.data
    if not 400 <= answer.status < 500 or answer.code is None:
        return False
    broken = re.match(r"([a-z_]+)(?: -> .*)?: ", data.description or "")
    if data.parameter_location is not ParameterLocation.BODY or not broken or answer.code != "invalid":
        return True
    return any(error["field"].partition(".")[0] == broken[1] for error in answer.body["errors"])


def is_allowed(answer: Answer, case: Any) -> bool:
    """Whether a request was read: it may be too late, or beyond what a schema says."""
    if answer.status not in (400, 422):
        return answer.status < 500
    if case.operation.label == "POST /api/v1/games/{game_id}/moves":
        # Which kinds of moves there are is up to the game; each of its kinds has a schema.
        other_game = re.match(
            r'move must be one of|draw takes no key "from"|play takes no key "interrupt"|position must be 0,',
            answer.body["detail"],
        )
        return answer.status == 422 or other_game is not None
    fields = [error["field"] for error in answer.body.get("errors", ())]
    unsayable = [field in UNSAYABLE or field.partition(".")[0] in UNSAYABLE for field in fields]
    return answer.status == 422 or answer.code == "bad_cursor" or (bool(fields) and all(unsayable))


@pytest.mark.sampled
@pytest.mark.django_db
# Another process serves streams: tests/games/live.
@pytest.mark.parametrize("label", [label for label, one in OPERATIONS.items() if not one.path.endswith("/live")])
def test_what_the_document_forbids_is_refused_and_what_it_allows_is_read(scene: Scene, label: str) -> None:
    operation, wrong, count = OPERATIONS[label], [], 0
    path = re.sub(r"\{(\w+)\}", lambda found: PARAMETERS[found[1]], operation.path)
    name = resolve(path if path != "/api/v1" else "/api/v1/").url_name
    who, about = who_succeeds()[operation.method.upper(), name]
    for case in cases(operation):
        data = case.meta.phase.data
        if data.parameter_location is ParameterLocation.HEADER:
            # What is sent in headers has tests of its own: tokens, conditions, keys and types of content.
            continue
        broken = case.meta.generation.mode is GenerationMode.NEGATIVE
        if broken and not is_forbidden(case):
            continue
        # From here on the case is another one: what is sent beside its body is changed.
        answer = send(scene, case, who, about, broken=broken)
        if not (is_refused_for(answer, case) if broken else is_allowed(answer, case)):
            wrong.append(f"{data.description}: {answer.status} {answer.body}"[:400])
        count += 1
    assert wrong == []
    raw = DOCUMENT["paths"][operation.path][operation.method]
    takes = any(one["in"] != "header" for one in raw.get("parameters", ()))
    assert count >= (9 if "requestBody" in raw else takes), "hardly anything was made up"
