"""Old shapes of a game's events, converted to the newest as they are read (docs/log.md, Old shapes).

An upcast sees one event and not the game. Facts that do not follow from the event alone are null afterwards, and the
rules complete them from the state before the event (`Game.complete`).
"""

from typing import Any

from core import log
from games.projections import vocabulary as stored

# Both were off before they could be chosen.
_TH12 = {"ten_obeys_seven": False, "powerless_on_empty": False}


@log.upcast(stored.OPENED, 1)
@log.upcast(stored.STARTED, 1)
@log.upcast(stored.FINISHED, 1)
@log.upcast(stored.CALLED_OFF, 1)
def with_options_of_th12(data: dict[str, Any]) -> dict[str, Any]:
    """Schema 2 has the options of TH12, in Threes: no other game has the option `ten_wild`."""
    options = data["options"]
    return {**data, "options": {**_TH12, **options}} if "ten_wild" in options else data


@log.upcast(stored.OPENED, 2)
def with_plans(data: dict[str, Any]) -> dict[str, Any]:
    """Schema 3 has `plans` (PL10). Older rooms allow them."""
    return {**data, "plans": True}


@log.upcast("shedding.dealt", 1)
def dealt_v1_to_v2(data: dict[str, Any]) -> dict[str, Any]:
    """Schema 2 has `calls` and `who_dealt` (TC10), and the options of TH12."""
    return {**with_options_of_th12(data), "calls": None, "who_dealt": None}


@log.upcast("shedding.arranged", 1)
@log.upcast("shedding.played", 1)
@log.upcast("shedding.flipped", 1)
@log.upcast("shedding.picked_up", 1)
@log.upcast("shedding.drew", 1)
@log.upcast("shedding.turn_ended", 1)
@log.upcast("shedding.resigned", 1)
def with_calls(data: dict[str, Any]) -> dict[str, Any]:
    """Schema 2 has `calls` (TC10)."""
    return {**data, "calls": None}
