"""Samples of all events of tournaments in their present shape. No database is used."""

import json
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any
from uuid import UUID, uuid5

from core.calendars.calendar import Interval
from core.log.event import newest_schema
from tournaments.stream import (
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
    no_shows,
    outcomes,
    proposals,
    read_plan,
    rounds,
    rulings,
)
from tournaments.stream.events import Happened, PutOff
from tournaments.stream.ruling import Case, read_ruling
from tournaments.stream.state import room_id

ID = UUID("3f1d2c4b-0000-4000-8000-000000000001")
SEED = "5f0c0f6e2f7b4a519c5c0d8f6a0f7c115f0c0f6e2f7b4a519c5c0d8f6a0f7c11"
DEALS = "00112233445566778899aabbccddeeff" * 2


def player(name: str) -> UUID:
    return uuid5(ID, name)


OLGA = By(player("olga"))


class Looked(Case):
    """What a ruling looks up, without a database."""

    def __init__(self, sample: "Sample") -> None:
        self.t, self.by, self.now, self._events = sample.t, OLGA, sample.now, sample.events

    def events(self) -> Sequence[Happened]:
        return self._events

    def outages(self, since: datetime) -> Sequence[Interval]:
        return ()

    def player(self, name: str) -> Playing:
        return Playing(player(name), None, "i")


class Sample:
    """One tournament as its events, made by the service's own decisions."""

    def __init__(self, **plan: Any) -> None:
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.events: list[Happened] = []
        self.t: Tournament = None  # type: ignore[assignment]
        asked = {"title": "A sample", "game": "threes", **plan}
        read = read_plan(asked, now=self.now)
        self.do(
            life.set_up(
                read,
                asked,
                organiser=player("olga"),
                seed=SEED,
                deals=DEALS,
                slug="a-sample",
                invitation="ABCDEFGHJKLM",
            )
        )

    def do(self, facts: Iterable[Fact]) -> None:
        self.now += timedelta(minutes=1)
        for fact in facts:
            event = Happened(fact.type, dict(fact.data), len(self.events) + 1, self.now)
            self.events.append(event)
            self.t = evolve(ID, self.t, event)

    def ruled(self, ruling: str, reason: str, **asked: Any) -> list[Fact]:
        return read_ruling({"ruling": ruling, "reason": reason, **asked}).facts(Looked(self))

    def change(self, **changes: Any) -> None:
        asked = {**self.t.asked, **changes}
        self.do(life.change(self.t, OLGA, read_plan(asked, now=self.now), asked, now=self.now))

    def enter(self, *names: str) -> None:
        for name in names:
            by = By(player(name))
            self.do(entries.enter(self.t, by, salt=f"salt {name}", invitation=None, now=self.now))

    def end(self, key: str, order: Sequence[str], source: str = "game", **more: Any) -> Ended:
        players = [Scored(entrant, place, place - 1) for place, entrant in enumerate(order, 1)]
        return Ended(source, players, **more)

    def finish(self, table: int, *order: str) -> None:
        key = self.t.tables[self.t.seated, table].games[-1]
        self.do(outcomes.take_in(self.t, key, self.end(key, order)))

    def write(self, path: Path) -> None:
        path.parent.mkdir(exist_ok=True)
        head = {"id": str(ID)}
        lines = [
            {
                "type": f"tournament.{event.type}",
                "schema": newest_schema(f"tournament.{event.type}"),
                "data": event.data,
                "version": event.version,
                "recorded_at": event.recorded_at.isoformat(),
            }
            for event in self.events
        ]
        text = [json.dumps(line, sort_keys=True) for line in (head, *lines, found(self.t, self.events))]
        path.write_text("\n".join(text) + "\n")


def found(t: Tournament, events: Iterable[Any]) -> dict[str, Any]:
    """What the events come to: the standings of the entrants, the games, and the record's lines."""
    return {
        "status": t.status.value,
        "entrants": {key: one.standing.value for key, one in sorted(t.entrants.items())},
        "games": {key: one.outcome.value for key, one in sorted(t.games.items())},
        "lines": [line["type"] for line in lines_of(events, lambda who, _: who or "bot")],
    }


def a_tournament_of_rounds() -> Sample:
    sample = Sample(
        kind="rounds",
        settings={"rounds": 3, "tables": {"size": 2}},
        limit=4,
        check_in=3600,
        starts_at="2026-11-21T12:30:00Z",
        pace="manual",
        deadline=7200,
        no_show="absent",
    )
    sample.do(life.add_organiser(sample.t, OLGA, player("piet")))
    sample.do(life.remove_organiser(sample.t, OLGA, player("piet")))
    sample.do(life.open_registration(sample.t, OLGA))
    sample.change(title="A changed sample", starts_at="2026-11-21T13:30:00Z")
    sample.enter("ada", "bob", "cleo", "dan", "eve")
    sample.do(entries.invite(sample.t, OLGA, player("fay"), salt="s", now=sample.now))
    sample.do(entries.invite(sample.t, OLGA, player("gus"), salt="s", now=sample.now))
    sample.do(entries.withdraw(sample.t, By(player("gus")), "e7", resign=False, now=sample.now))
    sample.do([PutOff(0, 2)])
    sample.now = datetime(2026, 11, 21, 13, tzinfo=UTC)
    for name, key in (("ada", "e1"), ("bob", "e2"), ("cleo", "e3"), ("eve", "e5")):
        sample.do(entries.check_in(sample.t, By(player(name)), key, now=sample.now))
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    draft = Seating(1, [["e1", "e2"], ["e3", "e5"]], [], {"repeats": 0, "cost": "0", "q": 0, "bound": 0})
    sample.do(rounds.draft(sample.t, OLGA, draft, now=sample.now))
    other = Seating(1, [["e1", "e3"], ["e2", "e5"]], [], draft.figures)
    sample.do(rounds.exchange(sample.t, OLGA, other, "a couple"))
    sample.do(rounds.publish(sample.t, OLGA, now=sample.now))
    sample.finish(1, "e3", "e1")
    sample.do(outcomes.void(sample.t, OLGA, sample.t.tables[1, 1].games[0], "wrong deck"))
    sample.do(outcomes.restore(sample.t, OLGA, sample.t.tables[1, 1].games[0], "the right one"))
    sample.do(rounds.overdue(sample.t, 1))
    sample.do(sample.ruled("extend", "a wedding", round=1, seconds=3600))
    game = sample.t.tables[1, 2].games[0]
    sample.do(rulings.extend_turn(sample.t, OLGA, game, "e2", until=sample.now, reason="a wedding"))
    sample.do(no_shows.absent(sample.t, "e5", game, "Never came to the game.", now=sample.now))
    ended = sample.end(game, ["e2", "e5"], "ruling", reason="a draw")
    sample.do(outcomes.rule(sample.t, OLGA, sample.t.tables[1, 2], game, ended))
    sample.do(sample.ruled("adjust", "late", entrant="e1", points="-1/2"))
    for accept in (False, True):
        ivy, now = By(player("ivy")), sample.now
        asked = sample.ruled("replace", "ill", entrant="e2", player="ivy")
        sample.do(asked)
        sample.do(rulings.answer_replacement(sample.t, ivy, asked[0].data, accept=accept, salt="i", now=now))
    sample.do(sample.ruled("remove", "rude", entrant="e3"))
    sample.do(sample.ruled("reinstate", "said sorry", entrant="e3"))
    sample.do(entries.withdraw(sample.t, By(player("ada")), "e1", resign=True, now=sample.now))
    sample.enter("ada")
    sample.do(life.finish(sample.t, OLGA, "organiser"))
    sample.do(life.open_deals(sample.t))
    sample.do(life.reopen(sample.t, OLGA, "too early", deals=DEALS[::-1]))
    return sample


def a_knockout() -> Sample:
    sample = Sample(kind="knockout", settings={"advance": 1, "tables": {"size": 2}})
    sample.do(life.open_registration(sample.t, OLGA))
    sample.enter("ada", "bob", "cleo", "dan")
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    sample.do(rounds.seat(sample.t, Seating(1, [["e1", "e2"], ["e3", "e4"]]), now=sample.now))
    sample.finish(1, "e1", "e2")
    sample.finish(2, "e3", "e4")
    sample.do(outcomes.void(sample.t, OLGA, sample.t.tables[1, 2].games[0], "wrong deck"))
    sample.finish(2, "e4", "e3")
    sample.do(rounds.seat(sample.t, Seating(2, [["e1", "e4"]]), now=sample.now))
    sample.finish(1, "e4", "e1")
    sample.do(life.finish(sample.t, OLGA, "final"))
    return sample


def stages_one_after_the_other() -> Sample:
    first = {"kind": "rounds", "settings": {"rounds": 1, "tables": {"size": 2}}, "take": 2}
    final = {"title": "Final", "kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}
    sample = Sample(stages=[first, final])
    sample.do(life.open_registration(sample.t, OLGA))
    sample.enter("ada", "bob", "cleo", "dan")
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    sample.do(rounds.seat(sample.t, Seating(1, [["e1", "e2"], ["e3", "e4"]]), now=sample.now))
    sample.finish(1, "e1", "e2")
    sample.finish(2, "e3", "e4")
    going_on = {"stage": 2, "seeds": ["e1", "e3"], "decided_by": "total", "passed": []}
    sample.do(rounds.end_stage(going_on, sample.now + timedelta(days=1)))
    sample.do(rounds.begin_stage(sample.t, going_on))
    sample.do(rounds.seat(sample.t, Seating(2, [["e1", "e3"]]), now=sample.now))
    sample.finish(1, "e3", "e1")
    sample.do(life.finish(sample.t, OLGA, "final"))
    return sample


def a_season() -> Sample:
    sample = Sample(kind="season", visibility="private", games="any", limit=2, entry="invitation")
    sample.do(life.open_registration(sample.t, OLGA))
    for name in ("ada", "bob", "cleo"):
        by = By(player(name))
        sample.do(entries.enter(sample.t, by, salt="s", invitation="ABCDEFGHJKLM", now=sample.now))
    sample.change(limit=4)
    sample.do(entries.add_bot(sample.t, OLGA, "steady", now=sample.now))
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    for number in (1, 2):
        key = room_id(ID, number)
        sample.do(outcomes.open_room(sample.t, key, number))
    began, sample.now = sample.now, sample.now + timedelta(hours=1)
    ended = sample.end(key, ["e1", "e2"])
    sample.do(outcomes.take_in_season(sample.t, key, ended, started_at=began, ended_at=sample.now, own=True))
    sample.do(life.cancel(sample.t, OLGA, "rain"))
    return sample


def a_season_with_proposals() -> Sample:
    sample = Sample(kind="season")
    sample.do(life.open_registration(sample.t, OLGA))
    sample.enter("ada", "bob", "cleo", "dan")
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    sample.now += timedelta(days=8)

    def propose(name: str, **asked: Any) -> None:
        read = proposals.read_proposal({"title": "Shorter games", "reason": "more fun", **asked})
        sample.do(proposals.propose(sample.t, By(player(name)), read, now=sample.now))

    for days, name in enumerate(("ada", "bob", "cleo", "dan"), 3):
        closes_at = sample.now + timedelta(days=days)
        propose(name, options={"stalemate_after": days}, closes_at=closes_at.isoformat())
    propose("olga", confirm=True)
    for name in ("ada", "bob"):
        sample.do(proposals.vote(sample.t, By(player(name)), 2, "yes", now=sample.now))
        sample.do(proposals.vote(sample.t, By(player(name)), 1, "no", now=sample.now))
    sample.do(proposals.withdraw(sample.t, By(player("cleo")), 3, now=sample.now))
    sample.do(proposals.decide(sample.t, OLGA, 4, "not now", ratified=False, now=sample.now))
    sample.now += timedelta(days=5)
    sample.do(proposals.decided(sample.t, sample.now))
    key = "5f0c0f6e-0000-4000-8000-000000000003"
    sample.do(outcomes.open_room(sample.t, key, sample.t.rules.proposal))
    began, sample.now = sample.now, sample.now + timedelta(hours=1)
    ended = sample.end(key, ["e1", "e2"])
    sample.do(outcomes.take_in_season(sample.t, key, ended, started_at=began, ended_at=sample.now, own=True))
    return sample


def a_successor() -> Sample:
    before = Sample(kind="season")
    before.do(life.add_organiser(before.t, OLGA, player("piet")))
    before.do(life.accept_to_organise(before.t, By(player("piet")), now=before.now))
    before.do(life.open_registration(before.t, OLGA))
    before.enter("ada", "bob")
    before.do(life.cancel(before.t, OLGA, "rain"))
    sample = Sample(**life.taken_over(before.t, OLGA, before.t.asked, {}))
    sample.do(life.succeed(before.t, OLGA, lambda: "s"))
    sample.do(life.accept_to_organise(sample.t, By(player("piet")), now=sample.now))
    return sample


def an_invitation() -> Sample:
    sample = Sample(kind="rounds", visibility="private")
    sample.do(life.open_registration(sample.t, OLGA))
    sample.do(life.renew_invitation(sample.t, OLGA, "MLKJHGFEDCBA"))
    return sample


def announcements() -> Sample:
    """Channels that come and go, and a message to all entrants."""
    sample = Sample(title="Announced", game="threes", kind="rounds")
    sample.do(life.open_registration(sample.t, OLGA))
    one = {"id": "3f1d2c4b-0000-4000-8000-00000000000a", "service": "discord"}
    sample.do(life.add_channel(sample.t, OLGA, {"channels": [one], "added": "discord", "removed": None}))
    sample.do(life.send_message(sample.t, OLGA, "We begin on Sunday.", now=sample.now))
    sample.do(life.drop_channels(sample.t, [{"channels": [], "added": None, "removed": "discord"}]))
    return sample


def a_substitute() -> Sample:
    sample = Sample(kind="rounds", settings={"rounds": 1, "tables": {"size": 3}}, limit=3, no_show="substitute")
    sample.do(life.open_registration(sample.t, OLGA))
    sample.enter("ada", "bob", "cleo", "dan", "eve")
    sample.do(life.start(sample.t, OLGA, lambda _: {}))
    sample.do(rounds.seat(sample.t, Seating(1, [["e1", "e2", "e3"]]), now=sample.now))
    game = sample.t.tables[1, 1].games[0]
    for _ in range(2):
        sample.do(no_shows.ask(sample.t, "e2", game, "Never came to the game.", now=sample.now))
        if sample.t.entrants["e5"].asked_for is None:
            sample.do(no_shows.let_go(sample.t, "e2", "late"))
    sample.do(no_shows.take_over(sample.t, "e5", "Never came to the game.", needless=None, now=sample.now))
    return sample


SAMPLES: dict[str, Callable[[], Sample]] = {
    "rounds": a_tournament_of_rounds,
    "knockout": a_knockout,
    "stages": stages_one_after_the_other,
    "season": a_season,
    "proposals": a_season_with_proposals,
    "invitation": an_invitation,
    "announcements": announcements,
    "substitute": a_substitute,
    "successor": a_successor,
}


def collect(folder: Path) -> None:
    """Write them."""
    (folder / "tournaments").mkdir(exist_ok=True)
    for name, make in SAMPLES.items():
        make().write(folder / "tournaments" / f"{name}.jsonl")
