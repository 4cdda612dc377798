"""Setting up: what is left out has its default, what cannot be is refused with the name of its field."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from stream_scene import NOON

from core.refusals import Invalid
from core.values import Faults
from games.rules import GAMES
from tournaments.rules import read_settings
from tournaments.rules.settings import KINDS
from tournaments.stream import Plan, merged, read_plan
from tournaments.stream.plan import OWN, STAGE
from tournaments.stream.reading import Setting

ASKED = {"title": "Threes 2026", "game": "threes", "kind": "rounds"}


def plan(**asked: Any) -> Plan:
    return read_plan({**ASKED, **asked}, now=NOON)


def fields_at_fault(**asked: Any) -> list[str]:
    with pytest.raises(Invalid) as refused:
        plan(**asked)
    return [field for field, _ in refused.value.errors]


def test_three_keys_are_enough() -> None:
    complete = plan()
    assert complete.visibility == "public"
    assert complete.rated is True
    assert complete.entry == "open"
    assert complete.pace == "auto"
    assert complete.ruleset == "2023"
    assert complete.clock["per_turn"] == 86_400
    assert complete.settings["tables"] == {"size": 4, "min": 3, "max": 5}
    assert complete.settings["points"] == {"scheme": "opponents_beaten"}
    assert complete.limit is None
    assert complete.late_until is None


def test_a_season_has_a_prior_and_two_weeks_of_grace() -> None:
    season = plan(kind="season")
    assert season.settings["total"] == "mean"
    assert season.settings["prior"] == 6
    assert season.grace == 14 * 86_400


def test_pt5_a_season_that_does_not_name_same_table_gets_6() -> None:
    assert plan(kind="season").settings["same_table"] == 6
    assert plan(kind="season", settings={"best": 5}).settings["same_table"] == 6
    assert plan(kind="season", settings={"same_table": 2}).settings["same_table"] == 2
    assert plan(kind="season", settings={"same_table": None}).settings["same_table"] is None
    assert plan(kind="rounds").settings["same_table"] is None
    assert read_settings("threes", "season", {}).same_table is None


def test_pt5_null_is_no_limit_in_a_change_too() -> None:
    asked = merged({**ASKED, "kind": "season"}, {"settings": {"same_table": None, "best": None}})
    assert asked["settings"] == {"same_table": None}
    assert read_plan(asked, now=NOON).settings["same_table"] is None


def asked_for(complete: Plan) -> dict[str, Any]:
    """What a complete plan without stages is when somebody asks for it."""
    return {name: value for name, value in complete.as_json().items() if name != "stages"}


def test_a_complete_plan_read_again_is_the_same() -> None:
    complete = plan(kind="season", closes_at="2027-01-01T00:00:00+01:00", games="any", limit=12)
    assert complete.closes_at == datetime(2026, 12, 31, 23, tzinfo=UTC)
    again = Plan.from_json(complete.as_json())
    assert again == complete
    assert read_plan(asked_for(complete), now=NOON) == complete


@pytest.mark.parametrize(
    ("asked", "field"),
    [
        ({"title": ""}, "title"),
        ({"title": 7}, "title"),
        ({"title": "x" * 101}, "title"),
        ({"title": "two\nlines"}, "title"),
        ({"game": "poker"}, "game"),
        ({"kind": "swiss"}, "kind"),
        ({"ruleset": "1999"}, "ruleset"),
        ({"options": {"decks": 0}}, "options.decks"),
        ({"options": []}, "options"),
        ({"clock": {"per_turn": 1}}, "clock.per_turn"),
        ({"clock": 60}, "clock"),
        ({"visibility": "secret"}, "visibility"),
        ({"rated": 1}, "rated"),
        ({"limit": True}, "limit"),
        ({"limit": 2}, "limit"),
        ({"limit": 10_000}, "limit"),
        ({"check_in": "1h"}, "check_in"),
        ({"starts_at": "tomorrow"}, "starts_at"),
        ({"starts_at": "2026-11-22"}, "starts_at"),
        ({"starts_at": "2026-11-22T10:00:00"}, "starts_at"),
        ({"deadline": 0}, "deadline"),
        ({"overdue": "later"}, "overdue"),
        ({"no_show": "forgive"}, "no_show"),
        ({"no_show_after": 1.5}, "no_show_after"),
        ({"late": "half"}, "late"),
        ({"late_until": -1}, "late_until"),
        ({"pace": "slow"}, "pace"),
        ({"seeds": ["e1"]}, "seeds"),
        ({"opens_at": "2026-12-01T00:00:00Z"}, "opens_at"),
        ({"games": "any"}, "games"),
        ({"settings": {"rounds": 0}}, "settings.rounds"),
        ({"settings": {"tables": {"size": 99}}}, "settings.tables.size"),
        ({"settings": {"tables": {"size": 3, "min": 4}}}, "settings.tables"),
        ({"settings": {"points": {"scheme": "score"}}}, "settings.points.scheme"),
        ({"settings": {"tie_breaks": ["luck"]}}, "settings.tie_breaks"),
        ({"settings": []}, "settings"),
        ({"colour": "red"}, "colour"),
        ({"kind": "knockout"}, "settings.advance"),
        ({"kind": "knockout", "settings": {"advance": 3}}, "settings.advance"),
        ({"kind": "knockout", "settings": {"advance": 1}, "seeds": ["e1", "e1"]}, "seeds"),
        ({"kind": "season", "closes_at": "2026-11-01T00:00:00Z"}, "closes_at"),
        ({"kind": "season", "opens_at": "2027-01-01T00:00:00Z", "closes_at": "2026-12-01T00:00:00Z"}, "closes_at"),
        ({"kind": "season", "deadline": 86_400}, "deadline"),
        ({"kind": "season", "late_until": 2}, "late_until"),
        ({"kind": "season", "settings": {"rounds": 3}}, "settings.rounds"),
        ({"kind": "season", "settings": {"seating": "even"}}, "settings.seating"),
        ({"kind": "season", "settings": {"parallel": 2}}, "settings.parallel"),
        ({"kind": "season", "settings": {"games_per_table": 2}}, "settings.games_per_table"),
        ({"kind": "season", "settings": {"advance": 1}}, "settings.advance"),
        ({"kind": "season", "game": "castle", "settings": {"tables": {"size": 9}}}, "settings.tables.size"),
        ({"settings": {"advance": 2}}, "settings.advance"),
        ({"settings": {"round": 3}}, "settings.round"),
        ({"settings": {"tables": {"wished": 3}}}, "settings.tables.wished"),
        ({"settings": {"points": {"schema": "wins"}}}, "settings.points.schema"),
        ({"kind": "knockout", "settings": {"advance": 1, "rounds": 3}}, "settings.rounds"),
        ({"kind": "knockout", "settings": {"advance": 1, "parallel": 2}}, "settings.parallel"),
        ({"visibility": "private", "entry": "open"}, "entry"),
    ],
)
def test_what_cannot_be_is_refused_by_its_field(asked: dict[str, Any], field: str) -> None:
    assert fields_at_fault(**asked) == [field]


def test_with_one_deck_no_table_is_larger_than_the_cards_allow() -> None:
    assert plan(options={"decks": 1}, settings={"tables": {"size": 6}}).settings["tables"]["max"] == 6
    assert "settings.tables.size" in fields_at_fault(options={"decks": 1}, settings={"tables": {"size": 7}})
    assert fields_at_fault(options={"decks": 1}, settings={"tables": {"size": 6, "max": 8}}) == ["settings.tables.max"]


@pytest.mark.parametrize("game", GAMES)
@pytest.mark.parametrize("kind", KINDS)
def test_every_kind_of_every_game_can_be_set_up_with_the_defaults(game: str, kind: str) -> None:
    settings = {"advance": 1} if kind == "knockout" else {}
    assert read_plan(asked_for(plan(game=game, kind=kind, settings=settings)), now=NOON).kind == kind


def test_a_late_bye_needs_the_sum() -> None:
    assert plan(late="bye").late == "bye"
    assert fields_at_fault(late="bye", settings={"total": "mean"}) == ["late"]


def test_changes_are_merged_key_by_key_and_null_is_the_default_again() -> None:
    asked = {**ASKED, "limit": 12, "settings": {"rounds": 3, "tables": {"size": 3}}}
    changed = merged(asked, {"limit": None, "settings": {"rounds": 5}})
    assert changed == {**ASKED, "settings": {"rounds": 5, "tables": {"size": 3}}}


def test_a_tournament_whose_moment_to_start_has_just_passed_may_still_be_set_up() -> None:
    assert plan(starts_at=(NOON - timedelta(seconds=1)).isoformat()).starts_at is not None


@pytest.mark.parametrize("moment", ["9999-12-31T23:59:59Z", "3000-01-01T00:00:00Z", "0001-01-01T00:00:00+14:00"])
def test_a_moment_to_which_no_span_can_be_added_is_refused(moment: str) -> None:
    """Else a season's page is a 500, and its results never come in: `grace` comes on top of `closes_at` (SN2)."""
    assert fields_at_fault(kind="season", closes_at=moment) == ["closes_at"]
    assert fields_at_fault(starts_at=moment) == ["starts_at"]


def test_all_that_is_wrong_is_named_at_once() -> None:
    wrong = {"title": "", "limit": "many", "clock": {"per_turn": 1}, "settings": {"rounds": 0}, "colour": "red"}
    assert set(fields_at_fault(**wrong)) == {"title", "limit", "clock.per_turn", "settings.rounds", "colour"}


LONG = f"1/{'9' * 400}"


@pytest.mark.parametrize(
    ("field", "settings"),
    [
        ("settings.bye", {"bye": LONG}),
        ("settings.prior", {"total": "mean", "prior": LONG}),
        ("settings.points.list", {"points": {"scheme": "places", "list": ["3", LONG]}}),
    ],
)
def test_exact_numbers_are_short_enough_for_standings_to_stay_cheap(field: str, settings: dict[str, Any]) -> None:
    assert fields_at_fault(settings=settings) == [field]
    assert plan(settings={"bye": "5/9999"}).settings["bye"] == "5/9999"


class TestStages:
    """SG1, SG10: a line of stages, each with a kind and settings of its own."""

    ROUNDS: dict[str, Any] = {"kind": "rounds", "settings": {"rounds": 5}, "take": 8}
    FINAL: dict[str, Any] = {"title": "Final", "kind": "knockout", "settings": {"advance": 2}}

    def staged(self, *stages: Any, **asked: Any) -> Plan:
        return plan(**{"kind": None, "stages": list(stages), **asked})

    def faults(self, *stages: Any, **asked: Any) -> list[str]:
        return fields_at_fault(**{"kind": None, "stages": list(stages), **asked})

    def test_each_is_complete_and_the_plan_is_at_the_first(self) -> None:
        complete = self.staged({**self.ROUNDS, "deadline": 86_400}, self.FINAL)
        assert (complete.kind, complete.rounds, complete.deadline) == ("rounds", 5, 86_400)
        first, second = complete.stages
        assert (first["title"], first["take"], first["carry"], first["break"]) == ("Rounds", 8, False, 86_400)
        assert (second["title"], second["take"], second["deadline"], second["break"]) == ("Final", None, None, None)
        assert second["settings"]["tables"] == {"size": 4, "min": 3, "max": 5}
        assert Plan.from_json(complete.as_json()) == complete

    def test_a_plan_of_a_kind_is_one_stage(self) -> None:
        complete = plan(settings={"rounds": 3})
        [only] = complete.all_stages
        assert (only["title"], only["kind"], only["take"], only["pace"]) == ("Rounds", "rounds", None, "auto")
        assert only["settings"] == complete.settings

    def test_sg6_a_stage_that_carries_has_the_settings_of_the_one_before(self) -> None:
        upper = {"kind": "rounds", "settings": {"rounds": 2}, "carry": True}
        complete = self.staged({**self.ROUNDS, "settings": {"rounds": 5, "best": 4}}, upper)
        assert (complete.stages[1]["settings"]["best"], complete.stages[1]["settings"]["rounds"]) == (4, 2)
        assert self.faults(self.ROUNDS, {**upper, "settings": {"best": 3}}) == ["stages.1.settings.best"]

    def test_sn2_a_later_season_lasts_from_its_beginning(self) -> None:
        complete = self.staged(self.ROUNDS, {"kind": "season", "lasts": 7 * 86_400})
        began = NOON + timedelta(days=30)
        later = complete.at_stage(2, began)
        assert (later.kind, later.opens_at, later.closes_at) == ("season", began, began + timedelta(days=7))
        assert later.settings["same_table"] == 6

    @pytest.mark.parametrize(
        ("stages", "fields"),
        [
            ([], ["stages"]),
            ([{"kind": "season"}] * 5, ["stages"]),
            (["rounds"], ["stages"]),
            ([ROUNDS], ["stages.0.take"]),
            ([{**ROUNDS, "take": None}, FINAL], ["stages.0.take"]),
            ([{**ROUNDS, "take": 1}, FINAL], ["stages.0.take"]),
            ([{**ROUNDS, "settings": {}}, FINAL], ["stages.0.settings.rounds"]),
            ([ROUNDS, {**FINAL, "settings": {}}], ["stages.1.settings.advance"]),
            ([ROUNDS, {**FINAL, "carry": True}], ["stages.1.carry"]),
            ([ROUNDS, {**FINAL, "colour": "red"}], ["stages.1.colour"]),
            ([ROUNDS, {**FINAL, "kind": "league"}], ["stages.1.kind"]),
            ([ROUNDS, {**FINAL, "games": "any"}], ["stages.1.games"]),
            ([ROUNDS, {**FINAL, "break": 3600}], ["stages.1.break"]),
            ([{**ROUNDS, "break": -1}, FINAL], ["stages.0.break"]),
            ([{**ROUNDS, "lasts": 86_400}, FINAL], ["stages.0.lasts"]),
            ([ROUNDS, {"kind": "season", "closes_at": "2027-06-01T00:00:00Z"}], ["stages.1.closes_at"]),
            ([{**ROUNDS, "title": "x" * 101}, {**FINAL, "deadline": 1}], ["stages.0.title", "stages.1.deadline"]),
        ],
    )
    def test_what_cannot_be_is_refused_with_its_field(self, stages: list[Any], fields: list[str]) -> None:
        assert self.faults(*stages) == fields

    def test_stages_take_the_place_of_what_each_has_of_its_own(self) -> None:
        assert fields_at_fault(stages=[self.ROUNDS, self.FINAL]) == ["stages"]
        assert self.faults(self.ROUNDS, self.FINAL, deadline=86_400) == ["stages"]

    def test_a_change_to_stages_drops_what_they_replace(self) -> None:
        asked = merged({**ASKED, "settings": {"rounds": 3}}, {"stages": [self.ROUNDS, self.FINAL]})
        assert set(asked) == {"title", "game", "stages"}
        assert set(merged(asked, {"kind": "season"})) == {"title", "game", "kind"}


@pytest.mark.parametrize("name", OWN)
@pytest.mark.parametrize("kind", KINDS)
def test_a_plan_that_was_stored_without_a_setting_has_its_default(name: str, kind: str) -> None:
    """What an earlier release stored: any setting may be younger than it."""
    complete = plan(kind=kind, settings={"advance": 1} if kind == "knockout" else {})
    stored = complete.as_json()
    del stored[name]
    assert Plan.from_json(stored) == replace(complete, **{name: OWN[name].default_after(complete.as_json())})


@pytest.mark.parametrize("name", STAGE)
def test_so_has_a_stage(name: str) -> None:
    first = {"kind": "rounds", "settings": {"rounds": 1}, "take": 4}
    cup = {"kind": "knockout", "settings": {"advance": 1}}
    stored = read_plan({"title": "Cup", "game": "threes", "stages": [first, cup]}, now=NOON).as_json()
    for one in stored["stages"]:
        del one[name]
    assert [one[name] for one in Plan.from_json(stored).stages] == [STAGE[name].default] * 2


@pytest.mark.parametrize("one", [Setting(name="count"), Setting(name="count", least=0)])
def test_a_whole_number_without_a_bound_of_its_own_is_read(one: Setting) -> None:
    faults = Faults()
    assert one.take({"count": 1200}, faults) == 1200 and not faults
