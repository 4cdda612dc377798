"""Reports of public house games, and what staff hide: by people, with a reason, in the open (as of talk, TK8)."""

from collections.abc import Callable, Iterator
from time import monotonic
from typing import Any
from uuid import UUID, uuid4

from django.db import IntegrityError, transaction
from django.db.models import QuerySet

from core import clock as service_clock
from core import lasting
from core.accounts import auditing
from core.accounts.models import Player
from core.notifications import services as telling
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from core.text import check_reason
from games.house.kinds import RULING
from games.house.models import HiddenRules, HouseGame, HouseReport
from games.house.services import NOT_FOUND, latest, listed
from games.services.commands import text_in

WHY = ("insult", "spam", "other")
LONGEST = 500
FRESH = 2.0
"""The seconds for which a process keeps what is hidden."""
_hidden: tuple[float, frozenset[str]] = (-FRESH, frozenset())


def report(
    player: Player, game_id: UUID, why: str, text: str | None = None, *, count: Callable[[], None] = lambda: None
) -> HouseReport:
    """Report a public house game, with a copy of its words. `count` counts it.

    Raises NotFound (not_found), Forbidden (own_house_game), Invalid (why, text), Conflict (already_reported), and what
    `count` does.
    """
    if why not in WHY:
        raise Invalid("invalid", f"Unknown reason. Choose one of: {', '.join(WHY)}.", field="why")
    said = text_in(text, LONGEST, breaks=True) if text is not None and text.strip() else ""
    saved = next(iter(latest(list(listed().filter(pk=game_id)))), None)
    if saved is None:
        raise NotFound("not_found", NOT_FOUND)
    if saved.row.author_id == player.pk:
        raise Forbidden("own_house_game", "This house game is your own. Change or delete it instead.")
    try:
        with transaction.atomic():
            made = HouseReport.objects.create(
                game=saved.row,
                by=player,
                author=saved.row.author_id,
                why=why,
                text=said,
                title=saved.title,
                about=saved.rules["about"],
                at=service_clock.now(),
            )
            count()
    except IntegrityError:
        raise Conflict("already_reported", "You have reported this house game already.") from None
    return made


def open_reports() -> QuerySet[HouseReport]:
    """Those that wait for a decision, oldest first."""
    return HouseReport.objects.filter(decided_at=None).select_related("by").order_by("at", "pk")


def hidden_games() -> QuerySet[HouseGame]:
    return HouseGame.objects.exclude(hidden_at=None).select_related("author").order_by("-hidden_at")


def decide(staff: Player, game_id: UUID, *, hide: bool, reason: str) -> None:
    """Hide a house game, or leave it: all reports of it are answered, and told with the reason.

    Raises NotFound (not_found: gone, or nothing to decide), Forbidden (own_house_game), Invalid (reason).
    """
    check_reason(reason, "invalid")
    with transaction.atomic():
        row = HouseGame.objects.select_for_update().filter(pk=game_id).first()
        reports = open_reports().filter(game_id=game_id)
        if (row is None or not hide) and not reports:
            raise NotFound("not_found", "This house game is gone, or no report about it is waiting for a decision.")
        if row is not None and row.author_id == staff.pk:
            raise Forbidden("own_house_game", "You cannot decide about your own house game. Other staff have to.")
        if hide and row is not None and row.hidden_at is None:
            row.hidden_at, row.hidden_why = service_clock.now(), reason
            row.save(update_fields=["hidden_at", "hidden_why"])
            hidden = [HiddenRules(digest=one) for one in row.versions.values_list("digest", flat=True)]
            HiddenRules.objects.bulk_create(hidden, ignore_conflicts=True)
            _tell(row.author_id, row.pk, "hidden", reason)
        decided = list(reports.values_list("by", flat=True))
        decision, what = ("hide", "report_acted") if hide else ("leave", "report_left")
        reports.update(decided_at=service_clock.now(), decision=decision, reason=reason)
        for reporter in decided:
            _tell(reporter, game_id, what, reason)
        action = auditing.Action.HID_RULES if hide else auditing.Action.DECIDED_REPORT
        auditing.write(staff, action, f"house game {game_id}", reason=reason)


def show_again(staff: Player, game_id: UUID) -> None:
    """Take the hiding back, and tell its author. Raises NotFound (not_found), Forbidden (own_house_game)."""
    with transaction.atomic():
        row = HouseGame.objects.select_for_update().exclude(hidden_at=None).filter(pk=game_id).first()
        if row is None:
            raise NotFound("not_found", "This house game is not hidden.")
        if row.author_id == staff.pk:
            raise Forbidden("own_house_game", "You cannot decide about your own house game. Other staff have to.")
        row.hidden_at, row.hidden_why = None, ""
        row.save(update_fields=["hidden_at", "hidden_why"])
        still = hidden_games().values("versions__digest")
        HiddenRules.objects.filter(digest__in=row.versions.values("digest")).exclude(digest__in=still).delete()
        _tell(row.author_id, row.pk, "shown")
        auditing.write(staff, auditing.Action.TOOK_BACK, f"house game {game_id}")


def is_hidden(digest: str) -> bool:
    """Whether the words of these rules are hidden; asked for each title, so a process knows it two seconds late."""
    global _hidden  # noqa: PLW0603  what this process knows
    if monotonic() - _hidden[0] >= FRESH:
        _hidden = (monotonic(), frozenset(HiddenRules.objects.values_list("digest", flat=True)))
    return digest in _hidden[1]


def reported_by(player: Player) -> Iterator[dict[str, Any]]:
    for one in lasting.in_batches(HouseReport.objects.filter(by=player).order_by("at", "pk")):
        yield {"reported": one.at, "house_game": one.game_id, "why": one.why, "text": one.text}


def _tell(player: UUID | None, game_id: UUID, what: str, reason: str = "") -> None:
    if player is not None:
        data = {"what": what, "reason": reason}
        telling.tell([player], RULING, f"house_game:{game_id}:{what}:{uuid4()}", subject_id=game_id, data=data)
