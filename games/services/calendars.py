"""A player's quiet hours and vacation."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.db import transaction

from config import clock as service_clock
from games import clocks
from games.models import Player
from games.refusals import Invalid
from games.services.timeouts import move_deadlines


def change_calendar(player: Player, wanted: object, *, now: datetime | None = None) -> dict[str, Any]:
    """Change the calendar from now on (keys left out stay as they are); deadlines that run move with it.

    Answers it as its player sees it. Raises Invalid (bad_calendar) with the field.
    """
    now = now or service_clock.now()
    with transaction.atomic():
        row = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        try:
            stored = clocks.change_calendar(row.preferences.get("calendar"), wanted, now)
        except clocks.ClockError as error:
            raise Invalid("bad_calendar", error.detail, field=error.field) from None
        row.preferences = {**row.preferences, "calendar": stored}
        row.save(update_fields=["preferences"])
    player.preferences = row.preferences
    # Each game by itself. Where this is cut short, or a turn began just then, the sweep finds the new deadline.
    move_deadlines(player.pk, now=now)
    return clocks.shown(stored)
