"""Expected places and decisions of a shedding game, as the steady bot's networks see them."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import combinations
from math import inf
from typing import Any

from games.bots.listing import Move
from games.bots.shedding import Memory, remember
from games.bots.shedding.network import Networks, digest_of
from games.bots.shedding.ratings import Chances
from games.bots.shedding.table import KnownTable, ranks
from games.bots.shedding.turn import MOST_OPPONENTS, MOST_RATED, Turn, moves_to_rate, trained_for
from games.review.decisions import Decision, Happened, NoReviewError, told
from games.rules.game import State
from games.rules.shedding import SheddingGame

MOST_VERSIONS = 1000
MOST_DECISIONS = 500
LEAST_CHANCE = 0.001
STALLED = 3
"""From this many pick-ups for each seat in play (S13) nothing is a decision: there the bot gives way."""
NEVER_DECIDED = frozenset({"settle", "resign"})

Chance = dict[int, float]
"""By seat in play: what its position is worth, from LEAST_CHANCE to 1."""


def networks_for(game: SheddingGame, options: Mapping[str, Any]) -> Networks:
    trained = trained_for(game.variant, options)
    if trained is None:
        raise NoReviewError("The bot has not learned to play by these rules.")
    return trained


def review(game: SheddingGame, happened: Sequence[Happened]) -> dict[str, Any]:
    played = _Played(game, networks_for(game, happened[0].event["data"]["options"]), happened)
    result = game.result(played.end)
    if result is None:
        raise NoReviewError("The game has not finished.")
    places = {line["seat"]: float(line["place"]) for line in result["placements"]}
    expected = [played.expected(at) for at in range(played.start, len(happened) - 1)]
    decisions = [one for at in played.decided if (one := played.decision(at)) is not None]
    return {
        "game": game.name,
        "networks": digest_of(game.name),
        "from": happened[played.start].version,
        "places": [
            {
                "version": one.version,
                "seats": seats and [decimal(seats[seat]) for seat in range(len(places))],
            }
            for one, seats in zip(happened[played.start :], [*expected, places], strict=True)
        ],
        **told(decisions, len(places), decimal),
    }


def decimal(number: float) -> str:
    """Return a number with two decimals, rounded half to even."""
    return f"{number:.2f}".replace("-0.00", "0.00")


@dataclass(frozen=True, slots=True)
class _Position:
    state: State
    view: Mapping[str, Any]
    memory: Memory | None
    resigned: frozenset[int]

    @property
    def in_play(self) -> list[int]:
        return [player["seat"] for player in self.view["players"] if player["place"] is None]


class _Played:
    """The positions of a game, of which `start` is the first whose places are told."""

    def __init__(self, game: SheddingGame, trained: Networks, happened: Sequence[Happened]) -> None:
        self._game, self._networks, self._happened = game, trained, happened
        self._positions = list(self._all())
        self.end: State = self._positions[-1].state
        self.first = next((at for at, one in enumerate(self._positions) if one.view["status"] != "setup"), 0)
        self.start = max(self.first, len(happened) - MOST_VERSIONS)
        decided = [at for at in range(len(happened) - 1) if self._is_decision(at)]
        kept = decided[-MOST_DECISIONS:]
        if len(kept) < len(decided):
            self.start = max(self.start, kept[0])
        self.decided = [at for at in kept if at >= self.start or self.start == self.first]
        """The positions in which a seat decided something."""
        self.chances = cache(self._chances)
        self._rated = cache(self._rate)

    def _all(self) -> Iterator[_Position]:
        state, memory, resigned = None, None, frozenset[int]()
        for one in self._happened:
            event = one.event
            state = self._game.evolve(state, event)
            memory = remember(self._game, [self._game.redact(event, "public")], memory)
            if event["data"].get("move", {}).get("move") == "resign":
                resigned |= {event["seat"]}
            yield _Position(state, self._game.view(state, "public"), memory, resigned)

    def _is_decision(self, at: int) -> bool:
        position, event = self._positions[at], self._happened[at + 1].event
        seat, move = event["seat"], event["data"]["move"]
        seats = len(position.in_play)
        if seats > 1 + MOST_OPPONENTS or position.view["stalled"] >= STALLED * seats:
            return False
        # TC6: a draw only fills the hand, which would be filled anyway.
        fills = move["move"] == "draw" and position.state.rules.draws == "fill"
        if seat not in position.view["to_act"] or move["move"] in NEVER_DECIDED or fills:
            return False
        return self._has_a_choice(self._game.legal_moves(position.state, seat))

    @staticmethod
    def _has_a_choice(legal: Sequence[Mapping[str, Any]]) -> bool:
        if legal[0]["move"] == "arrange":
            cards, count = sorted(legal[0]["from"]), legal[0]["choose"]
            return len({ranks(chosen) for chosen in combinations(cards, count)}) > 1
        return len(moves_to_rate(legal)) > 1

    def _turn(self, at: int, seat: int) -> Turn:
        position = self._positions[at]
        hands = position.memory.hands if position.memory else ()
        table = KnownTable(self._game, self._game.view(position.state, seat), hands, seat=seat)
        return Turn(table, Chances(table, self._networks))

    def _rate(self, at: int, seat: int) -> list[tuple[float, Move]]:
        """Return the moves that the bot thinks of, each with its rating."""
        legal = self._game.legal_moves(self._positions[at].state, seat)
        turn = self._turn(at, seat)
        if legal[0]["move"] == "arrange":
            cards, count = legal[0]["from"], legal[0]["choose"]
            chosen = [list(face_up) for face_up in combinations(cards, count)]
            return [(turn.rate_arrangement(cards, one), {"move": "arrange", "face_up": one}) for one in chosen]
        moves = moves_to_rate(legal)
        rated = [(turn.rate(move, MOST_RATED // len(moves)), move) for move in moves]
        return [(rating, move) for rating, move in rated if rating < inf]

    def _made(self, at: int, seat: int, move: Move) -> float:
        legal, turn = self._game.legal_moves(self._positions[at].state, seat), self._turn(at, seat)
        if move["move"] == "arrange":
            return turn.rate_arrangement(legal[0]["from"], move["face_up"])
        return turn.rate(move, MOST_RATED // len(moves_to_rate(legal)))

    def _chances(self, at: int) -> Chance:
        position = self._positions[at]
        chances = {}
        for seat in position.in_play:
            rated = self._rated(at, seat) if seat in position.view["to_act"] else []
            if rated:
                chances[seat] = max(rating for rating, _ in rated)
            else:
                turn = self._turn(at, seat)
                chances[seat] = turn.rating.of(turn.table.position)
        return {seat: _bounded(chance) for seat, chance in chances.items()}

    def expected(self, at: int) -> Chance | None:
        """Return the expected place of each seat; None with more in play than the networks know."""
        position = self._positions[at]
        if len(position.in_play) > 1 + MOST_OPPONENTS:
            return None
        there = {player["seat"]: float(player["place"]) for player in position.view["players"] if player["place"]}
        chances = self.chances(at)
        return there | {seat: self._place(at, seat, chances) for seat in chances}

    def _place(self, at: int, seat: int, chances: Chance) -> float:
        position = self._positions[at]
        out = [one for one in position.view["players"] if one["place"] and one["seat"] not in position.resigned]
        own = chances[seat]
        return 1 + len(out) + sum(other / (own + other) for one, other in chances.items() if one != seat)

    def decision(self, at: int) -> Decision | None:
        """Return what was decided after a position, and what it cost; None if the seat left in setup."""
        made, position = self._happened[at + 1], max(at, self.first)
        seat, move = made.event["seat"], made.event["data"]["move"]
        chances = self.chances(position)
        if seat not in chances:
            return None
        best, better = max(self._rated(at, seat), key=lambda rated: rated[0])
        places = [
            self._place(position, seat, chances | {seat: _bounded(rating)})
            for rating in (self._made(at, seat, move), best)
        ]
        return Decision(made.version, seat, move, better, places[0] - places[1], made.by)


def _bounded(rating: float) -> float:
    return max(LEAST_CHANCE, min(1.0, rating))
