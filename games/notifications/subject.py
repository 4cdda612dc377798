"""What a notification about a game says to whom, what its channels are told, and whether that is pointless by now."""

from collections.abc import Collection, Mapping, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Any
from uuid import UUID

from django.utils.text import capfirst

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications import channels
from core.notifications.kinds import URGENT, About, Dated, Pair, Subject, kind_of
from core.notifications.services import PLAYED, SEEN
from games.models import Game, Seat
from games.notifications import presence
from games.notifications.kinds import BEFORE_THE_END, CHANGED, FINISHED, FULL, INVITED, TIMED_OUT
from games.notifications.turns import put_reminders, turn_of
from games.notifications.words import (
    happened,
    missed,
    of_the_clock,
    places,
    table_by_its_people,
    time_ends,
)
from games.projections import Snapshot, load, load_all
from games.rules import notation
from games.selectors import Turns, deadlines, known_outages, revision
from games.selectors.access import game_title, is_known_to
from games.wording import span

if TYPE_CHECKING:
    from core.notifications.models import Notification

HIDDEN: About = {"title": "a private table", "link": None}
MOST_SENTENCES = 3
# In a calendar; the most urgent ones.
MOST_TURNS = 500
PRESENT = "present"
OVER = ("finished", "cancelled")


class Games(Subject):
    def about(self, pairs: Collection[Pair]) -> Mapping[tuple[UUID, UUID], About]:
        """Title and link of these games; three queries, and a few for each that its player may not know of."""
        games, now = _games(pairs), service_clock.now()
        hidden = _hidden(games, pairs)
        return {
            (player.pk, game_id): {
                **(HIDDEN if (player.pk, game_id) in hidden else _about(games.get(game_id), player)),
                "now": now,
                "zone": player.zone,
            }
            for player, game_id in pairs
        }

    @ending.on_the_way_out(Right.ROOM, What.TEXTS)
    def hidden(self, pairs: Collection[Pair]) -> Collection[tuple[UUID, UUID]]:
        return _hidden(_games(pairs), pairs)

    def concerned(self, subject_id: UUID) -> Collection[UUID]:
        seats = Seat.objects.filter(game=subject_id, player__isnull=False).order_by("index")
        return list(seats.values_list("player_id", flat=True))

    def lost(self, told: "Sequence[Notification]", now: datetime) -> Mapping[int, str]:  # noqa: ARG002  the protocol's
        """Those whose turn was played, whose game is over, or whose subject was seen."""
        ends = [one for one in told if one.kind in BEFORE_THE_END or kind_of(one).lost is not None]
        about = {one.pk: (one.subject_id, one) for one in ends if one.subject_id is not None}
        known = {game.id: game for game in load_all(list({game_id for game_id, _ in about.values()}))}
        why = {key: _lost(known.get(game_id), one) for key, (game_id, one) in about.items()}
        lost = {key: reason for key, reason in why.items() if reason is not None}
        return dict.fromkeys(channels.seen({one.pk: one for one in told}), SEEN) | lost

    def stories(
        self, told: "Sequence[tuple[Player, Notification]]", now: datetime, *, in_full: bool = False
    ) -> Mapping[int, list[str]]:
        """Return what happened since the player's last move, what to do, and how much time is left."""
        games = {game.id: game for game in load_all(list({one.subject_id for _, one in told if one.subject_id}))}
        events = log.read_all({game.stream: 0 for game in games.values() if game.dealt})
        stories = {}
        for player, one in told:
            game = games.get(one.subject_id) if one.subject_id is not None else None
            seat = game.seat_of(player) if game is not None else None
            if game is not None and seat is not None and game.dealt:
                what = happened(game, seat, events[game.stream], at_most=MOST_SENTENCES, since="yours")
                more = [*_to_do(game, seat, player, one, now, in_full=in_full), *_ended(game, seat, one)]
                stories[one.pk] = [line for line in (" ".join(what), *more) if line]
            elif game is not None and one.kind == INVITED.name and in_full:
                pace = f"{game.seats} seats, {span(game.clock['per_turn'])} per turn."
                stories[one.pk] = [game.rules.summary, pace]
        return stories

    def happened(self, told: "Sequence[tuple[Player, Notification]]") -> Mapping[int, str]:
        """What the clock did, for those who may know; two queries."""
        told = [(player, one) for player, one in told if one.kind == TIMED_OUT.name and one.version is not None]
        games = {game.id: game for game in load_all(list({one.subject_id for _, one in told if one.subject_id}))}
        known = {
            one.pk: (player, games[one.subject_id], one.version or 0) for player, one in told if one.subject_id in games
        }
        first: dict[str, int] = {}
        for _, game, version in known.values():
            first[game.stream] = min(version - 1, first.get(game.stream, version))
        events = log.read_all(first) if first else {}
        return {
            key: of_the_clock(game, seat, (event for event in events[game.stream] if event.version >= version))
            for key, (player, game, version) in known.items()
            if (seat := game.seat_of(player)) is not None
        }

    def deadline(self, notification: "Notification") -> datetime | None:
        game = load(notification.subject_id) if notification.subject_id is not None else None
        seat = game.seat_of(Player(pk=notification.player_id)) if game is not None else None
        if game is None or seat is None or notification.kind not in URGENT:
            return None
        return deadlines(game).get(seat)

    def is_present(self, notification: "Notification", now: datetime) -> bool:
        return notification.subject_id is not None and notification.player_id in presence.present(
            notification.subject_id, now
        )

    def remind_anew(self, player: Player, now: datetime) -> None:
        running = [turn_of(turn.game, player.pk) for turn in Turns(player)[0:MOST_TURNS]]
        put_reminders([turn for turn in running if turn is not None], after=now)

    def dates(self, player: Player, now: datetime) -> list[Dated]:
        """The player's open turns with a deadline.

        What moves a deadline is an event, or an outage, which is none.
        """
        games = [turn.game for turn in Turns(player)[0:MOST_TURNS]]
        outages = known_outages(min(game.opened_at for game in games), now) if games else []
        about = self.about([(player, game.id) for game in games])
        found = []
        for game in games:
            turn = turn_of(game, player.pk)
            due = deadlines(game).get(turn.seat) if turn is not None else None
            if turn is None or due is None:
                continue
            known = about[player.pk, game.id]
            sequence, since = revision(game.version, game.moved_at, outages, game.opened_at)
            summary = f"Your turn: {known['title']}"
            found.append(Dated(turn.name, due, since, sequence, summary, known["link"]))
        return found

    def badge(self, player_id: UUID) -> int:
        return Seat.objects.filter(player=player_id, to_act=True, bot__isnull=True).count()


def _games(pairs: Collection[Pair]) -> dict[UUID, Game]:
    rows = Game.objects.filter(pk__in={game_id for _, game_id in pairs}).prefetch_related("players__player")
    return {game.pk: game for game in rows}


def _hidden(games: Mapping[UUID, Game], pairs: Collection[Pair]) -> set[tuple[UUID, UUID]]:
    return {(who.pk, pk) for who, pk in pairs if pk in games and not is_known_to(games[pk], who)}


def _about(game: Game | None, player: Player) -> dict[str, Any]:
    if game is None:
        return {"title": "A game that no longer exists", "link": None}
    seats = game.seat_rows()
    others = [(seat.player, seat.bot is not None) for seat in seats if seat.player_id != player.pk]
    own = game.seat_of(player)
    place = None
    by_bot = own is not None and seats[own].bot is not None
    if game.result is not None and own is not None:
        place = next((row["place"] for row in game.result["placements"] if row["seat"] == own), None)
    is_open = game.status == Game.Status.OPEN
    return {
        "title": table_by_its_people(game_title(game), others),
        "link": f"/rooms/{game.pk}" if is_open else f"/games/{game.pk}",
        "place": place,
        "by_bot": by_bot,
        "door": f"/join/{game.invitation or game.pk}" if is_open else f"/games/{game.pk}",
    }


def _lost(game: Snapshot | None, told: "Notification") -> str | None:
    judge = kind_of(told).lost
    of_those_who_sit = judge is not None or told.kind == CHANGED.name
    if of_those_who_sit and (game is None or game.seat_of(told.player) is None):
        return channels.NOT_THEIRS
    if judge is not None:
        return judge(game, told)
    return None if _lasts(game, told) else PLAYED


def _lasts(game: Snapshot | None, told: "Notification") -> bool:
    if told.kind == FULL.name:
        return game is not None and game.is_full
    if told.kind == INVITED.name:
        return game is None or (game.status == "open" and not game.is_full)
    if told.kind not in URGENT:
        return game is None or game.status not in OVER
    turn = turn_of(game, told.player_id) if game is not None else None
    return turn is not None and turn.name == told.data["turn"]


def _to_do(
    game: Snapshot, seat: int, player: Player, told: "Notification", now: datetime, *, in_full: bool = False
) -> list[str]:
    if told.kind == TIMED_OUT.name and game.is_running:
        return ["You can take your seat back at the table." if game.players[seat].bot else missed(game, seat)]
    if told.kind not in URGENT or game.players[seat].duty is None:
        return []
    due = deadlines(game).get(seat)
    left = [] if due is None else [time_ends({"now": now, "zone": player.zone}, due.isoformat())]
    own = notation.own_cards(game.rules.view(game.state, seat), seat) if in_full else []
    return [_what_to_do(game, seat), *own, *left, missed(game, seat)]


def _ended(game: Snapshot, seat: int, told: "Notification") -> list[str]:
    said = places(game, seat) if told.kind == FINISHED.name else ""
    return [f"{said}."] if said else []


def _what_to_do(game: Snapshot, seat: int) -> str:
    view = game.rules.view(game.state, seat)
    if view["status"] == "setup":
        return "Choose your face-up cards. You play them last, so choose good ones."
    if "pile" not in view:
        return f"{capfirst(view['step'])} a card."
    if view["bonus"] is not None:
        return "You must play again." if view["bonus"] == "must" else "You may play again."
    return notation.asks_for(view)
