from django.apps import AppConfig


class LabConfig(AppConfig):
    name = "games.lab"
    label = "lab"
