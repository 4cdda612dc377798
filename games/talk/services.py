"""Talk at a table: text and signs that only those who sit there hear.

It is no event. Its messages are numbered under the lock of the talk's own row, so that a move waits for no message.
What a player has switched off is nowhere shown or counted to them.
"""

from collections.abc import Callable, Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import cached_property, partial
from typing import Any, Literal
from uuid import UUID

from django.db import transaction
from django.db.models import Count, F, Max, OuterRef, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from core import clock as service_clock
from core import lasting
from core.accounts import blocking
from core.accounts.models import Player
from core.jobs import services as work
from core.notifications import channels
from core.notifications import services as telling
from core.notifications.kinds import TALK, the_kind
from core.notifications.models import Notification
from core.refusals import Conflict, Forbidden, Invalid, NotFound, Refused
from games.models import Game
from games.projections import Snapshot, load
from games.selectors import belonging
from games.services.commands import existing, stranger, text_in
from games.talk.models import Mute, Talk, TalkMessage, TalkReader

SIGNS = (
    "hello", "good_luck", "thanks", "well_played", "ouch", "wow", "laugh", "sorry", "one_moment", "away", "back",
    "again",
)  # fmt: skip
LONGEST = 500
MOST_AT_ONCE = 100
SIGNS_IN_A_ROW = 3
OPEN_FOR = timedelta(days=14)
KEPT_FOR = timedelta(days=30)
TOLD_AGAIN = timedelta(days=1)
MOST_NAMED = 3
LATER = "games.talk"
GONE = "gone"
ALL, ONLY_SIGNS, OFF = Game.Talk.values

May = Literal["text", "sign"]


@dataclass(frozen=True, slots=True)
class Reason:
    code: str
    detail: str
    until: datetime | None = None


def level_of(player: Player) -> str:
    """What of a talk reaches a player, and what they send: all, signs or off."""
    return str(player.preferences.get("talk", ALL))


def refresh_level(player: Player) -> None:
    """Read again what reaches a player whose stream may have begun with another choice."""
    chosen = Player.objects.filter(pk=player.pk).values_list("preferences", flat=True).first()
    player.preferences = chosen or {}


def reaching(player: Player, rows: QuerySet[TalkMessage]) -> QuerySet[TalkMessage]:
    level = level_of(player)
    return rows if level == ALL else rows.filter(sign__isnull=False) if level == ONLY_SIGNS else rows.none()


@dataclass(frozen=True)
class Reading:
    """A talk as one reads it. `seat` is None for an organiser, who reads and no more."""

    game: Snapshot
    player: Player
    seat: int | None

    @cached_property
    def talk(self) -> Talk:
        return Talk.objects.filter(pk=self.game.id).first() or Talk(pk=self.game.id)

    @cached_property
    def reader(self) -> TalkReader:
        found = TalkReader.objects.filter(game_id=self.game.id, player=self.player).first()
        return found or TalkReader(game_id=self.game.id, player=self.player)

    @cached_property
    def blocked(self) -> set[UUID]:
        return blocking.those_blocked_by(self.player.pk) if self.seat is not None else set()

    @property
    def messages(self) -> QuerySet[TalkMessage]:
        rows = TalkMessage.objects.filter(game_id=self.game.id).order_by("number")
        return rows if self.seat is None else reaching(self.player, rows)

    @property
    def last(self) -> int:
        newest = self.messages.order_by("-number").values_list("number", flat=True).first()
        return newest or 0

    @property
    def unread(self) -> int:
        return 0 if self.seat is None or self.reader.quiet else self.unread_rows.count()

    @property
    def unread_rows(self) -> QuerySet[TalkMessage]:
        new = self.messages.filter(number__gt=self.reader.read, gone__isnull=True)
        return new.exclude(player=self.player).exclude(player__in=self.blocked)

    @property
    def others(self) -> list[Player]:
        seated = [self.game.account_of(seat) for seat in self.game.players]
        return [one for one in seated if one is not None and one.pk != self.player.pk]

    def may(self, now: datetime) -> tuple[May | None, Reason | None]:
        allowed = {self.game.may_be_said, level_of(self.player)}
        if self.seat is None:
            return None, Reason("not_a_player", "You are reading this as an organiser. Only the players can write.")
        if (closes := closes_at(self.game)) is not None and now >= closes:
            return None, Reason("talk_over", "The chat is closed, because the game ended too long ago.")
        if (muted := mute_of(self.game, self.player, now)) is not None:
            until = f"until {muted.until:%A %d %B, %H:%M} UTC" if muted.until is not None else "any more"
            return None, Reason("muted", f"You cannot write {until}: {muted.reason}", muted.until)
        if OFF in allowed:
            return None, Reason("talk_off", "Chat is turned off at this table or in your settings.")
        if not self.others:
            return None, Reason("nobody_there", "Nobody else at this table could read your message.")
        if ONLY_SIGNS in allowed:
            return "sign", Reason("signs_only", "Only signs can be sent here.")
        return "text", None


def holds(now: datetime) -> Q:
    return Q(ended_at__isnull=True) & (Q(until__isnull=True) | Q(until__gt=now))


def mute_of(game: Snapshot, player: Player, now: datetime) -> Mute | None:
    where = Q(tournament__isnull=True) | Q(tournament=tournament_of(game))
    rows = Mute.objects.filter(holds(now), where, player=player)
    return rows.order_by(F("until").desc(nulls_first=True)).first()


def closes_at(game: Game | Snapshot) -> datetime | None:
    """When nothing more can be said: 14 days after the end, at once in a room that was called off."""
    if game.finished_at is None:
        return None
    return game.finished_at + (OPEN_FOR if game.dealt else timedelta())


def reading(game_id: UUID, player: Player) -> Reading:
    """Raises NotFound as the game itself, Forbidden (not_a_player) for whoever neither sits there nor organises."""
    game = existing(load(game_id))
    seat = game.seat_of(player)
    if seat is None and not organises(game, player):
        raise stranger(game.visibility)
    return Reading(game, player, seat)


def organises(game: Snapshot, player: Player) -> bool:
    return (tournament := tournament_of(game)) is not None and tournament in belonging.owner().organised_by(player)


def tournament_of(game: Snapshot) -> UUID | None:
    return UUID(game.belongs_to["tournament"]) if game.belongs_to is not None else None


def readers_of(game: Snapshot) -> list[str]:
    if game.belongs_to is None:
        return []
    seated = {seat.player for seat in game.players}
    ids = set(belonging.owner().organisers(game.belongs_to)) - seated
    return sorted(Player.objects.filter(pk__in=ids, closed_at=None).values_list("username", flat=True))


def messages_of(
    talk: Reading, *, after: int | None = None, before: int | None = None, limit: int = MOST_AT_ONCE
) -> list[TalkMessage]:
    """The first after a number, else the last before one, or the newest; ascending."""
    rows = talk.messages if before is None else talk.messages.filter(number__lt=before)
    if after is not None:
        return list(rows.filter(number__gt=after)[:limit])
    return list(rows.order_by("-number")[:limit])[::-1]


def shown(rows: Sequence[TalkMessage], blocked: Collection[UUID] = ()) -> list[dict[str, Any]]:
    """The messages as whoever has blocked these players reads them. One query."""
    there = Player.objects.filter(pk__in={row.player_id for row in rows}, closed_at=None)
    names = dict(there.values_list("pk", "username"))
    told = []
    for row in rows:
        hides = row.gone is None and row.player_id in blocked
        words = (None, None) if hides or row.gone else (row.text, row.sign)
        told.append(
            {
                "number": row.number,
                "at": row.at,
                "by": {"id": row.player_id, "username": names.get(row.player_id)},
                "seat": row.seat,
                "text": words[0],
                "sign": words[1],
                "version": row.version,
                "gone": "blocked" if hides else row.gone,
            }
        )
    return told


def news_for(game_id: UUID, player: Player, since: int | None) -> tuple[int, list[dict[str, Any]]]:
    """What a stream of somebody at the table says, and the number of the newest change in it.

    First, with `since` None, how much there is; then each message that is new or gone since that change.
    """
    refresh_level(player)
    talk = Reading(existing(load(game_id)), player, 0)
    if since is None:
        return talk.talk.changes, [{"last": talk.last, "unread": talk.unread}]
    return talk.talk.changes, shown(list(talk.messages.filter(changed__gt=since)), talk.blocked)


def say(
    game_id: UUID,
    player: Player,
    *,
    text: str | None = None,
    sign: str | None = None,
    count: Callable[[], None] = lambda: None,
) -> TalkMessage:
    """Say something at a table. `count` counts it, once it is known to be allowed.

    Raises as `reading` does; Forbidden (not_a_player, muted), Conflict (talk_over, talk_off, nobody_there, signs_only,
    signs_in_a_row), Invalid (text, sign; body: both or neither), and what `count` does.
    """
    at = service_clock.now()
    if (text is None) == (sign is None):
        raise Invalid("invalid", "Send either a text or a sign.", field="body")
    if sign is not None and sign not in SIGNS:
        raise Invalid("invalid", f"Unknown sign. Choose one of: {', '.join(SIGNS)}.", field="sign")
    said = None if text is None else text_in(text, LONGEST)
    with transaction.atomic():
        talk = reading(game_id, player)
        may, reason = talk.may(at)
        if reason is not None and (may is None or said is not None):
            raise (Forbidden if reason.code in ("not_a_player", "muted") else Conflict)(reason.code, reason.detail)
        row = locked(game_id)
        if sign is not None:
            _check_signs(game_id, player)
        count()
        row.last, row.changes = row.last + 1, row.changes + 1
        row.save(update_fields=["last", "changes"])
        message = TalkMessage.objects.create(
            game_id=game_id,
            number=row.last,
            player=player,
            seat=talk.seat or 0,
            text=said,
            sign=sign,
            at=at,
            version=talk.game.version,
            changed=row.changes,
        )
        # Whoever writes has read up to there.
        _read(talk.game, player, row.last)
        if said is not None:
            deaf = blocking.those_who_blocked(player.pk)
            _tell(talk.game, [one for one in talk.others if one.pk not in deaf], at)
        _wake(talk.game)
    return message


def locked(game_id: UUID) -> Talk:
    """The talk's row, made if it is missing. Whoever changes its messages, or decides about them, holds it."""
    Talk.objects.bulk_create([Talk(game_id=game_id)], ignore_conflicts=True)
    return Talk.objects.select_for_update(no_key=True).get(pk=game_id)


def _check_signs(game_id: UUID, player: Player) -> None:
    """Raises Conflict (signs_in_a_row) for a fourth one without a message of somebody else between."""
    rows = TalkMessage.objects.filter(game_id=game_id).order_by("-number")
    heard = rows.exclude(player=player).values_list("number", flat=True).first() or 0
    if rows.filter(player=player, sign__isnull=False, number__gt=heard).count() >= SIGNS_IN_A_ROW:
        raise Conflict("signs_in_a_row", f"You can send only {SIGNS_IN_A_ROW} signs in a row. Wait for an answer.")


def take_back(game_id: UUID, player: Player, number: int) -> None:
    """Take back one's own message, also when out of the talk.

    Raises NotFound (not_found, no_such_message), Forbidden (not_a_player, not_yours).
    """
    with transaction.atomic():
        game = existing(load(game_id))
        row = TalkMessage.objects.filter(game_id=game_id, number=number).first()
        if row is None or row.player_id != player.pk:
            talk = reading(game_id, player)
            if row is None or not talk.messages.filter(number=number).exists():
                raise NotFound("no_such_message", "There is no such message.")
            raise Forbidden("not_yours", "This is not your message.")
        take_out(game, [number], TalkMessage.Gone.AUTHOR)


def take_out(game: Snapshot, numbers: Sequence[int], who: str) -> None:
    """Take messages out of a talk: number, author and moment stay. Called in a transaction.

    What others than its author took out can be put back, so its words are kept, and shown to nobody.
    """
    rows = TalkMessage.objects.filter(game_id=game.id, number__in=numbers)
    if who == TalkMessage.Gone.AUTHOR:
        _change(game, rows.exclude(gone=who), text=None, sign=None, gone=who)
    else:
        _change(game, rows.filter(gone__isnull=True), gone=who)


def put_back(game: Snapshot, number: int, who: Collection[str]) -> bool:
    """Show a message again that one of these took out; return whether one had. Called in a transaction."""
    return _change(game, TalkMessage.objects.filter(game_id=game.id, number=number, gone__in=who), gone=None)


def _change(game: Snapshot, messages: QuerySet[TalkMessage], **to: str | None) -> bool:
    row = locked(game.id)
    row.changes += 1
    if changed := messages.update(**to, changed=row.changes):
        row.save(update_fields=["changes"])
        _settled(game)
        _wake(game)
    return changed > 0


def read_talk(game_id: UUID, player: Player, up_to: int) -> None:
    """Raises as `reading` does; Forbidden (not_a_player), Refused (unknown_message, 422)."""
    with transaction.atomic():
        talk = seated(game_id, player)
        if not 0 <= up_to <= talk.last:
            raise Refused("unknown_message", f"The newest message is number {talk.last}.", field="up_to")
        if up_to == 0:
            return
        _read(talk.game, player, up_to)
        _wake(talk.game, [player.pk])


def be_quiet(game_id: UUID, player: Player, quiet: bool) -> None:
    """Raises as `reading` does, and Forbidden (not_a_player)."""
    with transaction.atomic():
        talk = seated(game_id, player)
        Talk.objects.bulk_create([Talk(game_id=game_id)], ignore_conflicts=True)
        TalkReader.objects.update_or_create(game_id=game_id, player=player, defaults={"quiet": quiet})
        _settled(talk.game, [player.pk])
        _wake(talk.game, [player.pk])


def seated(game_id: UUID, player: Player) -> Reading:
    talk = reading(game_id, player)
    if talk.seat is None:
        raise Forbidden("not_a_player", "You are not a player in this game.")
    return talk


def _read(game: Snapshot, player: Player, up_to: int) -> None:
    TalkReader.objects.bulk_create([TalkReader(game_id=game.id, player=player)], ignore_conflicts=True)
    TalkReader.objects.filter(game_id=game.id, player=player).update(read=Greatest("read", up_to))
    _settled(game, [player.pk])


def _untold(game: Snapshot, player: Player) -> list[TalkMessage]:
    """What is unread and told to a player, who is in the talk: no signs, nothing of a quiet talk."""
    talk = Reading(game, player, game.seat_of(player))
    if talk.seat is None or talk.reader.quiet:
        return []
    return list(talk.unread_rows.filter(text__isnull=False))


def why_lost(game: Snapshot, one: Notification) -> str | None:
    """Why there is no point in telling a player that something was written, or None."""
    reader = Reading(game, one.player, None).reader
    upto = one.data.get("upto", reader.told)
    if any(message.number <= upto for message in _untold(game, one.player)):
        return None
    if reader.read >= upto:
        return telling.SEEN
    return channels.SWITCHED_OFF if reader.quiet or level_of(one.player) != ALL else GONE


def _summary(unread: Sequence[TalkMessage]) -> dict[str, Any]:
    authors = list(dict.fromkeys(str(one.player_id) for one in unread))[:MOST_NAMED]
    by = {f"by{at}": author for at, author in enumerate(authors, 1)}
    return {"count": len(unread), "upto": unread[-1].number, **by}


def _cause(game_id: UUID, first: int) -> str:
    return f"{TALK}:game:{game_id}:{first}"


def _settled(game: Snapshot, players: Collection[UUID] | None = None) -> dict[UUID, Notification]:
    """The last notifications of a talk to players (None: all), which say what is unread now or have lost their point.

    What was lost unseen has its point again when it is shown again. They are locked until the end of the transaction.
    """
    if players is None:
        players = [seat.player for seat in game.players if seat.player is not None]
    readers = TalkReader.objects.select_for_update().filter(game_id=game.id, player__in=players).order_by("pk")
    causes = {one.player_id: _cause(game.id, one.told) for one in readers}
    rows = Notification.objects.select_for_update(of=("self",)).select_related("player").order_by("pk")
    told = rows.filter(kind=TALK, player__in=causes, cause__in=set(causes.values()))
    last = {one.player_id: one for one in told if one.cause == causes[one.player_id]}
    for one in last.values():
        if one.lost != telling.SEEN:
            one.lost = why_lost(game, one)
            one.data = _summary(_untold(game, one.player)) if one.lost is None else one.data
    Notification.objects.bulk_update(last.values(), ["data", "lost"])
    return last


def settle_all_of(player: Player, **_: object) -> None:
    """The player hears others than before: the receiver of `blocked` and of `preferences_changed`.

    What they have read to its end stays so, however many talks that are.
    """
    unseen = Notification.objects.filter(player=player, kind=TALK).exclude(lost=telling.SEEN)
    for game_id in unseen.order_by("subject_id").values_list("subject_id", flat=True).distinct():
        if game_id is not None and (game := load(game_id)) is not None:
            with transaction.atomic():
                _settled(game, [player.pk])


@work.local(LATER)
def _tell_later(job: work.Job, now: datetime) -> None:
    game = existing(load(UUID(job.data["game"])))
    _tell(game, [one for pk, one in game.accounts.items() if str(pk) == job.data["player"]], now)


def _tell(game: Snapshot, players: Collection[Player], now: datetime) -> None:
    """Tell players that something is unread: once until they have read it, and then a day after they were told.

    Whatever went out nowhere, or was gone unseen, did not tell them. Called in a transaction.
    """
    settled = _settled(game, [one.pk for one in players])
    news: list[Notification] = []
    for player in players:
        if not (unread := _untold(game, player)):
            continue
        last, told_at = settled.get(player.pk), channels.told_since(now - TOLD_AGAIN, player, TALK, game.id)
        missed = channels.missed(last) - told_at.keys() if last is not None else set()
        if last is not None and last.lost is None:
            channels.send_again(last, missed, now)
        elif last is not None and last.lost != GONE and told_at and not missed:
            who = {"game": game.id, "player": player.pk}
            work.put(LATER, f"{game.id}:{player.pk}", who, due_at=max(told_at.values()) + TOLD_AGAIN)
        else:
            first = next(one.number for one in unread if last is None or one.number > last.data.get("upto", 0))
            TalkReader.objects.update_or_create(game_id=game.id, player=player, defaults={"told": first})
            kind, cause = the_kind(TALK, "game"), _cause(game.id, first)
            one = telling.news(player.pk, kind, cause, game.id, data=_summary(unread))
            one.after = {channel: at + TOLD_AGAIN for channel, at in told_at.items()}
            news.append(one)
    telling.tell_all(news, now)


def _wake(game: Snapshot, players: Sequence[UUID] | None = None) -> None:
    ids = players or [seat.player for seat in game.players if seat.player is not None]
    transaction.on_commit(partial(telling.told_players.publish, *map(str, ids)), robust=True)


def talks_of(player: Player, games: Sequence[UUID] | None = None) -> list[dict[str, Any]]:
    """The talks at the player's tables, or these, in which something reaches them; unread first. Four queries.

    Each has its `game` (an id), `last`, `read` and `unread`.
    """
    seated = Q(game__players__player=player) if games is None else Q(game__in=games)
    talks = Talk.objects.filter(seated, last__gt=0).order_by("-game__moved_at", "pk")
    order = list(talks.values_list("pk", flat=True))
    readers = {one.game_id: one for one in TalkReader.objects.filter(player=player, game__in=order)}
    mine = Q(player=player) | Q(player__in=blocking.those_blocked_by(player.pk))
    read = Coalesce(TalkReader.objects.filter(player=player, game=OuterRef("game")).values("read"), 0)
    new = Count("pk", filter=Q(gone__isnull=True, number__gt=read) & ~mine)
    reach = reaching(player, TalkMessage.objects.filter(game__in=order))
    rows = {row["game"]: row for row in reach.values("game").annotate(last=Max("number"), new=new)}
    found = [(readers.get(game) or TalkReader(game_id=game), rows[game]) for game in order if game in rows]
    told = [
        {"game": one.game_id, "last": row["last"], "read": one.read, "unread": 0 if one.quiet else row["new"]}
        for one, row in found
    ]
    return sorted(told, key=lambda one: one["unread"] == 0)


def sweep_talks(limit: int = 500) -> int:
    """Delete the talks that were closed 30 days ago, the oldest first; return how many."""
    closed = service_clock.now() - KEPT_FOR
    # As `closes_at` says.
    over = Q(game__finished_at__lte=closed - OPEN_FOR) | Q(game__finished_at__lte=closed, game__started_at__isnull=True)
    gone = list(Talk.objects.filter(over).order_by("game__finished_at").values_list("pk", flat=True)[:limit])
    with transaction.atomic():
        for model in (TalkMessage, TalkReader):
            model.objects.filter(game__in=gone).delete()
        Notification.objects.filter(kind=TALK, subject_id__in=gone, lost=None).update(lost=GONE)
        Talk.objects.filter(pk__in=gone).delete()
    return len(gone)


def forget_texts(player: Player, **_: object) -> None:
    """Delete what a player said whose account closes: the receiver of `accounts.signals.closing`."""
    said = TalkMessage.objects.filter(player=player.pk).exclude(gone=TalkMessage.Gone.AUTHOR)
    for game_id in said.values_list("game", flat=True).distinct():
        numbers = list(said.filter(game=game_id).values_list("number", flat=True))
        with transaction.atomic():
            take_out(existing(load(game_id)), numbers, TalkMessage.Gone.AUTHOR)


def said_by(player: Player) -> Iterator[dict[str, Any]]:
    for one in lasting.in_batches(TalkMessage.objects.filter(player=player.pk).order_by("at", "pk")):
        yield {"game": one.game_id, "number": one.number, "at": one.at, "text": one.text, "sign": one.sign}
