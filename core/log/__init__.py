"""The event log: execute commands, read, subscribe in a gap-free order, verify, export.

    log.execute(GAME, game_id, decide, actor=log.Actor("player", player_id), now=now)

What it guarantees, how to add a kind of stream and how to subscribe: docs/contribute/log.md.
"""

from core.log.appending import Saving, append
from core.log.canonical import NotCanonical, canonical, time_text
from core.log.checkpoints import Lag, lags, stuck_buckets
from core.log.event import (
    BUCKETS,
    Actor,
    CheckpointMoved,
    Event,
    Gap,
    Happened,
    LogError,
    LostRace,
    Misuse,
    NewEvent,
    PendingEvent,
    VersionConflict,
    bucket_of,
    newest_schema,
    upcast,
)
from core.log.executing import (
    Decided,
    Executed,
    Kind,
    Lock,
    OncePerCommand,
    evolved,
    execute,
    pending,
)
from core.log.export_format import BadExport, Header, lines_of, verify_export
from core.log.exporting import export
from core.log.proof import CannotPublish, Head, head, heads, last_published, publish_heads, verify, verify_all
from core.log.reading import Only, digest_at, events_in, newest_streams, read, read_all, statement, tails
from core.log.registry import (
    Rebuildable,
    Rebuilt,
    batch_reactor,
    differences,
    projection,
    reactor,
    rebuildable,
    rebuildables,
    subscribers,
)
from core.log.rows import StreamRows, searched, shape_of, table_of
from core.log.subscriber import BatchReactor, Delivery, Follower, Projection, Reactor, Subscriber
