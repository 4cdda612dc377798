"""Forms for people, made of values as they are declared (`core.values`)."""

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django import forms

from core.values import REQUIRED, Value


def field_of(value: Value, **about: Any) -> forms.Field:
    """The field of a value; one of words that is `empty` None has no empty choice.

    `about`: what a Django field takes, instead of what the value says.
    """
    about = {"required": value.default is REQUIRED, "label": value.label, "help_text": value.help, **about}
    shown = {"placeholder": value.empty or ""}
    if value.words is not None:
        words = value.words if isinstance(value.words, Mapping) else {word: word for word in value.words}
        known = {str(word): word for word in words}

        def coerce(text: str) -> Any:
            if text not in known:
                raise ValueError(text)  # `changed_data` is asked of what is no choice, too
            return known[text]

        choices = [
            *([] if value.empty is None else [("", value.empty)]),
            *((text, words[word]) for text, word in known.items()),
        ]
        return forms.TypedChoiceField(choices=choices, coerce=coerce, empty_value=None, **about)
    if value.type is bool:
        return forms.BooleanField(**{"initial": None if callable(value.default) else value.default, **about})
    if value.type is datetime:
        return forms.DateTimeField(widget=forms.DateTimeInput(attrs={"type": "datetime-local"}), **about)
    if value.type is int:
        widget = forms.NumberInput(attrs=shown)
        return forms.IntegerField(min_value=value.least, max_value=value.most, widget=widget, **about)
    return forms.CharField(max_length=value.most, widget=forms.TextInput(attrs=shown), **about)
