"""The invitation code in a query, which gives access to private things."""

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request

from core.http.problems import invalid

MAX_LENGTH = 64


def invitation_parameter(description: str) -> OpenApiParameter:
    """The query parameter for the OpenAPI document."""
    return OpenApiParameter(
        "invitation", {"type": "string", "maxLength": MAX_LENGTH, "pattern": "^[ -~]*$"}, description=description
    )


def invitation_of(request: Request) -> str | None:
    """The invitation code of the query, or None. Raises Problem: invalid."""
    return checked_invitation(request.query_params.get("invitation"))


def checked_invitation(text: str | None) -> str | None:
    """The text, if it can be an invitation code. Raises Problem: invalid."""
    if text is not None and not (len(text) <= MAX_LENGTH and text.isascii() and text.isprintable()):
        raise invalid([("invitation", "This is not an invitation code.")])
    return text
