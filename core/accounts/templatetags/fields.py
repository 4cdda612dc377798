from django import template
from django.forms import BoundField

register = template.Library()


@register.filter
def plainly(field: BoundField) -> BoundField:
    """The field without a placeholder: the label above it says the same, and stays visible."""
    field.field.widget.attrs.pop("placeholder", None)
    return field
