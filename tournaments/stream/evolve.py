"""The fold: apply one event to a tournament. It copies facts and makes no decisions."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any
from uuid import UUID

import msgspec

from tournaments.stream.ballot import Counts, Elector, Ending, Proposal, Rules
from tournaments.stream.facts import MOST_MESSAGES, Fact
from tournaments.stream.plan import Plan
from tournaments.stream.stages import Begun
from tournaments.stream.state import (
    HOLDS_A_PLACE,
    Deals,
    Entrant,
    Outcome,
    Round,
    Seating,
    Standing,
    Status,
    Table,
    Tournament,
    TournamentGame,
)


@dataclass(frozen=True, slots=True)
class Happened:
    """An event as the fold reads it: its type has no prefix (`entered`)."""

    type: str
    data: Any
    version: int
    recorded_at: datetime


def foreseen(t: Tournament, facts: Iterable[Fact], now: datetime) -> list[Happened]:
    return [Happened(fact.type, fact.data, version, now) for version, fact in enumerate(facts, t.version + 1)]


def folded(t: Tournament, facts: Iterable[Fact], now: datetime) -> Tournament:
    for event in foreseen(t, facts, now):
        t = evolve(t.id, t, event)
    return t


def fold_all(tournament_id: UUID, events: Iterable[Happened]) -> Tournament | None:
    t: Tournament | None = None
    for event in events:
        t = evolve(tournament_id, t, event)
    return t


def evolve(tournament_id: UUID, t: Tournament | None, event: Happened) -> Tournament:
    """The tournament after one more event. Raises ValueError for one that does not follow: the log is damaged."""
    if event.version != (t.version if t else 0) + 1:
        raise ValueError(f"tournament {tournament_id}: event {event.version} does not follow")
    if t is None:
        if event.type != "set_up":
            raise ValueError(f"tournament {tournament_id}: the stream begins with {event.type!r}")
        return _set_up(tournament_id, event)
    apply = _APPLY.get(event.type)
    if apply is None:
        raise ValueError(f"tournament {tournament_id}: nobody knows {event.type!r}")
    return replace(apply(t, event.data, event.recorded_at), version=event.version)


Data = Mapping[str, Any]


def _set_up(tournament_id: UUID, event: Happened) -> Tournament:
    data = event.data
    return Tournament(
        id=tournament_id,
        version=event.version,
        plan=Plan.from_json(data["plan"]),
        asked=data["asked"],
        slug=data["slug"],
        seed=data["seed"],
        commitment=data["commitment"],
        invitation=data["invitation"],
        organisers=tuple(UUID(player) for player in data["organisers"]),
        set_up_by=UUID(data["organisers"][0]),
        deals=_drawn(data, event.recorded_at),
        set_up_at=event.recorded_at,
    )


def _drawn(data: Data, at: datetime) -> tuple[Deals, ...]:
    """The secret of the deals, if this event publishes the commitment to it."""
    if data["deals_commitment"] is None:
        return ()
    return (Deals(data["deals_secret"], data["deals_commitment"], at),)


# Its life


def _organiser_added(t: Tournament, data: Data, _: datetime) -> Tournament:
    player = UUID(data["player"])
    asked = tuple(one for one in t.asked_organisers if one != player)
    return replace(t, organisers=(*t.organisers, player), asked_organisers=asked, unorganised_at=None)


def _organiser_removed(t: Tournament, data: Data, at: datetime) -> Tournament:
    rest = tuple(player for player in t.organisers if str(player) != data["player"])
    asked = tuple(player for player in t.asked_organisers if str(player) != data["player"])
    since = None if rest else t.unorganised_at or at
    return replace(t, organisers=rest, asked_organisers=asked, unorganised_at=since)


def _check_in_missed(t: Tournament, data: Data, _: datetime) -> Tournament:
    changes = {key: replace(t.entrants[key], standing=Standing.WAITING, missed=True) for key in data["entrants"]}
    held = sum(1 for key in changes if t.entrants[key].standing in HOLDS_A_PLACE)
    queue = tuple(key for key in t.queue if key not in changes)
    return replace(t, entrants=t.entrants.put(changes), places=t.places - held, queue=(*queue, *data["entrants"]))


def _over(t: Tournament, status: Status, why: str, at: datetime) -> Tournament:
    return replace(t, status=status, ended_at=at, ended_why=why, draft=None, break_ends=None, seed_shown=True)


def _reopened(t: Tournament, data: Data, at: datetime) -> Tournament:
    deals = (*t.deals, *_drawn(data, at))
    return replace(t, status=Status.RUNNING, ended_at=None, ended_why=None, reopened=True, deals=deals)


# Entrants


def _named(standing: Standing) -> Callable[[Tournament, Data, datetime], Tournament]:

    def apply(t: Tournament, data: Data, at: datetime) -> Tournament:
        key = data["entrant"]
        entrant = t.entrants.get(key)
        if entrant is None:
            player = UUID(data["player"]) if data["player"] else None
            entrant = Entrant(key, player, data["bot"], data["salt"], standing, at)
            t = replace(t, numbers=max(t.numbers, entrant.number), bots=t.bots + (entrant.bot is not None))
            if player is not None:
                t = replace(t, players=t.players.put({player: key}))
        withdrew = entrant.withdrew and entrant.entered
        return _stands(t, entrant, standing, salt=data["salt"], since=at, withdrew=withdrew)

    return apply


def _withdrew(t: Tournament, data: Data, at: datetime) -> Tournament:
    entrant = t.entrants[data["entrant"]]
    # A removed entrant stays removed.
    standing = entrant.standing if entrant.standing is Standing.REMOVED else Standing.WITHDRAWN
    t = _lose_votes(t, entrant.key, at)
    return _stands(t, entrant, standing, since=at, withdrew=True, resigns=data["resign"])


def _left(t: Tournament, data: Data, at: datetime) -> Tournament:
    entrant = t.entrants[data["entrant"]]
    removed = entrant.standing is Standing.REMOVED
    standing = Standing.REMOVED if removed else Standing.GONE
    return _stands(t, entrant, standing, since=at, checked_in=False, withdrew=removed)


def _reinstated(t: Tournament, data: Data, at: datetime) -> Tournament:
    entrant = t.entrants[data["entrant"]]
    if "standing" not in data:  # until 0.1.0
        standing = Standing.WITHDRAWN if entrant.withdrew else Standing.IN if entrant.entered else Standing.GONE
        return _stands(t, entrant, standing, since=at, absences=0)
    ahead, others = data["ahead"], t.queue
    t = _stands(t, entrant, Standing(data["standing"]), since=at, absences=0)
    return replace(t, queue=(*others[:ahead], entrant.key, *others[ahead:])) if t.queue != others else t


def _replaced(t: Tournament, data: Data, at: datetime) -> Tournament:
    entrant = t.entrants[data["entrant"]]
    players: dict[UUID, str] = {}
    former = entrant.former
    if entrant.player is not None:
        players[entrant.player] = ""
        former = (*former, entrant.player)
        t = replace(t, formers=t.formers.put({entrant.player: entrant.key}))
    if data["from"] is not None:
        # It leaves the waiting list.
        t = _stands(t, t.entrants[data["from"]], Standing.GONE, since=at, player=None)
    player = UUID(data["player"]) if data["player"] else None
    if player is not None:
        players[player] = entrant.key
    t = replace(t, players=t.players.put(players))
    t = _without_offer(_asked_no_longer(t, entrant), entrant.key)
    if player is None or data["guest"]:
        t = _lose_votes(t, entrant.key, at)
    return _with(t, entrant.key, player=player, bot=data["bot"], salt=data["salt"], absences=0, former=former, asked=())


def _replacement_asked(t: Tournament, data: Data, _: datetime) -> Tournament:
    t = _without_offer(t, data["entrant"])
    return replace(t, offers=(*t.offers, data))


def _without_offer(t: Tournament, key: str) -> Tournament:
    return replace(t, offers=tuple(one for one in t.offers if one["entrant"] != key))


def _absent(t: Tournament, data: Data, _: datetime) -> Tournament:
    entrant, game = t.entrants[data["entrant"]], t.games[data["game"]]
    t = _with(t, entrant.key, absences=entrant.absences + 1)
    return _with_game(t, replace(game, absent=(*game.absent, entrant.key)))


def _substitute_asked(t: Tournament, data: Data, _: datetime) -> Tournament:
    entrant, other, until = data["entrant"], data["substitute"], _moment(data["until"])
    t = _with(t, entrant, asked=(*t.entrants[entrant].asked, other))
    return _with(t, other, asked_for=entrant, asked_game=data["game"], asked_until=until)


def _substitute_let_go(t: Tournament, data: Data, _: datetime) -> Tournament:
    if data["why"] != "late":
        t = _with(t, data["entrant"], asked=())
    return _with(t, data["substitute"], **_NOT_ASKED)


# Stages


def _staged(t: Tournament, data: Data, at: datetime) -> Tournament:
    begun = (*t.begun, Begun(tuple(data["seeds"]), t.seated, at))
    plan = t.plan.at_stage(data["stage"], at)
    return replace(t, plan=plan, begun=begun, break_ends=None, draft=None, reopened=False, seed_shown=True)


# Rounds


def _drafted(t: Tournament, data: Data, _: datetime) -> Tournament:
    return replace(t, draft=msgspec.convert(data, Seating))


def _seated(t: Tournament, data: Data, at: datetime) -> Tournament:
    number = data["round"]
    tables: dict[tuple[int, int], Table] = {}
    games: dict[str, TournamentGame] = {}
    for place, (entrants, ids) in enumerate(zip(data["tables"], data["games"], strict=True), 1):
        tables[number, place] = Table(number, place, tuple(entrants), tuple(ids))
        for count, key in enumerate(ids, 1):
            games[key] = TournamentGame(key, number, place, count, tuple(entrants), since=at, proposal=data["proposal"])
    open_tables = sum(1 for ids in data["games"] if ids)
    counts = {"number": number, "tables": len(tables), "open_tables": open_tables, "seated_at": at}
    seated = msgspec.convert({**data, **counts}, Round)
    return replace(
        t,
        seated=number,
        open_rounds=(*t.open_rounds, number),
        draft=None,
        seed_shown=True,
        rounds=t.rounds.put({number: seated}),
        tables=t.tables.put(tables),
        games=t.games.put(games),
    )


def _round_closed(t: Tournament, data: Data, at: datetime) -> Tournament:
    rest = tuple(other for other in t.open_rounds if other != data["round"])
    return replace(_with_round(t, data["round"], closed_at=at), open_rounds=rest)


def _round_reopened(t: Tournament, data: Data, _: datetime) -> Tournament:
    number = data["round"]
    # A stage in which somebody plays again is not over.
    ends = None if number > t.seated_before else t.break_ends
    return replace(_with_round(t, number, closed_at=None), open_rounds=(*t.open_rounds, number), break_ends=ends)


def _extended(t: Tournament, data: Data, _: datetime) -> Tournament:
    if data["round"] is None:
        return t
    # Deadlines are kept without outages, which readers add (`rounds.ends_at`). `until` is what was told.
    ends = _moment(data.get("deadline_at", data["until"]))
    return _with_round(t, data["round"], deadline_at=ends, overdue=False)


# Games


def _room_opened(t: Tournament, data: Data, at: datetime) -> Tournament:
    t = replace(t, rooms=max(t.rooms, data["number"]))
    room = TournamentGame(data["game"], None, None, data["number"], (), since=at, proposal=data["proposal"])
    return _with_game(t, room)


def _result(t: Tournament, data: Data, at: datetime) -> Tournament:
    key = data["id"]
    t = _undrafted(t)
    result = {"rounds": data["rounds"], "players": data["players"]}
    game = t.games.get(key)
    if game is None:
        entrants = tuple(player["entrant"] for player in data["players"])
        game = TournamentGame(
            key, data["round"], data["table"], data["number"], entrants, since=at, proposal=data["proposal"]
        )
    if not game.entrants:
        # The result of a season's room says who played.
        game = replace(game, entrants=tuple(player["entrant"] for player in data["players"]))
    return _with_game(t, replace(game, outcome=Outcome.RESULT, source=data["source"], result=result, ended_at=at))


def _voided(t: Tournament, data: Data, at: datetime) -> Tournament:
    t = _undrafted(t)
    game = t.games[data["id"]]
    had_result = game.outcome is Outcome.RESULT
    outcome = Outcome.VOID if had_result else Outcome.NONE
    t = _with_game(t, replace(game, outcome=outcome, ended_at=game.ended_at if had_result else at))
    again = data["again"]
    if again is None:
        return t
    return _with_game(
        t,
        TournamentGame(
            again["id"], game.round, game.table, again["number"], game.entrants, since=at, proposal=game.proposal
        ),
    )


def _restored(t: Tournament, data: Data, at: datetime) -> Tournament:
    t = _undrafted(t)
    t = _with_game(t, replace(t.games[data["id"]], outcome=Outcome.RESULT))
    if data["instead_of"] is not None:
        t = _with_game(t, replace(t.games[data["instead_of"]], outcome=Outcome.NONE, ended_at=at))
    return t


# Proposals and votes


def _proposed(t: Tournament, data: Data, at: datetime) -> Tournament:
    n = data["proposal"]
    counts = Counts(electors=len(data["electors"]))
    added = {"n": n, "by": data["player"], "opened_at": at, "changed_at": at, "counts": counts}
    proposal = msgspec.convert({**data, **added}, Proposal)
    return replace(
        t,
        proposed=n,
        open_proposals=(*t.open_proposals, n),
        proposals=t.proposals.put({n: proposal}),
        electors=t.electors.put({(n, key): Elector(n, key) for key in data["electors"]}),
    )


def _voted(t: Tournament, data: Data, at: datetime) -> Tournament:
    elector = t.electors[data["proposal"], data["entrant"]]
    return _with_vote(t, replace(elector, vote=data["vote"]), at)


def _lose_votes(t: Tournament, key: str, at: datetime) -> Tournament:
    """RT2: the entrant is no longer an elector of any open proposal."""
    for n in t.open_proposals:
        elector = t.electors.get((n, key))
        if elector is not None and not elector.lost:
            t = _with_vote(t, replace(elector, vote=None, lost=True), at)
    return t


def _ended(how: Ending) -> Callable[[Tournament, Data, datetime], Tournament]:
    def apply(t: Tournament, data: Data, at: datetime) -> Tournament:
        proposal = t.proposals[data["proposal"]]
        over = replace(proposal, status=how, ended_at=at, ended_why=data.get("reason"))
        still_open = tuple(n for n in t.open_proposals if n != proposal.n)
        return replace(t, open_proposals=still_open, proposals=t.proposals.put({over.n: over}))

    return apply


def _ratified(t: Tournament, data: Data, at: datetime) -> Tournament:
    rules = Rules(data["ruleset"], data["options"], at, data["proposal"])
    return replace(_ended(Ending.RATIFIED)(t, data, at), ratified=(*t.ratified, rules))


def _with_vote(t: Tournament, elector: Elector, at: datetime) -> Tournament:
    before, proposal = t.electors[elector.proposal, elector.entrant], t.proposals[elector.proposal]
    counts = proposal.counts.moved(before.vote, elector.vote)
    counts = replace(counts, electors=counts.electors - (elector.lost and not before.lost))
    counted = replace(proposal, counts=counts, changed_at=at)
    return replace(
        t,
        proposals=t.proposals.put({counted.n: counted}),
        electors=t.electors.put({(elector.proposal, elector.entrant): elector}),
    )


_APPLY: dict[str, Callable[[Tournament, Data, datetime], Tournament]] = {
    "changed": lambda t, data, _: replace(t, plan=Plan.from_json(data["plan"]), asked=data["asked"], put_off=False),
    "follows": lambda t, data, _: replace(t, after=UUID(data["tournament"])),
    "organiser_asked": lambda t, data, _: replace(t, asked_organisers=(*t.asked_organisers, UUID(data["player"]))),
    "organiser_added": _organiser_added,
    "organiser_removed": _organiser_removed,
    "invitation_renewed": lambda t, data, _: replace(t, invitation=data["invitation"]),
    "channels_changed": lambda t, data, _: replace(t, channels=tuple(data["channels"])),
    "message_sent": lambda t, _, at: replace(t, messages=(*t.messages, at)[-MOST_MESSAGES:]),
    "opened": lambda t, _, at: replace(t, status=Status.REGISTRATION, opened_at=at),
    "put_off": lambda t, *_: replace(t, put_off=True),
    "check_in_missed": _check_in_missed,
    "started": lambda t, _, at: replace(t, status=Status.RUNNING, started_at=at, put_off=False),
    "finished": lambda t, data, at: _over(t, Status.FINISHED, data["why"], at),
    "cancelled": lambda t, data, at: _over(t, Status.CANCELLED, data["reason"], at),
    "reopened": _reopened,
    "deals_opened": lambda t, _, at: replace(t, deals=(*t.deals[:-1], replace(t.deals[-1], opened_at=at))),
    "invited": _named(Standing.INVITED),
    "queued": _named(Standing.WAITING),
    "registered": _named(Standing.REGISTERED),
    "entered": _named(Standing.IN),
    "checked_in": lambda t, data, _: _with(t, data["entrant"], checked_in=True, missed=False),
    "left": _left,
    "withdrew": _withdrew,
    "returned": lambda t, data, at: _stands(
        t, t.entrants[data["entrant"]], Standing.IN, since=at, withdrew=False, resigns=False
    ),
    "removed": lambda t, data, at: _stands(
        _lose_votes(t, data["entrant"], at), t.entrants[data["entrant"]], Standing.REMOVED, since=at
    ),
    "adjusted": lambda t, *_: _undrafted(t),
    "reinstated": _reinstated,
    "replacement_asked": _replacement_asked,
    "replacement_declined": lambda t, data, _: _without_offer(t, data["entrant"]),
    "replaced": _replaced,
    "absent": _absent,
    "substitute_asked": _substitute_asked,
    "substitute_let_go": _substitute_let_go,
    "seeded": lambda t, data, _: replace(t, seeds=tuple(data["order"]), seed_shown=True),
    "stage_over": lambda t, data, _: replace(t, break_ends=_moment(data["until"])),
    "staged": _staged,
    "drafted": _drafted,
    "exchanged": _drafted,
    "seated": _seated,
    "round_closed": _round_closed,
    "round_reopened": _round_reopened,
    "overdue": lambda t, data, _: _with_round(t, data["round"], overdue=True),
    "extended": _extended,
    "room_opened": _room_opened,
    "result": _result,
    "voided": _voided,
    "restored": _restored,
    "proposed": _proposed,
    "voted": _voted,
    "proposal_withdrawn": _ended(Ending.WITHDRAWN),
    "proposal_closed": _ended(Ending.CLOSED),
    "ratified": _ratified,
    "rejected": _ended(Ending.REJECTED),
    "overtaken": _ended(Ending.OVERTAKEN),
}
TYPES = ("set_up", *_APPLY)


_NOT_ASKED: Mapping[str, Any] = {"asked_for": None, "asked_game": None, "asked_until": None}


def _asked_no_longer(t: Tournament, entrant: Entrant) -> Tournament:
    other = t.entrants[entrant.asked[-1]] if entrant.asked else None
    return t if other is None or other.asked_for != entrant.key else _with(t, other.key, **_NOT_ASKED)


def _with(t: Tournament, key: str, **changes: Any) -> Tournament:
    return replace(t, entrants=t.entrants.put({key: replace(t.entrants[key], **changes)}))


def _with_round(t: Tournament, number: int, **changes: Any) -> Tournament:
    return replace(t, rounds=t.rounds.put({number: replace(t.rounds[number], **changes)}))


def _stands(t: Tournament, entrant: Entrant, standing: Standing, **changes: Any) -> Tournament:
    """Change an entrant, its standing, and the counts of places and of the waiting list."""
    entrant = replace(entrant, **changes)
    before = t.entrants.get(entrant.key)
    if t.draft is not None and t.draft.staged is not None:
        t = _undrafted(t)
    held = before is not None and before.standing in HOLDS_A_PLACE
    queue = tuple(key for key in t.queue if key != entrant.key)
    if standing is Standing.WAITING:
        queue = (*queue, entrant.key)
    if standing is Standing.IN and not entrant.entered:
        entrant = replace(entrant, entered_at=entrant.since)
    if standing is not Standing.WAITING:
        entrant = replace(entrant, **_NOT_ASKED)
    if standing is not Standing.IN:
        t = _without_offer(_asked_no_longer(t, entrant), entrant.key)
        entrant = replace(entrant, asked=())
    places = t.places + (standing in HOLDS_A_PLACE) - held
    entrants = t.entrants.put({entrant.key: replace(entrant, standing=standing)})
    return replace(t, places=places, queue=queue, entrants=entrants)


def _with_game(t: Tournament, game: TournamentGame) -> Tournament:
    """Replace a game, and update the counts of its table and round."""
    before = t.games.get(game.id)
    games = t.games.put({game.id: game})
    if game.round is None or game.table is None:
        return replace(t, games=games)
    place = (game.round, game.table)
    table = t.tables[place]
    was_open = any(t.games[key].is_open for key in table.games)
    if before is None:
        table = replace(table, games=(*table.games, game.id))
    is_open = any(games[key].is_open for key in table.games)
    if table != t.tables[place]:
        t = replace(t, tables=t.tables.put({place: table}))
    if is_open != was_open:
        t = _with_round(t, game.round, open_tables=t.rounds[game.round].open_tables + is_open - was_open)
    return replace(t, games=games)


def _undrafted(t: Tournament) -> Tournament:
    """A draft is outdated once somebody else may advance in a knockout, or go on to the next stage."""
    if t.draft is None or (t.plan.kind != "knockout" and t.draft.staged is None):
        return t
    return replace(t, draft=None)


def _moment(text: str | None) -> datetime | None:
    return datetime.fromisoformat(text) if text else None
