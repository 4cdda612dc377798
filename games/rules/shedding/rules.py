"""A document as the engine reads it: tables, compiled once. All that differs between the shedding games stands here."""

import json
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, Literal, NamedTuple, TypeAlias

from games.rules.cards import JOKER, RANKS, decks
from games.rules.shedding.document import Document, canonical, completed

Cards: TypeAlias = tuple[str, ...]
Bonus: TypeAlias = Literal["may", "must"] | None

ALL_RANKS = RANKS + JOKER
_NAMES = "two three four five six seven eight nine ten jack queen king ace joker"
CLOSED_BY = dict(zip(ALL_RANKS, _NAMES.split(), strict=True))
"""What closed the pile, by the rank of the card; also the numbers of rows."""
_GOES_ON: Mapping[str, Bonus] = {"next": None, "may": "may", "must": "must"}


class ToBeat(NamedTuple):
    """The ranks that can be played next: `rank` or higher, or `rank` or lower."""

    rank: str
    lower: bool = False


class Outcome(NamedTuple):
    closes: str | None = None
    """The reason why it closes the pile, or None."""
    bonus: Bonus = None
    takes_below: bool = False
    """True if the player takes the pile below the cards played (TJ9)."""
    reversals: int = 0
    skips: int = 0


def in_a_row(pile: Cards, skipping: str = "") -> int:
    """Return how many cards of one rank lie on top of the pile, ignoring cards of ranks in `skipping` (S10)."""
    rank, count = "", 0
    for card in reversed(pile):
        if card[0] in skipping:
            continue
        if rank and card[0] != rank:
            break
        rank, count = card[0], count + 1
    return count


class Rules:
    """What a document says, for the engine, bots and plans. Immutable."""

    def __init__(self, document: Document) -> None:
        self.document = document
        deal, opening, row, turn = (document[part] for part in ("deal", "opening", "row", "turn"))
        self.title: str = document["title"]
        self.seats: tuple[int, int] = tuple(document["seats"])
        self.table: int = deal["table"]
        """The number of face-down cards of a seat, and of its face-up ones."""
        self.hand: int = deal["hand"]
        """The number to which a hand is filled (S5)."""
        self.dealt_each = 2 * self.table + self.hand
        self.deals_face_up: bool = deal["shown"]
        """True if the cards to lie face up start there (S1)."""
        self.turns_up: bool = deal["turn_up"]
        """True if the top card of the stock starts the pile (TJ2)."""
        self.direction = 1 if document["direction"] == "left" else -1
        self.opener = {"dealer_left": 1, "dealer_right": -1}.get(opening["who"], 0)
        """The dealer's neighbour that opens, or 0: who holds the lowest rank does."""
        self.search: str = opening["search"] or document["order"] + JOKER
        self.any_card_opens: bool = opening["card"] != "rank"
        self.race: bool = bool(opening["race"])
        self.row: int | None = row["size"]
        self.row_first: bool = row["first"]
        self.interrupts: bool = self.row is not None and row["out_of_turn"]
        """True if a seat may complete a row out of turn (CA9c)."""
        self.through: str = row["through"]
        self.refills: Literal["turn", "play"] = turn["refill"]
        """The time at which the hand is filled: the end of a turn, or after each play."""
        self.draws: Literal["fill", "gamble"] | None = turn["draw"]
        """The effect of `draw`, if any: fill the hand during bonus plays (TC6), or play from the stock (CA7)."""
        self.after_pick_up: Bonus = _GOES_ON[turn["after_pick_up"]]
        self.failed_flip_returns: bool = turn["failed_flip"] == "returns"
        """True if a face-down card that cannot be played goes back to its position (CA11)."""
        self.merges: bool = turn["merge"]
        """True if the last cards of the hand may be played together with face-up cards (TJ6, TH9)."""
        self.face_up_joins_hand: bool = turn["take_up"]
        """True if the face-up cards become the hand once hand and stock are empty (TC8)."""
        self.ends_first_out: bool = document["end"]["until"] == "first_out"
        self.stalemate_after: int = document["end"]["stalemate_after"]
        self._compile(document["powers"], document["order"])

    def __eq__(self, other: object) -> bool:
        return self is other or (isinstance(other, Rules) and self.document == other.document)

    def __hash__(self) -> int:
        return hash(self.title)

    def _compile(self, powers: Mapping[str, list[str]], order: str) -> None:
        """Make the tables by rank: what each asks for, what goes on that, and what each does."""
        document = self.document
        has = {rank: frozenset(powers.get(rank, ())) for rank in ALL_RANKS}
        self._clear = frozenset(rank for rank in ALL_RANKS if "clear" in has[rank])
        powerless = document["on_empty"]["powerless"]
        self._powerless = frozenset(ALL_RANKS if powerless == "all" else powerless)
        self.plain: Mapping[str, ToBeat | None] = dict.fromkeys(ALL_RANKS) | {rank: ToBeat(rank) for rank in order[1:]}
        """What a card without powers asks for."""
        lower = {rank: ToBeat(rank, lower=True) for rank in order if "lower" in has[rank]}
        free = {rank: None for rank in ALL_RANKS if "free" in has[rank]}
        self._asks = {**self.plain, **lower, **free}
        wild = {rank for rank in ALL_RANKS if "wild" in has[rank]}
        wild_up = {rank for rank in ALL_RANKS if "wild_up" in has[rank]}
        going: dict[ToBeat | None, frozenset[str]] = {None: frozenset(ALL_RANKS)}
        for at, rank in enumerate(order):
            going[ToBeat(rank)] = frozenset(order[at:]) | wild | wild_up
            going[ToBeat(rank, lower=True)] = frozenset(order[: at + 1]) | wild
        self.going: Callable[[ToBeat | None], frozenset[str]] = going.__getitem__
        """Returns the ranks that can be played where the pile asks for this."""
        self.wild = "".join(rank for rank in ALL_RANKS if rank in wild | wild_up)
        closed, row = _GOES_ON[document["closed"]["then"]], document["row"]
        self._effects = {rank: _effect(CLOSED_BY[rank], of, closed) for rank, of in has.items()}
        kind = "set_of_{}" if row["out_of_turn"] else "{}_in_a_row"
        self._row_word = kind.format(CLOSED_BY[ALL_RANKS[self.row - 2]]) if self.row else ""
        self._row_then, self._row_at_once = _GOES_ON[row["then"]], _GOES_ON[row["at_once"]]

    def decks(self, seats: int) -> int:
        """Return the number of decks for this many seats."""
        return next(int(count) for most, count in self.document["decks"] if most >= seats)

    def pack(self, seats: int) -> Cards:
        """Return all cards for this many seats, in a fixed order."""
        return decks(self.decks(seats), jokers=self.document["jokers"], without=self.document["without"])

    def powerless(self, pile: Cards, laid_on_empty: int) -> int:
        """Return how many cards at the bottom of the pile have no power (HG9)."""
        return laid_on_empty if laid_on_empty and pile[0][0] in self._powerless else 0

    def to_beat(self, pile: Cards, laid_on_empty: int = 0) -> ToBeat | None:
        """Return what the next play on the pile must be; None means any card (HG8).

        `laid_on_empty` is how many cards at the bottom of the pile were played on the empty pile.
        """
        powerless = self.powerless(pile, laid_on_empty) if self._powerless else 0
        for card in reversed(pile[powerless:] if powerless else pile):
            if card[0] not in self._clear:
                return self._asks[card[0]]
        return self.plain[pile[0][0]] if powerless else None

    def outcome(self, pile: Cards, played: int) -> Outcome:
        """Return what a play does, given the pile with the play on top and the number of cards played (HG11)."""
        rank = pile[-1][0]
        effect = PLAIN if len(pile) == played and rank in self._powerless else self._effects[rank]
        if self.row and (self.row_first or not effect.closes) and self._is_row(pile, self.row):
            bonus = self._row_at_once if played >= self.row else self._row_then
            effect = effect._replace(closes=self._row_word, bonus=bonus, takes_below=False)
        if played > 1 and (effect.reversals or effect.skips):
            return effect._replace(reversals=effect.reversals * played, skips=effect.skips * played)
        return effect

    def interruption(self, pile: Cards, played: int) -> Outcome:
        """Return what a play out of turn does: it closes the pile by its row, and reversals count (HG10)."""
        return Outcome(closes=self._row_word, reversals=self._effects[pile[-1][0]].reversals * played)

    def missing(self, pile: Cards) -> int:
        """Return how many cards of the top rank would close the pile out of turn; 0: none can."""
        if not self.interrupts or self.row is None or pile[-1][0] in self.through:
            return 0
        return max(0, self.row - in_a_row(pile, self.through))

    def _is_row(self, pile: Cards, size: int) -> bool:
        # Most plays make no row: where nothing is passed over, one card shows that.
        rank, through = pile[-1][0], self.through
        if len(pile) < size or (not through and pile[-size][0] != rank):
            return False
        return in_a_row(pile, "" if rank in through else through) >= size

    @cached_property
    def kept(self) -> str:
        """The ranks that are kept for last (HG20): wild ones by value, then closing ones; a joker last among them."""
        order = self.document["order"] + JOKER
        closing = "".join(rank for rank in order if self._effects[rank].closes)
        return "".join(rank for rank in order if rank in self.wild and rank not in closing) + closing

    @cached_property
    def by_use(self) -> str:
        """All ranks in the order in which the usual plan of a house game plays them (HG20)."""
        return "".join(rank for rank in self.document["order"] + JOKER if rank not in self.kept) + self.kept

    @cached_property
    def again(self) -> frozenset[str]:
        """The ranks that go on anything and give a bonus play."""
        return frozenset(rank for rank in self.wild if self._effects[rank].bonus)


PLAIN = Outcome()


def _effect(word: str, powers: frozenset[str], closed: Bonus) -> Outcome:
    again: Bonus = "may" if "may_again" in powers else "must" if "must_again" in powers else None
    closes = "closes" in powers
    return Outcome(
        closes=word if closes else None,
        bonus=closed if closes else again,
        takes_below="takes" in powers,
        reversals=int("reverses" in powers),
        skips=int("skips" in powers),
    )


@lru_cache(maxsize=512)
def _compiled(text: str) -> Rules:
    return Rules(completed(json.loads(text)))


def compiled(document: Mapping[str, Any]) -> Rules:
    """Return the rules of a document that was accepted once; those of the last documents are kept."""
    return _compiled(canonical(document))
