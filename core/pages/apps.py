"""The app that holds the templates and static files of the site."""

from django.apps import AppConfig


class PagesConfig(AppConfig):
    name = "core.pages"
    label = "site_pages"
