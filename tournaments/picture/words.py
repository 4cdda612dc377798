"""Sentences about a tournament."""

from datetime import datetime, timedelta
from typing import TYPE_CHECKING

from games.wording import counted, listed
from tournaments.stream.entries import check_in_opens

if TYPE_CHECKING:
    from tournaments.picture.picture import Picture
    from tournaments.stream import Plan

KINDS = {"season": "Season", "rounds": "Rounds", "knockout": "Knockout"}
STATUSES = {
    "draft": "being set up",
    "registration": "open for registration",
    "running": "running",
    "finished": "finished",
    "cancelled": "cancelled",
}
# Why a tournament is over, unless an organiser gave the reason.
ENDED = {
    "organiser": "An organiser ended it.",
    "final": "The final is played.",
    "rounds": "All rounds are played.",
    "no_round": "No further table could be seated.",
    "closed": "The season is over.",
}
_ENTRY = {
    "open": "Anybody can enter.",
    "invitation": "It takes the invitation.",
    "organiser": "The organisers choose who plays.",
}


def headline(picture: "Picture") -> str:
    t = picture.tournament
    if t.status == "cancelled":
        return "It was called off."
    if t.status == "draft":
        return "Nobody can enter yet."
    if t.status == "registration":
        invited = f", {picture.invited} invited" if picture.invited else ""
        if not t.places:
            return f"Nobody has entered yet{invited}."
        limit = picture.plan.limit
        taken = f"{t.places} of {counted(limit, 'place')}" if limit else counted(t.places, "place")
        waiting = f", {len(t.queue)} on the waiting list" if t.queue else ""
        begins = f"The start was put off: {put_off(picture.plan)}." if t.put_off else "It has not started yet."
        return f"{taken} taken{waiting}{invited}. {_checked_in(picture)}{begins}"
    said = [*_stage(picture), *_still_in(picture), *_leading(picture)]
    return " ".join(said) or ("Nobody played." if t.status == "finished" else "There is no result yet.")


def so_far(picture: "Picture") -> str:
    found = [
        ("In so far", [name.text for name, is_in in picture.holders if is_in]),
        ("not checked in yet", [name.text for name, is_in in picture.holders if not is_in]),
        ("on the waiting list", [name.text for name in picture.queue]),
    ]
    said = [f"{what}: {', '.join(names)}" for what, names in found if names]
    said += [f"{picture.invited} invited"] if picture.invited else []
    text = "; ".join(said)
    return f"{text[0].upper()}{text[1:]}." if text else ""


def put_off(plan: "Plan") -> str:
    return f"too few had {'entered' if plan.check_in is None else 'checked in'}"


def _checked_in(picture: "Picture") -> str:
    there = sum(is_in for _, is_in in picture.holders)
    if picture.plan.check_in is None or not there:
        return ""
    return f"{there} of {len(picture.holders)} {'has' if there == 1 else 'have'} checked in. "


def how_to_enter(picture: "Picture") -> str:
    return _ENTRY[picture.plan.entry]


def points(total: str, *, penalties: bool) -> str:
    return f"{total} penalty points a round" if penalties else f"{total} point{'' if total == '1' else 's'}"


def points_are(picture: "Picture") -> str:
    if picture.tournament.kind == "knockout":
        last = "Points and games are those of the last table."
        return last if picture.is_over else f"Whoever is still in shares the first place. {last}"
    if picture.settings.total == "mean":
        prior = picture.settings.prior
        begins = f", after {prior} average games that everybody starts with" if prior else ""
        return f"Points a game{begins}: more is better."
    return "Points: more is better."


def dates(picture: "Picture") -> list[tuple[str, datetime]]:
    t, plan = picture.tournament, picture.plan
    if t.status in ("finished", "cancelled"):
        found = [("started", t.started_at), ("ended", t.ended_at)]
    elif t.kind == "season":
        counts_until = plan.closes_at and plan.closes_at + timedelta(seconds=plan.grace)
        found = [("first games", plan.opens_at), ("last games begin", plan.closes_at), ("last games end", counts_until)]
    elif t.started_at:
        found = [("started", t.started_at)]
    elif t.put_off:
        found = []
    else:
        found = [("check-in from", check_in_opens(plan)), ("starts", plan.starts_at)]
    return [(text, moment) for text, moment in found if moment is not None]


def _stage(picture: "Picture") -> list[str]:
    t = picture.tournament
    if t.status != "running" or t.kind == "season":
        return []
    rounds = picture.round_rows
    if not rounds:
        return ["The first round is being seated."]
    newest = rounds[0]
    of = f" of {picture.plan.rounds}" if picture.plan.rounds and t.kind == "rounds" else ""
    if newest.closed_at is not None:
        goes_on = " The organisers seat the next one." if picture.plan.pace == "manual" and t.kind == "rounds" else ""
        return [f"Round {newest.number}{of} is over.{goes_on}"]
    still_open = sorted((one for one in rounds if one.closed_at is None), key=lambda one: one.number)
    which = f"Round{'' if len(still_open) == 1 else 's'} {listed([str(one.number) for one in still_open])}{of}"
    tables, playing = sum(one.tables for one in still_open), sum(one.open_tables for one in still_open)
    if tables == 1:
        return ["The final is being played." if t.kind == "knockout" else f"{which} is being played."]
    if playing == tables:
        return [f"{which}: {tables} tables are playing."]
    return [f"{which}: {playing} of {tables} tables still playing."]


def _still_in(picture: "Picture") -> list[str]:
    t = picture.tournament
    still = sum(row.status == "in" for row in picture.rows) if t.kind == "knockout" and t.status == "running" else 0
    return [f"{still} of {len(picture.rows)} are still in."] if 1 < still < len(picture.rows) else []


def _leading(picture: "Picture") -> list[str]:
    leaders = [row.name.text for row in picture.leaders]
    over = picture.tournament.status == "finished"
    if not leaders:
        nobody = over and picture.tournament.kind == "knockout" and picture.has_games
        return ["Nobody has won: nobody was left."] if nobody else []
    total = points(picture.leaders[0].total, penalties=picture.penalties)
    if len(leaders) > 3:
        return [f"{len(leaders)} share the first place with {total} each."]
    verb = ("won" if over else "leads") if len(leaders) == 1 else "share the first place"
    if over and picture.tournament.kind == "knockout":
        return [f"{listed(leaders)} {verb}."]
    return [f"{listed(leaders)} {verb} with {total}{' each' if len(leaders) > 1 else _ahead_by(picture)}."]


def _ahead_by(picture: "Picture") -> str:
    """How far the only leader is ahead, or of whom, if the totals are equal or look so, and by which tie-break."""
    second = picture.rows[1] if len(picture.rows) > 1 else None
    looks_equal = second is not None and second.total == picture.leaders[0].total
    if picture.lead:
        return f", just ahead of {second.name.text}" if second and looks_equal else f", {picture.lead} ahead"
    if second is None or second.place is None or not looks_equal or not second.decided_by:
        return ""
    return f", ahead of {second.name.text} by {second.decided_by}"
