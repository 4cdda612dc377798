"""The app that holds the templates of mails."""

from django.apps import AppConfig


class MailConfig(AppConfig):
    name = "core.mail"
    label = "mail"
