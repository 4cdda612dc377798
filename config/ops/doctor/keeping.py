"""Checks that the stored data is what was recorded, and that copies of it are kept."""

from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings

from config.ops import upkeep
from config.ops.doctor.finding import BAD, OK, WARN, Finding, length
from config.ops.models import Upkeep
from core import clock, log

_TOLD = 5
_OLD_BACKUP, _VERY_OLD_BACKUP = timedelta(days=2), timedelta(days=8)
_OLD_HEADS = timedelta(hours=26)


def newest_streams(count: int) -> Iterator[Finding]:
    """The digests of the streams that were written last."""
    streams = log.newest_streams(count)
    problems = [problem for stream in streams for problem in log.verify(stream)]
    for problem in problems[:_TOLD]:
        advice = "Somebody changed the log. Stop Trey, `manage.py log verify` says all of it, restore a backup."
        yield Finding(BAD, "log", problem, advice)
    if not problems:
        yield Finding(OK, "log", f"the {len(streams)} newest streams are what was recorded")


def rows(count: int) -> Iterator[Finding]:
    """Rows that differ from the log: all are compared by version, the newest ones byte for byte."""
    found = []
    looked_at = 0
    recent = set(log.newest_streams(count))
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
        advice = "`manage.py rebuild ID` makes the rows again from the log; --all --check looks at all of them."
        yield Finding(BAD, "rows", line if len(line) <= 300 else f"{line[:300]} ...", advice)
    if not found:
        yield Finding(OK, "rows", f"none is behind its log, and those of the {looked_at} newest are what it says")


def backup() -> Iterator[Finding]:
    """Find out when `manage.py backup` last succeeded."""
    row = Upkeep.objects.filter(pk=upkeep.BACKUP).first()
    advice = "Run `manage.py backup database FILE` every day, or `backup note` after a backup by other means."
    if row is not None and row.failed_at is not None:
        yield Finding(BAD, "backup", f"failed {length(clock.now() - row.failed_at)} ago: {row.error}", advice)
    elif row is None or row.done_at is None:
        yield Finding(WARN, "backup", "none was made yet", advice)
    else:
        age = clock.now() - row.done_at
        level = BAD if age > _VERY_OLD_BACKUP else WARN if age > _OLD_BACKUP else OK
        yield Finding(level, "backup", f"made {length(age)} ago: {row.detail}", "" if level is OK else advice)


def heads() -> Iterator[Finding]:
    """Find out when the heads of the log were last appended to their file."""
    if not settings.TREY_HEADS_FILE:
        advice = "Set TREY_HEADS_FILE, and copy the file elsewhere: it proves that nobody has changed the log."
        yield Finding(WARN if settings.PRODUCTION else OK, "heads", "are not written to a file", advice)
        return
    file = Path(settings.TREY_HEADS_FILE)
    row = Upkeep.objects.filter(pk=upkeep.HEADS).first()
    advice = "Beat and a worker write them every day. The worker's log says what failed."
    if row is not None and row.failed_at is not None:
        yield Finding(BAD, "heads", row.error, advice)
        return
    try:
        last = log.last_published(file)
    except FileNotFoundError:
        last = None
    except (OSError, log.CannotPublish) as error:
        yield Finding(BAD, "heads", str(error), "Move the file away: the next day begins a new one.")
        return
    if last is None:
        level = WARN if row is None else BAD
        yield Finding(level, "heads", f"{file} has none yet", advice)
        return
    age = clock.now() - last.at
    level = WARN if age > _OLD_HEADS else OK
    yield Finding(level, "heads", f"written {length(age)} ago to {file}", "" if level is OK else advice)
