"""The dashboard's pages of games: read-only, since a game changes only through the services.

No page shows cards, secrets, salts or invitations: an organiser may play, too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from django.contrib import admin
from django.db.models import QuerySet
from django.http import HttpRequest

from games.models import Game, Seat

if TYPE_CHECKING:
    # unfold has no types; its classes are Django's with another look.
    Pages = admin.ModelAdmin[Game]
    Rows = admin.TabularInline[Seat, Game]
else:
    from unfold.admin import ModelAdmin as Pages
    from unfold.admin import TabularInline as Rows


class ReadOnly:
    """Looked at, never changed: a game's rows are a cache of its log."""

    def has_add_permission(self, *_: Any) -> bool:
        """Never."""
        return False

    def has_change_permission(self, *_: Any) -> bool:
        """Never."""
        return False

    def has_delete_permission(self, *_: Any) -> bool:
        """Never."""
        return False


class SeatInline(ReadOnly, Rows):
    """Who sits in a game and what it waits for."""

    model = Seat
    fields = ("index", "player", "bot", "resigned", "to_act", "due_at")
    readonly_fields = fields
    ordering = ("index",)
    extra = 0
    hide_title = True

    def get_queryset(self, request: HttpRequest) -> QuerySet[Seat]:
        """With the players."""
        return super().get_queryset(request).select_related("player")


@admin.register(Game)
class GameAdmin(ReadOnly, Pages):
    """Rooms and games."""

    list_display = ("id", "game", "ruleset", "status", "seats", "visibility", "version", "opened_at", "moved_at")
    list_filter = ("game", "status", "visibility", "rated")
    search_fields = ("=id",)
    ordering = ("-opened_at", "id")
    show_full_result_count = False
    inlines = (SeatInline,)
    # What is long has a row of its own.
    fields = (
        ("game", "ruleset"),
        ("status", "version"),
        ("seats", "dealer"),
        ("visibility", "rated"),
        ("opened_at", "started_at"),
        ("moved_at", "finished_at"),
        "cancel_reason",
        "voided",
        "result",
        "options",
        "clock",
        "commitment",
    )
    readonly_fields = tuple(name for row in fields for name in ((row,) if isinstance(row, str) else row))

    def get_queryset(self, request: HttpRequest) -> QuerySet[Game]:
        """Without the columns that no page shows: the states of a hundred games are large, and the secrets secret."""
        return super().get_queryset(request).defer("state", "secret", "salts", "invitation", "asked_options")

    def lookup_allowed(self, lookup: str, value: str, request: HttpRequest) -> bool:
        """The filters above alone: by `?secret__startswith=` any column could be read letter by letter."""
        return lookup.partition("__")[0] in self.list_filter and super().lookup_allowed(lookup, value, request)
