"""The base classes of all API views, and helpers for bodies and responses."""

from collections.abc import Callable, Collection, Mapping, Sequence
from typing import Any, ClassVar, TypeVar

from django.db.models import Model
from django_filters.rest_framework import DjangoFilterBackend
from drf_spectacular.utils import OpenApiParameter
from rest_framework.generics import GenericAPIView
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from core.http import scopes, throttling
from core.http.bodies import RequestBody
from core.http.media import MAX_BODY, length_of, too_large
from core.http.problems import Problem, invalid
from core.values import read

M = TypeVar("M", bound=Model)


class QueryParameter(OpenApiParameter):
    """A query parameter. `read` raises Problem for a value that makes no sense; without it, any text will do."""

    def __init__(
        self, name: str, kind: Any = str, *, read: Callable[[Request], Any] = lambda _: None, **described: Any
    ) -> None:
        super().__init__(name, kind, **described)
        self.read = read


class ApiView(APIView):
    """A view for callers with a token or a page's session, checked as REST_FRAMEWORK in the settings says.

    `query` are the parameters that GET takes. Any other is refused, like an unknown key of a body. All are read before
    the view is called, so that all errors of a query are reported at once.
    """

    query: ClassVar[Sequence[QueryParameter]] = ()

    #: For the document: the errors of every change.
    change_failures: ClassVar[Collection[int]] = ()

    #: The headers of a request that the response depends on.
    varies_by: ClassVar[tuple[str, ...]] = ("Authorization", "Cookie")

    metadata_class = None
    http_method_names = ["get", "head", "post", "put", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        throttling.begin()
        super().initial(request, *args, **kwargs)
        self._check_scope(request)
        # A body without a length would be read as an empty one, and refused for the wrong reason.
        if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower() and not request.META.get(
            "CONTENT_LENGTH"
        ):
            raise Problem("length_required", "Send the body with its Content-Length.")
        if length_of(request) > MAX_BODY:
            raise too_large()
        reads = request.method in ("GET", "HEAD")
        errors = _errors_of_keys(request, self.known_query_keys() if reads else ())
        if reads:
            errors += [error for error in self.errors_of_values(request) if error[0] not in dict(errors)]
        if errors:
            raise invalid(errors[:10])

    def _check_scope(self, request: Request) -> None:
        """AP4: after the token and the address, before object, query and body. A method that is not there is a 405."""
        method, match = str(request.method).lower(), request.resolver_match
        if match is None or method not in self.http_method_names or not hasattr(self, method):
            return
        scope = scopes.scope_of(method.upper(), match.route)
        if scope not in (scopes.NONE, scopes.ANY):
            scopes.check(request, scope)

    def errors_of_values(self, request: Request) -> list[tuple[str, str]]:
        """The values of the query that make no sense. Raises Problem for errors that are not about a single value."""
        errors: list[tuple[str, str]] = []
        for parameter in self.query:
            try:
                parameter.read(request)
            except Problem as problem:
                if problem.code != "invalid":
                    raise
                errors += problem.errors
        return errors

    def known_query_keys(self) -> Collection[str]:
        return [parameter.name for parameter in self.query]

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if self.authentication_classes:
            # Callers see different things, so no shared cache may keep the response.
            response.headers.setdefault("Cache-Control", "private, no-cache")
            response.headers["Vary"] = ", ".join(self.varies_by)
        for name, value in throttling.fields_for(request).items():
            response.headers[name] = value
        return response


class PublicView(ApiView):
    authentication_classes: Any = ()
    permission_classes: Any = ()


class ListView(ApiView, GenericAPIView[M]):
    """A list, filtered by `filterset_class`, paged by `pagination_class`, documented by `responses={200: ItemBody}`."""

    pagination_class: Any
    filterset_class: Any = None
    filter_backends: Any = (DjangoFilterBackend,)

    def known_query_keys(self) -> Collection[str]:
        paging = ("cursor", "limit")
        filters = self.filterset_class.base_filters if self.filterset_class is not None else ()
        return (*super().known_query_keys(), *filters, *paging)

    def errors_of_values(self, request: Request) -> list[tuple[str, str]]:
        errors = super().errors_of_values(request)
        if self.filterset_class is not None:
            form = self.filterset_class(data=request.query_params, queryset=self.get_queryset(), request=request).form
            errors += [(name, sentence) for name, sentences in form.errors.items() for sentence in sentences]
        try:
            self.pagination_class().get_page_size(request)
        except Problem as problem:
            errors += problem.errors
        return errors

    def page_of(self, queryset: Any, to_json: Callable[[list[Any]], list[Any]]) -> Response:
        """The page that the request asks for, of a queryset or of something that behaves like one."""
        rows = self.paginate_queryset(self.filter_queryset(queryset))
        if rows is None:
            raise TypeError(f"{type(self).__name__} has no page size")
        return self.get_paginated_response(to_json(list(rows)))


def _errors_of_keys(request: Request, known: Collection[str]) -> list[tuple[str, str]]:
    errors = []
    for key, values in request.query_params.lists():
        if key not in known:
            listed = f"Choose from: {', '.join(known)}." if known else "This call has none."
            errors.append((key[:80], f"Unknown query parameter. {listed}"))
        elif len(values) > 1:
            errors.append((key, "This query parameter may occur only once."))
    return errors


def object_of(request: Request) -> dict[str, Any]:
    data = request.data
    if not isinstance(data, Mapping):
        raise Problem("malformed", "The body must be a JSON object.")
    return dict(data)


def checked(body: type[RequestBody], request: Request) -> dict[str, Any]:
    """What was sent, by the fields of the body. Raises Invalid, which names all those at fault."""
    return read(body, object_of(request))
