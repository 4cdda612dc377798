"""The pages of groups: editing a group gives rights, which only superusers may do."""

from typing import TYPE_CHECKING

from django.contrib import admin
from django.contrib.auth.admin import GroupAdmin as DjangoGroups
from django.contrib.auth.models import Group
from django.http import HttpRequest

from core.accounts.admin.lists import AuditedForms, OnlyShownFilters
from games.admin.site import site

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with a different look.
    Groups = DjangoGroups
else:
    from unfold.admin import ModelAdmin

    class Groups(DjangoGroups, ModelAdmin):
        """Django's pages of groups, with unfold's look."""


@admin.register(Group, site=site)
class GroupAdmin(AuditedForms, OnlyShownFilters, Groups):
    """Groups of rights."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Superusers."""
        return request.user.is_active and request.user.is_superuser

    def has_view_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Superusers."""
        return self.has_module_permission(request)

    def has_add_permission(self, request: HttpRequest) -> bool:
        """Superusers."""
        return self.has_module_permission(request)

    def has_change_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Superusers."""
        return self.has_module_permission(request)

    def has_delete_permission(self, request: HttpRequest, obj: Group | None = None) -> bool:
        """Superusers."""
        return self.has_module_permission(request)
