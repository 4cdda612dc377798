"""The app that holds the templates and static files of games' pages."""

from django.apps import AppConfig


class GamePagesConfig(AppConfig):
    """Templates and static files; no models."""

    name = "games.pages"
    label = "game_pages"
