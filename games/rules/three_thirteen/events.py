"""The events of Three Thirteen: what each says, and how it leads from one state to the next. No rule is checked."""

from typing import Annotated, Any, Literal, NewType

from games.rules.cards import pretty, rank_word, without
from games.rules.events import (
    EVENTS,
    LEFT_OUT,
    OWN,
    Card,
    Cards,
    Event,
    Facts,
    Hands,
    Moved,
    Options,
    Planned,
    Result,
    Seats,
    Secret,
    Told,
    Viewer,
    whom,
)
from games.rules.three_thirteen.state import DISCARD, DRAW, GAME, State

RoundScore = NewType("RoundScore", Facts)


class Dealt(Event):
    """The cards of a round of Three Thirteen. The first deal also has `ruleset`, `options` and `seats`."""

    family = GAME
    round: int
    wild: Annotated[str, "The rank that is wild in this round."]
    dealer: int
    hands: Hands
    discard_top: Card
    stock_count: int
    to_act: Seats
    shuffle: Secret
    ruleset: str = LEFT_OUT
    options: Options = LEFT_OUT
    seats: int = LEFT_OUT

    @staticmethod
    def apply(state: State | None, _: None, facts: Facts) -> State:
        order = facts["shuffle"]
        deal: dict[str, Any] = {
            "dealer": facts["dealer"],
            "round": facts["round"],
            "hands": tuple(tuple(hand) for hand in facts["hands"]),
            "stock": tuple(order[len(order) - facts["stock_count"] :]),
            "discards": (facts["discard_top"],),
            "turn": facts["to_act"][0],
            "turn_number": 1,
            "step": DRAW,
            "went_out": None,
            "laid": (),
            "final_turns": None,
            "renewed": 0,
            "idle": 0,
        }
        if state is not None:
            return state._replace(**deal)
        first = {name: facts[name] for name in ("ruleset", "options", "seats")}
        return State(**first, **deal, resigned=(), rounds=(), result=None)

    def sentence(self, told: Told) -> str:
        return f"{whom(told.names[self.dealer])} dealt round {self.round}; {rank_word(self.wild)}s are wild"


class Drew(Moved):
    """The first half of a turn of Three Thirteen."""

    family, by = GAME, "draw"
    card: Annotated[Card | None, OWN, "The card; if it came from the stock, shown only to the player who drew it."]
    stock_count: int
    discard_count: int
    renewed: Annotated[int, "How often the stock has been renewed in this round."]
    idle: Annotated[int, "The number of turns in a row in which the stock was not used."]
    shuffle: Secret
    planned: Planned = LEFT_OUT

    def seen(self, seat: int | None, viewer: Viewer) -> Facts:
        shown = super().seen(seat, viewer)
        # What was taken from the discard pile lay there for all to see.
        return shown if self.move["from"] == "stock" else shown | {"card": self.card}

    @staticmethod
    def apply(state: State, seat: int, facts: Facts) -> State:
        stock, discards = state.stock, state.discards
        if facts["shuffle"] is not None:
            stock, discards = tuple(facts["shuffle"]), discards[-1:]
        if facts["move"]["from"] == "stock":
            stock = stock[1:]
        else:
            discards = discards[:-1]
        hands = _with_hand(state, seat, (*state.hands[seat], facts["card"]))
        counts = {"renewed": facts["renewed"], "idle": facts["idle"]}
        return state._replace(hands=hands, stock=stock, discards=discards, step=DISCARD, **counts)

    def did(self, told: Told) -> str:
        return super().did(told) + self._what

    def made_for(self, who: str) -> str | None:
        return f"{super().made_for(who)}{self._what}"

    @property
    def _what(self) -> str:
        return f" ({pretty(self.card)})" if self.card else ""


class _Turn(Moved, is_kind=True):
    family = GAME
    to_act: Seats
    step: Literal["draw", "discard"]
    turn_number: int
    final_turns: Annotated[Seats | None, "The seats with a last turn left."]


class Discarded(_Turn):
    """A turn ended with a discard."""

    by = "discard"
    planned: Planned = LEFT_OUT

    @staticmethod
    def apply(state: State, seat: int, facts: Facts) -> State:
        return _discard(state, seat, facts["move"]["card"], facts)


class WentOut(_Turn):
    """A player went out."""

    by = "go_out"
    melds: list[Cards]
    planned: Planned = LEFT_OUT

    @staticmethod
    def apply(state: State, seat: int, facts: Facts) -> State:
        melds = tuple(tuple(meld) for meld in facts["melds"])
        return _discard(state, seat, facts["move"]["discard"], facts)._replace(went_out=seat, laid=melds)


class RoundScored(Event):
    """The round was scored."""

    family = GAME
    round: int
    went_out: int | None
    scores: Annotated[list[RoundScore], "By seat."]
    totals: Annotated[list[int], "By seat."]
    result: Result | None

    @staticmethod
    def apply(state: State, _: None, facts: Facts) -> State:
        return state._replace(rounds=(*state.rounds, tuple(facts["scores"])), result=facts["result"], laid=())

    def sentence(self, told: Told) -> str:
        seats = range(len(self.scores))
        scores = ", ".join(f"{who} {self.scores[seat]['penalty']}" for seat, who in enumerate(told.all(seats)))
        return f"round {self.round} was scored: {scores}"


class Resigned(_Turn):
    """A resignation in Three Thirteen."""

    by = "resign"
    place: int
    result: Result | None
    idle: int

    @staticmethod
    def apply(state: State, seat: int, facts: Facts) -> State:
        hands = _with_hand(state, seat, ())
        over = {"resigned": (*state.resigned, seat), "result": facts["result"], "idle": facts["idle"]}
        return state._replace(hands=hands, **over, **_turn(facts))


def evolve(state: State | None, event: Facts) -> State:
    kind: Any = EVENTS.get(f"{GAME}.{event['type']}")
    if kind is None:
        raise ValueError(f"Three Thirteen has no event {event['type']!r}")
    after: State = kind.apply(state, event["seat"], event["data"])
    return after


def _discard(state: State, seat: int, card: str, facts: Facts) -> State:
    hands = _with_hand(state, seat, without(state.hands[seat], [card]))
    return state._replace(hands=hands, discards=(*state.discards, card), **_turn(facts))


def _turn(facts: Facts) -> dict[str, Any]:
    final_turns = facts["final_turns"]
    return {
        "turn": facts["to_act"][0] if facts["to_act"] else None,
        "turn_number": facts["turn_number"],
        "step": facts["step"],
        "final_turns": None if final_turns is None else tuple(final_turns),
    }


def _with_hand(state: State, seat: int, hand: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    return (*state.hands[:seat], hand, *state.hands[seat + 1 :])
