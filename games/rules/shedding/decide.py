"""The rules that the shedding games share: from a move to its event."""

from collections import Counter
from functools import cache
from typing import Any

from games.rules.cards import pretty, rank_word, without
from games.rules.events import EFFECTS, Facts
from games.rules.game import Event
from games.rules.moves import IllegalMove, Shapes, cards, position, read_move
from games.rules.shedding import legal
from games.rules.shedding.builtin import Variant
from games.rules.shedding.calls import calls
from games.rules.shedding.events import TYPES
from games.rules.shedding.rules import Bonus, Cards, Outcome
from games.rules.shedding.state import Player, State
from games.rules.words import spelled

SHAPES: Shapes = {
    "arrange": {"face_up": cards},
    "play": {"cards": cards},
    "flip": {"position": position(3)},
    "pick_up": {},
    "draw": {},
    "end_turn": {},
    "settle": {},
    "resign": {},
}
NO_DRAW = {
    "fill": "You can draw only before a bonus play, with fewer than {} in hand and while there are cards in the stock.",
    "gamble": "You can draw only while the stock lasts, and only on an empty pile after the first play, or if you hold "
    "exactly {} and can play none of them.",
}
PROGRESS = frozenset({"lifted", "closed", "drew", "drew_to_pile", "face_up_to_hand", "out", "left"})
"""The effects that count as progress (S13). So does playing table cards."""


def decide(variant: Variant, state: State, seat: int, raw: object) -> list[Event]:
    """Return the event of a move, with its consequences as effects. Raises IllegalMove."""
    move = read_move(raw, _shapes(state.rules.table))
    hand = Decision(variant, state, seat)
    name, *values = move.values()
    getattr(hand, name)(*values)
    called = calls(state, hand.effects) if variant.has_calls else []
    return [{"type": TYPES[name], "seat": seat, "data": {"move": move, "effects": hand.effects, "calls": called}}]


@cache
def _shapes(places: int) -> Shapes:
    return {**SHAPES, "flip": {"position": position(places)}}


class Decision:
    """A move in the making. `state` is a draft to which the effects decided so far have been applied."""

    def __init__(self, variant: Variant, state: State, seat: int) -> None:
        self.variant = variant
        self.rules = state.rules
        self.state = state.draft()
        self.seat = seat
        self.effects: list[Facts] = []
        self.progress = False
        self.took_pile = False
        self.skips = state.skips
        legal.check_in_play(state, seat)

    # The moves

    def arrange(self, face_up: list[str]) -> None:
        """Choose the cards to lie face up (S2)."""
        if self.state.phase != "setup":
            raise IllegalMove("setup_over", "Face-up cards can be chosen only before play begins.")
        player = self.state.players[self.seat]
        if player.arranged:
            raise IllegalMove("already_arranged", "You have already chosen your face-up cards.")
        wanted, held = self.rules.table, player.hand + player.face_up
        if len(face_up) != wanted:
            raise IllegalMove("choose_three", f"Choose exactly {spelled(wanted, 'card')}, not {len(face_up)}.")
        self.require_cards(face_up, held, f"among your {spelled(len(held), 'card')}")
        hand = without(held, face_up)
        self.do({"effect": "arranged", "seat": self.seat, "face_up": face_up, "hand": list(hand)})
        self.begin_play_when_all_have_chosen()

    def play(self, cards: list[str]) -> None:
        """Play cards of one rank from the active zone (S3), in some games also out of turn (CA9)."""
        if self.interrupts(cards):
            return
        self.require_turn()
        if legal.is_bound_to_flip(self.me):
            raise IllegalMove("must_flip", "You only have face-down cards left: flip one.")
        if not cards:
            raise IllegalMove("no_cards", "Play at least one card.")
        rank = cards[0][0]
        if len(cards) > 1 and any(card[0] != rank for card in cards):
            raise IllegalMove("mixed_ranks", "Cards played together must have the same rank.")
        hand, face_up = self.zones_of(cards)
        self.require_fit(rank)
        self.lay(cards, hand, face_up, None)
        self.finish_turn(self.carry_out(len(cards)).bonus)

    def flip(self, position: int) -> None:
        """Turn over a face-down card, and play it if possible (S6)."""
        self.require_turn()
        player = self.state.players[self.seat]
        if not legal.is_bound_to_flip(player):
            zone = "cards in your hand" if player.hand else "face-up cards"
            raise IllegalMove("not_yet_flipping", f"Play the {zone} first.")
        card = player.face_down[position]
        if card is None:
            raise IllegalMove("position_empty", f"There is no card left at position {position}.")
        if card[0] in legal.playable_ranks(self.state):
            self.lay([card], [], [], position)
            self.finish_turn(self.carry_out(1).bonus)
        elif self.rules.failed_flip_returns:
            self.do({"effect": "shown", "seat": self.seat, "position": position, "card": card})
            self.take_pile()
        else:
            self.do({"effect": "lifted", "seat": self.seat, "position": position, "card": card})
            self.take_pile()

    def pick_up(self) -> None:
        """Take the pile, if nothing can be played (S4)."""
        self.require_turn()
        player = self.state.players[self.seat]
        if legal.is_bound_to_flip(player):
            raise IllegalMove("must_flip", "You only have face-down cards left: flip one.")
        if legal.can_play(self.state, player):
            raise IllegalMove("can_play", "You can play, so you cannot pick up the pile.")
        if self.state.bonus == "may":
            raise IllegalMove(
                "can_play", "You don't have to play again, so you cannot pick up the pile. End your turn."
            )
        self.take_pile()

    def draw(self) -> None:
        """Fill the hand during bonus plays (TC6), or turn over a card from the stock and play it if possible (CA7)."""
        if self.rules.draws is None:
            raise IllegalMove("no_draw", "In this game your hand is refilled for you.")
        self.require_turn()
        playable = legal.is_bound_to_flip(self.me) or legal.can_play(self.state, self.me)
        if not legal.can_draw(self.state, self.seat, playable):
            raise IllegalMove("cannot_draw", NO_DRAW[self.rules.draws].format(spelled(self.rules.hand, "card")))
        if self.rules.draws == "fill":
            self.refill()
            self.count_stalled()
            return
        card = self.state.stock[0]
        if card[0] in legal.playable_ranks(self.state):
            self.do({"effect": "drew_to_pile", "seat": self.seat, "card": card})
            self.end_opening()
            self.finish_turn(self.carry_out(1).bonus)
        else:
            self.do({"effect": "drew", "seat": self.seat, "count": 1, "cards": [card]})
            self.take_pile()

    def end_turn(self) -> None:
        """Decline a bonus play that is a right (TC5, TJ7, CA4)."""
        self.require_turn()
        if self.state.bonus is None:
            raise IllegalMove("no_bonus", "You have no bonus play to decline.")
        if self.state.bonus == "must":
            raise IllegalMove("must_play", "You must play again before your turn ends.")
        self.finish_turn(None)

    def settle(self) -> None:
        """Agree to end the game as it stands, or take that back; it ends once all in play agree (S14)."""
        state = self.state
        if not legal.may_settle(state):
            raise IllegalMove("cannot_settle", self.why_not_settled())
        agreed = sorted({self.seat} ^ {*state.settled})
        self.do({"effect": "settled", "seats": agreed})
        if agreed == state.in_play:
            self.end("agreed")

    def resign(self) -> None:
        """Leave the game with all cards and take the last free place (S11)."""
        state = self.state
        last_free = len(state.players) - sum(player.resigned for player in state.players)
        had_turn = self.seat == state.turn or self.seat in state.openers
        self.do({"effect": "left", "seat": self.seat, "place": last_free})
        self.count_stalled()
        if len(self.state.in_play) == 1:
            self.end("resignation")
        elif state.phase == "setup":
            self.begin_play_when_all_have_chosen()
        elif had_turn and state.openers:
            self.look_for_opener()
        elif had_turn:
            self.pass_turn()

    # The steps of moves

    def do(self, effect: Facts) -> None:
        name = effect["effect"]
        self.effects.append(effect)
        EFFECTS[name].apply(self.state, effect)
        self.progress = self.progress or name in PROGRESS

    @property
    def me(self) -> Player:
        return self.state.players[self.seat]

    def require_turn(self) -> None:
        state = self.state
        if state.phase == "setup":
            chosen = spelled(self.rules.table, "face-up card")
            raise IllegalMove("setup", f"Play begins when every player has chosen {chosen}.")
        if legal.may_act(state, self.seat):
            return
        if self.seat in state.raced:
            raise IllegalMove("race_lost", "Another player opened first.")
        raise IllegalMove("not_your_turn", "It is not your turn.")

    def require_fit(self, rank: str) -> None:
        if rank in legal.playable_ranks(self.state):
            return
        first = self.state.opening_rank
        if first:
            raise IllegalMove("opening_rank", f"The first play must be of rank {rank_word(first)}.")
        if beat := self.rules.to_beat(self.state.pile, self.state.laid_on_empty):
            order = "lower" if beat.lower else "higher"
            detail = f"You cannot play {rank_word(rank)} on this pile: it needs {rank_word(beat.rank)} or {order}."
            raise IllegalMove("cannot_beat_pile", detail)

    def zones_of(self, named: list[str]) -> tuple[list[str], list[str]]:
        """Return the named cards that come from the hand and those that are face-up cards (S3)."""
        player = self.me
        if not player.hand:
            self.require_cards(named, player.face_up, "among your face-up cards")
            return [], named
        left = list(player.hand)
        hand, others = [], []
        for card in named:
            if card in left:
                left.remove(card)
                hand.append(card)
            else:
                others.append(card)
        if others:
            self.require_cards(named, player.hand + player.face_up, "in your hand or among your face-up cards")
        if others and not self.rules.merges:
            raise IllegalMove("hand_first", self.variant.hand_first)
        if others and self.state.stock:
            raise IllegalMove("hand_first", "You can add face-up cards to a play only once the stock is empty.")
        if others and left:
            raise IllegalMove("whole_hand_first", "You can add face-up cards only to a play of your whole hand.")
        return hand, others

    def require_cards(self, named: list[str], zone: tuple[str, ...], where: str) -> None:
        left = list(zone)
        for card in named:
            if card not in left:
                copies = f"{named.count(card)} copies of {pretty(card)}" if card in zone else pretty(card)
                raise IllegalMove("not_your_cards", f"You do not have {copies} {where}.")
            left.remove(card)

    def lay(self, cards: list[str], hand: list[str], face_up: list[str], position: int | None) -> None:
        zones = {"hand": hand, "face_up": face_up, "position": position}
        self.do({"effect": "laid", "seat": self.seat, "cards": cards, **zones})
        self.progress = self.progress or bool(face_up) or position is not None
        self.end_opening()

    def end_opening(self) -> None:
        """Record the end of the opening, if this is the first move; other openers have lost the race (CA2)."""
        openers = self.state.openers
        if openers:
            self.do({"effect": "opened", "raced": [seat for seat in openers if seat != self.seat]})

    def carry_out(self, played: int, *, out_of_turn: bool = False) -> Outcome:
        """Apply what the cards just played do, all but the bonus play. Return the outcome."""
        pile = self.state.pile
        outcome = self.rules.interruption(pile, played) if out_of_turn else self.rules.outcome(pile, played)
        self.skips += outcome.skips
        if outcome.reversals:
            turned = -1 if outcome.reversals % 2 else 1
            self.do({"effect": "turned_round", "direction": self.state.direction * turned})
        if outcome.closes:
            self.do({"effect": "closed", "why": outcome.closes})
        elif outcome.takes_below and len(self.state.pile) > played:
            self.take(self.state.pile[:-played])
        return outcome

    def interrupts(self, cards: list[str]) -> bool:
        """Complete a row out of turn, if these cards do (CA9c). Return whether they did."""
        held = legal.interruption(self.state, self.seat)
        if not held or len(cards) != self.rules.missing(self.state.pile) or Counter(cards) - Counter(held):
            return False
        hand, face_up = self.zones_of(cards)
        self.lay(cards, hand, face_up, None)
        self.carry_out(len(cards), out_of_turn=True)
        self.refill()
        if not self.goes_out():
            self.count_stalled()
        return True

    def take_pile(self) -> None:
        """Pick up the pile and end the turn, or go on with a duty to play (TC7, TJ11, TH8, CA8)."""
        self.take(self.state.pile)
        self.skips = 0
        self.end_opening()
        self.finish_turn(self.rules.after_pick_up)

    def take(self, below: Cards) -> None:
        self.do({"effect": "picked_up", "seat": self.seat, "cards": list(below)})
        self.took_pile = True

    def refill(self) -> None:
        """Fill the hand from the stock (S5). If it stays empty, take up the face-up cards (TC8)."""
        missing = self.rules.hand - len(self.me.hand)
        if missing > 0 and self.state.stock:
            cards = list(self.state.stock[:missing])
            self.do({"effect": "drew", "seat": self.seat, "count": len(cards), "cards": cards})
        if self.rules.face_up_joins_hand and not self.me.hand and self.me.face_up:
            self.do({"effect": "face_up_to_hand", "seat": self.seat})

    def finish_turn(self, bonus: Bonus) -> None:
        """Refill the hand, see if the player is out or the game over, and set whose turn it is."""
        if bonus is None or self.rules.refills == "play" or not self.me.hand:
            self.refill()
        if self.goes_out() or self.count_stalled():
            return
        if bonus:
            waiting = {"skips": self.skips} if self.skips else {}
            number = self.state.turn_number
            self.do({"effect": "turn", "seat": self.seat, "bonus": bonus, "number": number, **waiting})
        else:
            self.pass_turn()

    def goes_out(self) -> bool:
        """Take the next place if no card is left (S7, S8). Return whether the player is out."""
        if self.me.has_cards:
            return False
        state = self.state
        taken = sum(player.place is not None and not player.resigned for player in state.players)
        self.do({"effect": "out", "seat": self.seat, "place": taken + 1})
        self.count_stalled()
        if self.rules.ends_first_out or len(self.state.in_play) == 1:
            self.end("out")
        elif self.seat == state.turn:
            self.pass_turn()
        return True

    def pass_turn(self) -> None:
        state = self.state
        holder = self.seat if state.turn is None else state.turn
        following = state.next_in_play(holder)
        for _ in range(self.skips):
            following = state.next_in_play(following)
        self.do({"effect": "turn", "seat": following, "bonus": None, "number": state.turn_number + 1})

    def why_not_settled(self) -> str:
        state = self.state
        if state.phase == "setup":
            return "Play has not begun: there is nothing to settle."
        return (
            f"The game can be settled after {legal.settles_after(state)} pick-ups in moves without progress; "
            f"so far there have been {state.stalled}."
        )

    def count_stalled(self) -> bool:
        """Count pick-ups without progress (S13). Progress also wipes what was settled (S14).

        Return whether the game ended.
        """
        count = 0 if self.progress else self.state.stalled + self.took_pile
        if count != self.state.stalled:
            self.do({"effect": "stalled", "count": count})
        if self.progress and self.state.settled:
            self.do({"effect": "settled", "seats": []})
        if self.took_pile and count >= self.rules.stalemate_after * len(self.state.in_play):
            self.end("stalemate")
            return True
        return False

    def begin_play_when_all_have_chosen(self) -> None:
        """End setup once every seat has chosen (S2), and find the opener."""
        state = self.state
        if all(player.arranged or player.place is not None for player in state.players):
            self.do({"effect": "setup_ended", "face_up": [list(player.face_up) for player in state.players]})
            self.look_for_opener()

    def look_for_opener(self) -> None:
        found = legal.opening(self.state)
        self.do({"effect": "opening", "seats": found.seats, "rank": found.rank})

    def end(self, ended_by: str) -> None:
        """End the game. Seats still in play are ranked by the cards they hold (S8, S12), or share a place (S14)."""
        places = placements(self.state, shared=ended_by == "agreed")
        self.do({"effect": "ended", "placements": places, "ended_by": ended_by})


def placements(state: State, *, shared: bool = False) -> list[dict[str, Any]]:
    """Return `[{"seat", "place", "score"}]` by place, then seat.

    Seats still in play are ranked by the cards they hold, fewest first; equal counts share a place (1, 2, 2, 4). With
    `shared`, they all share the best place that is free (S14).
    `score` is the number of cards left, or None for a seat that resigned.
    """
    best_free = 1 + sum(player.place is not None and not player.resigned for player in state.players)
    held = {seat: state.players[seat].cards_left for seat in state.in_play}
    rows = []
    for seat, player in enumerate(state.players):
        place = player.place
        if place is None:
            place = best_free + (0 if shared else sum(count < held[seat] for count in held.values()))
        rows.append({"seat": seat, "place": place, "score": None if player.resigned else player.cards_left})
    return sorted(rows, key=lambda row: (row["place"], row["seat"]))
