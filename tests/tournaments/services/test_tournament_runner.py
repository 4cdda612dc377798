"""The runner (LI6): tables are opened, results come in, rounds close and are seated, by themselves."""

from datetime import timedelta

import pytest
from tournament_scene import Club

from core.jobs.models import Work
from games import services as games
from games.models import Game
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import models
from tournaments.services import queue
from tournaments.stream import agenda

KNOCKOUT = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}


def test_a_knockout_plays_itself_to_its_end(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    assert club.t.seated == 1
    assert Game.objects.filter(tournament=club.id).count() == 2
    club.finish_round()
    assert club.t.seated == 2
    club.finish_round()
    assert club.t.status == "finished"
    assert club.types() == [
        "set_up",
        "opened",
        *["entered"] * 4,
        "started",
        "seeded",
        "seated",
        "result",
        "result",
        "round_closed",
        "seated",
        "result",
        "round_closed",
        "finished",
        "deals_opened",
    ]
    places = sorted(row["place"] for row in club.standings().values())
    assert places == [1, 2, 3, 3]
    assert not Work.objects.filter(kind__in=queue.kinds()).exists()


def test_li8_a_tables_game_is_the_tournaments(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    game = club.game(2)
    assert game.status == "setup"
    assert game.rated
    assert game.opener is None
    assert game.belongs_to == {"tournament": str(club.id), "stage": 1, "round": 1, "table": 2, "number": 1}
    sit = [seat.player.username for seat in game.seat_rows() if seat.player]
    players = {entrant.key: entrant.player for entrant in club.t.entrants.values()}
    assert [club.player(name).id for name in sit] == [players[key] for key in club.t.tables[1, 2].entrants]


def test_li6_run_twice_nothing_happens_twice(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    events, opened = len(club.types()), Game.objects.count()
    models.Tournament.objects.update(look_at=club.now)
    again = [agenda.Work(agenda.Kind.OPEN, str(key), {"game": str(key)}) for key in (club.game_id(1), club.game_id(2))]
    queue.put(club.id, again, due_at=club.now)
    services.follow_games.catch_up()
    services.run(now=club.now)
    assert len(club.types()) == events
    assert Game.objects.count() == opened


def test_li1_a_tournament_starts_by_itself(club: Club) -> None:
    club.open(*club.people[:4], starts_at=(club.now + timedelta(hours=2)).isoformat(), **KNOCKOUT)
    club.run(hours=1)
    assert club.t.status == "registration"
    club.run(hours=1)
    assert club.t.status == "running"
    assert club.t.seated == 1


def test_li1_with_too_few_it_is_put_off(club: Club) -> None:
    club.open(club.people[0], starts_at=(club.now + timedelta(hours=2)).isoformat(), **KNOCKOUT)
    club.run(hours=2)
    assert club.t.put_off
    services.enter(club.id, club.people[1], now=club.now)
    club.run(hours=1)
    assert club.t.status == "registration", "the organiser says when"
    services.start(club.id, club.olga, now=club.now)
    assert club.run().t.status == "running"


def test_ko1_one_entrant_left_has_won(club: Club) -> None:
    club.start(*club.people[:3], **KNOCKOUT)
    tables = [club.t.tables[1, number] for number in (1, 2)]
    lonely = next(table for table in tables if not table.games)
    services.withdraw(club.id, club.olga, lonely.entrants[0], now=club.now)
    club.finish(next(table.number for table in tables if table.games))
    assert club.t.status == "finished"
    assert club.t.ended_why == "no_round"


@pytest.mark.parametrize("status", ["open", "finished"])
def test_a_game_that_is_no_tournaments_is_let_be(club: Club, status: str) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    room = games.open_room(club.people[4], games.Terms("threes", 2), now=club.now)
    done_at(club.now, games.join, room.id, club.people[5])
    if status == "finished":
        started = done_at(club.now, games.start, room.id, club.people[4])
        games.play(started.id, club.people[4], {"move": "resign"}, now=club.now)
    before = len(club.types())
    club.run()
    assert len(club.types()) == before


SCORE = {"game": "three_thirteen", "settings": {"rounds": 1, "tables": {"size": 2}, "points": {"scheme": "score"}}}


def test_tt12_a_game_that_ended_before_a_round_was_scored_has_no_penalties_to_count(club: Club) -> None:
    club.start(*club.people[:2], **SCORE)
    club.finish(1)
    assert club.t.games[str(club.game_id(1))].outcome == "none"
    assert club.t.status == "finished"
    assert {row["total"] for row in club.standings().values()} == {None}


def test_tt12_by_places_it_counts(club: Club) -> None:
    club.start(*club.people[:2], game="three_thirteen", settings={"rounds": 1, "tables": {"size": 2}})
    club.finish(1)
    assert sorted(row["total"] for row in club.standings().values()) == ["0", "1"]


def test_an_overdue_game_of_three_thirteen_without_a_scored_round(club: Club) -> None:
    club.start(*club.people[:2], deadline=3600, overdue="adjudicate", **SCORE)
    club.run(hours=2)
    assert club.t.status == "finished"
    club.record()


def test_a_step_that_fails_is_seen_until_it_is_taken(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    """LI6: alarms and the dashboard look at work that is tried again."""
    club.start(*club.people[:4], **KNOCKOUT)
    with monkeypatch.context() as broken:
        broken.setattr("tournaments.services.seating.may_end", lambda _: 1 / 0)
        club.finish_round()
        club.run(minutes=1)
        [failing] = Work.objects.filter(kind__in=queue.kinds())
        assert (failing.kind, failing.error) == ("tournament.step", "ZeroDivisionError: division by zero")
        assert failing.tries > 0
        assert services.failing([club.id], 5) == [(club.id, "step")]
    club.run(hours=1)
    assert club.t.seated == 2
    assert not services.failing([club.id], 5)
