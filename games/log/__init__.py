"""ROOM 2, the event log: append at an expected version, read, subscribe in a gap-free order, verify, export.

    with transaction.atomic():
        ...
        log.append("game-" + id, expected_version=17, events=[log.NewEvent("played", {...}, seat=1)], recorded_at=now)

What it guarantees, and the form of its digests: docs/log.md.
"""

from games.log.appending import append
from games.log.canonical import NotCanonical, canonical
from games.log.errors import Gap, LogError, Misuse, VersionConflict
from games.log.event import BUCKETS, Event, NewEvent, bucket_of
from games.log.proof import Head, export, heads, verify, verify_all, verify_export
from games.log.reading import read, tail
from games.log.rebuild import rebuild
from games.log.subscriber import CheckpointMoved, Subscriber
from games.log.upcasts import upcast

__all__ = [
    "BUCKETS",
    "CheckpointMoved",
    "Event",
    "Gap",
    "Head",
    "LogError",
    "Misuse",
    "NewEvent",
    "NotCanonical",
    "Subscriber",
    "VersionConflict",
    "append",
    "bucket_of",
    "canonical",
    "export",
    "heads",
    "read",
    "rebuild",
    "tail",
    "upcast",
    "verify",
    "verify_all",
    "verify_export",
]
