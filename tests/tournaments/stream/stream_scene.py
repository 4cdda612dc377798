"""A tournament in memory: commands are decided and folded as the service does it, without a database."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from typing import Any
from uuid import UUID, uuid5

from core.calendars.calendar import Interval
from tournaments import rules
from tournaments.stream import (
    SERVICE,
    By,
    Ended,
    Fact,
    Playing,
    Scored,
    Seating,
    Tournament,
    entries,
    evolve,
    life,
    lines_of,
    outcomes,
    read_plan,
    record_of,
    rounds,
    rulings,
)
from tournaments.stream.events import Happened
from tournaments.stream.ruling import Case, read_ruling

NOON = datetime(2026, 11, 21, 12, tzinfo=UTC)
SEED = "5f0c0f6e2f7b4a519c5c0d8f6a0f7c115f0c0f6e2f7b4a519c5c0d8f6a0f7c11"
DEALS = "00112233445566778899aabbccddeeff" * 2
NEW_DEALS = "ffeeddccbbaa99887766554433221100" * 2
ID = UUID("3f1d2c4b-0000-4000-8000-000000000001")
PEOPLE = UUID("3f1d2c4b-0000-4000-8000-000000000002")


def player(name: str) -> UUID:
    return uuid5(PEOPLE, name)


def by(name: str) -> By:
    return By(player(name))


OLGA = by("olga")


def no_ratings(_: Sequence[UUID]) -> Mapping[UUID | None, float]:
    """Rate everybody as a newcomer."""
    return {}


class Looked(Case):
    """What a ruling looks up, without a database."""

    def __init__(self, t: Tournament, events: Sequence[Happened], now: datetime) -> None:
        self.t, self.by, self.now, self._events = t, OLGA, now, events

    def events(self) -> Sequence[Happened]:
        return self._events

    def outages(self, since: datetime) -> Sequence[Interval]:
        return ()

    def player(self, name: str) -> Playing:
        return Playing(player(name), None, "")


def ruled(t: Tournament, events: Sequence[Happened], now: datetime, **asked: Any) -> list[Fact]:
    """What Olga rules, by the body of a request."""
    return read_ruling(asked).facts(Looked(t, events, now))


class Scene:
    """Olga organises; time goes on by a minute with each command."""

    def __init__(self, **plan: Any) -> None:
        self.now = NOON
        self.events: list[Happened] = []
        self.t: Tournament = None  # type: ignore[assignment]
        asked = {"title": "Threes 2026", "game": "threes", "kind": "rounds", **plan}
        read = read_plan(asked, now=self.now)
        self.do(
            life.set_up(
                read,
                asked,
                organiser=player("olga"),
                seed=SEED,
                deals=DEALS,
                slug="threes-2026",
                invitation="ABCD2345",
            )
        )

    def do(self, facts: Iterable[Fact]) -> list[str]:
        """What was decided happens; returns the types of the events."""
        self.now += timedelta(minutes=1)
        types = []
        for fact in facts:
            event = Happened(fact.type, dict(fact.data), len(self.events) + 1, self.now)
            self.events.append(event)
            self.t = evolve(ID, self.t, event)
            types.append(fact.type)
        return types

    def organise(self, name: str) -> None:
        """Olga asks somebody to organise it, too, and they accept."""
        self.do(life.add_organiser(self.t, OLGA, player(name)))
        self.do(life.accept_to_organise(self.t, by(name), now=self.now))

    def replace(self, key: str, name: str) -> None:
        """Olga asks somebody to play on for an entrant, and they accept."""
        self.do(self.ruled("replace", entrant=key, player=name))
        if (offer := self.t.offer(key, player(name))) is not None:
            self.do(rulings.answer_replacement(self.t, by(name), offer, accept=True, salt="s", now=self.now))

    def reinstate(self, key: str) -> list[str]:
        """Olga lets an entrant back in who was removed."""
        return self.do(self.ruled("reinstate", entrant=key))

    def ruled(self, ruling: str, **asked: Any) -> list[Fact]:
        """What Olga rules."""
        return ruled(self.t, self.events, self.now, ruling=ruling, reason="because", **asked)

    def enter(self, *names: str, invitation: str | None = None) -> list[str]:
        """They enter, one after the other; returns who they are as entrants."""
        keys = []
        for name in names:
            facts = entries.enter(self.t, by(name), salt=f"salt {name}", invitation=invitation, now=self.now)
            key = facts[0].data["entrant"]
            self.do(facts)
            keys.append(key)
        return keys

    def open(self, *names: str) -> "Scene":
        """Open the registration, and let some people enter."""
        self.do(life.open_registration(self.t, OLGA))
        self.enter(*names)
        return self

    def start(self, *names: str) -> "Scene":
        """Open, let some people enter, and start."""
        self.open(*names)
        self.do(life.start(self.t, OLGA, no_ratings))
        return self

    def seat(self, *tables: Sequence[str], byes: Sequence[str] = ()) -> list[str]:
        """Seat the next round."""
        return self.do(rounds.seat(self.t, Seating(self.t.seated + 1, tables, byes), now=self.now))

    def game(self, table: int, number: int = 1, round: int | None = None) -> str:  # noqa: A002  the word of the page
        """The id of a table's game."""
        return self.t.tables[round or self.t.seated, table].games[number - 1]

    def finish(self, table: int, order: Sequence[str], number: int = 1, round: int | None = None) -> list[str]:  # noqa: A002
        """A table's game ends, its entrants in this order."""
        key = self.game(table, number, round)
        return self.do(outcomes.take_in(self.t, key, ended(order)))

    def standing(self, key: str) -> str:
        return self.t.entrants[key].standing.value

    def record(self) -> dict[str, Any]:
        return record_of(self.t.plan, SEED, list(lines_of(self.events, lambda player, bot: player or "bot")))

    def read_record(self) -> rules.Record:
        return rules.read_record(self.record())

    def types(self) -> list[str]:
        return [event.type for event in self.events]


def ended(order: Sequence[str], source: str = "game") -> Ended:
    """A game that ended in this order."""
    players = [Scored(key, place, place - 1) for place, key in enumerate(order, 1)]
    return Ended(source, players)


__all__ = ["NOON", "OLGA", "SERVICE", "Scene", "by", "ended", "player"]
