"""Words that several sentences share: who sits at a table, how much time is left."""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

from core import log
from core.accounts.models import Player
from core.notifications.kinds import About
from games.events import BotSeated, TimedOut
from games.projections import Snapshot
from games.projections.vocabulary import PLANNED, is_of_rules
from games.rules.events import in_a_row, inner, whole, whom
from games.rules.words import counted, listed, number_word, ordinal
from games.selectors import game_title
from games.selectors.events import Words
from games.wording import isolated, length

SOMEBODY = "Somebody"
# A larger table is called by this many names and the number of others.
MOST_NAMED = 3


def happened(game: Snapshot, seat: int, events: Iterable[log.Event], *, at_most: int, since: str) -> list[str]:
    """What was done since the seat's last move by hand, as it may see it, in at most so many sentences.

    `since` ends "3 moves were made since".
    """
    done: list[log.Event] = []
    for event in events:
        if _is_move(event) or event.type in _OF_THE_CLOCK:
            done = [] if event.seat == seat and _by_hand(event) else [*done, event]
    runs = _runs(done)
    last = runs if len(runs) <= at_most else runs[1 - at_most :]
    # What was played for the reader comes before what others did last.
    mine = [run for run in runs if run[0].seat == seat][-1:]
    if mine and mine[0] not in last:
        last = [*mine, *last[1:]]
    words = Words(game, seat, seat)
    sentences = [_sentence(words, run) for run in last]
    untold = sum(map(_is_move, done)) - sum(_is_move(event) for run in last for event in run)
    if untold:
        sentences = [f"{counted(untold, 'move')} {'was' if untold == 1 else 'were'} made since {since}.", *sentences]
    return sentences


def of_the_clock(game: Snapshot, seat: int, events: Iterable[log.Event]) -> str:
    """The first time in these events that the seat's time was up, in a sentence; "" if it was not."""
    runs = (run for run in _runs(list(events)) if run[0].seat == seat and run[0].type == TimedOut.type)
    return next((_sentence(Words(game, seat, seat), run) for run in runs), "")


def played_for(seat: int, events: Iterable[log.Event]) -> list[log.Event]:
    return [event for event in events if event.seat == seat and not _by_hand(event)]


def _runs(events: Iterable[log.Event]) -> list[list[log.Event]]:
    """What one seat did, one thing after the other; what the clock did is a run of its own."""
    runs: list[list[log.Event]] = []
    for event in events:
        if not (_is_move(event) or event.type in _OF_THE_CLOCK):
            continue
        follows = runs and runs[-1][0].seat == event.seat and event.type != TimedOut.type
        if follows and runs[-1][0].type == TimedOut.type:
            follows = event.type in _OF_THE_CLOCK or (event.actor is not None and event.actor.kind == "clock")
        if follows:
            runs[-1].append(event)
        else:
            runs.append([event])
    return runs


def _sentence(words: Words, run: Sequence[log.Event]) -> str:
    """A run as a sentence: "Your time was up: you took the pile (8 cards), then 4♣ and 4♦ were played for you."."""
    who = words.names[run[0].seat or 0]
    first, *rest = (words.clause(event) for event in run)
    if run[0].type != TimedOut.type:
        return whole(in_a_row([first, *rest], who), words.names)
    then = in_a_row([inner(one) for one in rest], whom(who)) if rest else ""
    return whole(f"{first}: {then}" if then else first, words.names)


_OF_THE_CLOCK = (TimedOut.type, BotSeated.type)


def _is_move(event: log.Event) -> bool:
    return is_of_rules(event) and event.seat is not None and "move" in event.data


def _by_hand(event: log.Event) -> bool:
    return event.actor is not None and event.actor.kind == "player" and event.data.get(PLANNED) is not True


def names_at(game: Snapshot) -> list[str]:
    accounts = [game.account_of(place) for place in game.players]
    return [
        one.username if one is not None else ("a bot" if place.bot is not None else "somebody")
        for place, one in zip(game.players, accounts, strict=True)
    ]


def table_by_its_people(title: str, seats: Sequence[tuple[Player | None, bool]]) -> str:
    """A table as its people call it: "Threes with Bob and two bots", "Threes with Bob, Cho, Dan and four others".

    seats: the account in each seat, None for none or one that was closed, and whether a bot plays.
    """
    names = [account.username for account, _ in seats if account is not None]
    bots = sum(bot for account, bot in seats if account is None)
    named = names if len(names) <= MOST_NAMED + 1 else names[:MOST_NAMED]
    others = len(seats) - len(named) - bots
    people = [*named, *_counted(others, "somebody", "others"), *_counted(bots, "a bot", "bots")]
    return f"{title} with {listed(people)}" if people else title


def title_of(game: Snapshot, reader: int | None = None) -> str:
    """A game's table as the reader, in this seat, calls it; None: as somebody who does not sit there."""
    seats = [(game.account_of(seat), seat.bot is not None) for at, seat in enumerate(game.players) if at != reader]
    return table_by_its_people(game_title(game), seats)


def _counted(count: int, one: str, many: str) -> list[str]:
    if count < 2:
        return [one] * count
    return [f"{number_word(count)} {many}"]


def time_ends(about: About, due: str) -> str:
    """Return when the player's time ends, as a sentence: in their own zone if known, else how long it is."""
    now: datetime = about["now"]
    moment = datetime.fromisoformat(due)
    if moment <= now:
        return "Your time is up."
    span = f"in {time_left(moment - now)}"
    zone: ZoneInfo | None = about["zone"]
    if zone is None:
        return f"Your time ends {span}."
    here, there = now.astimezone(zone), moment.astimezone(zone)
    days = (there.date() - here.date()).days
    day = {0: "today", 1: "tomorrow"}.get(days, f"on {there:%A}" if days < 7 else f"on {there:%-d %B}")
    return f"Your time ends {day} at {there:%H:%M}, {span}."


def time_left(time: timedelta) -> str:
    return length(max(time, timedelta(minutes=1)))


def places(game: Snapshot, own: int | None) -> str:
    """All places of a game that is over, as one of its seats reads them: "1st you, 2nd Bob"; else nothing."""
    names = names_at(game)
    rows = sorted((game.result or {}).get("placements") or (), key=lambda row: (row["place"], row["seat"]))
    return ", ".join(
        f"{ordinal(row['place'])} {'you' if row['seat'] == own else isolated(names[row['seat']])}" for row in rows
    )


def missed(game: Snapshot, own: int) -> str:
    """Return how often the clock has played for a seat, and what comes of it; nothing if that has no end."""
    misses, clock = game.players[own].misses, game.clock
    left = clock["strikes"] - misses
    if not misses or clock["on_timeout"] != "play" or left < 1:
        return ""
    turns = "your turn" if misses == 1 else f"{number_word(misses)} turns in a row"
    then = "Next time" if left == 1 else f"After {number_word(clock['strikes'])} missed turns in a row"
    return f"You have missed {turns}. {then}, a bot takes your seat."
