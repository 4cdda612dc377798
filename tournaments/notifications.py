"""Notifications of tournaments (NT1), and messages to channels (NT7). Players are those of an entrant as it is read."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from django.urls import reverse
from django.utils.text import capfirst

from core import clock as service_clock
from core import log
from core.accounts import ending
from core.accounts.ending import Right, What
from core.accounts.models import Player
from core.chatting import Message
from core.jobs import services as work
from core.notifications import endpoints, kinds
from core.notifications import services as telling
from core.notifications.endpoints import RESULT, STANDINGS
from core.notifications.endpoints import ROUND as A_ROUND
from core.notifications.kinds import About, Dated, Kind, Pair, Subject
from core.notifications.models import Notification, Posting
from core.notifications.posting import absolute
from core.notifications.services import PLAYED
from games.notifications.following import STALE
from games.wording import listed
from tournaments import access, models, selectors
from tournaments.picture.wording import TIE_BREAKS, decimals, ordinal, texts_of
from tournaments.projections import PREFIX
from tournaments.stream import Plan, Standing, life
from tournaments.stream.entries import check_in_opens
from tournaments.stream.rulings import BY_EVENT
from tournaments.stream.state import UNFINISHED

TOURNAMENT = "tournament"
HIDDEN: About = {"title": "a private tournament", "begins": "A private tournament", "link": None}
LAST_DAY = timedelta(days=1)
JOB = "tournaments.last_day"
# Those who still play: they are told of the end of a round, of the tournament, and the like.
PLAYING = (Standing.IN.value, Standing.REGISTERED.value)


class Tournaments(Subject):
    def about(self, pairs: Collection[Pair]) -> Mapping[tuple[UUID, UUID], About]:
        """Title and link of these tournaments; two queries."""
        rows = _rows(pairs)
        hidden = access.unknown(rows, pairs)
        return {(who.pk, pk): HIDDEN if (who.pk, pk) in hidden else _about(rows.get(pk)) for who, pk in pairs}

    @ending.on_the_way_out(Right.TOURNAMENT, What.TEXTS)
    def hidden(self, pairs: Collection[Pair]) -> Collection[tuple[UUID, UUID]]:
        return access.unknown(_rows(pairs), pairs)

    def lost(self, told: Sequence[Notification], now: datetime) -> Mapping[int, str]:  # noqa: ARG002
        """NT4: calls to vote, and invitations, that were answered or have ended. Others say what happened."""
        calls = [one for one in told if one.kind == PROPOSAL.name]
        invitations = [one for one in told if one.kind == INVITED.name]
        votes = _waiting_votes({one.subject_id for one in calls if one.subject_id is not None}) if calls else set()
        waiting = _waiting_invitations(invitations) if invitations else set()
        return {
            **{one.pk: PLAYED for one in calls if (one.subject_id, one.data["proposal"], one.player_id) not in votes},
            **{one.pk: PLAYED for one in invitations if one.pk not in waiting},
        }

    def concerned(self, subject_id: UUID) -> Collection[UUID]:
        return selectors.written_to(subject_id)

    def dates(self, player: Player, now: datetime) -> list[Dated]:
        """What is to come in the tournaments that the player is in (AP28); two queries."""
        entries = models.Entrant.objects.filter(player=player, standing__in=PLAYING)
        rows = models.Tournament.objects.filter(pk__in=entries.values("tournament"), status__in=UNFINISHED)
        tournaments = {row.pk: row for row in rows}
        found: list[tuple[models.Tournament, str, datetime | None, datetime, str]] = []
        for row in tournaments.values():
            plan, since = Plan.from_json(row.plan), row.opened_at or row.set_up_at
            if row.started_at is None:
                found.append((row, f"check_in:{row.pk}", check_in_opens(plan), since, f"{row.title}: check-in begins"))
                found.append((row, f"start:{row.pk}", plan.starts_at, since, f"{row.title} starts"))
            found.append((row, f"close:{row.pk}", plan.closes_at, since, f"{row.title} closes"))
        for one in models.Round.objects.filter(tournament__in=tournaments, closed_at__isnull=True):
            row, uid = tournaments[one.tournament_id], f"round:{one.tournament_id}:{one.number}"
            found.append((row, uid, one.deadline_at, one.seated_at, f"{row.title}: {row.round_name(one.number)} ends"))
        return [
            Dated(uid, at, since, row.version, summary, _about(row)["link"])
            for row, uid, at, since, summary in found
            if at is not None and at > now
        ]

    def announce(self, posting: Posting, service: str, now: datetime) -> Message:  # noqa: ARG002
        return announcement(posting)


def _waiting_votes(tournaments: Collection[UUID]) -> set[tuple[UUID, int, UUID | None]]:
    """Tournament, number and player of each vote that may yet be cast; three queries."""
    rows = models.Tournament.objects.filter(pk__in=tournaments)
    is_open = {(pk, number) for pk, numbers in rows.values_list("pk", "open_proposals") for number in numbers}
    entrants = models.Entrant.objects.filter(tournament__in=tournaments)
    players = {(pk, number): player for pk, number, player in entrants.values_list("tournament", "number", "player")}
    electors = models.Elector.objects.filter(tournament__in=tournaments, vote__isnull=True, lost=False)
    votes = electors.values_list("tournament", "proposal", "number")
    return {(pk, proposal, players[pk, number]) for pk, proposal, number in votes if (pk, proposal) in is_open}


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
            "substitute": entry is not None and entry.asked_for is not None,
            "replacement": any(offer["player"] == str(one.player_id) for offer in row.offers),
        }
        of_organisers = one.data["as"] == "organiser"
        if one.player_id in row.asked_organisers if of_organisers else row.ended_at is None and is_open[one.data["as"]]:
            waiting.add(one.pk)
    return waiting


def _rows(pairs: Collection[Pair]) -> dict[UUID, models.Tournament]:
    rows = models.Tournament.objects.filter(pk__in={pk for _, pk in pairs})
    return {row.pk: row for row in rows.only("title", "slug", "plan", "begun", "seated", *access.READ)}


def _about(row: models.Tournament | None) -> About:
    if row is None:
        return {"title": "A tournament that is gone", "link": None}
    link = reverse("tournament-page", args=[row.slug])
    return {"title": row.title, "link": link, "round_name": row.round_name}


def _begins(about: About) -> str:
    return str(about.get("begins", about["title"]))


def _round(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] in OF_STAGE:
        return _stage(about, data)
    number, title = data["round"], about["title"]
    named = capfirst(about["round_name"](number)) if "round_name" in about else f"Round {number}"
    return {
        "seated": f"{named} of {title} is seated: you play at table {data.get('table')}.",
        "bye": f"{named} of {title} is seated: you have a bye.",
        "closed": f"{named} of {title} is over. The standings are new.",
    }[data["what"]]


OF_STAGE = ("over", "through", "out")


def _stage(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] == "over":
        until = f"{datetime.fromisoformat(data['until']):%d %B, %H:%M}".lstrip("0")
        return f"{_begins(about)}: through as it stands; say so by {until} UTC if you cannot play."
    if data["what"] == "through":
        return f"{_begins(about)}: {data['stage']} begins. You are through as number {data['number']}."
    place = "out" if data["place"] is None else ordinal(data["place"])
    last = about.get("names", {}).get(data.get("level"), "the last who goes on")
    apart = f": level with {last}, apart by {data['apart']}" if data["apart"] else ""
    return f"{_begins(about)}: {data['stage']} begins without you. You are {place}{apart}."


def _end(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] == "message":
        return life.message_text(about["title"], data["text"])
    if data["what"] == "cancelled":
        return f"{_begins(about)} was cancelled. Reason: {data['reason']}"
    return {
        "entered": f"You have a place in {about['title']} now.",
        "registered": f"You have a place in {about['title']} now. Check in before it starts.",
        "missed": f"{_begins(about)} starts without you: you did not check in, and wait for a place.",
        "finished": f"{_begins(about)} is over. The final standings are there.",
    }[data["what"]]


_RULED = {event: ruling.told for event, ruling in BY_EVENT.items() if ruling.told}
# Not rulings, some without a reason.
_RULED |= {
    "taken": "You play on for somebody else",
    "withdrew": "The organisers withdrew you",
    "organiser_removed": "You are not an organiser any more",
}


def _ruling(about: About, data: Mapping[str, Any]) -> str:
    reason = "" if data["reason"] is None else f" Reason: {data['reason']}"
    return f"{_RULED[data['what']]}: {about['title']}.{reason}"


def _proposal(about: About, data: Mapping[str, Any]) -> str:
    if data["what"] == "last_day":
        return f"A day is left to vote on proposal {data['proposal']} of {about['title']}, and you have not voted."
    return f"Proposal {data['proposal']} of {about['title']} is open: you may vote on other rules."


def _invited(about: About, data: Mapping[str, Any]) -> str:
    return {
        "entrant": f"You are invited to play in {about['title']}.",
        "organiser": f"You are asked to organise {about['title']}.",
        "substitute": (
            f"You are asked to stand in for a player of {about['title']} who did not come. You have 12 hours to accept."
        ),
        "replacement": f"You are asked to play on for a player of {about['title']}. You have 12 hours to accept.",
    }[data["as"]]


def _changed(about: About, data: Mapping[str, Any]) -> str:
    said = [f"The settings of {about['title']} have changed."] if data["rules"] else []
    said += [f"{_begins(about)} posts to a channel now ({service})." for service in data["added"]]
    said += [f"{_begins(about)} does not post to a channel any more ({service})." for service in data["removed"]]
    return " ".join(said)


INVITED = Kind("invited", TOURNAMENT, _invited, button="See the tournament")
ROUND = Kind(
    "round",
    TOURNAMENT,
    _round,
    hook="tournament.round",
    people=("level",),
    button="See the tournament",
)
END = Kind(
    "tournament",
    TOURNAMENT,
    _end,
    hook="tournament.finished",
    hooked=lambda data: data["what"] in ("finished", "cancelled"),
    as_one=True,
    button="See the tournament",
)
CHANGED = Kind("changed", TOURNAMENT, _changed, button="See the tournament")
RULING = Kind("ruling", TOURNAMENT, _ruling, hook="tournament.ruling", button="See the tournament", parting=True)
PROPOSAL = Kind("proposal", TOURNAMENT, _proposal, hook="tournament.proposal", button="See the tournament")


FIRST = 5
MOST_TABLES = 12
MOST_NAMED = 16
"""The most rows and tables in a message; the page has the rest."""
_TYPES = {A_ROUND: "tournament.round", STANDINGS: "tournament.round", RESULT: "tournament.finished"}


def announcement(posting: Posting) -> Message:
    """What happened, which stays true. Whole rounds and standings name their players without mentioning them."""
    row = models.Tournament.objects.filter(pk=posting.subject_id).first()
    if row is None:
        return Message(("A tournament that is gone.",), type=_TYPES[posting.topic])
    link = absolute(reverse("tournament-page", args=[row.slug]))
    return Message((_sentence(row, posting),), link, type=_TYPES[posting.topic])


def _sentence(row: models.Tournament, posting: Posting) -> str:
    match posting.data["what"]:
        case "began":
            return f"{row.title} has begun."
        case "cancelled":
            return f"{row.title} was cancelled. Reason: {row.ended_why}"
        case "finished" | "closed" as what:
            closed = "" if what == "finished" else f"{capfirst(row.round_name(posting.data['round']))} of "
            return f"{closed}{row.title} is over. {_first_places(row, posting.version)}".strip()
        case "over" | "staged" as what:
            stage = row.plan["stages"][posting.data["stage"] - 1]["title"]
            said = "is over. Through as it stands" if what == "over" else "begins. Through, the best first"
            return f"{stage} of {row.title} {said}: {_listed(row, posting.data['seeds'])}."
    number, names = posting.data["round"], texts_of(row)
    tables = models.Table.objects.filter(tournament=row, round=number).order_by("number")
    told = [f"Table {table.number}: {', '.join(names[key] for key in table.entrants)}." for table in tables]
    more = f" {len(told) - MOST_TABLES} more tables are on the page." if len(told) > MOST_TABLES else ""
    return f"{capfirst(row.round_name(number))} of {row.title} begins. {' '.join(told[:MOST_TABLES])}{more}"


def _listed(row: models.Tournament, keys: Sequence[str]) -> str:
    names = texts_of(row)
    more = len(keys) - MOST_NAMED
    return listed([*(names[key] for key in keys[:MOST_NAMED]), *([f"{more} more"] if more > 0 else ())])


def _first_places(row: models.Tournament, version: int) -> str:
    """The first places at a version; in a knockout they are known only at the end."""
    if row.kind == "knockout" and row.status == "running":
        return ""
    names = texts_of(row)
    standings: Sequence[Mapping[str, Any]] = selectors.standings_for(row.pk, version)["standings"]
    placed = [one for one in standings if one["place"] is not None][:FIRST]
    return ", ".join(f"{one['place']}. {names[one['entrant']]} {decimals(one['total'])}" for one in placed) + "."


class News:
    def __init__(self, event: log.Event) -> None:
        self.event = event
        self.what = event.type.removeprefix(PREFIX)
        self.data = event.data
        self.id = UUID(event.stream_key)
        self.hand = telling.person(event)
        self.told: list[Notification] = []

    def players(self, keys: Iterable[str]) -> list[UUID]:
        rows = models.Entrant.objects.filter(tournament=self.id, number__in=[int(key[1:]) for key in keys])
        return [player for player in rows.values_list("player", flat=True) if player is not None]

    def everybody(self) -> list[UUID]:
        rows = models.Entrant.objects.filter(tournament=self.id, standing__in=PLAYING, player__isnull=False)
        return list(rows.values_list("player", flat=True))

    def all_of_round(self, number: int) -> list[UUID]:
        """Everybody in the stage of a round: who fell out is not told how the others go on."""
        row = models.Tournament.objects.get(pk=self.id)
        rows = row.entrants.filter(standing__in=PLAYING, player__isnull=False)
        return [one.player_id for one in rows if row.is_in_stage(one.key, row.stage_of(number)) and one.player_id]

    def at_the_game(self, game: str) -> list[UUID]:
        row = models.TournamentGame.objects.filter(tournament=self.id, game=game).first()
        return self.players(row.entrants) if row is not None else []

    def tell(self, players: Iterable[UUID], kind: Kind, cause: str, **data: Any) -> None:
        """Tell these players, except the one who did it. Invitations and messages are acts of a person (NT17)."""
        counts = kind is INVITED or data.get("what") == "message"
        version, by = self.event.version, self.hand if counts else None
        self.told += [
            telling.news(player, kind, cause, self.id, version, data=data, by=by)
            for player in players
            if player != self.hand
        ]

    def say(self, topic: str, cause: str, **data: Any) -> None:
        version = self.event.version
        endpoints.post(self.id, topic, cause, subject=TOURNAMENT, subject_id=self.id, version=version, **data)

    def rule(self, players: Iterable[UUID], what: str) -> None:
        cause = f"ruling:tournament-{self.id}:{self.event.version}"
        self.tell(players, RULING, cause, what=what, reason=self.data.get("reason"))


def _left(news: News) -> None:
    if not _is_unanswered(news, "entrant", "invited", "queued", "registered", "entered"):
        news.rule(news.players([news.data["entrant"]]), "withdrew")


def _organiser_removed(news: News) -> None:
    if not _is_unanswered(news, "player", "organiser_asked", "organiser_added"):
        news.rule([UUID(news.data["player"])], "organiser_removed")


def _is_unanswered(news: News, key: str, question: str, *answers: str) -> bool:
    """Return whether the event takes a question back: it ends, and nobody is told of that."""
    types = [PREFIX + event for event in (question, *answers)]
    before = log.read(news.event.stream, upto=news.event.version, types=types)
    last = next((event for event in reversed(before) if event.data[key] == news.data[key]), None)
    return last is not None and last.type == types[0]


def _invited_to_play(news: News) -> None:
    # Nobody can accept while it is a draft: they are told when it opens.
    draft = models.Tournament.objects.filter(pk=news.id, status="draft").exists()
    if news.data["player"] is not None and not draft:
        news.tell([UUID(news.data["player"])], INVITED, f"tournament:{news.id}:invited", **{"as": "entrant"})


def _came(news: News) -> None:
    """Whoever moved up is told; those who entered by themselves are not (NT2)."""
    if news.data["player"] is not None:
        news.tell([UUID(news.data["player"])], END, f"tournament:{news.id}:place:{news.event.version}", what=news.what)


def _check_in_missed(news: News) -> None:
    cause = f"tournament:{news.id}:place:{news.event.version}"
    news.tell(news.players(news.data["entrants"]), END, cause, what="missed")


def _opened(news: News) -> None:
    rows = models.Entrant.objects.filter(tournament=news.id, standing=Standing.INVITED.value, player__isnull=False)
    players = list(rows.values_list("player", flat=True))
    news.tell(players, INVITED, f"tournament:{news.id}:invited", **{"as": "entrant"})


def _asked(news: News, players: Iterable[UUID], what: str) -> None:
    news.tell(players, INVITED, f"tournament:{news.id}:{what}:{news.event.version}", **{"as": what})


def _seated(news: News) -> None:
    number = news.data["round"]
    cause = f"round:{news.id}:{number}:seated"
    news.say(A_ROUND, cause, what="seated", round=number)
    for table, keys in enumerate(news.data["tables"], 1):
        news.tell(news.players(keys), ROUND, cause, what="seated", round=number, table=table)
    news.tell(news.players(news.data["byes"]), ROUND, cause, what="bye", round=number)


def _closed(news: News) -> None:
    number = news.data["round"]
    news.say(STANDINGS, f"round:{news.id}:{number}:closed:{news.event.version}", what="closed", round=number)
    news.tell(news.all_of_round(number), ROUND, f"round:{news.id}:{number}:closed", what="closed", round=number)


def _stage_over(news: News) -> None:
    number, seeds = news.data["stage"], news.data["seeds"]
    cause = f"tournament:{news.id}:stage:{number}:over"
    news.say(STANDINGS, cause, what="over", stage=number - 1, seeds=seeds)
    news.tell(news.players(seeds), ROUND, cause, what="over", until=news.data["until"])


def _staged(news: News) -> None:
    row, number, seeds = models.Tournament.objects.get(pk=news.id), news.data["stage"], news.data["seeds"]
    cause, title = f"tournament:{news.id}:stage:{number}", row.stage_title(number)
    entrants = models.Entrant.objects.filter(tournament=news.id, standing__in=PLAYING, player__isnull=False)
    players = {f"e{number}": [player] for number, player in entrants.values_list("number", "player")}
    last = next(iter(news.players(seeds[-1:])), None)
    news.say(A_ROUND, cause, what="staged", stage=number, seeds=seeds)
    for place, key in enumerate(seeds, 1):
        news.tell(players.get(key, ()), ROUND, cause, what="through", stage=title, number=place)
    rows = selectors.standings_of_stage(row, news.event.version, number - 1)["standings"]
    level = next(one["total"] for one in rows if one["entrant"] == seeds[-1])
    by = news.data["decided_by"]
    for one in rows:
        if one["entrant"] not in seeds:
            apart = TIE_BREAKS[by] if by not in (None, "total") and one["total"] == level else None
            level_with = str(last) if apart and last is not None else None
            told = {"what": "out", "stage": title, "place": one["place"], "apart": apart, "level": level_with}
            news.tell(players.get(one["entrant"], ()), ROUND, cause, **told)


def _began(news: News) -> None:
    # If there are rounds, the first one tells them.
    if models.Tournament.objects.filter(pk=news.id, kind="season").exists():
        news.say(A_ROUND, f"tournament:{news.id}:began", what="began")


def _finished(news: News) -> None:
    cause = f"tournament:{news.id}:finished:{news.event.version}"
    news.say(RESULT, cause, what="finished")
    news.tell(news.everybody(), END, cause, what="finished")


def _cancelled(news: News) -> None:
    cause = f"tournament:{news.id}:cancelled"
    news.say(RESULT, cause, what="cancelled")
    news.tell(news.everybody(), END, cause, what="cancelled", reason=news.data["reason"])


def _message_sent(news: News) -> None:
    cause = f"tournament:{news.id}:message:{news.event.version}"
    news.tell(selectors.written_to(news.id), END, cause, what="message", text=news.data["text"])


def _of_an_entrant(news: News) -> None:
    news.rule(news.players([news.data["entrant"]]), news.what)


def _of_a_game(news: News) -> None:
    news.rule(news.at_the_game(news.data["id"]), news.what)


def _replaced(news: News) -> None:
    # The row names the present player; the last of the former players is the one who played until now.
    entrant = models.Entrant.objects.filter(tournament=news.id, number=int(news.data["entrant"][1:])).first()
    if entrant is not None and entrant.former:
        news.rule([entrant.former[-1]], "replaced")
    if news.data["player"] is not None:
        news.rule([UUID(news.data["player"])], "taken")


def _result(news: News) -> None:
    if news.data["reason"] is not None:
        news.rule(news.players(player["entrant"] for player in news.data["players"]), "result")


def _extended(news: News) -> None:
    if news.data["entrant"] is not None:
        players = news.players([news.data["entrant"]])
    elif news.data["game"] is not None:
        players = news.at_the_game(news.data["game"])
    else:
        players = news.all_of_round(news.data["round"])
    news.rule(players, "extended")


def _proposed(news: News) -> None:
    number, electors = news.data["proposal"], news.data["electors"]
    news.tell(news.players(electors), PROPOSAL, f"proposal:{news.id}:{number}:opened", what="opened", proposal=number)
    last_day = datetime.fromisoformat(news.data["closes_at"]) - LAST_DAY
    if last_day > news.event.recorded_at:
        what = {"tournament": str(news.id), "proposal": number}
        work.put(JOB, f"{news.id}:{number}", what, due_at=last_day)


@work.local(JOB)
def remind_voters(job: work.Job, now: datetime) -> None:
    """A day is left to vote: tell the electors who have not voted, if the proposal is still open."""
    tournament_id, number = UUID(job.data["tournament"]), job.data["proposal"]
    votes = _waiting_votes([tournament_id])
    waiting = [player for _, proposal, player in votes if proposal == number and player is not None]
    cause = f"proposal:{tournament_id}:{number}:last_day"
    data = {"what": "last_day", "proposal": number}
    telling.tell(waiting, PROPOSAL, cause, subject_id=tournament_id, data=data, now=now)


_BY_EVENT: dict[str, Callable[[News], None]] = {
    "opened": _opened,
    "invited": _invited_to_play,
    "organiser_asked": lambda news: _asked(news, [UUID(news.data["player"])], "organiser"),
    "substitute_asked": lambda news: _asked(news, news.players([news.data["substitute"]]), "substitute"),
    "changed": lambda news: telling.put_change(news.event),
    "channels_changed": lambda news: telling.put_change(news.event),
    "message_sent": _message_sent,
    "started": _began,
    "stage_over": _stage_over,
    "staged": _staged,
    "seated": _seated,
    "round_closed": _closed,
    "finished": _finished,
    "cancelled": _cancelled,
    **dict.fromkeys(_RULED, _of_an_entrant),
    "replacement_asked": lambda news: _asked(news, [UUID(news.data["player"])], "replacement"),
    "replaced": _replaced,
    "registered": _came,
    "entered": _came,
    "check_in_missed": _check_in_missed,
    "extended": _extended,
    "voided": _of_a_game,
    "restored": _of_a_game,
    "result": _result,
    "proposed": _proposed,
    "left": _left,
    "organiser_removed": _organiser_removed,
}
# The events with which invitations end, those of its entrant or perhaps of anybody, and those with which votes do.
_ENDS_OWN_INVITATIONS = {"queued", "registered", "entered", "left", "removed"}
_ENDS_INVITATIONS = {
    "organiser_added", "organiser_removed", "replacement_asked", "replacement_declined", "replaced",
    "substitute_let_go", "finished", "cancelled",
}  # fmt: skip
_ENDS_VOTES = {
    "voted", "withdrew", "removed", "replaced",
    "proposal_withdrawn", "proposal_closed", "rejected", "ratified", "overtaken",
}  # fmt: skip
_FOLLOWED = {*_BY_EVENT, *_ENDS_OWN_INVITATIONS, *_ENDS_INVITATIONS, *_ENDS_VOTES}


@log.reactor("telling of tournaments", kinds=["tournament"], types=[PREFIX + name for name in sorted(_FOLLOWED)])
def tell_entrants(delivery: log.Delivery) -> None:
    event, now = delivery.event, service_clock.now()
    if now - event.recorded_at > STALE:
        return
    news = News(event)
    if news.what in _BY_EVENT:
        _BY_EVENT[news.what](news)
    # All at once, since inboxes are locked in one order: a mail or a game may be waiting for those of the same people.
    telling.tell_all(news.told, now)
    if news.what in _ENDS_OWN_INVITATIONS:
        telling.lose_pointless(news.id, INVITED, players=news.players([news.data["entrant"]]), now=now)
    if news.what in _ENDS_INVITATIONS:
        telling.lose_pointless(news.id, INVITED, now=now)
    if news.what in _ENDS_VOTES:
        telling.lose_pointless(news.id, PROPOSAL, now=now)


kinds.register(TOURNAMENT, Tournaments(), INVITED, ROUND, END, CHANGED, RULING, PROPOSAL)
