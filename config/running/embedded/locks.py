"""The processes that use the embedded servers, as file locks, which the system releases when a process dies."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path


class Use:
    """One process's use of the servers. Only one process at a time starts or stops them."""

    def __init__(self, root: Path) -> None:
        flags = os.O_RDWR | os.O_CREAT | os.O_CLOEXEC
        self._change = os.open(root / "change.lock", flags, 0o600)
        self._users = os.open(root / "users.lock", flags, 0o600)
        fcntl.flock(self._change, fcntl.LOCK_EX)

    def begin(self) -> None:
        """The servers run: count as a user, and let the next process in."""
        fcntl.flock(self._users, fcntl.LOCK_SH)
        fcntl.flock(self._change, fcntl.LOCK_UN)

    def end(self) -> bool:
        """Stop using the servers. Return True if nobody else uses them; no other process gets in until `close`."""
        fcntl.flock(self._change, fcntl.LOCK_EX)
        fcntl.flock(self._users, fcntl.LOCK_UN)
        try:
            fcntl.flock(self._users, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True

    def close(self) -> None:
        """Release the locks."""
        os.close(self._users)
        os.close(self._change)


@contextmanager
def used(root: Path) -> Iterator[Use]:
    """A use of the servers; no other process gets in before it has begun."""
    use = Use(root)
    try:
        yield use
    finally:
        use.close()
