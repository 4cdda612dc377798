"""The bodies of responses, as plain JSON data. Nothing is sent that is not named here."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q

from games.accounts.models import Player
from tournaments import access, selectors
from tournaments.models import Entrant, Tournament
from tournaments.stream import Plan, Standing

# As what an entry is shown: who has a place is in, whether checked in yet or not.
SHOWN_STANDING: Mapping[str, str] = {Standing.REGISTERED: "in", Standing.GONE: "withdrawn"}


def time(moment: Any) -> str | None:
    """A moment, RFC 3339 in UTC."""
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")


def tournament_body(row: Tournament, player: Player | None, root: str) -> dict[str, Any]:
    """A tournament as somebody may see it; `root` is the address of this server, as in `https://host`."""
    entrant = selectors.entry_of(row, player)
    names = selectors.usernames(row.organisers)
    organises = access.organises(row, player)
    plan = Plan.from_json(row.plan)
    belongs = organises or entrant is not None
    return {
        "id": str(row.pk),
        "slug": row.slug,
        **plan_body(plan),
        "status": row.status,
        "version": row.version,
        "seed_commitment": row.commitment,
        "seed": row.shown_seed,
        "entrants": row.places,
        "waiting": len(row.queue),
        "round": row.seated,
        "rounds": plan.rounds,
        "open_rounds": sorted(row.open_rounds),
        "draft": row.draft["round"] if organises and row.draft is not None else None,
        "put_off": row.put_off,
        "organisers": [{"id": str(pk), "username": names.get(pk)} for pk in row.organisers],
        "you": {
            "entrant": entrant.key if entrant is not None else None,
            "organiser": player is not None and player.pk in row.organisers,
            "status": _own_status(row, entrant),
            "checked_in": entrant.checked_in if entrant is not None else None,
        },
        "share_url": share_url(row, root, with_invitation=belongs),
        "invitation": row.invitation if belongs else None,
        "set_up_at": time(row.set_up_at),
        "started_at": time(row.started_at),
        "ended_at": time(row.ended_at),
        "ended_why": row.ended_why,
    }


def plan_body(plan: Plan) -> dict[str, Any]:
    """What was set up, complete: `options` for a table of the wished size."""
    shown = plan.as_json()
    shown["options"] = dict(sorted(plan.complete_options().items()))
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
        "salt": entrant.salt if own else None,
    }


def player_ref(player_id: Any, names: Mapping[Any, str]) -> dict[str, Any] | None:
    """Who somebody is to others; a name of null: the account was deleted."""
    return None if player_id is None else {"id": str(player_id), "username": names.get(player_id)}


def names_of(row: Tournament, keys: set[str]) -> dict[str, str]:
    """The names of these entrants."""
    numbers = [int(key[1:]) for key in keys]
    entrants = Entrant.objects.filter(Q(number__in=numbers), tournament=row).select_related("player")
    names = {one.player_id: one.player.username for one in entrants if one.player_id and one.player}
    return {one.key: selectors.name_of(one, names) for one in entrants}


def game_body(game: selectors.GameNow) -> dict[str, Any]:
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
        "entrants": row.entrants,
        "rounds": result.get("rounds"),
        "players": result.get("players"),
        "absent": row.absent,
        "waits_for": [
            {"entrant": one.entrant, "since": time(one.since), "until": time(one.until)} for one in game.awaited
        ],
        "since": time(row.since),
        "ended_at": time(row.ended_at),
    }


def round_body(now: selectors.RoundNow, names: Mapping[str, str]) -> dict[str, Any]:
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
    found = selectors.rounds_now(row, rounds)
    keys = {key for one in found for table in one.tables for key in table.row.entrants}
    keys |= {key for one in found for key in one.row.byes}
    names = names_of(row, keys)
    return [round_body(one, names) for one in found]


def draft_body(draft: Mapping[str, Any]) -> dict[str, Any]:
    """A draft with the figures that judge it."""
    return {
        "round": draft["round"],
        "tables": draft["tables"],
        "byes": draft["byes"],
        **{name: draft["figures"].get(name) for name in ("repeats", "cost", "q", "bound")},
    }
