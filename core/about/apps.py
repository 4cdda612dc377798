"""The page about this server: who runs it, and what it keeps of whom."""

from django.apps import AppConfig


class AboutConfig(AppConfig):
    name = "core.about"
    label = "about"
    pages = "core.about.urls"
