"""PT8, KO4: who resigned before any move in play is absent, and nobody goes on by staying away."""

import pytest
from tournament_scene import Club

from games import services as games
from games.models import Seat
from tests.games.services.service_scene import a_move, game_now, play, play_until_all_have
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments.models import Tournament
from tournaments.picture import Picture

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}
KNOCKOUT = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}
RESIGN = {"move": "resign"}


def absent_at(club: Club, table: int, round: int = 1) -> dict[str, bool]:  # noqa: A002  the word of the page
    """Whether each seat of a table's result is absent, by entrant."""
    result = club.record().results[str(club.game_id(table, round=round))]
    return {player.entrant: player.absent for player in result.players}


def resign(club: Club, table: int, *seats: int) -> None:
    for seat in seats:
        player = club.game(table).seat_rows()[seat].player
        assert player is not None
        games.play(club.game_id(table), player, RESIGN, now=club.now)


@pytest.mark.parametrize("arranged", [False, True])
def test_pt8_who_resigns_before_any_move_in_play_is_absent(club: Club, arranged: bool) -> None:
    club.start(*club.people[:4], **PAIRS)
    first, second = club.t.tables[1, 1].entrants
    if arranged:
        for seat in club.game(1).seat_rows():
            assert seat.player is not None
            play(club.game_id(1), seat.player, a_move(game_now(club.game_id(1)), seat.player))
    resign(club, 1, 1)
    club.run()
    assert absent_at(club, 1) == {first: False, second: True}, "who neither moved nor resigned is not absent"
    assert club.standings()[first]["tie_breaks"]["opponents_strength"] == "1/2"


def test_pt8_who_has_moved_in_play_and_resigns_is_not_absent(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    play_until_all_have(club.game_id(1))
    resign(club, 1, 1)
    club.run()
    assert set(absent_at(club, 1).values()) == {False}


def test_pt8_who_withdraws_with_resign_before_any_move_is_absent(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    first, second = club.t.tables[1, 1].entrants
    player = club.game(1).seat_rows()[1].player
    assert player is not None
    services.withdraw(club.id, player, second, resign=True, now=club.now)
    club.run()
    assert absent_at(club, 1) == {first: False, second: True}


def test_pt8_who_is_resigned_by_the_clock_before_any_move_is_absent(club: Club) -> None:
    club.start(*club.people[:4], clock={"per_turn": 3600, "on_timeout": "resign"}, **PAIRS)
    second = club.t.tables[1, 1].entrants[1]
    player = club.game(1).seat_rows()[0].player
    assert player is not None
    play(club.game_id(1), player, a_move(game_now(club.game_id(1)), player), now=club.now)
    club.run(hours=13)
    done_at(club.now, games.sweep)
    club.run()
    assert absent_at(club, 1)[second] is True


def test_pt8_a_ruling_on_the_table_may_say_otherwise(club: Club) -> None:
    club.start(*club.people[:4], settings={"rounds": 2, "tables": {"size": 4}})
    entrants = club.t.tables[1, 1].entrants
    resign(club, 1, 3)
    assert Seat.objects.get(game=club.game_id(1), index=3).resigned
    players = [{"entrant": key, "place": place} for place, key in enumerate(entrants, 1)]
    asked = {"ruling": "rule_table", "round": 1, "table": 1, "reason": "she was ill", "players": players}
    services.rule(club.id, club.olga, asked, now=club.now)
    assert set(absent_at(club, 1).values()) == {False}


def test_pt8_a_successor_need_not_move_again(club: Club) -> None:
    """The result is the entrant's: whoever takes over what somebody began and resigns was not absent."""
    club.start(*club.people[:4], **PAIRS)
    second = club.t.tables[1, 1].entrants[1]
    play_until_all_have(club.game_id(1))
    asked = {"ruling": "replace", "entrant": second, "bot": "steady", "reason": "ill"}
    services.rule(club.id, club.olga, asked, now=club.now)
    club.run()
    resign(club, 1, 0)
    club.run()
    assert absent_at(club, 1)[second] is False


def nobody_came(club: Club, round: int) -> None:  # noqa: A002
    """The ruling that nobody came to table 1."""
    players = [{"entrant": key, "absent": True} for key in club.t.tables[round, 1].entrants]
    asked = {"ruling": "rule_table", "round": round, "table": 1, "reason": "nobody came", "players": players}
    services.rule(club.id, club.olga, asked, now=club.now)
    club.run()


def test_ko4_a_table_to_which_nobody_came_sends_nobody_and_one_left_has_won(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    nobody_came(club, 1)
    assert [row["status"] for row in club.standings().values()].count("in") == 2
    club.finish(2)
    winner = club.t.tables[1, 2].entrants[0]
    assert [key for key, row in club.standings().items() if row["status"] == "in"] == [winner]
    assert (club.t.status, club.t.seated) == ("finished", 1)


def test_ko4_an_empty_final_has_no_winner(club: Club) -> None:
    club.start(*club.people[:4], **KNOCKOUT)
    club.finish_round()
    nobody_came(club, 2)
    assert club.t.status == "finished"
    assert {club.standings()[key]["place"] for key in club.t.tables[2, 1].entrants} == {2}
    picture = Picture(Tournament.objects.get(pk=club.id))
    assert picture.headline == "Nobody has won, because nobody was left." and picture.leaders == []
