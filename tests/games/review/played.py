"""Whole games between bots, with their events."""

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any

from games.bots import choose, events_wanted, remember
from games.rules import GAMES
from games.rules.game import Event


def played(
    game: str, seats: int, seed: int, levels: Sequence[str] = ("steady",), options: Mapping[str, Any] | None = None
) -> list[Event]:
    """The events of a game in which seat s has the level `levels[s % len(levels)]`; stubborn never goes out."""
    rules, chance = GAMES[game], Random(f"{game} {seats} {seed}")

    def shuffle(cards: Sequence[str]) -> list[str]:
        return chance.sample(cards, len(cards))

    state, events = rules.deal(seats, None, options or {}, 0, shuffle)
    seen = [rules.redact(event, "public") for event in events]
    memory = remember(rules, seen)
    while rules.result(state) is None:
        seat = rules.to_act(state)[0]
        view, legal = rules.view(state, seat), rules.legal_moves(state, seat)
        last = seen[-events_wanted(view) :] if events_wanted(view) else []
        level = levels[seat % len(levels)]
        if level == "stubborn":
            level, legal = "steady", [listed for listed in legal if listed["move"] != "go_out"]
        move = choose(level, rules, view, legal, len(events), events=last, memory=memory)
        for event in rules.decide(state, seat, move, shuffle):
            state = rules.evolve(state, event)
            events.append(event)
            seen.append(rules.redact(event, "public"))
            memory = remember(rules, seen[-1:], memory)
    return events
