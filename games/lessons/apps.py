from django.apps import AppConfig


class LessonsConfig(AppConfig):
    name = "games.lessons"
    label = "lessons"
    api = "games.lessons.api"
    pages = "games.lessons.pages"
