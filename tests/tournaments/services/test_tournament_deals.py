"""One commitment for all deals of a tournament (LI9): published first, and opened in the end."""

from datetime import timedelta
from typing import Any

import pytest
from msgspec import to_builtins
from tournament_scene import Club, end_game

from games import services as games
from games.models import Game
from games.projections import load
from games.rules.fairness import commitment, secret_of_game
from games.selectors import fairness_of
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import selectors
from tournaments.api.bodies import tournament_body
from tournaments.models import Tournament
from tournaments.projections import rebuild
from tournaments.stream.state import room_id, salt_for


def body(club: Club) -> dict[str, Any]:
    whole = to_builtins(tournament_body(Tournament.objects.get(pk=club.id), None, "https://host"))
    return {key: value for key, value in whole.items() if key.startswith("deals")}


def follows(club: Club, game: Game, name: str, deals: int = -1) -> bool:
    """Whether the game's commitment is that to the secret which follows from the tournament's."""
    secret = bytes.fromhex(club.t.deals[deals].secret)
    return game.state["commitment"] == commitment(secret_of_game(secret, f"{club.id}/{name}"))


def season(club: Club, **asked: Any) -> Club:
    return club.start(kind="season", closes_at=(club.now + timedelta(days=10)).isoformat(), **asked)


def room(club: Club, *players: int) -> Game:
    people = [club.people[index] for index in players]
    opened = services.open_game(club.id, people[0], seats=len(people), now=club.now)
    for player in people[1:]:
        done_at(club.now, games.join, opened.id, player, invitation=opened.invitation)
    return Game.objects.get(pk=opened.id)


def test_li9_the_commitment_is_there_before_anybody_can_enter_and_the_secret_at_the_end(club: Club) -> None:
    club.set_up(settings={"rounds": 1, "tables": {"size": 3}})
    published = body(club)
    assert published["deals_secret"] is None and published["deals"][0]["secret"] is None
    services.open_registration(club.id, club.olga, now=club.now)
    for player in club.people[:3]:
        services.enter(club.id, player, now=club.now)
    services.start(club.id, club.olga, now=club.now)
    club.run()
    assert body(club) == published
    assert follows(club, club.game(1), "1/1/1")
    club.finish_round()
    assert club.t.status == "finished"
    opened = body(club)
    assert opened["deals_commitment"] == published["deals_commitment"]
    assert commitment(bytes.fromhex(opened["deals_secret"])) == opened["deals_commitment"]
    assert opened["deals"][0]["opened_at"] is not None


def test_li9_every_table_and_every_game_of_a_table_has_its_own_name(club: Club) -> None:
    club.start(settings={"rounds": 1, "tables": {"size": 3}, "games_per_table": 2})
    for table in (1, 2):
        for number in (1, 2):
            assert follows(club, club.game(table, number), f"1/{table}/{number}")
    assert len(set(Game.objects.filter(tournament=club.id).values_list("state__secret", flat=True))) == 4


def test_li9_the_games_secret_is_the_one_that_its_fairness_shows_at_its_end(club: Club) -> None:
    club.start(settings={"rounds": 2, "tables": {"size": 3}})
    club.finish(1)
    shown = fairness_of(load(club.game(1).pk))
    assert bytes.fromhex(shown["secret"]) == club.t.secret_of("1/1/1")
    assert body(club)["deals_secret"] is None


def test_li9_a_seasons_room_goes_by_its_number_which_nobody_chooses(club: Club) -> None:
    season(club)
    first, second = room(club, 0, 1), room(club, 2, 3)
    for number, found in ((1, first), (2, second)):
        assert found.belongs_to["number"] == number
        assert follows(club, found, str(number))
        assert str(found.id) == room_id(club.id, number), "the salts follow from the id"
    opened = [event for event in selectors.events_of(club.id) if event.type == "room_opened"]
    assert [event.data["number"] for event in opened] == [1, 2]


def test_li9_a_room_that_is_not_recorded_yet_has_taken_its_number(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    season(club)
    monkeypatch.setattr("tournaments.services.tables.work.do", lambda *_, **__: None)
    assert [room(club, 0, 1).belongs_to["number"] for _ in range(2)] == [1, 2]
    assert club.t.rooms == 0
    club.run()
    assert club.t.rooms == 2


def test_li9_a_bot_of_a_room_has_the_salt_of_its_entry(club: Club) -> None:
    season(club)
    bot = services.add_bot(club.id, club.olga, "steady", now=club.now).entrant
    opened = services.open_game(club.id, club.people[0], seats=2, bots=[bot], now=club.now)
    salts = [player.salt for player in opened.players]
    assert salts[1] == salt_for(bot, opened.id)


def test_li9_the_secret_waits_for_games_that_run_on_after_the_end(club: Club) -> None:
    season(club)
    running = room(club, 0, 1)
    services.finish(club.id, club.olga, now=club.now)
    club.run()
    assert club.t.status == "finished" and body(club)["deals_secret"] is None
    end_game(running.id, [0, 1], club.now)
    club.run(minutes=1)
    assert body(club)["deals_secret"] is not None
    assert club.types()[-1] == "deals_opened"


def test_li9_a_cancelled_tournament_opens_it_once_its_games_are_called_off(club: Club) -> None:
    club.start(settings={"rounds": 1, "tables": {"size": 3}})
    services.cancel(club.id, club.olga, "rain", now=club.now)
    assert body(club)["deals_secret"] is None
    club.run(minutes=1)
    assert body(club)["deals_secret"] is not None


def test_li9_one_reopened_after_its_secret_was_opened_publishes_a_new_commitment_first(club: Club) -> None:
    season(club)
    room(club, 0, 1)
    end_game(Game.objects.get(tournament=club.id).id, [0, 1], club.now)
    club.run()
    services.finish(club.id, club.olga, now=club.now)
    club.run()
    before = body(club)
    services.reopen(club.id, club.olga, "one game more", now=club.now)
    now = body(club)
    assert [one["commitment"] for one in now["deals"]] == [before["deals_commitment"], now["deals_commitment"]]
    assert now["deals_secret"] is None and now["deals"][0]["secret"] == before["deals_secret"]
    assert follows(club, room(club, 0, 1), "2")
    assert not follows(club, Game.objects.get(pk=room_id(club.id, 2)), "2", deals=0)


def test_li9_what_is_not_open_is_in_no_event_that_people_read(club: Club) -> None:
    season(club)
    row = Tournament.objects.get(pk=club.id)
    first = selectors.events_for(row, organiser=True)[0]
    assert first["data"]["deals_commitment"] == club.t.deals[0].commitment
    assert first["data"]["deals_secret"] is None
    services.finish(club.id, club.olga, now=club.now)
    club.run()
    row.refresh_from_db()
    assert selectors.events_for(row, organiser=False)[0]["data"]["deals_secret"] == club.t.deals[0].secret
    services.reopen(club.id, club.olga, "more", now=club.now)
    row.refresh_from_db()
    assert selectors.events_for(row, organiser=True)[-1]["data"]["deals_secret"] is None


def test_li9_the_rows_are_the_same_when_they_are_made_again(club: Club) -> None:
    season(club)
    room(club, 0, 1)
    services.cancel(club.id, club.olga, "rain", now=club.now)
    club.run()
    assert rebuild(club.id).differences == ()
