"""Looks after one embedded server while Trey runs."""

import time
from collections.abc import Callable
from threading import Event, Thread

import psycopg

from config.errors import StartupError
from config.running.embedded.places import Place

# Seconds between two checks.
_EVERY = 2.0
# Seconds after which the same sentence is said again.
_SAID = 30.0


class Keeper(Thread):
    """Calls `revive` every few seconds, in a thread, since finding that a server hangs takes seconds.

    It never gives up, since people may mend by hand what it cannot, while the parts wait. `say` is told what `revive`
    returns or raises, the same sentence at most twice a minute.
    """

    def __init__(self, at: Place, revive: Callable[[Place], str | None], say: Callable[[str], None]) -> None:
        super().__init__(name=f"keeper of {revive.__module__}", daemon=True)
        self._at, self._revive, self._say = at, revive, say
        self._stopping = Event()
        self._said: dict[str, float] = {}

    def run(self) -> None:
        """Look until told to stop."""
        while not self._stopping.wait(_EVERY):
            try:
                found = self._revive(self._at)
            except (StartupError, OSError, psycopg.Error) as error:
                found = f"{str(error).rstrip('.')}. Trying again"
            if found:
                self._say_now_and_then(found)

    def stop(self) -> None:
        """Stop looking. Waits for a start of the server that is under way."""
        self._stopping.set()
        self.join()

    def _say_now_and_then(self, found: str) -> None:
        now = time.monotonic()
        if now - self._said.get(found, -_SAID) >= _SAID:
            self._said = {sentence: at for sentence, at in self._said.items() if now - at < _SAID} | {found: now}
            self._say(found)
