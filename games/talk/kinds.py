"""What players are told of a talk, and of decisions about it."""

from collections.abc import Mapping
from typing import Any

from core.notifications.kinds import About, Kind
from games.notifications.kinds import GAME
from games.notifications.words import SOMEBODY
from games.rules.words import counted, listed
from games.talk.services import why_lost

AUTHORS = ("by1", "by2", "by3")
RULINGS = {
    "hidden": "One of your messages was hidden",
    "muted": "You cannot write at tables for a while",
    "unmuted": "You can write at tables again",
    "taken_back": "A decision about a message was reversed",
    "report_left": "The message that you reported was left as it is",
    "report_acted": "Action was taken on your report",
}


def _talk(about: About, data: Mapping[str, Any]) -> str:
    authors = [about["names"].get(data[field], SOMEBODY) for field in AUTHORS if field in data]
    return f"{listed(authors)} wrote at {about['title']}: {counted(data['count'], 'message')}."


TALK = Kind("talk", GAME, _talk, hook="game.talk", people=AUTHORS, button="Read it at the table", lost=why_lost)
