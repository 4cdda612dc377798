"""Who never comes to a game (LI4): seconds of running clock on duties one had, without a move of one's own."""

from datetime import timedelta

import pytest
from django.test import Client
from tournament_scene import Club, end_game

from core.refusals import Conflict
from games import services as games
from games.models import Heartbeat, Outage, Seat
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments.models import Tournament
from tournaments.projections import rebuild

HOURS = {"per_turn": 7200, "quiet_hours": False, "vacation": False}
PLAN = {
    "settings": {"rounds": 2, "tables": {"size": 2}},
    "no_show_after": 5400,
    "clock": HOURS,
}


def arrange(club: Club, table: int, seat: int) -> None:
    """A seat keeps the cards that lie face up: a move of its own."""
    game = club.game(table)
    player = game.seat_rows()[seat].player
    assert player is not None
    from games import selectors

    moves = selectors.legal_moves(player, selectors.game_for(player, game.id)).moves
    games.play(game.id, player, moves[0]["send"], now=club.now)


def sweep(club: Club, hours: int) -> None:
    """Time goes on, and turns run out."""
    for _ in range(hours):
        club.run(hours=1)
        done_at(club.now, games.sweep)
        # An hour between two sweeps is no outage here.
        Heartbeat.objects.all().delete()
        Outage.objects.all().delete()
        done_at(club.now, games.sweep_bots)
        club.run()


def started(club: Club, mode: str, **asked: object) -> Club:
    return club.start(*club.people[:4], **{**PLAN, "no_show": mode, **asked})


def seats(club: Club) -> list[Seat]:
    return club.game(2).seat_rows()


def test_play_leaves_it_to_the_clock(club: Club) -> None:
    started(club, "play")
    arrange(club, 2, 0)
    sweep(club, 4)
    assert "absent" not in club.types()
    assert seats(club)[1].timeouts > 0


@pytest.mark.sampled
def test_absent_a_bot_plays_the_game_out_and_the_result_says_so(club: Club) -> None:
    started(club, "absent")
    entrant = club.t.tables[1, 2].entrants[1]
    for seat in (0, 1):
        arrange(club, 1, seat)
    arrange(club, 2, 0)
    sweep(club, 1)
    assert seats(club)[1].bot is None
    sweep(club, 1)
    assert seats(club)[1].bot is not None
    assert club.t.entrants[entrant].absences == 1
    assert entrant in club.t.games[str(club.game_id(2))].absent
    end_game(club.game_id(2, round=1), [1, 0], club.now)
    club.run()
    result = club.record().results[str(club.game_id(2, round=1))]
    assert [one.absent for one in sorted(result.players, key=lambda one: one.place or 0)] == [True, False]


def test_who_has_moved_is_no_no_show(club: Club) -> None:
    started(club, "absent")
    for table in (1, 2):
        for seat in (0, 1):
            arrange(club, table, seat)
    sweep(club, 4)
    assert "absent" not in club.types()


def test_only_the_running_clock_counts(club: Club) -> None:
    # The weekend pause stops every clock: it is Saturday.
    started(club, "absent", clock={**HOURS, "weekend_pause": True})
    sweep(club, 5)
    assert "absent" not in club.types()


def missing(club: Club, waiting: int = 1, **asked: object) -> str:
    """Somebody does not come to table 2 while others wait: the entrant. By now the first who waits is asked."""
    started(club, "substitute", limit=4, **asked)
    for player in club.people[4 : 4 + waiting]:
        services.enter(club.id, player, now=club.now)
    for seat in (0, 1):
        arrange(club, 1, seat)
    arrange(club, 2, 0)
    sweep(club, 2)
    return club.t.tables[1, 2].entrants[1]


PATIENT = {"clock": {**HOURS, "per_turn": 72 * 3600}}


def test_li4_the_first_who_waits_is_asked_and_takes_over_cards_and_all_by_accepting(club: Club) -> None:
    entrant = missing(club)
    assert club.types()[-1] == "substitute_asked"
    hers = club.t.entrants["e5"]
    assert (hers.asked_for, hers.asked_until) == (entrant, club.now + timedelta(hours=12))
    assert seats(club)[1].player != club.people[4], "nobody plays unasked"
    assert services.accept(club.id, club.people[4], "e5", now=club.now).entrant == entrant
    club.run()
    assert seats(club)[1].player == club.people[4]
    assert not club.game(2).rated
    assert club.t.entrants[entrant].player == club.people[4].pk
    assert club.t.queue == () and club.t.entrants[entrant].asked == ()


@pytest.mark.sampled
def test_li4_who_is_asked_reads_it_on_the_first_page_and_nothing_asks_them_once_it_is_over(
    club: Club, client: Client
) -> None:
    missing(club, **PATIENT)
    client.force_login(club.people[4])
    page, entry = f"/t/{Tournament.objects.get(pk=club.id).slug}", f"/api/v1/tournaments/{club.id}"
    assert "You are invited" in client.get("/").content.decode()
    assert "Play instead of" in client.get(page).content.decode()
    assert client.get(entry).json()["you"]["asked"] is not None
    services.finish(club.id, club.olga, now=club.now)
    assert "You are invited" not in client.get("/").content.decode()
    shown = client.get(page).content.decode()
    assert "Play instead of" not in shown and "You were on the waiting list until the end." in shown
    assert client.get(entry).json()["you"]["asked"] is None
    entries = {one["entrant"]: one for one in client.get(f"{entry}/entries").json()["results"]}
    assert entries["e5"]["asked"] is None


@pytest.mark.sampled
def test_li4_after_twelve_hours_the_next_one_is_asked_and_then_it_is_absent(club: Club) -> None:
    entrant = missing(club, waiting=2, **PATIENT)
    sweep(club, 11)
    assert club.t.entrants["e5"].asked_for == entrant
    sweep(club, 1)
    assert club.types()[-2:] == ["substitute_let_go", "substitute_asked"]
    assert (club.t.entrants["e5"].asked_for, club.t.entrants["e6"].asked_for) == (None, entrant)
    assert club.t.queue == ("e5", "e6"), "who did not answer goes on waiting"
    with pytest.raises(Conflict) as error:
        services.accept(club.id, club.people[4], "e5", now=club.now)
    assert error.value.code == "not_invited"
    assert "absent" not in club.types()
    sweep(club, 12)
    assert club.t.entrants["e6"].asked_for is None
    assert "absent" in club.types() and seats(club)[1].bot is not None


@pytest.mark.sampled
def test_li4_whoever_takes_over_has_time_of_their_own_to_come(club: Club) -> None:
    entrant = missing(club, waiting=2, **PATIENT)
    sweep(club, 11)
    services.accept(club.id, club.people[4], "e5", now=club.now)
    club.run()
    sweep(club, 1)
    assert club.types()[-1] == "replaced", "the clock has run on them for an hour"
    sweep(club, 1)
    assert (club.types()[-1], club.t.entrants["e6"].asked_for) == ("substitute_asked", entrant)


@pytest.mark.sampled
def test_li4_who_comes_after_all_plays_on_and_nobody_takes_over(club: Club) -> None:
    entrant = missing(club, **PATIENT)
    arrange(club, 2, 1)
    with pytest.raises(Conflict) as error:
        services.accept(club.id, club.people[4], "e5", now=club.now)
    assert error.value.code == "already_came"
    sweep(club, 12)
    assert club.types()[-1] == "substitute_let_go"
    assert club.t.entrants["e5"].asked_for is None and club.t.entrants[entrant].asked == ()
    assert "absent" not in club.types()


@pytest.mark.sampled
def test_li4_a_game_that_has_ended_needs_nobody(club: Club) -> None:
    missing(club, **PATIENT)
    club.finish(2)
    with pytest.raises(Conflict) as error:
        services.accept(club.id, club.people[4], "e5", now=club.now)
    assert error.value.code == "not_asked"
    sweep(club, 12)
    assert club.t.entrants["e5"].asked_for is None
    assert rebuild(club.id).differences == ()


def test_li4_who_is_asked_and_leaves_the_waiting_list_makes_room_for_the_next(club: Club) -> None:
    entrant = missing(club, waiting=2, **PATIENT)
    services.withdraw(club.id, club.people[4], "e5", now=club.now)
    sweep(club, 1)
    assert club.t.entrants["e6"].asked_for == entrant


def test_li4_nobody_is_asked_for_somebody_who_was_removed_meanwhile(club: Club) -> None:
    entrant = missing(club, **PATIENT)
    services.rule(club.id, club.olga, {"ruling": "remove", "entrant": entrant, "reason": "rude"}, now=club.now)
    assert club.t.entrants["e5"].asked_for is None


def test_li4_substitute_where_nobody_waits_is_absent(club: Club) -> None:
    started(club, "substitute")
    for seat in (0, 1):
        arrange(club, 1, seat)
    arrange(club, 2, 0)
    sweep(club, 2)
    assert seats(club)[1].bot is not None
    assert "absent" in club.types()


def test_a_table_of_absent_entrants_only_holds_up_no_round(club: Club) -> None:
    started(club, "absent")
    for seat in (0, 1):
        arrange(club, 1, seat)
    sweep(club, 2)
    result = club.record().results[str(club.game_id(2, round=1))]
    assert all(one.absent for one in result.players)
    assert club.game(2, round=1).status == "cancelled"
    rows = club.standings()
    assert {rows[key]["total"] for key in club.t.tables[1, 2].entrants} == {"0"}


def test_nor_does_a_table_of_removed_ones(club: Club) -> None:
    started(club, "absent")
    for key in club.t.tables[1, 2].entrants:
        services.rule(club.id, club.olga, {"ruling": "remove", "entrant": key, "reason": "rude"}, now=club.now)
        club.run()
    assert club.t.games[str(club.game_id(2))].outcome == "result"
