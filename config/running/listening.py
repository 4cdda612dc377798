"""Listens to processes that say that they run: the other end of `config.watchdog`."""

import re
import shutil
import socket
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_PID = re.compile(rb"^X_TREY_PID=([1-9]\d{0,9})$", re.MULTILINE)


class Listener:
    """A socket to which processes say that they run. Only this user can write to it."""

    def __init__(self) -> None:
        self._folder = Path(tempfile.mkdtemp(prefix="trey-watch-"))
        self._socket = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
        self._socket.setblocking(False)
        self.path = str(self._folder / "notify")
        self._socket.bind(self.path)

    def heard(self) -> Iterator[int]:
        """The ids of the processes heard since the last call."""
        with suppress(BlockingIOError):
            while True:
                if found := _PID.search(self._socket.recv(4096)):
                    yield int(found[1])

    def close(self) -> None:
        """Stop listening."""
        self._socket.close()
        shutil.rmtree(self._folder, ignore_errors=True)
