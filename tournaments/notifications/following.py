"""The reactor that tells entrants and organisers what happened in their tournament.

Players are those of an entrant as it is read.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID

from core import clock as service_clock
from core import log
from core.hooks import ANNOUNCED
from core.jobs import services as work
from core.notifications import services as telling
from core.notifications.kinds import Kind
from core.notifications.models import Notification
from games.clocks import moment_text
from games.notifications.following import STALE
from tournaments import models, selectors
from tournaments.notifications.kinds import END, INVITED, PROPOSAL, ROUND, RULED, RULING, TOURNAMENT
from tournaments.notifications.subject import waiting_votes
from tournaments.picture.wording import TIE_BREAKS
from tournaments.picture.words import put_off
from tournaments.projections import PREFIX, happened
from tournaments.rules.cut import NextStage
from tournaments.stream import Standing, events, rulings
from tournaments.stream.events import EVENTS, Fact, fact_of
from tournaments.stream.state import HOLDS_A_PLACE

LAST_DAY = timedelta(days=1)
JOB = "tournaments.last_day"


class News:
    """What an event tells."""

    def __init__(self, event: log.Event) -> None:
        self.event = event
        self.fact: Any = fact_of(happened(event))
        self.id = UUID(event.stream_key)
        self.hand = telling.person(event)
        self.told: list[Notification] = []

    def players(self, keys: Iterable[str]) -> list[UUID]:
        rows = models.Entrant.objects.filter(tournament=self.id, number__in=[int(key[1:]) for key in keys])
        return [player for player in rows.values_list("player", flat=True) if player is not None]

    def everybody(self) -> dict[str, UUID]:
        rows = models.Entrant.objects.filter(tournament=self.id, standing__in=HOLDS_A_PLACE, player__isnull=False)
        return {one.key: one.player_id for one in rows if one.player_id}

    def all_of_round(self, number: int) -> list[UUID]:
        """Everybody in the stage of a round: who fell out is not told how the others go on."""
        row = models.Tournament.objects.get(pk=self.id)
        rows, stage = row.entrants.filter(standing__in=HOLDS_A_PLACE), row.state.stage_of(number)
        return [one.player_id for one in rows if one.player_id and row.state.is_in_stage(one.key, stage)]

    def at_the_game(self, game: str) -> list[UUID]:
        row = models.TournamentGame.objects.filter(tournament=self.id, game=game).first()
        return self.players(row.state.entrants) if row is not None else []

    def tell(self, players: Iterable[UUID], kind: Kind, cause: str, **data: Any) -> None:
        """Tell these players, except the one who did it. Invitations and messages are acts of a person."""
        counts = kind is INVITED or data.get("what") == "message"
        version, by = self.event.version, self.hand if counts else None
        self.told += [
            telling.news(player, kind, cause, self.id, version, data=data, by=by)
            for player in players
            if player != self.hand
        ]

    def say(self, topic: str, cause: str, **data: Any) -> None:
        version = self.event.version
        for announced in ANNOUNCED:
            announced(self.id, topic, cause, subject=TOURNAMENT, subject_id=self.id, version=version, **data)

    def rule(self, players: Iterable[UUID], what: str) -> None:
        cause = f"ruling:tournament-{self.id}:{self.event.version}"
        self.tell(players, RULING, cause, what=what, reason=getattr(self.fact, "reason", None))


def _left(news: News) -> None:
    if not _is_unanswered(news, "entrant", "invited", "queued", "registered", "entered"):
        news.rule(news.players([news.fact.entrant]), "withdrew")


def _organiser_removed(news: News) -> None:
    if not _is_unanswered(news, "player", "organiser_asked", "organiser_added"):
        news.rule([news.fact.player], "organiser_removed")


def _is_unanswered(news: News, key: str, question: str, *answers: str) -> bool:
    """Return whether the event takes a question back: it ends, and nobody is told of that."""
    types = [PREFIX + event for event in (question, *answers)]
    before = log.read(news.event.stream, upto=news.event.version, types=types)
    last = next((event for event in reversed(before) if event.data[key] == news.event.data[key]), None)
    return last is not None and last.type == types[0]


def _invited_to_play(news: News) -> None:
    # Nobody can accept while it is a draft: they are told when it opens.
    draft = models.Tournament.objects.filter(pk=news.id, status="draft").exists()
    if news.fact.player is not None and not draft:
        _invite(news, [news.fact.player])


def _invite(news: News, players: Iterable[UUID]) -> None:
    by = str(news.hand) if news.hand is not None else None
    news.tell(players, INVITED, f"tournament:{news.id}:invited", **{"as": "entrant", "by": by})


def _came(news: News) -> None:
    """Whoever moved up is told; those who entered by themselves are not."""
    if news.fact.player is not None:
        news.tell([news.fact.player], END, f"tournament:{news.id}:place:{news.event.version}", what=news.fact.type)


def _check_in_missed(news: News) -> None:
    cause = f"tournament:{news.id}:place:{news.event.version}"
    news.tell(news.players(news.fact.entrants), END, cause, what="missed")


def _opened(news: News) -> None:
    rows = models.Entrant.objects.filter(tournament=news.id, standing=Standing.INVITED.value, player__isnull=False)
    _invite(news, list(rows.values_list("player", flat=True)))


def _asked(news: News, players: Iterable[UUID], what: str) -> None:
    news.tell(players, INVITED, f"tournament:{news.id}:{what}:{news.event.version}", **{"as": what})


def _seated(news: News) -> None:
    number = news.fact.round
    cause = f"round:{news.id}:{number}:seated"
    news.say("round", cause, what="seated", round=number)
    for table, keys in enumerate(news.fact.tables, 1):
        news.tell(news.players(keys), ROUND, cause, what="seated", round=number, table=table)
    news.tell(news.players(news.fact.byes), ROUND, cause, what="bye", round=number)


def _closed(news: News) -> None:
    number = news.fact.round
    news.say("standings", f"round:{news.id}:{number}:closed:{news.event.version}", what="closed", round=number)
    news.tell(news.all_of_round(number), ROUND, f"round:{news.id}:{number}:closed", what="closed", round=number)


def _stage_over(news: News) -> None:
    row, number, seeds = models.Tournament.objects.get(pk=news.id), news.fact.stage, list(news.fact.seeds)
    cause = _break_cause(news, number)
    news.say("standings", cause, what="over", stage=number - 1, seeds=seeds)
    known = _of_break(news, row, news.fact)
    news.tell(news.players(seeds), ROUND, cause, what="over", **known)
    found = selectors.through_at(row, news.event.version)
    news.tell(news.players(found.first_in_line if found else ()), ROUND, cause, what="next", **known)


def _in_the_break(news: News) -> None:
    """SG11: whoever moves up in the break before a stage is told so, and for whom; so is the first in line."""
    kinds = (events.StageOver, events.RoundReopened, events.Staged, events.Finished)
    last = log.read(news.event.stream, upto=news.event.version, types=[PREFIX + one.type for one in kinds])[-1:]
    over = fact_of(happened(last[0])) if last else None
    if not isinstance(over, events.StageOver):
        return
    row, number, version = models.Tournament.objects.get(pk=news.id), over.stage, news.event.version
    now = selectors.through_at(row, version)
    if now is None:
        return
    before = selectors.through_at(row, version - (2 if _corrects(news.fact) else 1)) or NextStage(number, over.seeds)
    cause, known = _break_cause(news, number), _of_break(news, row, over)
    left = iter([key for key in before.seeds if key not in now.seeds])
    for key in now.seeds:
        if key not in before.seeds:
            instead = next(iter(news.players([gone])), None) if (gone := next(left, None)) else None
            news.tell(news.players([key]), ROUND, cause, what="over", moved_up=True, instead=instead, **known)
    waiting = [key for key in now.first_in_line if key not in before.first_in_line]
    news.tell(news.players(waiting), ROUND, cause, what="next", **known)


def _break_cause(news: News, stage: int) -> str:
    """A stage that is reopened is over again."""
    return f"tournament:{news.id}:stage:{stage}:over:{news.event.version}"


def _of_break(news: News, row: models.Tournament, over: events.StageOver) -> dict[str, Any]:
    """What is told in the break: the next stage, and when it begins (None: when an organiser says so)."""
    is_to_come = over.until > news.event.recorded_at
    return {"stage": row.state.stage_title(over.stage), "until": moment_text(over.until) if is_to_come else None}


def _staged(news: News) -> None:
    row, number, seeds = models.Tournament.objects.get(pk=news.id), news.fact.stage, list(news.fact.seeds)
    cause, title = f"tournament:{news.id}:stage:{number}", row.state.stage_title(number)
    entrants = models.Entrant.objects.filter(tournament=news.id, standing__in=HOLDS_A_PLACE, player__isnull=False)
    players = {f"e{number}": [player] for number, player in entrants.values_list("number", "player")}
    last = next(iter(news.players(seeds[-1:])), None)
    news.say("round", cause, what="staged", stage=number, seeds=seeds)
    for place, key in enumerate(seeds, 1):
        news.tell(players.get(key, ()), ROUND, cause, what="through", stage=title, number=place)
    rows = selectors.standings_for(row.pk, news.event.version, number - 1)["standings"]
    level = next(one["total"] for one in rows if one["entrant"] == seeds[-1])
    by = news.fact.decided_by
    for one in rows:
        if one["entrant"] not in seeds:
            apart = TIE_BREAKS[by] if by not in (None, "total") and one["total"] == level else None
            level_with = str(last) if apart and last is not None else None
            told = {"what": "out", "stage": title, "place": one["place"], "apart": apart, "level": level_with}
            news.tell(players.get(one["entrant"], ()), ROUND, cause, **told)


def _began(news: News) -> None:
    # If there are rounds, the first one tells them.
    if models.Tournament.objects.filter(pk=news.id, kind="season").exists():
        news.say("round", f"tournament:{news.id}:began", what="began")


def _finished(news: News) -> None:
    cause = f"tournament:{news.id}:finished:{news.event.version}"
    news.say("result", cause, what="finished")
    rows = selectors.standings_for(news.id, news.event.version)["standings"]
    places = {one["entrant"]: one["place"] for one in rows}
    for key, player in news.everybody().items():
        news.tell([player], END, cause, what="finished", place=places.get(key))


def _cancelled(news: News) -> None:
    cause = f"tournament:{news.id}:cancelled"
    news.say("result", cause, what="cancelled")
    news.tell(news.everybody().values(), END, cause, what="cancelled", reason=news.fact.reason)


def _put_off(news: News) -> None:
    row = models.Tournament.objects.get(pk=news.id)
    cause = f"tournament:{news.id}:put_off:{news.event.version}"
    news.tell(row.organisers, END, cause, what="put_off", why=put_off(row.state.plan))


def _overdue(news: News) -> None:
    row, number = models.Tournament.objects.get(pk=news.id), news.fact.round
    if row.state.plan.all_stages[row.state.stage_of(number) - 1]["overdue"] == "wait":
        cause = f"round:{news.id}:{number}:overdue:{news.event.version}"
        news.tell(row.organisers, END, cause, what="overdue", round=number, tables=len(news.fact.tables))


def _message_sent(news: News) -> None:
    cause = f"tournament:{news.id}:message:{news.event.version}"
    news.tell(selectors.written_to(news.id), END, cause, what="message", text=news.fact.text)


def _of_an_entrant(news: News) -> None:
    news.rule(news.players([news.fact.entrant]), news.fact.type)


def _of_a_game(news: News) -> None:
    news.rule(news.at_the_game(news.fact.id), news.fact.type)


def _replaced(news: News) -> None:
    # The row names the present player; the last of the former players is the one who played until now.
    entrant = models.Entrant.objects.filter(tournament=news.id, number=int(news.fact.entrant[1:])).first()
    if entrant is not None and entrant.former:
        news.rule([entrant.former[-1]], "replaced")
    if news.fact.player is not None:
        news.rule([news.fact.player], "taken")


def _result(news: News) -> None:
    if news.fact.reason is not None:
        what = "corrected" if _corrects(news.fact) else "result"
        news.rule(news.players(player["entrant"] for player in news.fact.players), what)


def _corrects(fact: Fact) -> bool:
    return isinstance(fact, events.Result) and bool(fact.instead_of)


def _is_half(event: log.Event) -> bool:
    """Whether a result is voided as it is corrected: the correction, which comes next, tells of both."""
    following = log.read(event.stream, after=event.version, upto=event.version + 1)
    return any(_corrects(fact_of(happened(one))) for one in following)


def _extended(news: News) -> None:
    if news.fact.entrant is not None:
        news.rule(news.players([news.fact.entrant]), "turn_extended")
    elif news.fact.game is not None:
        news.rule(news.at_the_game(news.fact.game), "extended")
    else:
        news.rule(news.all_of_round(news.fact.round), "extended")


def _proposed(news: News) -> None:
    number, electors = news.fact.proposal, news.fact.electors
    news.tell(news.players(electors), PROPOSAL, f"proposal:{news.id}:{number}:opened", what="opened", proposal=number)
    last_day = news.fact.closes_at - LAST_DAY
    if last_day > news.event.recorded_at:
        what = {"tournament": str(news.id), "proposal": number}
        work.put(JOB, f"{news.id}:{number}", what, due_at=last_day)


@work.local(JOB)
def remind_voters(job: work.Job, now: datetime) -> None:
    """A day is left to vote: tell the electors who have not voted, if the proposal is still open."""
    tournament_id, number = UUID(job.data["tournament"]), job.data["proposal"]
    votes = waiting_votes([tournament_id])
    waiting = [player for _, proposal, player in votes if proposal == number and player is not None]
    cause = f"proposal:{tournament_id}:{number}:last_day"
    data = {"what": "last_day", "proposal": number}
    telling.tell(waiting, PROPOSAL, cause, subject_id=tournament_id, data=data, now=now)


TOLD: Mapping[type[Fact], Callable[[News], None]] = {
    events.Opened: _opened,
    events.Invited: _invited_to_play,
    events.OrganiserAsked: lambda news: _asked(news, [news.fact.player], "organiser"),
    events.SubstituteAsked: lambda news: _asked(news, news.players([news.fact.substitute]), "substitute"),
    events.Changed: lambda news: telling.put_change(news.event),
    events.ChannelsChanged: lambda news: telling.put_change(news.event),
    events.MessageSent: _message_sent,
    events.Started: _began,
    events.StageOver: _stage_over,
    events.Staged: _staged,
    events.PutOff: _put_off,
    events.Overdue: _overdue,
    events.Seated: _seated,
    events.RoundClosed: _closed,
    events.Finished: _finished,
    events.Cancelled: _cancelled,
    **dict.fromkeys((EVENTS[name] for name in RULED if name in EVENTS), _of_an_entrant),
    rulings.ReplacementAsked: lambda news: _asked(news, [news.fact.player], "replacement"),
    rulings.Replaced: _replaced,
    events.Registered: _came,
    events.Entered: _came,
    events.CheckInMissed: _check_in_missed,
    rulings.Extended: _extended,
    events.Voided: _of_a_game,
    events.Restored: _of_a_game,
    events.Result: _result,
    events.Proposed: _proposed,
    events.Left: _left,
    events.OrganiserRemoved: _organiser_removed,
}
# The events with which invitations end, those of its entrant or perhaps of anybody, and those with which votes do.
_ENDS_OWN_INVITATIONS: set[type[Fact]] = {
    events.Queued, events.Registered, events.Entered, events.Left, rulings.Removed,
}  # fmt: skip
_ENDS_INVITATIONS: set[type[Fact]] = {
    events.OrganiserAdded, events.OrganiserRemoved, rulings.ReplacementAsked, rulings.ReplacementDeclined,
    rulings.Replaced, events.SubstituteLetGo, events.Finished, events.Cancelled,
}  # fmt: skip
_ENDS_VOTES: set[type[Fact]] = {
    events.Voted, events.Withdrew, rulings.Removed, rulings.Replaced,
    events.ProposalWithdrawn, events.ProposalClosed, events.Rejected, events.Ratified, events.Overtaken,
}  # fmt: skip
_MOVES_PEOPLE_UP: set[type[Fact]] = {
    events.Withdrew, events.Returned, rulings.Removed, rulings.Reinstated, events.Result, events.Voided,
    events.Restored, events.Adjusted,
}  # fmt: skip
FOLLOWED = {*TOLD, *_ENDS_OWN_INVITATIONS, *_ENDS_INVITATIONS, *_ENDS_VOTES, *_MOVES_PEOPLE_UP}


@log.reactor("telling of tournaments", kinds=["tournament"], types=sorted(PREFIX + one.type for one in FOLLOWED))
def tell_entrants(delivery: log.Delivery) -> None:
    event, now = delivery.event, service_clock.now()
    if now - event.recorded_at > STALE:
        return
    news = News(event)
    what = type(news.fact)
    if what is events.Voided and _is_half(event):
        return
    if what in TOLD:
        TOLD[what](news)
    if what in _MOVES_PEOPLE_UP:
        _in_the_break(news)
    # All at once, since inboxes are locked in one order: a mail or a game may be waiting for those of the same people.
    telling.tell_all(news.told, now)
    if what in _ENDS_OWN_INVITATIONS:
        telling.lose_pointless(news.id, INVITED, players=news.players([news.fact.entrant]), now=now)
    if what in _ENDS_INVITATIONS:
        telling.lose_pointless(news.id, INVITED, now=now)
    if what in _ENDS_VOTES:
        telling.lose_pointless(news.id, PROPOSAL, now=now)
