"""A player's quiet hours and vacation."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from games import clock as service_clock
from games import clocks
from games.models import Player
from games.refusals import Invalid
from games.services.timeouts import move_deadlines


def change_calendar(player: Player, wanted: object, *, now: datetime | None = None) -> None:
    """Change the calendar from now on (keys left out stay as they are); deadlines that run move with it.

    Raises Invalid (bad_calendar) with the field.
    """
    now = now or service_clock.now()
    store_calendar(player, wanted, now=now)
    move_deadlines(player.pk, now=now)


def store_calendar(player: Player, wanted: object, *, now: datetime | None = None) -> None:
    """The first half of `change_calendar`, where a transaction holds more than that; `move_deadlines` comes after it.

    Where the second half is cut short, or a turn began just then, the sweep finds the new deadline.
    """
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        try:
            stored = clocks.change_calendar(row.preferences.get("calendar"), wanted, now or service_clock.now())
        except clocks.ClockError as error:
            raise Invalid("bad_calendar", error.detail, field=error.field) from None
        row.preferences = {**row.preferences, "calendar": stored}
        row.save(update_fields=["preferences"])
    player.preferences = row.preferences
