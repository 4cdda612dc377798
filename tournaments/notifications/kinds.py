"""The kinds of notification about a tournament, and their sentences."""

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from functools import partial
from typing import Any, NamedTuple

from django.utils.text import capfirst

from core.notifications.kinds import About, Kind
from games.rules.words import counted, listed
from tournaments.picture.wording import ordinal
from tournaments.stream import life
from tournaments.stream.events import rulings

TOURNAMENT = "tournament"


class Season(NamedTuple):
    """What an invitation to a private season says of it. `goes_on` and `others` read who was asked, and when."""

    game: str
    until: str
    goes_on: Callable[[], bool]
    others: Callable[[], list[str]]


def _begins(about: About) -> str:
    return str(about.get("begins", about["title"]))


def _round(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] in OF_STAGE:
        return _stage(about, data)
    number, title = data["round"], about["title"]
    named = _round_name(about, number)
    return {
        "seated": f"{named} of {title} is seated: you play at table {data.get('table')}.",
        "bye": f"{named} of {title} is seated: you have a bye.",
        "closed": f"{named} of {title} is over. The standings have been updated.",
    }[data["what"]]


def _round_name(about: About, number: int) -> str:
    return capfirst(about["round_name"](number)) if "round_name" in about else f"Round {number}"


OF_STAGE = ("over", "next", "through", "out")


def _stage(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] in ("over", "next"):
        return f"{_begins(about)}: {_in_the_break(about, data)}"
    if data["what"] == "through":
        return f"{_begins(about)}: {data['stage']} begins. You're in, seeded {data['number']}."
    place = "You are out" if data["place"] is None else f"You came {ordinal(data['place'])}"
    last = about.get("names", {}).get(data.get("level"), "the last to go through")
    apart = f": level with {last}, separated by {data['apart']}" if data["apart"] else ""
    return f"{_begins(about)}: {data['stage']} begins without you. {place}{apart}."


def _in_the_break(about: About, data: Mapping[str, Any]) -> str:
    """SG11: who is through as things stand, and who is the first in line."""
    stage, zone = data.get("stage", "the next stage"), about.get("zone")
    by = f"before {stage} begins"
    if data["until"] is not None:
        until = f"{datetime.fromisoformat(data['until']).astimezone(zone or UTC):%-d %B, %H:%M}"
        by = f"by {until}" if zone else f"by {until} UTC"
    if data["what"] == "next":
        return f"you're first in line for {stage}. You move up if a player who is through withdraws {by}."
    moved = ""
    if data.get("moved_up"):
        # In place of a bot, or where fewer were through than go on: for nobody.
        instead = about.get("names", {}).get(data["instead"], "another player")
        moved = f"you move up to {stage} for {instead}. " if data["instead"] else f"you move up to {stage}. "
    through = "as things stand, you're through."
    withdraw = f"Can't play? Withdraw {by}, on the tournament's page."
    return f"{moved}{capfirst(through) if moved else through} {withdraw}"


def _end(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] == "message":
        return life.message_text(about["title"], data["text"])
    if data["what"] == "cancelled":
        return f"{_begins(about)} was cancelled. Reason: {data['reason']}"
    if data["what"] == "put_off":
        return f"The start of {about['title']} was postponed: {data['why']}. Start it when you are ready."
    if data["what"] == "overdue":
        tables = counted(data["tables"], "table is", "tables are")
        return f"{_round_name(about, data['round'])} of {about['title']} is overdue: {tables} still open."
    came = f" You came {ordinal(place)}." if (place := data.get("place")) is not None else ""
    return {
        "entered": f"You now have a place in {about['title']}.",
        "registered": f"You now have a place in {about['title']}. Check in before it starts.",
        "missed": f"{_begins(about)} starts without you: you did not check in, so you are on the waiting list.",
        "finished": f"{_begins(about)} is over.{came} The final standings are out.",
    }[data["what"]]


RULED = {event: ruled.told for event, ruled in rulings().items() if ruled.told}
# Not rulings, some without a reason.
RULED |= {
    "taken": "You are taking over for somebody",
    "corrected": "One of your results was corrected",
    "turn_extended": "You have more time for a turn",
    "withdrew": "The organisers have withdrawn you",
    "organiser_removed": "You are no longer an organiser",
}


def _ruling(about: About, data: Mapping[str, Any]) -> str:
    reason = "" if data["reason"] is None else f" Reason: {data['reason']}"
    return f"{RULED[data['what']]}: {about['title']}.{reason}"


def _proposal(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] == "last_day":
        return f"You have one day left to vote on proposal {data['proposal']} of {about['title']}."
    return f"Proposal {data['proposal']} of {about['title']} is open. You can vote on new rules."


def _asked_to_a_season(about: About, host: str) -> str:
    """Who asks whom to what: "Ada asks you and Cho to play on: Castle, for a year, whenever you like"."""
    season: Season = about["season"]
    whom = listed(["you", *season.others()])
    on = "play on" if season.goes_on() else f"play in {about['title']}"
    return f"{host} invites {whom} to {on}: {season.game}, {season.until}, whenever you like, with standings."


def _invited(about: About, data: Mapping[str, Any]) -> str:
    host = about["names"].get(data.get("by"))
    if data["as"] == "entrant" and host is not None and "season" in about:
        return _asked_to_a_season(about, host)
    # Whoever may not see it any more is not told who asked.
    asks = f"{host} invites you" if host is not None and about["link"] else "You are invited"
    return {
        "entrant": f"{asks} to play in {about['title']}.",
        "organiser": f"You have been invited to organise {about['title']}.",
        "substitute": (
            f"Will you replace a player in {about['title']} who did not show up? You have 12 hours to accept."
        ),
        "replacement": f"Will you take over for a player in {about['title']}? You have 12 hours to accept.",
    }[data["as"]]


def _changed(about: About, data: Mapping[str, Any]) -> str:
    said = [f"The settings of {about['title']} have changed."] if data["rules"] else []
    if about["link"]:  # whoever may not see it any more reads none of its settings
        said += data.get("changes", ())
    said += [f"{_begins(about)} now posts to a channel ({service})." for service in data["added"]]
    said += [f"{_begins(about)} no longer posts to a channel ({service})." for service in data["removed"]]
    return " ".join(said)


_kind = partial(Kind, subject=TOURNAMENT, button="See the tournament")

INVITED = _kind("invited", sentence=_invited, people=("by",))
ROUND = _kind("round", sentence=_round, hook="tournament.round", people=("level", "instead"))
END = _kind(
    "tournament",
    sentence=_end,
    hook="tournament.finished",
    hooked=lambda data: data["what"] in ("finished", "cancelled"),
    as_one=True,
)
CHANGED = _kind("changed", sentence=_changed)
RULING = _kind("ruling", sentence=_ruling, hook="tournament.ruling", parting=True)
PROPOSAL = _kind("proposal", sentence=_proposal, hook="tournament.proposal")
KINDS = (INVITED, ROUND, END, CHANGED, RULING, PROPOSAL)
