"""Strict fields, which convert nothing ("4" is not a number), and serializers that refuse unknown keys."""

from collections.abc import Mapping
from typing import Any

from django import forms
from django_filters import rest_framework as filters
from rest_framework import serializers
from rest_framework.request import Request

from core.http.problems import invalid
from core.http.views import QueryParameter
from core.text import checked


class Text(serializers.CharField):
    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str):
            self.fail("invalid")
        return str(super().to_internal_value(data))


class Line(Text):
    """A name, title, reason or message, with nothing invisible in it (`core.text`)."""

    def to_internal_value(self, data: Any) -> str:
        try:
            return checked(super().to_internal_value(data), self.max_length or 0)
        except ValueError as error:
            raise serializers.ValidationError(str(error)) from None


class Whole(serializers.IntegerField):
    """A JSON integer: not true, not "4", not 4.0."""

    def to_internal_value(self, data: Any) -> int:
        if type(data) is not int:
            self.fail("invalid")
        return int(super().to_internal_value(data))


class Number(serializers.FloatField):
    """A JSON number: not true, not "4"."""

    def to_internal_value(self, data: Any) -> float:
        if type(data) not in (int, float):
            self.fail("invalid")
        return float(super().to_internal_value(data))


class Truth(serializers.BooleanField):
    def to_internal_value(self, data: Any) -> bool:
        if type(data) is not bool:
            self.fail("invalid", input=data)
        return data


class Choice(serializers.ChoiceField):
    default_error_messages = {"invalid_choice": "Must be one of: {choices}."}

    def to_internal_value(self, data: Any) -> str:
        if not isinstance(data, str) or data not in self.choices:
            self.fail("invalid_choice", choices=", ".join(self.choices))
        return data


class JSONObject(serializers.DictField):
    """A JSON object. What may be in it is checked elsewhere."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        if not isinstance(data, dict):
            self.fail("not_a_dict", input_type=type(data).__name__)
        return data


class Strict(serializers.Serializer[Any]):
    """A serializer that also refuses unknown keys. All errors are reported at once."""

    def to_internal_value(self, data: Any) -> dict[str, Any]:
        errors: dict[str, Any] = {}
        value: Any = {}
        try:
            value = super().to_internal_value(data)
        except serializers.ValidationError as error:
            if not isinstance(data, Mapping) or not isinstance(error.detail, dict):
                raise
            errors.update(error.detail)
        unknown = [str(key) for key in data if key not in self.fields]
        errors.update({key[:80]: [self._unknown_key()] for key in unknown[:10]})
        if errors:
            raise serializers.ValidationError(errors)
        return dict(value)

    def _unknown_key(self) -> str:
        known = ", ".join(name for name, field in self.fields.items() if not field.read_only)
        return f"Unknown key. Known here: {known}." if known else "This call takes no fields."


class Nothing(Strict):
    """The body of a call that takes no fields: absent, or an empty object."""


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
