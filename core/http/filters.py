"""Filters for django-filter that refuse values they cannot read, and say which they accept."""

from typing import Any

from django import forms
from django_filters import rest_framework as filters

_TRUTHS = {"true": True, "1": True, "false": False, "0": False}


class ChoiceFilter(filters.ChoiceFilter):
    """One of some strings."""

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
