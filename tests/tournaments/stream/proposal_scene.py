"""What the tests of proposals share: a season that has run for eight days, and proposals in short."""

from datetime import timedelta
from typing import Any

from stream_scene import OLGA, Scene, by

from tournaments.stream import By, Ending, Proposal, proposals

DAY = timedelta(days=1)
SHORT = {"stalemate_after": 3}
PEOPLE = ("ada", "bob", "cleo", "dan")


class Chamber(Scene):
    """A season of four electors, who propose and vote."""

    def __init__(self, *people: str, **plan: Any) -> None:
        super().__init__(**{"kind": "season", **plan})
        self.start(*(people or PEOPLE))
        self.now += 8 * DAY

    def propose(self, name: str = "ada", who: By | None = None, **asked: Any) -> int:
        """Somebody proposes shorter games; returns the number of the proposal."""
        read = proposals.read_proposal(
            {"title": "Shorter games", "reason": "They last for weeks.", "options": SHORT, **asked}
        )
        self.do(proposals.propose(self.t, who or by(name), read, now=self.now))
        return self.t.proposed

    def vote(self, choice: str, *names: str, n: int | None = None) -> None:
        for name in names:
            self.do(proposals.vote(self.t, by(name), n or self.t.proposed, choice, now=self.now))

    def wait(self, **span: float) -> list[str]:
        """Time goes on, and the runner ends what the clock has decided; returns the types of the events."""
        self.now += timedelta(**span)
        return self.do(proposals.decided(self.t, self.now))

    def decide(self, n: int, *, ratified: bool, who: By = OLGA) -> list[str]:
        return self.do(proposals.decide(self.t, who, n, "Because.", ratified=ratified, now=self.now))

    def withdraw(self, name: str, n: int) -> list[str]:
        return self.do(proposals.withdraw(self.t, by(name), n, now=self.now))

    def proposal(self, n: int = 1) -> Proposal:
        return self.t.proposals[n]

    def status(self, n: int = 1) -> Ending:
        return self.t.proposals[n].status

    def electors(self, n: int = 1) -> list[str]:
        return sorted(key for (number, key), one in self.t.electors.items() if number == n and not one.lost)
