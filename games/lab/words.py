"""The figures in words: their names, and sentences for people who vote on rules."""

from collections.abc import Mapping
from math import floor, log10
from typing import NamedTuple

from games.lab.estimates import SHARES, Estimate, Figures, Number, group_of
from games.rules.cards import rank_word
from games.rules.shedding import rules
from games.rules.shedding.sentences import either
from games.rules.three_thirteen.state import wild_rank


class Words(NamedTuple):
    """A group of figures in words: {part} is what follows the dot in a figure's name."""

    label: str
    sentence: str
    """A sentence for two sides, with {new} and {old}."""
    is_pictured: bool = True


GROUPS: Mapping[str, Words] = {
    "moves": Words("Moves", "It takes {new} moves instead of {old}."),
    "hand_overs": Words("Turns that others wait for", "A game takes {new} turns instead of {old}."),
    "days": Words("Days", "It lasts {new} days instead of {old}."),
    "ended": Words("Ended by {part}", "{new} of the games end by {part} instead of {old}."),
    "points": Words(
        "Points of seat {part}", "Seat {part} beats {new} of its opponents instead of {old}.", is_pictured=False
    ),
    "opener": Words(
        "Points of the opener, above 1/2",
        "The opener beats {new} more than half of the opponents instead of {old}.",
        is_pictured=False,
    ),
    "level": Words(
        "Points of {part} players",
        "The {part} players beat {new} of their opponents instead of {old}.",
        is_pictured=False,
    ),
    "pick_ups": Words("Times the pile was picked up", "The pile is picked up {new} times instead of {old}."),
    "picked_up": Words("Cards picked up", "In all, {new} cards are picked up instead of {old}."),
    "closings": Words("Piles cleared by {part}", "Piles are cleared {new} times by {part} instead of {old}."),
    "largest_hand": Words("Cards in the largest hand", "The largest hand has {new} cards instead of {old}."),
    "blind_flips": Words("Unseen cards flipped", "Unseen cards are flipped {new} times instead of {old}."),
    "blind_fits": Words(
        "Unseen cards that could be played", "Of the unseen cards {new} can be played instead of {old}."
    ),
    "won_blind": Words("Won by an unseen card", "{new} of the games are won by an unseen card instead of {old}."),
    "stalled": Words(
        "Most pick-ups without progress", "There are up to {new} pick-ups without progress instead of {old}."
    ),
    "penalty": Words("Penalty in round {part}", "Round {part} costs {new} points on average instead of {old}."),
    "out": Words(
        "Turns until somebody goes out, round {part}",
        "In round {part} somebody goes out after {new} turns instead of {old}.",
        is_pictured=False,
    ),
    "nobody_out": Words(
        "Rounds {part} in which nobody went out",
        "In {new} of the games nobody goes out in round {part} instead of {old}.",
        is_pictured=False,
    ),
    "dealer": Words(
        "Penalty of the dealer, above the others'",
        "The dealer pays {new} points more than the others instead of {old}.",
        is_pictured=False,
    ),
    "first": Words(
        "Penalty of the first seat, above the others'",
        "The player who begins a round pays {new} points more than the others instead of {old}.",
        is_pictured=False,
    ),
    "renewals": Words("Stocks renewed", "The stock is renewed {new} times instead of {old}."),
    "winner": Words("Total of the winner", "The winner has {new} points instead of {old}."),
}
"""All groups of figures, in the order in which they are shown."""
PLACES = {group: place for place, group in enumerate(GROUPS)}
ENDED_BY = {
    "out": "going out",
    "agreed": "agreement",
    "resignation": "resignation",
    "rounds": "the last round",
    "limit": "5,000 moves",
}
CLOSED_BY = {word: either(rank) for rank, word in rules.CLOSED_BY.items()}
PER_CENT = frozenset({*SHARES, "points", "level"})
"""The groups whose numbers are read as per cent in a sentence."""
ASKED_FOR = ("days", "ended", "opener", "first")
"""What people ask for first: how many days, how a game ends, what the first seat is worth."""
AS_LONG = "A game takes as long as before."
COUNTED = ("no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")


def order(name: str) -> tuple[int, int, str]:
    """Return the place of a figure among all."""
    group, _, part = name.partition(".")
    return PLACES[group], int(part) if part.isdigit() else 0, part


def label_of(name: str, seats: int | None) -> str:
    """Return a figure's name in words."""
    return GROUPS[group_of(name)].label.format(part=_part(name, seats))


def in_words(name: str, value: Number, *, signed: bool = False) -> str:
    """Return a number of a figure with about three digits, shares in per cent."""
    sign = "+" if signed else ""
    if group_of(name) in SHARES:
        return f"{100 * value:{sign}.{decimals(value, 3) - 2}f} %"
    digits = decimals(value, 1 if abs(value) >= 100 else 2 if abs(value) >= 1 else 3)
    return f"{value:{sign}.{digits}f}"


def decimals(value: Number, usual: int) -> int:
    """Return how many decimals to show: below 0.1 at least those of two significant digits."""
    return max(usual, 1 - floor(log10(abs(value)))) if 0 < abs(value) < 0.1 else usual


def sentences(games: int, seats: int, first: Figures, second: Figures, difference: Figures) -> list[str]:
    """Return what changes from the first side to the second, in two sentences at most.

    The first is about the turns. The second is about the first of ASKED_FOR that differs, or else what differs most
    beside the moves, in half-widths of its interval.
    """
    longer = difference.get("hand_overs")
    unlike = longer is None or longer.is_apart
    turns = _sentence("hand_overs", seats, first, second) if unlike else AS_LONG
    found = [f"In {games:,} simulated games among {in_players(seats)} simple players {turns[0].lower()}{turns[1:]}"]
    said = ("hand_overs", "moves", *([] if unlike else ["days"]))
    apart = {name: one for name, one in difference.items() if name not in said and one.is_apart}
    asked = (group for group in ASKED_FOR if any(group_of(name) == group for name in apart))
    if (group := next(asked, None)) is not None:
        apart = {name: one for name, one in apart.items() if group_of(name) == group}
    if apart:
        found.append(_sentence(max(apart, key=lambda name: _half_widths(apart[name])), seats, first, second))
    return found


def in_players(seats: int) -> str:
    """Return a number of players in words."""
    return COUNTED[seats] if seats < len(COUNTED) else str(seats)


def closed_by(why: str) -> str:
    """Return what closed the pile, in words: "a 10", "four in a row", "a set of four"."""
    return CLOSED_BY.get(why, f"{'a ' * why.startswith('set_')}{why.replace('_', ' ')}")


def _half_widths(estimate: Estimate) -> float:
    """Return how far a difference is from 0, in half-widths of its interval."""
    width = (estimate.high or 0) - (estimate.low or 0)
    return 2 * abs(estimate.value) / width if width else float("inf")


def _sentence(name: str, seats: int, first: Figures, second: Figures) -> str:
    old, new = in_a_sentence(name, first[name].value, second[name].value)
    return GROUPS[group_of(name)].sentence.format(part=_part(name, seats), old=old, new=new)


def in_a_sentence(name: str, old: Number, new: Number) -> tuple[str, str]:
    """Return two numbers of a figure, with as many more decimals as it takes to tell them apart."""
    pairs = ((_rounded(name, old, more), _rounded(name, new, more)) for more in range(7))
    return next((pair for pair in pairs if pair[0] != pair[1]), (_rounded(name, old), _rounded(name, new)))


def _rounded(name: str, value: Number, more: int = 0) -> str:
    if group_of(name) in PER_CENT:
        return f"{100 * value:.{decimals(value, 2) - 2 + more}f} %"
    usual = 0 if abs(value) >= 10 or not value else 1
    return f"{value:.{decimals(value, usual) + more}f}"


def _part(name: str, seats: int | None) -> str:
    group, _, part = name.partition(".")
    if group == "ended":
        return ENDED_BY.get(part, part)
    if group == "closings":
        return closed_by(part)
    if group == "points":
        return f"{part}, the dealer" if part == str(seats) else f"{part}, left of the dealer" if part == "1" else part
    return f"{part} ({rank_word(wild_rank(int(part)))}s wild)" if part.isdigit() else part
