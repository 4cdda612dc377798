"""manage.py createsuperuser: Django's command, without its ways around a good password."""

import getpass
import os
import sys
from collections.abc import Callable
from typing import Any

from django.contrib.auth.management.commands import createsuperuser
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import CommandError

from core.accounts import names
from core.accounts.models import Player


class Command(createsuperuser.Command):
    help = (
        "Create a superuser, who may do everything in the dashboard (/admin/). Asks in a terminal; with --noinput it "
        "takes --username or DJANGO_SUPERUSER_USERNAME, and DJANGO_SUPERUSER_PASSWORD."
    )

    def handle(self, *args: Any, **options: Any) -> None:
        given = options["username"] or os.environ.get("DJANGO_SUPERUSER_USERNAME", "")
        if options["interactive"]:
            player, password = self._ask(given)
        else:
            player, password = self._take(given)
        player.set_password(password)
        try:
            email = options.get("email") or os.environ.get("DJANGO_SUPERUSER_EMAIL", "")
            player.email = email and names.address(email)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        player.is_staff = player.is_superuser = True
        player.save(using=options["database"])
        if options["verbosity"]:
            self.stdout.write(f"{player.username} is a superuser, who may do everything in the dashboard, /admin/.")

    def _take(self, username: str) -> tuple[Player, str]:
        password = os.environ.get("DJANGO_SUPERUSER_PASSWORD", "")
        if not username or not password:
            raise CommandError(
                "Set DJANGO_SUPERUSER_USERNAME and DJANGO_SUPERUSER_PASSWORD, or leave out --noinput to be asked."
            )
        try:
            player = _named(username)
            validate_password(password, player)
        except ValidationError as error:
            raise CommandError(" ".join(error.messages)) from None
        return player, password

    def _ask(self, username: str) -> tuple[Player, str]:
        if not sys.stdin.isatty():
            raise CommandError(
                "There is no terminal to ask in. Use --noinput with DJANGO_SUPERUSER_USERNAME and "
                "DJANGO_SUPERUSER_PASSWORD."
            )
        try:
            player = self._until_good(lambda: _named(username or input("Username: ")), give_up=bool(username))
            return player, self._until_good(lambda: _new_password(player))
        except (KeyboardInterrupt, EOFError):
            raise CommandError("Cancelled.") from None

    def _until_good(self, ask: Callable[[], Any], *, give_up: bool = False) -> Any:
        while True:
            try:
                return ask()
            except ValidationError as error:
                if give_up:
                    raise CommandError(" ".join(error.messages)) from None
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
