"""The event log: execute commands, read, subscribe in a gap-free order, verify, export.

    log.execute(GAME, game_id, decide, actor=log.Actor("player", player_id), now=now)

What it guarantees, how to add a kind of stream and how to subscribe: docs/log.md.
"""

from games.platform.log.appending import append
from games.platform.log.canonical import NotCanonical, canonical
from games.platform.log.chain import time_text
from games.platform.log.checkpoints import Lag, StuckBucket, lags, stuck_buckets
from games.platform.log.errors import CheckpointMoved, Gap, LogError, LostRace, Misuse, VersionConflict
from games.platform.log.event import BUCKETS, Actor, Event, Happened, NewEvent, PendingEvent, bucket_of
from games.platform.log.executing import (
    Decided,
    Executed,
    Kind,
    Lock,
    OncePerCommand,
    Receipt,
    evolved,
    execute,
    pending,
)
from games.platform.log.export_format import BadExport, Header, lines_of, verify_export
from games.platform.log.exporting import export
from games.platform.log.following import Follower
from games.platform.log.importing import CannotImport, Imported, import_export
from games.platform.log.proof import Head, head, heads, verify, verify_all
from games.platform.log.publishing import CannotPublish, Published, last_published, publish_heads
from games.platform.log.reading import Only, digest_at, events_in, newest_streams, read, read_all, statement, tail
from games.platform.log.rebuild import rebuild
from games.platform.log.registry import (
    Companion,
    Rebuildable,
    Rebuilt,
    batch_reactor,
    companion,
    differences,
    projection,
    reactor,
    rebuildable,
    rebuildables,
    subscribers,
)
from games.platform.log.rows import StreamRows, insert_row
from games.platform.log.subscriber import BatchReactor, Delivery, Projection, Reactor, Subscriber
from games.platform.log.tables import Table
from games.platform.log.upcasts import newest_schema, upcast

__all__ = [
    "BUCKETS",
    "Actor",
    "BadExport",
    "BatchReactor",
    "CannotImport",
    "CannotPublish",
    "CheckpointMoved",
    "Companion",
    "Decided",
    "Delivery",
    "Event",
    "Executed",
    "Follower",
    "Gap",
    "Happened",
    "Head",
    "Header",
    "Imported",
    "Kind",
    "Lag",
    "Lock",
    "LogError",
    "LostRace",
    "Misuse",
    "NewEvent",
    "NotCanonical",
    "OncePerCommand",
    "Only",
    "PendingEvent",
    "Projection",
    "Published",
    "Reactor",
    "Rebuildable",
    "Rebuilt",
    "Receipt",
    "StreamRows",
    "StuckBucket",
    "Subscriber",
    "Table",
    "VersionConflict",
    "append",
    "batch_reactor",
    "bucket_of",
    "canonical",
    "companion",
    "differences",
    "digest_at",
    "events_in",
    "evolved",
    "execute",
    "export",
    "head",
    "heads",
    "import_export",
    "insert_row",
    "lags",
    "last_published",
    "lines_of",
    "newest_schema",
    "newest_streams",
    "pending",
    "projection",
    "publish_heads",
    "reactor",
    "read",
    "read_all",
    "rebuild",
    "rebuildable",
    "rebuildables",
    "statement",
    "stuck_buckets",
    "subscribers",
    "tail",
    "time_text",
    "upcast",
    "verify",
    "verify_all",
    "verify_export",
]
