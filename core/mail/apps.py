"""The app that holds the templates of mails."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    """Templates; no models."""

    name = "core.mail"
    label = "mail"
