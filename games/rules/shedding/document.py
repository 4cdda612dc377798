"""The language of house games: a shedding game as one JSON document, which players write (HG1 to HG15).

Every key is declared once, with its bounds, its default and how a form asks for it; reading and completion follow.
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
from games.rules.cards import JOKER, RANKS

Document: TypeAlias = dict[str, Any]
"""The rules of a game, complete: every key is there, ranks without powers are not."""

MAX_BYTES = 8192
"""Longer input is refused unread (HG1)."""
POWERS = {
    "wild": ("Wild", "Can be played whatever the pile asks for."),
    "wild_up": ("Wild, but low if lower is asked for", "Like any other card, it must be low enough then."),
    "free": ("Anything goes on it", ""),
    "clear": ("See-through", "The card below it counts."),
    "lower": ("Asks for lower", "The next card must be of its value or lower."),
    "may_again": ("May play again", ""),
    "must_again": ("Must play again", ""),
    "closes": ("Clears the pile", ""),
    "takes": ("Takes the pile", "Its player takes the pile below it."),
    "reverses": ("Reverses", "Turns the direction, once for each such card in the play."),
    "skips": ("Skips", "Skips one seat for each such card in the play."),
}
"""The powers in the order in which a document lists them (HG7): what people call each, and what that leaves open."""
_APART = (
    *(("wild", "wild_up"), ("may_again", "must_again"), ("free", "clear"), ("free", "lower"), ("clear", "lower")),
    *(("closes", other) for other in ("takes", "clear", "lower", "may_again", "must_again")),
)
GOES_ON = {"next": "the next player", "may": "the same player may", "must": "the same player must"}
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
                raise ValueError(f"{_called(one)} and {_called(other)} exclude each other.")
        if rank == JOKER and "lower" in given:
            raise ValueError("A joker has no value, so it cannot ask for lower.")
        return [power for power in POWERS if power in given]

    return read


def _called(power: str) -> str:
    """As the form calls it, with its key: there `clear` is no power that clears the pile."""
    return f"“{POWERS[power][0]}” ({power})"


def _text(longest: int) -> Callable[[str], str]:
    return lambda text: checked(text, longest, breaks=True) if text.strip() else ""


def _part(kind: type) -> Any:
    """A field that is an object; left out, it has its defaults."""
    return declared(lambda _: read_values(kind, {}))


def _rank_string(default: Any, read: Callable[[str], str], label: str) -> Any:
    return declared(default, least=0, exact=True, read=read, label=label)


class Deal:
    """The cards dealt (HG5)."""

    table: int = declared(3, least=1, most=4, label="Cards face down, and as many face up")
    hand: int = declared(3, least=1, most=6, label="Cards in hand")
    shown: bool = declared(False, label="Show the face-up cards when they are dealt; players may still swap them")
    turn_up: bool = declared(False, label="Turn up a card to start the pile")


class Opening:
    """Who makes the first play, and of what (HG6)."""

    who: str = declared(
        "lowest",
        words={
            "lowest": "the player with the lowest rank",
            "dealer_left": "the player to the dealer's left",
            "dealer_right": "the player to the dealer's right",
        },
        label="Who opens?",
    )
    search: str | None = _rank_string(None, _ranks(RANKS + JOKER), "Search order for the lowest rank")
    card: str | None = declared(
        None, words={"rank": "cards of that rank", "any": "any card"}, label="What can the first play be?"
    )
    race: bool | None = declared(None, label="Anyone with that rank may open; the first to play does")


Powers = type(
    "Powers",
    (),
    {
        "__doc__": "What the ranks can do (HG7).",
        "__annotations__": dict.fromkeys(RANKS + JOKER, list),
        **{rank: declared(LEFT_OUT, read=_powers(rank)) for rank in RANKS + JOKER},
    },
)


class Closed:
    """After a card that closes the pile."""

    then: str = declared("may", words=GOES_ON, label="Who plays after a card clears the pile?")


class Row:
    """Cards of one rank on top of the pile close it (HG10). Without `size` the other keys mean nothing."""

    size: int | None = declared(
        None, words=range(3, 9), label="How many cards of one rank in a row clear the pile?", empty="none do"
    )
    then: str = declared("may", words=GOES_ON, label="Who plays after a row?")
    at_once: str = declared(
        lambda row: row["then"], words=GOES_ON, label="And after a whole row in one play?", empty="the same"
    )
    through: str = _rank_string("", _ranks(RANKS + JOKER), "Ranks that do not interrupt a row")
    first: bool = declared(False, label="A row counts before the powers of its cards")
    out_of_turn: bool = declared(False, label="A player with the missing cards may play them out of turn")


class OnEmpty:
    """Cards played on the empty pile (HG9)."""

    powerless: str = _rank_string(
        "", _ranks(RANKS + JOKER, words=["all"]), "Ranks without powers on an empty pile, or “all”"
    )


class Turn:
    """What a turn is made of (HG13)."""

    refill: str = declared(
        "turn", words={"turn": "at the end of the turn", "play": "after each play"}, label="When do you fill your hand?"
    )
    draw: str | None = declared(
        None,
        words={
            "fill": "yes, before you play again",
            "gamble": "yes, to try the top card",
        },
        label="May you draw in your turn?",
        empty="no",
    )
    after_pick_up: str = declared(
        "next",
        words={"next": "your turn ends", "must": "you play again, on the empty pile"},
        label="After you pick up the pile",
    )
    failed_flip: str = declared(
        "hand",
        words={"hand": "goes to your hand", "returns": "goes back, face down"},
        label="A face-down card that cannot be played",
    )
    merge: bool = declared(False, label="The last cards of the hand may go together with face-up cards of their rank")
    take_up: bool = declared(False, label="When hand and stock are empty, the face-up cards become the hand")


class End:
    """The end of the game (HG14)."""

    until: str = declared(
        "first_out",
        words={"first_out": "until the first player is out", "last_left": "until one player is left with cards"},
        label="How long do you play?",
    )
    stalemate_after: int = declared(
        20, least=3, most=100, label="Pick-ups without progress that end the game, for each player"
    )


class HouseRules:
    """The rules of a house game (HG1)."""

    title: str = declared(most=40, read=lambda text: checked(text, 40), label="Name of the game")
    about: str = declared("", least=0, most=500, read=_text(500), label="About the game (optional)")
    seats: list = declared(lambda _: [2, 5], read=_seats, label="The fewest and the most players, 2 to 12")  # type: ignore[type-arg]
    decks: list = declared(  # type: ignore[type-arg]
        lambda _: [[5, 1]], least=0, read=_decks, label="Pairs: the most players, and the decks (1 to 8) for them"
    )
    jokers: int = declared(0, least=0, most=4, label="Jokers in each deck")
    without: str = _rank_string("", _ranks_left_out, "Ranks to leave out")
    order: str = _rank_string(
        lambda before: _present(before["without"]), _ranks(RANKS), "Order of the cards, lowest first"
    )
    deal: Deal = _part(Deal)
    opening: Opening = _part(Opening)
    direction: str = declared(
        "left", words={"left": "clockwise", "right": "counterclockwise"}, label="Direction of play"
    )
    powers: Powers = _part(Powers)  # type: ignore[valid-type]
    closed: Closed = _part(Closed)
    row: Row = _part(Row)
    on_empty: OnEmpty = _part(OnEmpty)
    turn: Turn = _part(Turn)
    end: End = _part(End)


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
        faults.refuse("turn.merge", "Face-up cards go with the last of the hand (merge) or become it (take_up).")
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
