"""The page of the audit log."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.contrib import admin
from django.http import HttpRequest

from games.accounts.filtering import OnlyShownFilters
from games.accounts.models import Audit, Player
from games.admin.paging import NoCount
from games.admin.rights import ReadOnly, StaffSee
from games.admin.site import site

if TYPE_CHECKING:
    Pages = admin.ModelAdmin[Audit]
else:
    from unfold.admin import ModelAdmin as Pages


@admin.register(Audit, site=site)
class AuditAdmin(OnlyShownFilters, ReadOnly, StaffSee, NoCount, Pages):
    """Who did what, and why: for staff to read. Nobody can change it, the database sees to that."""

    list_display = ("at", "who", "action", "subject", "reason")
    list_display_links = None
    list_filter = ("action",)
    search_fields = ("=subject",)
    ordering = ("-at", "-id")
    fields = ("at", "by", "action", "subject", "reason")

    def get_queryset(self, request: HttpRequest):  # type: ignore[no-untyped-def]
        """With the names."""
        from django.db.models import OuterRef, Subquery

        name = Player.objects.filter(pk=OuterRef("by")).values("username")
        return super().get_queryset(request).annotate(name=Subquery(name))

    @admin.display(description="By")
    def who(self, entry: Audit) -> str:
        """The name of the account, or its id once it is gone."""
        return str(getattr(entry, "name", None) or entry.by)
