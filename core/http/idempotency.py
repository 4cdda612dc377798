"""The Idempotency-Key header: a retry gets the response of the first try, and nothing is made twice."""

import hashlib
import json
import re
from collections.abc import Callable
from dataclasses import replace
from functools import wraps
from typing import Any, Concatenate, ParamSpec
from uuid import uuid4

import msgspec
from django.db import transaction
from django.http import HttpRequest, HttpResponse
from django.utils.html import format_html
from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.request import Request
from rest_framework.response import Response

from core import vault
from core.http.problems import Problem
from core.jobs.receipts import SECRET, Answer, Keyed

MAX_KEY = 255
_KEY = re.compile(r"[\x21-\x7e]+( +[\x21-\x7e]+)*")
#: The header for the OpenAPI document.
KEY = OpenApiParameter(
    "Idempotency-Key",
    {"type": "string", "minLength": 1, "maxLength": MAX_KEY, "pattern": "^[!-~]+( +[!-~]+)*$"},
    OpenApiParameter.HEADER,
    description="Makes retries safe: 1 to 255 printable ASCII characters, kept for 30 days per player and address.",
)
_HEADERS = ("ETag", "Location")

P = ParamSpec("P")
Post = Callable[Concatenate[Any, Request, P], HttpResponse]


def once(*, made: int = 201, sealed: bool = False) -> Callable[[Post[P]], Post[P]]:
    """Decorate the `post` of a view that makes something: with a key it does so once, all in one transaction.

    Below `extend_schema`. A command that writes to two streams needs `keyed_of`. made: the status if it has made
    something. sealed: the body has a `secret` that is shown once; it is kept encrypted.
    """

    def decorate(post: Post[P]) -> Post[P]:
        @extend_schema(parameters=[KEY])
        @wraps(post)
        def answered(view: Any, request: Request, /, *args: P.args, **kwargs: P.kwargs) -> HttpResponse:
            keyed = keyed_of(request, lambda answer: answer)
            if keyed is None:
                return post(view, request, *args, **kwargs)
            with transaction.atomic():
                if (kept := keyed.claim()) is not None:
                    return response_of(replace(kept, body=_with(kept.body, vault.unseal) if sealed else kept.body))
                response = post(view, request, *args, **kwargs)
                if isinstance(response, Response) and response.status_code == made:
                    headers = {name: response.headers[name] for name in _HEADERS if name in response.headers}
                    body = _with(response.data, vault.seal) if sealed else response.data
                    keyed.keep(Answer(made, body, headers))
                else:
                    keyed.drop()
                return response

        return answered

    return decorate


def _with(body: Any, coded: Callable[[str], str]) -> Any:
    """The body with its secret, if it has one, encrypted or decrypted."""
    plain = msgspec.to_builtins(body)
    return plain if plain[SECRET] is None else {**plain, SECRET: coded(plain[SECRET])}


def keyed_of(request: Request, answer: Callable[[Any], Answer]) -> Keyed | None:
    key = request.META.get("HTTP_IDEMPOTENCY_KEY")
    if key is None:
        return None
    if len(key) > MAX_KEY or not _KEY.fullmatch(key):
        raise Problem("bad_key", f"An Idempotency-Key is 1 to {MAX_KEY} printable ASCII characters, such as a UUID.")
    return Keyed(request.user.pk, request.path, str(key), request.data, answer)


def keyed_form(request: HttpRequest, field: str, answer: Callable[[Any], Answer]) -> Keyed | None:
    """The same of a form with a key in a hidden field (`form_key`); before the log-in it is of the browser."""
    key = request.POST.get(field)
    if not key:
        return None
    asked = {name: request.POST.getlist(name) for name in sorted(request.POST) if name != "csrfmiddlewaretoken"}
    who = request.user.pk or request.META.get("CSRF_COOKIE", "")
    digest = hashlib.sha256(json.dumps([str(who), asked]).encode()).hexdigest()
    return Keyed(request.user.pk, request.path, digest, asked, answer)


def form_key(field: str) -> str:
    return format_html('<input type="hidden" name="{}" value="{}">', field, uuid4())


def response_of(answer: Answer) -> Response:
    return Response(answer.body, status=answer.status, headers=dict(answer.headers))
