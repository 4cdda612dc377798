"""The figures of one game, counted move by move."""

from collections.abc import Iterable, Mapping
from fractions import Fraction
from statistics import mean
from typing import Any, TypeAlias

from games.lab.playing import Deal, Step

Counted: TypeAlias = dict[str, int | Fraction]
"""The figures of a game by name. One that does not exist in this game is missing. Of shares it is 0 or 1."""

HOUR, DAY = 3600, 24 * 3600
WAKES, SLEEPS = 7 * HOUR, 23 * HOUR
LOOKS_AFTER = HOUR * 3 // 2
ZONES, ZONE = 4, 6 * HOUR
NO_MOVES = ("settle", "resign")


def count(deal: Deal, steps: Iterable[Step]) -> Counted:
    """Return the figures of a game. Raises ValueError if it has not ended."""
    everybody, family = _Everybody(deal), _FAMILIES[deal.game.family](deal)
    for step in steps:
        everybody.see(step)
        family.see(step)
    result = deal.game.result(step.after)
    if result is None:
        raise ValueError("The game has not ended.")
    return {**everybody.figures(result), **family.figures(result)}


def ready(seat: int, since: int) -> int:
    """Return the moment at which a seat that must act since a moment looks at the game, in seconds."""
    ahead = ZONE * (seat % ZONES)
    day, clock = divmod(since + ahead, DAY)
    if clock >= SLEEPS:
        day, clock = day + 1, WAKES
    looks = max(clock, WAKES) + LOOKS_AFTER
    if looks > SLEEPS:
        looks += DAY - SLEEPS + WAKES
    return day * DAY + looks - ahead


def beaten(result: Mapping[str, Any]) -> dict[int, Fraction]:
    """Return each seat's share of opponents beaten, a shared place counting for a half (PT1)."""
    places = {row["seat"]: row["place"] for row in result["placements"]}
    most = 2 * (len(places) - 1)
    return {
        seat: Fraction(sum(2 * (other > place) + (other == place) for other in places.values()) - 1, most)
        for seat, place in places.items()
    }


class _Everybody:
    """The figures of every game."""

    def __init__(self, deal: Deal) -> None:
        self.deal = deal
        self.moves = self.hand_overs = self.now = 0
        self.opener: int | None = None
        self.to_act = deal.game.to_act(deal.state)
        self.since = dict.fromkeys(self.to_act, 0)

    def see(self, step: Step) -> None:
        game, since = self.deal.game, self.since
        is_move = step.move["move"] not in NO_MOVES
        self.moves += is_move
        if self.opener is None and is_move and game.status(step.before) == "playing":
            self.opener = step.seat
        if step.seat in since:
            self.now = max(self.now, ready(step.seat, since[step.seat]))
        to_act = game.to_act(step.after)
        if to_act != self.to_act:
            self.hand_overs += sum(seat not in to_act for seat in self.to_act)
            self.since = {seat: since.get(seat, self.now) for seat in to_act}
            self.to_act = to_act

    def figures(self, result: Mapping[str, Any]) -> Counted:
        points, dealt = beaten(result), self.deal.event["data"]
        seats, dealer, levels = dealt["seats"], dealt["dealer"], self.deal.levels
        figures: Counted = {"moves": self.moves, "hand_overs": self.hand_overs, "days": Fraction(self.now, DAY)}
        figures[f"ended.{result['ended_by']}"] = 1
        figures |= {f"points.{place}": points[(dealer + place) % seats] for place in range(1, seats + 1)}
        if self.opener is not None:
            figures["opener"] = points[self.opener] - Fraction(1, 2)
        if levels and len(set(levels)) > 1:
            for level in set(levels):
                figures[f"level.{level}"] = mean(points[seat] for seat in range(seats) if levels[seat] == level)
        return figures


class _Shedding:
    """The figures of shedding games."""

    def __init__(self, deal: Deal) -> None:
        self.pick_ups = self.picked_up = self.blind_flips = self.blind_fits = self.won_blind = self.stalled = 0
        self.closings: dict[str, int] = {}
        self.largest_hand = max(len(player.hand) for player in deal.state.players)

    def see(self, step: Step) -> None:
        is_blind = step.move["move"] == "flip" and not step.before.players[step.seat].shown[step.move["position"]]
        self.blind_flips += is_blind
        fits = False
        for effect in step.events[0]["data"]["effects"]:
            match effect:
                case {"effect": "picked_up", "cards": cards} if cards:
                    self.pick_ups += 1
                    self.picked_up += len(cards)
                case {"effect": "closed", "why": why}:
                    self.closings[why] = self.closings.get(why, 0) + 1
                case {"effect": "laid"}:
                    fits = is_blind
                    self.blind_fits += fits
                case {"effect": "out", "place": 1}:
                    self.won_blind += fits
                case {"effect": "stalled", "count": stalled}:
                    self.stalled = max(self.stalled, stalled)
        self.largest_hand = max(self.largest_hand, *[len(player.hand) for player in step.after.players])

    def figures(self, result: Mapping[str, Any]) -> Counted:  # noqa: ARG002 (asked of every family)
        names = ("pick_ups", "picked_up", "largest_hand", "blind_flips", "blind_fits", "won_blind", "stalled")
        return {
            **{name: getattr(self, name) for name in names},
            **{f"closings.{why}": times for why, times in self.closings.items()},
        }


class _ThreeThirteen:
    """The figures of Three Thirteen."""

    def __init__(self, deal: Deal) -> None:
        self.renewals = 0
        self.by_round: Counted = {}
        self.apart: dict[str, list[Fraction]] = {"dealer": [], "first": []}
        self._deals(deal.event)

    def _deals(self, event: Mapping[str, Any]) -> None:
        self.special = {"dealer": event["data"]["dealer"], "first": event["data"]["to_act"][0]}

    def see(self, step: Step) -> None:
        for event in step.events:
            data = event["data"]
            match event["type"]:
                case "drew":
                    self.renewals += data["shuffle"] is not None
                case "went_out":
                    self.by_round[f"out.{step.before.round}"] = step.before.turn_number
                case "round_scored":
                    self._score(step.before, data, {*step.before.resigned, *_resigns(step)})
                case "dealt":
                    self._deals(event)

    def _score(self, state: Any, data: Mapping[str, Any], gone: set[int]) -> None:
        penalties = {seat: score["penalty"] for seat, score in enumerate(data["scores"]) if seat not in gone}
        self.by_round[f"penalty.{state.round}"] = Fraction(sum(penalties.values()), len(penalties))
        self.by_round[f"nobody_out.{state.round}"] = int(data["went_out"] is None)
        for name, seat in self.special.items():
            if seat in penalties:
                others = [penalty for other, penalty in penalties.items() if other != seat]
                self.apart[name].append(penalties[seat] - Fraction(sum(others), len(others)))

    def figures(self, result: Mapping[str, Any]) -> Counted:
        return {
            **self.by_round,
            **{name: mean(values) for name, values in self.apart.items() if values},
            "renewals": self.renewals,
            "winner": result["placements"][0]["score"],
        }


def _resigns(step: Step) -> list[int]:
    return [step.seat] if step.move["move"] == "resign" else []


_FAMILIES: Mapping[str, type[_Shedding] | type[_ThreeThirteen]] = {
    "shedding": _Shedding,
    "three_thirteen": _ThreeThirteen,
}
