"""The pages of a tournament with stages (SG13): the course in words, the cut, a table for each stage, titled rounds."""

import re
from collections.abc import Callable
from datetime import timedelta
from html import unescape
from typing import Any
from uuid import UUID

import pytest
from django.test import Client

from core import clock as service_clock
from core.accounts.models import Player
from games.clocks import moment_text
from tests.tournaments.api.conftest import cast, opened, run, running  # noqa: F401  fixtures
from tests.tournaments.api.test_api_stages import STAGED, STAGES, Cast, a_day_later, play_first
from tournaments import selectors
from tournaments.models import Entrant, Tournament
from tournaments.notifications.following import tell_entrants
from tournaments.notifications.subject import Tournaments

Make = Callable[..., dict[str, Any]]


def page(made: dict[str, Any], path: str = "") -> str:
    answer = Client().get(f"/t/{made['slug']}{path}")
    assert answer.status_code == 200
    return answer.content.decode()


def test_sg13_before_it_starts_the_course_is_said_in_words(cast: Cast, opened: Make) -> None:  # noqa: F811
    made = opened(**STAGED)
    assert "1 round at tables of about 2, then the best 2 in a knockout at tables of 2" in page(made)
    assert "<li>Rounds, then a knockout of 2, open for entries</li>" in page(made)
    assert "<li data-time-zone>times are in UTC</li>" in page(made), "named once; a script names the reader's"
    for listed in ("/", "/tournaments"):
        assert "rounds, then a knockout of 2" in Client().get(listed).content.decode()


def test_sg13_the_dashboard_and_the_door_say_all_stages(cast: Cast, opened: Make) -> None:  # noqa: F811
    made = opened(**STAGED, visibility="private")
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    headed = olga.get(f"/admin/tournaments/tournament/{made['id']}/change/").content.decode()
    assert "<li>Rounds, then a knockout of 2</li>" in headed
    assert "rounds, then a knockout of 2" in olga.get("/admin/tournaments/tournament/add/").content.decode()
    assert "<li>rounds, then a knockout of 2</li>" in Client().get(f"/join/{made['invitation']}").content.decode()


@pytest.mark.sampled
def test_sg13_in_the_break_the_page_says_when_the_next_stage_begins(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
) -> None:
    made = running(**STAGED)
    assert "The best 2 go through." in page(made)
    play_first(cast, made)
    ends = service_clock.now() + timedelta(days=1)
    shown = page(made)
    assert "The best 2 go through." not in shown
    through = set(cast["nobody"].get(f"tournaments/{made['id']}/next-stage").body["seeds"])
    for player in Player.objects.filter(username__in=("ada", "bob", "cleo", "dan")):
        reader = Client()
        reader.force_login(player)
        said = "you are through to Final." if of(player) in through else "you are outside the cut."
        own = reader.get(f"/t/{made['slug']}").content.decode()
        assert f"As it stands, {said}" in own
        assert "After the open games" not in own
    minute, said = ends.replace(second=0, microsecond=0).isoformat(), f"{ends.day} {ends:%B %Y, %H:%M} UTC"
    over = f'Stage 1 is over. Final begins on <time datetime="{minute}" data-form="at">{said}</time>.'
    assert over in shown
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    assert over in olga.get(f"/admin/tournaments/tournament/{made['id']}/change/").content.decode()
    for badge in ("through", "outside the cut"):
        assert shown.count(f'<span class="badge">{badge}</span>') == 2
    assert re.search(r"Outside the cut(, separated by [a-z' ]+)?</th>", shown)
    # Who withdraws makes room for the next in line, and the page says so.
    standings = cast["nobody"].get(f"tournaments/{made['id']}/standings").body["standings"]
    second = next(row for row in standings if row["entrant"] in through)
    name = second["name"]
    left = cast[name].post(f"tournaments/{made['id']}/entries/{second['entrant']}/withdraw", {"resign": False})
    assert left.status == 200
    assert f"{name} withdrew, so the next in line go through." in page(made)


@pytest.mark.sampled
def test_sg13_the_cut_is_drawn_each_stage_has_its_table_and_rounds_their_stage(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    made = running(**STAGED)
    play_first(cast, made)
    a_day_later(clock)
    shown = page(made)
    assert shown.count("Out after Stage 1") == 1
    assert shown.index('id="stage-2"') < shown.index('id="stage-1"')
    table = shown.partition('id="stage-1"')[2].partition("</table>")[0]
    lines = re.findall(r"Eliminated|<tr><td class=.number.>[0-9]", table)
    assert [line == "Eliminated" for line in lines] == [False, False, True, False, False]
    last = selectors.standings_for(UUID(made["id"]), Tournament.objects.get(pk=made["id"]).version)["standings"][-1]
    prize = {"ruling": "adjust", "entrant": last["entrant"], "points": 9, "stage": 1, "reason": "a late prize"}
    assert cast["olga"].post(f"tournaments/{made['id']}/rulings", prize).status == 201
    shown = page(made)
    assert "Eliminated" not in shown, "SG13: drawn by who went on, never by counting rows"
    assert shown.count('<span class="badge">through</span>') == 2
    assert "Final, round 1" in shown
    assert "<h1>Final, round 1" in page(made, "/rounds/2")
    assert "<h1>Stage 1, round 1" in page(made, "/rounds/1")
    # The bracket with its seeds comes first; what says the same of the eight once more is folded.
    bracket, *folded = (shown.index(part) for part in ('id="bracket"', 'id="of-all"', 'id="stage-1"', 'id="of-rounds"'))
    assert bracket < min(folded) and '<tspan class="seed">1 </tspan>' in shown
    assert not re.search(r"<details id=\S+ open", shown)
    for entrant in ("e1", "e2", "e3", "e4"):
        assert page(made, f"/entrants/{entrant}")
    assert page(made, "/crosstable")


@pytest.mark.sampled
def test_the_dashboard_shows_a_tournament_with_stages(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    made = running(**STAGED)
    play_first(cast, made)
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    for later in (False, True):
        if later:
            a_day_later(clock)
        for part in ("change/", "settings/", "standings/", "rulings/", "entrants/", "rulings/adjust/"):
            answer = olga.get(f"/admin/tournaments/tournament/{made['id']}/{part}")
            assert answer.status_code == 200, part
            if part == "settings/":
                assert re.search(r'name="stage-0-rounds" value="1"[^>]*disabled', answer.content.decode())


def test_sg11_who_seats_a_drafted_stage_is_shown_the_way_in_the_dashboard(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
) -> None:
    drafted = [STAGED["stages"][0], {**STAGED["stages"][1], "pace": "manual"}]
    made = running(**{**STAGED, "stages": drafted})
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    at = f"/admin/tournaments/tournament/{made['id']}"
    button = f'action="{at}/action/next/"'
    assert button not in olga.get(f"{at}/change/").content.decode()
    play_first(cast, made)
    assert "The organisers seat the first round of Final." in page(made)
    assert "Stage 1 is over." in olga.get(f"{at}/change/").content.decode()
    assert button in olga.get(f"{at}/change/").content.decode()
    assert "the next one can be drafted" in olga.get("/admin/").content.decode()
    assert olga.post(f"{at}/action/next/").headers["Location"] == f"{at}/draft/"
    shown = olga.get(f"{at}/draft/").content.decode()
    assert "Draft of Final, round 1" in shown
    assert "Seat Final, round 1</button>" in shown
    assert "Final, round 1 has been drafted and can be published." in olga.get("/admin/").content.decode()
    [mark] = set(re.findall(r'name="drafted" value="([^"]+)"', shown))
    olga.post(f"{at}/draft/", {"drafted": mark, "publish": "1"})
    assert cast["nobody"].get(f"tournaments/{made['id']}").body["stage"] == 2


def test_sg13_people_read_the_name_of_a_round_wherever_they_read_of_it(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    stages = [{**stage, "deadline": 7 * 86_400, "pace": "auto"} for stage in STAGES]
    made = running(**{**STAGED, "stages": stages})
    play_first(cast, made)
    a_day_later(clock)
    name = "Final, round 1"
    people = [Player.objects.get(username=one) for one in ("ada", "bob", "cleo", "dan")]
    seeds = Tournament.objects.get(pk=made["id"]).state.begun[0].seeds
    finalist, out = (next(one for one in people if (of(one) in seeds) is is_in) for is_in in (True, False))
    reader, olga = Client(), Client()
    reader.force_login(finalist)
    olga.force_login(Player.objects.get(username="olga"))
    assert f"{name}, table 1" in reader.get(f"/t/{made['slug']}").content.decode(), "among one's own tables"
    [game] = cast["nobody"].get(f"tournaments/{made['id']}/rounds/2").body["tables"][0]["games"]
    assert f"{name}, table 1" in reader.get(f"/games/{game['id']}").content.decode()
    assert f"{name}, table 1" in olga.get(f"/admin/games/game/{game['id']}/change/").content.decode()
    tell_entrants.catch_up()
    told = [one["text"] for one in cast[finalist.username].get("me/notifications").body["results"]]
    assert f"{name} of {made['title']} is seated: you play at table 1." in told
    assert f"Stage 1, round 1 of {made['title']} is over. The standings have been updated." in told
    dates = [one.summary for one in Tournaments().dates(finalist, service_clock.now())]
    assert f"{made['title']}: {name} ends" in dates
    assert f"running, {name}" in olga.get("/admin/").content.decode()
    change = olga.get(f"/admin/tournaments/tournament/{made['id']}/change/").content.decode()
    assert '<th scope="colgroup" colspan="1">Final</th>' in change
    entrants = olga.get(f"/admin/tournaments/tournament/{made['id']}/entrants/").content.decode()
    assert entrants.count('<span class="small quiet">out') == 2
    extend = olga.get(f"/admin/tournaments/tournament/{made['id']}/rulings/extend/").content.decode()
    assert f'<option value="2">{name}</option>' in extend
    asked = {"ruling": "extend", "round": 2, "seconds": 86_400, "reason": "a holiday"}
    assert cast["olga"].post(f"tournaments/{made['id']}/rulings", asked).status == 201
    assert f"{name} is extended until" in page(made, "/rulings")
    shown = page(made, f"/entrants/{of(out)}")
    assert re.search(r"<h2>Stage 1</h2>.*Stage 1, round 1, table \d</a>", shown, re.DOTALL), "SG7: its last stage"
    both = page(made, f"/entrants/{of(finalist)}")
    assert both.index("<h2>Final</h2>") < both.index("<h2>Stage 1</h2>") < both.index("Stage 1, round 1, table")


def test_sg9_who_stands_first_when_it_is_finished_has_won_though_their_stage_was_not_played(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
) -> None:
    league = {"kind": "rounds", "settings": {"rounds": 2, "tables": {"size": 2}}}
    made = running(**{**STAGED, "stages": [STAGES[0], league]})
    play_first(cast, made)
    path = f"tournaments/{made['id']}"
    assert cast["olga"].post(f"{path}/rulings", {"ruling": "end_stage", "reason": "the holidays"}).status == 201
    assert "Stage 2 begins early." in page(made, "/rulings")
    assert "leads with" not in page(made), "nobody has played in it"
    assert cast["olga"].post(f"{path}/finish").status == 200
    first = cast["nobody"].get(f"{path}/standings").body["standings"][0]
    assert re.search(rf"{first['name']} won with 0 points, ahead of \w+ by seed\.", page(made))


def of(player: Player) -> str:
    return Entrant.objects.get(player=player).key


def test_sg12_points_of_a_left_stage_are_adjusted_and_taken_back_in_it(
    cast: Cast,  # noqa: F811
    running: Make,  # noqa: F811
    clock: service_clock.FrozenClock,
) -> None:
    made = running(**STAGED)
    path = f"tournaments/{made['id']}"
    play_first(cast, made)
    asked = {"ruling": "adjust", "entrant": "e1", "points": 1, "reason": "a prize"}
    assert cast["olga"].post(f"{path}/rulings", asked).status == 201
    a_day_later(clock)
    olga = Client()
    olga.force_login(Player.objects.get(username="olga"))
    rulings = olga.get(f"/admin/tournaments/tournament/{made['id']}/rulings/").content.decode()
    [back] = re.findall(r'href="([^"]*/rulings/adjust/[?][^"]*)"', rulings)
    assert "stage=1" in back
    form = olga.get(unescape(back)).content.decode()
    assert '<option value="1" selected>Stage 1</option>' in form
    assert "Final</option>" not in form


def test_sg13_a_season_says_by_when_its_best_are_named_and_their_final_begins(cast: Cast, opened: Make) -> None:  # noqa: F811
    closes = service_clock.now() + timedelta(days=30)
    season = {"kind": "season", "closes_at": moment_text(closes), "take": 4, "break": 2 * 86_400, "grace": 5 * 86_400}
    final = {"title": "Final", "kind": "knockout", "settings": {"advance": 2}}
    shown = page(opened(**{**STAGED, "stages": [season, final]}))
    for said, days in (("last games begin", 0), ("best 4 named by", 5), ("Final begins by", 7)):
        at = closes + timedelta(days=days)
        assert re.search(rf"{said} <time [^>]*>{at.day} {at:%B %Y, %H:%M} UTC", shown), said
    drafted = page(opened(**{**STAGED, "stages": [season, {**final, "pace": "manual"}]}))
    assert "best 4 named by" in drafted
    assert "Final begins by" not in drafted, "it begins when organisers say so"


def test_two_stages_of_one_title_are_told_apart(cast: Cast, opened: Make) -> None:  # noqa: F811
    cups = [{"kind": "knockout", "settings": {"advance": 1, "tables": {"size": 2}}, "take": 2}] * 2
    made = opened(**{**STAGED, "stages": [*cups, {**STAGES[1], "title": "Final"}]})
    assert Tournament.objects.get(pk=made["id"]).state.plan.stage_names == ("Stage 1", "Stage 2", "Final")
