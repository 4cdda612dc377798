"""Checks of the machine: the database, Redis, the disk, the clock, the settings."""

import shutil
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import psycopg
import redis
from django.conf import settings
from django.core import checks
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config import pooler
from config.ops.doctor.finding import BAD, OK, WARN, Finding, length, size
from core import clock
from core.redis_client import connect
from games.selectors import heartbeats

_OLDEST_POSTGRESQL = 15
_SKEW, _BAD_SKEW = timedelta(seconds=2), timedelta(seconds=30)
_LITTLE, _VERY_LITTLE = 0.10, 0.03


def pooler_() -> Iterator[Finding]:
    """Check the pooler in front of the database. No line if there is none."""
    try:
        found = pooler.look(**pooler.arguments_of(connection.get_connection_params()))
    except psycopg.Error:
        return  # the database's own line says so
    level = BAD if not found.usable else WARN if found.advice else OK
    if found is not pooler.Pooling.NONE:
        yield Finding(level, "pooler", found.value, found.advice)


def time_limits() -> Iterator[Finding]:
    """Check that PostgreSQL has the time limits that the connection asks for. No line if it has."""
    with connection.cursor() as cursor:
        # A limit comes from the client if the connection asked for it. One that an operator has set for a role is fine,
        # too.
        cursor.execute(
            "SELECT string_agg(name, ', ' ORDER BY name) FROM pg_settings"
            " WHERE name IN ('lock_timeout', 'statement_timeout', 'idle_in_transaction_session_timeout')"
            " AND source IN ('default', 'configuration file')"
        )
        (lost,) = cursor.fetchone()
    if lost:
        advice = "A pooler leaves out what connections ask for. Set them by ALTER ROLE (docs/running.md, PgBouncer)."
        yield Finding(WARN, "time limits", f"{lost}: PostgreSQL was not told of them", advice)


def database() -> Iterator[Finding]:
    """Reachable, new enough, migrated. If not, most other checks are impossible."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version'), pg_database_size(current_database())")
            version, used = cursor.fetchone()
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        reason = str(error).strip().splitlines()[-1].strip()
        yield Finding(BAD, "database", f"does not respond ({reason})", "Start it: `make run`, or see DATABASE_URL.")
        return
    if connection.connection.info.server_version // 10000 < _OLDEST_POSTGRESQL:
        advice = f"Trey needs PostgreSQL {_OLDEST_POSTGRESQL} or newer."
        yield Finding(BAD, "database", f"is PostgreSQL {version}", advice)
    elif waiting:
        yield Finding(BAD, "database", f"lacks {len(waiting)} migrations", "Run `manage.py migrate`.")
    else:
        yield Finding(OK, "database", f"PostgreSQL {version.split()[0]}, {size(used)}, all migrations are applied")


def redis_() -> Iterator[Finding]:
    """Redis responds, and has memory left."""
    try:
        with connect(settings.REDIS_URL, timeout=2) as client:
            info = client.info()
    except (redis.RedisError, OSError) as error:
        advice = "Start it. Meanwhile no task runs: no turn is timed out, no bot moves. Nothing is lost."
        yield Finding(BAD, "redis", f"does not respond ({error})", advice)
        return
    used, most = info["used_memory"], info.get("maxmemory", 0)
    detail = f"Redis {info['redis_version']}, {size(used)} in use"
    if most and used > 0.9 * most:
        yield Finding(WARN, "redis", f"{detail} of {size(most)}", "Raise maxmemory: a full Redis refuses tasks.")
    else:
        yield Finding(OK, "redis", detail)


def disk() -> Iterator[Finding]:
    """Room in the state directory, where the embedded database is, and where the heads are written."""
    folders = {settings.PLACE.root, *([Path(settings.TREY_HEADS_FILE).parent] if settings.TREY_HEADS_FILE else [])}
    seen = set()
    for folder in sorted(folders):
        there = next(path for path in (folder, *folder.parents) if path.exists())
        device = there.stat().st_dev
        if device in seen:
            continue
        seen.add(device)
        usage = shutil.disk_usage(there)
        share = usage.free / usage.total
        detail = f"{size(usage.free)} ({share:.0%}) free at {there}"
        if share < _LITTLE:
            advice = "Make room: a full disk stops the database. docs/operations.md says what a thousand games take."
            yield Finding(BAD if share < _VERY_LITTLE else WARN, "disk", detail, advice)
        else:
            yield Finding(OK, "disk", detail)


def clock_() -> Iterator[Finding]:
    """This machine's clock, compared with the database's and with the last heartbeats."""
    begun = datetime.now(UTC)
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there = cursor.fetchone()[0]
    ended = datetime.now(UTC)
    skew = max(begun - there, there - ended, timedelta())
    ahead = max([moment - clock.now() for moment in heartbeats().values()], default=timedelta())
    if skew > _SKEW:
        advice = "Let NTP or chrony set both clocks: deadlines are judged by this machine's."
        level = BAD if skew > _BAD_SKEW else WARN
        yield Finding(level, "clock", f"the database's clock differs by {length(skew)}", advice)
    elif ahead > _SKEW:
        advice = "The clock was set back. Let NTP set it; turns are timed out again once it has caught up."
        yield Finding(BAD, "clock", f"the last heartbeat lies {length(ahead)} in the future", advice)
    elif settings.TREY_CLOCK_AHEAD:
        advice = "TREY_CLOCK_AHEAD is only for trying things out."
        yield Finding(WARN, "clock", f"runs {settings.TREY_CLOCK_AHEAD} seconds ahead", advice)
    else:
        yield Finding(OK, "clock", "agrees with the database's")


def settings_() -> Iterator[Finding]:
    """Django's system checks and ours, in production those for deployment too."""
    found = list(_findings(checks.run_checks(include_deployment_checks=settings.PRODUCTION)))
    yield from found
    if not found:
        yield Finding(OK, "settings", f"{settings.TREY_ENV}, Trey {settings.TREY_VERSION}; all system checks pass")


def database_settings() -> Iterator[Finding]:
    """The checks that ask the database, such as what its log may hold. No line without a finding."""
    yield from _findings(checks.run_checks(tags=[checks.Tags.database], databases=["default"]))


def _findings(messages: list[checks.CheckMessage]) -> Iterator[Finding]:
    for message in messages:
        if message.level >= checks.WARNING and not message.is_silenced():
            level = BAD if message.level >= checks.ERROR else WARN
            yield Finding(level, "settings", f"{message.msg} ({message.id})", message.hint or "")


def connections() -> Iterator[Finding]:
    """Connections of the database, and transactions that hold it up."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT count(*), current_setting('max_connections')::integer,"
            " COALESCE(max(clock_timestamp() - xact_start) FILTER (WHERE pid <> pg_backend_pid()), interval '0')"
            " FROM pg_stat_activity WHERE backend_type = 'client backend'"
        )
        used, most, longest = cursor.fetchone()
    detail = f"{used} of {most} are in use"
    if used > 0.8 * most:
        yield Finding(WARN, "connections", detail, "Raise max_connections, or lower TREY_DB_POOL.")
    elif longest > timedelta(minutes=30):
        advice = (
            "A backup may take that long. Otherwise end it: pg_stat_activity has its pid, pg_terminate_backend ends it."
        )
        yield Finding(WARN, "connections", f"a transaction has been open for {length(longest)}", advice)
    else:
        yield Finding(OK, "connections", detail)
