"""The page of the audit log."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from core.accounts import auditing
from core.accounts.admin.lists import BigList
from core.accounts.models import Audit, Player
from games.admin.rights import ReadOnly, StaffSee
from games.admin.site import site

if TYPE_CHECKING:
    Pages = admin.ModelAdmin[Audit]
else:
    from unfold.admin import ModelAdmin as Pages


class ActionFilter(admin.SimpleListFilter):
    """By action, without querying which ones occur."""

    title = "action"
    parameter_name = "action"

    def lookups(self, request: HttpRequest, model_admin: Any) -> Sequence[tuple[str, str]]:
        """All actions that are ever recorded."""
        return [(action.value, action.value) for action in auditing.Action]

    def queryset(self, request: HttpRequest, queryset: QuerySet[Audit]) -> QuerySet[Audit]:
        """The entries with the chosen action."""
        return queryset if self.value() is None else queryset.filter(action=self.value())


@admin.register(Audit, site=site)
class AuditAdmin(BigList, ReadOnly, StaffSee, Pages):
    """The audit log for staff: who did what, and why. The database refuses changes."""

    list_display = ("at", "who", "action", "subject", "reason")
    list_display_links = None
    search_help_text = "What it was done to: game or player, and the id"
    list_filter = (ActionFilter,)
    search_fields = ("=subject",)
    ordering = ("-at", "-id")
    fields = ("at", "by", "action", "subject", "reason")

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]
        """The entries with the names of accounts."""
        from django.db.models import OuterRef, Subquery

        name = Player.objects.filter(pk=OuterRef("by")).values("username")
        return super().get_queryset(request).annotate(name=Subquery(name))

    @admin.display(description="By")
    def who(self, entry: Audit) -> str:
        """The name of the account, or its id once it is gone."""
        return str(getattr(entry, "name", None) or entry.by)
