"""manage.py changepassword: Django's command, which by itself ends nothing that goes with the old password."""

import getpass
from typing import Any

from django.contrib.auth.management.commands import changepassword

from core.accounts import services
from core.accounts.models import Player


class Command(changepassword.Command):
    def handle(self, *args: Any, **options: Any) -> str | None:
        name = options["username"] or getpass.getuser()
        said = super().handle(*args, **{**options, "username": name})
        services.password_changed(Player.objects.get(username=name))
        return said
