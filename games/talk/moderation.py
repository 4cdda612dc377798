"""Reports of what was said, hiding and muting: by people, with a reason, in the open."""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import Exists, OuterRef, Q, QuerySet

from core import clock as service_clock
from core import lasting
from core.accounts import auditing
from core.accounts import services as accounts
from core.accounts.models import Player
from core.notifications import services as telling
from core.notifications.kinds import the_kind
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from core.text import check_reason
from games.models import Game
from games.projections import Snapshot, load
from games.selectors import belonging
from games.services.commands import existing, text_in
from games.talk import services as talk
from games.talk.models import Mute, TalkMessage, TalkReport

WHY = ("insult", "spam", "cheating", "other")
LONGEST = 500
BEFORE = 10
KEPT = timedelta(days=180)
SPANS = {
    "hour": timedelta(hours=1),
    "day": timedelta(days=1),
    "week": timedelta(days=7),
    "month": timedelta(days=30),
    "for good": None,
}
"""How long somebody is muted; for good only by staff, who take it back."""
NOT_YOURS = "Only organisers of the tournament can do this."
DECISIONS = ("leave", "hide", "mute", "both")


def report(
    game_id: UUID,
    player: Player,
    number: int,
    why: str,
    text: str | None = None,
    *,
    count: Callable[[], None] = lambda: None,
) -> TalkReport:
    """Report a message, with a copy of it and of the ten before it as the reporter sees them. `count` counts it.

    Raises as `talk.reading` does; Forbidden (not_a_player, own_message), NotFound (no_such_message: also one that is
    gone), Invalid (why, text), Conflict (already_reported), and what `count` does.
    """
    if why not in WHY:
        raise Invalid("invalid", f"Unknown reason. Choose one of: {', '.join(WHY)}.", field="why")
    said = text_in(text, LONGEST) if text is not None and text.strip() else ""
    with transaction.atomic():
        found = talk.seated(game_id, player)
        one = found.messages.filter(number=number, gone__isnull=True).first()
        if one is None:
            raise NotFound("no_such_message", "There is no such message.")
        if one.player_id == player.pk:
            raise Forbidden("own_message", "You wrote this message yourself. Take it back instead.")
        before = talk.messages_of(found, before=number, limit=BEFORE)
        # The words that are reported are read also where the reporter had to ask to see them.
        copied = [*talk.shown(before, found.blocked), *talk.shown([one])]
        try:
            with transaction.atomic():
                made = TalkReport.objects.create(
                    game_id=game_id,
                    number=number,
                    by=player,
                    author=one.player_id,
                    why=why,
                    text=said,
                    copied=[
                        {**row, "at": row["at"].isoformat(), "by": {**row["by"], "id": str(row["by"]["id"])}}
                        for row in copied
                    ],
                    at=service_clock.now(),
                )
        except IntegrityError:
            raise Conflict("already_reported", "You have reported this message already.") from None
        count()
    return made


def hide(game_id: UUID, player: Player, number: int, reason: str) -> None:
    """Hide a message, as an organiser of the game's tournament. Its author is told why.

    Raises NotFound (as the game; no_such_message), Forbidden (not_an_organiser), Invalid (reason).
    """
    check_reason(reason, "invalid")
    with transaction.atomic():
        game = _organised(game_id, player)
        one = TalkMessage.objects.filter(game_id=game_id, number=number).first()
        if one is None:
            raise NotFound("no_such_message", "There is no such message.")
        if one.gone is None:
            talk.take_out(game, [number], TalkMessage.Gone.ORGANISER)
            auditing.write(player, auditing.Action.HID, f"game {game_id}", reason=f"message {number}: {reason}")
            _tell(one.player_id, game_id, "hidden", reason)


def show_again(game_id: UUID, player: Player, number: int) -> None:
    """Take the hiding back, as an organiser; nothing happens to one that was taken back or hidden by staff.

    Raises NotFound (as the game), Forbidden (not_an_organiser: also of one's own message).
    """
    with transaction.atomic():
        game = _organised(game_id, player)
        author = TalkMessage.objects.filter(game_id=game_id, number=number).values_list("player", flat=True).first()
        if author == player.pk:
            raise Forbidden("not_an_organiser", "You cannot decide about your own messages. Another organiser has to.")
        if talk.put_back(game, number, _hiders(is_staff=False)) and author is not None:
            auditing.write(player, auditing.Action.TOOK_BACK, f"game {game_id}", reason=f"message {number}")
            _tell(author, game_id, "taken_back")


def _organised(game_id: UUID, player: Player) -> Snapshot:
    found = talk.reading(game_id, player)
    if not talk.organises(found.game, player):
        raise Forbidden("not_an_organiser", NOT_YOURS)
    return found.game


def open_reports(moderator: Player, *, is_staff: bool) -> QuerySet[TalkReport]:
    """The reports that wait for a decision of this moderator, oldest first."""
    rows = _judged_by(moderator, is_staff=is_staff).filter(decided_at__isnull=True)
    return rows.select_related("by").order_by("at", "pk")


def _judged_by(moderator: Player, *, is_staff: bool) -> QuerySet[TalkReport]:
    """The reports that this moderator may judge: never on their own message, or on one that they reported."""
    own = TalkReport.objects.filter(game=OuterRef("game"), number=OuterRef("number"), by=moderator)
    rows = TalkReport.objects.exclude(author=moderator.pk).exclude(Exists(own))
    if is_staff:
        return rows
    return rows.filter(game__in=Game.objects.filter(tournament__in=belonging.owner().organised_by(moderator)))


def decide(
    report_id: int, moderator: Player, decision: str, reason: str, span: str = "day", *, is_staff: bool
) -> TalkReport:
    """Decide all reports on a message at once: leave it, hide it, mute its author, or both.

    The reporters are told, and the author if anything was done. Raises NotFound (not_found), Invalid (decision, span,
    reason).
    """
    check_reason(reason, "invalid")
    if decision not in DECISIONS:
        raise Invalid("invalid", f"Unknown decision. Choose one of: {', '.join(DECISIONS)}.", field="decision")
    now = service_clock.now()
    waiting = open_reports(moderator, is_staff=is_staff).filter(pk=report_id)
    with transaction.atomic():
        _alone(waiting)
        one = waiting.first()
        if one is None:
            raise NotFound("not_found", "This report has already been decided, or is not yours to decide.")
        alike = TalkReport.objects.filter(game_id=one.game_id, number=one.number, decided_at__isnull=True)
        reporters = list(alike.values_list("by", flat=True))
        alike.update(decided_at=now, decision=decision, reason=reason, decided_by=moderator.pk)
        game = existing(load(one.game_id))
        if decision in ("hide", "both"):
            talk.take_out(game, [one.number], _hiders(is_staff=is_staff)[-1])
            _tell(one.author, one.game_id, "hidden", reason)
        # A closed account has nobody to mute.
        author = Player.objects.filter(pk=one.author).first() if decision in ("mute", "both") else None
        if author is not None:
            mute(game.id, author, moderator, span, reason, is_staff=is_staff, now=now)
        auditing.write(moderator, auditing.Action.DECIDED_REPORT, f"game {one.game_id}", reason=f"{decision}: {reason}")
        what = "report_left" if decision == "leave" else "report_acted"
        for reporter in reporters:
            _tell(reporter, one.game_id, what, reason)
    return one


def _alone(reports: QuerySet[TalkReport]) -> None:
    """Hold the talk of a report: of several who decide about one message the later ones see what the first decided."""
    if (game_id := reports.values_list("game", flat=True).first()) is not None:
        talk.locked(game_id)


def decided_reports(moderator: Player, *, is_staff: bool) -> QuerySet[TalkReport]:
    """The decisions that this moderator may take back, the newest first, one report of each message."""
    rows = _decided(moderator, is_staff=is_staff).order_by("game", "number", "decided_at", "pk")
    firsts = rows.distinct("game", "number", "decided_at").values("pk")
    return TalkReport.objects.filter(pk__in=firsts).order_by("-decided_at", "-pk")


def _decided(moderator: Player, *, is_staff: bool) -> QuerySet[TalkReport]:
    """The decided reports whose decision this moderator may take back: staff every one, organisers their own."""
    rows = _judged_by(moderator, is_staff=is_staff).filter(decided_at__isnull=False)
    return rows if is_staff else rows.filter(decided_by=moderator.pk)


def take_back(report_id: int, moderator: Player, *, is_staff: bool) -> None:
    """Take a decision back: the message is shown again, the muting ends, and the reports wait again.

    Whoever was told of the decision is told of it. Raises NotFound (not_found).
    """
    taken = _decided(moderator, is_staff=is_staff).filter(pk=report_id)
    with transaction.atomic():
        _alone(taken)
        one = taken.first()
        if one is None or one.decided_at is None:
            raise NotFound("not_found", "This decision has already been taken back, or is not yours to take back.")
        if one.decision in ("hide", "both"):
            talk.put_back(existing(load(one.game_id)), one.number, _hiders(is_staff=is_staff))
        if one.decision in ("mute", "both"):
            made = Mute.objects.filter(player=one.author, at=one.decided_at, ended_at=None)
            made.update(ended_at=service_clock.now())
        alike = TalkReport.objects.filter(game_id=one.game_id, number=one.number, decided_at=one.decided_at)
        concerned = [*alike.values_list("by", flat=True), *([] if one.decision == "leave" else [one.author])]
        alike.update(decided_at=None, decision=None, reason=None, decided_by=None)
        auditing.write(
            moderator, auditing.Action.TOOK_BACK, f"game {one.game_id}", reason=f"{one.decision}: {one.reason}"
        )
        for player in concerned:
            _tell(player, one.game_id, "taken_back")


def _hiders(*, is_staff: bool) -> Sequence[str]:
    organiser, staff = TalkMessage.Gone.ORGANISER, TalkMessage.Gone.STAFF
    return (organiser, staff) if is_staff else (organiser,)


def mute(
    game_id: UUID,
    player: Player,
    moderator: Player,
    span: str,
    reason: str,
    *,
    is_staff: bool,
    now: datetime | None = None,
) -> Mute:
    """Let a player send nothing for a while: by staff everywhere, by organisers at their tournament's tables.

    It begins with something said at this table. Raises NotFound (not_found), Forbidden (not_a_player,
    not_an_organiser), Invalid (player, span, reason).
    """
    check_reason(reason, "invalid")
    if span not in SPANS or (SPANS[span] is None and not is_staff):
        raise Invalid("invalid", f"Choose one of: {', '.join(SPANS)}. Only staff can mute for good.", field="span")
    game = _moderated(game_id, moderator, is_staff=is_staff)
    if player.pk == moderator.pk:
        raise Invalid("invalid", "You cannot mute yourself.", field="player")
    at, length = now or service_clock.now(), SPANS[span]
    with transaction.atomic():
        made = Mute.objects.create(
            player=player,
            game_id=game_id,
            tournament=None if is_staff else talk.tournament_of(game),
            until=None if length is None else at + length,
            reason=reason,
            by=moderator.pk,
            at=at,
        )
        auditing.write(moderator, auditing.Action.MUTED, f"player {player.pk}", reason=f"{span}: {reason}")
        _tell(player.pk, game_id, "muted", reason)
    return made


def _moderated(game_id: UUID, moderator: Player, *, is_staff: bool) -> Snapshot:
    return existing(load(game_id)) if is_staff else _organised(game_id, moderator)


def heard_at(game_id: UUID, username: str, moderator: Player, *, is_staff: bool) -> Player:
    """The player of this name who sits at the table, or said something there, for a moderator of that table.

    Raises NotFound (not_found), Forbidden (not_a_player, not_an_organiser), Invalid (player).
    """
    game = _moderated(game_id, moderator, is_staff=is_staff)
    there = {seat.player for seat in game.players if seat.player is not None}
    there |= set(TalkMessage.objects.filter(game_id=game_id).values_list("player", flat=True))
    found = accounts.named(username)
    if found is None or found.pk not in there or found.closed_at is not None:
        raise Invalid("invalid", f"Nobody called {username} is at this table or has written here.", field="player")
    return found


def unmute(mute_id: int, moderator: Player, *, is_staff: bool) -> None:
    """Take a muting back, and tell the player. Raises NotFound (not_found)."""
    with transaction.atomic():
        rows = mutes(moderator, is_staff=is_staff).select_for_update(of=("self",)).filter(pk=mute_id)
        if (one := rows.first()) is None:
            raise NotFound("not_found", "This muting is over, or is not yours to end.")
        one.ended_at = service_clock.now()
        one.save(update_fields=["ended_at"])
        auditing.write(moderator, auditing.Action.UNMUTED, f"player {one.player_id}")
        if one.game_id is not None:
            _tell(one.player_id, one.game_id, "unmuted")


def mutes(moderator: Player, *, is_staff: bool) -> QuerySet[Mute]:
    """The mutings that hold now and that this moderator may take back: never one's own."""
    rows = Mute.objects.filter(talk.holds(service_clock.now())).exclude(player=moderator).order_by("-at")
    return rows if is_staff else rows.filter(tournament__in=belonging.owner().organised_by(moderator))


def sweep_reports() -> int:
    before = service_clock.now() - KEPT
    return TalkReport.objects.filter(decided_at__lt=before).delete()[0]


def forget_names(player: Player, **_: object) -> None:
    """Take the name of a player whose account closes off what others reported."""
    copies = TalkReport.objects.filter(Q(author=player.pk) | Q(copied__contains=[{"by": {"id": str(player.pk)}}]))
    for one in copies:
        for row in one.copied:
            if row["by"]["id"] == str(player.pk):
                row["by"]["username"] = None
        one.save(update_fields=["copied"])


def about_talk(player: Player) -> list[dict[str, Any]]:
    muted = [
        {"muted": one.at, "until": one.until, "reason": one.reason}
        for one in lasting.in_batches(Mute.objects.filter(player=player.pk).order_by("at", "pk"))
    ]
    reports = [
        {"reported": one.at, "game": one.game_id, "number": one.number, "why": one.why, "text": one.text}
        for one in lasting.in_batches(TalkReport.objects.filter(by=player.pk).order_by("at", "pk"))
    ]
    return [*muted, *reports]


def _tell(player: UUID, game_id: UUID, what: str, reason: str = "") -> None:
    cause = f"talk:game:{game_id}:{what}:{uuid4()}"
    telling.tell([player], the_kind("ruling", "game"), cause, subject_id=game_id, data={"what": what, "reason": reason})
