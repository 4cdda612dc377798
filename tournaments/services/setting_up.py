import secrets
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any
from uuid import UUID, uuid4

from django.conf import settings
from django.urls import reverse
from django.utils.text import slugify

from core import clock as service_clock
from core import log
from core.accounts import blocking
from core.accounts import services as accounts
from core.accounts.models import Player
from core.refusals import Conflict, Forbidden, Invalid, NotFound
from core.rows import execute
from core.text import uuid_in
from games import services as games
from games.projections import Snapshot
from games.rules import game_of
from games.selectors import game_for, game_title, title_by
from tournaments import models, selectors
from tournaments.projections import TOURNAMENT
from tournaments.services.commands import Condition, Done, WrittenDown, as_player, by_of, loaded, new_events, of_player
from tournaments.services.seating import next_round, ratings_in
from tournaments.stream import By, Fact, Plan, Tournament, check_organiser, life, merged, read_plan
from tournaments.stream.state import UNFINISHED

SEED_BYTES = 32
A_YEAR = timedelta(days=365)


def set_up(player: Player, body: Mapping[str, Any]) -> Done:
    """Set up a tournament as a draft; `body` is that of ``POST tournaments``.

    With `after` it is the successor of that tournament (RT7), with `from_game` a season of the people of that game.

    Raises Invalid, NotFound, Forbidden (staff_only; guest_account), Conflict (too_many_tournaments, not_finished).
    """
    at = service_clock.now()
    _check_may_set_up(player)
    body = games.with_saved(player, body)
    if body.get("after") is not None and body.get("from_game") is not None:
        raise Invalid("invalid", "A tournament can follow another tournament or a game, not both.", field="from_game")
    before, table = _before(player, body.get("after")), _table(player, body.get("from_game"))
    asked = {key: value for key, value in body.items() if key not in ("after", "from_game")}
    if before is not None:
        asked = life.taken_over(before, by_of(player), before.asked, asked)
    if table is not None:
        asked = merged(_season_of(table, at), asked)
    refusing = blocking.those_who_blocked(player.pk) if before is not None or table is not None else set()

    def follow(plan: Plan) -> Sequence[Fact]:
        if before is not None:
            return life.succeed(before, by_of(player), new_salt, refusing=refusing)
        if table is not None:
            people = [seat.player for seat in table.players if seat.player not in (None, player.pk, *refusing)]
            return life.begin_with(plan, player.pk, people, new_salt)
        return ()

    return _set_up(player, asked, at, follow)


def begin_season(player: Player, rules: Mapping[str, Any], seats: int) -> str:
    """Set up a private season of a house game, at tables of so many, and return its address. Raises as `set_up`."""
    at, options = service_clock.now(), {"rules": dict(rules)}
    _check_may_set_up(player)
    asked = {**_season(title_by(game_of("house", options)), "house", seats, at), "options": options}
    done = _set_up(player, asked, at, lambda plan: life.begin_with(plan, player.pk, (), new_salt))
    return reverse("tournament-page", args=[done.tournament.slug])


def _check_may_set_up(player: Player) -> None:
    if not settings.TREY_LIMITS["tournaments_per_organiser"] and not player.acts_as_staff:
        raise Forbidden("staff_only", "On this server, only staff can set up tournaments.")
    if player.is_guest:
        raise Forbidden(
            "guest_account", "A guest cannot set up a tournament. Keep your account first: give it a password."
        )


def _set_up(player: Player, asked: Mapping[str, Any], at: datetime, follow: Callable[[Plan], Sequence[Fact]]) -> Done:
    """Write down a draft, and what follows at once."""
    plan = plan_of(asked)
    facts = life.set_up(
        plan,
        asked,
        organiser=player.pk,
        seed=secrets.token_hex(SEED_BYTES),
        deals=secrets.token_hex(SEED_BYTES),
        slug=_slug(plan.title),
        invitation=games.new_invitation(),
    )
    facts += follow(plan)

    def decide(_: Tournament | None) -> log.Decided[None]:
        _check_limit(player)
        return log.Decided(new_events(facts), None)

    executed = log.execute(
        TOURNAMENT,
        uuid4(),
        decide,
        actor=log.Actor("organiser", str(player.pk)),
        now=at,
        receipt=WrittenDown(at),
    )
    return Done(executed.after, executed.events)


def change(
    tournament_id: UUID,
    player: Player,
    changes: Mapping[str, Any],
    *,
    if_match: Condition | None = None,
) -> Done:
    """Change the plan before the start, or the pace, key by key; null restores a default. Raises Invalid, Stale."""
    return of_player(tournament_id, player, lambda t, by, at: _changed(t, by, changes, at), if_match=if_match)


def set_pace(tournament_id: UUID, player: Player, pace: str) -> Done:
    """Let rounds be seated by themselves (`auto`) or as organisers say (`manual`), in all stages."""

    def decide(t: Tournament, by: By, at: datetime) -> list[Fact]:
        stages = [{**stage, "pace": pace} for stage in t.asked.get("stages") or ()]
        return _changed(t, by, {"stages": stages} if stages else {"pace": pace}, at)

    return of_player(tournament_id, player, decide)


def _changed(t: Tournament, by: By, changes: Mapping[str, Any], at: datetime) -> list[Fact]:
    check_organiser(t, by)
    asked = merged(t.asked, changes)
    # While it runs only the pace can change, and a stage may have closed.
    plan = plan_of(asked, now=at if t.started_at is None else t.started_at)
    return life.change(t, by, plan, asked, now=at)


def open_registration(tournament_id: UUID, player: Player) -> Done:
    return of_player(tournament_id, player, lambda t, by, _: life.open_registration(t, by))


def start(tournament_id: UUID, player: Player) -> Done:
    """Start now; with `pace: "manual"` the first round is drafted."""
    done = of_player(tournament_id, player, lambda t, by, _: life.start(t, by, ratings_in(t.plan.game)))
    if done.tournament.plan.pace == "manual" and done.tournament.plan.kind != "season":
        return next_round(tournament_id, player)
    return done


def finish(tournament_id: UUID, player: Player) -> Done:
    return of_player(tournament_id, player, lambda t, by, _: life.finish(t, by, "organiser"), due=True)


def cancel(tournament_id: UUID, player: Player, reason: str) -> Done:
    return of_player(tournament_id, player, lambda t, by, _: life.cancel(t, by, reason), reason=reason, due=True)


def reopen(tournament_id: UUID, player: Player, reason: str) -> Done:
    drawn = secrets.token_hex(SEED_BYTES)
    return of_player(tournament_id, player, lambda t, by, _: life.reopen(t, by, reason, deals=drawn), reason=reason)


def add_organiser(tournament_id: UUID, player: Player, username: str) -> Done:
    """Ask somebody to organise it, too. Raises as `invited_player`."""
    other = invited_player(player.pk, username)
    return of_player(tournament_id, player, lambda t, by, _: life.add_organiser(t, by, other.pk))


def remove_organiser(tournament_id: UUID, player: Player, username: str) -> Done:
    """Remove an organiser, or take the question back. Raises NotFound (no_such_player)."""
    if (other := accounts.named(username)) is None:
        raise _no_such_player()
    return of_player(tournament_id, player, lambda t, by, _: life.remove_organiser(t, by, other.pk))


def accept_to_organise(tournament_id: UUID, player: Player) -> Done:
    return as_player(tournament_id, player, lambda t, by, at: life.accept_to_organise(t, by, now=at))


def decline_to_organise(tournament_id: UUID, player: Player) -> Done:
    return as_player(tournament_id, player, lambda t, by, _: life.remove_organiser(t, by, player.pk))


def renew_invitation(tournament_id: UUID, player: Player) -> Done:
    return of_player(tournament_id, player, lambda t, by, _: life.renew_invitation(t, by, games.new_invitation()))


def player_named(username: str) -> Player:
    """Raises NotFound (no_such_player)."""
    found = accounts.named(username)
    if found is None or not found.is_active:
        raise _no_such_player()
    return found


def _no_such_player() -> NotFound:
    return NotFound("no_such_player", "There is no player with that name.")


def invited_player(inviter: UUID | None, username: str) -> Player:
    """An account that takes invitations. Raises NotFound (no_such_player), Forbidden (blocked)."""
    other = player_named(username)
    if inviter is not None:
        blocking.check_invites(inviter, other, field="player")
    return other


def _before(player: Player, after: object) -> Tournament | None:
    """The tournament that a new one is to follow. Raises Invalid (after), NotFound."""
    if after is None:
        return None
    if (tournament_id := uuid_in(after)) is None:
        raise Invalid("invalid", "Must be the id of a tournament.", field="after")
    return loaded(selectors.tournament_for(player, tournament_id).pk)


def _table(player: Player, game: object) -> Snapshot | None:
    """The game whose people a new season is for. Raises Invalid (from_game), NotFound, Conflict (not_finished)."""
    if game is None:
        return None
    if (game_id := uuid_in(game)) is None:
        raise Invalid("invalid", "Must be the id of a game.", field="from_game")
    found = game_for(player, game_id)
    if found.seat_of(player) is None:
        raise NotFound("not_found", "You did not play in this game.")
    if found.status != "finished":
        raise Conflict("not_finished", "Only a finished game can become a season.")
    return found


def _season_of(game: Snapshot, at: datetime) -> dict[str, Any]:
    """What a season is like if only a game says so."""
    return {
        # As many as sat there are asked for again.
        **_season(game_title(game), game.game, game.seats, at),
        "ruleset": game.ruleset,
        "options": dict(game.asked_options),
        "clock": dict(game.clock) if game.named_clock else None,
    }


def _season(title: str, game: str, seats: int, at: datetime) -> dict[str, Any]:
    return {
        "title": f"{title} {at.year}",
        "game": game,
        "kind": "season",
        "visibility": "private",
        "guests": True,
        "closes_at": log.time_text(at + A_YEAR),
        "settings": {"tables": {"size": seats}},
    }


def new_salt() -> str:
    return secrets.token_hex(16)


def plan_of(asked: Mapping[str, Any], *, now: datetime | None = None) -> Plan:
    """The plan that is asked for, by default now. Raises Invalid, which names the fields."""
    return read_plan(
        asked,
        now=now or service_clock.now(),
        minimum_per_turn=settings.TREY_LIMITS["min_turn"],
        most_entrants=settings.TREY_LIMITS["tournament_entrants"],
    )


def _slug(title: str) -> str:
    ending = secrets.token_hex(4)
    return f"{slugify(title)[:60].strip('-') or 'tournament'}-{ending}"


def _check_limit(player: Player) -> None:
    # Of two concurrent calls, the second waits and counts the first one's tournament.
    execute("SELECT pg_advisory_xact_lock(hashtext('trey tournaments'), hashtext(%s))", [str(player.pk)])
    limit = settings.TREY_LIMITS["tournaments_per_organiser"]
    if limit and models.Tournament.objects.filter(set_up_by=player.pk, status__in=UNFINISHED).count() >= limit:
        raise Conflict("too_many_tournaments", f"You can have at most {limit} unfinished tournaments at a time.")
