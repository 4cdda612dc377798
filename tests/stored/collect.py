"""Samples of all events of games in their present shape. No database is used."""

import json
import random
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

# Short games, so that the samples stay small.
OPTIONS: dict[str, dict[str, int]] = {"three_thirteen": {"rounds": 2}}
SHORT = {"stalemate_after": 3}
BELONGS_TO = {"tournament": "4f1f7f0e-2d0a-4c55-9d43-9c6a1f2b7e11", "round": 1, "table": 2, "number": 1}


class Sample:
    """One game as its events, made by the service's own decisions."""

    def __init__(
        self,
        game: str,
        rng: random.Random,
        clock: dict[str, Any] | None = None,
        options: dict[str, Any] | None = None,
    ) -> None:
        self.rng = rng
        self.clock = clock or {}
        self.options = options or OPTIONS.get(game, SHORT)
        self.id = uuid.UUID(bytes=rng.randbytes(16), version=4)
        self.at = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.snapshot: Any = None
        self.events: list[Any] = []
        self.store([self.opened(game), self.joined(0)])
        for seat in (1, 2):
            self.store([self.joined(seat)])

    def opened(self, game: str) -> Any:
        from core.log import NewEvent
        from games.clocks import complete_clock
        from games.rules import PLAYED
        from games.rules.fairness import commitment
        from games.services.terms import complete_options

        asked = self.options
        ruleset, options = complete_options(PLAYED[game], 3, None, asked)
        secret = self.rng.randbytes(32)
        settings = {"game": game, "ruleset": ruleset, "options": options, "asked_options": asked, "seats": 3}
        terms = {
            "visibility": "private",
            "rated": True,
            "plans": True,
            "clock": complete_clock(self.clock),
            "invitation": "ABCDEFGHJKLM",
        }
        chance = {"secret": secret.hex(), "commitment": commitment(secret)}
        links = {"opener": player_id(0), "rematch_of": None, "belongs_to": BELONGS_TO}
        return NewEvent("game.opened", settings | terms | chance | links)

    def joined(self, seat: int, number: int | None = None) -> Any:
        from core.log import NewEvent

        who = player_id(seat if number is None else number)
        data = {"player": who, "bot": None, "salt": self.rng.randbytes(16).hex(), "rated": True}
        return NewEvent("game.joined", data, seat)

    def store(self, events: Sequence[Any], actor: Any = None) -> None:
        from msgspec.structs import replace

        from core import log
        from games.clocks import Uptime
        from games.services.commands import decided

        self.at += timedelta(minutes=7, microseconds=1)
        actor = actor or log.Actor("player", player_id(0))
        new = decided(self.id, self.snapshot, events, None, actor=actor, now=self.at)
        self.events += log.pending(f"game-{self.id}", self.snapshot, new.events, self.at)
        self.snapshot = replace(new.after, uptime=Uptime((), {}))

    def deal(self) -> None:
        from games.services.seating import deal

        self.store(deal(self.snapshot))

    def play(self, moves: int, *, resign: bool = False) -> None:
        from games.services.moves import judge
        from tests.games.services.service_scene import choices

        rules = self.snapshot.rules
        for _ in range(moves):
            seats = rules.to_act(self.snapshot.state) + rules.may_interrupt(self.snapshot.state)
            if not seats:
                return
            listed = rules.legal_moves(self.snapshot.state, seats[-1])
            rare = [move for move in listed if move["move"] in ("go_out", "draw", "end_turn")]
            move = {"move": "resign"} if resign else choices(self.rng.choice(rare or listed))
            self.store(judge(self.snapshot, seats[-1], move))

    def kinds(self) -> set[str]:
        """The types of its events and of their effects."""
        effects = {effect["effect"] for event in self.events for effect in event.data.get("effects", ())}
        return {event.type for event in self.events} | effects

    def write(self, path: Path) -> None:
        from core.log import newest_schema, time_text

        lines: list[dict[str, Any]] = [{"id": str(self.id)}]
        for event in self.events:
            kept = {name: getattr(event, name) for name in ("version", "type", "seat", "data")}
            stamps = {"schema": newest_schema(event.type), "recorded_at": time_text(event.recorded_at)}
            lines.append(kept | stamps)
        lines.append(
            {
                "status": self.snapshot.status,
                "players": [str(seat.player) for seat in self.snapshot.players],
                "shuffles": self.snapshot.shuffles,
                "result": self.snapshot.result,
            }
        )
        path.parent.mkdir(exist_ok=True)
        path.write_text("".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines))


def player_id(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"player {number}"))


def lobby() -> Sample:
    """Everything that can happen in a lobby, and a game called off."""
    from core.log import NewEvent
    from games.services.ending import called_off
    from games.services.lobby import _gone

    sample = Sample("threes", random.Random(1))
    sample.store([_changed(sample.snapshot)])
    sample.store(_gone(sample.snapshot, "game.left", 0))
    sample.store(_gone(sample.snapshot, "game.kicked", 1))
    sample.store([sample.joined(1, 3)])
    sample.deal()
    sample.store([NewEvent("game.cancel_agreed", {}, 0)])
    sample.store([NewEvent("game.cancel_agreed", {}, 1), called_off(sample.snapshot, "agreed")])
    return sample


def _changed(room: Any) -> Any:
    """The event of the opener making the room larger, with another clock, and public."""
    from core.log import NewEvent
    from games.services.lobby import terms_after

    changes = {"seats": 4, "clock": {"per_turn": 3600}, "visibility": "public"}
    return NewEvent("game.changed", {**terms_after(room, changes), "changes": list(changes)}, 0)


def with_bots() -> Sample:
    """A bot that sits down, one that takes a player's seat until the player is back, and one that replaces a player."""
    from core.log import NewEvent
    from games.services.seating import bot_joined
    from games.services.timeouts import bot_seated

    sample = Sample("threes", random.Random(2))
    kicked = {"player": player_id(2), "opener": player_id(0), "invitation": "MLKJHGFEDCBA"}
    sample.store([NewEvent("game.kicked", kicked, 2)])
    sample.store([bot_joined("threes", "random", 2, sample.rng.randbytes(16).hex())])
    sample.deal()
    sample.play(4)
    sample.store([bot_seated(sample.snapshot, 1, "timeout", lost_on_time=True)])
    sample.play(2)
    sample.store([NewEvent("game.player_returned", {}, 1)])
    sample.play(2)
    replaced = {"player": player_id(7), "bot": None, "was": player_id(1), "reason": "left", "rated": False, "bank": 0}
    sample.store([NewEvent("game.player_replaced", replaced, 1)])
    sample.play(2)
    return sample


def with_clocks() -> Sample:
    """A deadline that moved, a turn that was extended, a bank that was used, and a turn that was missed and played."""
    from core.log import Actor, NewEvent

    sample = Sample("threes", random.Random(3), {"per_turn": 60, "bank": 3600})
    sample.deal()
    sample.play(4)
    seat = next(index for index, seat in enumerate(sample.snapshot.players) if seat.duty)
    until = {"deadline_at": "2026-11-22T18:00:00.000000Z"}
    sample.store([NewEvent("game.deadline_moved", until, seat)])
    sample.store([NewEvent("game.turn_extended", until | {"seconds": 60, "extra": 60, "reason": "storm"}, seat)])
    missed = until | {"action": "play", "misses": 1, "timeouts": 1}
    sample.store([NewEvent("game.timed_out", missed, seat)], Actor("clock"))
    sample.play(3)
    return sample


def with_plans() -> Sample:
    """Moves that plans made."""
    from core.log import Actor
    from games.rules import GAMES
    from games.services.moves import Step
    from tests.games.services.service_scene import choices

    actor = Actor("player", player_id(1))
    sample = Sample("threes", random.Random(4))
    sample.deal()
    sample.play(4)
    for _ in range(3):
        seat = next(index for index, seat in enumerate(sample.snapshot.players) if seat.duty)
        move = choices(GAMES["threes"].legal_moves(sample.snapshot.state, seat)[0])
        sample.store(Step(seat, move, actor, planned=True).events(sample.snapshot), actor)
    return sample


def with_channels() -> Sample:
    """A room that is given a channel, and another one, and loses the first while the game runs."""
    from core.log import NewEvent

    chat, hook = ({"id": player_id(20), "service": "discord"}, {"id": player_id(21), "service": "webhook"})
    sample = Sample("threes", random.Random(5))
    sample.store([NewEvent("game.channels_changed", {"channels": [chat], "added": "discord", "removed": None}, 0)])
    sample.store(
        [NewEvent("game.channels_changed", {"channels": [chat, hook], "added": "webhook", "removed": None}, 0)]
    )
    sample.deal()
    sample.play(2)
    sample.store([NewEvent("game.channels_changed", {"channels": [hook], "added": None, "removed": "discord"}, 0)])
    sample.play(2)
    return sample


def by_house_rules() -> Sample:
    """A house game, whose document is in its log (HG17)."""
    rules = {
        "title": "Fours",
        "seats": [2, 5],
        "powers": {"2": ["wild"], "4": ["may_again"], "8": ["skips"], "T": ["wild", "closes"]},
        "row": {"size": 4, "out_of_turn": True},
    }
    sample = Sample("house", random.Random(8), options={"rules": rules})
    sample.deal()
    sample.play(300)
    return sample


def whole(game: str) -> Sample:
    """Of some random games the one in which the most different things happen; declared void, and restored."""
    from core.log import NewEvent

    samples = []
    for seed in range(60):
        sample = Sample(game, random.Random(seed))
        sample.deal()
        sample.play(300)
        samples.append(sample)
    ended = [sample for sample in samples if sample.snapshot.status == "finished"]
    best = max(ended, key=lambda sample: (len(sample.kinds()), -len(sample.events)))
    for name in ("game.voided", "game.restored"):
        best.store([NewEvent(name, {"reason": "wrong deck"})])
    return best


def settled() -> Sample:
    """A game that stands still until all in play have settled; one of them takes it back once (S14)."""
    from games.rules import GAMES
    from games.services.moves import judge
    from tests.games.services.service_scene import choices

    sample, rules = Sample("three_card", random.Random(34), options={"stalemate_after": 100}), GAMES["three_card"]
    sample.deal()
    while not rules.may_settle(sample.snapshot.state):
        seat = rules.to_act(sample.snapshot.state)[-1]
        listed = sample.rng.choice(rules.legal_moves(sample.snapshot.state, seat))
        sample.store(judge(sample.snapshot, seat, choices(listed)))
    for seat in (1, 1, 0, 2, 1):
        sample.store(judge(sample.snapshot, seat, {"move": "settle"}))
    return sample


def resigned(game: str) -> Sample:
    sample = Sample(game, random.Random(7))
    sample.deal()
    sample.play(8)
    sample.play(1, resign=True)
    return sample


def collect(folder: Path) -> None:
    """Write them."""
    from games.rules import GAMES

    samples = {
        "lobby": lobby(),
        "bots": with_bots(),
        "clocks": with_clocks(),
        "settled": settled(),
        "plans": with_plans(),
        "channels": with_channels(),
        "house": by_house_rules(),
    }
    for game in GAMES:
        samples |= {game: whole(game), f"{game}-resigned": resigned(game)}
    for name, sample in samples.items():
        sample.write(folder / "games" / f"{name}.jsonl")
