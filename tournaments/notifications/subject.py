"""What may be said of a tournament to whom, and what is to come in it."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from datetime import datetime, timedelta
from uuid import UUID

from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.notifications.kinds import About, Dated, Pair, Subject
from core.notifications.models import Notification
from core.notifications.services import PLAYED
from games.selectors import known_outages, revision, title_by
from tournaments import access, models, selectors
from tournaments.notifications.kinds import INVITED, PROPOSAL, Season
from tournaments.picture.changes import SettingChange, in_short, settings_changed
from tournaments.projections import ELECTORS, PREFIX
from tournaments.stream import Plan, Standing
from tournaments.stream.entries import check_in_opens
from tournaments.stream.events import Changed
from tournaments.stream.rounds import ends_at
from tournaments.stream.state import HOLDS_A_PLACE, UNFINISHED

A_YEAR = timedelta(days=365)
# More are not named.
MOST_NAMED = 8
HIDDEN: About = {"title": "a private tournament", "begins": "A private tournament", "link": None}


class Tournaments(Subject):
    def about(self, pairs: Collection[Pair]) -> Mapping[tuple[UUID, UUID], About]:
        """Title and link of these tournaments; two queries."""
        rows = _rows(pairs)
        hidden = access.unknown(rows, pairs)
        return {
            (who.pk, pk): {**(HIDDEN if (who.pk, pk) in hidden else _about(rows.get(pk), who)), "zone": who.zone}
            for who, pk in pairs
        }

    @ending.on_the_way_out(Right.TOURNAMENT, What.TEXTS)
    def hidden(self, pairs: Collection[Pair]) -> Collection[tuple[UUID, UUID]]:
        return access.unknown(_rows(pairs), pairs)

    def lost(self, told: Sequence[Notification], now: datetime) -> Mapping[int, str]:  # noqa: ARG002
        """NT4: calls to vote, and invitations, that were answered or have ended. Others say what happened."""
        calls = [one for one in told if one.kind == PROPOSAL.name]
        invitations = [one for one in told if one.kind == INVITED.name]
        votes = waiting_votes({one.subject_id for one in calls if one.subject_id is not None}) if calls else set()
        waiting = _waiting_invitations(invitations) if invitations else set()
        return {
            **{one.pk: PLAYED for one in calls if (one.subject_id, one.data["proposal"], one.player_id) not in votes},
            **{one.pk: PLAYED for one in invitations if one.pk not in waiting},
        }

    def concerned(self, subject_id: UUID) -> Collection[UUID]:
        return selectors.written_to(subject_id)

    def changes(self, events: Sequence[log.Event]) -> Sequence[str]:
        found: dict[str, SettingChange] = {}
        for event in events:
            if event.type == PREFIX + Changed.type:
                before, _ = selectors.settings_at(UUID(event.stream_key), event.version - 1)
                for one in settings_changed(before, Plan.from_json(event.data["plan"])):
                    found[one.path] = replace(one, was=found.get(one.path, one).was)
        return in_short([one for one in found.values() if one.was != one.now])

    def dates(self, player: Player, now: datetime) -> list[Dated]:
        """What is to come in the tournaments that the player is in; five queries."""
        entries = models.Entrant.objects.filter(player=player, standing__in=HOLDS_A_PLACE)
        rows = models.Tournament.objects.filter(pk__in=entries.values("tournament"), status__in=UNFINISHED)
        tournaments = {row.pk: row for row in rows}
        last = log.read_all({row.stream: row.version - 1 for row in tournaments.values()})
        found: list[tuple[models.Tournament, str, datetime | None, datetime, str]] = []
        for row in tournaments.values():
            plan = row.state.plan
            if row.started_at is None:
                found.append((row, f"check_in:{row.pk}", check_in_opens(plan), now, f"{row.title}: check-in begins"))
                found.append((row, f"start:{row.pk}", plan.starts_at, now, f"{row.title} starts"))
            closing = ": ".join(filter(None, (row.title, row.state.stage_title(row.state.stage))))
            found.append((row, f"close:{row.pk}", plan.closes_at, now, f"{closing} closes"))
        rounds = list(models.Round.objects.filter(tournament__in=tournaments, closed_at__isnull=True))
        outages = known_outages(min(one.state.seated_at for one in rounds), now) if rounds else []
        for one in rounds:
            row, uid = tournaments[one.tournament_id], f"round:{one.tournament_id}:{one.number}"
            said = f"{row.title}: {row.state.round_name(one.number)} ends"
            found.append((row, uid, ends_at(one.state, outages), one.state.seated_at, said))
        dated = []
        for row, uid, at, counted_from, summary in found:
            if at is not None and at > now:
                revised = last[row.stream][0].recorded_at
                sequence, since = revision(row.version, revised, outages, counted_from)
                dated.append(Dated(uid, at, since, sequence, summary, _about(row)["link"]))
        return dated


def waiting_votes(tournaments: Collection[UUID]) -> set[tuple[UUID, int, UUID | None]]:
    """Tournament, number and player of each vote that may yet be cast; three queries."""
    rows = models.Tournament.objects.filter(pk__in=tournaments)
    is_open = {(pk, number) for pk, numbers in rows.values_list("pk", "open_proposals") for number in numbers}
    entrants = models.Entrant.objects.filter(tournament__in=tournaments)
    players = {(pk, number): player for pk, number, player in entrants.values_list("tournament", "number", "player")}
    return {
        (pk, one.proposal, players[pk, int(one.entrant[1:])])
        for pk, one in ELECTORS.found(tournaments, vote=None, lost=False)
        if (pk, one.proposal) in is_open
    }


def _waiting_invitations(invitations: Sequence[Notification]) -> set[int]:
    """The primary keys of those that may yet be accepted; two queries."""
    players = {one.player_id for one in invitations}
    rows = models.Tournament.objects.in_bulk({one.subject_id for one in invitations})
    entrants = models.Entrant.objects.filter(tournament__in=rows, player__in=players)
    entries: dict[tuple[UUID | None, UUID | None], models.Entrant]
    entries = {(one.tournament_id, one.player_id): one for one in entrants}
    waiting = set()
    for one in invitations:
        row, entry = rows.get(one.subject_id), entries.get((one.subject_id, one.player_id))
        if row is None:
            continue
        is_open = {
            "entrant": entry is not None and entry.standing == Standing.INVITED.value,
            "substitute": entry is not None and entry.state.asked_for is not None,
            "replacement": any(offer["player"] == str(one.player_id) for offer in row.offers),
        }
        of_organisers = one.data["as"] == "organiser"
        if one.player_id in row.asked_organisers if of_organisers else row.ended_at is None and is_open[one.data["as"]]:
            waiting.add(one.pk)
    return waiting


def _rows(pairs: Collection[Pair]) -> dict[UUID, models.Tournament]:
    rows = models.Tournament.objects.filter(pk__in={pk for _, pk in pairs})
    return {row.pk: row for row in rows.only("title", "slug", "state", "kind", "game", "set_up_at", *access.READ)}


def _about(row: models.Tournament | None, reader: Player | None = None) -> About:
    if row is None:
        return {"title": "A tournament that no longer exists", "link": None}
    season = {"season": _season(row, reader)} if row.kind == "season" and row.visibility == "private" else {}
    return {"title": row.title, "link": row.get_absolute_url(), "round_name": row.state.round_name, **season}


def _season(row: models.Tournament, reader: Player | None) -> Season:
    plan = row.state.plan
    until = "as long as you like"
    if plan.closes_at is not None and row.opened_at is not None:
        is_year = abs(plan.closes_at - row.opened_at - A_YEAR) < timedelta(days=5)
        until = "for a year" if is_year else f"until {plan.closes_at:%-d %B %Y}"
    return Season(title_by(row.state.played), until, lambda: _goes_on(row, reader), lambda: _also_asked(row, reader))


def _goes_on(row: models.Tournament, reader: Player | None) -> bool:
    """Whether it is a season of a game in which the reader played: that is open, and asks them, from its first moment.

    One query.
    """
    asked_at_first = row.entrants.filter(player=reader, since=row.set_up_at)
    return reader is not None and row.opened_at == row.set_up_at and asked_at_first.exists()


def _also_asked(row: models.Tournament, reader: Player | None) -> list[str]:
    """Who else is asked or has come, but those who run it; one query."""
    others = row.entrants.filter(standing__in=(Standing.INVITED.value, *HOLDS_A_PLACE), player__is_active=True)
    others = others.exclude(player__in=[*row.organisers, *([reader.pk] if reader is not None else [])])
    return list(others.order_by("number").values_list("player__username", flat=True)[:MOST_NAMED])
