"""What changed in a room or a tournament: told at once, what follows within a minute together at its end (NT17)."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core import log
from core.jobs import services as work
from core.notifications import kinds, services
from core.notifications.models import Notification

JOB = "notifications.changed"
TOGETHER = timedelta(minutes=1)
CHANGED = "changed"
PEOPLE = ("player", "organiser", "staff")


def put(event: log.Event) -> None:
    """Have those whom a change concerns told, in the caller's transaction."""
    subject = event.stream.partition("-")[0]
    what = {"subject": subject, "id": event.stream_key, "version": event.version}
    work.put(JOB, f"{event.stream}:{event.version}", what, due_at=event.recorded_at)


@work.local(JOB)
def tell(job: work.Job, now: datetime) -> datetime | None:
    """Tell everybody what others have changed since they were told last, unless that was within a minute."""
    subject, subject_id, version = job.data["subject"], UUID(job.data["id"]), job.data["version"]
    last = Notification.objects.filter(subject_id=subject_id, kind=CHANGED).order_by("-version").first()
    since = version - 1
    if last is not None:
        since = last.version or 0
        if since >= version:
            return None
        if last.created_at + TOGETHER > now:
            return last.created_at + TOGETHER
    types = [f"{subject}.{CHANGED}", f"{subject}.channels_changed"]
    events = list(log.read(f"{subject}-{subject_id}", after=since, types=types))
    news = []
    for player in kinds.the_subject(subject).concerned(subject_id):
        theirs = [event for event in events if event.actor is None or event.actor.id != str(player)]
        if any((data := _together(theirs)).values()):
            cause = f"{subject}:{subject_id}:{CHANGED}:{theirs[-1].version}"
            kind, by = kinds.the_kind(CHANGED, subject), person(theirs[-1])
            upto = events[-1].version
            news.append(services.news(player, kind, cause, subject_id, upto, data=data, by=by))
    services.tell_all(news, now)
    return None


def person(event: log.Event) -> UUID | None:
    """The player whose act an event is; None: the service's, a bot's, the clock's."""
    actor = event.actor
    return UUID(actor.id) if actor is not None and actor.id is not None and actor.kind in PEOPLE else None


def _together(events: Sequence[log.Event]) -> dict[str, Any]:
    added: list[str] = []
    removed: list[str] = []
    for event in events:
        for service, here, there in (
            (event.data.get("added"), added, removed),
            (event.data.get("removed"), removed, added),
        ):
            if service in there:
                there.remove(service)
            elif service is not None:
                here.append(service)
    rules = any(event.type.endswith(f".{CHANGED}") for event in events)
    return {"rules": rules, "added": added, "removed": removed}
