"""A table as a seat sees it, read for playing: the rules that hold, its position, the unseen cards, the opponents."""

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from games.bots.listing import own_player
from games.bots.shedding.position import Position
from games.rules.shedding import SheddingGame
from games.rules.shedding.rules import Rules, ToBeat

NO_RANKS: frozenset[str] = frozenset()


class Hand(NamedTuple):
    known: str = ""
    """The ranks of cards that everybody saw, in any order."""
    cannot: tuple[frozenset[str], ...] = ()
    """For each of the other cards the ranks that it cannot be of, the oldest card first.

    What a newer card cannot be, an older one cannot be either.
    """

    @property
    def cards(self) -> int:
        return len(self.known) + len(self.cannot)

    def with_known(self, cards: str) -> "Hand":
        return Hand(self.known + cards, self.cannot)

    def with_unknown(self, count: int) -> "Hand":
        return Hand(self.known, self.cannot + (NO_RANKS,) * count)

    def without(self, rank: str) -> "Hand":
        """Return the hand without a card of the rank: a known one, or the oldest one that can be it.

        Most is known of that one, so what is known of the others stays true whichever card it was.
        """
        if rank in self.known:
            return Hand(self.known.replace(rank, "", 1), self.cannot)
        at = next(at for at, cannot in enumerate(self.cannot) if rank not in cannot)
        return Hand(self.known, self.cannot[:at] + self.cannot[at + 1 :])

    def with_nothing_of(self, going: frozenset[str]) -> "Hand":
        return Hand(self.known, tuple([cannot | going for cannot in self.cannot]))


class Opponent(NamedTuple):
    hand_count: int
    face_up: str
    face_down: tuple[str | None, ...]
    """The ranks of its face-down cards; None for one that nobody has seen."""
    hand: Hand

    @property
    def cards(self) -> int:
        return self.hand_count + self.on_table

    @property
    def on_table(self) -> int:
        return len(self.face_up) + len(self.face_down)


def other(rank: str) -> str:
    """Return a rank that makes no set with this one."""
    return "5" if rank == "4" else "4"


def ranks(cards: Sequence[str]) -> str:
    return "".join([card[0] for card in cards])


class KnownTable:
    """A seat's view, read for playing, with what everybody knows of the hands. Without `hands` nothing is known.

    Without `seat` it is the one that may move.
    """

    def __init__(
        self, game: SheddingGame, view: Mapping[str, Any], hands: Sequence[Hand] = (), *, seat: int | None = None
    ) -> None:
        self.game = game
        self.options: Mapping[str, Any] = view["options"]
        self.rules = game.rules(self.options)
        self.me = own_player(view) if seat is None else view["players"][seat]
        self.is_setup = view["status"] == "setup"
        self.position = Position(
            hand=ranks(self.me["hand"]),
            drawn=0,
            face_up=ranks(self.me["face_up"]),
            face_down=sum(self.me["face_down"]),
            pile=tuple(ranks(view["pile"])),
            laid_on_empty=view["laid_on_empty"],
            stock=view["stock_count"],
            direction=view["direction"],
        )
        self.decks = self.rules.decks(view["seats"])
        self._hands = hands or (Hand(),) * view["seats"]
        known = [rank for seat, hand in enumerate(self._hands) if seat != self.me["seat"] for rank in hand.known]
        self.unseen = _unseen(view, self.rules, [*self.me["hand"], *known])
        self.unseen_total = self.unseen.total()
        self.seen_face_down = {card[0] for card in self.me["face_down_cards"] if card}
        """The ranks of the seat's own face-down cards that everybody has seen (CA11)."""
        self._view = view
        self._chances: dict[tuple[ToBeat | None, frozenset[str]], float] = {}

    def chance(self, beat: ToBeat | None, cannot: frozenset[str] = NO_RANKS) -> float:
        """Return the chance that an unseen card that is not of some ranks can be played."""
        if (beat, cannot) not in self._chances:
            going = self.rules.going(beat) - cannot
            total = sum([count for rank, count in self.unseen.items() if rank not in cannot])
            fitting = sum([count for rank, count in self.unseen.items() if rank in going])
            self._chances[beat, cannot] = fitting / total if total else 0.0
        return self._chances[beat, cannot]

    @property
    def leads(self) -> bool:
        """True if the seat has fewer table cards than each of the others."""
        return all(self.position.on_table < opponent.on_table for opponent in self.opponents(1))

    def opponents(self, direction: int) -> list[Opponent]:
        """Return the others in play, in the order in which they have their turns."""
        seats = self._view["seats"]
        around = [self._view["players"][(self.me["seat"] + direction * step) % seats] for step in range(1, seats)]
        return [_opponent(player, self._hands[player["seat"]]) for player in around if player["place"] is None]


def _opponent(player: Mapping[str, Any], hand: Hand) -> Opponent:
    seen = zip(player["face_down"], player["face_down_cards"], strict=True)
    face_down = tuple(card and card[0] for there, card in seen if there)
    count = player["hand_count"]
    return Opponent(count, ranks(player["face_up"]), face_down, hand.with_unknown(count - hand.cards))


def _unseen(view: Mapping[str, Any], rules: Rules, known: Sequence[str]) -> Counter[str]:
    """Return the ranks of all cards of the game but those known in hands and those seen lying somewhere."""
    cards = Counter(ranks(rules.pack(view["seats"])))
    seen = [*view["pile"], *view["out_of_play"], *known]
    for player in view["players"]:
        seen += player["face_up"]
        seen += [card for card in player["face_down_cards"] if card]
    return cards - Counter(ranks(seen))
