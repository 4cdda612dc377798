"""Rebuild a projection from the log while the service runs: into a shadow, which then takes the live one's place."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from django.db import connection, transaction

from core.log import checkpoints
from core.log.event import Event
from core.log.subscriber import Projection

_FORGET = "DELETE FROM log_checkpoint WHERE subscriber = %s"
# All checkpoints, including those of buckets without events, so that no worker starts on one during the swap.
_BEGIN_LIVE = """
INSERT INTO log_checkpoint (subscriber, bucket, position, error)
SELECT %s, bucket, 0, '' FROM log_counter ON CONFLICT DO NOTHING
"""
_HOLD_LIVE = "SELECT FROM log_checkpoint WHERE subscriber = %s ORDER BY bucket FOR UPDATE"
_RENAME = "UPDATE log_checkpoint SET subscriber = %s WHERE subscriber = %s"
# Little may be missing when everything is locked, since all writers wait for it.
_NEAR = 500


def rebuild(
    projection: Projection,
    *,
    prepare: Callable[[], None],
    handler: Callable[[Sequence[Event]], None],
    swap: Callable[[], None],
    tables: Sequence[str] = (),
) -> int:
    """Build a projection from the whole log again and swap it in; return the number of events handled.

    `prepare` makes an empty shadow, and removes one that an interrupted rebuild left. `handler` puts
    events into the shadow. `swap` puts the shadow in the live one's place (renaming tables, or moving rows).

    The swap is one transaction. It holds the projection's checkpoints, then `tables` (the live tables, if moves write
    them in their own transaction), then all counters, which is the order in which subscribers and moves take them. So
    no append slips between the last event handled and the swap. Afterwards the projection continues where the shadow
    is.

    An error in it, the crash of the process included, leaves the live projection as it was. Must not be called inside
    a transaction, nor twice at the same time for one projection.
    """
    shadow = replace(projection, name=f"{projection.name}.shadow", handler=handler)
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_FORGET, [shadow.name])
        prepare()
    done = 0
    while True:
        done += shadow.catch_up()
        if shadow.lag() <= _NEAR:
            break
    with transaction.atomic(durable=True), connection.cursor() as cursor:
        cursor.execute(_BEGIN_LIVE, [projection.name])
        cursor.execute(_HOLD_LIVE, [projection.name])
        for table in tables:
            cursor.execute(f"LOCK TABLE {connection.ops.quote_name(table)} IN ACCESS EXCLUSIVE MODE")
        cursor.execute("LOCK TABLE log_counter IN EXCLUSIVE MODE")
        for bucket, head in checkpoints.behind(shadow.name).items():
            position = checkpoints.hold(shadow.name, bucket) or 0
            while position < head:
                handled, position = shadow.handle(bucket, position)
                done += handled
        swap()
        cursor.execute(_FORGET, [projection.name])
        cursor.execute(_RENAME, [projection.name, shadow.name])
    return done
