"""manage.py createsuperuser: Django's command, without its ways around a good password."""

import getpass
import os
import sys
from collections.abc import Callable
from typing import Any, TypeVar

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from core.accounts import names
from core.accounts.models import Player

T = TypeVar("T")
_NEEDED = "DJANGO_SUPERUSER_USERNAME and DJANGO_SUPERUSER_PASSWORD"


class Command(createsuperuser.Command):
    help = (
        "Create a superuser, who may do everything in the dashboard (/admin/). Asks in a terminal; with --noinput it "
        "takes --username or DJANGO_SUPERUSER_USERNAME, and DJANGO_SUPERUSER_PASSWORD."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        given = options["username"] or os.environ.get("DJANGO_SUPERUSER_USERNAME", "")
        password = os.environ.get("DJANGO_SUPERUSER_PASSWORD", "")
        if options["interactive"] and not sys.stdin.isatty():
            raise CommandError(f"There is no terminal to ask in. Use --noinput with {_NEEDED}.")
        if not options["interactive"] and not (given and password):
            raise CommandError(f"Set {_NEEDED}, or leave out --noinput to be asked.")
        try:
            player = _named(given) if given else self._until_good(lambda: _named(input("Username: ")))
            if options["interactive"]:
                password = self._until_good(lambda: _new_password(player))
            else:
                validate_password(password, player)
            email = options.get("email") or os.environ.get("DJANGO_SUPERUSER_EMAIL", "")
            player.email = email and names.address(email)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        except (KeyboardInterrupt, EOFError):
            raise CommandError("Cancelled.") from None
        player.set_password(password)
        player.is_staff = player.is_superuser = True
        player.save(using=options["database"])
        if options["verbosity"]:
            self.stdout.write(f"{player.username} is a superuser, who may do everything in the dashboard, /admin/.")

    def _until_good(self, ask: Callable[[], T]) -> T:
        while True:
            try:
                return ask()
            except ValidationError as error:
                self.stderr.write(" ".join(error.messages))


def _named(username: str) -> Player:
    player = Player(username=Player.normalize_username(username))
    try:
        player.full_clean(exclude=["password"])
    except ValidationError as error:
        raise ValidationError([f"Username: {message}" for message in error.messages]) from None
    return player


def _new_password(player: Player) -> str:
    password = getpass.getpass("Password: ")
    validate_password(password, player)
    if getpass.getpass("Password (again): ") != password:
        raise ValidationError("The two passwords are not the same.")
    return password
