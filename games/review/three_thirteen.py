"""What the hands of Three Thirteen cost after each turn, and what certainly cost points."""

from collections.abc import Mapping, Sequence
from typing import Any

from games.review.decisions import Decision, Happened, NoReviewError, told
from games.rules.cards import without
from games.rules.game import Game, State
from games.rules.three_thirteen import discards_to_go_out, lay_out

TURN_ENDS = frozenset({"discarded", "went_out"})


def review(game: Game, happened: Sequence[Happened]) -> dict[str, Any]:
    state: State = None
    rounds: list[dict[str, Any]] = []
    decisions: list[Decision] = []
    missed: dict[int, tuple[Happened, list[str]]] = {}
    for one in happened:
        event, before = one.event, state
        state = game.evolve(state, event)
        seat, data = event["seat"], event["data"]
        if event["type"] == "dealt":
            rounds.append({"round": data["round"], "turns": []})
            missed = {}
        elif event["type"] in TURN_ENDS:
            left = _penalty(state, state.hands[seat])
            rounds[-1]["turns"].append({"version": one.version, "seat": seat, "penalty": left})
            if event["type"] == "discarded" and before.went_out is None:
                if seat not in missed and (better := discards_to_go_out(before.hands[seat], wild=state.wild)):
                    missed[seat] = (one, better)
            elif event["type"] == "discarded":
                decisions.append(_final(before, one, left))
        elif event["type"] == "round_scored":
            decisions += [_missed(*missed[seat], data["scores"][seat]) for seat in missed]
    if state.result is None:
        raise NoReviewError("The game has not finished.")
    return {"game": game.name, "rounds": rounds, **told(decisions, state.seats, lambda points: f"{points:.0f}")}


def _penalty(state: State, hand: Sequence[str]) -> int:
    return lay_out(hand, wild=state.wild, ace_points=state.options["ace_points"]).penalty


def _missed(one: Happened, better: list[str], score: Mapping[str, Any]) -> Decision:
    event = one.event
    return Decision(one.version, event["seat"], event["data"]["move"], better, score["penalty"], one.by, "missed_out")


def _final(before: State, one: Happened, left: int) -> Decision:
    """Return a discard in a final turn, beside the one that leaves least; of equals the first in the hand."""
    seat = one.event["seat"]
    hand = before.hands[seat]
    costs = {card: _penalty(before, without(hand, [card])) for card in hand}
    best = min(costs, key=costs.__getitem__)
    better = {"move": "discard", "card": best}
    cost = left - costs[best]
    return Decision(one.version, seat, one.event["data"]["move"], better, cost, one.by, "final_discard")
