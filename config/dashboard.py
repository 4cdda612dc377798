"""The dashboard under /admin/: its site takes the place of Django's own."""

from django.contrib import admin
from django.contrib.admin import sites
from unfold.apps import BasicAppConfig


class DashboardConfig(BasicAppConfig):  # type: ignore[misc]  # unfold has no types
    """unfold's app, with our site as the default one."""

    def ready(self) -> None:
        """Make it the default before any app registers its pages."""
        from games.admin.site import site

        admin.site = site
        sites.site = site
