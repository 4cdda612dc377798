"""The dashboard's page of accounts. Tokens have no page: with one, organisers could see hidden cards of others."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.contrib.auth.admin import UserAdmin
from unfold.forms import AdminPasswordChangeForm, UserChangeForm, UserCreationForm

from games.accounts.models import Player

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with another look.
    Accounts = UserAdmin[Player]
else:
    from unfold.admin import ModelAdmin

    class Accounts(UserAdmin, ModelAdmin):
        """Django's pages of accounts, with unfold's look."""


@admin.register(Player)
class PlayerAdmin(Accounts):
    """Find, rename and lock accounts, and make organisers."""

    form = UserChangeForm
    add_form = UserCreationForm
    change_password_form = AdminPasswordChangeForm
    list_display = ("username", "is_active", "is_staff", "date_joined", "last_login")
    list_filter = ("is_active", "is_staff", "groups")
    search_fields = ("username", "email")
    show_full_result_count = False
    fieldsets = (
        (None, {"fields": ("username", "password", "email")}),
        ("Rights", {"fields": ("is_active", "is_staff", "is_superuser", "groups", "user_permissions")}),
        ("Dates", {"fields": ("last_login", "date_joined")}),
    )
    readonly_fields = ("last_login", "date_joined")
    actions = ()

    def has_delete_permission(self, *_: Any) -> bool:
        """Never: an account must leave its games before it is deleted (`games.accounts.services.close`)."""
        return False
