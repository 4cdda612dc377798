"""The language of house games: a shedding game as one JSON document, which players write (HG1 to HG15).

Every key is declared once, with its bounds, default and help; reading a document, its schema and its completion follow.
What is wrong between keys is judged in `read`.
"""

import hashlib
import json
from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise
from typing import Any, TypeAlias

from core.values import LEFT_OUT, Faults, checked, values_of
from core.values import read as read_values
from core.values import value as declared
from games.rules.cards import JOKER, RANKS, rank_word

Document: TypeAlias = dict[str, Any]
"""The rules of a game, complete: every key is there, ranks without powers are not."""

MAX_BYTES = 8192
"""Longer input is refused unread (HG1)."""
POWERS = {
    "wild": "Can be played whatever the pile asks for.",
    "wild_up": "Wild, but must be low enough, like any other card, while the pile asks for lower cards.",
    "free": "Any card may be played on it.",
    "clear": "Is see-through: the card below it counts.",
    "lower": "Asks for its value or lower.",
    "may_again": "Its player may play again.",
    "must_again": "Its player must play again.",
    "closes": "Closes the pile.",
    "takes": "Its player takes the pile below it.",
    "reverses": "Reverses the direction, once for each such card in the play.",
    "skips": "Skips one seat for each such card in the play.",
}
"""The powers in the order in which a document lists them, with what they do (HG7)."""
_APART = (
    *(("wild", "wild_up"), ("may_again", "must_again"), ("free", "clear"), ("free", "lower"), ("clear", "lower")),
    *(("closes", other) for other in ("takes", "clear", "lower", "may_again", "must_again")),
)
GOES_ON = ("next", "may", "must")
DEALER = ("dealer_left", "dealer_right")


def _ranks(allowed: str, *, words: Sequence[str] = ()) -> Callable[[str], str]:
    def read(text: str) -> str:
        if text not in words and (len({*text}) < len(text) or not {*text} <= {*allowed}):
            raise ValueError(f"Must be ranks, each at most once: of {allowed}{''.join(f', or {w}' for w in words)}.")
        return text

    return read


def _ranks_left_out(text: str) -> str:
    if {*_ranks(RANKS)(text)} == {*RANKS}:
        raise ValueError("At least one rank must be left.")
    return text


def _seats(given: list[Any]) -> list[Any]:
    if [type(one) for one in given] != [int, int] or not 2 <= given[0] <= given[1] <= 12:
        raise ValueError("Must be the fewest and the most players, such as [2, 5], from 2 to 12.")
    return given


def _decks(given: list[Any]) -> list[Any]:
    shaped = [one for one in given if isinstance(one, list) and [type(part) for part in one] == [int, int]]
    firsts = [0, *(most for most, _ in shaped)]
    rising = all(before < after for before, after in pairwise(firsts))
    if len(shaped) < max(1, len(given)) or not (rising and firsts[1] >= 2 and firsts[-1] <= 12):
        raise ValueError("Must be pairs [most players, decks], such as [[4, 1], [8, 2]], with 2 to 12 players, rising.")
    if not all(1 <= count <= 8 for _, count in shaped):
        raise ValueError("Must be 1 to 8 decks for each number of players.")
    return given


def _powers(rank: str) -> Callable[[list[Any]], list[str]]:
    def read(given: list[Any]) -> list[str]:
        if not all(isinstance(one, str) and one in POWERS for one in given) or len({*given}) < len(given):
            raise ValueError(f"Must be powers, each at most once: of {', '.join(POWERS)}.")
        for one, other in _APART:
            if one in given and other in given:
                raise ValueError(f"{one} and {other} exclude each other.")
        if rank == JOKER and "lower" in given:
            raise ValueError("A joker has no value, so it cannot ask for lower.")
        return [power for power in POWERS if power in given]

    return read


def _text(longest: int) -> Callable[[str], str]:
    return lambda text: checked(text, longest, breaks=True) if text.strip() else ""


def _part(kind: type, about: str) -> Any:
    """A field that is an object; left out, it has its defaults."""
    return declared(lambda _: read_values(kind, {}), help=about)


def _rank_string(default: Any, read: Callable[[str], str], about: str, **more: Any) -> Any:
    return declared(default, least=0, exact=True, read=read, help=about, **more)


class Deal:
    """The cards dealt (HG5)."""

    table: int = declared(3, least=1, most=4, help="How many cards lie face down, and as many face up.")
    hand: int = declared(3, least=1, most=6, help="Cards in a full hand.")
    shown: bool = declared(
        False, help="The face-up cards are dealt face up; otherwise they are in the hand until chosen."
    )
    turn_up: bool = declared(False, help="The top card of the stock starts the pile.")


class Opening:
    """Who makes the first play, and of what (HG6)."""

    who: str = declared("lowest", words=("lowest", *DEALER), help="Who opens.")
    search: str | None = _rank_string(
        None,
        _ranks(RANKS + JOKER),
        "The order in which the hands are searched. Default: order, then the joker.",
    )
    card: str | None = declared(None, words=("rank", "any"), help="What opens: the rank found, or any card.")
    race: bool | None = declared(None, help="Every seat that holds the rank can open; the first play to arrive does.")


Powers = type(
    "Powers",
    (),
    {
        "__doc__": "What the ranks can do (HG7).",
        "__annotations__": dict.fromkeys(RANKS + JOKER, list),
        **{rank: declared(LEFT_OUT, read=_powers(rank), help=f"Of {rank_word(rank)}s.") for rank in RANKS + JOKER},
    },
)


class Closed:
    """After a card that closes the pile."""

    then: str = declared("may", words=GOES_ON, help="Who goes on: the next seat, or the same player, who can or must.")


class Row:
    """Cards of one rank on top of the pile close it (HG10). Without `size` the other keys mean nothing."""

    size: int | None = declared(None, least=3, most=8, help="How many close the pile; null: no rows.")
    then: str = declared("may", words=GOES_ON, help="Who goes on.")
    at_once: str = declared(
        lambda row: row["then"], words=GOES_ON, help="The same if one play completes the row by itself."
    )
    through: str = _rank_string("", _ranks(RANKS + JOKER), "Ranks that do not interrupt the count.")
    first: bool = declared(False, help="The row counts before the card's own power.")
    out_of_turn: bool = declared(
        False, help="A player who holds the cards that complete a row can play them out of turn."
    )


class OnEmpty:
    """Cards played on the empty pile (HG9)."""

    powerless: str = _rank_string("", _ranks(RANKS + JOKER, words=["all"]), "Ranks that have no power there, or `all`.")


class Turn:
    """What a turn is made of (HG13)."""

    refill: str = declared(
        "turn", words=("turn", "play"), help="When the hand is refilled: after the turn, or after each play."
    )
    draw: str | None = declared(
        None,
        words=("fill", "gamble"),
        help="Draw to fill the hand before playing again, or gamble on the stock's top card.",
    )
    after_pick_up: str = declared("next", words=("next", "must"), help="Who goes on after a pick-up.")
    failed_flip: str = declared(
        "hand", words=("hand", "returns"), help="Where a face-down card goes if it cannot be played."
    )
    merge: bool = declared(False, help="The last hand cards can be played with face-up cards of their rank.")
    take_up: bool = declared(False, help="Once hand and stock are empty, the face-up cards become the hand.")


class End:
    """The end of the game (HG14)."""

    until: str = declared("first_out", words=("first_out", "last_left"), help="When it ends.")
    stalemate_after: int = declared(
        20, least=3, most=100, help="Pick-ups without progress for each player still in, after which the game ends."
    )


class HouseRules:
    """The rules of a house game (HG1)."""

    title: str = declared(most=40, read=lambda text: checked(text, 40), help="The name of the game.")
    about: str = declared("", least=0, most=500, read=_text(500), help="For people, in plain text.")
    seats: list = declared(lambda _: [2, 5], read=_seats, help="The fewest and the most players.")  # type: ignore[type-arg]
    decks: list = declared(  # type: ignore[type-arg]
        lambda _: [[5, 1]], least=0, read=_decks, help="Pairs of a number of players and the decks for up to so many."
    )
    jokers: int = declared(0, least=0, most=4, help="Jokers in each deck.")
    without: str = _rank_string("", _ranks_left_out, "Ranks that are left out of every deck.")
    order: str = _rank_string(
        lambda before: _present(before["without"]), _ranks(RANKS), "The ranks of the decks, lowest first."
    )
    deal: Deal = _part(Deal, "The cards dealt.")
    opening: Opening = _part(Opening, "The first play.")
    direction: str = declared("left", words=("left", "right"), help="The direction of play; left is clockwise.")
    powers: Powers = _part(Powers, "Ranks and their powers.")  # type: ignore[valid-type]
    closed: Closed = _part(Closed, "After a card that closes the pile.")
    row: Row = _part(Row, "Cards of one rank in a row.")
    on_empty: OnEmpty = _part(OnEmpty, "Cards played on the empty pile.")
    turn: Turn = _part(Turn, "What happens in a turn.")
    end: End = _part(End, "The end of the game.")


def _present(without: str) -> str:
    return "".join(rank for rank in RANKS if rank not in without)


def read(given: object) -> tuple[Document, Faults]:
    """Return a document, completed, and everything that is wrong with it, by path. With faults it is no document."""
    faults, found = Faults(), Document()
    if not isinstance(given, Mapping):
        faults.refuse("", "Must be an object.")
        return found, faults
    values = values_of(HouseRules)
    for name, one in values.items():
        found[name] = one.take(given, faults, found)
    faults.refuse_unknown(given, values)

    def sound(*paths: str) -> bool:
        return not any(f"{path}.".startswith(f"{fault}.") for fault in faults for path in paths)

    if sound("without", "order") and {*found["order"]} != {*_present(found["without"])}:
        faults.refuse("order", f"Must name each rank of the decks once: {_present(found['without'])}.")
    if sound("seats", "decks") and found["decks"][-1][0] < found["seats"][1]:
        faults.refuse("decks", f"The last pair must be for {found['seats'][1]} players or more.")
    if sound("seats", "decks", "jokers", "without", "deal.table", "deal.hand", "deal.turn_up"):
        _check_cards(found, faults)
    _complete_opening(found, given.get("opening", {}), faults, sound)
    if sound("turn.merge", "turn.take_up") and found["turn"]["merge"] and found["turn"]["take_up"]:
        faults.refuse("turn.merge", "merge and take_up exclude each other.")
    if sound("powers"):
        found["powers"] = {rank: powers for rank, powers in found["powers"].items() if powers}
    return found, faults


def _check_cards(found: Document, faults: Faults) -> None:
    """HG3: the cards dealt must be there for each number of players."""
    deal, each = found["deal"], 4 * len(_present(found["without"])) + found["jokers"]
    for seats in range(found["seats"][0], found["seats"][1] + 1):
        needed = seats * (2 * deal["table"] + deal["hand"]) + deal["turn_up"]
        cards = each * next(decks for most, decks in found["decks"] if most >= seats)
        if cards < needed:
            faults.refuse("decks", f"{seats} players need {needed} cards, but there are only {cards}.")


def _complete_opening(found: Document, given: Any, faults: Faults, sound: Callable[..., bool]) -> None:
    """HG6: the defaults that depend on who opens, and what goes with that."""
    opening = found["opening"]
    if not sound("opening.who") or not isinstance(given, Mapping):
        return
    if given.get("who", "lowest") in DEALER:
        for key in ("search", "card", "race"):
            if given.get(key) is not None:
                faults.refuse(f"opening.{key}", f"Must be null where {given['who']} opens.")
        return
    for key in ("search", "card", "race"):
        if key in given and given[key] is None:
            faults.refuse(f"opening.{key}", "Can be null only where the dealer's neighbour opens.")
    joker = JOKER if found["jokers"] else ""
    search, ranks = given.get("search", found["order"] + joker), _present(found["without"]) + joker
    if "search" in given and sound("opening.search", "without", "jokers") and {*search} != {*ranks}:
        faults.refuse("opening.search", f"Must name each rank of the decks once: {ranks}.")
    if given.get("race") is True and given.get("card") == "any":
        faults.refuse("opening.card", "Must be rank in a race.")
    opening |= {"search": search, "card": given.get("card", "rank"), "race": given.get("race", False)}


def completed(document: Mapping[str, Any]) -> Document:
    """A document that was accepted once, with the keys that later releases have. It is not judged again (HG17)."""
    return {
        key: {**one, **document.get(key, {})} if isinstance(one, Mapping) else document.get(key, one)
        for key, one in DEFAULTS.items()
    }


def canonical(document: Mapping[str, Any]) -> str:
    """The one text of a complete document (RFC 8785: it holds no numbers but whole ones, and its keys are ASCII)."""
    return json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)


def digest(document: Mapping[str, Any]) -> str:
    """The SHA-256 of the canonical text of a complete document, in hexadecimal (HG19)."""
    return hashlib.sha256(canonical(document).encode()).hexdigest()


DEFAULTS, _ = read({"title": "-"})
