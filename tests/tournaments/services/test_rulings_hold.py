"""LI5: what a ruling on a table says holds whole, whether its game runs or not, and the dry run says the same."""

from typing import Any

import pytest
from tournament_scene import Club, end_game

from core.refusals import Conflict, Invalid, Stale
from games import services as games
from games.models import Game
from tests.scenes import done_at
from tests.tournaments.moment import services
from tournaments import selectors
from tournaments.services import no_shows, runner
from tournaments.services.commands import RUNNER

PAIRS: dict[str, Any] = {"settings": {"rounds": 2, "tables": {"size": 2}}}
KNOCKOUT: dict[str, Any] = {"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}}


def seated(club: Club, *, opened: bool, **plan: Any) -> tuple[str, ...]:
    """Four play; the entrants of table 1, whose game is opened or not."""
    if opened:
        club.start(*club.people[:4], **plan)
    else:
        club.open(*club.people[:4], **plan)
        services.start(club.id, club.olga, now=club.now)
        runner.run_step(club.id, now=club.now)
    return club.t.tables[1, 1].entrants


def both(club: Club, **asked: Any) -> list[dict[str, Any]]:
    """The players of the result that a ruling gives table 1; the dry run has said the same standings."""
    ruling = {"ruling": "rule_table", "round": 1, "table": 1, "reason": "because", **asked}
    dry = services.rule(club.id, club.olga, {**ruling, "dry_run": True}, now=club.now)
    services.rule(club.id, club.olga, ruling, now=club.now)
    assert dry.after == selectors.standings_for(club.id, club.t.version)
    result = club.t.games[str(club.game_id(1, round=1))].result
    assert result is not None
    return list(result["players"])


@pytest.mark.parametrize("plan", [PAIRS, KNOCKOUT], ids=["rounds", "knockout"])
def test_li5_who_is_placed_and_not_called_absent_is_not_absent(club: Club, plan: dict[str, Any]) -> None:
    """Whatever LI4 said before: here a bot plays for the second, who never came."""
    first, second = seated(club, opened=True, no_show="absent", **plan)
    game = club.game_id(1)
    games.hand_to_bot(game, 1, actor=RUNNER, reason=no_shows.REASON, now=club.now)
    no_shows.record_absence(club.id, game, second, now=club.now)
    players = both(club, players=[{"entrant": second, "place": 1}, {"entrant": first, "place": 2}])
    assert [(one["entrant"], one["place"], one.get("absent")) for one in players] == [
        (second, 1, None),
        (first, 2, None),
    ]
    assert club.standings()[second]["total" if plan is PAIRS else "status"] == ("1" if plan is PAIRS else "in")


@pytest.mark.parametrize("opened", [True, False], ids=["running", "not opened"])
class TestWhetherItRunsOrNot:
    def test_li5_timeouts_are_those_that_the_ruling_says(self, club: Club, opened: bool) -> None:
        first, second = seated(club, opened=opened, **PAIRS)
        players = both(club, players=[{"entrant": first, "place": 1}, {"entrant": second, "place": 2, "timeouts": 3}])
        assert [one["timeouts"] for one in players] == [0, 3]

    def test_li5_an_absent_one_needs_no_place(self, club: Club, opened: bool) -> None:
        first, second = seated(club, opened=opened, **PAIRS)
        players = both(club, players=[{"entrant": first, "absent": True}, {"entrant": second, "place": 1}])
        assert sorted((one["entrant"], one["place"], one.get("absent")) for one in players) == sorted(
            [(second, 1, None), (first, 2, True)]
        )
        assert club.standings()[second]["total"] == "1"

    def test_pt8_all_may_be_absent(self, club: Club, opened: bool) -> None:
        players = both(club, players=[{"entrant": key, "absent": True} for key in seated(club, opened=opened, **PAIRS)])
        assert [one["place"] for one in players] == [1, 1]
        assert {row["total"] for row in club.standings().values()} == {"0"}

    def test_the_places_of_those_who_were_there_may_fit_among_themselves(self, club: Club, opened: bool) -> None:
        first, second = seated(club, opened=opened, **PAIRS)
        both(club, players=[{"entrant": first, "place": 1, "absent": True}, {"entrant": second, "place": 1}])
        assert club.standings()[second]["total"] == "1"

    def test_li5_no_game_is_played_on_after_its_ruling(self, club: Club, opened: bool) -> None:
        first, second = seated(club, opened=opened, **PAIRS)
        both(club, players=[{"entrant": second, "place": 1}, {"entrant": first, "place": 2}])
        key = club.game_id(1)
        club.run()
        assert [game.status for game in Game.objects.filter(pk=key)] == (["cancelled"] if opened else [])


def test_li5_timeouts_that_the_ruling_leaves_out_are_the_games(club: Club) -> None:
    first, second = seated(club, opened=True, **PAIRS)
    game = club.game(1)
    late = max(seat.due_at for seat in game.seat_rows() if seat.due_at is not None)
    club.now = late
    done_at(late, games.sweep)
    missed = [seat.timeouts for seat in club.game(1).seat_rows()]
    assert sum(missed) > 0
    players = both(club, players=[{"entrant": first, "place": 1}, {"entrant": second, "place": 2}])
    assert [one["timeouts"] for one in players] == missed


@pytest.mark.parametrize(
    "players",
    [
        [{"entrant": "e1"}, {"entrant": "e2", "place": 1}],
        [{"entrant": "e1", "place": 2}, {"entrant": "e2", "place": 2}],
        [{"entrant": "e1", "place": 2}, {"entrant": "e2", "absent": True}],
        [{"entrant": "e1", "place": 1, "timeouts": -1}, {"entrant": "e2", "place": 2}],
    ],
)
def test_a_placing_that_cannot_be_is_refused(club: Club, players: list[dict[str, Any]]) -> None:
    seated(club, opened=True, **PAIRS)
    for dry_run in (True, False):
        asked = {"ruling": "rule_table", "round": 1, "table": 1, "players": players, "reason": "x", "dry_run": dry_run}
        with pytest.raises(Invalid) as error:
            services.rule(club.id, club.olga, asked, now=club.now)
        assert [field for field, _ in error.value.errors] == ["players"]


class TestRefusedAlike:
    """A refused dry run answers as the ruling would."""

    def test_li5_more_time_for_a_seat_that_has_no_turn(self, club: Club) -> None:
        first, _ = seated(club, opened=True, **PAIRS)
        game = club.game_id(1)
        games.hand_to_bot(game, 0, actor=RUNNER, reason=no_shows.REASON, now=club.now)
        for dry_run in (True, False):
            asked = {"ruling": "extend", "game": str(game), "entrant": first, "seconds": 60, "reason": "x"}
            with pytest.raises(Conflict) as error:
                services.rule(club.id, club.olga, {**asked, "dry_run": dry_run}, now=club.now)
            assert error.value.code == "not_to_act"

    def test_li5_a_game_that_has_ended_and_is_not_recorded_yet(self, club: Club) -> None:
        first, second = seated(club, opened=True, **PAIRS)
        end_game(club.game_id(1), [0, 1], club.now)
        players = [{"entrant": second, "place": 1}, {"entrant": first, "place": 2}]
        for dry_run in (True, False):
            asked = {"ruling": "rule_table", "game": str(club.game_id(1)), "players": players, "reason": "x"}
            with pytest.raises(Conflict) as error:
                services.rule(club.id, club.olga, {**asked, "dry_run": dry_run}, now=club.now)
            assert error.value.code == "too_many_results"

    def test_an_end_that_comes_first_makes_a_ruling_at_a_version_stale(self, club: Club) -> None:
        seated(club, opened=True, **PAIRS)
        end_game(club.game_id(1), [0, 1], club.now)
        version = club.t.version
        for dry_run in (True, False):
            asked = {"ruling": "void", "game": str(club.game_id(1)), "reason": "x", "dry_run": dry_run}
            with pytest.raises(Stale):
                services.rule(club.id, club.olga, asked, if_match=lambda t: t.version == version, now=club.now)


def test_the_game_of_another_ruling_that_is_not_recorded_yet_counts_as_ruled(club: Club) -> None:
    """A worker that died between the game's event and the tournament's: the dry run knows what will be recorded."""
    from tournaments.services import running_games
    from tournaments.stream import By
    from tournaments.stream.ruling import read_ruling

    first, second = seated(club, opened=True, **PAIRS)
    game = club.game_id(1)
    said = {"ruling": "rule_table", "round": 1, "table": 1, "reason": "first ruling"}
    said["players"] = [{"entrant": second, "place": 1, "timeouts": 2}, {"entrant": first, "place": 2}]
    act = running_games.Act(By(club.olga.pk), club.now)
    assert isinstance(running_games.touch(club.t, read_ruling(said), act), running_games.Acted)  # and here it dies
    asked = {"ruling": "void", "game": str(game), "reason": "x"}
    dry = services.rule(club.id, club.olga, {**asked, "dry_run": True}, now=club.now)
    services.rule(club.id, club.olga, asked, now=club.now)
    assert dry.after == selectors.standings_for(club.id, club.t.version)
    assert club.t.games[str(game)].outcome == "void"
