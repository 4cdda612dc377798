"""A way in without mail: a link that an operator gives to a member who lost the password. It works once, for a day.

Nothing is stored. The link carries the standing of both accounts, so it ends with the member's next password, and
when the operator loses the right to give one.
"""

import hashlib
from datetime import datetime, timedelta
from uuid import UUID

from django.core import signing
from django.db import transaction

from core import clock as service_clock
from core.accounts import auditing, ending, services, signals
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.refusals import Forbidden, NotFound

LASTS = timedelta(days=1)
RIGHT = "accounts.give_way_in"
_SALT = "trey.way_in"


def may_give(player: Player, by: Player) -> bool:
    """Return whether `by` may give the player a link: staff with the right, of staff and superusers a superuser."""
    return player.is_active and by.has_perm(RIGHT) and services.may_judge(player, by)


def give(player: Player, by: Player, reason: str) -> tuple[str, datetime]:
    """Return the secret of a link, and when it expires; the owner is told, and it is audited.

    Raises Invalid (bad_reason), Conflict (account_closing), Forbidden (not_suspendable, no_way_in).
    """
    now = service_clock.now()
    with transaction.atomic():
        row = services.to_judge(player, by, reason)
        if not may_give(row, by):
            raise Forbidden("no_way_in", f"You cannot give {row.username} a link to a new password.")
        auditing.write(by, auditing.Action.WAY_IN, f"player {row.pk}", reason=reason)
        signals.secured.send(sender=Player, player=row, what="way_in", now=now)
    until = now + LASTS
    given = [str(row.pk), _standing(row), str(by.pk), _standing(by), until.isoformat()]
    return signing.dumps(given, salt=_SALT), until


@ending.on_the_way_out(Right.PASSWORD, What.WAYS_IN)
@ending.on_the_way_out(Right.ACCOUNT, What.WAYS_IN)
def player_of(secret: str) -> Player:
    """The member to whom a link leads. Raises NotFound (link_used)."""
    try:
        player_id, standing, by_id, standing_of_by, until = signing.loads(secret, salt=_SALT)
    except signing.BadSignature:
        raise _no_link() from None
    found = Player.objects.in_bulk([UUID(player_id), UUID(by_id)])
    player, by = found.get(UUID(player_id)), found.get(UUID(by_id))
    if player is None or by is None or datetime.fromisoformat(until) <= service_clock.now():
        raise _no_link()
    if (_standing(player), _standing(by)) != (standing, standing_of_by) or not may_give(player, by):
        raise _no_link()
    return player


def use(player: Player, password: str) -> None:
    """Set the new password, which must have been validated; the second factor stays. Raises NotFound (link_used)."""
    try:
        services.set_password(player, password)
    except Forbidden:
        # Somebody was faster with the same link.
        raise _no_link() from None


def _standing(player: Player) -> str:
    return hashlib.sha256(player.get_session_auth_hash().encode()).hexdigest()


def _no_link() -> NotFound:
    return NotFound("link_used", "This link was used, has expired or was taken back. Ask for a new one.")
