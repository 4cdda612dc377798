"""draft → registration → running → finished; cancelled from any of the first three."""

import hashlib
import hmac
from collections.abc import Mapping, Sequence
from typing import Any
from uuid import UUID

import pytest
from stream_scene import DEALS, NEW_DEALS, OLGA, SEED, Scene, by, ended, no_ratings, player

from core.refusals import Conflict, Forbidden, Invalid, NotFound
from games.rules import fairness
from tournaments.stream import SERVICE, By, entries, life, outcomes, read_plan
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


def test_li3_the_seed_is_opened_with_the_end_at_the_latest_also_when_cancelled() -> None:
    scene = Scene().open("ada")
    scene.do(life.cancel(scene.t, OLGA, "rain"))
    assert scene.t.seed_shown and scene.events[-1].data["seed"] == SEED


def test_li9_the_secret_of_the_deals_is_committed_to_before_anybody_can_enter() -> None:
    scene = Scene()
    assert scene.types() == ["set_up"]
    [deals] = scene.t.deals
    assert deals.commitment == fairness.commitment(bytes.fromhex(DEALS))
    assert (deals.since, deals.opened_at) == (scene.now, None)


def test_li9_every_game_has_a_secret_of_its_own_by_its_name() -> None:
    t = Scene().t
    name = f"trey-fairness/1\0game\0{t.id}/2/1/3".encode()
    assert t.secret_of("2/1/3") == hmac.digest(bytes.fromhex(DEALS), name, "sha256")
    assert len({t.secret_of(name) for name in ("1/1/1", "1/1/2", "1/2/1", "2/1/1", "1", "2")}) == 6


def test_li9_the_secret_is_opened_once_and_only_when_all_is_over() -> None:
    scene = Scene(kind="season").start("ada", "bob")
    assert life.open_deals(scene.t) == []
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    assert scene.do(life.open_deals(scene.t)) == ["deals_opened"]
    assert scene.t.deals[0].opened_at == scene.now
    assert life.open_deals(scene.t) == []


def test_li9_one_reopened_after_its_secret_was_opened_draws_a_new_one() -> None:
    scene = Scene(kind="season").start("ada", "bob")
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    scene.do(life.reopen(scene.t, OLGA, "too early", deals=NEW_DEALS))
    assert [one.secret for one in scene.t.deals] == [DEALS], "nobody had seen it"
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    scene.do(life.open_deals(scene.t))
    scene.do(life.reopen(scene.t, OLGA, "a result was wrong", deals=NEW_DEALS))
    assert [one.secret for one in scene.t.deals] == [DEALS, NEW_DEALS]
    assert scene.events[-1].data["deals_commitment"] == fairness.commitment(bytes.fromhex(NEW_DEALS))
    assert scene.t.deals_are_secret


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
    scene.organise("piet")
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


def test_li7_whom_an_organiser_names_is_asked_and_is_one_once_they_accept() -> None:
    scene = Scene()
    scene.do(life.add_organiser(scene.t, OLGA, player("piet")))
    assert scene.t.organisers == (player("olga"),) and scene.t.asked_organisers == (player("piet"),)
    with pytest.raises(Forbidden):
        life.cancel(scene.t, by("piet"), "mine")
    with pytest.raises(Conflict) as error:
        life.add_organiser(scene.t, OLGA, player("piet"))
    assert error.value.code == "already_organiser"
    with pytest.raises(Conflict) as error:
        life.accept_to_organise(scene.t, by("ada"), now=scene.now)
    assert error.value.code == "not_invited"
    scene.do(life.accept_to_organise(scene.t, by("piet"), now=scene.now))
    assert scene.t.organisers == (player("olga"), player("piet")) and scene.t.asked_organisers == ()


@pytest.mark.parametrize("who", ["olga", "piet"])
def test_li7_who_is_asked_may_decline_and_the_question_can_be_taken_back(who: str) -> None:
    scene = Scene()
    scene.do(life.add_organiser(scene.t, OLGA, player("piet")))
    with pytest.raises(Forbidden):
        life.remove_organiser(scene.t, by("ada"), player("piet"))
    scene.do(life.remove_organiser(scene.t, by(who), player("piet")))
    assert scene.t.asked_organisers == () and scene.t.organisers == (player("olga"),)


def test_li7_an_organiser_steps_down_at_any_time_but_the_last() -> None:
    scene = Scene()
    scene.organise("piet")
    scene.do(life.cancel(scene.t, OLGA, "rain"))
    scene.do(life.remove_organiser(scene.t, OLGA, player("olga")))
    with pytest.raises(Conflict) as error:
        life.remove_organiser(scene.t, by("piet"), player("piet"))
    assert error.value.code == "last_organiser"


def test_li7_whoever_is_asked_counts_among_the_most_there_may_be() -> None:
    scene = Scene()
    for n in range(life.MAX_ORGANISERS - 1):
        scene.do(life.add_organiser(scene.t, OLGA, player(f"no. {n}")))
    with pytest.raises(Conflict) as error:
        life.add_organiser(scene.t, OLGA, player("piet"))
    assert error.value.code == "too_many_organisers"


def test_li7_an_organiser_renews_the_invitation_in_any_stage() -> None:
    scene = Scene(visibility="private")
    for done in (lambda: life.open_registration(scene.t, OLGA), lambda: life.cancel(scene.t, OLGA, "rain")):
        scene.do(life.renew_invitation(scene.t, OLGA, f"{scene.t.version} AND A NEW ONE"))
        assert scene.t.invitation == f"{scene.t.version - 1} AND A NEW ONE"
        scene.do(done())
    scene.do(life.renew_invitation(scene.t, OLGA, "THE LAST ONE"))
    assert scene.t.invitation == "THE LAST ONE"
    with pytest.raises(Forbidden) as error:
        life.renew_invitation(scene.t, by("ada"), "MINE")
    assert error.value.code == "not_an_organiser"


def test_li5_a_finish_is_taken_back_by_reopening() -> None:
    scene = Scene().start("ada", "bob", "cleo")
    with pytest.raises(Conflict) as error:
        life.reopen(scene.t, OLGA, "too early", deals=NEW_DEALS)
    assert error.value.code == "not_finished"
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    scene.do(life.reopen(scene.t, OLGA, "a result was wrong", deals=NEW_DEALS))
    assert scene.t.status == "running"
    assert scene.t.ended_at is None
    scene.do(life.finish(scene.t, OLGA, "organiser"))


def test_li3_finish_lets_running_games_play_on_and_results_enter_by_ruling_or_once_reopened_only() -> None:
    scene = Scene(settings={"rounds": 1, "tables": {"size": 2}}).start("ada", "bob", "cleo", "dan")
    scene.seat(["e1", "e2"], ["e3", "e4"])
    scene.do(life.finish(scene.t, OLGA, "organiser"))
    assert scene.t.status == "finished" and scene.t.open_rounds == (1,)
    assert scene.finish(1, ["e1", "e2"]) == []
    ruled = outcomes.rule(scene.t, OLGA, scene.t.tables[1, 2], scene.game(2), ended(["e4", "e3"], "ruling"))
    assert scene.do(ruled) == ["result"]
    scene.do(life.reopen(scene.t, OLGA, "for the last game", deals=NEW_DEALS))
    assert scene.finish(1, ["e1", "e2"]) == ["result", "round_closed"]


def test_li3_a_cancelled_tournament_takes_no_result() -> None:
    scene = Scene(settings={"rounds": 1, "tables": {"size": 2}}).start("ada", "bob")
    scene.seat(["e1", "e2"])
    scene.do(life.cancel(scene.t, OLGA, "rain"))
    with pytest.raises(Conflict) as error:
        outcomes.rule(scene.t, OLGA, scene.t.tables[1, 1], scene.game(1), ended(["e1", "e2"], "ruling"))
    assert error.value.code == "tournament_over"


def test_li5_who_sits_at_a_table_rules_it_only_where_every_organiser_does() -> None:
    scene = Scene(settings={"rounds": 1, "tables": {"size": 2}}).start("olga", "bob", "cleo", "dan")
    outcomes.check_not_own(scene.t, OLGA, ["e1", "e2"])  # the only organiser
    scene.organise("piet")
    with pytest.raises(Forbidden) as error:
        outcomes.check_not_own(scene.t, OLGA, ["e1", "e2"])
    assert error.value.code == "own_table"
    outcomes.check_not_own(scene.t, OLGA, ["e3", "e4"])
    outcomes.check_not_own(scene.t, by("piet"), ["e1", "e2"])
    scene.organise("bob")
    scene.do(life.remove_organiser(scene.t, OLGA, player("piet")))
    outcomes.check_not_own(scene.t, OLGA, ["e1", "e2"])  # both of them sit there
    with pytest.raises(Forbidden):
        outcomes.check_not_own(scene.t, By(player("dan"), staff=True), ["e3", "e4"])
