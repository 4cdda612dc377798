"""What `manage.py doctor` prints: one finding a line, each with what to do. Figures are those of the metrics."""

import shutil
import smtplib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import partial
from pathlib import Path

import redis
from django.conf import settings
from django.core import checks
from django.core.mail import get_connection
from django.db import DatabaseError, connection
from django.db.migrations.executor import MigrationExecutor

from config.ops.models import BACKUP, HEADS, Upkeep
from config.processes import OLDEST_POSTGRESQL, why_unreachable
from core import clock, log, vault
from core.jobs import services as work
from core.jobs.models import Work
from core.notifications.models import Subscription
from core.redis_client import connect
from games.rules.words import counted
from games.selectors import clock_status, heartbeats, recent_outages
from games.services.outages import SWEEPER, WEB
from games.wording import length

_SKEW, _BAD_SKEW = timedelta(seconds=2), timedelta(seconds=30)
_LITTLE, _VERY_LITTLE = 0.10, 0.03
_SILENT, _LATE, _VERY_LATE = timedelta(seconds=30), timedelta(minutes=1), timedelta(minutes=10)
_RECENTLY = timedelta(days=7)
_OLD_BACKUP, _VERY_OLD_BACKUP, _OLD_HEADS = timedelta(days=2), timedelta(days=8), timedelta(hours=26)
_TOLD = 5
_SECONDS_OF_MAIL = 5


class Level(Enum):
    """The severity of a finding; the value is the exit status that it leads to."""

    OK = 0
    WARN = 1
    BAD = 2


OK, WARN, BAD = Level.OK, Level.WARN, Level.BAD


@dataclass(frozen=True, slots=True)
class Finding:
    """One line: `name` is the check, `detail` what was found, `advice` what to do about it unless it is ok."""

    level: Level
    name: str
    detail: str
    advice: str = ""


Findings = Iterator[Finding]


def examine(newest: int) -> Findings:
    """Every finding, in the order of the page. `newest` is the number of streams whose log and rows are compared."""
    found = [*database()]
    yield from found
    reachable = all(finding.level is not BAD for finding in found)
    stored: dict[str, Callable[[], Findings]] = {"log": partial(newest_streams, newest), "rows": partial(rows, newest)}
    for name, check in {**_CHECKS, **stored}.items():
        if not reachable and name not in _WITHOUT_DATABASE:
            continue
        try:
            yield from check()
        except DatabaseError as error:
            reason = str(error).strip().splitlines()[0]
            yield Finding(BAD, name, f"could not be looked at: {reason}", "Fix the database first, then check again.")


def database() -> Findings:
    """Reachable, new enough, migrated. If not, most other checks are impossible."""
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT current_setting('server_version'), pg_database_size(current_database())")
            version, used = cursor.fetchone()
        executor = MigrationExecutor(connection)
        waiting = executor.migration_plan(executor.loader.graph.leaf_nodes())
    except DatabaseError as error:
        said = f"does not respond ({why_unreachable(error)})"
        yield Finding(BAD, "database", said, "Start it: `make run`, or see DATABASE_URL.")
        return
    if connection.connection.info.server_version // 10000 < OLDEST_POSTGRESQL:
        advice = f"Trey needs PostgreSQL {OLDEST_POSTGRESQL} or newer."
        yield Finding(BAD, "database", f"is PostgreSQL {version}", advice)
    elif waiting:
        yield Finding(BAD, "database", f"lacks {len(waiting)} migrations", "Run `manage.py migrate`.")
    else:
        yield Finding(OK, "database", f"PostgreSQL {version.split()[0]}, {size(used)}, all migrations are applied")


def redis_() -> Findings:
    try:
        with connect(settings.REDIS_URL, timeout=2) as client:
            info = client.info()
    except (redis.RedisError, OSError) as error:
        advice = "Start it. Until then no tasks run: no turns time out and no bots move. Nothing is lost."
        yield Finding(BAD, "redis", f"does not respond ({error})", advice)
        return
    used, most = info["used_memory"], info.get("maxmemory", 0)
    detail = f"Redis {info['redis_version']}, {size(used)} in use"
    if most and used > 0.9 * most:
        yield Finding(WARN, "redis", f"{detail} of {size(most)}", "Raise maxmemory: a full Redis refuses tasks.")
    else:
        yield Finding(OK, "redis", detail)


def disk() -> Findings:
    """Room in the state directory, where the embedded database is, where the heads are written, and around the code.

    In a container that is Docker's own disk, on which the database's volume is.
    """
    folders = {
        settings.PLACE.root,
        settings.BASE_DIR,
        *([Path(settings.TREY_HEADS_FILE).parent] if settings.TREY_HEADS_FILE else []),
    }
    there = (next(path for path in (folder, *folder.parents) if path.exists()) for folder in sorted(folders))
    for folder in {path.stat().st_dev: path for path in there}.values():
        usage = shutil.disk_usage(folder)
        share = usage.free / usage.total
        level = BAD if share < _VERY_LITTLE else WARN if share < _LITTLE else OK
        advice = "Free some space: a full disk stops the database. docs/operate/operations.md says how much games need."
        yield Finding(level, "disk", f"{size(usage.free)} ({share:.0%}) free at {folder}", advice)


def clock_() -> Findings:
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
        advice = "The clock was set back. Let NTP set it; turns will time out again when it has caught up."
        yield Finding(BAD, "clock", f"the last heartbeat is {length(ahead)} in the future", advice)
    else:
        yield Finding(OK, "clock", "agrees with the database's")


def settings_() -> Findings:
    found = [*_checked(include_deployment_checks=settings.PRODUCTION)]
    yield from found or [
        Finding(OK, "settings", f"{settings.TREY_ENV}, Trey {settings.TREY_VERSION}; all system checks pass")
    ]


def _checked(**which: object) -> Findings:
    for message in checks.run_checks(**which):  # type: ignore[arg-type]
        if message.level >= checks.WARNING and not message.is_silenced():
            level = BAD if message.level >= checks.ERROR else WARN
            yield Finding(level, "settings", f"{message.msg} ({message.id})", message.hint or "")


def parts() -> Findings:
    now, last = clock.now(), heartbeats()
    for part, advice in (
        (
            WEB,
            "No web process answers or reaches the database. Until one does, nobody times out. Check its last log "
            "lines.",
        ),
        (SWEEPER, "No turns time out: beat, the worker or Redis is down. Check their last log lines."),
    ):
        if part not in last:
            yield Finding(BAD, part, "has had no heartbeat yet", "Start Trey.")
            continue
        age = max(now - last[part], timedelta())
        yield Finding(BAD if age > _SILENT else OK, part, f"last seen {length(age)} ago", advice)


def turns() -> Findings:
    status = clock_status()
    if status.oldest_overdue > _LATE:
        detail = f"{status.due} are overdue, the oldest by {length(status.oldest_overdue)}"
        advice = "Sweeps are failing or too slow. Check the worker's log, or start another worker."
        yield Finding(BAD if status.oldest_overdue > _VERY_LATE else WARN, "turns", detail, advice)
    else:
        yield Finding(OK, "turns", f"{status.due} are due now, none for long")


def followers() -> Findings:
    lags, now = log.lags([subscriber.name for subscriber in log.subscribers()]), clock.now()
    for stuck in log.stuck_buckets():
        since = length(now - stuck.since)
        detail = f"{stuck.subscriber} has been stuck in bucket {stuck.bucket} for {since}: {stuck.error}"
        advice = "The log of `follow` has the traceback. docs/contribute/log.md: an event that fails."
        yield Finding(BAD, "followers", detail, advice)
    late = [lag for lag in lags if lag.age(now) > _LATE and not lag.stuck]
    for lag in late:
        detail = f"{lag.subscriber} is {lag.events} events behind, the oldest waits for {length(lag.age(now))}"
        advice = "`manage.py follow` is not running, or cannot keep up, so standings and ratings are behind."
        yield Finding(BAD if lag.age(now) > _VERY_LATE else WARN, "followers", detail, advice)
    if not late and not any(lag.stuck for lag in lags):
        yield Finding(OK, "followers", f"all {len(lags)} keep up with the log")


def queue() -> Findings:
    failing = Work.objects.filter(tries__gt=0).order_by("given_up_at", "-tries")
    for piece in failing.filter(given_up_at__isnull=False)[:_TOLD]:
        detail = f"{piece.kind} {piece.key} was given up after {piece.tries} tries: {piece.error}"
        yield Finding(WARN, "queue", detail, f"`manage.py work --retry {piece.pk}` starts it again.")
    for piece in failing.filter(given_up_at__isnull=True, kind__startswith="tournament.")[:_TOLD]:
        detail = f"{piece.kind} {piece.key} failed {piece.tries} times: {piece.error}"
        advice = "It is retried at least every hour. The worker's log has the traceback."
        yield Finding(BAD, "queue", detail, advice)
    late = [row for row in work.figures() if row.oldest > _LATE]
    for row in late:
        tasks = counted(row.due, f"{row.kind} task is", f"{row.kind} tasks are")
        detail = f"{tasks} due, the oldest for {length(row.oldest)}"
        advice = "Emails and webhooks are sent by `follow`, everything else by the worker. Check their logs."
        yield Finding(BAD if row.oldest > _VERY_LATE else WARN, "queue", detail, advice)
    if not late and not failing.exists():
        yield Finding(OK, "queue", "nothing waits for long")


def sealed() -> Findings:
    """Check that all encrypted data can be read: the newest of each kind, with one of the keys that are set."""
    readable = True
    for holder in vault.HOLDERS:
        try:
            for row in holder.rows()[:1]:
                holder.recode(row, vault.unseal)
        except vault.Unreadable:
            readable = False
            detail = f"the newest {row._meta.verbose_name} is encrypted with a key that is not set"  # noqa: SLF001
            advice = "Add the previous key to TREY_VAULT_KEYS (TREY_SECRET_KEY if it was unset before)."
            yield Finding(BAD, "keys", detail, advice)
    if readable:
        yield Finding(OK, "keys", "all encrypted data can be read")


def pushes() -> Findings:
    """The services that refuse all our pushes; no line if none does."""
    refusing = Subscription.objects.filter(off_since__isnull=True, error__regex=r"^It answered 40[13][.:]")
    for row in refusing.order_by("host", "-failing_since").distinct("host")[:_TOLD]:
        detail = f"{row.host} refuses our pushes: {row.error}"
        yield Finding(BAD, "push", detail, "Read its answer. Is the clock right, and is TREY_SITE_URL set?")


def mail() -> Findings:
    """No mail is sent; `manage.py tell PLAYER` sends one."""
    if settings.EMAIL_BACKEND.endswith("console.EmailBackend"):
        advice = "Set TREY_MAIL_URL to a mail server (docs/operate/running.md). Until then, players get no emails."
        detail = "no mail server is set, so emails are printed in the output of `follow`"
        yield Finding(WARN if settings.PRODUCTION else OK, "mail", detail, advice)
        return
    try:
        server = get_connection(fail_silently=False, timeout=_SECONDS_OF_MAIL)
        server.open()
        server.close()
    except (smtplib.SMTPException, OSError) as error:
        detail = f"the mail server cannot be used: {type(error).__name__}: {error}"
        advice = "Check TREY_MAIL_URL and the server. Waiting emails are retried for three days."
        yield Finding(BAD, "mail", detail, advice)
    else:
        yield Finding(OK, "mail", "the mail server accepts our login")


def outages() -> Findings:
    recent = [outage for outage in recent_outages() if outage.ended_at > clock.now() - _RECENTLY]
    for outage in recent[:_TOLD]:
        lasted = length(outage.ended_at - outage.began_at)
        detail = f"the {outage.part} was out for {lasted} from {outage.began_at:%Y-%m-%d %H:%M} UTC"
        advice = "Nothing to do if it was planned, such as an upgrade. Deadlines were moved accordingly."
        yield Finding(WARN, "outages", detail, advice)
    if not recent:
        yield Finding(OK, "outages", f"none in the last {_RECENTLY.days} days")


def backup() -> Findings:
    row = Upkeep.objects.filter(pk=BACKUP).first()
    advice = "Run `manage.py backup database FILE` every day, or `backup note` after making a backup in another way."
    if row is not None and row.failed_at is not None:
        yield Finding(BAD, "backup", f"failed {length(clock.now() - row.failed_at)} ago: {row.error}", advice)
    elif row is None or row.done_at is None:
        yield Finding(WARN, "backup", "none has been made yet", advice)
    else:
        age = clock.now() - row.done_at
        level = BAD if age > _VERY_OLD_BACKUP else WARN if age > _OLD_BACKUP else OK
        yield Finding(level, "backup", f"made {length(age)} ago: {row.detail}", advice)


def heads() -> Findings:
    if not settings.TREY_HEADS_FILE:
        advice = "Set TREY_HEADS_FILE, and copy the file elsewhere: it proves that nobody has changed the log."
        yield Finding(WARN if settings.PRODUCTION else OK, "heads", "are not written to a file", advice)
        return
    file, row = Path(settings.TREY_HEADS_FILE), Upkeep.objects.filter(pk=HEADS).first()
    advice = "Beat and a worker make them every day. The worker's log says what failed."
    if row is not None and row.failed_at is not None:
        yield Finding(BAD, "heads", row.error, advice)
        return
    try:
        last = log.last_published(file)
    except FileNotFoundError:
        last = None
    except (OSError, log.CannotPublish) as error:
        yield Finding(BAD, "heads", str(error), "Move the file away. A new one begins the next day.")
        return
    if last is None and row is None:
        first = "Beat and a worker write the first ones an hour after their start, and then once a day."
        yield Finding(WARN, "heads", f"{file} has none yet", first)
    elif last is None:
        yield Finding(BAD, "heads", f"{file} no longer has any", advice)
    else:
        age = clock.now() - last.at
        yield Finding(WARN if age > _OLD_HEADS else OK, "heads", f"written {length(age)} ago to {file}", advice)


def newest_streams(count: int) -> Findings:
    streams = log.newest_streams(count)
    problems = [problem for stream in streams for problem in log.verify(stream)]
    for problem in problems[:_TOLD]:
        advice = (
            "Somebody has changed the log. Stop Trey, run `manage.py log verify` for details, and restore a backup."
        )
        yield Finding(BAD, "log", problem, advice)
    if not problems:
        yield Finding(OK, "log", f"the {len(streams)} newest streams are intact")


def rows(count: int) -> Findings:
    """Rows that differ from the log: all are compared by version, the newest ones byte for byte."""
    found = []
    looked_at, recent = 0, set(log.newest_streams(count))
    for kind in log.rebuildables():
        behind = {f"{kind.name}-{stream_id}" for stream_id in kind.behind()}
        found += [f"the rows of {stream} are missing or behind its log" for stream in sorted(behind)]
        for stream in sorted(recent - behind):
            name, _, key = stream.partition("-")
            if name == kind.name:
                looked_at += 1
                differences = log.differences(kind, kind.parse(key)).differences
                found += [f"{stream}, {difference}" for difference in differences]
    for line in found[:_TOLD]:
        advice = "`manage.py rebuild ID` rebuilds the rows from the log; --all --check checks all of them."
        yield Finding(BAD, "rows", line if len(line) <= 300 else f"{line[:300]} ...", advice)
    if not found:
        yield Finding(OK, "rows", f"none are behind the log, and those of the {looked_at} newest streams match it")


_CHECKS: dict[str, Callable[[], Findings]] = {
    "redis": redis_, "disk": disk, "clock": clock_, "settings": settings_,
    "settings in the database": partial(_checked, tags=[checks.Tags.database], databases=["default"]),
    "heartbeats": parts, "turns": turns, "followers": followers, "queue": queue, "keys": sealed, "push": pushes,
    "mail": mail, "outages": outages, "backup": backup, "heads": heads,
}  # fmt: skip
_WITHOUT_DATABASE = {"redis", "disk", "settings"}


def size(count: int) -> str:
    """A number of bytes for people: "350 MB"."""
    for unit, factor in (("GB", 1 << 30), ("MB", 1 << 20)):
        if count >= factor:
            return f"{count / factor:.1f} {unit}"
    return f"{count // 1024} kB"
