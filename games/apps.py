"""The app that knows accounts, rooms and running games."""

from django.apps import AppConfig


class GamesConfig(AppConfig):
    """Accounts, rooms and games, and what the admin shows of them."""

    name = "games"
    label = "games"
    verbose_name = "Games"
    default_auto_field = "django.db.models.BigAutoField"
