"""The dashboard's form for the page about this server."""

from typing import Any

from django.contrib import admin
from django.core.exceptions import PermissionDenied
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.urls import reverse

from core.about.models import About
from core.dashboard import AuditedForms, Pages


@admin.register(About)
class AboutAdmin(AuditedForms, Pages):
    """The one row, by whoever may change it."""

    def has_module_permission(self, request: HttpRequest) -> bool:
        """Not by looking for the right, which each page of the dashboard would do."""
        return bool(request.user.is_superuser)

    def has_add_permission(self, *_: Any) -> bool:
        return False

    def has_delete_permission(self, *_: Any) -> bool:
        return False

    def lookup_allowed(self, *_: Any) -> bool:
        """There is no list."""
        return False

    def changelist_view(self, request: HttpRequest, *_: Any) -> HttpResponse:
        if not self.has_view_permission(request):
            raise PermissionDenied
        row, _made = About.objects.get_or_create(pk=1)
        return HttpResponseRedirect(reverse("admin:about_about_change", args=[row.pk]))
