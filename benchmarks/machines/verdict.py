"""What the log says in the end, compared with what was acknowledged and seen."""

import subprocess
import sys
from collections.abc import Callable

import psycopg

from benchmarks.machines.cluster import PASSWORD, Cluster
from benchmarks.machines.load import Ledger

# Every event that a request has made: its command, the game's stream, its version, when.
_EVENTS = """
SELECT split_part(receipt.address, '/', 5), receipt.key, event.stream_id, event.version, event.recorded_at,
       event.command_id::text
FROM jobs_receipt receipt JOIN log_event event ON event.command_id = receipt.id
WHERE receipt.status = 201 ORDER BY event.stream_id, event.version
"""


def read_off(cluster: Cluster, ledger: Ledger, say: Callable[[str], None]) -> bool:
    """Whether each acknowledged move is in the log once, nothing was seen otherwise, and rows are what the log says."""
    primary = cluster.primary()
    assert primary is not None
    with psycopg.connect(host=primary.address, user="trey", password=PASSWORD, dbname="trey") as there:
        rows = there.execute(_EVENTS).fetchall()
        total = there.execute("SELECT count(*) FROM log_event").fetchone()
    found: dict[tuple[str, str], list[tuple[str, int, object]]] = {}
    for game, key, stream, version, at, _ in rows:
        found.setdefault((game, key), []).append((stream, version, at))
    lost = [
        move for move in ledger.moves if (f"game-{move[0]}", move[2]) not in {e[:2] for e in found.get(move[:2], [])}
    ]
    doubled = [
        command
        for command, events in found.items()
        if len({(stream, at) for stream, _, at in events}) > 1 or events[-1][1] - events[0][1] != len(events) - 1
    ]
    say(
        f"{len(ledger.moves)} moves acknowledged: {len(lost)} lost, {len(doubled)} doubled; "
        f"{len(ledger.seen)} events seen, "
        f"{len(set(ledger.changed))} of them with another content later; {total[0] if total else 0} events in the log"
    )
    sound = bool(ledger.moves) and not (lost or doubled or ledger.changed)
    for command in (["log", "verify"], ["rebuild", "--all", "--check"], ["rebuild_boards", "--check"]):
        try:
            done = cluster.manage(*command)
        except subprocess.CalledProcessError as error:
            print(error.stdout, error.stderr, file=sys.stderr)
            say(f"manage.py {' '.join(command)}: failed")
            sound = False
        else:
            say(f"manage.py {' '.join(command)}: {(done.stdout.strip().splitlines() or ['nothing differs'])[-1]}")
    return sound
