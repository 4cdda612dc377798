"""Who comes in, who waits, who leaves (LI1, LI3)."""

from datetime import timedelta
from fractions import Fraction

import pytest
from stream_scene import NOON, OLGA, Scene, by, no_ratings, player

from core.refusals import Conflict, Forbidden, NotFound
from tournaments.stream import Limits, entries, life


def code_of(excinfo: "pytest.ExceptionInfo[Exception]") -> str:
    return excinfo.value.code  # type: ignore[attr-defined,no-any-return]


def enter(scene: Scene, name: str, invitation: str | None = None) -> None:
    scene.enter(name, invitation=invitation)


def test_li1_nobody_enters_a_draft() -> None:
    with pytest.raises(Conflict) as error:
        enter(Scene(), "ada")
    assert code_of(error) == "not_open"


def test_li1_entrants_are_numbered_in_the_order_of_entry() -> None:
    scene = Scene().open("ada", "bob")
    assert scene.t.entrant_of(player("bob")).key == "e2"  # type: ignore[union-attr]
    assert scene.t.places == 2
    assert [line["entrant"] for line in scene.record()["log"]] == ["e1", "e2"]


def test_li1_nobody_enters_twice() -> None:
    scene = Scene().open("ada")
    with pytest.raises(Conflict) as error:
        enter(scene, "ada")
    assert code_of(error) == "already_entered"


def test_li1_a_limit_makes_a_waiting_list_which_moves_up_by_itself() -> None:
    scene = Scene(limit=3).open("ada", "bob", "cleo", "dan", "eve")
    assert scene.t.queue == ("e4", "e5")
    assert scene.standing("e4") == "waiting"
    scene.do(entries.withdraw(scene.t, by("bob"), "e2", resign=False, now=scene.now))
    assert scene.standing("e4") == "in"
    assert scene.t.queue == ("e5",)
    assert scene.t.places == 3


def test_st10_who_waits_has_no_line_in_the_record_and_comes_late_into_it() -> None:
    scene = Scene(limit=3).open("ada", "bob", "cleo", "dan", "eve")
    assert [line["entrant"] for line in scene.record()["log"]] == ["e1", "e2", "e3"]
    scene.do(entries.withdraw(scene.t, by("dan"), "e4", resign=False, now=scene.now))
    scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
    assert [(line["type"], line["entrant"]) for line in scene.record()["log"]][-2:] == [
        ("withdrew", "e1"),
        ("entered", "e5"),
    ]


def test_li1_a_higher_limit_lets_those_in_who_wait() -> None:
    scene = Scene(limit=3).open("ada", "bob", "cleo", "dan", "eve")
    asked = {**scene.t.asked, "limit": 4}
    from tournaments.stream import read_plan

    scene.do(life.change(scene.t, OLGA, read_plan(asked, now=scene.now), asked, now=scene.now))
    assert scene.standing("e4") == "in"
    assert scene.standing("e5") == "waiting"


def test_li1_whom_an_organiser_adds_is_invited_until_they_accept() -> None:
    scene = Scene().open()
    facts = entries.invite(scene.t, OLGA, player("ada"), salt="s", now=scene.now)
    key = facts[0].data["entrant"]
    scene.do(facts)
    assert scene.standing(key) == "invited"
    assert scene.t.places == 0
    assert scene.record()["log"] == []
    with pytest.raises(Forbidden):
        entries.accept(scene.t, by("bob"), key, now=scene.now)
    scene.do(entries.accept(scene.t, by("ada"), key, now=scene.now))
    assert scene.standing(key) == "in"


def test_li1_to_enter_is_to_accept() -> None:
    scene = Scene(entry="organiser").open()
    scene.do(entries.invite(scene.t, OLGA, player("ada"), salt="s", now=scene.now))
    assert scene.enter("ada") == ["e1"]
    assert scene.standing("e1") == "in"
    with pytest.raises(Forbidden) as error:
        enter(scene, "bob")
    assert code_of(error) == "added_by_organisers"


def test_li1_who_accepts_by_entering_gives_a_salt_and_else_keeps_the_one_drawn() -> None:
    scene = Scene().open()
    for name in ("ada", "bob"):
        scene.do(entries.invite(scene.t, OLGA, player(name), salt="drawn", now=scene.now))
    scene.enter("ada")
    scene.do(entries.accept(scene.t, by("bob"), "e2", now=scene.now))
    assert [scene.t.entrants[key].salt for key in ("e1", "e2")] == ["salt ada", "drawn"]


def test_li1_an_invitation_that_is_declined_can_be_taken_up_later() -> None:
    scene = Scene().open()
    scene.do(entries.invite(scene.t, OLGA, player("ada"), salt="s", now=scene.now))
    scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
    assert scene.standing("e1") == "gone"
    assert scene.enter("ada") == ["e1"]


def test_li1_only_organisers_add_others() -> None:
    with pytest.raises(Forbidden) as error:
        entries.invite(Scene().open().t, by("ada"), player("bob"), salt="s", now=NOON)
    assert code_of(error) == "not_an_organiser"


def test_li1_a_private_tournament_takes_the_invitation_whatever_its_case() -> None:
    scene = Scene(visibility="private").open()
    for wrong in (None, "", "ABCD2346"):
        with pytest.raises(Forbidden) as error:
            enter(scene, "ada", wrong)
        assert code_of(error) == "invitation_needed"
    assert scene.enter("ada", invitation=" abcd2345 ") == ["e1"]


def test_li1_bots_are_entered_by_organisers_and_need_no_accepting() -> None:
    scene = Scene(limit=3).open("ada", "bob")
    facts = entries.add_bot(scene.t, OLGA, "steady", now=scene.now)
    key = facts[0].data["entrant"]
    scene.do(facts)
    assert scene.standing(key) == "in"
    with pytest.raises(Conflict) as error:
        entries.add_bot(scene.t, OLGA, "steady", now=scene.now)
    assert code_of(error) == "tournament_full"


def test_li6_entrants_and_bots_have_limits_of_their_own() -> None:
    scene = Scene().open("ada")
    with pytest.raises(Conflict) as error:
        entries.enter(scene.t, by("bob"), salt="s", invitation=None, now=scene.now, limits=Limits(entrants=1))
    assert code_of(error) == "too_many_entrants"
    with pytest.raises(Conflict) as error:
        entries.add_bot(scene.t, OLGA, "steady", now=scene.now, limits=Limits(bots=0))
    assert code_of(error) == "too_many_bots"


def test_who_withdrew_can_come_back_as_the_same_entrant() -> None:
    scene = Scene().open("ada", "bob")
    scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
    assert scene.standing("e1") == "withdrawn"
    assert scene.enter("ada") == ["e1"]
    assert [line["type"] for line in scene.record()["log"]] == ["entered", "entered", "withdrew", "returned"]


def test_who_comes_back_to_a_full_tournament_waits_like_everybody() -> None:
    scene = Scene(limit=3).open("ada", "bob", "cleo", "dan")
    scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
    scene.enter("ada")
    assert scene.standing("e1") == "waiting"
    scene.do(entries.withdraw(scene.t, by("dan"), "e4", resign=False, now=scene.now))
    assert scene.standing("e1") == "in"
    assert scene.record()["log"][-1]["type"] == "returned"


def test_who_was_removed_cannot_come_back_by_themselves() -> None:
    scene = Scene().open("ada", "bob")
    scene.do(scene.ruled("remove", entrant="e1"))
    with pytest.raises(Conflict) as error:
        enter(scene, "ada")
    assert code_of(error) == "removed"


def test_nobody_withdraws_for_another_but_an_organiser() -> None:
    scene = Scene().open("ada", "bob")
    with pytest.raises(Forbidden) as error:
        entries.withdraw(scene.t, by("bob"), "e1", resign=False, now=scene.now)
    assert code_of(error) == "not_the_entrant"
    scene.do(entries.withdraw(scene.t, OLGA, "e1", resign=False, now=scene.now))
    with pytest.raises(Conflict):
        entries.withdraw(scene.t, OLGA, "e1", resign=False, now=scene.now)
    with pytest.raises(NotFound):
        entries.withdraw(scene.t, OLGA, "e9", resign=False, now=scene.now)


class TestCheckIn:
    """LI1: who does not check in is moved behind the waiting list."""

    def scene(self, **plan: object) -> Scene:
        starts = (NOON + timedelta(hours=10)).isoformat()
        return Scene(check_in=3600, starts_at=starts, **plan)

    def check_in(self, scene: Scene, name: str, key: str) -> list[str]:
        return scene.do(entries.check_in(scene.t, by(name), key, now=scene.now))

    def test_it_opens_shortly_before_the_start(self) -> None:
        scene = self.scene().open("ada")
        with pytest.raises(Conflict) as error:
            self.check_in(scene, "ada", "e1")
        assert code_of(error) == "no_check_in"
        scene.now = NOON + timedelta(hours=9)
        assert self.check_in(scene, "ada", "e1") == ["checked_in", "entered"]
        assert self.check_in(scene, "ada", "e1") == []

    def test_who_enters_while_it_is_open_is_there(self) -> None:
        scene = self.scene().open()
        scene.now = NOON + timedelta(hours=9, minutes=30)
        scene.enter("ada")
        assert scene.standing("e1") == "in"

    def test_li1_who_enters_a_full_one_meanwhile_has_checked_in_too_and_moves_up(self) -> None:
        scene = self.scene(limit=2, settings={"tables": {"size": 2}}).open("ada", "bob")
        scene.now = NOON + timedelta(hours=9, minutes=30)
        self.check_in(scene, "ada", "e1")
        scene.enter("cleo")
        assert scene.standing("e3") == "waiting"
        scene.now = NOON + timedelta(hours=10)
        assert scene.do(life.start_by_itself(scene.t, OLGA, no_ratings))[:2] == ["check_in_missed", "entered"]
        assert [entrant.key for entrant in scene.t.those_in()] == ["e1", "e3"]

    def test_who_misses_it_waits_and_those_who_wait_and_checked_in_move_up(self) -> None:
        scene = self.scene(limit=4).open("ada", "bob", "cleo", "dan", "eve", "fay")
        assert scene.t.places == 4
        scene.now = NOON + timedelta(hours=9, minutes=30)
        for name, key in (("ada", "e1"), ("bob", "e2"), ("cleo", "e3"), ("fay", "e6")):
            self.check_in(scene, name, key)
        assert scene.standing("e6") == "waiting"
        scene.now = NOON + timedelta(hours=10)
        scene.do(life.start(scene.t, OLGA, no_ratings))
        assert [entrant.key for entrant in scene.t.those_in()] == ["e1", "e2", "e3", "e6"]
        assert scene.t.queue == ("e5", "e4")
        assert {line["entrant"] for line in scene.record()["log"]} == {"e1", "e2", "e3", "e6"}

    def test_who_missed_it_and_shows_up_comes_in_late(self) -> None:
        scene = self.scene().open("ada", "bob", "cleo", "dan")
        scene.now = NOON + timedelta(hours=9, minutes=30)
        for name, key in (("ada", "e1"), ("bob", "e2"), ("cleo", "e3")):
            self.check_in(scene, name, key)
        scene.do(life.start(scene.t, OLGA, no_ratings))
        scene.seat(["e1", "e2", "e3"])
        assert scene.standing("e4") == "waiting"
        self.check_in(scene, "dan", "e4")
        assert scene.standing("e4") == "in"

    def test_li1_who_has_left_again_cannot_check_in(self) -> None:
        scene = self.scene().open()
        scene.now = NOON + timedelta(hours=9, minutes=30)
        scene.enter("ada")
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
        with pytest.raises(Conflict) as error:
            self.check_in(scene, "ada", "e1")
        assert code_of(error) == "not_entered"

    def test_bots_are_always_there(self) -> None:
        scene = self.scene().open()
        scene.do(entries.add_bot(scene.t, OLGA, "steady", now=scene.now))
        assert scene.standing("e1") == "in"

    def test_it_takes_a_plan_with_one(self) -> None:
        scene = Scene(limit=3).open("ada", "bob", "cleo", "dan")
        with pytest.raises(Conflict) as error:
            self.check_in(scene, "dan", "e4")
        assert code_of(error) == "no_check_in"


class TestLate:
    """LI3: who enters late begins with the next round."""

    def test_missed_rounds_count_nothing(self) -> None:
        scene = Scene(settings={"rounds": 3}).start("ada", "bob", "cleo")
        scene.seat(["e1", "e2", "e3"])
        scene.enter("dan")
        assert scene.types()[-1] == "entered"

    def test_or_a_byes_worth_with_late_bye(self) -> None:
        settings = {"rounds": 5, "games_per_table": 2}
        scene = Scene(settings=settings, late="bye").start("ada", "bob", "cleo")
        scene.seat(["e1", "e2", "e3"])
        scene.enter("dan")
        assert scene.events[-1].type == "adjusted"
        # PT3: two games a table are two byes of 1/2.
        assert Fraction(scene.events[-1].data["points"]) == 1
        assert scene.read_record().adjustments[0].entrant == "e4"

    def test_until_a_round(self) -> None:
        scene = Scene(settings={"rounds": 3}, late_until=1).start("ada", "bob", "cleo")
        scene.seat(["e1", "e2", "e3"])
        scene.enter("dan")
        scene.finish(1, ["e1", "e2", "e3"])
        scene.seat(["e1", "e2", "e3", "e4"])
        with pytest.raises(Conflict) as error:
            enter(scene, "eve")
        assert code_of(error) == "entries_closed"

    def test_not_into_the_last_round(self) -> None:
        scene = Scene(settings={"rounds": 1}).start("ada", "bob", "cleo")
        scene.seat(["e1", "e2", "e3"])
        with pytest.raises(Conflict) as error:
            enter(scene, "dan")
        assert code_of(error) == "entries_closed"

    def test_a_knockout_closes_its_entries_with_its_seeds(self) -> None:
        scene = Scene(kind="knockout", settings={"advance": 2}).start("ada", "bob", "cleo")
        with pytest.raises(Conflict) as error:
            enter(scene, "dan")
        assert code_of(error) == "entries_closed"

    def test_sn1_a_season_is_open_until_its_end(self) -> None:
        scene = Scene(kind="season", closes_at=(NOON + timedelta(days=1)).isoformat()).start()
        scene.enter("ada")
        scene.now = NOON + timedelta(days=1)
        with pytest.raises(Conflict) as error:
            enter(scene, "bob")
        assert code_of(error) == "entries_closed"

    def test_the_waiting_list_moves_up_in_mid_tournament(self) -> None:
        scene = Scene(limit=3, settings={"rounds": 3}).start("ada", "bob", "cleo", "dan")
        scene.seat(["e1", "e2", "e3"])
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=True, now=scene.now))
        assert scene.standing("e4") == "in"
