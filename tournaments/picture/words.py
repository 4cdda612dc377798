"""Sentences about a tournament."""

from __future__ import annotations

from datetime import datetime
from typing import TYPE_CHECKING

from games.telling.words import listed

if TYPE_CHECKING:
    from tournaments.picture.picture import Picture

KINDS = {"season": "Season", "rounds": "Rounds", "knockout": "Knockout"}
STATUSES = {
    "draft": "being set up",
    "registration": "open for registration",
    "running": "running",
    "finished": "finished",
    "cancelled": "cancelled",
}
# Why a tournament is over, where that is not what an organiser said.
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


def headline(picture: Picture) -> str:
    """Return what is going on, and who leads."""
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
        taken = f"{t.places} of {_count(limit, 'place')}" if limit else _count(t.places, "place")
        waiting = f", {len(t.queue)} on the waiting list" if t.queue else ""
        return f"{taken} taken{waiting}{invited}. It has not started yet."
    said = [*_stage(picture), *_leading(picture)]
    return " ".join(said) or "Nobody has played yet."


def how_to_enter(picture: Picture) -> str:
    """Return who may enter."""
    return _ENTRY[picture.plan.entry]


def points(total: str, *, penalties: bool) -> str:
    """A total with what it is."""
    return f"{total} penalty points a round" if penalties else f"{total} point{'' if total == '1' else 's'}"


def points_are(picture: Picture) -> str:
    """Return what the points are, where more of them is better."""
    if picture.tournament.kind == "knockout":
        last = "Points and games are those of the last table."
        return last if picture.is_over else f"Whoever is still in shares the first place. {last}"
    if picture.settings.total == "mean":
        prior = picture.settings.prior
        begins = f", after {prior} average games that everybody starts with" if prior else ""
        return f"Points a game{begins}: more is better."
    return "Points: more is better."


def dates(picture: Picture) -> list[tuple[str, datetime]]:
    """The moments that matter, with what they are."""
    t, plan = picture.tournament, picture.plan
    if t.status in ("finished", "cancelled"):
        found = [("started", t.started_at), ("ended", t.ended_at)]
    elif t.kind == "season":
        found = [("first games", plan.opens_at), ("last games begin", plan.closes_at)]
    else:
        found = [("started", t.started_at)] if t.started_at else [("starts", plan.starts_at)]
    return [(text, moment) for text, moment in found if moment is not None]


def _stage(picture: Picture) -> list[str]:
    t = picture.tournament
    if t.status != "running" or t.kind == "season":
        return []
    rounds = picture.round_rows
    if not rounds:
        return ["The first round is being seated."]
    newest = rounds[0]
    of = f" of {picture.plan.rounds}" if picture.plan.rounds and t.kind == "rounds" else ""
    if newest.closed_at is not None:
        return [f"Round {newest.number}{of} is over."]
    return [f"Round {newest.number}{of}: {newest.open_tables} of {_count(newest.tables, 'table')} still playing."]


def _leading(picture: Picture) -> list[str]:
    leaders = [row.name.text for row in picture.leaders]
    if not leaders:
        return []
    total = points(picture.leaders[0].total, penalties=picture.penalties)
    over = picture.tournament.status == "finished"
    if len(leaders) > 3:
        return [f"{len(leaders)} share the first place with {total}."]
    verb = ("won" if over else "leads") if len(leaders) == 1 else "share the first place"
    if over and picture.tournament.kind == "knockout":
        return [f"{listed(leaders)} {verb}."]
    ahead = f", {picture.lead} ahead" if picture.lead else _ahead_by(picture)
    return [f"{listed(leaders)} {verb} with {total}{ahead}."]


def _ahead_by(picture: Picture) -> str:
    """The tie-break by which the only leader is ahead of somebody with the same total."""
    second = picture.rows[1] if len(picture.leaders) == 1 and len(picture.rows) > 1 else None
    if second is None or second.place is None or second.total != picture.leaders[0].total or not second.decided_by:
        return ""
    return f", ahead of {second.name.text} by {second.decided_by}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}" if number == 1 else f"{number} {noun}s"
