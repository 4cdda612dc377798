"""Rulings (LI5): each with a reason, each an event, each with its counter-ruling; no-shows (LI4)."""

from datetime import timedelta
from fractions import Fraction
from typing import Any
from uuid import UUID

import pytest
from stream_scene import NEW_DEALS, NOON, OLGA, Scene, by, ended, no_ratings, player

from core.refusals import Conflict, Forbidden, Invalid, NotFound
from tournaments.stream import By, Ended, Fact, Scored, entries, life, no_shows, outcomes, ruling, rulings

FOUR = ("ada", "bob", "cleo", "dan")


def played(**plan: object) -> Scene:
    """Two tables of two; the first one's game has ended."""
    settings = {"rounds": 2, "tables": {"size": 2}}
    scene = Scene(**{"settings": settings, **plan}).start(*FOUR)
    scene.seat(["e1", "e2"], ["e3", "e4"])
    scene.finish(1, ["e1", "e2"])
    return scene


def knockout() -> Scene:
    scene = Scene(kind="knockout", settings={"advance": 1, "tables": {"size": 2}}).start(*FOUR)
    scene.seat(["e1", "e4"], ["e2", "e3"])
    scene.finish(1, ["e1", "e4"])
    return scene


class TestVoid:
    def test_a_result_does_not_count_and_is_restored(self) -> None:
        scene = played()
        game = scene.game(1)
        assert scene.do(outcomes.void(scene.t, OLGA, game, "wrong deck")) == ["voided"]
        assert not scene.read_record().stands(game)
        scene.do(outcomes.restore(scene.t, OLGA, game, "it was the right one"))
        assert scene.read_record().stands(game)

    def test_a_closed_round_stays_closed(self) -> None:
        scene = played()
        scene.finish(2, ["e3", "e4"])
        scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "wrong deck"))
        assert scene.t.open_rounds == ()

    def test_a_game_without_a_result_will_have_none(self) -> None:
        scene = played()
        types = scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "lost cards"))
        assert types == ["voided", "round_closed"]
        assert scene.record()["log"][-1] | {"at": ""} == {
            "n": 7,
            "at": "",
            "type": "voided",
            "round": 1,
            "table": 2,
            "reason": "lost cards",
        }
        assert scene.read_record().open_games((1, 2)) == 0
        assert scene.finish(2, ["e3", "e4"]) == [], "its result comes too late"

    def test_not_twice(self) -> None:
        scene = played()
        for table in (1, 2):
            scene.do(outcomes.void(scene.t, OLGA, scene.game(table), "wrong deck"))
            with pytest.raises(Conflict) as error:
                outcomes.void(scene.t, OLGA, scene.game(table), "again")
            assert error.value.code == "already_void"

    def test_only_what_was_voided_with_a_result_can_be_restored(self) -> None:
        scene = played()
        scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "lost cards"))
        for table in (1, 2):
            with pytest.raises(Conflict) as error:
                outcomes.restore(scene.t, OLGA, scene.game(table), "after all")
            assert error.value.code == "not_void"
        with pytest.raises(NotFound):
            outcomes.restore(scene.t, OLGA, "no such game", "after all")

    def test_a_table_never_has_more_results_than_games(self) -> None:
        scene = played()
        scene.do(outcomes.void(scene.t, OLGA, scene.game(1), "wrong deck"))
        scene.do(outcomes.rule(scene.t, OLGA, scene.t.tables[1, 1], "r1", ended(["e2", "e1"], "ruling")))
        with pytest.raises(Conflict) as error:
            outcomes.restore(scene.t, OLGA, scene.t.tables[1, 1].games[0], "after all")
        assert error.value.code == "too_many_results"
        with pytest.raises(Conflict) as error:
            outcomes.rule(scene.t, OLGA, scene.t.tables[1, 1], "r2", ended(["e2", "e1"], "ruling"))
        assert error.value.code == "too_many_results"

    def test_it_is_for_organisers(self) -> None:
        scene = played()
        with pytest.raises(Forbidden):
            outcomes.void(scene.t, by("ada"), scene.game(1), "I lost")

    def test_an_organiser_at_the_table_is_named_as_its_player(self) -> None:
        scene = played()
        scene.organise("bob")
        scene.do(outcomes.void(scene.t, by("bob"), scene.game(1), "I lost"))
        assert scene.events[-1].data["also_plays"] == "e2"
        scene.do(outcomes.restore(scene.t, OLGA, scene.game(1), "you did"))
        assert scene.events[-1].data["also_plays"] is None

    def test_not_before_the_start_or_after_the_end(self) -> None:
        scene = played()
        scene.finish(2, ["e3", "e4"])
        scene.do(life.finish(scene.t, OLGA, "organiser"))
        with pytest.raises(Conflict) as error:
            outcomes.void(scene.t, OLGA, scene.game(1), "wrong deck")
        assert error.value.code == "tournament_over"
        scene.do(life.reopen(scene.t, OLGA, "wrong deck", deals=NEW_DEALS))
        scene.do(outcomes.void(scene.t, OLGA, scene.game(1), "wrong deck"))


class TestKnockoutVoid:
    """KO3: a voided game is played again."""

    def test_it_is_played_again(self) -> None:
        scene = knockout()
        first = scene.game(1)
        scene.do(outcomes.void(scene.t, OLGA, first, "wrong deck"))
        assert len(scene.t.tables[1, 1].games) == 2
        assert scene.t.rounds[1].open_tables == 2
        scene.finish(1, ["e4", "e1"], number=2)
        assert scene.read_record().standing_at((1, 1))[0].id == scene.game(1, 2)

    def test_also_one_that_closed_its_round(self) -> None:
        scene = knockout()
        scene.finish(2, ["e2", "e3"])
        assert scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "wrong deck")) == ["voided", "round_reopened"]
        assert scene.finish(2, ["e2", "e3"], number=2) == ["result", "round_closed"]

    def test_also_one_that_had_no_result_yet(self) -> None:
        scene = knockout()
        assert scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "lost cards")) == ["voided"]
        assert scene.finish(2, ["e2", "e3"], number=2) == ["result", "round_closed"]

    def test_restored_it_is_not_played_again(self) -> None:
        scene = knockout()
        scene.finish(2, ["e2", "e3"])
        scene.do(outcomes.void(scene.t, OLGA, scene.game(2), "wrong deck"))
        again = scene.game(2, 2)
        assert scene.do(outcomes.restore(scene.t, OLGA, scene.game(2), "no")) == ["restored", "round_closed"]
        assert scene.events[-2].data["instead_of"] == again
        assert scene.finish(2, ["e3", "e2"], number=2) == []
        assert len(scene.read_record().standing_at((1, 2))) == 1

    def test_once_it_was_played_again_restoring_is_one_too_many(self) -> None:
        scene = knockout()
        scene.do(outcomes.void(scene.t, OLGA, scene.game(1), "wrong deck"))
        scene.finish(1, ["e4", "e1"], number=2)
        with pytest.raises(Conflict) as error:
            outcomes.restore(scene.t, OLGA, scene.game(1), "no")
        assert error.value.code == "too_many_results"

    def test_a_round_from_which_the_next_was_seated_is_not_played_again(self) -> None:
        scene = knockout()
        scene.finish(2, ["e2", "e3"])
        scene.seat(["e1", "e2"])
        assert scene.do(outcomes.void(scene.t, OLGA, scene.game(1, round=1), "wrong deck")) == ["voided"]

    def test_points_are_not_adjusted_in_a_knockout(self) -> None:
        with pytest.raises(Conflict) as error:
            knockout().ruled("adjust", entrant="e1", points=1)
        assert error.value.code == "not_in_a_knockout"


class TestRuled:
    def test_a_table_is_ruled_by_the_places_given(self) -> None:
        scene = played()
        facts = outcomes.rule(scene.t, OLGA, scene.t.tables[1, 2], scene.game(2), ended(["e4", "e3"], "ruling"))
        assert scene.do(facts) == ["result", "round_closed"]
        assert scene.read_record().results[scene.game(2)].source == "ruling"

    def test_all_who_sit_there_have_a_place(self) -> None:
        scene = played()
        for order in (["e4"], ["e4", "e3", "e1"], ["e4", "e4"]):
            with pytest.raises(Invalid) as error:
                outcomes.rule(scene.t, OLGA, scene.t.tables[1, 2], scene.game(2), ended(order, "ruling"))
            assert error.value.field == "players"

    def test_places_are_one_and_the_number_of_better_ones(self) -> None:
        scene = played()
        two = Ended("ruling", [Scored("e3", 1), Scored("e4", 3)])
        with pytest.raises(Invalid) as error:
            outcomes.rule(scene.t, OLGA, scene.t.tables[1, 2], scene.game(2), two)
        assert error.value.field == "players"

    def test_a_season_takes_the_result_of_a_real_table(self) -> None:
        scene = Scene(kind="season").start(*FOUR)
        scene.do(outcomes.rule(scene.t, OLGA, None, "r1", ended(["e4", "e1"], "table")))
        assert scene.read_record().results["r1"].source == "table"
        with pytest.raises(Invalid):
            outcomes.rule(scene.t, OLGA, None, "r2", ended(["e9", "e1"], "table"))

    def test_under_score_it_takes_penalties_and_rounds(self) -> None:
        season = {"game": "three_thirteen", "kind": "season", "settings": {"points": {"scheme": "score"}}}
        scene = Scene(**season).start(*FOUR)
        with pytest.raises(Invalid) as error:
            outcomes.rule(scene.t, OLGA, None, "r1", Ended("table", [Scored("e1", 1), Scored("e2", 2)], rounds=11))
        assert error.value.field == "players"
        with pytest.raises(Invalid) as error:
            outcomes.rule(scene.t, OLGA, None, "r1", ended(["e1", "e2"], "table"))
        assert error.value.field == "rounds"


class TestEntrants:
    def test_points_are_adjusted_and_adjusted_back(self) -> None:
        scene = played()
        scene.do(scene.ruled("adjust", entrant="e1", points="-1/2"))
        scene.do(scene.ruled("adjust", entrant="e1", points="1/2"))
        assert [line.points for line in scene.read_record().adjustments] == [Fraction(-1, 2), Fraction(1, 2)]

    @pytest.mark.parametrize("points", [0.5, "1/0", "0.5", "half", None, True, [1]])
    def test_points_are_exact(self, points: object) -> None:
        with pytest.raises(ValueError, match=r"^(Must be a whole number|Must have at most 15 digits)"):
            ruling.read_points(points)

    @pytest.mark.parametrize("points", ["1" * 16, "-1/10000", 10**15, f"1/{'9' * 400}"])
    def test_points_are_short_enough_for_standings_to_stay_cheap(self, points: object) -> None:
        """Three hundred adjustments by fractions of a thousand digits took half a minute each time they were added."""
        with pytest.raises(ValueError, match=r"^(Must be a whole number|Must have at most 15 digits)"):
            ruling.read_points(points)

    def test_points_may_have_fifteen_digits_and_four_below_the_line(self) -> None:
        assert ruling.read_points(f"-{'9' * 15}/0009999") == Fraction(1 - 10**15, 9999)

    def test_who_is_removed_is_reinstated(self) -> None:
        scene = played()
        scene.do(scene.ruled("remove", entrant="e2"))
        assert not scene.t.entrants["e2"].is_in
        with pytest.raises(Conflict) as error:
            scene.ruled("remove", entrant="e2")
        assert error.value.code == "already_removed"
        scene.reinstate("e2")
        assert scene.t.entrants["e2"].is_in
        with pytest.raises(Conflict) as error:
            scene.reinstate("e2")
        assert error.value.code == "not_removed"

    def test_who_withdrew_and_was_reinstated_is_withdrawn(self) -> None:
        scene = played()
        scene.do(entries.withdraw(scene.t, by("bob"), "e2", resign=False, now=scene.now))
        scene.do(scene.ruled("remove", entrant="e2"))
        scene.reinstate("e2")
        assert scene.standing("e2") == "withdrawn"
        assert scene.read_record().entrants["e2"].withdrawn

    def removed(self, scene: Scene, key: str) -> None:
        scene.do(scene.ruled("remove", entrant=key))
        assert scene.standing(key) == "removed"

    def test_li5_who_is_reinstated_waits_where_they_waited(self) -> None:
        scene = Scene(limit=2, settings={"tables": {"size": 2}}).open("ada", "bob", "cleo", "dan", "eve", "fay")
        scene.do(entries.withdraw(scene.t, by("cleo"), "e3", resign=False, now=scene.now))
        self.removed(scene, "e5")
        assert scene.reinstate("e5") == ["reinstated"]
        assert scene.standing("e5") == "waiting" and scene.t.queue == ("e4", "e5", "e6")
        self.removed(scene, "e4")
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
        scene.reinstate("e4")
        assert scene.t.queue == ("e4", "e6"), "e5 has moved up meanwhile"

    def test_li5_who_is_reinstated_on_the_waiting_list_moves_up_where_a_place_is_free(self) -> None:
        scene = Scene(limit=2, settings={"tables": {"size": 2}}).open("ada", "bob", "cleo")
        self.removed(scene, "e3")
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
        assert scene.reinstate("e3") == ["reinstated", "entered"]
        assert scene.standing("e3") == "in"

    def test_li5_who_is_reinstated_is_invited_as_before_and_accepts(self) -> None:
        scene = Scene().open("ada", "bob", "cleo")
        scene.do(entries.invite(scene.t, OLGA, player("dan"), salt="s", now=scene.now))
        self.removed(scene, "e4")
        scene.reinstate("e4")
        assert scene.standing("e4") == "invited"
        assert scene.do(entries.accept(scene.t, by("dan"), "e4", now=scene.now)) == ["entered"]

    def test_li5_who_is_reinstated_still_has_to_check_in_and_has_missed_it_after_the_start(self) -> None:
        scene = Scene(check_in=3600, settings={"tables": {"size": 2}}).open("ada", "bob", "cleo", "dan")
        for key in ("e1", "e2"):
            scene.do(entries.check_in(scene.t, OLGA, key, now=scene.now))
        for key in ("e3", "e4"):
            self.removed(scene, key)
        scene.reinstate("e3")
        assert scene.standing("e3") == "registered"
        scene.do(life.start(scene.t, OLGA, no_ratings))
        assert scene.reinstate("e4") == ["reinstated", "check_in_missed"]
        assert scene.t.entrants["e4"].missed and scene.t.queue == ("e3", "e4")

    @pytest.mark.parametrize("before", ["invited", "waiting"])
    def test_li5_who_is_removed_and_leaves_stays_removed_and_is_gone_once_reinstated(self, before: str) -> None:
        scene = Scene(limit=2, settings={"tables": {"size": 2}}).open("ada", "bob")
        if before == "waiting":
            scene.enter("cleo")
        else:
            scene.do(entries.invite(scene.t, OLGA, player("cleo"), salt="s", now=scene.now))
        self.removed(scene, "e3")
        scene.do(entries.withdraw(scene.t, by("cleo"), "e3", resign=False, now=scene.now))
        assert scene.standing("e3") == "removed"
        with pytest.raises(Conflict) as error:
            scene.enter("cleo")
        assert error.value.code == "removed"
        scene.reinstate("e3")
        assert scene.standing("e3") == "gone"
        scene.enter("cleo")
        self.removed(scene, "e3")
        scene.reinstate("e3")
        assert scene.standing("e3") == "waiting"

    def test_somebody_else_plays_for_an_entrant_and_its_results_stay(self) -> None:
        scene = played()
        scene.replace("e1", "zoe")
        assert scene.t.entrant_of(player("zoe")).key == "e1"  # type: ignore[union-attr]
        assert scene.t.entrant_of(player("ada")) is None
        # Replacing is taken back by replacing.
        scene.replace("e1", "ada")
        assert scene.t.entrant_of(player("ada")).key == "e1"  # type: ignore[union-attr]
        assert scene.t.entrant_of(player("zoe")) is None
        assert [line["type"] for line in scene.record()["log"]].count("replaced") == 2

    def test_nobody_plays_for_two_entrants(self) -> None:
        scene = played()
        with pytest.raises(Conflict) as error:
            scene.replace("e1", "bob")
        assert error.value.code == "already_entered"

    def test_li7_a_person_is_asked_and_plays_on_with_their_yes(self) -> None:
        scene = played()
        scene.do(replace(scene, "zoe"))
        offer = scene.t.offer("e1", player("zoe"))
        assert offer is not None and scene.t.entrant_of(player("ada")).key == "e1"  # type: ignore[union-attr]
        assert scene.t.offer("e1", player("yan")) is None
        with pytest.raises(Conflict) as error:
            answer(scene, offer, now=scene.now + timedelta(hours=12))
        assert error.value.code == "not_asked"
        assert scene.do(answer(scene, offer)) == ["replaced"]
        assert scene.t.entrant_of(player("zoe")).key == "e1" and scene.t.offers == ()  # type: ignore[union-attr]

    def test_li7_who_declines_is_asked_no_more_nor_after_another_answer_is_there(self) -> None:
        scene = played()
        scene.do(replace(scene, "zoe"))
        assert scene.do(answer(scene, scene.t.offers[0], accept=False)) == ["replacement_declined"]
        assert scene.t.offers == ()
        scene.do(replace(scene, "zoe"))
        scene.do(replace(scene, "yan"))
        assert [one["player"] for one in scene.t.offers] == [str(player("yan"))]
        scene.do(entries.withdraw(scene.t, by("ada"), "e1", resign=False, now=scene.now))
        assert scene.t.offers == ()

    def test_li7_an_organiser_who_plays_on_and_a_bot_need_not_be_asked(self) -> None:
        scene = played()
        scene.do(replace(scene, "olga"))
        assert scene.t.entrant_of(player("olga")).key == "e1"  # type: ignore[union-attr]
        bot = {"level": "steady"}
        scene.do(scene.ruled("replace", entrant="e1", bot=bot["level"]))
        assert scene.t.entrants["e1"].bot == bot

    def test_who_waits_takes_over_and_waits_no_more(self) -> None:
        scene = Scene(limit=3, settings={"rounds": 2}).start("ada", "bob", "cleo", "dan")
        scene.replace("e1", "dan")
        assert scene.t.queue == ()
        assert scene.t.entrant_of(player("dan")).key == "e1"  # type: ignore[union-attr]
        assert "e4" not in {line.get("entrant") for line in scene.record()["log"]}
        assert scene.t.places == 3


def replace(scene: Scene, name: str) -> list[Fact]:
    return scene.ruled("replace", entrant="e1", player=name)


def answer(scene: Scene, offer: Any, *, accept: bool = True, now: Any = None) -> list[Fact]:
    by_them = By(UUID(offer["player"]))
    return rulings.answer_replacement(scene.t, by_them, offer, accept=accept, salt="s", now=now or scene.now)


class TestNoShow:
    """LI4."""

    def test_who_never_moved_and_was_ruled_absent_is_absent_in_the_result(self) -> None:
        scene = played()
        game = scene.game(2)
        scene.do(no_shows.absent(scene.t, "e4", game, "never came", now=scene.now))
        scene.do(outcomes.take_in(scene.t, game, Ended("game", [Scored("e4", 1, moved=False), Scored("e3", 2)])))
        result = scene.read_record().results[game]
        assert [(one.entrant, one.absent) for one in result.players] == [("e4", True), ("e3", False)]

    def test_who_came_after_all_is_not(self) -> None:
        scene = played()
        game = scene.game(2)
        scene.do(no_shows.absent(scene.t, "e4", game, "never came", now=scene.now))
        scene.do(outcomes.take_in(scene.t, game, Ended("game", [Scored("e4", 1, moved=True), Scored("e3", 2)])))
        assert not any(one.absent for one in scene.read_record().results[game].players)

    def test_absent_twice_is_removed(self) -> None:
        scene = played()
        scene.do(no_shows.absent(scene.t, "e4", scene.game(2), "never came", now=scene.now))
        assert scene.do(no_shows.absent(scene.t, "e4", scene.game(2), "never came", now=scene.now)) == [], "once a game"
        scene.finish(2, ["e3", "e4"])
        scene.seat(["e1", "e4"], ["e2", "e3"])
        assert scene.do(no_shows.absent(scene.t, "e4", scene.game(1), "never came", now=scene.now)) == [
            "absent",
            "removed",
        ]
        assert scene.standing("e4") == "removed"

    def test_li1_who_waits_gets_the_place_of_one_who_was_absent_twice(self) -> None:
        scene = Scene(limit=4, settings={"rounds": 2, "tables": {"size": 2}, "games_per_table": 2}).start(*FOUR)
        scene.seat(["e1", "e2"], ["e3", "e4"])
        scene.enter("eve")
        assert scene.standing("e5") == "waiting"
        for number in (1, 2):
            scene.do(no_shows.absent(scene.t, "e4", scene.game(2, number), "never came", now=scene.now))
        assert scene.types()[-3:] == ["absent", "removed", "entered"]
        assert scene.standing("e5") == "in"

    def test_who_is_asked_to_stand_in_is_the_next_on_the_waiting_list_and_each_once(self) -> None:
        scene = Scene(limit=3, settings={"rounds": 2}).start("ada", "bob", "cleo", "dan", "eve")
        scene.seat(["e1", "e2", "e3"])

        def ask(key: str) -> list[str]:
            return scene.do(no_shows.ask(scene.t, key, scene.game(1), "never came", now=scene.now))

        assert ask("e1") == ["substitute_asked"] and scene.t.entrants["e4"].asked_for == "e1"
        assert ask("e1") == [], "somebody is asked already"
        assert ask("e2") == ["substitute_asked"] and scene.t.entrants["e5"].asked_for == "e2", (
            "dan is asked for another"
        )
        assert ask("e3") == [], "nobody is left"
        scene.do(no_shows.let_go(scene.t, "e1", "late"))
        assert ask("e1") == [], "eve is asked for another, and dan has not answered"
        assert ask("e3") == ["substitute_asked"] and scene.t.entrants["e4"].asked_for == "e3"


class TestSeason:
    """SN1, SN2."""

    def season(self, **plan: object) -> Scene:
        opens, closes = NOON + timedelta(hours=1), NOON + timedelta(days=10)
        scene = Scene(kind="season", opens_at=opens.isoformat(), closes_at=closes.isoformat(), **plan)
        return scene.start(*FOUR)

    def taken(self, scene: Scene, began: timedelta, took: timedelta, *, own: bool = True, key: str = "g1") -> list[str]:
        began_at = NOON + began
        facts = outcomes.take_in_season(
            scene.t, key, ended(["e1", "e2"]), started_at=began_at, ended_at=began_at + took, own=own
        )
        return scene.do(facts)

    def test_a_game_that_started_in_time_counts_once(self) -> None:
        scene = self.season()
        assert self.taken(scene, timedelta(days=1), timedelta(hours=1)) == ["result"]
        assert self.taken(scene, timedelta(days=1), timedelta(hours=1)) == []

    def test_not_before_it_opens_nor_after_it_closes(self) -> None:
        scene = self.season()
        assert self.taken(scene, timedelta(minutes=59), timedelta(hours=1)) == []
        assert self.taken(scene, timedelta(days=10), timedelta(hours=1)) == []

    def test_sn2_games_still_running_at_the_end_count_within_the_grace(self) -> None:
        scene = self.season(grace=86_400)
        assert self.taken(scene, timedelta(days=9), timedelta(days=2), key="g1") == ["result"]
        assert self.taken(scene, timedelta(days=9), timedelta(days=2, seconds=1), key="g2") == []

    def test_other_games_count_with_any_if_all_had_entered_before(self) -> None:
        assert self.taken(self.season(), timedelta(days=1), timedelta(hours=1), own=False) == []
        scene = self.season(games="any")
        assert self.taken(scene, timedelta(days=1), timedelta(hours=1), own=False) == ["result"]
        scene.now = NOON + timedelta(days=3)
        scene.enter("eve")
        facts = outcomes.take_in_season(
            scene.t,
            "g3",
            ended(["e1", "e5"]),
            started_at=NOON + timedelta(days=2),
            ended_at=NOON + timedelta(days=4),
            own=False,
        )
        assert facts == []

    def test_a_running_game_can_be_voided_before_its_result(self) -> None:
        scene = self.season()
        scene.do(outcomes.open_room(scene.t, "g1", 1))
        assert scene.do(outcomes.open_room(scene.t, "g1", 1)) == [], "once"
        scene.do(outcomes.void(scene.t, OLGA, "g1", "wrong people"))
        assert "voided" not in [line["type"] for line in scene.record()["log"]]
        assert self.taken(scene, timedelta(days=1), timedelta(hours=1)) == []

    def test_a_rooms_players_show_in_its_result(self) -> None:
        scene = self.season()
        scene.do(outcomes.open_room(scene.t, "g1", 1))
        assert self.taken(scene, timedelta(days=1), timedelta(hours=1)) == ["result"]
        assert scene.t.games["g1"].entrants == ("e1", "e2")
