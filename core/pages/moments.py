"""Moments within sentences, which pages show in the reader's zone as they show all others (`site/times.js`)."""

import re
from datetime import UTC, datetime

from django import template
from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

register = template.Library()
# As errors write them, and as sentences for people do.
_MOMENT = re.compile(r"\d{4}-\d\d-\d\d \d\d:\d\d UTC|\d\d? [A-Z][a-z]+ \d{4}, \d\d:\d\d UTC")


@register.filter
def with_times(text: object) -> SafeString:
    """The sentence, its moments as `<time>`: a script shows them in the reader's zone, without one they are UTC."""
    return mark_safe(_MOMENT.sub(_time, escape(text)))  # noqa: S308  escaped, but for the times


def _time(found: re.Match[str]) -> str:
    said = found[0]
    form = "%Y-%m-%d %H:%M UTC" if said[4] == "-" else "%d %B %Y, %H:%M UTC"
    try:
        moment = datetime.strptime(said, form).replace(tzinfo=UTC)
    except ValueError:  # in somebody's title
        return said
    return f'<time datetime="{moment.isoformat()}" data-form="at">{said}</time>'
