"""Who never comes to a game (LI4): seconds of running clock on duties one had, without a move of one's own."""

from tournament_scene import Club

from games import services as games
from games.models import Heartbeat, Outage, Seat
from tournaments import services

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
    games.play(game.id, player, moves[0]["send"], answer=lambda _: {}, now=club.now)


def sweep(club: Club, hours: int) -> None:
    """Time goes on, and turns run out."""
    for _ in range(hours):
        club.run(hours=1)
        games.sweep(now=club.now)
        # An hour between two sweeps is no outage here.
        Heartbeat.objects.all().delete()
        Outage.objects.all().delete()
        games.sweep_bots(now=club.now)
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
    player = seats(club)[0].player
    assert player is not None
    games.play(club.game_id(2, round=1), player, {"move": "resign"}, answer=lambda _: {}, now=club.now)
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


def test_substitute_the_first_who_waits_takes_over_cards_and_all(club: Club) -> None:
    started(club, "substitute", limit=4)
    services.enter(club.id, club.people[4], now=club.now)
    entrant = club.t.tables[1, 2].entrants[1]
    for seat in (0, 1):
        arrange(club, 1, seat)
    arrange(club, 2, 0)
    sweep(club, 2)
    assert seats(club)[1].player == club.people[4]
    assert not club.game(2).rated
    assert club.t.entrants[entrant].player == club.people[4].pk
    assert club.t.queue == ()


def test_substitute_where_nobody_waits_is_absent(club: Club) -> None:
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
