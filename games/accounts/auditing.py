"""The audit log: what people of the service did that others may want to know of. It is only ever added to."""

from __future__ import annotations

from datetime import datetime

from games import clock as service_clock
from games.accounts.models import Audit, Player


def write(by: Player, action: str, subject: str, *, reason: str = "", now: datetime | None = None) -> Audit:
    """Add an entry: who did what (`suspended`) to what (`player <uuid>`), and why."""
    entry = Audit(at=now or service_clock.now(), by=by.pk, action=action, subject=subject, reason=reason)
    entry.save(force_insert=True)
    return entry
