import textwrap
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import environment, limits


class Command(BaseCommand):
    help = "Print all settings and limits with their current value, default and meaning. Secrets are not shown."

    def handle(self, *args: Any, **options: Any) -> None:
        rows = [
            (name, environment.shown(name), one.get("default", ""), _meaning(name, one))
            for name, one in environment.VARIABLES.items()
        ]
        rows += [
            (f"TREY_LIMITS={name}", limits.shown(settings.TREY_LIMITS[name]), f"{one.usual} in production", one.meaning)
            for name, one in limits.declared(settings.FEATURES).items()
        ]
        for name, value, default, meaning in rows:
            self.stdout.write(f"{name}={value}  (default: {default or 'unset'})")
            self.stdout.write(textwrap.indent(textwrap.fill(meaning, 110), "    "))


def _meaning(name: str, variable: dict[str, Any]) -> str:
    required = ". Required in production" if "required" in variable else ""
    file = f". {name}_FILE names a file with it" if "secret" in variable else ""
    return f"{variable['meaning']}{required}{file}"
