"""The operator's system checks: `manage.py check` runs them, and so does every start."""

import gc
from collections.abc import Sequence
from typing import Any

from django.apps import AppConfig
from django.conf import settings
from django.core import checks
from django.core.checks import CheckMessage, Error, Tags, register
from django.db import connections

from config.processes import POSTGRES_LOG


class OpsConfig(AppConfig):
    name = "config.ops"
    label = "ops"
    verbose_name = "Operations"

    def __init__(self, *args: Any) -> None:
        super().__init__(*args)
        # What is loaded stays. Looking for garbage in it, now and at the end, is a third of a command's time.
        gc.disable()

    def ready(self) -> None:
        from celery import signals

        from config.ops import logs

        signals.task_prerun.connect(logs.name_task)
        signals.task_postrun.connect(logs.forget_task)
        gc.freeze()
        gc.enable()


@register()
def production_is_safe(**_: Any) -> list[CheckMessage]:
    if not settings.PRODUCTION:
        return []
    known = settings.SECRET_KEY == settings.DEVELOPMENT_SECRET_KEY or "change" in settings.SECRET_KEY.lower()
    guessed = known or len(settings.SECRET_KEY) < 50 or len(set(settings.SECRET_KEY)) < 10
    any_host = "*" in settings.ALLOWED_HOSTS
    key = "The secret key is an example, has too few different characters, or is shorter than 50."
    set_key = "Set TREY_SECRET_KEY to at least 50 random characters and keep it secret."
    set_hosts = "Set TREY_HOSTS to the host names of the service, separated by commas."
    ahead = f"The clock would run {settings.TREY_CLOCK_AHEAD} seconds ahead, and players would lose their turns."
    local = "Webhooks, pushes and chat messages would be posted only to this machine, and without encryption."
    unset = "{} is for tests. Unset it in production."
    faults = [
        (guessed, "trey.E001", key, set_key),
        (settings.TREY_CLOCK_AHEAD, "trey.E003", ahead, unset.format("TREY_CLOCK_AHEAD")),
        (settings.TREY_HOOKS_LOCAL, "trey.E006", local, unset.format("TREY_HOOKS_LOCAL")),
        (any_host, "trey.E004", "Any host name is accepted.", set_hosts),
    ]
    return [Error(text, hint=hint, id=name) for is_so, name, text, hint in faults if is_so]


@register(Tags.database)
def the_database_logs_no_values(databases: Sequence[str] | None = None, **_: Any) -> list[CheckMessage]:
    """PostgreSQL's log must not hold values. `migrate` and `check --database default` run this."""
    found: list[CheckMessage] = []
    for alias in databases or ():
        with connections[alias].cursor() as cursor:
            cursor.execute("SELECT name, setting FROM pg_settings WHERE name = ANY(%s)", [list(POSTGRES_LOG)])
            wrong = sorted(name for name, value in cursor.fetchall() if value != POSTGRES_LOG[name])
        if wrong:
            lines = ", ".join(f"{name} = {POSTGRES_LOG[name]}" for name in wrong)
            text = "PostgreSQL's log may contain statements with password hashes and hidden cards."
            found.append(checks.Warning(text, hint=f"Set in postgresql.conf: {lines}.", id="trey.W001"))
    return found
