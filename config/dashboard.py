"""The dashboard under /admin/: its site replaces Django's own, and its sidebar lists what the caller may open."""

from typing import Any

from django.contrib import admin
from django.contrib.admin import sites
from django.http import HttpRequest
from unfold.apps import BasicAppConfig

from core.hooks import address

# Title, symbol, page, and who may open it: staff, superusers, or everybody who may enter.
_PAGES = (
    ("Home", "home", "index", "everybody"),
    ("Tournaments", "trophy", "tournaments_tournament_changelist", "everybody"),
    ("Games", "playing_cards", "games_game_changelist", "everybody"),
    ("Reports", "flag", "reports", "everybody"),
    ("Players", "group", "accounts_player_changelist", "staff"),
    ("Event log", "receipt_long", "event_log", "staff"),
    ("Queue", "outbox", "queue", "staff"),
    ("Audit log", "policy", "accounts_audit_changelist", "staff"),
    ("About this server", "info", "about_about_changelist", "superusers"),
    ("Groups", "key", "auth_group_changelist", "superusers"),
)


class DashboardConfig(BasicAppConfig):  # type: ignore[misc]  # unfold has no types
    def ready(self) -> None:
        """Make it the default before any app registers its pages."""
        from games.admin.site import site

        admin.site = site
        sites.site = site


def navigation(request: HttpRequest) -> list[dict[str, Any]]:
    from games.admin import rights

    kinds = {"everybody"} if rights.may_enter(request) else set()
    if rights.is_staff(request):
        kinds.add("staff")
    if request.user.is_superuser:
        kinds.add("superusers")
    items: list[dict[str, Any]] = [
        {"title": title, "icon": icon, "link": link}
        for title, icon, page, kind in _PAGES
        if kind in kinds and (link := address(f"admin:{page}")) is not None
    ]
    items.append({"title": "Back to Trey", "icon": "arrow_back", "link": "/", "active": lambda _: False})
    return [{"title": None, "separator": False, "items": items}]
