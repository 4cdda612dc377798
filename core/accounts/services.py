"""Everything that changes an account. `now` defaults to the service's clock."""

import logging
from collections.abc import Callable, Collection, Mapping
from datetime import datetime
from typing import Any
from uuid import UUID

from celery import shared_task
from django.contrib import auth
from django.contrib.auth.hashers import make_password
from django.contrib.sessions.backends.base import SessionBase
from django.db import IntegrityError, connection, transaction

from core import calendars
from core import clock as service_clock
from core.accounts import addresses, auditing, ending, names, signals
from core.accounts.ending import Right, What
from core.accounts.login import sessions, tokens
from core.accounts.models import Player, Token
from core.refusals import Conflict, Forbidden, check_seen, errors_in, invalid
from core.text import check_reason
from core.wakeups import Task

# How often the rest of a closing is tried before it is left to a worker: others may be writing to the same rows.
AT_ONCE = 3
_sweep = Task("core.accounts.tasks.finish_closing", lost="the rest of a closing waits for the next sweep")

logger = logging.getLogger(__name__)


def sign_up(username: str, password: str) -> Player:
    """Create an account. Name and password must have been validated. Raises Conflict (username_taken)."""
    hashed = make_password(password)
    return added(Player(username=username, password=hashed, date_joined=service_clock.now()))


def added(player: Player) -> Player:
    """Insert a new account. Raises Conflict (username_taken)."""
    try:
        with transaction.atomic():
            player.save(force_insert=True)
    except IntegrityError:
        raise username_taken() from None
    return player


def authenticate(username: str, password: str, *, address: str = "") -> Player | None:
    """The active account with this name, or verified address, and password; else None, as slowly."""
    player = named(username) or (addresses.owner_of(address) if address else None)
    if player is None:
        make_password(password)
        return None
    return player if player.check_password(password) and player.is_active else None


def listed_players(players: Collection[UUID]) -> dict[UUID, str]:
    """The names of players who may be shown to others: the account exists and has not opted out."""
    there = Player.objects.filter(pk__in=players, closed_at__isnull=True)
    there = there.exclude(preferences__contains={"unlisted": True})
    return dict(there.values_list("pk", "username"))


def named(username: str) -> Player | None:
    if "\0" in username:
        return None
    try:
        return Player.objects.get_by_natural_key(Player.normalize_username(username))
    except Player.DoesNotExist:
        return None


def change_profile(
    player: Player,
    *,
    username: str | None = None,
    preferences: Mapping[str, bool | str] | None = None,
    calendar: object = None,
    handles: Mapping[str, object] | None = None,
    if_match: Callable[[Player], bool] | None = None,
) -> None:
    """Change what is given, all or nothing.

    Raises Stale (if_match), Conflict (username_taken), Invalid (bad_calendar, bad_handle).
    """
    now = service_clock.now()
    try:
        with transaction.atomic():
            row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
            check_seen(row, if_match)
            if username is not None:
                row.username = username
            if preferences is not None:
                row.preferences = {**row.preferences, **preferences}
            if handles is not None:
                row.handles = names.changed_handles(row.handles, handles)
            before = row.calendar
            if calendar is not None:
                _change_calendar(row, calendar, now)
            row.save(update_fields=["username", "preferences", "handles", "quiet_hours", "vacation"])
    except IntegrityError:
        raise username_taken() from None
    player.username, player.preferences = row.username, row.preferences
    player.handles = row.handles
    player.quiet_hours, player.vacation = row.quiet_hours, row.vacation
    if preferences is not None:
        signals.preferences_changed.send(sender=Player, player=player, now=now)
    if row.calendar != before:
        signals.calendar_changed.send(sender=Player, player=player, now=now)


def change_password(player: Player, password: str) -> None:
    """Set a new password, which must have been validated.

    Raises Forbidden (wrong_password): since the account was read, its standing has changed.
    """
    same = tokens.same(player)
    player.set_password(password)
    if not same.update(password=player.password):
        raise Forbidden("wrong_password", "Your account has just been logged out everywhere. Log in again.")


def set_password(player: Player, password: str, *, session: str | None = None, token: Token | None = None) -> None:
    """Set a new password, which must have been validated; see `password_changed`."""
    change_password(player, password)
    password_changed(player, session=session, token=token)


def password_changed(player: Player, *, session: str | None = None, token: Token | None = None) -> None:
    """What goes with the old password ends: all sessions and tokens but these two. The owner is told."""
    player.keep()
    with transaction.atomic():
        ending.ended(Right.PASSWORD, player=player, session=session, token=token)
    signals.secured.send(sender=Player, player=player, what="password", now=service_clock.now())


@ending.at_once(Right.PASSWORD, What.LOGINS)
@ending.at_once(Right.ACCOUNT, What.LOGINS)
def end_log_ins(*, player: Player, session: str | None = None, token: Token | None = None, **_: Any) -> None:
    tokens.revoke_all(player, keep=token)
    sessions.revoke_all(player, keep=session)


def log_out_everywhere(player: Player) -> None:
    """End what a new password ends, all sessions and tokens among it. The owner is told."""
    with transaction.atomic():
        sessions.end_standing(player)
        ending.ended(Right.PASSWORD, player=player)
    signals.secured.send(sender=Player, player=player, what="everywhere", now=service_clock.now())


def log_out_others(player: Player, session: SessionBase) -> None:
    """End all sessions but this one, and what was begun."""
    with transaction.atomic():
        sessions.end_standing(player)
        sessions.revoke_all(player, keep=session.session_key)
        session[auth.HASH_SESSION_KEY] = player.get_session_auth_hash()
        session.save()


def close(player: Player, *, now: datetime | None = None) -> None:
    """Close and delete an account, after receivers of `signals.closing` took the player out of games and tournaments.

    It is closed for good at once. What is in the way of the rest is logged, and `finish_closing` continues.
    """
    now = now or service_clock.now()
    with transaction.atomic():
        Player.objects.filter(pk=player.pk).update(is_active=False, closed_at=now)
        ending.ended(Right.ACCOUNT, player=player)
    player.is_active, player.closed_at = False, now
    if not any(_finished(player, now) for _ in range(AT_ONCE)):
        _sweep.send()


def suspend(player: Player, by: Player, reason: str) -> None:
    """Lock an account out: its tokens and sessions end at once. Its running games go on; their clocks decide.

    Raises Invalid (bad_reason), Forbidden (not_suspendable), Conflict (already_suspended, account_closing).
    """
    with transaction.atomic():
        row = to_judge(player, by, reason)
        if not row.is_active:
            raise Conflict("already_suspended", f"{row.username} is suspended already.")
        Player.objects.filter(pk=row.pk).update(is_active=False)
        ending.ended(Right.ACCOUNT, player=row)
        auditing.write(by, auditing.Action.SUSPENDED, f"player {row.pk}", reason=reason)
    player.is_active, player.logged_out = False, row.logged_out


def let_back(player: Player, by: Player, reason: str) -> None:
    """End a suspension. Raises as `suspend` (Conflict: not_suspended)."""
    with transaction.atomic():
        row = to_judge(player, by, reason)
        if row.is_active:
            raise Conflict("not_suspended", f"{row.username} is not suspended.")
        Player.objects.filter(pk=row.pk).update(is_active=True)
        auditing.write(by, auditing.Action.LET_BACK, f"player {row.pk}", reason=reason)
    player.is_active = True


def revoke_access(player: Player, by: Player, reason: str) -> None:
    with transaction.atomic():
        row = to_judge(player, by, reason)
        log_out_everywhere(row)
        auditing.write(by, auditing.Action.REVOKED_ACCESS, f"player {row.pk}", reason=reason)
    player.logged_out = row.logged_out


def may_judge(player: Player, by: Player) -> bool:
    """Return whether `by` may suspend the account: staff may suspend others but not staff, superusers staff, too."""
    if player.pk == by.pk or not by.is_active:
        return False
    return by.is_superuser or (by.is_staff and not player.acts_as_staff)


def to_judge(player: Player, by: Player, reason: str) -> Player:
    """Lock the account. Raises Invalid (bad_reason), Conflict (account_closing), Forbidden (not_suspendable)."""
    check_reason(reason)
    row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
    if row.closed_at is not None:
        raise Conflict("account_closing", "This account is being closed.")
    if not may_judge(row, by):
        raise Forbidden(
            "not_suspendable", "Only a superuser may do this to a member of staff, and nobody may do it to themselves."
        )
    return row


@shared_task(name="core.accounts.tasks.finish_closing")
def finish_closing() -> int:
    now = service_clock.now()
    return sum(_finished(player, now) for player in list(Player.objects.filter(closed_at__isnull=False)))


def _finished(player: Player, now: datetime) -> bool:
    try:
        signals.closing.send(sender=Player, player=player, now=now)
        with transaction.atomic():
            # Until it is gone, nobody writes a row that refers to it.
            row = Player.objects.select_for_update().filter(pk=player.pk).first()
            if row is not None:
                row.delete()
    except Exception:
        logger.exception("the account %s is closed, but not gone yet", player.pk)
        if not connection.is_usable():
            connection.close()
        return False
    return True


def _change_calendar(row: Player, wanted: object, now: datetime) -> None:
    def change(part: object) -> dict[str, Any]:
        return calendars.change_calendar(row.calendar, part, now)

    if errors := errors_in(wanted, change, calendars.ClockError):
        raise invalid("bad_calendar", errors)
    stored = change(wanted)
    row.quiet_hours, row.vacation = stored["hours"], stored["vacation"]


def username_taken() -> Conflict:
    detail = "This username is taken, or looks too much like one that is. Choose another."
    return Conflict("username_taken", detail, field="username")
