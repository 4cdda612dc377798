"""Filters of lists that refuse what they do not understand, and the parameter that invitations are sent in."""

from typing import Any

from django import forms
from django_filters import rest_framework as filters
from rest_framework.request import Request

from core.http.problems import invalid
from core.http.views import QueryParameter

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


class ChoiceFilter(filters.ChoiceFilter):
    def __init__(self, choices: list[str], **kwargs: Any) -> None:
        messages = {"invalid_choice": f"Must be one of: {', '.join(choices)}."}
        super().__init__(choices=[(choice, choice) for choice in choices], error_messages=messages, **kwargs)


class _TruthField(forms.NullBooleanField):
    widget = forms.TextInput

    def to_python(self, value: Any) -> bool | None:  # type: ignore[override]  # the base class also accepts null
        text = (value or "").lower()
        if text and text not in _TRUTHS:
            raise forms.ValidationError("Must be true or false.")
        return _TRUTHS.get(text)


class TruthFilter(filters.BooleanFilter):
    """`true` or `false` in any case, or `1` or `0`."""

    field_class = _TruthField

    def __init__(self, **kwargs: Any) -> None:
        super().__init__(widget=forms.TextInput, **kwargs)


MAX_LENGTH = 64


def invitation_parameter(description: str) -> QueryParameter:
    shape = {"type": "string", "maxLength": MAX_LENGTH, "pattern": "^[ -~]*$"}
    return QueryParameter("invitation", shape, read=invitation_of, description=description)


def invitation_of(request: Request) -> str | None:
    """The invitation code of the query, or None. Raises Problem: invalid."""
    return checked_invitation(request.query_params.get("invitation"))


def checked_invitation(text: str | None) -> str | None:
    """The text, if it can be an invitation code. Raises Problem: invalid."""
    if text is not None and not (len(text) <= MAX_LENGTH and text.isascii() and text.isprintable()):
        raise invalid([("invitation", "This is not an invitation code.")])
    return text
