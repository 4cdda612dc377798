from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from core.refusals import Conflict, TooMany
from tournaments.stream.facts import MOST_MESSAGES, By, Fact, check_not_over, check_organiser
from tournaments.stream.state import Status, Tournament

MAX_MESSAGE = 1000
DAY = timedelta(days=1)


def send_message(t: Tournament, by: By, text: str, *, now: datetime) -> list[Fact]:
    """Write to all entrants. Raises Forbidden (not_an_organiser), Conflict (not_open), TooMany (message_limit)."""
    check_organiser(t, by)
    if t.status is Status.DRAFT:
        raise Conflict("not_open", "The registration has not been opened yet: there is nobody to write to.")
    lately = [at for at in t.messages if at > now - DAY]
    if len(lately) >= MOST_MESSAGES:
        again = lately[-MOST_MESSAGES] + DAY
        raise TooMany(
            "message_limit",
            f"{MOST_MESSAGES} messages were sent within a day, which is as many as there may be. "
            f"The next one can be sent at {again:%Y-%m-%d %H:%M} UTC.",
        )
    return [Fact("message_sent", {"text": text})]


def message_text(title: str, text: str) -> str:
    return f"The organisers of {title} write: {text}"


def add_channel(t: Tournament, by: By, data: Mapping[str, Any]) -> list[Fact]:
    """Post to one more channel; `data` lists all channels from now on. Raises Forbidden, Conflict (tournament_over)."""
    check_organiser(t, by)
    check_not_over(t)
    return [Fact("channels_changed", data)]


def drop_channels(t: Tournament, changes: Sequence[Mapping[str, Any]]) -> list[Fact]:
    """Stop posting to some channels. A tournament that is over keeps its channels in the record, but posts nothing."""
    return [] if t.is_over else [Fact("channels_changed", data) for data in changes]
