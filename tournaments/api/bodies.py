"""The bodies of responses, as plain JSON data. Nothing is sent that is not named here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from django.db.models import Q

from games.platform.accounts.models import Player
from tournaments import access, picture, selectors
from tournaments.models import Entrant, Tournament
from tournaments.projections import state_of
from tournaments.stream import Elector, Plan, Proposal, Rules, Standing, life
from tournaments.stream import Tournament as State
from tournaments.stream.proposals import complete

# The status that an entry is shown with: an entrant with a place is in, checked in or not.
SHOWN_STANDING: Mapping[str, str] = {Standing.REGISTERED: "in", Standing.GONE: "withdrawn"}


def time(moment: Any) -> str | None:
    """A moment, RFC 3339 in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def tournament_body(row: Tournament, player: Player | None, root: str) -> dict[str, Any]:
    """A tournament as somebody may see it; `root` is the address of this server, as in `https://host`."""
    entrant = selectors.entry_of(row, player)
    names = selectors.usernames([*row.organisers, *row.asked_organisers])
    after, successors = selectors.neighbours_of(row, player)
    organises = access.organises(row, player)
    t = state_of(row)
    plan = t.plan
    belongs = organises or (entrant is not None and entrant.standing not in access.OUTSIDE)
    return {
        "id": str(row.pk),
        "slug": row.slug,
        **plan_body(plan, t.rules),
        "status": row.status,
        "version": row.version,
        "seed_commitment": row.commitment,
        "seed": row.shown_seed,
        **deals_body(row),
        "entrants": row.places,
        "waiting": len(row.queue),
        "round": row.seated,
        "rounds": plan.rounds,
        "open_rounds": sorted(row.open_rounds),
        "draft": row.draft["round"] if organises and row.draft is not None else None,
        "put_off": row.put_off,
        "rules": [rules_body(plan, rules) for rules in t.all_rules],
        "open_proposals": row.open_proposals,
        "organisers": [{"id": str(pk), "username": names.get(pk)} for pk in row.organisers],
        "asked_organisers": [{"id": str(pk), "username": names.get(pk)} for pk in row.asked_organisers],
        "channels": [one["service"] for one in row.channels],
        "after": neighbour_body(after),
        "successors": [neighbour_body(one) for one in successors],
        "you": {
            "entrant": entrant.key if entrant is not None else None,
            "organiser": player is not None and player.pk in row.organisers,
            "status": _own_status(row, entrant),
            "checked_in": entrant.checked_in if entrant is not None else None,
            "asked": asked_body(entrant) if entrant is not None else None,
            "may_organise_from": None if player is None else time(life.may_organise_from(t, player.pk)),
        },
        "share_url": share_url(row, root, with_invitation=belongs),
        "invitation": row.invitation if belongs else None,
        "set_up_at": time(row.set_up_at),
        "started_at": time(row.started_at),
        "ended_at": time(row.ended_at),
        "ended_why": row.ended_why,
    }


def deals_body(row: Tournament) -> dict[str, Any]:
    """The commitments to the tournament's deals, and the secrets that are open; null where games draw their own."""
    deals = [
        {
            "commitment": one["commitment"],
            "secret": one["secret"] if one["opened_at"] is not None else None,
            "since": time(datetime.fromisoformat(one["since"])),
            "opened_at": one["opened_at"] and time(datetime.fromisoformat(one["opened_at"])),
        }
        for one in row.deals
    ]
    present = deals[-1] if deals else {"commitment": None, "secret": None}
    return {"deals_commitment": present["commitment"], "deals_secret": present["secret"], "deals": deals}


def neighbour_body(row: Tournament | None) -> dict[str, Any] | None:
    """A tournament that another one follows, or that follows it."""
    return None if row is None else {"id": str(row.pk), "title": row.title, "slug": row.slug, "status": row.status}


def rules_body(plan: Plan, rules: Rules) -> dict[str, Any]:
    """Rules of a tournament and since when they hold: `options` for a table of the wished size."""
    options = dict(sorted(complete(plan, rules, plan.size).items()))
    return {"proposal": rules.proposal, "ruleset": rules.ruleset, "options": options, "since": time(rules.since)}


def plan_body(plan: Plan, rules: Rules) -> dict[str, Any]:
    """What was set up, complete, with the rules that hold: `options` for a table of the wished size."""
    shown = plan.as_json()
    shown |= {name: rules_body(plan, rules)[name] for name in ("ruleset", "options")}
    shown["settings"] = dict(plan.settings)
    return shown


def share_url(row: Tournament, root: str, *, with_invitation: bool) -> str:
    """The public page's address; for a private tournament with the invitation, if the viewer may pass it on."""
    secret = f"?invitation={row.invitation}" if row.visibility == "private" and with_invitation else ""
    return f"{root}/t/{row.slug}{secret}"


def _own_status(row: Tournament, entrant: Entrant | None) -> str | None:
    """How the caller's entrant stands; in a knockout it may be out."""
    if entrant is None:
        return None
    if row.kind == "knockout" and row.seated and entrant.standing == Standing.IN:
        rows = selectors.standings_for(row.pk, row.version)["standings"]
        return next((str(one["status"]) for one in rows if one["entrant"] == entrant.key), "in")
    return SHOWN_STANDING.get(entrant.standing, entrant.standing)


def entry_body(row: Tournament, entrant: Entrant, names: Mapping[Any, str], player: Player | None) -> dict[str, Any]:
    """An entry; its salt is shown to its player only."""
    own = player is not None and entrant.player_id == player.pk
    return {
        "entrant": entrant.key,
        "name": selectors.name_of(entrant, names),
        "player": player_ref(entrant.player_id, names),
        "bot": entrant.bot,
        "status": SHOWN_STANDING.get(entrant.standing, entrant.standing),
        "since": time(entrant.since),
        "entered_at": time(entrant.entered_at),
        "checked_in": entrant.checked_in,
        "waiting": row.queue.index(entrant.key) + 1 if entrant.key in row.queue else None,
        "absences": entrant.absences,
        "asked": asked_body(entrant),
        "salt": entrant.salt if own else None,
    }


def asked_body(entrant: Entrant) -> dict[str, Any] | None:
    """For whom somebody on the waiting list is asked to stand in, at which game and until when (LI4)."""
    if entrant.asked_for is None:
        return None
    return {"for": entrant.asked_for, "game": str(entrant.asked_game), "until": time(entrant.asked_until)}


def player_ref(player_id: Any, names: Mapping[Any, str]) -> dict[str, Any] | None:
    """Who somebody is to others; a name of null: the account was deleted."""
    return None if player_id is None else {"id": str(player_id), "username": names.get(player_id)}


def names_of(row: Tournament, keys: set[str]) -> dict[str, str]:
    """The names of these entrants."""
    numbers = [int(key[1:]) for key in keys]
    entrants = Entrant.objects.filter(Q(number__in=numbers), tournament=row).select_related("player")
    names = {one.player_id: one.player.username for one in entrants if one.player_id and one.player}
    return {one.key: selectors.name_of(one, names) for one in entrants}


def game_body(game: picture.GameNow) -> dict[str, Any]:
    """A game of a tournament, with its result and whom it waits for."""
    row = game.row
    result = row.result or {}
    return {
        "id": str(row.game),
        "round": row.round,
        "table": row.table,
        "number": row.number,
        "status": game.status,
        "source": row.source,
        "entrants": game.entrants,
        "rounds": result.get("rounds"),
        "players": result.get("players"),
        "absent": row.absent,
        "waits_for": [
            {"entrant": one.entrant, "since": time(one.since), "until": time(one.until)} for one in game.awaited
        ],
        "since": time(row.since),
        "ended_at": time(row.ended_at),
        "proposal": row.proposal,
    }


def round_body(now: picture.RoundNow, names: Mapping[str, str]) -> dict[str, Any]:
    """A round with its tables."""
    row = now.row
    return {
        "round": row.number,
        "status": "open" if row.closed_at is None else "closed",
        "seated_at": time(row.seated_at),
        "deadline_at": time(row.deadline_at),
        "overdue": row.overdue,
        "closed_at": time(row.closed_at),
        "open_tables": row.open_tables,
        "proposal": row.proposal,
        "byes": [named(key, names) for key in row.byes],
        "tables": [
            {
                "table": table.row.number,
                "status": table.status,
                "entrants": [named(key, names) for key in table.row.entrants],
                "games": [game_body(game) for game in table.games],
            }
            for table in now.tables
        ],
    }


def named(key: str, names: Mapping[str, str]) -> dict[str, Any]:
    """An entrant by its name."""
    return {"entrant": key, "name": names.get(key)}


def rounds_bodies(row: Tournament, rounds: Sequence[Any]) -> list[dict[str, Any]]:
    """Rounds with their tables, games and names."""
    found = picture.rounds_now(row, rounds)
    keys = {key for one in found for table in one.tables for key in table.row.entrants}
    keys |= {key for one in found for key in one.row.byes}
    names = names_of(row, keys)
    return [round_body(one, names) for one in found]


def proposal_body(
    t: State, proposal: Proposal, names: Mapping[Any, str], player: Player | None, *, organiser: bool
) -> dict[str, Any]:
    """A proposal as somebody may see it; `options` are for a table of the wished size."""
    counts, own = selectors.counts_shown(t, proposal, organiser=organiser), selectors.own_vote(t, proposal, player)
    rules = rules_body(t.plan, Rules(proposal.ruleset, proposal.options, None, proposal.n))
    return {
        "n": proposal.n,
        "title": proposal.title,
        "reason": proposal.reason,
        "by": player_ref(proposal.by, names),
        "entrant": proposal.entrant,
        "ruleset": rules["ruleset"],
        "options": rules["options"],
        "changes": [
            {"option": one.option, "before": one.before, "after": one.after, "description": one.description}
            for one in selectors.changes_of(t, proposal)
        ],
        "status": proposal.status.value,
        "ratify": t.plan.ratify,
        "opened_at": time(proposal.opened_at),
        "closes_at": time(proposal.closes_at),
        "electors": proposal.counts.electors,
        "voted": proposal.counts.electors - proposal.counts.missing,
        "counts": counts.as_json() if counts is not None else None,
        "ended_at": time(proposal.ended_at),
        "ended_why": proposal.ended_why,
        "you": {"elector": own is not None, "vote": own.vote if own is not None else None},
    }


def proposal_with_votes(
    row: Tournament, t: State, n: int, electors: Sequence[Elector], player: Player | None
) -> dict[str, Any]:
    """A proposal with its electors: who has voted, and how once it has ended."""
    proposal = t.proposals[n]
    names = names_of(row, {one.entrant for one in electors})
    body = proposal_body(
        t, proposal, selectors.usernames([proposal.by]), player, organiser=access.organises(row, player)
    )
    body["votes"] = [
        {
            **named(one.entrant, names),
            "voted": one.vote is not None,
            "vote": None if proposal.is_open else one.vote,
        }
        for one in electors
    ]
    return body


def draft_body(draft: Mapping[str, Any]) -> dict[str, Any]:
    """A draft with the figures that judge it."""
    return {
        "round": draft["round"],
        "tables": draft["tables"],
        "byes": draft["byes"],
        **{name: draft["figures"].get(name) for name in ("repeats", "cost", "q", "bound")},
    }
