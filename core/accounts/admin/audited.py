"""Entries in the audit log for changes made with forms of the dashboard."""

from collections.abc import Iterable
from typing import Any

from django.http import HttpRequest

from core.accounts import auditing
from core.accounts.models import Player


class AuditedForms:
    """For a ModelAdmin: its forms write to the audit log, too. Django's own history can be changed and deleted."""

    opts: Any

    def log_addition(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Something was added."""
        entry = super().log_addition(request, obj, message)  # type: ignore[misc]  # ModelAdmin's
        self._write(request, auditing.Action.ADDED, obj)
        return entry

    def log_change(self, request: HttpRequest, obj: Any, message: Any) -> Any:
        """Something was changed; the reason names the fields."""
        entry = super().log_change(request, obj, message)  # type: ignore[misc]  # ModelAdmin's
        self._write(request, auditing.Action.CHANGED, obj, entry.get_change_message())
        return entry

    def log_deletions(self, request: HttpRequest, queryset: Iterable[Any]) -> Any:
        """Things are deleted."""
        rows = list(queryset)
        for obj in rows:
            self._write(request, auditing.Action.DELETED, obj)
        return super().log_deletions(request, rows)  # type: ignore[misc]  # ModelAdmin's

    def _write(self, request: HttpRequest, action: auditing.Action, obj: Any, reason: str = "") -> None:
        user = request.user
        if not isinstance(user, Player):
            raise TypeError("the dashboard is for accounts of this service")
        auditing.write(user, action, f"{self.opts.model_name} {obj.pk}", reason=reason)
