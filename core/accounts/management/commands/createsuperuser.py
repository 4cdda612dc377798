"""manage.py createsuperuser: Django's command, which by itself checks no password with --noinput."""

import os
import sys
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from core.accounts.models import Player

_NEEDED = "DJANGO_SUPERUSER_USERNAME and DJANGO_SUPERUSER_PASSWORD"


class Command(createsuperuser.Command):
    def handle(self, *args: Any, **options: Any) -> None:
        given = options["username"] or os.environ.get("DJANGO_SUPERUSER_USERNAME", "")
        password = os.environ.get("DJANGO_SUPERUSER_PASSWORD", "")
        if options["interactive"] and not sys.stdin.isatty():
            raise CommandError(f"This is not a terminal, so you cannot be asked. Use --noinput with {_NEEDED}.")
        if not options["interactive"] and not (given and password):
            raise CommandError(f"Set {_NEEDED}, or leave out --noinput to be asked.")
        if not options["interactive"]:
            try:
                validate_password(password, Player(username=given))
            except ValidationError as error:
                raise CommandError(" ".join(error.messages)) from None
        super().handle(*args, **options)
