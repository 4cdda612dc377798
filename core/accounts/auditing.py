"""The audit log: acts of staff and organisers that others may want to know of. Entries are only ever added."""

from enum import StrEnum

from core import clock as service_clock
from core.accounts.models import Audit, Player


class Action(StrEnum):
    SUSPENDED = "suspended"
    LET_BACK = "let back"
    REVOKED_ACCESS = "revoked access"
    REVOKED_TOKEN = "revoked a token"  # noqa: S105  an action, no password
    ENDED_SESSION = "ended a session"
    ADDED = "added"
    CHANGED = "changed"
    DELETED = "deleted"
    DECLARED_VOID = "declared a game void"
    LET_COUNT = "let a game count again"
    OPENED_HIDDEN = "opened hidden cards"
    SAW_HIDDEN = "saw hidden cards"
    SENT_AGAIN = "retried work"
    HID = "hid a message"
    HID_RULES = "hid a house game"
    DECIDED_REPORT = "decided a report"
    TOOK_BACK = "reversed a decision"
    MUTED = "muted"
    UNMUTED = "ended a muting"
    GUEST_LINK = "gave a guest a new link"
    WAY_IN = "made a link to a new password"


def write(by: Player, action: Action, subject: str, *, reason: str = "") -> Audit:
    """Add an entry: who did what (`Action.SUSPENDED`) to what (`player <uuid>`), and why."""
    entry = Audit(at=service_clock.now(), by=by.pk, action=action.value, subject=subject, reason=reason)
    entry.save(force_insert=True)
    return entry
