"""LI5: for every ruling the dry run says what then happens, refusals too."""

from collections.abc import Callable
from typing import Any
from uuid import UUID

import pytest
from django.db import transaction
from hypothesis import event, given, settings
from hypothesis import strategies as st
from tournament_scene import Club, end_game

from core import clock as service_clock
from core.jobs import services as work
from core.refusals import Refused
from games import services as games
from games.models import Game, Seat
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import selectors
from tournaments.services import no_shows, queue, runner
from tournaments.services.commands import RUNNER
from tournaments.services.outcomes import last_event
from tournaments.stream.agenda import Kind
from tournaments.stream.ruling import RULINGS

PLANS: dict[str, dict[str, Any]] = {
    "rounds": {"settings": {"rounds": 2, "tables": {"size": 3, "min": 2}, "games_per_table": 2}, "deadline": 86_400},
    "knockout": {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 3}}},
    "season": {"kind": "season"},
    "score": {
        "game": "three_thirteen",
        "settings": {"rounds": 2, "tables": {"size": 3, "min": 2}, "points": {"scheme": "score"}},
    },
    "stages": {
        "stages": [
            {"kind": "rounds", "settings": {"rounds": 2, "tables": {"size": 3, "min": 2}}, "take": 3},
            {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 3}}},
        ]
    },
}
STATES = ("not opened", "running", "moved", "absent", "over", "over, not recorded")


def seat_first_round(club: Club, plan: dict[str, Any]) -> None:
    """The first round is seated, and none of its games is opened."""
    club.open(*club.people[:6], **plan)
    services.start(club.id, club.olga, now=club.now)
    if plan.get("kind") == "season":
        for one in (0, 1, 2):
            # Not full, so that it does not start by itself.
            room = services.open_game(club.id, club.people[2 * one], seats=3, now=club.now)
            done_at(club.now, games.join, room.id, club.people[2 * one + 1], invitation=None)
    else:
        assert runner.run_step(club.id, now=club.now)


def bring_to(club: Club, key: str, state: str) -> None:
    """A game comes so far."""
    game_id = UUID(key)
    if state == "not opened":
        return
    if club.t.plan.kind == "season":
        opener = Seat.objects.get(game=game_id, index=0).player
        assert opener is not None
        done_at(club.now, games.start, game_id, opener)
    else:
        assert work.do(Kind.OPEN, queue.key_of(club.id, key), now=club.now)
    seats = Seat.objects.filter(game=game_id).count()
    if state in ("moved", "absent"):
        arranges(club, game_id, 0)
    if state == "absent" and club.t.games[key].entrants:
        games.hand_to_bot(game_id, 1, actor=RUNNER, reason=no_shows.REASON, now=club.now)
        no_shows.record_absence(club.id, game_id, club.t.games[key].entrants[1], now=club.now)
    if state.startswith("over"):
        end_game(game_id, list(range(seats)), club.now)
        assert last_event(game_id) is not None
    if state == "over":
        services.follow_games.catch_up()
        work.do(Kind.OUTCOME, queue.key_of(club.id, key), now=club.now)


def arranges(club: Club, game_id: UUID, seat: int) -> None:
    """A seat makes its first move, if it has one."""
    from games import selectors as shown

    player = Seat.objects.get(game=game_id, index=seat).player
    assert player is not None
    if moves := shown.legal_moves(player, shown.game_for(player, game_id)).moves:
        games.play(game_id, player, moves[0]["send"], now=club.now)


def placings(draw: Callable[..., Any], keys: list[str]) -> list[dict[str, Any]]:
    """A result as an organiser may give it: with shared places, absent ones, timeouts or none, and mistakes."""
    levels = {key: draw(st.integers(1, 3)) for key in keys}
    absent = {key for key in keys if draw(st.sampled_from((False, False, True)))}
    with_places = [key for key in keys if key not in absent or draw(st.booleans())]
    rows = []
    for key in keys:
        row: dict[str, Any] = {"entrant": key}
        if key in with_places:
            row["place"] = 1 + sum(levels[other] < levels[key] for other in with_places)
        if key in absent:
            row["absent"] = True
        if draw(st.booleans()):
            row["timeouts"] = draw(st.integers(0, 3))
        if draw(st.sampled_from((True, True, False))):
            row["score"] = draw(st.integers(0, 40))
        rows.append(row)
    return rows[: draw(st.sampled_from((len(rows), len(rows), len(rows), len(rows) - 1)))]


def a_ruling(draw: Callable[..., Any], club: Club) -> dict[str, Any]:
    """Any ruling, of which most can be made."""
    name = draw(st.sampled_from(list(RULINGS)))
    if name == "end_stage":
        return {"ruling": name, "reason": "because"}
    about = about_game if name in ("void", "restore", "correct", "rule_table", "enter_result") else about_entrant
    if name == "extend":
        about = about_time
    return {"ruling": name, "reason": "because", **about(draw, club, name)}


def about_game(draw: Callable[..., Any], club: Club, name: str) -> dict[str, Any]:
    t = club.t
    game = t.games[draw(st.sampled_from(list(t.games)))]
    asked: dict[str, Any] = {}
    if name != "restore" and game.round and draw(st.booleans()):
        asked |= {"round": game.round, "table": game.table}
    elif not (t.plan.kind == "season" and name == "enter_result"):
        asked["game"] = game.id
    if name in ("correct", "rule_table", "enter_result"):
        asked["players"] = placings(draw, list(game.entrants) or ["e1", "e3"])
        if t.plan.game == "three_thirteen" and draw(st.sampled_from((True, True, False))):
            asked["rounds"] = 3
    return asked


def about_entrant(draw: Callable[..., Any], _: Club, name: str) -> dict[str, Any]:
    asked: dict[str, Any] = {"entrant": draw(st.sampled_from(["e1", "e2", "e4", "e6", "e9"]))}
    if name == "adjust":
        asked["points"] = draw(st.sampled_from(["1", "-1/2"]))
    if name == "replace":
        asked |= draw(st.sampled_from([{"player": "gus"}, {"player": "ada"}, {"bot": "steady"}]))
    return asked


def about_time(draw: Callable[..., Any], club: Club, _: str) -> dict[str, Any]:
    if draw(st.booleans()):
        return {"round": draw(st.sampled_from((1, 2))), "seconds": 3600}
    game = club.t.games[draw(st.sampled_from(list(club.t.games)))]
    named = {"entrant": draw(st.sampled_from(game.entrants))} if game.entrants and draw(st.booleans()) else {}
    return {"game": game.id, "seconds": 3600, **named}


def said_of(club: Club, asked: dict[str, Any]) -> Any:
    """What comes of a ruling: what the service answers, or how it refuses."""
    try:
        return services.rule(club.id, club.olga, asked, now=club.now)
    except Refused as error:
        return type(error).__name__, error.code, str(error), getattr(error, "errors", None)


def versions() -> list[Any]:
    return list(Game.objects.order_by("id").values_list("id", "version"))


def shown(standings: Any, known: set[str]) -> Any:
    """Standings and bounds; the id of a result that is new is drawn by lot."""
    rows = [{**row, "kept": [key if key in known else "new" for key in row["kept"]]} for row in standings["standings"]]
    return rows, standings["bounds"]


@pytest.fixture
def seven(db: None, clock: service_clock.FrozenClock) -> Club:
    return Club(service_clock.now(), people=7)


@pytest.mark.parametrize("plan", PLANS.values(), ids=PLANS)
@settings(max_examples=4)
@given(data=st.data())
def test_li5_the_dry_run_is_what_then_happens(seven: Club, plan: dict[str, Any], data: st.DataObject) -> None:
    club, start = seven, transaction.savepoint()
    try:
        seat_first_round(club, plan)
        for key in list(club.t.games):
            bring_to(club, key, data.draw(st.sampled_from(STATES), label=key))
        for _ in range(4):
            asked = a_ruling(data.draw, club)
            before, games_before = club.t, versions()
            dry = said_of(club, {**asked, "dry_run": True})
            assert (club.t.version, versions()) == (before.version, games_before)
            was_shown = selectors.standings_for(club.id, club.t.version)
            known = set(before.games)
            done = said_of(club, asked)
            if isinstance(done, services.Ruled):
                assert isinstance(dry, services.Ruled), f"refused in the dry run only: {dry}"
                event(f"{asked['ruling']} made")
                assert dry.before == was_shown
                assert shown(dry.after, known) == shown(selectors.standings_for(club.id, club.t.version), known)
            else:
                event(f"{asked['ruling']} refused: {done[1]}")
                assert dry == done
    finally:
        transaction.savepoint_rollback(start)


def test_li5_a_ruling_on_a_table_whose_games_have_all_ended_unrecorded_is_refused_in_both(seven: Club) -> None:
    club = seven
    seat_first_round(club, PLANS["rounds"])
    for game in club.t.games_of(club.t.tables[1, 1]):
        bring_to(club, game.id, "over, not recorded")
    placed = [{"entrant": key, "place": place} for place, key in enumerate(club.t.tables[1, 1].entrants, start=1)]
    asked = {"ruling": "rule_table", "reason": "because", "round": 1, "table": 1, "players": placed}

    dry = said_of(club, {**asked, "dry_run": True})

    assert dry[:2] == ("Conflict", "too_many_results")
    assert said_of(club, asked) == dry


def each_ruling(club: Club, over: str, running: str) -> list[tuple[dict[str, Any], dict[str, Any]]]:
    """Every ruling, on a game that is over and one that runs, with what is ruled first so that it can be made."""
    game = club.t.games[running]
    # The tournament has not heard yet who plays in a season's game.
    entrants = {one.player: key for key, one in club.t.entrants.items()}
    seats = Seat.objects.filter(game=running).order_by("index")
    first, second, *_ = keys = [entrants[player] for player in seats.values_list("player", flat=True)]
    table = {} if game.round is None else {"round": game.round, "table": game.table}
    players = [{"entrant": key, "place": place} for place, key in enumerate(keys, start=1)]
    void = {"ruling": "void", "game": running}
    turned = [{"entrant": key, "place": place} for place, key in enumerate(club.t.games[over].entrants[::-1], start=1)]
    return [
        ({}, {"ruling": "void", "game": over}),
        ({}, void),
        ({"ruling": "void", "game": over}, {"ruling": "restore", "game": over}),
        ({}, {"ruling": "correct", "game": over, "players": turned}),
        ({}, {"ruling": "rule_table", "game": running, "players": players}),
        (void, {"ruling": "enter_result", **table, "players": players}),
        ({}, {"ruling": "adjust", "entrant": "e2", "points": "-1/2"}),
        ({}, {"ruling": "replace", "entrant": first, "player": "gus"}),
        ({}, {"ruling": "remove", "entrant": first}),
        ({"ruling": "remove", "entrant": first}, {"ruling": "reinstate", "entrant": first}),
        ({}, {"ruling": "extend", "game": running, "entrant": second, "seconds": 3600}),
        ({}, {"ruling": "end_stage"}),
    ]


# LI3: games that go on beside the end can still have results, and more time.
PLAYED_ON = {"rule_table", "enter_result", "extend"}
IMPOSSIBLE = {
    "rounds": {"end_stage"},
    "knockout": {"adjust", "end_stage"},
    "season": {"rule_table", "end_stage"},
    "stages": set[str](),
}


@pytest.mark.sampled
@pytest.mark.parametrize("kind", IMPOSSIBLE)
@pytest.mark.parametrize("state", ["running", "finished", "reopened"])
def test_li5_each_ruling_is_foreseen_while_it_runs_and_after_it(seven: Club, kind: str, state: str) -> None:
    club = seven
    seat_first_round(club, PLANS[kind])
    over, running, *_ = sorted(
        club.t.games, key=lambda key: (club.t.games[key].round or 0, club.t.games[key].table or 0)
    )
    bring_to(club, over, "over")
    bring_to(club, running, "moved")
    if state != "running":
        services.finish(club.id, club.olga, now=club.now)
    if state == "reopened":
        services.reopen(club.id, club.olga, "a result was wrong", now=club.now)
    made = set()
    for first, asked in each_ruling(club, over, running):
        start = transaction.savepoint()
        if first:
            said_of(club, {"reason": "because", **first})
        known = set(club.t.games)
        dry = said_of(club, {"reason": "because", **asked, "dry_run": True})
        done = said_of(club, {"reason": "because", **asked})
        if isinstance(done, services.Ruled):
            made.add(asked["ruling"])
            assert shown(dry.after, known) == shown(selectors.standings_for(club.id, club.t.version), known), asked
        else:
            assert dry == done, asked
        transaction.savepoint_rollback(start)
    assert made == (PLAYED_ON if state == "finished" else {*list(RULINGS)}) - IMPOSSIBLE[kind]
