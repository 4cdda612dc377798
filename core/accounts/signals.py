"""The signals that other apps can react to.

The signals are sent outside any transaction, with `player` (a `Player`) and `now` (an aware datetime). An exception of
a receiver reaches the caller.
"""

from django.dispatch import Signal

closing = Signal()
"""The account is being closed: take the player out of everything that runs.

The player can no longer log in, but the row still exists. The signal is sent again if closing was interrupted, so
receivers must be idempotent.
"""

idle_guests = Signal()
"""Guests have been away for a long time (`players`, a set of ids): a receiver returns those who still sit somewhere."""

blocked = Signal()
"""A player blocks somebody, or does so no longer."""

preferences_changed = Signal()

calendar_changed = Signal()

secured = Signal()
"""Something about the security of an account has changed: `what` is a key of telling's sentences (kind `security`)."""
