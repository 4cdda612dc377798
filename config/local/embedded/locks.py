"""Who uses the embedded servers: file locks, which the system itself takes back when a process dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Visit:
    """One process's use of the servers. Starting and stopping happen under the door's lock, one visitor at a time."""

    def __init__(self, root: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._door = os.open(root / "door.lock", flags, 0o600)
        self._users = os.open(root / "users.lock", flags, 0o600)
        fcntl.flock(self._door, fcntl.LOCK_EX)

    def arrived(self) -> None:
        """The servers run: count among their users and let the next one in."""
        fcntl.flock(self._users, fcntl.LOCK_SH)
        fcntl.flock(self._door, fcntl.LOCK_UN)

    def last_to_leave(self) -> bool:
        """Leave; True when nobody else uses the servers. The door stays shut until `close`."""
        fcntl.flock(self._door, fcntl.LOCK_EX)
        fcntl.flock(self._users, fcntl.LOCK_UN)
        try:
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Give every lock back."""
        os.close(self._users)
        os.close(self._door)


@contextmanager
def joined(root: Path) -> Iterator[Visit]:
    """A visit that begins with the door shut behind it."""
    visit = Visit(root)
    try:
        yield visit
    finally:
        visit.close()
