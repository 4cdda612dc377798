"""The filters that an address of the dashboard may use."""

from django.http import HttpRequest


class OnlyShownFilters:
    """For a ModelAdmin: its address filters by what `list_filter` shows, and only by equality.

    Django takes any lookup on a column of the model: by `?secret__startswith=` it could be read letter by letter, and
    `?name__regex=(` is an error of the database.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """Return whether a key of the query may be a filter."""
        field, _, how = lookup.partition("__")
        filters = self.get_list_filter(request)  # type: ignore[attr-defined]
        shown = {getattr(one, "parameter_name", one) for one in filters}
        return field in shown and how in ("", "exact", "isnull")
