"""Moments within sentences of the dashboard."""

from datetime import datetime

from django.utils.html import format_html
from django.utils.safestring import SafeString


def moment(at: datetime) -> SafeString:
    """The moment as `<time>`, which `site/times.js` shows in the reader's zone."""
    return format_html('<time datetime="{}" data-form="at">{} UTC</time>', at.isoformat(), f"{at:%d %b %Y, %H:%M}")
