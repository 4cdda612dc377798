"""The time at which a failed piece of work is tried again (NT9): exponential back-off with jitter, and an end."""

import random
from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True)
class Retries:
    """The pauses between tries: from `first`, doubling, to `longest`; given up after `give_up` (None: never)."""

    first: timedelta = timedelta(seconds=5)
    longest: timedelta = timedelta(hours=1)
    give_up: timedelta | None = None

    def next_try(
        self, tries: int, failing_since: datetime, now: datetime, *, after: float | None = None
    ) -> datetime | None:
        """Return when to try again after the `tries`-th failure; None: never.

        A receiver's own wish (`after`, seconds) is respected, up to `longest`.
        """
        if self.give_up is not None and now - failing_since >= self.give_up:
            return None
        pause = pause_after(tries, self)
        if after is not None:
            pause = max(pause, min(timedelta(seconds=max(0.0, after)), self.longest))
        at = now + pause
        # The last try is at the end of the whole time, not before it.
        return at if self.give_up is None else min(at, max(failing_since + self.give_up, now + self.first))


def pause_after(tries: int, retries: Retries) -> timedelta:
    """The pause after failure number `tries`: `first`, doubled each time, a quarter more or less at random."""
    pause = min(retries.first * 2 ** min(max(tries, 1) - 1, 20), retries.longest)
    jittered: timedelta = pause * random.uniform(0.75, 1.25)  # noqa: S311  not a secret
    return min(max(jittered, retries.first), retries.longest)
