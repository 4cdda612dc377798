"""Rulings (LI5), also those that touch a running game; each says first what it would change."""

from typing import Any

import pytest
from tournament_scene import Club

from core.refusals import Conflict, Forbidden, Invalid, NotFound
from games.models import Game
from tests.tournaments.moment import services

PAIRS = {"settings": {"rounds": 2, "tables": {"size": 2}}}
KNOCKOUT = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}


def rule(club: Club, name: str, **asked: Any) -> Any:
    ruled = services.rule(club.id, club.olga, {"ruling": name, "reason": "because", **asked}, now=club.now)
    if not asked.get("dry_run"):
        club.run()
    return ruled


def placed(*keys: str) -> list[dict[str, Any]]:
    return [{"entrant": key, "place": place} for place, key in enumerate(keys, 1)]


def standings_now(club: Club) -> Any:
    from tournaments import selectors

    return selectors.standings_for(club.id, club.t.version)["standings"]


class TestDryRun:
    """Each says first what it would change, and changes nothing."""

    @pytest.mark.parametrize(
        "asked",
        [
            {"ruling": "void", "round": 1, "table": 1},
            {"ruling": "void", "round": 1, "table": 2},
            {"ruling": "rule_table", "round": 1, "table": 2, "players": "reversed"},
            {"ruling": "enter_result", "round": 1, "table": 2, "players": "reversed"},
            {"ruling": "adjust", "entrant": "e1", "points": "-1/2"},
            {"ruling": "replace", "entrant": "e1", "player": "gus"},
            {"ruling": "remove", "entrant": "e1"},
        ],
        ids=lambda asked: f"{asked['ruling']} {asked.get('table', '')}",
    )
    def test_what_it_says_is_what_comes(self, club: Club, asked: dict[str, Any]) -> None:
        from core.accounts.models import Player

        Player.objects.create_user("gus")
        # No next round is seated meanwhile.
        club.start(*club.people[:4], pace="manual", **PAIRS)
        services.next_round(club.id, club.olga, now=club.now)
        services.publish(club.id, club.olga, now=club.now)
        club.run().finish(1)
        if asked.get("players") == "reversed":
            asked = {**asked, "players": placed(*reversed(club.t.tables[1, 2].entrants))}
        version, game = club.t.version, club.game(2).version
        name = asked.pop("ruling")
        ruled = rule(club, name, **asked, dry_run=True)
        asked["ruling"] = name
        assert (club.t.version, club.game(2).version) == (version, game)
        assert ruled.before["standings"] == standings_now(club)
        rule(club, name, **{key: value for key, value in asked.items() if key != "ruling"})
        assert standings_now(club) == ruled.after["standings"]


class TestRunningGame:
    """The game's event comes first, decides, and carries the facts."""

    def test_a_running_game_that_is_voided_is_called_off(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        rule(club, "void", game=str(club.game_id(2)))
        game = club.game(2)
        assert (game.status, game.state["cancel_reason"]) == ("cancelled", "because")
        assert club.t.games[str(game.id)].outcome == "none"
        assert club.types()[-1] == "voided"

    def test_a_running_game_that_is_ruled_is_called_off_with_places(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        first, second = club.t.tables[1, 2].entrants
        rule(club, "rule_table", round=1, table=2, players=placed(second, first))
        assert club.game(2).status == "cancelled"
        result = club.record().results[str(club.game_id(2))]
        assert result.source == "ruling"
        assert [(one.entrant, one.place) for one in result.players] == [(second, 1), (first, 2)]

    def test_the_result_of_a_real_table_takes_a_running_games_place(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        first, second = club.t.tables[1, 2].entrants
        rule(club, "enter_result", round=1, table=2, players=placed(second, first))
        assert club.record().results[str(club.game_id(2))].source == "table"

    def test_one_who_never_came_is_ruled_absent(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        first, second = club.t.tables[1, 2].entrants
        rule(
            club,
            "rule_table",
            round=1,
            table=2,
            players=[*placed(second), {**placed(second, first)[1], "absent": True}],
        )
        assert [one.absent for one in club.record().results[str(club.game_id(2))].players] == [False, True]

    def test_a_game_that_has_just_ended_is_taken_in_before_it_is_voided(self, club: Club) -> None:
        from tournament_scene import end_game

        club.start(*club.people[:4], **PAIRS)
        end_game(club.game(2).id, [0, 1], club.now)
        rule(club, "void", game=str(club.game_id(2)))
        assert club.t.games[str(club.game_id(2))].outcome == "void"
        rule(club, "restore", game=str(club.game_id(2)))
        assert club.record().stands(str(club.game_id(2)))

    def test_a_bad_ruling_leaves_the_game_alone(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        with pytest.raises(Invalid):
            rule(club, "rule_table", round=1, table=2, players=placed("e1"))
        assert club.game(2).status == "setup"
        with pytest.raises(Forbidden):
            services.rule(
                club.id, club.people[0], {"ruling": "void", "game": str(club.game_id(2)), "reason": "x"}, now=club.now
            )
        assert club.game(2).status == "setup"

    def test_ko3_a_voided_game_of_a_knockout_is_opened_again(self, club: Club) -> None:
        club.start(*club.people[:4], **KNOCKOUT)
        rule(club, "void", game=str(club.game_id(2)))
        assert len(club.t.tables[1, 2].games) == 2
        assert club.game(2, 2).status == "setup"
        assert [seat.player for seat in club.game(2, 2).seat_rows()] == [
            seat.player for seat in club.game(2, 1).seat_rows()
        ]

    def test_ko3_restored_the_game_played_instead_is_called_off(self, club: Club) -> None:
        club.start(*club.people[:4], **KNOCKOUT)
        club.finish(2)
        rule(club, "void", game=str(club.game_id(2)))
        again = club.game(2, 2)
        rule(club, "restore", game=str(club.game_id(2)))
        again.refresh_from_db()
        assert again.status == "cancelled"

    def test_a_turn_gets_more_time(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        game = club.game(2)
        before = {seat.index: seat.due_at for seat in game.seat_rows()}
        entrant = club.t.tables[1, 2].entrants[0]
        rule(club, "extend", game=str(game.id), entrant=entrant, seconds=3600)
        after = {seat.index: seat.due_at for seat in club.game(2).seat_rows()}
        assert (after[0] - before[0]).total_seconds() == 3600
        assert after[1] == before[1]
        assert club.types()[-1] == "extended"


class TestEntrants:
    def test_somebody_else_plays_on_cards_and_all(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        game = club.game(2)
        entrant = club.t.tables[1, 2].entrants[1]
        club.replace(entrant, club.people[5])
        game = club.run().game(2)
        assert game.seat_rows()[1].player == club.people[5]
        assert not game.rated
        club.finish(2)
        assert club.standings()[entrant]["name"] == club.people[5].username
        assert club.standings()[entrant]["games"] == 1

    def test_a_bot_plays_on_for_who_was_removed_and_hands_back(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        entrant = club.t.tables[1, 2].entrants[1]
        player = club.game(2).seat_rows()[1].player
        rule(club, "remove", entrant=entrant)
        seat = club.game(2).seat_rows()[1]
        assert (seat.player, seat.bot) == (None, {"level": "steady"})
        rule(club, "reinstate", entrant=entrant)
        assert club.game(2).seat_rows()[1].player == player

    def test_li3_who_withdraws_with_resign_resigns(self, club: Club) -> None:
        club.start(*club.people[:4], **PAIRS)
        first, second = club.t.tables[1, 2].entrants
        player = club.game(2).seat_rows()[1].player
        assert player is not None
        services.withdraw(club.id, player, second, resign=True, now=club.now)
        club.run()
        assert club.game(2).status == "finished"
        assert [one.entrant for one in club.record().results[str(club.game_id(2))].players] == [first, second]

    def test_li3_a_closed_account_has_withdrawn_and_resigned(self, club: Club) -> None:
        from core.accounts import services as accounts

        club.start(*club.people[:4], **PAIRS)
        second = club.t.tables[1, 2].entrants[1]
        player = club.game(2).seat_rows()[1].player
        assert player is not None
        accounts.close(player, now=club.now)
        club.run()
        assert club.t.entrants[second].standing == "withdrawn"
        assert club.game(2).status == "finished"
        assert club.standings()[second]["name"] == "deleted player"
        club.finish(1)
        seated = {key for table in club.t.tables_of(2) for key in table.entrants} | set(club.t.rounds[2].byes)
        assert second not in seated


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({}, "ruling"),
        ({"ruling": "shoot"}, "ruling"),
        ({"ruling": "void", "game": "x"}, "game"),
        ({"ruling": "void"}, "round"),
        ({"ruling": "void", "round": 1}, "table"),
        ({"ruling": "void", "round": "1", "table": 1}, "round"),
        ({"ruling": "void", "entrant": "e1"}, "entrant"),
        ({"ruling": "restore"}, "game"),
        ({"ruling": "adjust", "entrant": "e1"}, "points"),
        ({"ruling": "adjust", "entrant": "e1", "points": 0.5}, "points"),
        ({"ruling": "adjust", "entrant": "ada", "points": 1}, "entrant"),
        ({"ruling": "adjust", "points": 1}, "entrant"),
        ({"ruling": "replace", "entrant": "e1"}, "player"),
        ({"ruling": "replace", "entrant": "e1", "player": "bob", "bot": "steady"}, "player"),
        ({"ruling": "replace", "entrant": "e1", "bot": "genius"}, "bot"),
        ({"ruling": "remove"}, "entrant"),
        ({"ruling": "extend", "round": 1}, "seconds"),
        ({"ruling": "extend", "seconds": 60}, "round"),
        ({"ruling": "rule_table", "round": 1, "table": 1}, "players"),
        ({"ruling": "rule_table", "round": 1, "table": 1, "players": [{"entrant": "e1"}]}, "players"),
        ({"ruling": "rule_table", "round": 1, "table": 1, "players": [{"entrant": "e1", "place": 1.0}]}, "players"),
        ({"ruling": "void", "round": 1, "table": 1, "reason": ""}, "reason"),
        ({"ruling": "void", "round": 1, "table": 1, "reason": None}, "reason"),
        ({"ruling": "void", "round": 1, "table": 1, "reason": "x" * 501}, "reason"),
        ({"ruling": "void", "round": 1, "table": 1, "dry_run": "yes"}, "dry_run"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(club: Club, asked: dict[str, Any], field: str) -> None:
    club.start(*club.people[:4], **PAIRS)
    version = club.t.version
    with pytest.raises(Invalid) as error:
        services.rule(club.id, club.olga, {"reason": "because", **asked}, now=club.now)
    assert field in [name for name, _ in error.value.errors]
    assert club.t.version == version


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        ({"ruling": "void", "game": "7d1a3f62-5f0e-5b4c-8b56-3c1f0f8d9a41"}, "no_such_game"),
        ({"ruling": "void", "round": 1, "table": 9}, "no_such_table"),
        ({"ruling": "adjust", "entrant": "e9", "points": 1}, "no_such_entrant"),
        ({"ruling": "replace", "entrant": "e1", "player": "nobody"}, "no_such_player"),
        ({"ruling": "extend", "round": 7, "seconds": 60}, "no_such_round"),
    ],
)
def test_what_there_is_not_is_not_found(club: Club, asked: dict[str, Any], code: str) -> None:
    club.start(*club.people[:4], **PAIRS)
    with pytest.raises(NotFound) as error:
        services.rule(club.id, club.olga, {"reason": "because", **asked}, now=club.now)
    assert error.value.code == code


def test_a_game_of_another_tournament_is_none_of_this_one(club: Club) -> None:
    club.start(*club.people[:4], **PAIRS)
    other = club.game_id(1)
    club.start(*club.people[:4], **PAIRS)
    with pytest.raises(NotFound):
        rule(club, "void", game=str(other))
    assert Game.objects.get(pk=other).status == "setup"


def test_a_reopened_tournament_can_be_ruled_in_again(club: Club) -> None:
    club.start(*club.people[:4], settings={"rounds": 1, "tables": {"size": 2}})
    club.finish_round()
    with pytest.raises(Conflict) as error:
        rule(club, "void", game=str(club.game_id(1)))
    assert error.value.code == "tournament_over"
    services.reopen(club.id, club.olga, "wrong deck", now=club.now)
    rule(club, "void", game=str(club.game_id(1)))
    assert club.t.games[str(club.game_id(1))].outcome == "void"
