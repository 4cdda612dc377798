"""Collect samples of all events in their present shape, as generation 2:

    DJANGO_SETTINGS_MODULE=config.settings_test PYTHONPATH=. .venv/bin/python tests/stored_events/collect.py 2

Writes 2-*.jsonl beside this file and touches no other: what was stored once must load for ever, so samples are added
(whenever the shape of an event changes and an upcast is written), never remade. No database is used.
"""

from __future__ import annotations

import json
import random
import sys
import uuid
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
# Short games, so that the samples stay small.
OPTIONS: dict[str, dict[str, int]] = {"three_thirteen": {"rounds": 2}}
SHORT = {"stalemate_after": 3}


class Sample:
    """One game as its events, made by the service's own decisions."""

    def __init__(self, game: str, rng: random.Random, clock: dict[str, Any] | None = None) -> None:
        self.rng = rng
        self.clock = clock or {}
        self.id = uuid.UUID(bytes=rng.randbytes(16), version=4)
        self.at = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.picture: Any = None
        self.events: list[Any] = []
        self.do([self.opened(game), self.joined(0)])
        for seat in (1, 2):
            self.do([self.joined(seat)])

    def opened(self, game: str) -> Any:
        from games.clocks import complete_clock
        from games.rules.fairness import commitment
        from games.services.opening import complete_options
        from games.services.writing import Fact

        asked = OPTIONS.get(game, SHORT)
        ruleset, options = complete_options(game, 3, None, asked)
        secret = self.rng.randbytes(32)
        settings = {"game": game, "ruleset": ruleset, "options": options, "asked_options": asked, "seats": 3}
        terms = {
            "visibility": "private",
            "rated": True,
            "clock": complete_clock(self.clock),
            "invitation": "ABCDEFGHJKLM",
        }
        chance = {"secret": secret.hex(), "commitment": commitment(secret)}
        return Fact("opened", settings | terms | chance | {"opener": player_id(0), "rematch_of": None})

    def joined(self, seat: int, number: int | None = None) -> Any:
        from games.services.writing import Fact

        who = player_id(seat if number is None else number)
        return Fact("joined", {"player": who, "bot": None, "salt": self.rng.randbytes(16).hex()}, seat)

    def do(self, facts: Sequence[Any]) -> None:
        from games.services.writing import advance

        self.at += timedelta(minutes=7)
        actor = {"kind": "player", "id": player_id(0)}
        self.picture, events = advance(self.id, self.picture, facts, actor=actor, now=self.at)
        self.events += events

    def deal(self) -> None:
        from games.services.lobby import _deal

        self.do(_deal(self.picture))

    def play(self, moves: int, *, resign: bool = False) -> None:
        from games.rules import GAMES
        from games.services.moves import judge
        from tests.games.services.service_scene import choices

        rules = GAMES[self.picture.game]
        for _ in range(moves):
            seats = rules.to_act(self.picture.state) + rules.may_interrupt(self.picture.state)
            if not seats:
                return
            listed = rules.legal_moves(self.picture.state, seats[-1])
            rare = [move for move in listed if move["move"] in ("go_out", "draw", "end_turn")]
            move = {"move": "resign"} if resign else choices(self.rng.choice(rare or listed))
            self.do(judge(self.picture, seats[-1], move))

    def kinds(self) -> set[str]:
        """The types of its events and of their effects."""
        effects = {effect["effect"] for event in self.events for effect in event.data.get("effects", ())}
        return {event.type for event in self.events} | effects

    def write(self, path: Path) -> None:
        lines: list[dict[str, Any]] = [{"id": str(self.id)}]
        for event in self.events:
            kept = {name: getattr(event, name) for name in ("version", "type", "seat", "data", "meta")}
            lines.append(kept | {"schema": 1, "recorded_at": event.recorded_at.isoformat()})
        lines.append(
            {
                "status": self.picture.status,
                "players": [str(seat.player) for seat in self.picture.players],
                "shuffles": self.picture.shuffles,
                "result": self.picture.result,
            }
        )
        path.write_text("".join(json.dumps(line, sort_keys=True, separators=(",", ":")) + "\n" for line in lines))


def player_id(number: int) -> str:
    return str(uuid.uuid5(uuid.NAMESPACE_OID, f"player {number}"))


def lobby() -> Sample:
    """Everything that can happen in a lobby, and a game called off."""
    from games.services.lobby import _cancelled, _gone
    from games.services.writing import Fact

    sample = Sample("threes", random.Random(1))
    sample.do(_gone(sample.picture, "left", 0))
    sample.do(_gone(sample.picture, "kicked", 1))
    sample.do([sample.joined(1, 3)])
    sample.deal()
    sample.do([Fact("cancel_agreed", {}, 0)])
    sample.do([Fact("cancel_agreed", {}, 1), _cancelled("agreed")])
    return sample


def with_bots() -> Sample:
    """A bot that sits down, and one that takes a player's seat until the player is back."""
    from games.services.writing import Fact

    sample = Sample("threes", random.Random(2))
    kicked = {"player": player_id(2), "opener": player_id(0)}
    bot = {"player": None, "bot": {"level": "random"}, "salt": sample.rng.randbytes(16).hex()}
    sample.do([Fact("kicked", kicked, 2)])
    sample.do([Fact("joined", bot, 2)])
    sample.deal()
    sample.play(4)
    sample.do([Fact("bot_seated", {"bot": {"level": "steady"}, "reason": "timeout"}, 1)])
    sample.play(2)
    sample.do([Fact("player_returned", {}, 1)])
    sample.play(2)
    return sample


def with_clocks() -> Sample:
    """A deadline that moved, a bank that was used, and a turn that was missed and played."""
    from games.services.writing import Fact

    sample = Sample("threes", random.Random(3), {"per_turn": 60, "bank": 3600})
    sample.deal()
    sample.play(4)
    seat = next(index for index, seat in enumerate(sample.picture.players) if seat.duty)
    sample.do([Fact("deadline_moved", {"deadline_at": "2026-11-22T18:00:00+00:00"}, seat)])
    missed = {"deadline_at": "2026-11-22T18:00:00+00:00", "action": "play", "misses": 1}
    sample.do([Fact("timed_out", missed, seat)])
    sample.play(3)
    return sample


def whole(game: str) -> Sample:
    """Of some random games the one in which the most different things happen."""
    samples = []
    for seed in range(60):
        sample = Sample(game, random.Random(seed))
        sample.deal()
        sample.play(300)
        samples.append(sample)
    ended = [sample for sample in samples if sample.picture.status == "finished"]
    return max(ended, key=lambda sample: (len(sample.kinds()), -len(sample.events)))


def resigned(game: str) -> Sample:
    sample = Sample(game, random.Random(7))
    sample.deal()
    sample.play(8)
    sample.play(1, resign=True)
    return sample


def collect(generation: str) -> None:
    from games.rules import GAMES

    samples = {"lobby": lobby(), "bots": with_bots(), "clocks": with_clocks()}
    for game in GAMES:
        samples |= {game: whole(game), f"{game}-resigned": resigned(game)}
    for name, sample in samples.items():
        sample.write(HERE / f"{generation}-{name}.jsonl")


if __name__ == "__main__":
    import django

    django.setup()
    collect(sys.argv[1])
