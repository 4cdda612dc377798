"""From a record to its tally: which results count, which are kept, and what they are worth (PT1 to PT8)."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import NamedTuple

from tournaments.rules.exact import exact_sum
from tournaments.rules.lines import Player, Result
from tournaments.rules.points import SCHEMES
from tournaments.rules.record import Record
from tournaments.rules.settings import Settings
from tournaments.rules.tally import Game, Played, Share, Tally


def tally(record: Record) -> Tally:
    byes = {entrant: list[int]() for entrant in record.entrants}
    for seated in record.rounds.values():
        for entrant in byes.keys() & set(seated.byes):
            byes[entrant].append(seated.line)
    return tally_of(record, counted_games(record), byes)


def tally_of(record: Record, games: Sequence[Game], byes: dict[str, list[int]]) -> Tally:
    """The tally of some games for those in `byes` (each with the lines of its byes); others are opponents only."""
    settings = record.settings
    counted: dict[str, list[Played]] = {entrant: [] for entrant in byes}
    for game in games:
        for share in game.shares:
            counted.setdefault(share.entrant, []).append((game, share))
    adjustments = defaultdict[str, list[Fraction]](list)
    for line in record.adjustments:
        adjustments[line.entrant].append(line.points)
    adjusted = {entrant: exact_sum(adjustments[entrant]) for entrant in byes}
    kept, totals = {}, {}
    for entrant, lines in byes.items():
        keeps = _keep(settings, counted[entrant], lines)
        kept[entrant] = keeps.games
        totals[entrant] = _total(record, keeps, adjusted[entrant])
    return Tally(
        games=tuple(games),
        counted=counted,
        kept=kept,
        totals=totals,
        byes={entrant: len(lines) for entrant, lines in byes.items()},
        adjusted=adjusted,
        average_game=average_worth(settings),
        penalties=settings.less_is_better,
        seed=record.seed if record.seed_is_public else None,
    )


def placed(record: Record, counts: Tally) -> set[str]:
    """Those who have a place in a season or in rounds (PT7, PT9, ST10)."""
    settings = record.settings
    playing = {
        entrant
        for seated in record.rounds.values()
        for number, table in enumerate(seated.tables, 1)
        if record.open_games((seated.number, number))
        for entrant in table
    }
    found = set()
    for entrant in record.entrants.values():
        games = len(counts.counted[entrant.id])
        began = record.stage > 1 or not entrant.withdrawn or games or counts.byes[entrant.id] or entrant.id in playing
        enough = settings.total == "sum" or games >= settings.min_games
        if not entrant.removed and began and enough and counts.totals[entrant.id] is not None:
            found.add(entrant.id)
    return found


def counted_games(record: Record) -> list[Game]:
    """The results that count, in the order of lines (PT5, PT6)."""
    return [_game(record.settings, result) for result, beyond in _otherwise_counted(record) if not beyond]


def beyond_same_table(record: Record) -> list[str]:
    """The ids of the results that only `same_table` keeps from counting, in the order of lines (PT5)."""
    return [result.id for result, beyond in _otherwise_counted(record) if beyond]


def _otherwise_counted(record: Record) -> Iterator[tuple[Result, bool]]:
    """The results that stand and have nobody twice (PT6), and whether each is beyond `same_table`."""
    limit = record.settings.same_table
    met = Counter[frozenset[str]]()
    for result in record.results.values():
        entrants = frozenset(player.entrant for player in result.players)
        if record.stands(result.id) and len(entrants) == len(result.players):
            met[entrants] += 1
            yield result, limit is not None and met[entrants] > limit


def bye_worth(settings: Settings) -> Fraction:
    """Return the points of one bye for one game of a table (PT3)."""
    return average_worth(settings) if settings.bye is None else settings.bye


def average_worth(settings: Settings) -> Fraction:
    """Return the points of an average game (PT3): a prior's games, and a bye unless `bye` says otherwise."""
    return SCHEMES[settings.scheme].average(settings.tables.size, settings.list)


def _game(settings: Settings, result: Result) -> Game:
    """The game with everybody's points; places are counted among those who were there (PT8)."""
    places = _places(result.players)
    present = tuple(place for place in places if place is not None)
    if settings.less_is_better:
        points = [player.score or Fraction() for player in result.players]
    else:
        given = iter(SCHEMES[settings.scheme].points(present, settings.list))
        points = [Fraction() if place is None else next(given) for place in places]
    shares = tuple(
        Share(player.entrant, points[at], places[at], present.count(places[at] or 0), player.timeouts)
        for at, player in enumerate(result.players)
    )
    return Game(result.id, result.n, result.rounds, shares)


def _places(players: Iterable[Player]) -> list[int | None]:
    present = [player.place or 0 for player in players if not player.absent]
    return [None if player.absent else 1 + sum(p < (player.place or 0) for p in present) for player in players]


class _Kept(NamedTuple):
    """The kept games, and how many byes are kept, a bye counting once for each game of a table."""

    games: list[Played]
    byes: int


def _keep(settings: Settings, played: list[Played], byes: Sequence[int]) -> _Kept:
    """The best counted games and byes, more points first, then the earlier line (PT4)."""
    bye_games = 0 if settings.less_is_better or settings.total == "mean" else len(byes) * settings.games_per_table
    if settings.best is None or len(played) + bye_games <= settings.best:
        return _Kept(played, bye_games)
    if settings.less_is_better:
        ranked = sorted(played, key=lambda item: (item[1].points / (item[0].rounds or 1), item[0].line))
        return _Kept(_by_line(ranked[: settings.best]), 0)
    worth = bye_worth(settings)
    each = min(settings.games_per_table, settings.best)
    items: list[tuple[Fraction, int, Played | None]] = [(-item[1].points, item[0].line, item) for item in played]
    items += [(-worth, line, None) for line in byes for _ in range(each)] if bye_games else []
    items.sort(key=lambda item: item[:2])
    best = [item for _, _, item in items[: settings.best]]
    return _Kept(_by_line(item for item in best if item), best.count(None))


def _by_line(played: Iterable[Played]) -> list[Played]:
    return sorted(played, key=lambda item: item[0].line)


def _total(record: Record, kept: _Kept, adjusted: Fraction) -> Fraction | None:
    """PT2."""
    settings = record.settings
    points = exact_sum(share.points for _, share in kept.games)
    if settings.total == "sum":
        byes = kept.byes * bye_worth(settings) if kept.byes else 0
        return points + byes + adjusted
    if settings.less_is_better:
        rounds = sum(game.rounds or 0 for game, _ in kept.games)
        return (points + adjusted) / rounds if rounds else None
    games = len(kept.games) + settings.prior
    return (points + settings.prior * average_worth(settings) + adjusted) / games if games else Fraction()


class Step(NamedTuple):
    """The totals after the round of this number, or after this number of a season's games; None without one (PT2)."""

    number: int
    totals: Sequence[Fraction | None]


def course(record: Record, entrants: Sequence[str], most: int) -> list[Step]:
    """The totals of some entrants at first and after each round, or after each of at most `most` parts of a season.

    What was voided never counts, and the last step has the totals of the standings.
    """
    if record.kind == "knockout":
        return []
    games = counted_games(record)
    parts = [(0, games[:0]), *_parts(record, games, most)]
    steps = [Step(number, _totals(record, played, entrants, number)) for number, played in parts[:-1]]
    return [*steps, Step(parts[-1][0], _totals(record, games, entrants))]


def _parts(record: Record, games: list[Game], most: int) -> list[tuple[int, list[Game]]]:
    if record.kind == "season":
        each = max(1, -(-len(games) // most))
        ends = [*range(each, len(games), each), *([len(games)] if games else [])]
        return [(end, games[:end]) for end in ends]
    rounds = {game.id: record.results[game.id].round or 0 for game in games}
    return [(end, [game for game in games if rounds[game.id] <= end]) for end in sorted(set(rounds.values()))]


def _totals(
    record: Record, games: Sequence[Game], entrants: Sequence[str], upto: int | None = None
) -> list[Fraction | None]:
    """By these games, with the byes and adjustments that came before their end; without `upto` with all of them."""
    byes: dict[str, list[int]] = {entrant: [] for entrant in entrants}
    for number, seated in record.rounds.items():
        for entrant in seated.byes:
            if entrant in byes and (upto is None or number <= upto):
                byes[entrant].append(seated.line)
    if upto is not None:
        newest = max((game.line for game in games), default=0)
        record = replace(record, adjustments=[one for one in record.adjustments if one.n < newest])
    totals = tally_of(record, games, byes).totals
    return [totals[entrant] for entrant in entrants]
