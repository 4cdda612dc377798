"""What ended, as its readers get it: entries of one numbered list, composed when they are read."""

from collections.abc import Iterator, Mapping, Sequence
from typing import Any
from uuid import UUID

from django.db.models import Exists, Max, OuterRef, Q

from core.accounts.models import Player
from core.accounts.services import listed_players
from core.refusals import Refused
from games import selectors as games
from games.selectors import belonging
from tournaments import access
from tournaments.models import Entrant, Result, Tournament
from tournaments.selectors.record import reckoning_for, record_for
from tournaments.stream import Status

RULING = "ruling"
MOST_STANDINGS = 10
# Of one's own results so many are composed at once, each with its record.
_BATCH = 20

Entry = dict[str, Any]


def newest_result() -> int:
    """The number of the newest result, public or not; 0 for none."""
    return int(Result.objects.aggregate(newest=Max("n"))["newest"] or 0)


def public_results(after: int, limit: int, **only: str) -> tuple[list[Entry], int | None]:
    """Oldest first, by `type` and `game`; and after which number to go on (None: these are all)."""
    rows = list(Result.objects.filter(public=True, n__gt=after, **only).order_by("n")[: limit + 1])
    more = len(rows) > limit
    return _entries(rows[:limit], None), rows[limit - 1].n if more else None


def own_results(player: Player, after: int) -> Iterator[Entry]:
    """The player's own results with their records, oldest first, each as its last number has it."""
    mine = Q(type=Result.Kind.GAME, subject__in=games.seats_taken_by(player).values("game"))
    entered = Entrant.objects.filter(tournament=OuterRef("pk"), player=player, entered_at__isnull=False)
    tournaments = Tournament.objects.filter(Q(organisers__contains=[player.pk]) | Exists(entered))
    mine |= Q(type=Result.Kind.TOURNAMENT, subject__in=tournaments.values("pk"))
    newer = Result.objects.filter(subject=OuterRef("subject"), n__gt=OuterRef("n"))
    rows = Result.objects.filter(mine & ~Exists(newer)).order_by("n")
    while batch := list(rows.filter(n__gt=after)[:_BATCH]):
        after = batch[-1].n
        for entry in _entries(batch, player):
            if (record := _record_of(entry, player)) is not None:
                yield {**entry, "record": record}


def _record_of(entry: Entry, player: Player) -> Mapping[str, Any] | None:
    """The record as its address answers the player; None where it refuses."""
    try:
        if entry["type"] == Result.Kind.GAME:
            return games.record_of(games.game_for(player, entry["id"]))
        tournament = Tournament.objects.filter(pk=entry["id"], status=Status.FINISHED).first()
        if tournament is None or not access.may_know(tournament, player):
            return None
        return record_for(tournament.pk)
    except Refused:
        return None


def _entries(rows: Sequence[Result], reader: Player | None) -> list[Entry]:
    """Those of the rows whose `url` answers the reader (None: a player who has to do with nothing)."""
    found = {kind: [row.subject for row in rows if row.type == kind] for kind in Result.Kind}
    ended = {game.id: game for game in games.ended(found[Result.Kind.GAME], reader)}
    owners = belonging.described(ended.values())
    tournaments = Tournament.objects.in_bulk(found[Result.Kind.TOURNAMENT])
    reckoned = {pk: reckoning_for(row) for pk, row in tournaments.items() if access.may_know(row, reader)}
    seated = {seat.player for game in ended.values() for seat in game.players if seat.player is not None}
    entered = {UUID(player) for one in reckoned.values() for player in one.players.values()}
    shown = listed_players(seated | entered)
    entries = []
    for row in rows:
        common = {"n": row.n, "type": row.type, "id": row.subject, "at": row.at}
        if row.subject in ended:
            entries.append(common | _game(row, ended[row.subject], owners.get(row.subject), shown))
        elif row.subject in reckoned:
            entries.append(common | _tournament(tournaments[row.subject], reckoned[row.subject], shown))
    return entries


def _game(row: Result, game: Any, owner: Mapping[str, Any] | None, shown: Mapping[UUID, str]) -> Entry:
    result: Mapping[str, Any] = game.result or {"ended_by": RULING, "placements": row.places}
    places = {one["seat"]: one for one in result["placements"]}
    return {
        "game": game.game,
        "ruleset": game.ruleset,
        "options": dict(sorted(game.options.items())),
        "rated": game.rated,
        "voided": game.voided is not None,
        "ended_by": result["ended_by"],
        "players": [
            {
                "seat": index,
                "player": _player(seat.player, shown),
                "bot": None if seat.bot is None else {"level": seat.bot["level"]},
                "place": places.get(index, {}).get("place"),
                "score": places.get(index, {}).get("score"),
            }
            for index, seat in enumerate(game.players)
        ],
        "tournament": None if owner is None else {key: owner[key] for key in ("id", "title", "round", "table")},
        "url": f"/api/v1/games/{game.id}",
    }


def _player(pk: UUID | None, shown: Mapping[UUID, str]) -> dict[str, Any] | None:
    return {"id": pk, "username": shown[pk]} if pk is not None and pk in shown else None


def _tournament(row: Tournament, reckoned: Any, shown: Mapping[UUID, str]) -> Entry:
    def name(one: Mapping[str, Any]) -> str | None:
        player = reckoned.players.get(one["entrant"])
        return one.get("name") if player is None else shown.get(UUID(player))

    return {
        "title": row.title,
        "game": row.game,
        "kind": row.kind,
        "entrants": row.state.places,
        "standings": [
            {"entrant": one["entrant"], "name": name(one), "place": one["place"], "total": one["total"]}
            for one in reckoned.standings[:MOST_STANDINGS]
        ],
        "url": f"/api/v1/tournaments/{row.pk}",
    }
