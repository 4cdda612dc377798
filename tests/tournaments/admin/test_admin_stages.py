"""An organiser sets up a tournament with stages in the dashboard, a row for each (SG13)."""

import re
from datetime import timedelta

import pytest
from django.test import Client

from tests.tournaments.admin.test_admin_tournament import BASE, SET_UP, ruled
from tests.tournaments.services.tournament_scene import Club
from tournaments import selectors
from tournaments.models import Tournament

pytestmark = pytest.mark.django_db
LEAGUE = {
    **SET_UP,
    "kind": "stages",
    "stage-0-kind": "rounds",
    "stage-0-rounds": "5",
    "stage-0-deadline": "14",
    "stage-0-take": "8",
    "stage-1-kind": "knockout",
    "stage-1-title": "Final",
    "stage-1-advance": "2",
    "stage-1-deadline": "14",
}


def sent(olga: Client, path: str = "add/", **fields: str) -> str:
    answer = olga.post(f"{BASE}{path}", {**LEAGUE, **fields}, follow=True)
    assert answer.status_code == 200
    return re.sub(r"\s+", " ", answer.content.decode())


def rows(text: str) -> list[str]:
    return re.findall(r'<fieldset class="stage".*?</fieldset>', text)


def errors(text: str) -> list[str]:
    return re.findall(r'<p class="error"[^>]*>(.*?)</p>', text)


def cup() -> Tournament:
    return Tournament.objects.get(title="Spring cup")


def test_sg13_a_league_with_a_cut_and_a_final_is_set_up_and_said_in_words(club: Club, olga: Client) -> None:
    shown = sent(olga, estimate="1", entrants="16")
    assert "5 rounds at tables of about 4, then the best 8 in a knockout at tables of 4: about 14 weeks." in shown
    assert "Stage 1: A round of 16: 4 tables of 4 + 4 + 4 + 4." in shown
    assert "Final: A round of 8: 2 tables of 4 + 4. About 2 rounds until the final is played." in shown
    assert "How will it run?" in sent(olga)
    first, last = cup().state.plan.as_json()["stages"]
    assert (first["kind"], first["settings"]["rounds"], first["take"], first["title"]) == ("rounds", 5, 8, "Rounds")
    assert (last["kind"], last["settings"]["advance"], last["take"], last["title"]) == ("knockout", 2, None, "Final")


def test_sg13_a_season_that_closes_and_a_final_of_open_games_say_how_long_they_take(club: Club, olga: Client) -> None:
    closes = (club.now + timedelta(weeks=20)).strftime("%Y-%m-%dT%H:%M")
    season = {"stage-0-kind": "season", "stage-0-rounds": "", "stage-0-deadline": "", "stage-0-closes_at": closes}
    final = {"stage-1-kind": "season", "stage-1-advance": "", "stage-1-deadline": "", "stage-1-lasts": "14 days"}
    shown = sent(olga, estimate="1", entrants="9", **season, **final)
    assert "A season of open games, then the best 8 in a season of open games: about 22 weeks." in shown
    shown = sent(olga, estimate="1", entrants="9", **{**season, "stage-0-closes_at": ""}, **final)
    assert "in a season of open games." in shown, "nobody knows how long"


@pytest.mark.sampled
def test_sg1_what_is_wrong_with_a_stage_is_said_in_its_row(club: Club, olga: Client) -> None:
    for wrong, row, said in (
        ({"stage-0-take": ""}, 0, "This field is required."),
        ({"stage-0-rounds": ""}, 0, "This field is required."),
        ({"stage-1-advance": "3"}, 1, "Must be 1 to 2 at tables of 4, not 3."),
        ({"stage-1-rounds": "5"}, 1, "Leave rounds out: only rounds tournaments can have it."),
        ({"stage-1-carry": "on"}, 1, "Only rounds after rounds"),
        ({"stage-1-lasts": "2 days"}, 1, "only a season after another stage can have it"),
    ):
        shown = sent(olga, **wrong)
        assert "check the fields below" in shown
        found = rows(shown)[row]
        assert said in found, wrong
        assert len(errors(shown)) == len(errors(found)) == 1, wrong
    assert not Tournament.objects.exists()


@pytest.mark.sampled
def test_sg13_rows_come_and_go_without_script_and_keep_what_was_typed(club: Club, olga: Client) -> None:
    assert len(rows(olga.get(f"{BASE}add/?kind=stages&game=castle").content.decode().replace("\n", " "))) == 2
    shown = sent(olga, **{"add-stage": "1", "stage-0-take": "", "stage-0-break": "3 days"})
    assert (len(rows(shown)), errors(shown)) == (3, [])
    assert 'name="stage-0-break" value="3 days"' in shown
    assert 'name="stage-1-take"' in shown
    shown = sent(olga, **{"drop-stage": "1"})
    assert (len(rows(shown)), 'name="stage-0-take"' in shown) == (1, False)
    three = {"stage-2-kind": "season", "stage-2-lasts": "9 days", "stage-1-take": "4", "stage-1-title": "Cup"}
    shown = rows(sent(olga, **three, **{"drop-stage": "0"}))
    assert len(shown) == 2, "any of them can go, and those below move up"
    assert 'name="stage-0-title" value="Cup"' in shown[0]
    assert 'name="stage-0-take" value="4"' in shown[0]
    assert 'name="stage-1-lasts" value="9 days"' in shown[1]
    shown = rows(sent(olga, **three, **{"drop-stage": "1"}))
    assert 'name="stage-0-take" value="8"' in shown[0]
    assert 'name="stage-1-lasts" value="9 days"' in shown[1]
    assert len(rows(sent(olga, **{"drop-stage": "7"}))) == 2
    assert not Tournament.objects.exists()


@pytest.mark.sampled
def test_sg10_stages_are_changed_until_the_start_and_empty_means_the_default(club: Club, olga: Client) -> None:
    sent(olga, **{"stage-0-best": "3"})
    at = f"{cup().pk}/settings/"
    text = re.sub(r"\s+", " ", olga.get(BASE + at).content.decode())
    assert 'name="stage-0-best" value="3"' in rows(text)[0]
    sent(olga, at, **{"stage-0-rounds": "7", "stage-0-best": "3"})
    stage = cup().state.plan.as_json()["stages"][0]["settings"]
    assert (stage["rounds"], stage["best"]) == (7, 3)
    olga.post(BASE + at, {**SET_UP, "rounds": "4"})
    plan = cup().state.plan.as_json()
    assert (plan["stages"], plan["settings"]["rounds"]) == ([], 4), "a tournament of a kind again"
    sent(olga, at)
    assert len(cup().state.plan.as_json()["stages"]) == 2


def test_as_last_time_takes_stages_over_without_their_dates(club: Club, olga: Client) -> None:
    closes = (club.now + timedelta(weeks=20)).strftime("%Y-%m-%dT%H:%M")
    season = {"stage-0-kind": "season", "stage-0-rounds": "", "stage-0-deadline": "", "stage-0-closes_at": closes}
    sent(olga, **season)
    again = re.sub(r"\s+", " ", olga.get(f"{BASE}add/?like={cup().pk}").content.decode())
    assert 'name="stage-0-take" value="8"' in again
    assert re.search(r'name="stage-0-closes_at"(?![^>]*value)', again)


@pytest.mark.sampled
def test_sg12_a_result_of_a_season_that_was_left_is_entered_in_it(club: Club, olga: Client) -> None:
    final = {"title": "Final", "kind": "rounds", "settings": {"rounds": 1, "tables": {"size": 2, "min": 2, "max": 2}}}
    club.start(stages=[{"kind": "season", "title": "Summer", "take": 2, "break": 0}, final])
    season = {"who": ["e1", "e2", "e3"], "place_e1": "1", "place_e2": "2", "place_e3": "3", "reason": "in the garden"}
    ruled(olga, club, "enter_result", **season)
    ending = {"reason": "the summer is over", "preview": "1"}
    shown = olga.post(f"{BASE}{club.id}/rulings/end_stage/", ending).content.decode()
    assert "Through to Final, best first: ada and bob." in shown
    ruled(olga, club, "end_stage", reason="the summer is over")
    club.run()
    assert club.t.stage == 2

    def choosing(path: str) -> str:
        return olga.get(f"{BASE}{club.id}/rulings/enter_result/{path}").content.decode()

    assert 'Results of another stage: <a href="?stage=1">Summer</a>' in choosing("")
    shown = choosing("?stage=1")
    assert '<a href="?stage=2">Final</a>' in shown
    assert shown.count('name="who"') == 6, "also those who are out"
    assert 'name="stage" value="1"' in choosing("?stage=1&who=e3&who=e4")
    again = {"who": ["e3", "e4"], "place_e3": "1", "place_e4": "2", "stage": "1", "reason": "also in the garden"}
    ruled(olga, club, "enter_result", **again)
    result = next(event for event in reversed(selectors.events_of(club.id)) if event.type == "result")
    assert (result.data["stage"], [one["entrant"] for one in result.data["players"]]) == (1, ["e3", "e4"])
    assert set(club.t.begun[0].seeds) == {"e1", "e2"}, "SG9: nobody's going on changes"
    assert 'href="?stage=1"' in choosing("?stage=9"), "the present one, as no ninth has begun"


@pytest.mark.sampled
def test_sg13_the_dashboard_has_a_table_for_each_stage_too(club: Club, olga: Client) -> None:
    final = {"title": "Final", "kind": "rounds", "settings": {"rounds": 1, "tables": {"size": 2, "min": 2, "max": 2}}}
    club.start(stages=[{"kind": "season", "title": "Summer", "take": 2, "break": 0}, final])
    season = {"who": ["e1", "e2", "e3"], "place_e1": "1", "place_e2": "2", "place_e3": "3", "reason": "in the garden"}
    ruled(olga, club, "enter_result", **season)
    assert "Eliminated" not in olga.get(f"{BASE}{club.id}/standings/").content.decode()
    ruled(olga, club, "end_stage", reason="the summer is over")
    club.run()
    shown = olga.get(f"{BASE}{club.id}/standings/").content.decode()
    assert shown.index("Final</h3>") < shown.index("Summer</h3>") < shown.index("Eliminated")
