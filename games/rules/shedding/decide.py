"""Judging a move: every rule of the shedding games that is not a game's own difference."""

from games.rules.cards import pretty, rank_word, without
from games.rules.errors import IllegalMove
from games.rules.game import Event
from games.rules.moves import Shapes, cards, position, read_move
from games.rules.shedding import legal
from games.rules.shedding.effects import EFFECTS, Effect
from games.rules.shedding.ending import placements
from games.rules.shedding.state import Bonus, Cards, Player, State
from games.rules.shedding.variant import Outcome, Variant

SHAPES: Shapes = {
    "arrange": {"face_up": cards},
    "play": {"cards": cards},
    "flip": {"position": position},
    "pick_up": {},
    "draw": {},
    "end_turn": {},
    "resign": {},
}
EVENT_TYPES = {
    "arrange": "arranged",
    "play": "played",
    "flip": "flipped",
    "pick_up": "picked_up",
    "draw": "drew",
    "end_turn": "turn_ended",
    "resign": "resigned",
}
NO_DRAW = {
    "fill": "You may draw only with a bonus play open, fewer than three cards in hand and a stock (TC6).",
    "gamble": "You may draw only from a stock, after the opening: on an empty pile, or with exactly three cards "
    "in hand when none of them can be played (CA7).",
}
PROGRESS = frozenset({"lifted", "closed", "drew", "drew_to_pile", "face_up_to_hand", "out", "left"})
"""S13: what counts as progress; so does a card laid from the table."""


def decide(variant: Variant, state: State, seat: int, raw: object) -> list[Event]:
    """The event of a move, its consequences in order as effects. Raises IllegalMove; changes nothing."""
    move = read_move(raw, SHAPES)
    hand = Decision(variant, state, seat)
    name, *values = move.values()
    getattr(hand, name)(*values)
    return [{"type": EVENT_TYPES[name], "seat": seat, "data": {"move": move, "effects": hand.effects}}]


class Decision:
    """One move being judged: `state` is the state as the effects decided so far leave it."""

    def __init__(self, variant: Variant, state: State, seat: int) -> None:
        self.variant = variant
        self.state = state.draft()
        self.seat = seat
        self.effects: list[Effect] = []
        self.progress = False
        self.took_pile = False
        if state.phase == "finished":
            raise IllegalMove("game_over", "The game is over.")
        if not (type(seat) is int and 0 <= seat < len(state.players)):
            raise IllegalMove("no_such_seat", f"Nobody sits at seat {seat!r}.")
        if state.players[seat].resigned:
            raise IllegalMove("resigned", f"Seat {seat} has left the game.")
        if state.players[seat].place is not None:
            raise IllegalMove("already_out", f"Seat {seat} is out and has no card left to play.")

    # The moves

    def arrange(self, face_up: list[str]) -> None:
        """S2: three of the six cards to lie face up, once."""
        if self.state.phase != "setup":
            raise IllegalMove("setup_over", "The face-up cards were chosen before play began.")
        player = self.state.players[self.seat]
        if player.arranged:
            raise IllegalMove("already_arranged", "You have already chosen your face-up cards.")
        if len(face_up) != 3:
            raise IllegalMove("choose_three", f"Choose three cards to lie face up, not {len(face_up)}.")
        try:
            hand = without(player.hand + player.face_up, face_up)
        except ValueError:
            raise IllegalMove("not_your_cards", f"{_listing(face_up)} are not all among your six cards.") from None
        self.do({"effect": "arranged", "seat": self.seat, "face_up": face_up, "hand": list(hand)})
        self.begin_play_when_all_have_chosen()

    def play(self, cards: list[str]) -> None:
        """S3: cards of one rank from the active zone; in Castle also out of turn (CA9)."""
        if self.interrupts(cards):
            return
        self.require_turn()
        if legal.is_bound_to_flip(self.me):
            raise IllegalMove("must_flip", "Only your face-down cards are left: turn one over with flip.")
        if not cards:
            raise IllegalMove("no_cards", "A play needs at least one card.")
        rank = cards[0][0]
        if len(cards) > 1 and any(card[0] != rank for card in cards):
            raise IllegalMove("mixed_ranks", f"{_listing(cards)} are not of one rank.")
        hand, face_up = self.zones_of(cards)
        self.require_fit(rank)
        self.lay(cards, hand, face_up, None)
        self.finish_turn(self.carry_out(len(cards)).bonus)

    def flip(self, position: int) -> None:
        """S6: a face-down card turned over, and played if it can be."""
        self.require_turn()
        player = self.state.players[self.seat]
        if not legal.is_bound_to_flip(player):
            zone = "hand" if player.hand else "face-up cards"
            raise IllegalMove("not_yet_flipping", f"You play from your {zone} as long as there is a card.")
        card = player.face_down[position]
        if card is None:
            raise IllegalMove("position_empty", f"There is no card at position {position} any more.")
        if card[0] in legal.playable_ranks(self.variant, self.state):
            self.lay([card], [], [], position)
            self.finish_turn(self.carry_out(1).bonus)
        elif self.variant.failed_flip_returns:
            self.do({"effect": "shown", "seat": self.seat, "position": position, "card": card})
            self.take_pile()
        else:
            self.do({"effect": "lifted", "seat": self.seat, "position": position, "card": card})
            self.take_pile()

    def pick_up(self) -> None:
        """S4: the pile to the hand, only when nothing can be played."""
        self.require_turn()
        player = self.state.players[self.seat]
        if legal.is_bound_to_flip(player):
            raise IllegalMove("must_flip", "Only your face-down cards are left: turn one over with flip.")
        if legal.can_play(self.variant, self.state, player):
            raise IllegalMove("can_play", "You can play a card, so you must.")
        self.take_pile()

    def draw(self) -> None:
        """TC6: fill the hand between bonus plays. CA7: turn a card of the stock and play it if it can be."""
        if self.variant.draws is None:
            raise IllegalMove("no_draw", f"In {self.variant.title} cards are drawn for you; draw is no move.")
        self.require_turn()
        playable = legal.is_bound_to_flip(self.me) or legal.can_play(self.variant, self.state, self.me)
        if not legal.can_draw(self.variant, self.state, self.seat, playable):
            raise IllegalMove("cannot_draw", NO_DRAW[self.variant.draws])
        if self.variant.draws == "fill":
            self.refill()
            self.count_stalled()
            return
        card = self.state.stock[0]
        if card[0] in legal.playable_ranks(self.variant, self.state):
            self.do({"effect": "drew_to_pile", "seat": self.seat, "card": card})
            self.finish_turn(self.carry_out(1).bonus)
        else:
            self.do({"effect": "drew", "seat": self.seat, "count": 1, "cards": [card]})
            self.take_pile()

    def end_turn(self) -> None:
        """TC5, TJ7, CA4: a bonus play that is a right may be declined."""
        self.require_turn()
        if self.state.bonus is None:
            raise IllegalMove("no_bonus", "There is no bonus play to decline: you must play.")
        if self.state.bonus == "must":
            raise IllegalMove("must_play", "You must play again before your turn can end.")
        self.finish_turn(None)

    def resign(self) -> None:
        """S11: the player leaves with its cards and takes the last place that is free."""
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

    # What moves are made of

    def do(self, effect: Effect) -> None:
        """Adds an effect, in its stored form, and lets it happen."""
        name = effect["effect"]
        self.effects.append(effect)
        EFFECTS[name](self.state, effect)
        self.progress = self.progress or name in PROGRESS

    @property
    def me(self) -> Player:
        """The player who moves, as things stand."""
        return self.state.players[self.seat]

    def require_turn(self) -> None:
        """Raises IllegalMove unless the seat may play now."""
        state = self.state
        if state.phase == "setup":
            raise IllegalMove("setup", "Play begins when every player has chosen three face-up cards.")
        if legal.may_act(state, self.seat):
            return
        if self.seat in state.raced:
            raise IllegalMove("race_lost", "Another player opened first.")
        raise IllegalMove("not_your_turn", "It is not your turn.")

    def require_fit(self, rank: str) -> None:
        """Raises IllegalMove when a card of this rank may not be played on the pile."""
        if rank in legal.playable_ranks(self.variant, self.state):
            return
        first = self.state.opening_rank
        if first:
            raise IllegalMove("opening_rank", f"The first play must be of rank {rank_word(first)}.")
        if beat := self.variant.to_beat(self.state.pile, self.state.options):
            order = "lower" if beat.lower else "higher"
            detail = f"A {rank_word(rank)} does not go here: the pile asks for {rank_word(beat.rank)} or {order}."
            raise IllegalMove("cannot_beat_pile", detail)

    def zones_of(self, named: list[str]) -> tuple[list[str], list[str]]:
        """Which of the named cards come from the hand and which from the face-up cards (S3: the hand's go first)."""
        player = self.me
        if not player.hand:
            self.require_cards(named, player.face_up, "face-up cards")
            return [], named
        left = list(player.hand)
        hand, others = [], []
        for card in named:
            if card in left:
                left.remove(card)
                hand.append(card)
            else:
                others.append(card)
        if others and not legal.merging(self.variant, self.state, player):
            self.require_cards(others, (), "hand")
        if others:
            self.require_cards(others, player.face_up, "hand or face-up cards")
        if others and left:
            raise IllegalMove("whole_hand_first", "Face-up cards go along only with all the cards of your hand.")
        return hand, others

    def require_cards(self, named: list[str], zone: tuple[str, ...], name: str) -> None:
        """Raises IllegalMove unless the zone holds all the named cards."""
        left = list(zone)
        for card in named:
            if card not in left:
                raise IllegalMove("not_your_cards", f"{pretty(card)} is not (or not often enough) in your {name}.")
            left.remove(card)

    def lay(self, cards: list[str], hand: list[str], face_up: list[str], position: int | None) -> None:
        """Lays cards on the pile; the first play of the game ends the opening."""
        zones = {"hand": hand, "face_up": face_up, "position": position}
        self.do({"effect": "laid", "seat": self.seat, "cards": cards, **zones})
        self.progress = self.progress or bool(face_up) or position is not None
        self.end_opening()

    def end_opening(self) -> None:
        """The first move of play is made; whoever else could have made it has lost the race (CA2)."""
        openers = self.state.openers
        if openers:
            self.do({"effect": "opened", "raced": [seat for seat in openers if seat != self.seat]})

    def carry_out(self, played: int) -> Outcome:
        """Lets the cards just laid do what they do; the outcome's bonus is the caller's to grant."""
        outcome = self.variant.outcome(self.state.pile, played, self.state.options)
        if outcome.reversals:
            turned = -1 if outcome.reversals % 2 else 1
            self.do({"effect": "turned_round", "direction": self.state.direction * turned})
        if outcome.closes:
            self.do({"effect": "closed", "why": outcome.closes})
        elif outcome.takes_below and len(self.state.pile) > played:
            self.take(self.state.pile[:-played])
        return outcome

    def interrupts(self, cards: list[str]) -> bool:
        """CA9c: completes a set of four out of turn if that is what these cards do; says whether it was."""
        missing = legal.interruption(self.variant, self.state, self.seat)
        if not missing or sorted(cards) != sorted(missing):
            return False
        hand, face_up = self.zones_of(cards)
        self.lay(cards, hand, face_up, None)
        self.carry_out(len(cards))
        self.refill()
        if not self.goes_out():
            self.count_stalled()
        return True

    def take_pile(self) -> None:
        """Picks up the pile; what then comes is the game's own (TC7, TJ11, TH8, CA8)."""
        self.take(self.state.pile)
        self.end_opening()
        self.finish_turn(self.variant.after_pick_up)

    def take(self, below: Cards) -> None:
        """Takes these cards, the lowest of the pile, into the hand."""
        self.do({"effect": "picked_up", "seat": self.seat, "cards": list(below)})
        self.took_pile = True

    def refill(self) -> None:
        """S5: fills the hand to three as far as the stock lasts; TC8: with none, the face-up cards become the hand."""
        missing = 3 - len(self.me.hand)
        if missing > 0 and self.state.stock:
            cards = list(self.state.stock[:missing])
            self.do({"effect": "drew", "seat": self.seat, "count": len(cards), "cards": cards})
        if self.variant.face_up_joins_hand and not self.me.hand and self.me.face_up:
            self.do({"effect": "face_up_to_hand", "seat": self.seat})

    def finish_turn(self, bonus: Bonus) -> None:
        """What follows a play: refill, going out, the end of the game, and whose turn it is then."""
        if bonus is None or self.variant.refills == "play" or not self.me.hand:
            self.refill()
        if self.goes_out() or self.count_stalled():
            return
        if bonus:
            self.do({"effect": "turn", "seat": self.seat, "bonus": bonus, "number": self.state.turn_number})
        else:
            self.pass_turn()

    def goes_out(self) -> bool:
        """S7, S8: takes the next place if no card is left, ending the game or the turn; says whether it did."""
        if self.me.has_cards:
            return False
        state = self.state
        taken = sum(player.place is not None and not player.resigned for player in state.players)
        self.do({"effect": "out", "seat": self.seat, "place": taken + 1})
        self.count_stalled()
        if state.options["play_until"] == "first_out" or len(self.state.in_play) == 1:
            self.end("out")
        elif self.seat == state.turn:
            self.pass_turn()
        return True

    def pass_turn(self) -> None:
        """The next seat in play begins a new turn."""
        state = self.state
        holder = self.seat if state.turn is None else state.turn
        following = state.next_in_play(holder)
        self.do({"effect": "turn", "seat": following, "bonus": None, "number": state.turn_number + 1})

    def count_stalled(self) -> bool:
        """S13: counts a pick-up without progress; says whether the game ended with it."""
        count = 0 if self.progress else self.state.stalled + self.took_pile
        if count != self.state.stalled:
            self.do({"effect": "stalled", "count": count})
        if self.took_pile and count >= self.state.options["stalemate_after"] * len(self.state.in_play):
            self.end("stalemate")
            return True
        return False

    def begin_play_when_all_have_chosen(self) -> None:
        """S2: setup ends with the last choice; everybody sees the face-up cards, and the opener is found."""
        state = self.state
        if all(player.arranged or player.place is not None for player in state.players):
            self.do({"effect": "setup_ended", "face_up": [list(player.face_up) for player in state.players]})
            self.look_for_opener()

    def look_for_opener(self) -> None:
        """Finds who may make the first play."""
        found = self.variant.opening(self.state)
        self.do({"effect": "opening", "seats": found.seats, "rank": found.rank})

    def end(self, ended_by: str) -> None:
        """The game is over: those still in play are ranked by cards held (S8, S12)."""
        self.do({"effect": "ended", "placements": placements(self.state), "ended_by": ended_by})


def _listing(cards: list[str]) -> str:
    return " ".join(map(pretty, cards)) or "no cards"
