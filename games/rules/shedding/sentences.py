"""The rules of a shedding game as sentences for people, made from its document (HG18)."""

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from games.rules.cards import JOKER, RANKS, rank_word
from games.rules.shedding.document import Document
from games.rules.words import listed, number_word, spelled

_FACES = {"J": "jack", "Q": "queen", "K": "king", "A": "ace", JOKER: "joker"}
_POWERS = {
    "wild": ("{Who} can be played on anything.", "{Who} can no longer be played on anything."),
    "wild_up": (
        "{Who} can be played on anything, except that they must be low enough while the pile asks for lower cards.",
        "{Who} can no longer be played on anything that asks for higher cards.",
    ),
    "free": ("Any card can be played on {who}.", "Not every card can be played on {who} any more."),
    "clear": (
        "{Who} are seen through: the card below them counts. If there is none, anything goes.",
        "{Who} are no longer seen through.",
    ),
    "lower": ("After {a}, the next play must be of that rank or lower.", "{Who} no longer ask for lower cards."),
    "may_again": ("After {who} you may play again.", "After {who} you may no longer play again."),
    "must_again": ("After {who} you must play again.", "After {who} you need not play again any more."),
    "closes": ("{Who} clear the pile: it goes out of play, and {then}.", "{Who} no longer clear the pile."),
    "takes": (
        "If you play {a}, you take the pile below into your hand, and what you played is the new pile.",
        "{Who} no longer make you take the pile.",
    ),
    "reverses": ("{Each} reverses the direction of play.", "{Who} no longer reverse the direction of play."),
    "skips": ("{Each} skips one player.", "{Who} no longer skip anybody."),
}
"""What a rank can do, and what is said when it no longer can."""
_INSTEAD = {"wild": "wild_up", "wild_up": "wild", "may_again": "must_again", "must_again": "may_again"}
"""Powers that take each other's place: a rank that changes between them has lost nothing."""
_THEN = {"next": "the next player goes on", "may": "you may play again", "must": "you must play again"}


class Said(NamedTuple):
    key: str
    text: str
    gone: str = ""
    """What is said of rules in which the sentence is missing."""


def sentences(document: Document) -> list[str]:
    """Return the rules of a complete document, a sentence or two each, in the order in which one learns them."""
    powers = [_power(document, power, _with(document, power)) for power in _POWERS if _with(document, power)]
    if _with(document, "skips"):
        powers.append("With two players left, skipping the other gives you another turn.")
    return [one.text for one in _before_powers(document)] + powers + [one.text for one in _after_powers(document)]


def differences(before: Document, after: Document) -> list[str]:
    """Return what the rules say `after` and did not say `before`, and what they no longer say."""
    found = _changed(_before_powers(before), _before_powers(after))
    for power, (_, gone) in _POWERS.items():
        had, has = _with(before, power), _with(after, power)
        kept_otherwise = power == "closes" and before["closed"] != after["closed"]
        kept = {*has, *_with(after, _INSTEAD.get(power, power))}
        lost = [rank for rank in had if rank not in kept]
        won = has if kept_otherwise else [rank for rank in has if rank not in had]
        found += [_of(gone, lost)] if lost else []
        found += [_power(after, power, won)] if won else []
    return found + _changed(_after_powers(before), _after_powers(after))


def _changed(before: Iterable[Said], after: Iterable[Said]) -> list[str]:
    had, has = ({one.key: one for one in some} for some in (before, after))
    lost = [one.gone for key, one in had.items() if key not in has and one.gone]
    return lost + [one.text for key, one in has.items() if key not in had or had[key].text != one.text]


def _with(document: Document, power: str) -> list[str]:
    """The ranks of the decks that have the power."""
    return [rank for rank in _ranks(document) if power in document["powers"].get(rank, ())]


def _ranks(document: Document, among: str = RANKS + JOKER) -> str:
    """The ranks of the decks, lowest first, among these."""
    ranks = document["order"] + (JOKER if document["jokers"] else "")
    return "".join(rank for rank in ranks if rank in among)


def _power(document: Document, power: str, ranks: list[str]) -> str:
    return _of(_POWERS[power][0], ranks, _THEN[document["closed"]["then"]])


def _of(template: str, ranks: list[str], then: str = "") -> str:
    who, each = many(ranks), " and ".join(f"each {name}" for name in _names(ranks))
    return template.format(who=who, Who=_capital(who), a=either(ranks), Each=_capital(each), then=then)


def _names(ranks: Iterable[str]) -> list[str]:
    return [_FACES.get(rank, rank_word(rank)) for rank in ranks]


def many(ranks: Iterable[str]) -> str:
    """Ranks in the plural: "2s, 10s and jokers"."""
    return listed([f"{name}s" for name in _names(ranks)])


def either(ranks: Iterable[str]) -> str:
    """One card of these ranks: "a 2 or an 8"."""
    return " or ".join(f"{'an' if name[0] in '8a' else 'a'} {name}" for name in _names(ranks))


def _capital(text: str) -> str:
    return text[0].upper() + text[1:]


def _row_of_ranks(ranks: str) -> str:
    return " ".join(map(rank_word, ranks))


def _before_powers(document: Document) -> list[Said]:
    return [*_cards_and_deal(document), *_opening(document), *_playing(document)]


def _cards_and_deal(document: Document) -> Iterable[Said]:
    fewest, most = document["seats"]
    counts = [(min(last, most), decks) for last, decks in document["decks"] if last >= fewest]
    counts = counts[: 1 + next(at for at, (last, _) in enumerate(counts) if last == most)]
    parts = [spelled(decks, "deck") for _, decks in counts]
    if len(parts) > 1:
        parts = [f"{part} for up to {last}" for part, (last, _) in zip(parts, counts, strict=True)]
    players = f"{fewest} players" if fewest == most else f"{fewest} to {most} players"
    jokers = document["jokers"]
    packs = f", with {spelled(jokers, 'joker')} each" if jokers else ", without jokers"
    if jokers and parts == ["one deck"]:
        packs = f" and {spelled(jokers, 'joker')}"
    left = f" The {many(document['without'])} are left out." if document["without"] else ""
    yield Said("cards", f"For {players}, with {listed(parts)}{packs}.{left}")
    yield Said("order", f"Cards rank from low to high: {_row_of_ranks(document['order'])}.")
    deal = document["deal"]
    table, hand = deal["table"], deal["hand"]
    both, each = number_word(table + hand), number_word(table)
    up = f", {each} face up and {number_word(hand)}" if deal["shown"] else f" and {both}"
    text = f"Everyone gets {spelled(table, 'card')} face down{up} in hand, then chooses {each} of those {both} to lay"
    yield Said("deal", f"{text} face up. The other cards are the stock.")
    if deal["turn_up"]:
        text = "The top card of the stock starts the pile. Nobody played it: it only says what goes on it."
        yield Said("turn_up", text, "No card starts the pile any more.")


def _opening(document: Document) -> Iterable[Said]:
    opening, up = document["opening"], document["deal"]["turn_up"]
    any_card = "with any card that goes on the one turned up" if up else "with any card"
    if opening["who"] != "lowest":
        side = "left" if opening["who"] == "dealer_left" else "right"
        yield Said("opening", f"The player to the dealer's {side} opens {any_card}.")
    else:
        of_rank = f"with one or more cards of that rank{', whatever was turned up' if up else ''}"
        what = any_card if opening["card"] == "any" else of_rank
        first = (
            "Everyone who holds it may, and the first to play opens"
            if opening["race"]
            else "If several hold it, the first of them from the dealer's left opens, in the direction of play"
        )
        usual = opening["search"].removesuffix(JOKER) == document["order"]
        search = "" if usual else f" For this, ranks count in the order {_row_of_ranks(opening['search'])}."
        yield Said("opening", f"The player with the lowest rank in hand opens {what}. {first}.{search}")
    way = "clockwise" if document["direction"] == "left" else "counterclockwise"
    yield Said("direction", f"Play goes {way}.")


def _playing(document: Document) -> Iterable[Said]:
    order, powers = document["order"], document["powers"]
    asks_nothing = [order[0], *(JOKER if document["jokers"] else "")]
    # A card that closes lies on the pile only if nobody played it, or if it has no power there.
    may_lie = document["deal"]["turn_up"] or document["on_empty"]["powerless"]
    said = {"clear", "lower", "free", *(() if may_lie else ("closes",))}
    lying = [rank for rank in asks_nothing if not said & {*powers.get(rank, ())}]
    on = f"on an empty pile and on {many(lying)}" if lying else "on an empty pile"
    yield Said(
        "plays", f"Play one or more cards of one rank, equal to the pile's top card or higher. Anything goes {on}."
    )
    if document["jokers"] and not {"wild", "wild_up"} & {*powers.get(JOKER, ())}:
        yield Said("jokers", "A joker has no value: it can be played only where anything goes.")
    again = document["turn"]["after_pick_up"] == "must"
    after = "and must play again, on the empty pile" if again else "and your turn ends"
    yield Said("pick_up", f"If you can play, you must. If you cannot, you pick up the pile, {after}.")


def _after_powers(document: Document) -> list[Said]:
    every = document["on_empty"]["powerless"] == "all"
    powerless = _ranks(document) if every else _ranks(document, document["on_empty"]["powerless"])
    said = []
    if powerless:
        who = "cards" if every else many(powerless)
        text = f"{_capital(who)} played on an empty pile are ordinary cards there, without their powers."
        said.append(Said("powerless", text, "Cards on an empty pile have all their powers again."))
    return [
        *said,
        *_rows(document["row"], _ranks(document, document["row"]["through"])),
        *_turn(document),
        *_end(document["end"]),
    ]


def _rows(row: Mapping[str, Any], through: str) -> Iterable[Said]:
    if row["size"] is None:
        return
    size = number_word(row["size"])
    over = f" {_capital(many(through))} in between do not count." if through else ""
    text = f"{_capital(size)} or more of a rank in a row on top clear the pile, and {_THEN[row['then']]}.{over}"
    yield Said("row", text, "Cards of a rank in a row no longer clear the pile.")
    if row["at_once"] != row["then"]:
        yield Said(
            "at_once",
            f"If one play lays all {size}, {_THEN[row['at_once']]}.",
            f"{_capital(size)} at once are nothing special any more.",
        )
    if row["first"]:
        gone = "A row no longer comes before the powers of its cards."
        yield Said("first", "A row counts first, before anything else that its cards do.", gone)
    if row["out_of_turn"]:
        text = (
            f"If you hold the cards missing to make {size} of the rank on top, you may play just those, even out of "
            "turn: they clear the pile, and the turn stays where it was."
        )
        yield Said("out_of_turn", text, "Nobody can complete a row out of turn any more.")


def _turn(document: Document) -> Iterable[Said]:
    turn, hand, row = document["turn"], document["deal"]["hand"], document["row"]
    closed = document["closed"]["then"] if _with(document, "closes") else None
    rights = [closed, row["then"], row["at_once"]] if row["size"] else [closed]
    if "may" in rights or _with(document, "may_again"):
        text = "When you may play again, you can end your turn instead, but you cannot pick up the pile."
        yield Said("end_turn", text)
    late = "At the end of your turn, or as soon as your hand is empty, you fill it"
    fill = late if turn["refill"] == "turn" else "After each play you fill your hand"
    yield Said("refill", f"{fill} to {spelled(hand, 'card')}, as long as the stock lasts.")
    if turn["draw"] == "fill":
        yield Said("draw", "Before you play again, you may fill your hand from the stock.", "You can no longer draw.")
    elif turn["draw"] == "gamble":
        text = (
            "On an empty pile you may play the top card of the stock instead of one of yours. With exactly "
            f"{spelled(hand, 'card')} in hand and nothing to play, you may try the top card, too: if it cannot be "
            "played either, it goes to your hand, and you pick up the pile."
        )
        yield Said("draw", text, "You can no longer draw.")
    if turn["take_up"]:
        gone = "Your face-up cards no longer become your hand."
        yield Said(
            "take_up", "As soon as your hand and the stock are empty, your face-up cards become your hand.", gone
        )
    else:
        yield Said("face_up", "As soon as your hand and the stock are empty, you play your face-up cards.")
    if turn["merge"]:
        text = "With the last cards of your hand you may play face-up cards of their rank, once the stock is empty."
        yield Said("merge", text, "The last cards of your hand are played on their own.")
    fails = "back to its place" if turn["failed_flip"] == "returns" else "to your hand"
    text = "Last come your face-down cards: you turn one over and play it."
    yield Said("flip", f"{text} If it cannot be played, it goes {fails}, and you pick up the pile.")


def _end(end: Mapping[str, Any]) -> Iterable[Said]:
    if end["until"] == "first_out":
        yield Said("until", "The first player without cards wins. The others are ranked by the cards they have left.")
    else:
        text = "Play goes on until only one player has cards. The first one out wins, the next comes second, and so on."
        yield Said("until", text)
    yield Said(
        "stalemate",
        f"The game also ends after {end['stalemate_after']} pick-ups without progress for each player still in. Fewer "
        "cards rank higher. Progress is a card leaving the stock or the table, a cleared pile or a player leaving.",
    )
