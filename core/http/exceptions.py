"""Exceptions of views as problems: DRF's and Django's own, the refusals of services, and unexpected ones."""

import logging
from typing import Any

from django.contrib.auth import get_user_model
from django.core.exceptions import PermissionDenied, RequestDataTooBig, SuspiciousOperation
from django.core.signals import got_request_exception
from django.db import InterfaceError, OperationalError
from django.http import Http404, HttpRequest, HttpResponse
from psycopg.errors import (
    ForeignKeyViolation,
    IdleInTransactionSessionTimeout,
    ReadOnlySqlTransaction,
    TransactionTimeout,
)
from rest_framework import exceptions
from rest_framework.views import set_rollback

from core.http.media import too_large
from core.http.problems import Problem, internal_error, invalid, response_for
from core.refusals import Refused

logger = logging.getLogger("django.request")
# To Django these are internal errors. The last one: what a row refers to has just been deleted.
_ENDED = (ReadOnlySqlTransaction, IdleInTransactionSessionTimeout, TransactionTimeout, ForeignKeyViolation)


def exception_handler(error: Exception, context: dict[str, Any]) -> HttpResponse:
    """DRF's EXCEPTION_HANDLER."""
    set_rollback()
    problem = _problem_of(error, context)
    if problem is not None:
        return response_for(problem)
    request: HttpRequest = context["request"]._request  # noqa: SLF001  Django's own
    logger.error("unexpected error: %s", request.path, exc_info=error, extra={"status_code": 500, "request": request})
    # As Django's handler does, for the test client and error trackers.
    got_request_exception.send(sender=None, request=request)
    return response_for(internal_error())


def _problem_of(error: Exception, context: dict[str, Any]) -> Refused | None:
    if isinstance(error, Refused):
        return error
    if isinstance(error, exceptions.ValidationError):
        return invalid(flatten(error.detail))
    if isinstance(error, Http404 | exceptions.NotFound):
        return Problem("not_found", "There is nothing at this address.")
    if isinstance(error, RequestDataTooBig):
        return too_large()
    if isinstance(error, exceptions.APIException):
        return _problem_of_drf(error, context)
    if isinstance(error, PermissionDenied):
        return Problem("forbidden", "You are not allowed to do this.")
    if isinstance(error, SuspiciousOperation):
        return Problem("bad_request", "The request could not be read.")
    if is_of_the_database(error):
        logger.error("the database does not respond: %s", error)
        return Problem("unavailable", "The database does not respond. Try again soon.", headers={"Retry-After": "2"})
    return None


def is_of_the_database(error: BaseException | None) -> bool:
    """Return whether the database does not respond, takes no changes, or has ended a transaction: try again.

    It takes no changes after a fail-over or on a full disk; it ends a transaction by a limit, or for another one. What
    needs the row of an account that has just been closed is refused when it is tried again.
    """
    cause = None if error is None else error.__cause__
    closed = get_user_model().DoesNotExist
    return isinstance(error, OperationalError | InterfaceError | closed) or isinstance(cause, _ENDED)


def _problem_of_drf(error: exceptions.APIException, context: dict[str, Any]) -> Problem | None:
    if isinstance(error, exceptions.NotAuthenticated):
        is_of_a_page = "Trey-Reader" in context["request"].headers
        said = "You are logged out. Log in again." if is_of_a_page else "Send a token: Authorization: Bearer <token>."
        return Problem("not_authenticated", said, headers=_challenge(error))
    if isinstance(error, exceptions.AuthenticationFailed):
        return Problem("invalid_token", str(error.detail), headers=_challenge(error))
    if isinstance(error, exceptions.PermissionDenied):
        return Problem("forbidden", str(error.detail))
    if isinstance(error, exceptions.MethodNotAllowed):
        allowed = ", ".join(context["view"].allowed_methods)
        return Problem("method_not_allowed", f"Allowed methods: {allowed}.", headers={"Allow": allowed})
    if isinstance(error, exceptions.UnsupportedMediaType):
        return Problem("unsupported_media_type", "Send JSON with Content-Type: application/json.")
    if isinstance(error, exceptions.ParseError):
        return Problem("malformed", str(error.detail))
    if isinstance(error, exceptions.Throttled):
        wait = str(int(getattr(error, "wait", None) or 1))
        detail = f"Too many attempts. Try again in {wait} second{'' if wait == '1' else 's'}."
        return Problem("too_many_requests", detail, headers={"Retry-After": wait})
    return None


def _challenge(error: exceptions.APIException) -> dict[str, str]:
    return {"WWW-Authenticate": getattr(error, "auth_header", None) or "Bearer"}


def flatten(detail: Any, path: str = "") -> list[tuple[str, str]]:
    """DRF's nested error detail as (dotted field, sentence) pairs."""
    if isinstance(detail, dict):
        inner = {key: path if key == "non_field_errors" else f"{path}.{key}".lstrip(".") for key in detail}
        return [pair for key, value in detail.items() for pair in flatten(value, inner[key])]
    if isinstance(detail, list):
        return [pair for value in detail for pair in flatten(value, path)]
    return [(path or "body", str(detail))]
