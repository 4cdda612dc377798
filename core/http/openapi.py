"""The OpenAPI document that drf-spectacular makes from the views: what it is told, and what is corrected."""

import json
import re
from collections.abc import Mapping, Sequence
from copy import deepcopy
from http import HTTPStatus
from typing import Any, get_args

from drf_spectacular.contrib.django_filters import DjangoFilterExtension
from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiExample, OpenApiParameter, OpenApiResponse, extend_schema_serializer
from rest_framework import serializers

from core.http.bodies import Body, one_shape
from core.http.conditional import ETAG, IF_NONE_MATCH, Tagged
from core.http.media import MAX_BODY
from core.http.problems import CONTENT_TYPE, Problem, body_of, meanings
from core.http.scopes import ANY, IDENTITY, NONE, SCOPES, scope_of
from core.http.throttling import FIELDS
from core.http.views import ListView

# Trey has no geographic fields. Otherwise GIS libraries are looked for at each start, with a compiler and a linker.
DjangoFilterExtension._has_gis = False  # type: ignore[attr-defined]  # noqa: SLF001

_OAUTH = {
    "type": "oauth2",
    "description": "The token that an app gets from its player: docs/build/apps.md.",
    "flows": {
        "authorizationCode": {
            "authorizationUrl": "/oauth/authorize",
            "tokenUrl": "/oauth/token",
            "scopes": {scope: words for scope, words in (*IDENTITY.items(), *SCOPES.items()) if scope != "account"},
        }
    },
}
LOCATION = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[201], description="The address of what was created."
)
_METHODS = ("get", "post", "patch", "put", "delete")
_components: dict[str, Any] = {}
_webhooks: dict[str, Any] = {}

#: The errors of calls, by status: the name of the response, what it means, an example (code and detail), its headers.
_FAILURES: dict[str, tuple[str, str, tuple[str, str], tuple[str, ...]]] = {
    "400": (
        "BadRequest",
        "The request is malformed, or has unknown or invalid parts. `errors` names them all.",
        ("invalid", "seats: This field is required."),
        (),
    ),
    "401": (
        "NotAuthenticated",
        "The token is missing or invalid, or the password is wrong.",
        ("not_authenticated", "Send a token: Authorization: Bearer <token>."),
        ("WWW-Authenticate",),
    ),
    "403": (
        "NotAllowed",
        "You may not do this, or your token lacks the scope.",
        ("forbidden", "You are not allowed to do this."),
        ("WWW-Authenticate",),
    ),
    "404": (
        "NotFound",
        "It does not exist, or you may not see it.",
        ("not_found", "There is nothing at this address."),
        (),
    ),
    "409": (
        "Conflict",
        "The current state does not allow this call.",
        ("already_started", "The game has already started."),
        (),
    ),
    "412": (
        "PreconditionFailed",
        "It has changed since the version in `If-Match`.",
        ("stale_version", "The game has changed: it is at version 7 now. Read it again."),
        (),
    ),
    "413": ("TooLarge", "The body is too long.", ("too_large", f"The body is longer than {MAX_BODY} bytes."), ()),
    "415": (
        "UnsupportedMediaType",
        "The body is not JSON in UTF-8.",
        ("unsupported_media_type", "Send JSON with Content-Type: application/json."),
        (),
    ),
    "421": (
        "ServedElsewhere",
        "Live streams have a server of their own.",
        (
            "misdirected",
            "Live streams have a server of their own. This one is at http://127.0.0.1:8001/api/v1/me/live.",
        ),
        ("Content-Location",),
    ),
    "422": (
        "Refused",
        "The rules refuse the move, or the `Idempotency-Key` was used with another body.",
        ("not_your_turn", "It is not your turn."),
        (),
    ),
    "429": (
        "TooManyRequests",
        "Too many requests or attempts.",
        ("too_many_requests", "Too many attempts. Try again in 20 seconds."),
        ("Retry-After", *FIELDS),
    ),
    "503": (
        "Unavailable",
        "The database does not respond, or the server is busy.",
        ("unavailable", "The database does not respond. Try again soon."),
        ("Retry-After",),
    ),
}
_HEADERS = {
    "RateLimit": {
        "description": 'What is left of the limits on this call. `"moves";r=599;t=42` means `r`'
        " calls in the next `t` seconds.",
        "schema": {"type": "string"},
    },
    "RateLimit-Policy": {
        "description": 'The limits on this call. `"moves";q=600;w=60` means `q` calls in `w` seconds.',
        "schema": {"type": "string"},
    },
    "Content-Location": {"description": "The address of what was created.", "schema": {"type": "string"}},
    "Retry-After": {
        "description": "The number of seconds to wait before you try again.",
        "schema": {"type": "integer"},
    },
    "WWW-Authenticate": {
        "description": "How to authenticate, or the scope that the token is missing.",
        "schema": {"type": "string"},
    },
}


class FieldProblemSerializer(serializers.Serializer[Any]):
    field = serializers.CharField(help_text='The part of the request that is wrong, such as "options.decks".')
    detail = serializers.CharField()


class ProblemSerializer(serializers.Serializer[Any]):
    """An error: RFC 9457 problem details. docs/build/errors.md explains the codes."""

    type = serializers.CharField(
        help_text="The address of a page about the code, /problems/<code>, relative to the API."
    )
    title = serializers.CharField()
    status = serializers.IntegerField()
    code = serializers.CharField(help_text="A stable code for programs.")
    detail = serializers.CharField(help_text="A sentence to show to people.")
    errors = FieldProblemSerializer(many=True, required=False)  # type: ignore[assignment]  # DRF takes this name


def example(value: Any, *others: tuple[str, Any]) -> Any:
    """Decorate the serializer of a body with an example, which works as it stands; `others` have names."""
    return extend_schema_serializer(examples=body_examples(value, *others))


def body_examples(value: Any, *others: tuple[str, Any], name: str = "Example") -> list[OpenApiExample]:
    """The `examples` of `extend_schema` for a body. The first one, called `name`, works as it stands."""
    named = [(name, value), *others]
    return [OpenApiExample(title, value=shown, request_only=True) for title, shown in named]


def path_parameter(name: str, value: str | int, *, choices: Sequence[str] | None = None) -> OpenApiParameter:
    kind = int if isinstance(value, int) else str
    filled_in = OpenApiExample(str(value), value=value, parameter_only=(name, "path"))
    return OpenApiParameter(name, kind, OpenApiParameter.PATH, enum=choices, examples=[filled_in])


def problems(*statuses: int) -> dict[Any, Any]:
    return {(status, CONTENT_TYPE): ProblemSerializer for status in statuses}


def add_components(components: Mapping[str, Any]) -> None:
    """Add JSON Schemas to the document, by name: for shapes that serializers cannot express. `ref` points to them."""
    _components.update(components)


def stream_of(name: str, numbered: Mapping[str, Any], others: Mapping[str, Any]) -> dict[Any, Any]:
    """The response of a stream, and what its events hold; a client resumes after the `id` of a numbered one."""
    shapes = {event: f"{name}{event.capitalize()}" for event in [*numbered, *others]}
    for event, data in {**numbered, **others}.items():
        number = {"type": "integer" if event in numbered else "null"}
        fields = {"event": {"type": "string", "const": event}, "id": number, "data": data}
        _components[shapes[event]] = {"type": "object", "properties": fields, "required": list(fields)}
    _components[name] = one_shape("An event of the stream.", "event", shapes)
    text = {"type": "string", "contentMediaType": "text/event-stream", "contentSchema": ref(name)}
    return {(200, "text/event-stream"): OpenApiResponse(text, "Server-sent events, until the stream ends.")}


def add_webhooks(shapes: Mapping[str, str], description: str, parameters: Sequence[Mapping[str, Any]]) -> None:
    """Add what the service posts to addresses of others: for each type the component of its body."""
    answers = {"2XX": {"description": "Received."}, "410": {"description": "Do not post to this address any more."}}
    for name, shape in shapes.items():
        body = {"allOf": [ref(shape), {"properties": {"type": {"const": name}}}]}
        content = {"application/json": {"schema": body}}
        _webhooks[name] = {
            "post": {
                "summary": name,
                "description": description,
                "tags": ["notifications"],
                "parameters": list(parameters),
                "requestBody": {"required": True, "content": content},
                "responses": answers,
            }
        }


def ref(name: str, kind: str = "schemas", *, nullable: bool = False) -> dict[str, Any]:
    """A reference to a component; with `nullable` to the component or null."""
    pointer = {"$ref": f"#/components/{kind}/{name}"}
    return {"oneOf": [pointer, {"type": "null"}]} if nullable else pointer


def without_slash(endpoints: list[Any], **_: Any) -> list[Any]:
    """drf-spectacular's PREPROCESSING_HOOKS: leave out the second address of the index, which ends with a slash."""
    return [endpoint for endpoint in endpoints if not endpoint[0].endswith("/")]


def complete(result: dict[str, Any], generator: Any, request: Any, public: bool) -> dict[str, Any]:
    """drf-spectacular's POSTPROCESSING_HOOKS: add the components, and the errors that all operations share."""
    components = result.setdefault("components", {})
    schemas = components.setdefault("schemas", {})
    # Some of them replace serializers of the same name, whose shape is more than fields.
    # Copies, since changes to the document must not change them.
    schemas.update(deepcopy(_components))
    schemas["ProblemCode"] = {
        "type": "string",
        "enum": sorted(meanings()),
        "description": "A stable code for programs.",
    }
    schemas["Problem"]["properties"]["code"] = ref("ProblemCode")
    components["schemas"] = dict(sorted(schemas.items()))
    components["securitySchemes"]["oauth"] = _OAUTH
    components["headers"] = _HEADERS
    components["responses"] = {name: _failure(int(status)) for status, (name, *_) in _FAILURES.items()}
    result["paths"] = dict(sorted(result["paths"].items()))
    for address, path in result["paths"].items():
        for method in _METHODS:
            if method in path:
                _complete_operation(method, address, path[method])
    _say_defaults(result)
    result["webhooks"] = deepcopy(_webhooks)
    return result


def _say_defaults(result: dict[str, Any]) -> None:
    """Put defaults of request fields into words: client generators take them for always present, in requests too."""
    schemas = result["components"]["schemas"]
    todo = [
        operation["requestBody"]
        for path in result["paths"].values()
        for operation in path.values()
        if "requestBody" in operation
    ]
    seen: set[str] = set()
    while todo:
        value = todo.pop()
        if isinstance(value, list):
            todo += value
        elif isinstance(value, dict):
            name = str(value.get("$ref", "")).rpartition("/")[2]
            if name and name not in seen:
                seen.add(name)
                todo.append(schemas[name])
            for field in (value.get("properties") or {}).values():
                if "default" in field:
                    said = f"Default: `{json.dumps(field.pop('default'))}`."
                    field["description"] = f"{field['description']} {said}" if "description" in field else said
            todo += value.values()


def _of_every_call(method: str, path: str, operation: dict[str, Any]) -> set[str]:
    """The errors of any call of this kind: of its address, its query, its token, its body and its key."""
    found = {"400", "503"}
    if "{" in path:
        found |= {"404"}
    if any(operation["security"]):
        found |= {"401"}
    if scope_of(method.upper(), path) not in (NONE, ANY):
        found |= {"403"}
    if method != "get":
        found |= {"413", "415"}
    sent = {parameter["name"] for parameter in operation.get("parameters", ())}
    found |= {status for name, status in (("Idempotency-Key", "422"), ("If-Match", "412")) if name in sent}
    return found


def _complete_operation(method: str, path: str, operation: dict[str, Any]) -> None:
    operation.setdefault("security", [])
    scope = scope_of(method.upper(), path)
    by_token = next((demand for demand in operation["security"] if "token" in demand), None)
    if by_token is not None:
        # OpenAPI 3.1 lets any scheme name the roles that it takes.
        by_token["token"] = [] if scope in (NONE, ANY) else [scope]
        # An app has a token, too, but never `account`.
        if scope != "account":
            operation["security"].insert(operation["security"].index(by_token) + 1, {"oauth": by_token["token"][:]})
    if any("text/event-stream" in response.get("content", ()) for response in operation["responses"].values()):
        # Pages of ours stream with their session, other clients with a token.
        operation["security"] = [demand for demand in operation["security"] if "session" not in demand]
    if "requestBody" in operation:
        body = operation["requestBody"]
        # drf-spectacular knows what is required only for serializers.
        added = body["content"]["application/json"]["schema"].get("$ref", "").rpartition("/")[2] in _components
        body["required"] = body.get("required", False) or added
    responses = operation["responses"]
    failures = {status for status, response in responses.items() if CONTENT_TYPE in response.get("content", ())}
    for status in failures | _of_every_call(method, path, operation):
        responses[status] = {"$ref": f"#/components/responses/{_FAILURES[status][0]}"}
    if "429" in responses and any(operation["security"]):
        for status in [status for status in responses if status < "300"]:
            responses[status].setdefault("headers", {}).update({name: ref(name, "headers") for name in FIELDS})
    operation["responses"] = responses = dict(sorted(responses.items()))
    for status, response in responses.items():
        if response.get("description") == "":
            response["description"] = HTTPStatus(int(status)).phrase


def _failure(status: int) -> dict[str, Any]:
    _, description, (code, detail), headers = _FAILURES[str(status)]
    errors = [("seats", "This field is required.")] if code == "invalid" else ()
    content = {"schema": ref("Problem"), "example": body_of(Problem(code, detail, status=status, errors=errors))}
    response: dict[str, Any] = {"description": description, "content": {CONTENT_TYPE: content}}
    if headers:
        response["headers"] = {name: ref(name, "headers") for name in headers}
    return response


class Schema(AutoSchema):
    """Makes the summary and the description of an operation from the docstring of its view's method."""

    def get_tags(self) -> list[str]:
        """A call belongs to the others of its module, or of the folder of its `api` or `views`, unless it says."""
        return [self.view.__module__.removesuffix(".views").removesuffix(".api").rpartition(".")[2]]

    def get_summary(self) -> str:
        return self._sentences()[0].rstrip(".")

    def get_description(self) -> str:  # type: ignore[override]  # as drf-spectacular has it
        return self._sentences()[1]

    def get_override_parameters(self) -> list[Any]:
        view: Any = self.view
        shared = [*view.query, *([IF_NONE_MATCH] if self._is_tagged() else [])] if self.method == "GET" else []
        return [*super().get_override_parameters(), *shared, *([ETAG] if self._is_tagged() else [])]

    def _is_tagged(self) -> bool:
        """Return whether the method says that it can answer with an ETag. A read then takes If-None-Match, too."""
        answer = getattr(self.view, self.method.lower()).__annotations__.get("return")
        return Tagged in (answer, *get_args(answer))

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        found = super()._get_response_bodies(direction)
        view: Any = self.view
        failures = () if self.method == "GET" else view.change_failures
        if self.method == "GET" and self._is_tagged():
            found["304"] = self._get_response_for_code(None, "304")  # type: ignore[no-untyped-call]
        return found | {str(status): {"content": {CONTENT_TYPE: {}}} for status in failures}

    def _get_request_body(self, direction: Any = "request") -> Any:
        """The body. The call that removes an organiser has one, too, which drf-spectacular leaves out for DELETE."""
        method = self.method
        try:
            self.method = "POST" if method == "DELETE" else method
            return super()._get_request_body(direction)  # type: ignore[no-untyped-call]
        finally:
            self.method = method

    def _sentences(self) -> tuple[str, str]:
        first, *others = re.split(r"(?<=\.)\s+", super().get_description(), maxsplit=1)
        return first, "".join(others)

    def _is_list_view(self, serializer: Any = None) -> bool:
        """Return whether the 200 response is a list. `extend_schema` documents errors beside it."""
        if serializer is None:
            serializer = self.get_response_serializers()
        if isinstance(serializer, dict):
            serializer = serializer.get(200)
        if isinstance(serializer, type) and issubclass(serializer, Body):
            return isinstance(self.view, ListView) and self.method == "GET"
        return bool(super()._is_list_view(serializer))
