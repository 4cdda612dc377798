import textwrap
from argparse import ArgumentParser
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand

from config import environment, limits


class Command(BaseCommand):
    help = "Print all settings and limits: present value, default, meaning. Secrets are not shown."

    def add_arguments(self, parser: ArgumentParser) -> None:
        parser.add_argument("--docs", action="store_true", help="print the tables of docs/operate/running.md instead")

    def handle(self, *args: Any, **options: Any) -> None:
        self.stdout.write(tables() if options["docs"] else _present())


def tables() -> str:
    """The settings and the limits in Markdown."""
    groups = {
        title: [(name, one.get("default", ""), _meaning(name, one)) for name, one in group.items()]
        for title, group in environment.GROUPS.items()
    }
    groups["Limits"] = [(name, one.usual, one.meaning) for name, one in limits.declared(settings.FEATURES).items()]
    return "\n\n".join(f"### {title}\n\n{_table(rows)}" for title, rows in groups.items())


def _table(rows: list[tuple[str, str, str]]) -> str:
    lines = [f"| `{name}` | {f'`{default}`' if default else ''} | {meaning} |" for name, default, meaning in rows]
    return "\n".join(["| name | default | meaning |", "|---|---|---|", *lines])


def _meaning(name: str, variable: dict[str, Any]) -> str:
    required = ". Required in production" if "required" in variable else ""
    file = f". `{name}_FILE` names a file with it" if "secret" in variable else ""
    return f"{variable['meaning']}{required}{file}"


def _present() -> str:
    rows = [
        (name, environment.shown(name), one.get("default", ""), one["meaning"])
        for name, one in environment.VARIABLES.items()
    ]
    rows += [
        (f"TREY_LIMITS={name}", limits.shown(settings.TREY_LIMITS[name]), f"{one.usual} in production", one.meaning)
        for name, one in limits.declared(settings.FEATURES).items()
    ]
    return "\n".join(
        f"{name}={value}  (default: {default or 'unset'})\n{textwrap.indent(textwrap.fill(meaning, 110), '    ')}"
        for name, value, default, meaning in rows
    )
