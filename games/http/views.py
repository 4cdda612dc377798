"""The base of all API views, and helpers that read a body and write a response."""

from collections.abc import Mapping
from typing import Any, TypeVar

from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import Serializer
from rest_framework.views import APIView

from games.http.parsers import MAX_BODY, too_large
from games.http.problems import Problem

S = TypeVar("S", bound=Serializer[Any])


class ApiView(APIView):
    """A view for callers with a token (REST_FRAMEWORK in the settings says how that is checked).

    A public view sets `authentication_classes = permission_classes = ()`.
    """

    metadata_class = None
    http_method_names = ["get", "head", "post", "patch", "delete"]

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        super().initial(request, *args, **kwargs)
        # A body without a length would be read as an empty one, and be refused for the wrong reason.
        if "chunked" in request.META.get("HTTP_TRANSFER_ENCODING", "").lower() and not request.META.get(
            "CONTENT_LENGTH"
        ):
            raise Problem("length_required", "Send the body with its Content-Length.")
        if _length(request) > MAX_BODY:
            raise too_large()

    def finalize_response(self, request: Request, response: Any, *args: Any, **kwargs: Any) -> Any:
        response = super().finalize_response(request, response, *args, **kwargs)
        if self.authentication_classes:
            # What one caller may see is not for another, and no shared cache may mix them up.
            response.headers.setdefault("Cache-Control", "private, no-cache")
            response.headers["Vary"] = "Authorization"
        return response


def _length(request: Request) -> int:
    length = str(request.META.get("CONTENT_LENGTH") or "0")
    return int(length) if length.isascii() and length.isdigit() else 0


def object_of(request: Request) -> dict[str, Any]:
    """The body as a JSON object; no body is an empty one."""
    data = request.data
    if not isinstance(data, Mapping):
        raise Problem("malformed", "The body must be a JSON object.")
    return dict(data)


def checked(serializer_class: type[S], request: Request, **kwargs: Any) -> dict[str, Any]:
    """The body, checked by a serializer; raises the 400 that names the fields at fault."""
    serializer = serializer_class(data=object_of(request), context={"request": request}, **kwargs)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


def answer(serializer_class: type[S], value: Any, status: int = 200, **context: Any) -> Response:
    """A value through its serializer's allow-list."""
    return Response(serializer_class(value, context=context).data, status=status)
