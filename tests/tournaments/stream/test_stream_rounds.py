"""Rounds: seated, drafted, exchanged, overdue (LI2)."""

from datetime import timedelta

import pytest
from stream_scene import ID, OLGA, Scene, by, player

from core.refusals import Conflict, Forbidden, Invalid
from tournaments.stream import Seating, entries, game_id, life, rounds

SIX = ("ada", "bob", "cleo", "dan", "eve", "fay")


def six(**plan: object) -> Scene:
    return Scene(**{"settings": {"rounds": 3}, **plan}).start(*SIX)


def test_a_round_has_tables_and_games_with_ids_of_their_own() -> None:
    scene = six(settings={"rounds": 3, "games_per_table": 2})
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    assert scene.t.tables[1, 2].entrants == ("e4", "e5", "e6")
    assert scene.t.tables[1, 2].games == (game_id(ID, 1, 2, 1), game_id(ID, 1, 2, 2))
    assert scene.t.rounds[1].open_tables == 2
    assert scene.read_record().rounds[1].tables == (("e1", "e2", "e3"), ("e4", "e5", "e6"))


def test_li2_a_round_closes_when_each_table_has_all_its_outcomes() -> None:
    scene = six(settings={"rounds": 3, "games_per_table": 2})
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    assert scene.finish(1, ["e1", "e2", "e3"], number=1) == ["result"]
    assert scene.finish(1, ["e1", "e2", "e3"], number=2) == ["result"]
    assert scene.finish(2, ["e4", "e5", "e6"], number=2) == ["result"]
    with pytest.raises(Conflict) as error:
        rounds.next_round(scene.t)
    assert error.value.code == "round_open"
    assert scene.finish(2, ["e4", "e5", "e6"], number=1) == ["result", "round_closed"]
    assert rounds.next_round(scene.t) == 2


def test_li6_each_result_comes_in_once() -> None:
    scene = six()
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    assert scene.finish(1, ["e1", "e2", "e3"]) == ["result"]
    assert scene.finish(1, ["e1", "e2", "e3"]) == []


def test_li2_an_even_seating_keeps_several_rounds_open() -> None:
    scene = six(settings={"rounds": 4, "seating": "even", "parallel": 2})
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    scene.seat(["e1", "e2", "e4"], ["e3", "e5", "e6"])
    with pytest.raises(Conflict):
        rounds.next_round(scene.t)
    for table, order in ((1, ["e1", "e2", "e4"]), (2, ["e3", "e5", "e6"])):
        scene.finish(table, order, round=2)
    with pytest.raises(Conflict):
        rounds.next_round(scene.t)  # round r is seated when round r - 2 is closed, and that is round 1
    for table, order in ((1, ["e1", "e2", "e3"]), (2, ["e4", "e5", "e6"])):
        scene.finish(table, order, round=1)
    assert rounds.next_round(scene.t) == 3


def test_li2_a_standing_seating_has_one_round_at_a_time_whatever_parallel_says() -> None:
    scene = six(settings={"rounds": 4, "parallel": 2})
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    with pytest.raises(Conflict):
        rounds.next_round(scene.t)


def test_no_round_beyond_the_last() -> None:
    scene = six(settings={"rounds": 1})
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    scene.finish(1, ["e1", "e2", "e3"])
    scene.finish(2, ["e4", "e5", "e6"])
    with pytest.raises(Conflict) as error:
        rounds.next_round(scene.t)
    assert error.value.code == "no_next_round"


def test_a_season_has_no_rounds() -> None:
    with pytest.raises(Conflict) as error:
        rounds.next_round(Scene(kind="season").start().t)
    assert error.value.code == "no_rounds"


@pytest.mark.parametrize(
    "seating",
    [
        Seating(2, [["e1", "e2", "e3"], ["e4", "e5", "e6"]]),
        Seating(1, [["e1", "e2", "e3"], ["e4", "e5", "e1"]]),
        Seating(1, [["e1", "e2", "e3"]]),
        Seating(1, [["e1", "e2", "e3"], ["e4", "e5", "e6"]], ["e6"]),
    ],
)
def test_a_seating_that_does_not_fit_is_an_error_of_the_program(seating: Seating) -> None:
    with pytest.raises(ValueError, match=r"round|seated"):
        rounds.seat(six().t, seating, now=six().now)


class TestDraft:
    """LI2: drafted first, entrants can be exchanged, and published."""

    def drafted(self) -> Scene:
        scene = six(pace="manual")
        figures = {"cost": "3/2", "q": 0, "bound": 0, "repeats": 0}
        scene.do(
            rounds.draft(
                scene.t, OLGA, Seating(1, [["e1", "e2", "e3"], ["e4", "e5", "e6"]], [], figures), now=scene.now
            )
        )
        return scene

    def exchanged(self, scene: Scene, *tables: list[str], reason: str = "a couple") -> list[str]:
        return scene.do(rounds.exchange(scene.t, OLGA, Seating(1, tables, [], {"cost": "2"}), reason))

    def test_it_is_no_seating_yet(self) -> None:
        scene = self.drafted()
        assert scene.t.seated == 0
        assert not scene.t.seed_shown
        assert not scene.read_record().rounds

    def test_li5_two_entrants_are_exchanged_with_a_reason(self) -> None:
        scene = self.drafted()
        self.exchanged(scene, ["e1", "e2", "e4"], ["e3", "e5", "e6"])
        assert scene.events[-1].data["entrants"] == ["e3", "e4"]
        assert scene.events[-1].data["reason"] == "a couple"
        assert scene.t.draft.figures == {"cost": "2"}  # type: ignore[union-attr]

    def test_it_is_published_as_it_stands(self) -> None:
        scene = self.drafted()
        self.exchanged(scene, ["e1", "e2", "e4"], ["e3", "e5", "e6"])
        assert scene.do(rounds.publish(scene.t, OLGA, now=scene.now)) == ["seated"]
        assert scene.t.tables[1, 1].entrants == ("e1", "e2", "e4")
        assert scene.t.draft is None

    @pytest.mark.parametrize(
        "tables",
        [
            (["e1", "e2", "e3"], ["e4", "e5"]),
            (["e1", "e2", "e3"], ["e4", "e5", "e5"]),
            (["e1", "e2", "e3", "e4"], ["e5", "e6"]),
            (["e1", "e2", "e3"], ["e4", "e5", "e7"]),
        ],
    )
    def test_it_keeps_its_entrants_and_the_sizes_of_its_tables(self, tables: tuple[list[str], ...]) -> None:
        with pytest.raises(Invalid) as error:
            self.exchanged(self.drafted(), *tables)
        assert error.value.field == "tables"

    def test_it_is_out_of_date_once_somebody_comes_or_goes(self) -> None:
        scene = self.drafted()
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
        with pytest.raises(Conflict) as error:
            rounds.publish(scene.t, OLGA, now=scene.now)
        assert error.value.code == "draft_outdated"
        scene = self.drafted()
        scene.enter("gus")
        with pytest.raises(Conflict) as error:
            rounds.publish(scene.t, OLGA, now=scene.now)
        assert error.value.code == "draft_outdated"

    def test_there_may_be_none(self) -> None:
        with pytest.raises(Conflict) as error:
            rounds.publish(six().t, OLGA, now=six().now)
        assert error.value.code == "no_draft"

    def test_it_is_the_organisers_business(self) -> None:
        with pytest.raises(Forbidden):
            rounds.publish(self.drafted().t, by("ada"), now=six().now)


class TestDeadline:
    """LI2: a span of wall time."""

    def late(self, **plan: object) -> Scene:
        scene = six(deadline=86_400, **plan)
        scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
        return scene

    def test_it_counts_from_the_seating(self) -> None:
        scene = self.late()
        played = scene.t.rounds[1]
        assert played.deadline_at == played.seated_at - timedelta(minutes=1) + timedelta(days=1)

    def test_tables_that_are_open_then_are_overdue(self) -> None:
        scene = self.late()
        scene.finish(1, ["e1", "e2", "e3"])
        assert scene.do(rounds.overdue(scene.t, 1)) == ["overdue"]
        assert scene.events[-1].data == {"round": 1, "tables": [2]}
        assert scene.do(rounds.overdue(scene.t, 1)) == []

    def test_li5_a_round_can_be_extended(self) -> None:
        scene = self.late()
        ends = scene.t.rounds[1].deadline_at
        assert ends is not None
        scene.do(rounds.overdue(scene.t, 1))
        scene.do(scene.ruled("extend", round=1, seconds=3600))
        assert scene.t.rounds[1].deadline_at == ends + timedelta(hours=1)
        assert not scene.t.rounds[1].overdue

    def test_li5_an_extension_after_the_deadline_counts_from_now(self) -> None:
        scene = self.late()
        scene.now += timedelta(days=3)
        now = scene.now
        scene.do(scene.ruled("extend", round=1, seconds=3600))
        assert scene.t.rounds[1].deadline_at == now + timedelta(hours=1)

    def test_only_an_open_round_with_a_deadline_can_be_extended(self) -> None:
        scene = self.late()
        scene.finish(1, ["e1", "e2", "e3"])
        scene.finish(2, ["e4", "e5", "e6"])
        with pytest.raises(Conflict) as error:
            scene.ruled("extend", round=1, seconds=3600)
        assert error.value.code == "round_closed"
        scene = six()
        scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
        with pytest.raises(Conflict) as error:
            scene.ruled("extend", round=1, seconds=3600)
        assert error.value.code == "no_deadline"


class TestKnockout:
    def seated(self) -> Scene:
        scene = Scene(kind="knockout", settings={"advance": 2, "tables": {"size": 4}}).start(*SIX)
        scene.seat(["e1", "e4", "e5"], ["e2", "e3", "e6"])
        return scene

    def test_ko1_the_final_is_the_last(self) -> None:
        scene = self.seated()
        scene.finish(1, ["e1", "e4", "e5"])
        scene.finish(2, ["e2", "e3", "e6"])
        scene.seat(["e1", "e4", "e2", "e3"])
        assert rounds.last_is_seated(scene.t)
        scene.finish(1, ["e1", "e2", "e3", "e4"])
        with pytest.raises(Conflict) as error:
            rounds.next_round(scene.t)
        assert error.value.code == "no_next_round"
        scene.do(life.finish(scene.t, OLGA, "final"))

    def test_ko1_a_table_of_which_all_go_on_is_not_played(self) -> None:
        scene = Scene(kind="knockout", settings={"advance": 2, "tables": {"size": 4}}).start(*SIX[:5])
        scene.seat(["e1", "e4", "e5"], ["e2", "e3"])
        assert scene.t.tables[1, 2].games == ()
        assert scene.t.rounds[1].open_tables == 1
        assert scene.finish(1, ["e1", "e4", "e5"]) == ["result", "round_closed"]

    def test_a_round_in_which_nobody_plays_is_closed_at_once(self) -> None:
        scene = Scene(kind="knockout", settings={"advance": 2, "tables": {"size": 4}}).start(*SIX[:5])
        assert scene.seat(["e1", "e4"], ["e2", "e3"]) == ["seated", "round_closed"]

    def test_ko1_a_final_of_two_is_played(self) -> None:
        scene = Scene(kind="knockout", settings={"advance": 2, "tables": {"size": 4}}).start(*SIX[:2])
        scene.seat(["e1", "e2"])
        assert len(scene.t.tables[1, 1].games) == 1


def test_li3_who_withdraws_is_not_seated_again_and_its_game_goes_on() -> None:
    scene = six()
    scene.seat(["e1", "e2", "e3"], ["e4", "e5", "e6"])
    scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
    assert not scene.t.entrants["e1"].is_in
    assert scene.finish(1, ["e1", "e2", "e3"]) == ["result"]
    scene.finish(2, ["e4", "e5", "e6"])
    scene.seat(["e2", "e3", "e4", "e5", "e6"])
    assert scene.t.entrant_of(player("ada")).key == "e1"  # type: ignore[union-attr]
