"""The kinds of notifications that games tell, each with its sentence."""

from collections.abc import Mapping
from typing import Any

from core.notifications.kinds import About, Kind
from games.notifications.words import SOMEBODY, time_ends
from games.rules.words import ordinal

GAME = "game"


def _turn(about: About, data: Mapping[str, Any]) -> str:
    plan = " Your plan does not say what to do here." if data.get("plan") == "no line fits" else ""
    return f"Your turn: {about['title']}.{plan}"


def _reminder(about: About, data: Mapping[str, Any]) -> str:
    return f"Still your turn: {about['title']}. {time_ends(about, data['due'])}"


def _invited(about: About, data: Mapping[str, Any]) -> str:
    again = " again" if data.get("rematch") else ""
    host = about["names"].get(data["by"], SOMEBODY)
    return f"{host} invites you to play{again}: {about['title']}."


def _door(about: About) -> str | None:
    return about.get("door")


def _full(about: About, _: Mapping[str, Any]) -> str:
    return f"Your table is full and waiting for you to start: {about['title']}."


def _started(about: About, _: Mapping[str, Any]) -> str:
    return f"The game has started: {about['title']}."


def _finished(about: About, data: Mapping[str, Any]) -> str:
    if data.get("called_off"):
        return f"The game was called off: {about['title']}."
    place = about.get("place")
    came = "A bot finished it for you:" if about.get("by_bot") else "You came"
    return f"The game is over: {about['title']}." + (f" {came} {ordinal(place)}." if place is not None else "")


_TIMEOUTS = {
    "play": "You ran out of time, so a move was made for you",
    "bot": "You ran out of time, so a bot plays for you now",
    "resign": "You ran out of time, so you are out of the game",
}


def _timed_out(about: About, data: Mapping[str, Any]) -> str:
    return f"{_TIMEOUTS[data['action']]}: {about['title']}."


_SEATS = {
    "bot": "A bot now plays for you",
    "replaced": "Somebody else now plays in your seat",
    "taken": "You have taken over somebody else's seat",
    "kicked": "You were removed from the table",
    "back": "You have your seat back",
}


def _seat(about: About, data: Mapping[str, Any]) -> str:
    reason = f" Reason: {data['reason']}" if data.get("reason") else ""
    return f"{_SEATS[data['how']]}: {about['title']}.{reason}"


def _changed(about: About, data: Mapping[str, Any]) -> str:
    if "call_off_by" in data:
        who = about["names"].get(data["call_off_by"], SOMEBODY)
        return f"{who} wants to call the game off, if everyone agrees: {about['title']}."
    said = ["The rules of the table have changed"] if data["rules"] else []
    said += [f"This table now posts to a channel ({service})" for service in data["added"]]
    said += [f"The table no longer posts to a channel ({service})" for service in data["removed"]]
    return f"{'. '.join(said)}: {about['title']}."


RULINGS = {
    "extended": "You have more time for your turn",
    "voided": "The game no longer counts",
    "restored": "The game counts again",
}


def _ruling(about: About, data: Mapping[str, Any]) -> str:
    reason = f" Reason: {data['reason']}" if data["reason"] else ""
    return f"{RULINGS[data['what']]}: {about['title']}.{reason}"


TURN = Kind("turn", GAME, _turn, hook="game.turn", button="Go to the table")
REMINDER = Kind("reminder", GAME, _reminder, hook="game.reminder", button="Go to the table")
INVITED = Kind("invited", GAME, _invited, people=("by",), link=_door, button="See the table")
FULL = Kind("full", GAME, _full, button="Start the game")
STARTED = Kind("started", GAME, _started, hook="game.started", button="See the table")
FINISHED = Kind("finished", GAME, _finished, hook="game.finished", button="See the table")
TIMED_OUT = Kind("timed_out", GAME, _timed_out, hook="game.timed_out", button="See the table")
SEAT = Kind("seat", GAME, _seat, button="See the table", parting=True)
CHANGED = Kind("changed", GAME, _changed, people=("call_off_by",), button="See the table")
RULING = Kind("ruling", GAME, _ruling, button="See the table")

KINDS = (TURN, REMINDER, INVITED, FULL, STARTED, FINISHED, TIMED_OUT, SEAT, CHANGED, RULING)
# The kinds that are pointless once the game is over.
BEFORE_THE_END = (TURN.name, REMINDER.name, INVITED.name, FULL.name, STARTED.name, CHANGED.name)
