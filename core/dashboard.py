"""Lists of the dashboard that stay fast in a table of any size, and forms that write to the audit log.

Pages are found by keys, nothing is counted, and the order is the one that has an index.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any
from urllib.parse import urlsplit

from django.contrib.admin import SimpleListFilter
from django.contrib.admin.options import IncorrectLookupParameters, ShowFacets
from django.contrib.admin.templatetags.admin_list import items_for_result, result_headers
from django.contrib.admin.views.main import PAGE_VAR
from django.core.exceptions import PermissionDenied
from django.core.paginator import Paginator
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.urls import path
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.views.decorators.http import require_safe
from rest_framework.request import Request

from core.accounts import auditing
from core.accounts.models import Player
from core.http.csv import csv_file
from core.http.pagination import CursorPages
from core.http.problems import Problem

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with a different look.
    from django.contrib.admin import ModelAdmin
    from django.contrib.admin.views.main import ChangeList as List

    Pages = ModelAdmin[Any]
else:
    from unfold.admin import ModelAdmin as Pages
    from unfold.views import ChangeList as List

MOST_IN_FILE = 1_000


class Cursors(CursorPages):
    cursor_query_param = PAGE_VAR

    def __init__(self, ordering: Sequence[str], rows: int) -> None:
        self.ordering, self._rows = tuple(ordering), rows

    def get_page_size(self, request: Any) -> int:
        return self._rows


class PagedByKeys(List):
    """A change list whose ``p`` is a cursor of the API's lists instead of a number."""

    newer: str | None = None
    older: str | None = None

    def get_ordering(self, request: HttpRequest, queryset: QuerySet[Any]) -> list[Any]:
        return [*self.model_admin.get_ordering(request)]

    def get_results(self, request: HttpRequest) -> None:
        self.title = str(self.opts.verbose_name_plural).capitalize()
        found, cursors = self.rows_from(request, self.list_per_page)
        self.older, self.newer = _query_of(cursors.get_next_link()), _query_of(cursors.get_previous_link())
        self.result_list = found
        self.result_count = self.full_result_count = len(found)
        self.show_full_result_count = self.show_admin_actions = self.can_show_all = False
        self.multi_page = self.newer is not None or self.older is not None
        self.paginator = Paginator(found, self.list_per_page)
        self._place = request.GET.get(PAGE_VAR)

    def rows_from(self, request: HttpRequest, count: int) -> tuple[list[Any], Cursors]:
        """So many rows from where the page begins. Raises IncorrectLookupParameters."""
        cursors = Cursors(self.get_ordering(request, self.queryset), count)
        try:
            return cursors.paginate_queryset(self.queryset, Request(request)) or [], cursors
        except Problem as problem:
            raise IncorrectLookupParameters(problem.detail) from None

    @property
    def here(self) -> str:
        return str(self.get_query_string({PAGE_VAR: self._place} if self._place else None))

    @property
    def headings(self) -> list[str]:
        return [str(header["text"]) for header in result_headers(self)]

    @property
    def rows(self) -> list[list[str]]:
        return [
            [_cell(getattr(row, str(name), None), cell) for name, cell in zip(self.list_display, cells, strict=True)]
            for row in self.result_list
            for cells in [items_for_result(self, row, None)]
        ]

    @property
    def filters(self) -> list[tuple[str, list[Any]]]:
        return [(str(spec.title), list(spec.choices(self))) for spec in self.filter_specs]


def _query_of(link: str | None) -> str | None:
    return None if link is None else f"?{urlsplit(link).query}"


def moment(value: datetime) -> SafeString:
    """A moment that `site/times.js` shows in the reader's zone; without a script it names its own."""
    said = f"{value.astimezone(UTC):%-d %b %Y, %H:%M} UTC"
    return format_html('<time datetime="{}" data-form="at">{}</time>', value.isoformat(), said)


def _cell(value: object, cell: str) -> str:
    return format_html('<td class="when">{}</td>', moment(value)) if isinstance(value, datetime) else cell


class OnlyShownFilters:
    """For a ModelAdmin: its address filters by what `list_filter` shows, and only by equality.

    Django takes any lookup on a column: by `?secret__startswith=` it could be read letter by letter.
    """

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        field, _, how = lookup.partition("__")
        filters = self.get_list_filter(request)  # type: ignore[attr-defined]
        shown = {getattr(one, "parameter_name", one) for one in filters}
        return field in shown and how in ("", "exact", "isnull")


class BigList(OnlyShownFilters, Pages):
    """Pages of a model whose list is paged by keys, and the same as a CSV file."""

    show_full_result_count = False
    show_facets = ShowFacets.NEVER
    list_per_page = 50
    actions: Any = None
    change_list_template = "dashboard/list.html"

    def get_changelist(self, request: HttpRequest, **_: Any) -> Any:
        return PagedByKeys

    def get_sortable_by(self, request: HttpRequest) -> tuple[()]:
        return ()

    def get_urls(self) -> list[Any]:
        view = self.admin_site.admin_view(require_safe(self.csv_view))
        name = f"{self.opts.app_label}_{self.opts.model_name}_csv"
        return [path("csv/", view, name=name), *super().get_urls()]

    def csv_view(self, request: HttpRequest) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        try:
            found: Any = self.get_changelist_instance(request)
            rows, _ = found.rows_from(request, MOST_IN_FILE)
        except IncorrectLookupParameters:
            return HttpResponse(status=400)
        columns = [column for column in found.list_display if column != "action_checkbox"]
        cells = ([self._cell(row, column) for column in columns] for row in rows)
        return csv_file(f"{self.opts.verbose_name_plural}", columns, cells)

    def _cell(self, row: Any, column: str) -> object:
        own = getattr(self, column, None)
        return own(row) if callable(own) else getattr(row, column)


def filter_by(name: str, choices: Callable[[], Sequence[tuple[str, str]]]) -> type[SimpleListFilter]:
    """A filter by a column, without querying which values occur."""

    class Chosen(SimpleListFilter):
        title = parameter_name = name

        def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
            return choices()

        def queryset(self, request: HttpRequest, queryset: QuerySet[Any]) -> QuerySet[Any]:
            return queryset if self.value() is None else queryset.filter(**{name: self.value()})

    return Chosen


class AuditedForms:
    """For a ModelAdmin: its forms write to the audit log, too. Django's own history can be changed and deleted."""

    opts: Any

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_addition(request, obj, message)  # type: ignore[misc]  # ModelAdmin's
        self._write(request, auditing.Action.ADDED, obj)
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        entry = super().log_change(request, obj, message)  # type: ignore[misc]  # ModelAdmin's
        self._write(request, auditing.Action.CHANGED, obj, entry.get_change_message())
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Any]) -> Any:
        rows = list(queryset)
        for obj in rows:
            self._write(request, auditing.Action.DELETED, obj)
        return super().log_deletions(request, rows)  # type: ignore[misc]  # ModelAdmin's

    def _write(self, request: HttpRequest, action: auditing.Action, obj: Any, reason: str = "") -> None:
        user = request.user
        if not isinstance(user, Player):
            raise TypeError("the dashboard is for accounts of this service")
        auditing.write(user, action, f"{self.opts.model_name} {obj.pk}", reason=reason)
