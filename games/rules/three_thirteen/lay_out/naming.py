"""From the solver's numbers back to cards: the cards of each meld, and the places of the wild cards."""

from collections.abc import Iterator

from games.rules.cards import SUITS
from games.rules.three_thirteen.lay_out.hands import Hand
from games.rules.three_thirteen.lay_out.runs import BITS, PLACES, Runs
from games.rules.three_thirteen.lay_out.search import Best, Set, saved_by_runs

_LAST = len(PLACES) - 1


def name_melds(hand: Hand, best: Best, wild_cards: list[str]) -> list[list[str]]:
    """Return the melds as lists of cards: sets by rank, then runs by suit. Takes all of `wild_cards`, from the end.

    Something must be melded, or there must be at least three wild cards.
    """
    sets = [_cards_of_set(chosen, wild_cards) for chosen in sorted(best.sets, key=lambda chosen: max(chosen.cards))]
    runs: list[list[str]] = []
    lowest: list[int] = []  # the first place of each run
    for row, plan in enumerate(_runs_of(hand, best)):
        for first, cards in _cards_of_runs(plan, best.suits[row], SUITS[row], wild_cards):
            lowest.append(first)
            runs.append(cards)
    if wild_cards:
        if sets:
            sets[0] += wild_cards
        elif runs:
            runs[:1] = _longer(runs[0], lowest[0], wild_cards)
        else:
            sets.append(wild_cards)
    return sets + runs


def _cards_of_set(chosen: Set, wild_cards: list[str]) -> list[str]:
    cards = []
    for suit, held in zip(SUITS, chosen.cards, strict=True):
        if held:
            place = (held.bit_length() - 1) // BITS
            cards += [PLACES[place] + suit] * (held >> BITS * place)
    return cards + [wild_cards.pop() for _ in range(chosen.blanks)]


def _runs_of(hand: Hand, best: Best) -> Iterator[Runs]:
    """Yield the runs of each suit, with the blanks that the sets leave shared out so that most is saved."""
    blanks = best.wilds
    to_come = list(best.suits)
    for row, suit in enumerate(best.suits):
        saved, runs = hand.table[suit]
        used = 0
        if blanks:
            most = saved_by_runs(hand.table, to_come, blanks)
            to_come[row] = 0
            while saved[used] + saved_by_runs(hand.table, to_come, blanks - used) < most:
                used += 1
            blanks -= used
        yield runs[used]


def _cards_of_runs(plan: Runs, held: int, suit: str, wild_cards: list[str]) -> Iterator[tuple[int, list[str]]]:
    """Yield the first place of each run and its cards, with wild cards in the places they stand for."""
    for first, last in plan:
        end = min(max(last, first + 2), _LAST)
        begin = min(first, end - 2)
        cards = []
        for place in range(begin, end + 1):
            if first <= place <= last and held >> BITS * place & 15:
                held -= 1 << BITS * place
                cards.append(PLACES[place] + suit)
            else:
                cards.append(wild_cards.pop())
        yield begin, cards


def _longer(run: list[str], first: int, wild_cards: list[str]) -> list[list[str]]:
    """Return the run with all `wild_cards` added: at its end, then before it; a run A..K becomes two runs."""
    run = list(run)
    for number, card in enumerate(wild_cards):
        if first + len(run) <= _LAST:
            run.append(card)
        elif first:
            first -= 1
            run.insert(0, card)
        else:
            return [run[:3] + wild_cards[number:], run[3:]]
    return [run]
