"""draft → registration → running → finished; cancelled from any of the first three."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import pytest
from stream_scene import OLGA, SEED, Scene, by, no_ratings, player

from games.refusals import Conflict, Forbidden, Invalid, NotFound
from tournaments.stream import SERVICE, By, entries, life, read_plan
from tournaments.stream.agenda import can_seat


def changed(scene: Scene, **changes: Any) -> None:
    asked = {**scene.t.asked, **changes}
    scene.do(life.change(scene.t, OLGA, read_plan(asked, now=scene.now), asked, now=scene.now))


def test_its_life() -> None:
    scene = Scene()
    assert scene.t.status == "draft"
    scene.open("ada", "bob", "cleo")
    assert scene.t.status == "registration"
    scene.do(life.start(scene.t, OLGA, no_ratings))
    assert scene.t.status == "running"
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    assert scene.t.status == "finished"


@pytest.mark.parametrize("how_far", [0, 1, 2])
def test_it_can_be_cancelled_until_it_is_finished(how_far: int) -> None:
    scene = [Scene(), Scene().open(), Scene().start("ada", "bob", "cleo")][how_far]
    scene.do(life.cancel(scene.t, OLGA, "rain"))
    assert scene.t.status == "cancelled"
    with pytest.raises(Conflict) as error:
        life.cancel(scene.t, OLGA, "more rain")
    assert error.value.code == "tournament_over"


def test_each_step_is_for_organisers_and_staff() -> None:
    scene = Scene()
    for stranger in (by("ada"), By(player("ada"))):
        with pytest.raises(Forbidden) as error:
            life.open_registration(scene.t, stranger)
        assert error.value.code == "not_an_organiser"
    assert life.open_registration(scene.t, By(player("ada"), staff=True))


def test_each_step_once() -> None:
    scene = Scene()
    with pytest.raises(Conflict) as error:
        life.start(scene.t, OLGA, no_ratings)
    assert error.value.code == "not_open"
    scene.start("ada", "bob", "cleo")
    for step in (life.open_registration, lambda t, by: life.start(t, by, no_ratings)):
        with pytest.raises(Conflict) as error:
            step(scene.t, OLGA)
        assert error.value.code == "already_started"


def test_li1_it_takes_a_table_to_start() -> None:
    scene = Scene().open("ada", "bob")
    with pytest.raises(Conflict) as error:
        life.start(scene.t, OLGA, no_ratings)
    assert error.value.code == "too_few_entrants"


def test_li1_with_too_few_a_start_by_itself_is_put_off() -> None:
    scene = Scene().open("ada")
    assert scene.do(life.start_by_itself(scene.t, SERVICE, no_ratings)) == ["put_off"]
    assert scene.t.put_off
    scene.enter("bob", "cleo")
    scene.do(life.start(scene.t, OLGA, no_ratings))
    assert not scene.t.put_off


def test_se5_the_seed_is_committed_to_and_shown_with_the_first_seating() -> None:
    scene = Scene(settings={"rounds": 2}).start("ada", "bob", "cleo")
    assert scene.t.commitment == hashlib.sha256(bytes.fromhex(SEED)).hexdigest()
    assert not scene.t.seed_shown
    scene.seat(["e1", "e2", "e3"])
    assert scene.t.seed_shown


def test_se5_the_seed_of_a_season_is_shown_at_its_finish() -> None:
    scene = Scene(kind="season").start("ada", "bob")
    assert not scene.t.seed_shown
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    assert scene.t.seed_shown


def test_ko2_a_knockout_is_seeded_with_its_start_by_lot() -> None:
    scene = Scene(kind="knockout", settings={"advance": 2}).open("ada", "bob", "cleo", "dan")
    scene.do(entries.withdraw(scene.t, by("bob"), "e2", resign=False, now=scene.now))
    scene.do(life.start(scene.t, OLGA, no_ratings))
    lots = {key: hashlib.sha256(f"{SEED}/seed/{key}".encode()).hexdigest() for key in ("e1", "e3", "e4")}
    # Who left before the start is named, as a record has it, but last.
    assert scene.t.seeds == (*sorted(lots, key=lots.__getitem__), "e2")
    assert scene.t.seed_shown


def test_ko2_or_in_the_organisers_order() -> None:
    scene = Scene(kind="knockout", settings={"advance": 2}).open("ada", "bob", "cleo", "dan")
    changed(scene, seeds=["e3", "e1"])
    scene.do(life.start(scene.t, OLGA, no_ratings))
    assert scene.t.seeds[:2] == ("e3", "e1")
    assert set(scene.t.seeds) == {"e1", "e2", "e3", "e4"}


def test_ko2_or_by_rating_newcomers_by_lot_among_those_of_1500() -> None:
    scene = Scene(kind="knockout", seeds="rating", settings={"advance": 2}).open("ada", "bob", "cleo", "dan")
    ratings = {player("cleo"): 1700, player("ada"): 1400}
    asked = []

    def rated(players: Sequence[UUID]) -> Mapping[UUID | None, float]:
        asked.extend(players)
        return ratings

    scene.do(life.start(scene.t, OLGA, rated))
    lots = {key: hashlib.sha256(f"{SEED}/seed/{key}".encode()).hexdigest() for key in ("e2", "e4")}
    assert scene.t.seeds == ("e3", *sorted(lots, key=lots.__getitem__), "e1")
    assert set(asked) == {player(name) for name in ("ada", "bob", "cleo", "dan")}


def test_ko2_seeds_name_entrants() -> None:
    scene = Scene(kind="knockout", settings={"advance": 2}).open("ada", "bob")
    with pytest.raises(Invalid) as error:
        changed(scene, seeds=["e7"])
    assert error.value.field == "seeds"


def test_the_plan_changes_before_the_start_only() -> None:
    scene = Scene().open("ada", "bob", "cleo")
    changed(scene, title="Threes 2027", settings={"rounds": 2})
    assert scene.t.plan.title == "Threes 2027"
    assert scene.record()["settings"]["rounds"] == 2
    scene.do(life.start(scene.t, OLGA, no_ratings))
    with pytest.raises(Conflict) as error:
        changed(scene, title="Threes 2028")
    assert error.value.code == "already_started"


def test_li2_rounds_without_a_number_end_when_an_organiser_stops_seating_them() -> None:
    scene = Scene(settings={"tables": {"size": 3}}).start("ada", "bob", "cleo")
    scene.seat(["e1", "e2", "e3"])
    changed(scene, pace="manual")
    scene.finish(1, ["e1", "e2", "e3"])
    assert not can_seat(scene.t)
    changed(scene, pace="auto")
    assert can_seat(scene.t)
    changed(scene, pace="manual")
    before = scene.types()
    changed(scene, pace="manual")
    assert scene.types() == before
    with pytest.raises(Conflict) as error:
        changed(scene, pace="auto", limit=20)
    assert error.value.code == "already_started"
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    assert scene.t.status == "finished"
    with pytest.raises(Conflict) as error:
        changed(scene, pace="auto")
    assert error.value.code == "tournament_over"


def test_a_change_that_changes_nothing_is_no_event() -> None:
    scene = Scene()
    changed(scene)
    assert scene.types() == ["set_up"]


def test_the_check_in_is_settled_when_the_registration_opens() -> None:
    scene = Scene().open("ada")
    with pytest.raises(Invalid) as error:
        changed(scene, check_in=3600)
    assert error.value.field == "check_in"


def test_organisers_name_others_and_one_always_stays() -> None:
    scene = Scene()
    scene.do(life.add_organiser(scene.t, OLGA, player("piet")))
    scene.do(life.remove_organiser(scene.t, by("piet"), player("olga")))
    assert scene.t.organisers == (player("piet"),)
    with pytest.raises(Conflict) as error:
        life.remove_organiser(scene.t, by("piet"), player("piet"))
    assert error.value.code == "last_organiser"
    with pytest.raises(NotFound):
        life.remove_organiser(scene.t, by("piet"), player("olga"))
    with pytest.raises(Conflict) as error:
        life.add_organiser(scene.t, by("piet"), player("piet"))
    assert error.value.code == "already_organiser"


def test_li5_a_finish_is_taken_back_by_reopening() -> None:
    scene = Scene().start("ada", "bob", "cleo")
    with pytest.raises(Conflict) as error:
        life.reopen(scene.t, OLGA, "too early")
    assert error.value.code == "not_finished"
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    scene.do(life.reopen(scene.t, OLGA, "a result was wrong"))
    assert scene.t.status == "running"
    assert scene.t.ended_at is None
    scene.do(life.finish(scene.t, OLGA, "organiser"))


def test_it_is_not_finished_while_tables_are_open() -> None:
    scene = Scene(settings={"rounds": 1}).start("ada", "bob", "cleo")
    scene.seat(["e1", "e2", "e3"])
    with pytest.raises(Conflict) as error:
        life.finish(scene.t, OLGA, "organiser")
    assert error.value.code == "round_open"
