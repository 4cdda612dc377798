"""Seasons (SN1, SN2): entrants open games whenever they like, and it ends by itself."""

import hashlib
from datetime import timedelta
from typing import Any

import pytest
from tournament_scene import Club, end_game

from core.refusals import Conflict, Forbidden, Invalid
from games import services as games
from games.models import Game
from games.projections import Snapshot
from tests.scenes import done_at
from tests.tournaments.moment import services
from tests.tournaments.services.season_scene import state_of


def season(club: Club, **asked: Any) -> Club:
    closes = club.now + timedelta(days=10)
    return club.start(**{"kind": "season", "closes_at": closes.isoformat(), **asked})


def play(club: Club, *players: int, own: bool = True, **settings: Any) -> Snapshot:
    """A game among some of the people, which the first of them wins."""
    people = [club.people[index] for index in players]
    if own:
        room = services.open_game(club.id, people[0], seats=len(people), now=club.now)
    else:
        terms = games.Terms(**{"game": "threes", "seats": len(people), **settings})
        room = games.open_room(people[0], terms, now=club.now)
    for player in people[1:]:
        done_at(club.now, games.join, room.id, player, invitation=room.invitation)
    # A season's room starts by itself (PLAY BT5).
    return state_of(room.id) if own else done_at(club.now, games.start, room.id, people[0])


def finish(club: Club, game: Snapshot) -> Club:
    fresh = Game.objects.prefetch_related("players__player").get(pk=game.id)
    end_game(fresh.id, list(range(fresh.state["seats"])), club.now)
    return club.run()


def counted(club: Club) -> dict[str, int]:
    return {key: row["games"] for key, row in club.standings().items() if row["games"]}


def test_sn1_an_entrant_opens_a_room_and_its_result_counts(club: Club) -> None:
    season(club)
    finish(club, play(club, 0, 1, 2))
    assert counted(club) == {"e1": 1, "e2": 1, "e3": 1}
    assert club.types()[-2:] == ["room_opened", "result"]


def test_sn1_only_entrants_enter_its_rooms(club: Club) -> None:
    club.open(*club.people[:2], kind="season")
    services.start(club.id, club.olga, now=club.now)
    room = services.open_game(club.id, club.people[0], seats=2, now=club.now)
    with pytest.raises(Forbidden) as error:
        done_at(club.now, games.join, room.id, club.people[2])
    assert error.value.code == "not_an_entrant"
    with pytest.raises(Forbidden):
        services.open_game(club.id, club.people[2], seats=2, now=club.now)


def test_li1_salts_come_from_the_entrants_own(club: Club) -> None:
    club.set_up(kind="season")
    services.open_registration(club.id, club.olga, now=club.now)
    for player in club.people[:2]:
        services.enter(club.id, player, salt=f"salt of {player}", now=club.now)
    services.start(club.id, club.olga, now=club.now)
    game = play(club, 0, 1)
    expected = [hashlib.sha256(f"salt of {name}/{game.id}".encode()).hexdigest()[:32] for name in ("ada", "bob")]
    assert [seat.salt for seat in game.players] == expected


def test_sn1_nobody_lets_other_bots_in(club: Club) -> None:
    season(club)
    room = services.open_game(club.id, club.people[0], seats=3, now=club.now)
    with pytest.raises(Forbidden) as error:
        done_at(club.now, games.add_bot, room.id, club.people[0])
    assert error.value.code == "tournament_game"


def test_li8_a_tournaments_room_keeps_its_rules(club: Club) -> None:
    season(club)
    room = services.open_game(club.id, club.people[0], seats=3, now=club.now)
    with pytest.raises(Forbidden) as error:
        done_at(club.now, games.change_room, room.id, club.people[0], {"seats": 4})
    assert error.value.code == "tournament_game"
    assert Game.objects.get(pk=room.id).state["seats"] == 3


def test_sn1_not_before_it_opens_nor_after_it_closes(club: Club) -> None:
    season(club, opens_at=(club.now + timedelta(days=1)).isoformat())
    with pytest.raises(Conflict) as error:
        services.open_game(club.id, club.people[0], seats=2, now=club.now)
    assert error.value.code == "not_started"
    later = club.now + timedelta(days=10)
    with pytest.raises(Conflict) as error:
        services.open_game(club.id, club.people[0], seats=2, now=later)
    assert error.value.code == "season_closed"


def test_a_room_that_is_called_off_counts_nothing(club: Club) -> None:
    season(club)
    room = services.open_game(club.id, club.people[0], seats=2, now=club.now)
    done_at(club.now, games.cancel, room.id, club.people[0])
    club.run()
    assert club.t.games[str(room.id)].outcome == "none"
    assert counted(club) == {}


def test_bots_that_are_entrants_sit_down_with_their_opener(club: Club) -> None:
    season(club)
    bot = services.add_bot(club.id, club.olga, "steady", now=club.now).entrant
    game = services.open_game(club.id, club.people[0], seats=2, bots=[bot], now=club.now)
    games.play(game.id, club.people[0], {"move": "resign"}, now=club.now)
    club.run()
    assert counted(club) == {"e1": 1, bot: 1}
    another = services.open_game(club.id, club.people[0], seats=3, bots=[bot], now=club.now)
    with pytest.raises(Forbidden) as refused:
        done_at(club.now, games.kick, another.id, club.people[0], 1)
    assert refused.value.code == "tournament_game"
    for wrong in (["e1"], ["e99"], [bot, bot]):
        with pytest.raises(Invalid) as error:
            services.open_game(club.id, club.people[0], seats=4, bots=wrong, now=club.now)
        assert error.value.field == "bots"


class TestAny:
    """SN1: with `games: "any"` every finished game among entrants only counts."""

    def test_wherever_it_was_opened(self, club: Club) -> None:
        season(club, games="any")
        finish(club, play(club, 0, 1, own=False))
        assert counted(club) == {"e1": 1, "e2": 1}

    def test_not_without_it(self, club: Club) -> None:
        season(club)
        finish(club, play(club, 0, 1, own=False))
        assert counted(club) == {}

    @pytest.mark.parametrize("settings", [{"game": "castle"}, {"options": {"decks": 2}}])
    def test_not_another_game_or_other_options(self, club: Club, settings: dict[str, Any]) -> None:
        season(club, games="any")
        finish(club, play(club, 0, 1, own=False, **settings))
        assert counted(club) == {}

    def test_not_with_a_stranger_or_a_bot(self, club: Club) -> None:
        club.open(*club.people[:2], kind="season", games="any")
        services.start(club.id, club.olga, now=club.now)
        finish(club, play(club, 0, 1, 2, own=False))
        room = games.open_room(club.people[0], games.Terms("threes", 2), bots=["steady"], now=club.now)
        game = done_at(club.now, games.start, room.id, club.people[0])
        games.play(game.id, club.people[0], {"move": "resign"}, now=club.now)
        club.run()
        assert counted(club) == {}

    @pytest.mark.sampled
    def test_li3_not_what_began_after_one_had_withdrawn_or_was_removed(self, club: Club) -> None:
        season(club, games="any")
        running = play(club, 0, 1, own=False), play(club, 0, 2, own=False)
        club.run(minutes=1)
        services.withdraw(club.id, club.people[1], "e2", now=club.now)
        services.rule(club.id, club.olga, {"ruling": "remove", "entrant": "e3", "reason": "cheated"}, now=club.now)
        for game in running:
            finish(club, game)
        assert counted(club) == {"e1": 2, "e2": 1, "e3": 1}, "running games go on"
        club.run(minutes=1)
        finish(club, play(club, 0, 1, own=False))
        finish(club, play(club, 0, 2, own=False))
        assert counted(club) == {"e1": 2, "e2": 1, "e3": 1}
        services.enter(club.id, club.people[1], now=club.now)
        club.run(minutes=1)
        finish(club, play(club, 0, 1, own=False))
        assert counted(club) == {"e1": 3, "e2": 2, "e3": 1}

    def test_for_two_seasons_at_once(self, club: Club) -> None:
        season(club, games="any")
        first = club.id
        season(club, games="any")
        finish(club, play(club, 0, 1, own=False))
        assert counted(club) == {"e1": 1, "e2": 1}
        club.id = first
        assert counted(club) == {"e1": 1, "e2": 1}


class TestEnd:
    """SN2."""

    def test_it_is_over_when_it_closes_and_nobody_plays(self, club: Club) -> None:
        season(club)
        club.run(days=9)
        assert club.t.status == "running"
        club.run(days=1)
        assert club.t.status == "finished"
        assert club.t.seed_shown

    def test_games_still_running_then_count_if_they_end_within_the_grace(self, club: Club) -> None:
        season(club, grace=3 * 86_400)
        club.run(days=9)
        game = play(club, 0, 1)
        club.run(days=2)
        assert club.t.status == "running"
        finish(club, game)
        assert counted(club) == {"e1": 1, "e2": 1}
        assert club.t.status == "finished", "the last one has ended"

    def test_any_ones_too(self, club: Club) -> None:
        season(club, grace=3 * 86_400, games="any")
        club.run(days=9)
        game = play(club, 0, 1, own=False)
        club.run(days=2)
        assert club.t.status == "running"
        finish(club, game)
        assert club.run(minutes=1).t.status == "finished"
        assert counted(club) == {"e1": 1, "e2": 1}

    def test_games_that_began_before_it_opened_hold_up_no_end(self, club: Club) -> None:
        game = play(club, 0, 1, own=False)
        club.now += timedelta(minutes=1)
        closes = club.now + timedelta(days=1)
        season(club, closes_at=closes.isoformat(), grace=3 * 86_400, games="any")
        club.run(days=1)
        assert Game.objects.get(pk=game.id).status in ("setup", "playing")
        assert club.t.status == "finished"

    def test_a_room_that_has_not_begun_by_then_is_called_off(self, club: Club) -> None:
        """Its game could not count (SN1), and nobody is to sit down and play for nothing."""
        season(club, grace=3 * 86_400)
        club.run(days=9)
        running, room = play(club, 0, 1).id, services.open_game(club.id, club.people[2], seats=3, now=club.now).id
        club.run(hours=23)
        assert Game.objects.get(pk=room).status == "open"
        club.run(hours=2).run()
        assert club.t.status == "running"
        assert Game.objects.get(pk=room).status == "cancelled"
        assert Game.objects.get(pk=running).status in ("setup", "playing")
        assert club.record().kind == "season", "outsiders can read it"

    def test_a_room_that_has_not_begun_when_an_organiser_ends_it_is_called_off(self, club: Club) -> None:
        season(club)
        room = services.open_game(club.id, club.people[0], seats=3, now=club.now).id
        services.finish(club.id, club.olga, now=club.now)
        club.run().run()
        assert Game.objects.get(pk=room).status == "cancelled"

    def test_not_after_the_grace(self, club: Club) -> None:
        season(club, grace=86_400)
        club.run(days=9)
        game = play(club, 0, 1)
        club.run(days=3)
        assert club.t.status == "finished"
        finish(club, game)
        assert counted(club) == {}

    def test_a_season_opens_by_itself(self, club: Club) -> None:
        club.open(kind="season", opens_at=(club.now + timedelta(days=1)).isoformat())
        club.run(hours=23)
        assert club.t.status == "registration"
        club.run(hours=1)
        assert club.t.status == "running"


def test_what_a_player_began_counts_for_the_entrant_after_a_replacement(club: Club) -> None:
    club.open(*club.people[:3], kind="season")
    services.start(club.id, club.olga, now=club.now)
    game = play(club, 0, 1)
    club.replace("e1", club.people[4])
    finish(club, game)
    assert counted(club) == {"e1": 1, "e2": 1}


def test_a_running_game_of_a_season_is_voided(club: Club) -> None:
    season(club)
    game = play(club, 0, 1)
    services.rule(club.id, club.olga, {"ruling": "void", "game": str(game.id), "reason": "wrong people"}, now=club.now)
    club.run()
    assert Game.objects.get(pk=game.id).status == "cancelled"
    assert club.t.games[str(game.id)].outcome == "none"


def test_a_real_tables_result_is_entered(club: Club) -> None:
    season(club)
    players = [{"entrant": "e2", "place": 1}, {"entrant": "e1", "place": 2}]
    asked = {"ruling": "enter_result", "players": players, "reason": "at the club"}
    services.rule(club.id, club.olga, asked, now=club.now)
    assert counted(club) == {"e1": 1, "e2": 1}


def test_pl10_a_tournament_says_whether_its_games_are_played_with_plans(club: Club) -> None:
    season(club, plans=False)
    assert play(club, 0, 1).plans is False
    assert play(club, 0, 1, own=False).plans is True
